package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.experiments.RoughScaleBenchmark;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace bench billion`.
@Command(
    name = "billion",
    customSynopsis = {"lovelace bench billion [--out FILE.json] [OPTIONS]"},
    description = {
      "Condition on very many rows in two dimensions with the sparse engine.",
      "The parameters are given: Matern-3/2, lengthscale a tenth of the box, noise standard "
          + "deviation 0.1. The rows are noisy values of a function drawn from that process, made "
          + "while they are read. Prints seconds, memory, the certificate of the variances, and "
          + "how far means are from those on a grid twice as fine.",
      "",
      "The default takes some minutes. Most of them go to the comparison with the finer grid, "
          + "which reads the rows four more times and takes more memory than the rest. Without it "
          + "(--quarters 0), -Xmx3600m in LOVELACE_JAVA_OPTS is enough.",
      "",
      "Example: lovelace bench billion --rows 1e7 --points 200"
    })
final class BenchBillion implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Option(names = "--rows", paramLabel = "N", description = "The number of rows (default: 1e9).")
  private String rows = "1e9";

  @Option(
      names = "--points",
      paramLabel = "N",
      description = "The number of grid points along each axis, 15 to 1000 (default: 405).")
  private int points = 405;

  @Option(
      names = "--neighbours",
      paramLabel = "K",
      description = "The number of neighbours in each node's regression (default: 24).")
  private int neighbours = 24;

  @Option(
      names = "--quarters",
      paramLabel = "N",
      description =
          "The number of quarters of the box to compare with the finer grid, 0 to 4. Each reads "
              + "the rows once more (default: 4).")
  private int quarters = 4;

  @Mixin private final ResultOptions output = new ResultOptions(false);

  @Override
  public Integer call() throws IOException {
    if (points < 15 || points > 1000)
      throw new IllegalArgumentException("--points must lie between 15 and 1000, got " + points);
    if (neighbours < 1 || neighbours > 500)
      throw new IllegalArgumentException(
          "--neighbours must lie between 1 and 500, got " + neighbours);
    if (quarters < 0 || quarters > 4)
      throw new IllegalArgumentException("--quarters must lie between 0 and 4, got " + quarters);
    long count = Bench.count("--rows", rows, 100, 1e12);
    output.check();
    RoughScaleBenchmark run;
    try (var progress = new BenchProgress(spec.commandLine().getErr(), "billion")) {
      run = RoughScaleBenchmark.run(count, points, neighbours, quarters, progress);
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("rows", run.rows());
    result.put("points", run.points());
    result.put("neighbours", run.neighbours());
    result.put("seconds", run.seconds());
    result.put("pass_s", run.passSeconds());
    result.put("posterior_s", run.posteriorSeconds());
    result.put("predict_s", run.predictSeconds());
    result.put("processor_s", run.processorSeconds());
    result.put("peak_mb", run.peakBytes() / 1e6);
    result.put("deviation", run.deviation());
    result.put("error_in_deviations", run.score());
    boolean compared = quarters > 0 && run.notCompared().isEmpty();
    if (!run.notCompared().isEmpty())
      spec.commandLine()
          .getErr()
          .println("lovelace: not compared with the finer grid: " + run.notCompared());
    if (compared) {
      result.put("quarters", quarters);
      result.put("difference", run.difference());
      result.put("compare_s", run.checkSeconds());
    }
    result.put("certificate", ModelReport.certificate(run.certificate()));
    PrintWriter out = spec.commandLine().getOut();
    output.keep(result);
    if (output.print(out, result)) return 0;
    out.printf(
        Locale.ROOT,
        """
        rows          %,d on %d × %d nodes
        all           %.1f s: pass %.1f s (%.1f ns a row), mean and variances %.1f s, %,d predictions %.2f s
        processors    %.1f s
        peak memory   %,.0f MB
        mean's error  %.2f standard deviations r.m.s.; the standard deviation is %.2g
        certificate   %s
        """,
        count,
        points,
        points,
        run.seconds(),
        run.passSeconds(),
        run.passSeconds() / count * 1e9,
        run.posteriorSeconds(),
        RoughScaleBenchmark.PLACES,
        run.predictSeconds(),
        run.processorSeconds(),
        run.peakBytes() / 1e6,
        run.score(),
        run.deviation(),
        run.certificate().summary());
    if (compared)
      out.printf(
          Locale.ROOT,
          "twice as fine means differ by %.2g r.m.s. in %d of 4 quarters (%.0f s, not counted)%n",
          run.difference(),
          quarters,
          run.checkSeconds());
    out.println("published     " + RoughScaleBenchmark.PUBLISHED);
    return 0;
  }
}
