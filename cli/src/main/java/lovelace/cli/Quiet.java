package lovelace.cli;

import java.io.PrintWriter;
import java.io.Writer;

/// The standard error of a command that was told `--quiet`: remarks and progress go nowhere, and
/// errors to where they always go.
final class Quiet extends PrintWriter {

  private final PrintWriter errors;

  /// Keeps `errors` for what must be seen.
  Quiet(PrintWriter errors) {
    super(Writer.nullWriter());
    this.errors = errors;
  }

  /// Where errors go, given where remarks go.
  static PrintWriter errors(PrintWriter err) {
    return err instanceof Quiet quiet ? quiet.errors : err;
  }
}
