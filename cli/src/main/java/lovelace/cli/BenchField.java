package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import lovelace.Fit;
import lovelace.experiments.FieldBenchmark;
import lovelace.posterior.Certificate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace bench field`.
@Command(
    name = "field",
    customSynopsis = {"lovelace bench field [--out FILE.json] [OPTIONS]"},
    description = {
      "Fill the gaps of a simulated map, and compare the time with the plan's.",
      "The map has 500 x 300 pixels, of which 105,569 are learned from. The rest is hidden "
          + "behind clouds. Its values are drawn from a Matern-1/2 process of variance 1, and noise "
          + "is added. All parameters are learned. Scores are of observations at the hidden "
          + "pixels.",
      "",
      "Examples:",
      "  lovelace bench field --out field.json",
      "  lovelace bench field --lengthscale 20 --noise 0.1",
      "  lovelace bench field --quick"
    })
final class BenchField implements Callable<Integer> {

  private static final int ACROSS = 500;
  private static final int QUICK = 100;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Option(
      names = "--lengthscale",
      paramLabel = "PIXELS",
      description =
          "The lengthscale of the process on the whole map, in pixels, 1 to 500 (default: 160).")
  private double lengthscale = 160;

  @Option(
      names = "--noise",
      paramLabel = "V",
      description = "The variance of the noise, 0 to 10 (default: 0.01).")
  private double noise = 0.01;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The seed of the map, the noise and the clouds (default: 1).")
  private long seed = 1;

  @Option(
      names = "--quick",
      description = "Take a map of 100 x 60 pixels, with a lengthscale a fifth as long.")
  private boolean quick;

  @Mixin private final LimitOptions.OfBench limits = new LimitOptions.OfBench();

  @Mixin private final ResultOptions output = new ResultOptions(false);

  @Override
  public Integer call() throws IOException {
    if (!(lengthscale >= 1 && lengthscale <= 500))
      throw new IllegalArgumentException(
          "--lengthscale must lie between 1 and 500, got " + lengthscale);
    if (!(noise >= 0 && noise <= 10))
      throw new IllegalArgumentException("--noise must lie between 0 and 10, got " + noise);
    Fit fit = limits.on(Fit.DEFAULT);
    output.check();
    int across = quick ? QUICK : ACROSS;
    var field = new FieldBenchmark.Field(across, lengthscale * across / ACROSS, noise, seed);
    FieldBenchmark run;
    try (var progress = new BenchProgress(spec.commandLine().getErr(), "field")) {
      run = FieldBenchmark.run(field, fit, progress);
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("pixels", across * field.up());
    result.put("learned_from", run.learned());
    result.put("lengthscale", field.lengthscale());
    result.put("noise", noise);
    result.put("seed", seed);
    result.put("planned_s", run.plannedSeconds());
    result.put("fit_s", run.fitSeconds());
    result.put("fit_processor_s", run.processorSeconds());
    result.put("predict_s", run.predictSeconds());
    result.put("peak_mb", run.peakBytes() / 1e6);
    result.put("rmse", run.scores().rmse());
    result.put("crps", run.scores().crps());
    result.put("interval_score", run.scores().intervalScore(0.95));
    result.put("coverage", run.scores().coverage(0.95));
    result.put("engine", run.model().plan().chosen().toString());
    run.model().certificate().ifPresent(c -> result.put("certificate", ModelReport.certificate(c)));
    PrintWriter out = spec.commandLine().getOut();
    output.keep(result);
    if (output.print(out, result)) return 0;
    out.printf(
        Locale.ROOT,
        """
        map          %d x %d pixels, %,d of them learned from
        fit          %.1f s, planned %.1f s; %.1f s of processor time
        predictions  %.2f s for %,d pixels
        RMSE         %.4f
        CRPS         %.4f
        interval     %.3f
        coverage     %.3f
        certificate  %s
        """,
        across,
        field.up(),
        run.learned(),
        run.fitSeconds(),
        run.plannedSeconds(),
        run.processorSeconds(),
        run.predictSeconds(),
        across * field.up() - run.learned(),
        run.scores().rmse(),
        run.scores().crps(),
        run.scores().intervalScore(0.95),
        run.scores().coverage(0.95),
        run.model().certificate().map(Certificate::summary).orElse("none: the model is exact"));
    return 0;
  }
}
