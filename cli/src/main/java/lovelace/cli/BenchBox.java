package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.experiments.BoxBenchmark;
import lovelace.posterior.Certificate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace bench box`.
@Command(
    name = "box",
    customSynopsis = {"lovelace bench box [--out FILE.json] [OPTIONS]"},
    description = {
      "Fit scattered rows in three dimensions with the sparse engine.",
      "The parameters are given: Matern-3/2, lengthscale a quarter of the box, noise "
          + "standard deviation 0.1. The rows are noisy values of a function drawn from that "
          + "process, made while they are read. Prints seconds, memory and the certificate of the "
          + "variances.",
      "",
      "The default takes some minutes and about 8 GB.",
      "",
      "Example: lovelace bench box --points 20 --rows 25000"
    })
final class BenchBox implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Option(
      names = "--points",
      paramLabel = "N",
      description = "The number of grid points along each axis, 9 to 80 (default: 40).")
  private int points = 40;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "The number of rows to fit (default: 200,000).")
  private String rows = "200000";

  @Option(
      names = "--tolerance",
      paramLabel = "T",
      description = "The largest relative error of a variance (default: 0.06).")
  private double tolerance = 0.06;

  @Mixin private final ResultOptions output = new ResultOptions(false);

  @Override
  public Integer call() throws IOException {
    if (points < 9 || points > 80)
      throw new IllegalArgumentException("--points must lie between 9 and 80, got " + points);
    if (!(tolerance > 0 && tolerance < 1))
      throw new IllegalArgumentException("--tolerance must lie between 0 and 1, got " + tolerance);
    long count = Bench.count("--rows", rows, 100, 1e12);
    output.check();
    BoxBenchmark run;
    try (var progress = new BenchProgress(spec.commandLine().getErr(), "box")) {
      run = BoxBenchmark.run(points, count, tolerance, progress);
    }
    Certificate certificate = run.model().certificate().orElseThrow();
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("points", points);
    result.put("rows", count);
    result.put("fit_s", run.fitSeconds());
    result.put("predict_s", run.predictSeconds());
    result.put("error_in_deviations", run.score());
    result.put("peak_mb", run.peakBytes() / 1e6);
    result.put("how", certificate.how());
    result.put("certificate", ModelReport.certificate(certificate));
    PrintWriter out = spec.commandLine().getOut();
    output.keep(result);
    if (output.print(out, result)) return 0;
    out.printf(
        Locale.ROOT,
        """
        rows          %,d on %d × %d × %d nodes
        fit           %.1f s
        predictions   %.2f s for %,d
        mean's error  %.2f standard deviations r.m.s.
        certificate   %s
        peak memory   %,.0f MB
        """,
        count,
        points,
        points,
        points,
        run.fitSeconds(),
        run.predictSeconds(),
        BoxBenchmark.PLACES,
        run.score(),
        certificate.summary(),
        run.peakBytes() / 1e6);
    return 0;
  }
}
