package lovelace.exact;

import lovelace.linear.Parallel;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.KernelSums;
import lovelace.posterior.internal.LinearRows.Others;

/// `α = A⁻¹t` of other targets of an [ExactGp]. Immutable.
final class ExactTargets implements Others {

  private final ExactGp gp;
  private final double[][] alphas;
  private final double[][] weights; // of the lines' basis functions

  private ExactTargets(ExactGp gp, double[][] alphas, double[][] weights) {
    this.gp = gp;
    this.alphas = alphas;
    this.weights = weights;
  }

  static ExactTargets of(ExactGp gp, double[][] targets) {
    double[][] weights = new double[targets.length][0];
    if (gp.lines != null)
      for (int j = 0; j < weights.length; j++)
        weights[j] = gp.lines.weights(gp.lines.means(targets[j]));
    return new ExactTargets(gp, solved(gp, targets), weights);
  }

  /// The solutions for no targets.
  static ExactTargets none(ExactGp gp) {
    return new ExactTargets(gp, new double[0][], new double[0][]);
  }

  /// `α = A⁻¹t` of each target.
  static double[][] solved(ExactGp gp, double[][] targets) {
    double[][] alphas = new double[targets.length][];
    for (int j = 0; j < alphas.length; j++) {
      alphas[j] = gp.lines == null ? targets[j].clone() : gp.lines.rest(targets[j]);
      gp.factor.solve(alphas[j]);
    }
    return alphas;
  }

  @Override
  public double[] dual(int j) {
    return alphas[j].clone();
  }

  @Override
  public double[] means(double[] points) {
    int n = gp.data().size();
    int d = gp.dimensions();
    int t = Panels.count(points, d);
    double[] out = new double[t * alphas.length];
    Panels.forEach(
        t,
        (from, to) ->
            write(
                Panels.kernelRows(gp.kernel, points, from, to, gp.data().inputs(), n, d),
                points,
                from,
                to,
                out));
    return out;
  }

  /// The means over areas, from the sums of the covariances of an area's points.
  @Override
  public double[] means(Areas areas) {
    int n = gp.data().size();
    int q = alphas.length;
    var sums = new KernelSums(gp.kernel, gp.data().inputs());
    double[] out = new double[areas.count() * q];
    Parallel.forEach(
        areas.count(),
        a -> {
          double[] column = new double[n];
          sums.add(areas.points(a), areas.weights(a), column, 0);
          for (int j = 0; j < q; j++) out[a * q + j] = Panels.dot(column, 0, alphas[j], 0, n);
          if (gp.lines != null) {
            double[] f = gp.lines.average(areas.points(a), areas.weights(a));
            for (int j = 0; j < q; j++) out[a * q + j] += Panels.dot(f, 0, weights[j], 0, f.length);
          }
        });
    return out;
  }

  /// Writes the means at the points of a panel of covariances.
  void write(double[] panel, double[] points, int from, int to, double[] out) {
    int n = gp.data().size();
    int d = gp.dimensions();
    int q = alphas.length;
    for (int i = from; i < to; i++)
      for (int j = 0; j < q; j++) {
        out[i * q + j] = Panels.dot(panel, (i - from) * n, alphas[j], 0, n);
        if (gp.lines != null) out[i * q + j] += gp.lines.mean(weights[j], points, i * d);
      }
  }
}
