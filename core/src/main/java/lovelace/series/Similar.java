package lovelace.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.linear.Blas;
import lovelace.linear.Gaussian;
import lovelace.linear.Parallel;

/// Forecasts a series without a history from the forecasts of other series, by their traits: words
/// and numbers that stay the same, such as a region and a size.
///
/// On the scale of a warp, the forecast of series i at step k has the place `z_ik` and the spread
/// `s_ik`. The places are a Gaussian process over the traits: `Cov(z_i, z_j) = σ² (Σ ρ_c k_c(x_i,
/// x_j) + [i = j])`, with k_c 1 for equal words and 0 for others, and `x x' + exp(−(x − x')²/2)`
/// for numbers in standard deviations (of logarithms, if all are positive). So series with the same
/// traits share a part of their level, season and slope, and 1 is the variance between them.
///
/// The mean and σ² are integrated out at each step, as in [Group]; forecasts are averaged over some
/// ρ by their evidence for the mean places. A new series varies around its place as the others do
/// around theirs, so the mean of `s_ik²` is added. With the number of series, the variance of
/// another series remains: it is that between the series of the table.
public final class Similar {

  /// The fewest series.
  public static final int FEWEST = 3;

  /// The most traits.
  public static final int MOST_TRAITS = 4;

  /// The most different traits of series. Of more, some are taken at equal distances.
  private static final int MOST = 300;

  private static final double[] FEW = {0, .5, 5, 50, 500};
  private static final double[] MANY = {0, 2, 100};

  private final boolean[] words;
  private final Warp warp;
  private final double[][] traits; // of each kind, standardised
  private final double[] centres;
  private final double[] widths;
  private final boolean[] logs;
  private final int series;
  private final int steps;
  private final double[] within; // the mean squared spread, by step
  private final List<Outlook> samples;
  private final double[] bounds;
  private final List<Point> points = new ArrayList<>();
  private final double[] shares;

  /// Solutions for one choice of ρ.
  @SuppressWarnings("ArrayRecordComponent")
  private record Point(
      double[] rho, double[] l, double[] ones, double[] rest, double[] level, double[] sum) {}

  /// Series with forecasts.
  ///
  /// @param words by trait: whether its numbers stand for words
  /// @param traits by series, then trait; NaN where a number is not known
  /// @param outlooks of the series, for the same steps
  public static Similar of(
      boolean[] words, List<double[]> traits, List<Outlook> outlooks, int steps) {
    if (words.length > MOST_TRAITS)
      throw new IllegalArgumentException(
          "there must be at most %s traits, got %s".formatted(MOST_TRAITS, words.length));
    if (outlooks.size() < FEWEST)
      throw new IllegalArgumentException(
          "at least %s series must have forecasts, got %s".formatted(FEWEST, outlooks.size()));
    return new Similar(words, traits, outlooks, steps);
  }

