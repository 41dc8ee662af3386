package lovelace.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ForkJoinPool;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/// Runs a command with as many threads as it was allowed.
final class Threads {

  private Threads() {}

  /// Runs the command that `parsed` names inside a pool of `threads` threads; 0 is one per core.
  static int run(int threads, ParseResult parsed) {
    if (threads == 0) {
      return new CommandLine.RunLast().execute(parsed);
    }
    if (threads < 0) {
      throw new CommandLine.ParameterException(
          parsed.commandSpec().commandLine(), "--threads must be 1 or more, got " + threads);
    }
    try (var pool = new ForkJoinPool(threads)) {
      return CompletableFuture.supplyAsync(() -> new CommandLine.RunLast().execute(parsed), pool)
          .join();
    } catch (CompletionException e) {
      switch (e.getCause()) { // as thrown, without the wrapper
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw e;
      }
    }
  }
}
