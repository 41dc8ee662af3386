package lovelace.cli;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/// Runs a command with the number of threads that `--threads` allows.
final class Threads {

  private Threads() {}

  /// The most threads that may be asked for.
  static final int MOST = 1_024;

  /// Runs the command that `parsed` names inside a pool of `threads` threads. Null means one per
  /// core.
  static int run(@Nullable Integer threads, ParseResult parsed) {
    if (threads == null) {
      return new CommandLine.RunLast().execute(parsed);
    }
    if (threads < 1 || threads > MOST) {
      throw new CommandLine.ParameterException(
          parsed.commandSpec().commandLine(),
          String.format(
              Locale.ROOT,
              "--threads must lie between 1 and %,d, got %d; leave it out for one per core",
              MOST,
              threads));
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
