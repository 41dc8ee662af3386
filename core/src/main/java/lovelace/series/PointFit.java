package lovelace.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import lovelace.linear.Blas;
import org.jspecify.annotations.Nullable;

/// One point of a library with the values of one history. Points of one shape share a factor.
///
/// With L the factor of the covariance at the steps that have a value, `v = L⁻¹z` and `o = L⁻¹1`,
/// the level is `ov/oo` and the rest is `v − o·level`.
final class PointFit {

  final double share;
  final Shape shape;
  final Warp warp;
  final Factor factor;

  /// The number of values.
  final int n;

  /// The warped median, which is subtracted from warped values.
  final double centre;

  /// The warped values less the centre.
  final double[] z;

  final double[] v;
  final double[] rest;
  final double level;

  /// The sum of squares of o.
  final double squares;

  /// The sum of squares of the rest.
  final double sum;

  /// The smallest sum of squares that rounded values leave, by their number.
  private final double[] least;

  private final @Nullable Covariates columns;

  /// The Jacobian of the warp.
  private final double slopes;

  private PointFit(
      double share, Shape shape, int w, History seen, Factor factor, @Nullable Covariates columns) {
    this.columns = columns;
    this.share = share;
    this.shape = shape;
    this.factor = factor;
    warp = seen.warps.get(w);
    centre = seen.centre[w];
    z = seen.warped[w];
    n = z.length;
    v = z.clone();
    factor.whiten(n, 1, v);
    double[] o = factor.ones;
    squares = Blas.dot(n, o, 0, o, 0);
    level = Blas.dot(n, o, 0, v, 0) / squares;
    rest = v.clone();
    Blas.axpy(n, -level, o, 0, rest, 0);
    slopes = seen.logSlope[w][n];
    least = new double[n + 1];
    for (int i = 0; i <= n; i++) least[i] = seen.leastSquares(w, i);
    sum = Math.max(Blas.dot(n, rest, 0, rest, 0), least[n]);
  }

  /// The points with the largest shares, which are scaled to add up to 1.
  ///
  /// @param most how many at most
  /// @param columns in place of those of the history
  static List<PointFit> of(
      Library library, History history, double[] shares, int most, @Nullable Covariates columns) {
    History seen = history.hasGaps() ? history.withoutGaps() : history;
    int[] largest =
        IntStream.range(0, shares.length)
            .filter(j -> shares[j] > 0)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer j) -> -shares[j]))
            .limit(most)
            .mapToInt(Integer::intValue)
            .sorted()
            .toArray();
    double all = Arrays.stream(largest).mapToDouble(j -> shares[j]).sum();
    int warps = library.warps().size();
    Map<Shape, Factor> factors = new HashMap<>();
    List<PointFit> points = new ArrayList<>();
    for (int j : largest) {
      Shape shape = library.shape(j);
      Factor factor = factors.computeIfAbsent(shape, s -> Factor.of(s, history.observed, columns));
      points.add(new PointFit(shares[j] / all, shape, j % warps, seen, factor, columns));
    }
    return points;
  }

  /// Every shape with every warp that takes a history, with equal shares.
  static List<PointFit> of(List<Shape> shapes, History history, @Nullable Covariates columns) {
    History seen = history.hasGaps() ? history.withoutGaps() : history;
    List<PointFit> points = new ArrayList<>();
    for (Shape shape : shapes) {
      Factor factor = Factor.of(shape, history.observed, columns);
      for (int w = 0; w < seen.warps.size(); w++)
        if (seen.takes(w)) points.add(new PointFit(1, shape, w, seen, factor, columns));
    }
    return points;
  }

  /// The shares of points by their evidence alone.
  static double[] shares(List<PointFit> points) {
    double[] log = points.stream().mapToDouble(PointFit::evidence).toArray();
    double largest = Arrays.stream(log).max().orElseThrow();
    double[] share = Arrays.stream(log).map(l -> Math.exp(l - largest)).toArray();
    double all = Arrays.stream(share).sum();
    return Arrays.stream(share).map(s -> s / all).toArray();
  }

  private double evidence() {
    return -factor.logDiagonal[n]
        - 0.5 * Math.log(squares)
        - 0.5 * (n - 1) * Math.log(sum)
        + slopes;
  }

  /// The smallest sum of squares that n rounded values leave.
  double least(int values) {
    return least[values];
  }

  /// The lower triangle of the covariance at steps 0, …, size − 1, with the effects of columns.
  double[] covariance(int size) {
    double[] k = shape.covariance(size);
    if (columns != null) columns.addTo(shape, IntStream.range(0, size).toArray(), k);
    return k;
  }

  /// The place and the spread of a value at a step without one, on the scale of the warp.
  double[] between(History history, int step) {
    return between(history, step, covariance(history.size()));
  }

  /// The same with the covariance at all steps.
  double[] between(History history, int step, double[] k) {
    int size = history.size();
    double[] w = new double[n];
    for (int i = 0; i < n; i++) {
      int at = history.observed[i];
      w[i] = k[Math.max(at, step) * size + Math.min(at, step)];
    }
    factor.whiten(n, 1, w);
    double flat = 1 - Blas.dot(n, w, 0, factor.ones, 0);
    double place = level + Blas.dot(n, w, 0, rest, 0);
    double variance = k[step * size + step] - Blas.dot(n, w, 0, w, 0) + flat * flat / squares;
    return new double[] {centre + place, Math.sqrt(variance * unit())};
  }

  /// How many spreads a value is from a place; on the scale of the values if the warp does not take
  /// it.
  double distance(double value, double place, double spread) {
    if (warp.takes(value)) return (warp.of(value) - place) / spread;
    double at = warp.back(place);
    double width = Math.abs(warp.back(place + Math.signum(value - at) * spread) - at);
    return (value - at) / Math.max(width, 1e-12);
  }

  /// The mean square, the unit of variances.
  double unit() {
    return sum / (n - 1);
  }
}
