package lovelace.cli;

import java.io.PrintWriter;
import java.io.Writer;

/// The standard error of a command with `--quiet`: remarks and progress are dropped, and errors are
/// printed as always.
final class Quiet extends PrintWriter {

  private final PrintWriter errors;

  /// Keeps `errors` for messages that must be seen.
  Quiet(PrintWriter errors) {
    super(Writer.nullWriter());
    this.errors = errors;
  }

  /// The stream for errors, given the stream for remarks.
  static PrintWriter errors(PrintWriter err) {
    return err instanceof Quiet quiet ? quiet.errors : err;
  }
}
