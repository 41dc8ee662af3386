package lovelace.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.experiments.WarmMedian;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `lovelace bench speed`.
@Command(
    name = "speed",
    customSynopsis = {"lovelace bench speed [--out FILE.json] [OPTIONS]"},
    description = {
      "Measure what a prediction and a fit cost as the table grows, and how far predictions are from "
          + "those of the exact Gaussian process. The rows are noisy values of a smooth function "
          + "over two inputs. The kernel is rbf with given parameters.",
      "",
      "The default takes about a minute.",
      "",
      "Example: lovelace bench speed --rows 1e6"
    })
final class BenchSpeed implements Callable<Integer> {

  private static final int EXACT = 2000; // rows of the comparison with the exact process
  private static final int PLACES = 10_000;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before call()
  private CommandSpec spec;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "The largest number of rows. A tenth and a hundredth of it are measured too (default: 1e6).")
  private String rows = "1e6";

  @Option(
      names = "--warmup",
      paramLabel = "SECONDS",
      description = "How long to warm each measurement up; 0 measures once, cold (default: 1).")
  private double warmup = 1;

  @Mixin private final ResultOptions output = new ResultOptions(false);

  /// The cost of one size of table: seconds to fit, nanoseconds to predict.
  private record Size(int rows, double fit, double prediction) {

    /// Rows learned per second.
    double rate() {
      return rows / fit;
    }

    Map<String, Object> json() {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("rows", rows);
      json.put("fit_s", fit);
      json.put("rows_per_s", rate());
      json.put("predict_ns", prediction);
      return json;
    }
  }

  @Override
  public Integer call() throws IOException {
    int most = (int) Bench.count("--rows", rows, 10_000, 1e8);
    if (!(warmup >= 0 && warmup <= 60))
      throw new IllegalArgumentException("--warmup must lie between 0 and 60, got " + warmup);
    output.check();
    double[] places = new SplittableRandom(2).doubles(2L * PLACES, 0, 10).toArray();
    WarmMedian clock = new WarmMedian(warmup, 5);
    List<Size> sizes = new ArrayList<>();
    for (int n : List.of(most / 100, most / 10, most)) {
      Dataset data = data(n);
      Model[] model = {fit(Engine.SPECTRAL).to(data)};
      double predict =
          clock.milliseconds(() -> model[0].posterior().predict(places).mean(PLACES - 1));
      double learn =
          clock.milliseconds(
              () -> {
                model[0] = fit(Engine.SPECTRAL).to(data);
                return model[0].count();
              });
      sizes.add(new Size(n, learn / 1e3, predict * 1e6 / PLACES));
    }
    double[] errors = errors(places);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("sizes", sizes.stream().map(Size::json).toList());
    result.put("mean_error_in_deviations", errors[0]);
    result.put("variance_error", errors[1]);
    PrintWriter out = spec.commandLine().getOut();
    output.keep(result);
    if (output.print(out, result)) return 0;
    out.println("      rows   fit, s     rows/s   a prediction, ns");
    for (Size size : sizes)
      out.printf(
          Locale.ROOT,
          "%,10d  %7.3f %10.2e   %16.0f%n",
          size.rows,
          size.fit,
          size.rate(),
          size.prediction);
    out.printf(
        Locale.ROOT,
        "%,d rows, %,d places: means are within %.2g standard deviations of the exact process, variances within %.2g %%%n",
        EXACT,
        PLACES,
        errors[0],
        100 * errors[1]);
    return 0;
  }

  private static Fit fit(Engine engine) {
    return Fit.DEFAULT
        .withKernel("rbf(lengthscale=2)")
        .set("outputscale", 1)
        .set("noise", 0.04)
        .withMean("zero")
        .withTraining(false)
        .withEngine(engine);
  }

  private static Dataset data(int n) {
    var random = new SplittableRandom(1);
    double[] x = new double[2 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[2 * i] = 10 * random.nextDouble();
      x[2 * i + 1] = 10 * random.nextDouble();
      y[i] = Math.sin(x[2 * i]) * Math.cos(x[2 * i + 1] / 2) + 0.2 * random.nextGaussian();
    }
    return Dataset.of(x, 2, y);
  }

  /// The largest differences of means, in standard deviations, and of variances, relative.
  private static double[] errors(double[] places) {
    Dataset data = data(EXACT);
    Prediction exact = fit(Engine.EXACT).to(data).predict(places);
    Prediction grid = fit(Engine.SPECTRAL).to(data).predict(places);
    double mean = 0;
    double variance = 0;
    for (int i = 0; i < exact.size(); i++) {
      mean = Math.max(mean, Math.abs(grid.mean(i) - exact.mean(i)) / exact.deviation(i));
      variance = Math.max(variance, Math.abs(grid.variance(i) / exact.variance(i) - 1));
    }
    return new double[] {mean, variance};
  }
}
