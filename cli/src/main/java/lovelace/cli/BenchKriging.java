package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.Fit;
import lovelace.experiments.Gstat;
import lovelace.experiments.KrigingBenchmark;
import lovelace.experiments.KrigingBenchmark.Result;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace bench kriging`.
@Command(
    name = "kriging",
    customSynopsis = {"lovelace bench kriging [--out FILE.json] [OPTIONS]"},
    description = {
      "Compare ordinary kriging of scattered rows with R's package gstat, in the same run.",
      "",
      "The function is drawn from a Matern-3/2 process on the unit square: lengthscale 0.1, "
          + "variance 1, noise variance 0.1, mean 10. Both programs learn from N noisy values at "
          + "random places, once knowing the family of the process and once not, and predict N "
          + "others. Scores are of observations. The exact process with the true parameters is "
          + "the best possible.",
      "",
      "gstat runs through Rscript. It predicts from the 50 nearest rows, as is usual.",
      "",
      "Examples:",
      "  lovelace bench kriging --out kriging.json",
      "  lovelace bench kriging --rows 2000 --global",
      "  lovelace bench kriging --ours"
    })
final class BenchKriging implements Callable<Integer> {

  private static final int NEIGHBOURS = 50;
  private static final List<String> FAMILIES = List.of("Exp", "Sph", "Gau", "Mat");

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "The number of rows to learn from, and of rows held out (default: 5000).")
  private int rows = 5000;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of the function and the rows (default: 1).")
  private long seed = 1;

  @Option(names = "--ours", description = "Measure Lovelace alone. R is then not needed.")
  private boolean ours;

  @Option(
      names = "--global",
      description = "Let gstat predict from all rows too. This takes minutes for 5,000 rows.")
  private boolean global;

  @Mixin private final LimitOptions.OfBench limits = new LimitOptions.OfBench();

  @Mixin private final ResultOptions output = new ResultOptions(false);

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rows < 100 || rows > 15_000)
      throw new IllegalArgumentException("--rows must lie between 100 and 15000, got " + rows);
    if (ours && global)
      throw new IllegalArgumentException(
          "--global is for gstat, and --ours does not run gstat; leave out one of the two");
    Fit fit = limits.on(Fit.DEFAULT);
    output.check();
    PrintWriter err = spec.commandLine().getErr();
    List<Result> results = new ArrayList<>();
    int code = 0;
    try (var progress = new BenchProgress(err, "kriging")) {
      progress.accept("drawing the function");
      KrigingBenchmark problem = KrigingBenchmark.of(rows, seed);
      progress.accept("the exact process with the true parameters");
      results.add(problem.truth());
      progress.accept("Lovelace, matern32");
      results.add(problem.ours("Lovelace, told the family", fit.withKernel("matern32")));
      progress.accept("Lovelace, its own kernel");
      results.add(problem.ours("Lovelace, told nothing", fit));
      if (!ours)
        for (Gstat peer : peers()) {
          progress.accept(peer.name());
          results.add(peer.run(problem, "Rscript"));
        }
    } catch (Gstat.MissingException e) {
      Quiet.errors(err).println("lovelace: " + e.getMessage() + ", or pass --ours");
      code = Errors.FAILURE;
    }
    List<Map<String, Object>> all = results.stream().map(BenchKriging::json).toList();
    output.keep(all);
    print(results, all);
    return code;
  }

  private List<Gstat> peers() {
    List<Gstat> all = new ArrayList<>();
    all.add(new Gstat("gstat, told the family", List.of("Mat32"), NEIGHBOURS));
    all.add(new Gstat("gstat, told nothing", FAMILIES, NEIGHBOURS));
    if (global) all.add(new Gstat("gstat, told the family, all rows", List.of("Mat32"), 0));
    return all;
  }

  private static Map<String, Object> json(Result one) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("method", one.method());
    result.put("rmse", one.scores().rmse());
    result.put("crps", one.scores().crps());
    result.put("interval_score", one.scores().intervalScore(0.95));
    result.put("coverage", one.scores().coverage(0.95));
    result.put("learn_s", one.learnSeconds());
    result.put("predict_s", one.predictSeconds());
    result.put("learned", one.learned());
    return result;
  }

  private void print(List<Result> results, List<Map<String, Object>> all) {
    PrintWriter out = spec.commandLine().getOut();
    if (output.print(out, all)) return;
    out.printf(
        Locale.ROOT,
        "Kriging from %,d rows at %,d others. Less is better, coverage is best at 0.95.%n",
        rows,
        rows);
    List<List<String>> table = new ArrayList<>();
    table.add(List.of("method", "RMSE", "CRPS", "interval", "coverage", "learn s", "predict s"));
    for (Result each : results)
      table.add(
          List.of(
              each.method(),
              String.format(Locale.ROOT, "%.4f", each.scores().rmse()),
              String.format(Locale.ROOT, "%.4f", each.scores().crps()),
              String.format(Locale.ROOT, "%.4f", each.scores().intervalScore(0.95)),
              String.format(Locale.ROOT, "%.4f", each.scores().coverage(0.95)),
              each.learnSeconds() == 0
                  ? "-"
                  : String.format(Locale.ROOT, "%.2f", each.learnSeconds()),
              String.format(Locale.ROOT, "%.2f", each.predictSeconds())));
    Bench.align(out, table);
    for (Result each : results) out.println(each.method() + ": " + each.learned());
  }
}
