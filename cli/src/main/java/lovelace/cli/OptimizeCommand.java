package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.bayesopt.Acquisition;
import lovelace.bayesopt.SearchSpace;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner;
import lovelace.bayesopt.Tuning;
import lovelace.bayesopt.Variable;
import lovelace.example.TestFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace optimize`: searches for the best point of a test function or of a program.
@Command(
    name = "optimize",
    customSynopsis = {
      "lovelace optimize --command LINE --space FILE [OPTIONS]",
      "lovelace optimize --function NAME [OPTIONS]"
    },
    description = {
      "Find the inputs that make a program's result smallest (or largest), in few runs.",
      "",
      "The program is a shell command in which {name} stands for the value of a variable. "
          + "The last line it prints is the result. A run with an exit code other than 0 has "
          + "failed. It is tried again once, and the search avoids places where runs keep failing. "
          + "What the program prints to standard error is passed on. Every run is written to a "
          + "journal: start the same command again, and it continues where it stopped.",
      "",
      "Examples:",
      "  lovelace optimize --function eggholder --budget 100 --out result.json",
      "  lovelace optimize --command './run.sh {x} {y}' --space space.json \\",
      "      --workers 4"
    })
final class OptimizeCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Option(
      names = "--function",
      paramLabel = "NAME",
      description =
          "A test function: eggholder, branin, hartmann6, ackley, rosenbrock, levy or "
              + "styblinski-tang. A number after one of the last four is its dimension.")
  private @Nullable String function;

  @Option(
      names = "--command",
      paramLabel = "LINE",
      description = "A shell command with {name} for every variable. Needs --space.")
  private @Nullable String command;

  @Option(
      names = "--space",
      paramLabel = "FILE",
      description =
          "A JSON file with the variables: {\"x\": {\"type\": \"real\", \"low\": 0, \"high\": 1,"
              + " \"log\": false}, …}. Types are real, integer and choice (with \"options\").")
  private @Nullable Path space;

  @Option(
      names = "--budget",
      paramLabel = "N",
      description = "The number of evaluations, with those that fail (default: 100).")
  private int budget = 100;

  @Option(
      names = "--initial",
      paramLabel = "N",
      description =
          "The number of evenly spread evaluations before the model chooses (default: 10).")
  private int initial = 10;

  @Option(
      names = "--acquisition",
      paramLabel = "mes|logei|ucb|pi|thompson",
      description =
          "The rule that chooses the next point: mes, logei, ucb, pi, thompson, mes-joint, "
              + "mes-functions or mes-gumbel (default: mes).")
  private String acquisition = "mes";

  @Option(names = "--maximize", description = "Look for the largest value instead of the smallest.")
  private boolean maximize = false;

  @Option(
      names = "--noise-sd",
      paramLabel = "learn|SD",
      description =
          "The standard deviation of the result between runs at the same point. 0 means that "
              + "runs repeat exactly; learn learns it (default: 0 with --function, learn with "
              + "--command).")
  private @Nullable String noise;

  @Option(
      names = "--constraints",
      paramLabel = "N",
      description =
          "The command prints N more numbers, each of which must be at most 0 (default: 0).")
  private int constraints = 0;

  @Option(
      names = "--improvement",
      paramLabel = "D",
      description =
          "Stop when no point promises an improvement of D (default: use the whole budget).")
  private double improvement = 0;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "The number of evaluations that run at the same time (default: 1).")
  private int workers = 1;

  @Option(
      names = "--run-time",
      paramLabel = "SECONDS",
      description =
          "The longest time for one run of the command. A longer run is stopped and counts as "
              + "failed (default: 86400, a day).")
  private long runTime = 86_400;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description =
          "How often a run that failed is tried again. 0 is for programs that fail at the same "
              + "points every time (default: 1).")
  private int retries = Tuning.DEFAULT.retries();

  @Option(names = "--seed", paramLabel = "N", description = "The seed of the search (default: 1).")
  private long seed = 1;

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description =
          "The file that records what was asked and told. The search continues from it "
              + "(default: --space with the ending .journal; none with --function).")
  private @Nullable Path journal;

  @Mixin private final ResultOptions output = new ResultOptions(true);

  @Override
  public Integer call() throws IOException, InterruptedException {
    String named = function;
    TestFunction test =
        named == null ? null : Named.of("--function", () -> TestFunction.named(named));
    SearchSpace variables = checked(test);
    if (workers < 1 || workers > 1000)
      throw new IllegalArgumentException("--workers must lie between 1 and 1000, got " + workers);
    if (runTime < 1 || runTime > 1_000_000_000)
      throw new IllegalArgumentException(
          "--run-time must lie between 1 and 1,000,000,000 seconds, got " + runTime);
    output.check();
    Path folder = output.folder();
    Path out = folder == null ? Path.of("optimize") : folder;
    Tuning tuning = tuning(test != null);
    Output.makeFolder("--out", out);
    Path kept = journal();
    try (Tuner tuner =
        kept == null ? Tuner.of(variables, tuning) : Tuner.of(variables, tuning, kept)) {
      PrintWriter err = spec.commandLine().getErr();
      if (!tuner.history().isEmpty())
        err.printf(
            Locale.ROOT, "Continuing after %d evaluations in %s%n", tuner.history().size(), kept);
      OptimizeRuns runs = new OptimizeRuns(tuner, tuning, workers, err);
      String reason = runs.search(point -> evaluate(point, test));
      err.println("lovelace: " + OptimizeReport.progress(tuner, budget));
      var pictures = new OptimizePictures(tuner, tuning, out).draw(variables, test);
      var report = new OptimizeReport(tuner, tuning, test, reason);
      Map<String, @Nullable Object> result = report.json(function, command, acquisition, pictures);
      output.keep(result);
      PrintWriter print = spec.commandLine().getOut();
      if (!output.print(print, result)) report.print(print, runs, pictures);
    }
    return 0;
  }

  private SearchSpace checked(@Nullable TestFunction test) throws IOException {
    if ((test == null) == (command == null))
      throw new IllegalArgumentException("give either --function or --command with --space");
    if (test != null) {
      if (space != null || constraints > 0)
        throw new IllegalArgumentException(
            "--space and --constraints go with --command; a test function has its own space");
      if (maximize)
        throw new IllegalArgumentException("test functions are minimised; leave --maximize out");
      return test.space();
    }
    if (space == null)
      throw new IllegalArgumentException("--command needs --space, a file with its variables");
    if (!Files.isReadable(space) || Files.isDirectory(space))
      throw new IllegalArgumentException(
          "--space: there is no file '" + space + "' that can be read");
    SearchSpace read = SpaceFile.read(space);
    for (Variable v : read.variables())
      if (command != null && !command.contains("{" + v.name() + "}"))
        throw new IllegalArgumentException(
            "the command does not use {%s}; put it where the value goes, or take it out of '%s'"
                .formatted(v.name(), space));
    return read;
  }

  private Tuning tuning(boolean test) {
    if (improvement == Double.POSITIVE_INFINITY)
      throw new IllegalArgumentException("--improvement must be finite, got " + improvement);
    var from = Tuning.DEFAULT.withMaximize(maximize).withSeed(seed);
    var chosen =
        Named.of("--acquisition", () -> from.withAcquisition(Acquisition.named(acquisition)));
    var budgeted = Named.of("--budget", () -> chosen.withBudget(budget));
    var initialised = Named.of("--initial", () -> budgeted.withInitial(initial));
    var noisy = Named.of("--noise-sd", () -> initialised.withNoise(noise(test)));
    var bounded = Named.of("--constraints", () -> noisy.withConstraints(constraints));
    var repeated = Named.of("--retries", () -> bounded.withRetries(retries));
    return Named.of("--improvement", () -> repeated.withImprovement(improvement));
  }

  private double noise(boolean test) {
    if (noise == null) return test ? 0 : Double.NaN;
    if (noise.equals("learn")) return Double.NaN;
    try {
      double given = Double.parseDouble(noise);
      if (given >= 0 && given < Double.POSITIVE_INFINITY) return given;
    } catch (NumberFormatException e) {
      // reported below, like any text that is not a number
    }
    throw new IllegalArgumentException(
        "must be 'learn' or a standard deviation of 0 or more, got '" + noise + "'");
  }

  private @Nullable Path journal() {
    if (journal != null) Output.checkFolder("--journal", journal);
    if (journal != null || space == null) return journal;
    String name = String.valueOf(space.getFileName()).replaceFirst("\\.json$", "");
    return space.resolveSibling(name + ".journal");
  }

  private CommandRun evaluate(Point point, @Nullable TestFunction test)
      throws IOException, InterruptedException {
    if (test != null) return new CommandRun(point, List.of(test.at(point)), "");
    if (command == null) throw new IllegalStateException("neither function nor command");
    return CommandRun.of(
        point,
        command,
        constraints,
        Duration.ofSeconds(runTime),
        spec.commandLine().getErr()::println);
  }
}
