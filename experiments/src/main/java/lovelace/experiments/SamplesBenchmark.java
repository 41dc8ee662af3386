package lovelace.experiments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import lovelace.grid.Grid;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.Sampling;
import lovelace.linear.Blas;
import org.jspecify.annotations.Nullable;

/// Measures joint samples at many points by several methods: the time from the rows to the draws,
/// the time of the draws once everything is prepared for the points, and the error of the draws'
/// covariance.
///
/// The error is `‖C − P‖/‖P‖` in the Frobenius norm at the first 200 points. C is the covariance of
/// the draws about the posterior mean, and P the posterior covariance to a tolerance of 1e-4. With
/// 1,000 draws there is a Monte-Carlo error, the same for all exact methods.
final class SamplesBenchmark {

  private static final int MOST_EXACT = 16_000;
  private static final int CHECKED = 200;
  private static final long SEED = 7;

  private final WarmMedian clock;
  private final int count;
  private final double[] points;
  private final double[] draws;
  private final double[] mean;
  private final double[] covariance;
  private final List<Map<String, @Nullable Object>> results = new ArrayList<>();

  /// Draws at the prepared points into the shared array.
  private interface Prepared {
    void draw();
  }

  private SamplesBenchmark(
      BenchmarkCase problem, LatticePosterior posterior, WarmMedian clock, int size) {
    this.clock = clock;
    count = Math.max(2, size / 10);
    int d = problem.train().dimensions();
    points = new double[size * d];
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < points.length; i++) points[i] = random.nextDouble(-0.95, 0.95);
    draws = new double[Math.multiplyExact(count, size)];
    double[] checked = Arrays.copyOf(points, Math.min(CHECKED, size) * d);
    mean = posterior.predict(checked).means();
    covariance = posterior.covariance(checked, checked);
  }

  /// Measures `size`/10 draws at `size` points.
  static List<Map<String, @Nullable Object>> run(
      BenchmarkCase problem, Grid grid, LatticePosterior posterior, WarmMedian clock, int size) {
    SamplesBenchmark bench = new SamplesBenchmark(problem, posterior, clock, size);
    SampleMethods methods = new SampleMethods(grid, problem.train(), problem.hyperparameters());
    bench.measure("love", () -> methods.onLattice(by(Sampling.Method.LOVE)));
    bench.product(posterior.sampler(Sampling.Method.LOVE).at(bench.points).normals());
    bench.measure("pathwise", () -> methods.onLattice(by(Sampling.Method.PATHWISE)));
    bench.measure("spectral", () -> methods.onLattice(by(Sampling.Method.SPECTRAL)));
    if (problem.train().size() <= MOST_EXACT) bench.measure("exact", methods::exact);
    else bench.nothing("exact");
    bench.measure("fourier", () -> methods.fourier(Math.min(5000, 2 * size), ~SEED));
    bench.measure("sgpr100", () -> methods.sgpr(100));
    bench.measure("sgpr1000", () -> methods.sgpr(1000));
    return bench.results;
  }

  private static Sampling by(Sampling.Method method) {
    return Sampling.DEFAULT.withMethod(method);
  }

  private Prepared prepared(SampleMethods.Conditioning conditioning) {
    SampleMethods.Drawing drawing = conditioning.at(points);
    return () -> drawing.draw(count, new SplittableRandom(SEED), draws);
  }

  /// Measures the least work that LOVE's draws need: one matrix product of their size, into the
  /// same array.
  private void product(int k) {
    int size = draws.length / count;
    double[] left = new double[count * k];
    double[] right = new double[size * k];
    Arrays.setAll(left, i -> Math.sin(i));
    Arrays.setAll(right, i -> Math.cos(i));
    double time =
        clock.milliseconds(
            () -> {
              Blas.gemm(false, true, count, size, k, 1, left, 0, k, right, 0, k, 0, draws, 0, size);
              return draws[0];
            });
    results.getLast().put("rank", k);
    results.getLast().put("product_ms", time);
  }

  private void measure(String name, Supplier<SampleMethods.Conditioning> prepare) {
    Prepared[] last = new Prepared[1];
    WarmMedian.Time scratch =
        clock.measure(
            () -> {
              last[0] = prepared(prepare.get());
              last[0].draw();
              return draws[0];
            });
    WarmMedian.Time after =
        clock.measure(
            () -> {
              last[0].draw();
              return draws[0];
            });
    put(name, scratch, after, error());
  }

  private void nothing(String name) {
    put(name, null, null, null);
  }

  private void put(
      String name,
      WarmMedian.@Nullable Time scratch,
      WarmMedian.@Nullable Time after,
      @Nullable Double error) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    Map<String, List<Double>> quartiles = new LinkedHashMap<>();
    result.put("sampler", name);
    put(result, quartiles, "scratch_ms", scratch);
    put(result, quartiles, "after_ms", after);
    result.put("covariance_error", error);
    result.put("quartiles", quartiles);
    results.add(result);
  }

  private static void put(
      Map<String, @Nullable Object> result,
      Map<String, List<Double>> quartiles,
      String key,
      WarmMedian.@Nullable Time time) {
    result.put(key, time == null ? null : time.median() / 1e6);
    if (time != null && time.calls() > 1)
      quartiles.put(key, List.of(time.lower() / 1e6, time.upper() / 1e6));
  }

  private double error() {
    int t = draws.length / count;
    int checked = mean.length;
    double squared = 0;
    double norm = 0;
    for (int a = 0; a < checked; a++)
      for (int b = 0; b < checked; b++) {
        double sum = 0;
        for (int i = 0; i < count; i++)
          sum += (draws[i * t + a] - mean[a]) * (draws[i * t + b] - mean[b]);
        double p = covariance[a * checked + b];
        squared += (sum / count - p) * (sum / count - p);
        norm += p * p;
      }
    return Math.sqrt(squared / norm);
  }
}
