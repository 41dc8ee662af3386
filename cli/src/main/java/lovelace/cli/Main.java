package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// The `lovelace` command: its options hold for every command below it.
///
/// Exit codes: 0 done, 1 failure, 2 wrong use or bad input, 130 interrupted, 141 the reader of
/// standard output has gone.
@Command(
    name = "lovelace",
    description = "Gaussian processes whose predictions cost the same whatever the data.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failure",
      "2:wrong use or bad input",
      "130:interrupted",
      "141:the reader of standard output has gone",
    },
    subcommands = {
      FitCommand.class,
      PredictCommand.class,
      AreasCommand.class,
      SampleCommand.class,
      EvaluateCommand.class,
      DiagnoseCommand.class,
      PlotCommand.class,
      MapCommand.class,
      InspectCommand.class,
      ExportCommand.class,
      OptimizeCommand.class,
      UpdateCommand.class,
      MergeCommand.class,
      CompareCommand.class,
      ServeCommand.class,
      Bench.class,
      ReproduceCommand.class,
      Demo.class,
      CompletionCommand.class
    })
public final class Main implements Callable<Integer> {

  /// Whether the process may end without a word.
  private static final AtomicBoolean DONE = new AtomicBoolean();

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Option(
      names = "--threads",
      paramLabel = "N",
      scope = ScopeType.INHERIT,
      description =
          "Use N threads (default: one per core). Results do not depend on it, but for networks.")
  private int threads = 0;

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "When something fails, print where.")
  private boolean stacktrace = false;

  Main() {}

  /// Runs one command and ends the process with its exit code.
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT); // numbers read the same on every machine
    var err = new PrintWriter(System.err, true, UTF_8);
    var out =
        new PrintWriter(new BufferedOutputStream(new StandardOutput(err, Main::end)), true, UTF_8);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  if (DONE.get()) return;
                  err.println();
                  err.println("lovelace: interrupted; no partial file is left");
                }));
    int code = run(out, err, args);
    out.flush();
    end(code);
  }

  private static void end(int code) {
    DONE.set(true);
    System.exit(code);
  }

  /// From now on a signal is how the command ends, and nothing is interrupted by it.
  static void endsOnSignal() {
    DONE.set(true);
  }

  /// Runs one command with its output going to `out` and its remarks to `err`.
  ///
  /// @return the exit code
  static int run(PrintWriter out, PrintWriter err, String... args) {
    return run(List.of(), out, err, args);
  }

  /// The same with further commands, so that a test can bring its own.
  static int run(List<Object> commands, PrintWriter out, PrintWriter err, String... args) {
    var main = new Main();
    var errors = new Errors(() -> main.stacktrace);
    var commandLine = new CommandLine(main);
    commands.forEach(commandLine::addSubcommand);
    commandLine
        .setOut(out)
        .setErr(err)
        .registerConverter(Path.class, new Named.PathConverter())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setExecutionStrategy(parsed -> Threads.run(main.threads, parsed))
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
    try {
      return commandLine.execute(args);
    } catch (Error e) { // out of memory, stack overflow, a library that does not load
      return errors.report(e, commandLine);
    }
  }

  /// Without a command: what there is.
  @Override
  public Integer call() {
    var commandLine = spec.commandLine();
    commandLine.usage(commandLine.getErr());
    return Errors.WRONG_USE;
  }
}
