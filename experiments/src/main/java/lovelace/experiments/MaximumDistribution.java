package lovelace.experiments;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.experiments.baseline.FourierGp;
import lovelace.experiments.baseline.InducingPoints;
import lovelace.experiments.baseline.Sgpr;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.Sampler;
import lovelace.lattice.Sampling;
import lovelace.love.Love;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.GridStatistics;

/// The distribution of the maximum of the (negated, standardised) Eggholder function after 100
/// queries of a search: the paper's Figure 3. It is drawn by the exact process, by LOVE, pathwise
/// and by random Fourier features. Two-sample Kolmogorov–Smirnov tests say which of them differ
/// visibly from the exact one.
public final class MaximumDistribution {

  private static final int QUERIES = 100;
  private static final int SIDE = 40; // the maximum is taken over SIDE × SIDE points

  /// The most vectors of LOVE.
  public static final int LOVE_VECTORS = 2000;

  private static final int[] FEATURES = {100, 500, 1000, 5000};

  private MaximumDistribution() {}

  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    int draws = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
    Dataset data = Search.EGGHOLDER.queries(QUERIES, 1);
    Hyperparameters h = Search.EGGHOLDER.learn(data);
    out.println("model: " + h);
    Map<String, double[]> maxima = maxima(data, h, square(SIDE), draws, 150, out::println);
    double[] exact = maxima.get("exact");
    if (exact == null) throw new IllegalStateException("no exact draws");
    out.printf("%-22s %8s %8s %10s %10s%n", "draws by", "mean", "sd", "KS", "p-value");
    maxima.forEach(
        (name, values) -> {
          double distance = distance(exact, values);
          out.printf(
              Locale.ROOT,
              "%-22s %8.4f %8.4f %10.4f %10.3g%n",
              name,
              mean(values),
              deviation(values),
              distance,
              pValue(distance, draws, draws));
        });
  }

  /// `side` × `side` points of the unit square.
  public static double[] square(int side) {
    double[] points = new double[side * side * 2];
    for (int i = 0; i < side * side; i++) {
      points[2 * i] = (i / side) / (side - 1.0);
      points[2 * i + 1] = (i % side) / (side - 1.0);
    }
    return points;
  }

  /// Draws of the maximum by every method, and by the exact one twice. The grid has `axis` points
  /// an axis. A sampler that the kernel does not allow is left out.
  ///
  /// @param love receives how much of the variance LOVE's draws contain
  public static Map<String, double[]> maxima(
      Dataset data,
      Hyperparameters h,
      double[] points,
      int draws,
      int axis,
      Consumer<String> love) {
    Map<String, double[]> all = new LinkedHashMap<>();
    ExactGp exact = ExactGp.of(data, h);
    var joint = exact.joint(points);
    all.put("exact", tops(joint.draw(draws, new SplittableRandom(1)), draws));
    all.put("exact, other seed", tops(joint.draw(draws, new SplittableRandom(2)), draws));
    Grid grid = Grid.of(Axis.covering(0, 1, axis), Axis.covering(0, 1, axis));
    LatticePosterior posterior =
        LatticePosterior.love(
            LatticeProblem.of(GridStatistics.of(grid, data.inputs(), data.target()), h),
            Love.DEFAULT);
    var random = new SplittableRandom(3);
    Sampler closest =
        posterior.sampler(
            Sampling.DEFAULT
                .withMethod(Sampling.Method.LOVE)
                .withTolerance(1e-5)
                .withLimit(LOVE_VECTORS));
    love.accept(closest.describe());
    all.put("love", closest.at(points).maxima(draws, random).values());
    all.put(
        "pathwise",
        posterior.sampler(Sampling.Method.PATHWISE).at(points).maxima(draws, random).values());
    if (new SpectralEngine(posterior.statistics(), SpectralEngine.TOLERANCE, SpectralEngine.MOST)
        .applies(h))
      all.put(
          "spectral",
          posterior.sampler(Sampling.Method.SPECTRAL).at(points).maxima(draws, random).values());
    Sgpr sparse =
        Sgpr.of(data, h, InducingPoints.pivotedCholesky(data, h.kernel(), data.size() / 2));
    all.put(
        String.format(Locale.ROOT, "SGPR, %d points", sparse.inducing().length / 2),
        tops(sparse.joint(points).draw(draws, new SplittableRandom(6)), draws));
    for (int features : FEATURES) {
      FourierGp fourier = FourierGp.of(data, h, features, new SplittableRandom(4));
      all.put(
          String.format(Locale.ROOT, "fourier, %d features", features),
          tops(fourier.sample(points, draws, new SplittableRandom(5)), draws));
    }
    return all;
  }

  private static double[] tops(double[] values, int draws) {
    int t = values.length / draws;
    double[] tops = new double[draws];
    for (int s = 0; s < draws; s++)
      tops[s] = Arrays.stream(values, s * t, (s + 1) * t).max().orElseThrow();
    return tops;
  }

  public static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  public static double deviation(double[] values) {
    double mean = mean(values);
    return Math.sqrt(
        Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1));
  }

  /// The largest difference of two empirical distribution functions.
  public static double distance(double[] a, double[] b) {
    double[] x = a.clone();
    double[] y = b.clone();
    Arrays.sort(x);
    Arrays.sort(y);
    double most = 0;
    int i = 0;
    int j = 0;
    while (i < x.length && j < y.length) {
      double at = Math.min(x[i], y[j]);
      while (i < x.length && x[i] <= at) i++;
      while (j < y.length && y[j] <= at) j++;
      most = Math.max(most, Math.abs(i / (double) x.length - j / (double) y.length));
    }
    return most;
  }

  /// Kolmogorov's distribution with the correction of Stephens (1970): `2 Σ (−1)^(k−1) e^(−2k²λ²)`.
  public static double pValue(double distance, int n, int m) {
    double root = Math.sqrt(n * (double) m / (n + m));
    double lambda = (root + 0.12 + 0.11 / root) * distance;
    if (lambda < 0.2) return 1;
    double sum = 0;
    for (int k = 1; k <= 100; k++)
      sum += (k % 2 == 1 ? 2 : -2) * Math.exp(-2.0 * k * k * lambda * lambda);
    return Math.clamp(sum, 0, 1);
  }
}
