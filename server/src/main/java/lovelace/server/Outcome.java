package lovelace.server;

import java.util.concurrent.Callable;

/// The result of a task, or its failure. A task in a pool returns its failure, because the pool
/// would throw a copy whose message begins with the name of a class.
sealed interface Outcome<T> {

  record Value<T>(T value) implements Outcome<T> {}

  record Failure<T>(Throwable why) implements Outcome<T> {}

  /// Runs a task.
  static <T> Outcome<T> of(Callable<T> task) {
    try {
      return new Value<>(task.call());
    } catch (Throwable e) { // the code that waits for it decides
      return new Failure<>(e);
    }
  }
}