  private Similar(boolean[] words, List<double[]> given, List<Outlook> outlooks, int steps) {
    this.words = words.clone();
    this.steps = steps;
    int most = outlooks.size();
    double[][][] quantiles = new double[most][steps][];
    Parallel.forEach(
        most,
        i -> {
          for (int k = 0; k < steps; k++)
            quantiles[i][k] = outlooks.get(i).quantiles(k, 0.1, 0.5, 0.9);
        });
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double[][] one : quantiles)
      for (double[] q : one) {
        low = Math.min(low, q[0]);
        high = Math.max(high, q[2]);
      }
    warp = new Warp.Power(low > 0 ? 0 : low >= 0 ? 0.5 : 1);
    double range = Math.max(high - low, 1e-9 * Math.abs(high));
    bounds = new double[] {low >= 0 ? 0 : low - 10 * range, high + 10 * range};
    logs = new boolean[words.length];
    centres = new double[words.length];
    widths = new double[words.length];
    for (int c = 0; c < words.length; c++) standardise(c, given);
    Map<List<Double>, List<Integer>> kinds = new LinkedHashMap<>();
    for (int i = 0; i < most; i++)
      kinds
          .computeIfAbsent(
              Arrays.stream(standardised(given.get(i))).boxed().toList(), key -> new ArrayList<>())
          .add(i);
    List<Map.Entry<List<Double>, List<Integer>>> all = new ArrayList<>(kinds.entrySet());
    List<Map.Entry<List<Double>, List<Integer>>> some =
        all.size() <= MOST
            ? all
            : IntStream.range(0, MOST)
                .mapToObj(i -> all.get((int) ((long) i * all.size() / MOST)))
                .toList();
    traits =
        some.stream()
            .map(each -> each.getKey().stream().mapToDouble(Double::doubleValue).toArray())
            .toArray(double[][]::new);
    within = new double[steps];
    int columns = steps + 1; // the last one is the mean over the steps
    double[] means = new double[some.size() * columns];
    double[] squares = new double[columns];
    double[] counts = new double[some.size()];
    int count = 0;
    for (int g = 0; g < some.size(); g++) {
      List<Integer> members = some.get(g).getValue();
      counts[g] = members.size();
      count += members.size();
      double[][] z = new double[members.size()][];
      for (int a = 0; a < z.length; a++) {
        z[a] = places(quantiles[members.get(a)]);
        for (int k = 0; k < columns; k++) means[g * columns + k] += z[a][k] / z.length;
        for (int k = 0; k < steps; k++) {
          double[] q = quantiles[members.get(a)][k];
          double s = (warp.of(q[2]) - warp.of(q[0])) / 2.5631031310892007;
          within[k] += s * s;
        }
      }
      for (double[] each : z)
        for (int k = 0; k < columns; k++) {
          double e = each[k] - means[g * columns + k];
          squares[k] += e * e;
        }
    }
    series = count;
    for (int k = 0; k < steps; k++) within[k] /= count;
    samples =
        IntStream.range(0, Math.min(most, 30))
            .mapToObj(i -> outlooks.get((int) ((long) i * most / Math.min(most, 30))))
            .toList();
    shares = weigh(means, squares, counts);
  }

  private double[] places(double[][] quantiles) {
    double[] z = new double[steps + 1];
    for (int k = 0; k < steps; k++) {
      z[k] = warp.of(quantiles[k][1]);
      z[steps] += z[k] / steps;
    }
    return z;
  }

  private void standardise(int c, List<double[]> given) {
    widths[c] = 1;
    if (words[c]) return;
    double[] x = given.stream().mapToDouble(t -> t[c]).filter(v -> !Double.isNaN(v)).toArray();
    logs[c] = x.length > 0 && Arrays.stream(x).allMatch(v -> v > 0);
    if (logs[c]) x = Arrays.stream(x).map(Math::log).toArray();
    double mean = Arrays.stream(x).average().orElse(0);
    double variance = Arrays.stream(x).map(v -> (v - mean) * (v - mean)).average().orElse(0);
    centres[c] = mean;
    widths[c] = variance > 0 ? Math.sqrt(variance) : 1;
  }

  /// Traits on the scale of the process. A number that is not known is the mean.
  private double[] standardised(double[] given) {
    double[] x = given.clone();
    for (int c = 0; c < x.length; c++) {
      if (words[c]) continue;
      double value = logs[c] ? (x[c] > 0 ? Math.log(x[c]) : Double.NaN) : x[c];
      x[c] = Double.isNaN(value) ? 0 : (value - centres[c]) / widths[c];
    }
    return x;
  }

  private double covariance(double[] rho, double[] a, double[] b) {
    double sum = 0;
    for (int c = 0; c < rho.length; c++) {
      double d = a[c] - b[c];
      sum += rho[c] * (words[c] ? (d == 0 ? 1 : 0) : a[c] * b[c] + Math.exp(-d * d / 2));
    }
    return sum;
  }

  /// Solves all points, and returns their shares by evidence.
  private double[] weigh(double[] means, double[] squares, double[] counts) {
    double[] grid = words.length > 3 ? MANY : FEW;
    int size = 1;
    for (int c = 0; c < words.length; c++) size *= grid.length;
    int kinds = counts.length;
    int columns = steps + 1;
    double[] evidence = new double[size];
    Point[] all = new Point[size];
    Parallel.forEach(
        size,
        p -> {
          double[] rho = new double[words.length];
          for (int c = 0, rest = p; c < rho.length; c++, rest /= grid.length)
            rho[c] = grid[rest % grid.length];
          double[] l = new double[kinds * kinds];
          for (int g = 0; g < kinds; g++) {
            for (int h = 0; h <= g; h++) l[g * kinds + h] = covariance(rho, traits[g], traits[h]);
            l[g * kinds + g] += 1 / counts[g];
          }
          int pivot = Blas.potrf(kinds, l, 0, kinds);
          if (pivot != 0) throw new IllegalStateException("traits have pivot " + pivot + " ≤ 0");
          double[] ones = new double[kinds];
          Arrays.fill(ones, 1);
          Blas.trsm(false, false, kinds, 1, 1, l, 0, kinds, ones, 0, 1);
          double[] rest = means.clone();
          Blas.trsm(false, false, kinds, columns, 1, l, 0, kinds, rest, 0, columns);
          double oo = Blas.dot(kinds, ones, 0, ones, 0);
          double[] level = new double[columns];
          double[] sum = squares.clone();
          for (int k = 0; k < columns; k++) {
            for (int g = 0; g < kinds; g++) level[k] += ones[g] * rest[g * columns + k] / oo;
            for (int g = 0; g < kinds; g++) {
              rest[g * columns + k] -= ones[g] * level[k];
              sum[k] += rest[g * columns + k] * rest[g * columns + k];
            }
            sum[k] = Math.max(sum[k], 1e-18);
          }
          double log = -0.5 * Math.log(oo) - 0.5 * (series - 1) * Math.log(sum[steps]);
          for (int g = 0; g < kinds; g++) log -= Math.log(l[g * kinds + g]);
          evidence[p] = log;
          all[p] = new Point(rho, l, ones, rest, level, sum);
        });
    points.addAll(List.of(all));
    double largest = Arrays.stream(evidence).max().orElseThrow();
    double[] share = Arrays.stream(evidence).map(e -> Math.exp(e - largest)).toArray();
    double sum = Arrays.stream(share).sum();
    for (int p = 0; p < size; p++) share[p] /= sum;
    return share;
  }

  /// The number of series that tell about a new one.
  public int series() {
    return series;
  }

  /// The outlook of a series with some traits.
  ///
  /// @param traits as those of the others; a number of a word that no series has is allowed
  public Outlook outlook(double... traits) {
    double[] x = standardised(traits);
    int kinds = this.traits.length;
    int columns = steps + 1;
    int count = points.size();
    double[] places = new double[steps * count];
    double[] between = new double[steps * count];
    double[] spreads = new double[steps * count];
    for (int p = 0; p < count; p++) {
      Point point = points.get(p);
      double[] w = new double[kinds];
      for (int g = 0; g < kinds; g++) w[g] = covariance(point.rho, x, this.traits[g]);
      Blas.trsm(false, false, kinds, 1, 1, point.l, 0, kinds, w, 0, 1);
      double oo = Blas.dot(kinds, point.ones, 0, point.ones, 0);
      double left = 1 - Blas.dot(kinds, w, 0, point.ones, 0);
      double factor =
          covariance(point.rho, x, x) + 1 - Blas.dot(kinds, w, 0, w, 0) + left * left / oo;
      for (int k = 0; k < steps; k++) {
        int at = k * count + p;
        places[at] = point.level[k];
        for (int g = 0; g < kinds; g++) places[at] += w[g] * point.rest[g * columns + k];
        between[at] = Math.sqrt(point.sum[k] / (series - 1) * Math.max(factor, 0));
        spreads[at] = Math.sqrt(between[at] * between[at] + within[k]);
      }
    }
    Warp[] warps = new Warp[count];
    Arrays.fill(warps, warp);
    Mixture mixture = new Mixture(steps, 1, series - 1, shares, warps, places, spreads, bounds);
    return new Newcomer(mixture, places, between, spreads);
  }

  /// The outlook of a new series.
  private final class Newcomer implements Outlook {
    private final Mixture mixture;
    private final double[] places;
    private final double[] between;
    private final double[] spreads;

    Newcomer(Mixture mixture, double[] places, double[] between, double... spreads) {
      this.mixture = mixture;
      this.places = places;
      this.between = between;
      this.spreads = spreads;
    }

    @Override
    public double cdf(int step, double y) {
      return mixture.cdf(step, y);
    }

    @Override
    public double[] quantiles(int step, double... levels) {
      return mixture.quantiles(step, levels);
    }

    /// A path is off by one draw from the place at all steps, and varies as a path of one of the
    /// others does.
    @Override
    public double[][] paths(int count, SplittableRandom random) {
      double[][] paths = new double[count][steps];
      int all = shares.length;
      for (double[] path : paths) {
        double u = random.nextDouble();
        int p = 0;
        while (p < all - 1 && (u -= shares[p]) > 0) p++;
        double off = Gaussian.quantile(Math.max(random.nextDouble(), 0x1p-60));
        double chi = 0;
        for (int i = 0; i < series - 1; i++) {
          double z = Gaussian.quantile(Math.max(random.nextDouble(), 0x1p-60));
          chi += z * z;
        }
        double wide = Math.sqrt((series - 1) / chi);
        Outlook other = samples.get(random.nextInt(samples.size()));
        double[] sample = other.paths(1, random)[0];
        for (int k = 0; k < steps; k++) {
          int at = k * all + p;
          double share = Math.clamp(other.cdf(k, sample[k]), 1e-6, 1 - 1e-6);
          double near =
              Math.sqrt(Math.max(0, spreads[at] * spreads[at] - between[at] * between[at]));
          double z = places[at] + wide * (between[at] * off + near * Gaussian.quantile(share));
          path[k] = Math.clamp(warp.back(z), bounds[0], bounds[1]);
        }
      }
      return paths;
    }
  }
}
