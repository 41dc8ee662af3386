package lovelace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/// The `lovelace` command. Its options apply to every command below it.
///
/// Exit codes: 0 done, 1 failure, 2 wrong use or bad input, 130 interrupted, 141 standard output
/// was closed by its reader.
@Command(
    name = "lovelace",
    description = {
      "Gaussian processes for tables, time series and maps.",
      "On a grid, a prediction takes the same time however many rows were fitted."
    },
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failure",
      "2:wrong use or bad input",
      "130:interrupted",
      "141:standard output was closed by its reader, such as head",
    })
public final class Main implements Callable<Integer> {

  /// The commands by name, in the order of the help text.
  private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("fit", FitCommand.class);
    COMMANDS.put("predict", PredictCommand.class);
    COMMANDS.put("forecast", ForecastCommand.class);
    COMMANDS.put("backtest", BacktestCommand.class);
    COMMANDS.put("areas", AreasCommand.class);
    COMMANDS.put("sample", SampleCommand.class);
    COMMANDS.put("evaluate", EvaluateCommand.class);
    COMMANDS.put("diagnose", DiagnoseCommand.class);
    COMMANDS.put("plot", PlotCommand.class);
    COMMANDS.put("map", MapCommand.class);
    COMMANDS.put("inspect", InspectCommand.class);
    COMMANDS.put("export", ExportCommand.class);
    COMMANDS.put("optimize", OptimizeCommand.class);
    COMMANDS.put("update", UpdateCommand.class);
    COMMANDS.put("merge", MergeCommand.class);
    COMMANDS.put("compare", CompareCommand.class);
    COMMANDS.put("serve", ServeCommand.class);
    COMMANDS.put("bench", Bench.class);
    COMMANDS.put("reproduce", ReproduceCommand.class);
    COMMANDS.put("demo", Demo.class);
    COMMANDS.put("doctor", DoctorCommand.class);
    COMMANDS.put("completion", CompletionCommand.class);
  }

  /// The command that prints the same as `--help`.
  private static final String HELP = "help";

  /// The commands that nearly always read a table.
  private static final Set<String> TABLES =
      Set.of(
          "fit",
          "predict",
          "forecast",
          "backtest",
          "sample",
          "evaluate",
          "diagnose",
          "plot",
          "update",
          "compare");

  /// Whether the process may end without a message.
  private static final AtomicBoolean DONE = new AtomicBoolean();

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Option(
      names = "--threads",
      paramLabel = "N",
      scope = ScopeType.INHERIT,
      description =
          "The number of threads (default: one per core). Results do not depend on it, except "
              + "with networks.")
  private @Nullable Integer threads;

  @Option(
      names = "--quiet",
      scope = ScopeType.INHERIT,
      description = "Print no progress and no remarks on standard error. Errors still appear.")
  private boolean quiet = false;

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "If the command fails, print where it failed.")
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
                  err.println("lovelace: " + Interruption.message());
                }));
    if (TABLES.contains(command(args))
        && Stream.of(args).noneMatch(Set.of("--help", "-h")::contains)) Database.connectAhead();
    int code = run(out, err, args);
    out.flush();
    end(code);
  }

  private static void end(int code) {
    DONE.set(true);
    Database.forget();
    System.exit(code);
  }

  /// From now on a signal ends the command normally, and is not reported as an interruption.
  static void endsOnSignal() {
    DONE.set(true);
  }

  /// Runs one command. Its output goes to `out` and its remarks to `err`.
  ///
  /// @return the exit code
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return run(List.of(), out, err, args);
  }

  /// Also accepts further commands, so that a test can bring its own.
  static int run(List<Object> commands, PrintWriter out, PrintWriter err, String... given) {
    String[] args = helped(given);
    var main = new Main();
    var errors = new Errors(err, () -> main.stacktrace);
    var commandLine = new CommandLine(main);
    // picocli asks for the version while it adds commands, and the answer loads native libraries
    if (Stream.of(args).anyMatch(Set.of("--version", "-V")::contains))
      commandLine.getCommandSpec().versionProvider(new Version());
    withCommand(commandLine, args);
    commands.forEach(commandLine::addSubcommand);
    Converters.register(commandLine);
    List<String> remarks = new ArrayList<>();
    String[] renewed = OldSpellings.renew(commandLine, args, remarks::add);
    commandLine
        .setOut(out)
        .setErr(err)
        .setUsageHelpAutoWidth(true)
        .setExecutionStrategy(
            parsed -> {
              if (main.quiet) commandLine.setErr(new Quiet(err));
              else remarks.forEach(remark -> err.println("lovelace: " + remark));
              return Threads.run(main.threads, parsed);
            })
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
    try {
      return commandLine.execute(renewed);
    } catch (Error e) { // out of memory, stack overflow, or a library that does not load
      return errors.report(e, commandLine);
    }
  }

  /// The whole command line, with all commands and options.
  public static CommandLine all() {
    var line = new CommandLine(new Main());
    COMMANDS.forEach((name, command) -> line.addSubcommand(name, command));
    return line;
  }

  /// Adds the command that `args` name, without the others. Reading the options of all commands
  /// would take most of the time of a short command. If no command is named, all are added with
  /// only their descriptions.
  private static void withCommand(CommandLine line, String... args) {
    String word = command(args);
    Class<?> named = COMMANDS.get(word);
    if (named != null) {
      line.addSubcommand(word, named);
      return;
    }
    COMMANDS.forEach(
        (name, command) -> {
          var described = CommandSpec.create().name(name);
          described.usageMessage().description(command.getAnnotation(Command.class).description());
          line.addSubcommand(name, described);
        });
    var help = CommandSpec.create().name(HELP);
    help.usageMessage().description("Print the help of a command: lovelace help fit.");
    line.addSubcommand(HELP, help);
  }

  /// Turns `help COMMAND` into `COMMAND --help`, and `help` into `--help`. Other arguments stay as
  /// they are.
  private static String[] helped(String... args) {
    if (!command(args).equals(HELP)) return args;
    List<String> words = new ArrayList<>(List.of(args));
    words.remove(HELP);
    String word = command(words.toArray(String[]::new));
    if (word.isEmpty() || COMMANDS.containsKey(word)) words.add("--help");
    return words.toArray(String[]::new);
  }

  /// The first word that is neither an option nor the value of one.
  private static String command(String... args) {
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("--threads")) i++;
      else if (!args[i].startsWith("-")) return args[i];
    }
    return "";
  }

  /// Without a command, lists the commands.
  @Override
  public Integer call() {
    var commandLine = spec.commandLine();
    commandLine.usage(Quiet.errors(commandLine.getErr()));
    return Errors.WRONG_USE;
  }
}
