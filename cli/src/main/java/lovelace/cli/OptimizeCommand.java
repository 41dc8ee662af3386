package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import lovelace.bayesopt.Acquisition;
import lovelace.bayesopt.SearchSpace;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner;
import lovelace.bayesopt.Tuner.Observation;
import lovelace.bayesopt.Tuning;
import lovelace.bayesopt.Variable;
import lovelace.example.TestFunction;
import lovelace.plot.HeatMap;
import lovelace.plot.Palette;
import lovelace.plot.Plot;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace optimize`: looks for the best point of a test function or of a program.
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
          + "failed, and the search avoids its surroundings. What the program prints to standard "
          + "error is passed on. Every run is written to a journal: start the same command again, "
          + "and it continues where it stopped.",
      "",
      "Examples:",
      "  lovelace optimize --function eggholder --budget 100 --out result.json",
      "  lovelace optimize --command './run.sh {x} {y}' --space space.json \\",
      "      --workers 4"
    })
final class OptimizeCommand implements Callable<Integer> {

  private static final int LIMIT = 5; // failures in a row

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
      description = "The number of evaluations (default: 100).")
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

  private Path out = Path.of("optimize");

  private double suggesting; // seconds
  private int suggested;

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
    if (folder != null) out = folder;
    Tuning tuning = tuning(test != null);
    Output.makeFolder("--out", out);
    Path kept = journal();
    try (Tuner tuner =
        kept == null ? Tuner.of(variables, tuning) : Tuner.of(variables, tuning, kept)) {
      PrintWriter err = spec.commandLine().getErr();
      if (!tuner.history().isEmpty())
        err.printf(
            Locale.ROOT, "Continuing after %d evaluations in %s%n", tuner.history().size(), kept);
      String reason = search(tuner, test);
      err.println("lovelace: " + progress(tuner));
      report(tuner, test, variables, reason);
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
    return Named.of("--improvement", () -> bounded.withImprovement(improvement));
  }

  private double noise(boolean test) {
    if (noise == null) return test ? 0 : Double.NaN;
    if (noise.equals("learn")) return Double.NaN;
    try {
      double given = Double.parseDouble(noise);
      if (given >= 0 && given < Double.POSITIVE_INFINITY) return given;
    } catch (NumberFormatException e) {
      // told below, as for a number that is none
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

  /// Keeps the workers busy until the search has finished; returns why it has.
  private String search(Tuner tuner, @Nullable TestFunction test)
      throws InterruptedException, IOException {
    ProgressLine line = new ProgressLine(spec.commandLine().getErr());
    ExecutorService pool = Executors.newFixedThreadPool(workers, r -> daemon(r));
    try {
      CompletionService<CommandRun> running = new ExecutorCompletionService<>(pool);
      int out = 0;
      int failures = 0;
      while (true) {
        String reason = "";
        while (out < workers && tuner.history().size() + out < budget) {
          reason = tuner.finished().orElse("");
          if (!reason.isEmpty()) break;
          long start = System.nanoTime();
          Point point = tuner.ask();
          suggesting += (System.nanoTime() - start) * 1e-9;
          suggested++;
          running.submit(() -> evaluate(point, test));
          out++;
        }
        if (out == 0) return tuner.finished().orElse(reason);
        CommandRun done = running.take().get();
        out--;
        if (done.failed()) {
          tuner.fail(done.point());
          line.wipe();
          spec.commandLine().getErr().println("failed: " + done.failure());
          if (++failures >= LIMIT)
            throw new IllegalStateException(
                String.format(
                    Locale.ROOT,
                    "%d runs in a row failed, the last one: %s; try the command by hand",
                    failures,
                    done.failure()));
        } else {
          failures = 0;
          double[] limits = new double[constraints];
          for (int c = 0; c < constraints; c++) limits[c] = done.values().get(c + 1);
          tuner.tell(done.point(), done.values().getFirst(), limits);
        }
        line.say(() -> progress(tuner));
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) throw io;
      throw new IllegalStateException(e.getCause());
    } finally {
      line.close();
      pool.shutdownNow();
    }
  }

  private static Thread daemon(Runnable r) {
    Thread thread = new Thread(r, "evaluation");
    thread.setDaemon(true);
    return thread;
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

  /// How far the search is.
  private String progress(Tuner tuner) {
    String best =
        tuner
            .best()
            .map(o -> String.format(Locale.ROOT, "best %.6g at %s", o.value(), brief(o.point())))
            .orElse("nothing feasible yet");
    return String.format(
        Locale.ROOT, "%d of %d evaluations, %s", tuner.history().size(), budget, best);
  }

  private static String brief(Point point) {
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, Object> entry : point.asMap().entrySet())
      parts.add(
          entry.getKey()
              + " = "
              + (entry.getValue() instanceof Double d
                  ? String.format(Locale.ROOT, "%.5g", d)
                  : entry.getValue()));
    return String.join(", ", parts.subList(0, Math.min(4, parts.size())))
        + (parts.size() > 4 ? ", …" : "");
  }

  private void report(
      Tuner tuner, @Nullable TestFunction test, SearchSpace variables, String reason)
      throws IOException {
    PrintWriter print = spec.commandLine().getOut();
    Observation best = tuner.best().orElse(null);
    List<Path> pictures = pictures(tuner, test, variables);
    Map<String, @Nullable Object> result = result(tuner, test, best, reason, pictures);
    output.keep(result);
    if (output.print(print, result)) return;
    if (best == null) print.println("No feasible point was found.");
    else {
      print.printf(Locale.ROOT, "Best value:  %.8g, evaluation %d%n", best.value(), best.number());
      for (Map.Entry<String, Object> entry : best.point().asMap().entrySet())
        print.printf("  %s = %s%n", entry.getKey(), entry.getValue());
      if (test != null)
        print.printf(
            Locale.ROOT,
            "Regret:      %.4g (the least value is %.8g)%n",
            test.regret(best.value()),
            test.optimum());
    }
    print.printf(Locale.ROOT, "Evaluations: %d; %s%n", tuner.history().size(), reason);
    if (suggested > 0)
      print.printf(Locale.ROOT, "Suggestions: %.1f ms each%n", 1000 * suggesting / suggested);
    print.println("Model:       " + tuner.model());
    for (Path picture : pictures) print.println("Picture:     " + picture);
  }

  private List<Path> pictures(Tuner tuner, @Nullable TestFunction test, SearchSpace variables)
      throws IOException {
    String name = test == null ? "the objective" : test.name();
    List<Path> pictures = new ArrayList<>();
    pictures.add(trace(tuner, name));
    Path surface = surface(tuner, variables, name);
    if (surface != null) pictures.add(surface);
    return pictures;
  }

  private Map<String, @Nullable Object> result(
      Tuner tuner,
      @Nullable TestFunction test,
      @Nullable Observation best,
      String reason,
      List<Path> pictures) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("best_value", best == null ? null : best.value());
    result.put("best_point", best == null ? null : best.point().asMap());
    result.put("regret", best == null || test == null ? null : test.regret(best.value()));
    result.put("evaluations", tuner.history().size());
    result.put("reason", reason);
    result.put("function", function);
    result.put("command", command);
    result.put("acquisition", acquisition);
    result.put("seed", seed);
    List<Map<String, @Nullable Object>> history = new ArrayList<>();
    for (Observation o : tuner.history()) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("evaluation", o.number());
      row.put("point", o.point().asMap());
      row.put("value", o.failed() ? null : o.value());
      if (constraints > 0) row.put("constraints", o.constraints());
      row.put("feasible", o.feasible());
      history.add(row);
    }
    result.put("pictures", pictures.stream().map(Path::toString).toList());
    result.put("history", history);
    return result;
  }

  private Path trace(Tuner tuner, String name) throws IOException {
    List<Observation> history = tuner.history();
    double[] at = new double[history.size()];
    double[] values = new double[at.length];
    double[] best = new double[at.length];
    double soFar = Double.NaN;
    for (int i = 0; i < at.length; i++) {
      Observation o = history.get(i);
      at[i] = i + 1;
      values[i] = o.value();
      if (o.feasible() && !(maximize ? o.value() <= soFar : o.value() >= soFar)) soFar = o.value();
      best[i] = soFar;
    }
    Path file = out.resolve("trace.png");
    Plot.titled("Search on " + name)
        .subtitle(
            String.format(
                Locale.ROOT,
                "Every evaluation, and the best so far; the first %d are spread",
                initial))
        .labels("evaluation", "value")
        .points("evaluations", at, values, Palette.SKY, Plot.Mark.DOT)
        .line("best so far", at, best, Palette.VERMILION, 2)
        .write(file);
    return file;
  }

  private @Nullable Path surface(Tuner tuner, SearchSpace variables, String name)
      throws IOException {
    if (variables.variables().size() != 2
        || !(variables.variables().get(0) instanceof Variable.Real x)
        || !(variables.variables().get(1) instanceof Variable.Real y)) return null;
    int size = 81;
    double[] xs = axis(x, size);
    double[] ys = axis(y, size);
    List<Point> points = new ArrayList<>();
    for (double a : xs) for (double b : ys) points.add(variables.point(a, b));
    double[][] rows = tuner.predict(points);
    if (rows.length == 0) return null;
    double[] means = new double[rows.length];
    double[] deviations = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      means[i] = rows[i][0];
      deviations[i] = rows[i][1];
    }
    double[] qx = tuner.history().stream().mapToDouble(o -> o.point().number(x.name())).toArray();
    double[] qy = tuner.history().stream().mapToDouble(o -> o.point().number(y.name())).toArray();
    Path file = out.resolve("surface.png");
    HeatMap.titled(
            "The model of " + name + String.format(Locale.ROOT, " after %d evaluations", qx.length))
        .labels(x.name(), y.name())
        .grid(xs, ys)
        .values("mean", means)
        .doubts("standard deviation", deviations)
        .points(qx, qy)
        .write(file);
    return file;
  }

  private static double[] axis(Variable.Real variable, int size) {
    double[] at = new double[size];
    for (int i = 0; i < size; i++) {
      double u = i / (size - 1.0);
      at[i] =
          variable.log()
              ? variable.low() * Math.pow(variable.high() / variable.low(), u)
              : variable.low() + u * (variable.high() - variable.low());
      at[i] = Math.clamp(at[i], variable.low(), variable.high());
    }
    return at;
  }
}
