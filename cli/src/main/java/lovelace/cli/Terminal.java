package lovelace.cli;

/// Tells which standard streams are terminals.
///
/// The launcher knows (`[ -t 2 ]`) and passes their numbers in the system property
/// `lovelace.terminals`: `12` if standard output and standard error are both terminals. Without the
/// launcher the console tells: it exists only if input and output are terminals.
final class Terminal {

  /// The system property with the numbers of the streams that are terminals.
  static final String PROPERTY = "lovelace.terminals";

  private Terminal() {}

  /// Whether standard error goes to a terminal.
  static boolean isErr() {
    return is("2");
  }

  /// Whether standard output goes to a terminal.
  static boolean isOut() {
    return is("1");
  }

  @SuppressWarnings("SystemConsoleNull") // it is null if input or output is redirected
  private static boolean is(String stream) {
    String known = System.getProperty(PROPERTY);
    if (known != null) return known.contains(stream);
    var console = System.console();
    return console != null && console.isTerminal();
  }
}
