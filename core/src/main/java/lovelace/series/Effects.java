package lovelace.series;

import java.util.ArrayList;
import java.util.List;
import lovelace.linear.Blas;
import lovelace.linear.Gaussian;

/// The coefficients of columns given the values.
///
/// A coefficient has the prior N(0, p). With `x = L⁻¹ column`, its mean is `p x·(v − o·level)` and
/// its variance `p − p²|x|² + (p x·o)²/oo`, in units of the mean square.
final class Effects {

  private static final double ONE = Gaussian.cdf(1);

  private Effects() {}

  /// The effects of one unit of each column on a typical value.
  static Coefficients of(
      History history, List<PointFit> points, Covariates columns, double... levels) {
    List<Coefficients.Coefficient> effects = new ArrayList<>();
    for (int c = 0; c < columns.names().size(); c++) {
      Blend blend = new Blend(history.scale, history.seen() - 1, points);
      for (int p = 0; p < points.size(); p++) set(blend, p, points.get(p), history, columns, c);
      double[] ends = blend.quantiles(1 - ONE, ONE);
      effects.add(
          new Coefficients.Coefficient(
              columns.names().get(c),
              blend.centre(),
              (ends[1] - ends[0]) / 2,
              blend.quantiles(levels)));
    }
    PointFit point = points.getFirst();
    return new Coefficients(history.scale * point.warp.back(point.centre), effects);
  }

  private static void set(
      Blend blend, int p, PointFit point, History history, Covariates columns, int c) {
    double[] x = new double[point.n];
    for (int i = 0; i < x.length; i++) x[i] = columns.at(c, history.observed[i]);
    point.factor.whiten(x.length, 1, x);
    double prior = Covariates.prior(point.shape);
    double flat = prior * Blas.dot(x.length, x, 0, point.factor.ones, 0);
    double mean = prior * Blas.dot(x.length, x, 0, point.rest, 0);
    double variance =
        prior - prior * prior * Blas.dot(x.length, x, 0, x, 0) + flat * flat / point.squares;
    double unit = columns.scale(c);
    double spread = Math.sqrt(Math.max(variance, 0) * point.unit());
    blend.difference(p, point.centre, mean / unit, spread / unit);
  }
}
