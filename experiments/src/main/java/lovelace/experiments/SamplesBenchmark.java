package lovelace.experiments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import lovelace.baseline.ExactGp;
import lovelace.baseline.FourierGp;
import lovelace.baseline.InducingPoints;
import lovelace.baseline.JointNormal;
import lovelace.baseline.Sgpr;
import lovelace.data.Dataset;
import lovelace.grid.Grid;
import lovelace.grid.GridStatistics;
import lovelace.inference.GridSystem;
import lovelace.inference.Love;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Blas;
import lovelace.posterior.GridPosterior;
import lovelace.posterior.PointSampler;
import lovelace.posterior.Sampling;
import org.jspecify.annotations.Nullable;

/// Joint samples at many points by several methods: the time from the rows to the draws, the time
/// of the draws once everything is prepared for the points, and the error of the draws' covariance.
///
/// The error is `‖C − P‖/‖P‖` in the Frobenius norm at the first 200 points, C the covariance of
/// the draws about the posterior mean and P the posterior covariance certified to 1e-4; 1,000 exact
/// draws leave a Monte-Carlo error, the same for all exact methods.
final class SamplesBenchmark {

  private static final int MOST_EXACT = 16_000;
  private static final int CHECKED = 200;
  private static final long SEED = 7;

  private final Grid grid;
  private final Dataset data;
  private final Hyperparameters h;
  private final WarmMedian clock;
  private final int count;
  private final double[] points;
  private final double[] draws;
  private final double[] mean;
  private final double[] covariance;
  private int normals;
  private final List<Map<String, @Nullable Object>> results = new ArrayList<>();

  /// Draws at the points, once all is prepared, into the shared array.
  private interface Prepared {
    void draw();
  }

  private SamplesBenchmark(
      BenchmarkCase problem, Grid grid, GridPosterior posterior, WarmMedian clock, int size) {
    this.grid = grid;
    this.clock = clock;
    data = problem.train();
    h = problem.hyperparameters();
    count = Math.max(2, size / 10);
    int d = data.dimensions();
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
      BenchmarkCase problem, Grid grid, GridPosterior posterior, WarmMedian clock, int size) {
    SamplesBenchmark bench = new SamplesBenchmark(problem, grid, posterior, clock, size);
    bench.measure("love", () -> bench.onGrid(Sampling.Method.LOVE));
    bench.product();
    bench.measure("pathwise", () -> bench.onGrid(Sampling.Method.PATHWISE));
    bench.measure("spectral", () -> bench.onGrid(Sampling.Method.SPECTRAL));
    if (problem.train().size() <= MOST_EXACT)
      bench.measure(
          "exact", () -> bench.joint(ExactGp.of(bench.data, bench.h).joint(bench.points)));
    else bench.nothing("exact");
    bench.measure("fourier", bench::fourier);
    bench.measure("sgpr100", () -> bench.sgpr(100));
    bench.measure("sgpr1000", () -> bench.sgpr(1000));
    return bench.results;
  }

  private Prepared onGrid(Sampling.Method method) {
    GridPosterior posterior =
        GridPosterior.love(
            GridSystem.of(GridStatistics.of(grid, data.inputs(), data.target()), h), Love.DEFAULT);
    PointSampler sampler = posterior.sampler(method).at(points);
    normals = sampler.normals();
    return () -> sampler.draw(count, new SplittableRandom(SEED), draws);
  }

  /// What the least work of LOVE's draws takes: one matrix product of their size, into the same
  /// array.
  private void product() {
    int size = draws.length / count;
    int k = normals;
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

  private Prepared joint(JointNormal normal) {
    return () -> keep(normal.draw(count, new SplittableRandom(SEED)));
  }

  private Prepared sgpr(int inducing) {
    double[] z = InducingPoints.pivotedCholesky(data, h.kernel(), Math.min(inducing, data.size()));
    return joint(Sgpr.of(data, h, z).joint(points));
  }

  private Prepared fourier() {
    int size = draws.length / count;
    FourierGp gp = FourierGp.of(data, h, Math.min(5000, 2 * size), new SplittableRandom(~SEED));
    return () -> keep(gp.sample(points, count, new SplittableRandom(SEED)));
  }

  private void keep(double[] made) {
    System.arraycopy(made, 0, draws, 0, draws.length);
  }

  private void measure(String name, Supplier<Prepared> prepare) {
    Prepared[] last = new Prepared[1];
    double scratch =
        clock.milliseconds(
            () -> {
              last[0] = prepare.get();
              last[0].draw();
              return draws[0];
            });
    double after =
        clock.milliseconds(
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
      String name, @Nullable Double scratch, @Nullable Double after, @Nullable Double error) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    result.put("sampler", name);
    result.put("scratch_ms", scratch);
    result.put("after_ms", after);
    result.put("covariance_error", error);
    results.add(result);
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
