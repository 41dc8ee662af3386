package lovelace.sites;

import java.util.Arrays;
import lovelace.budget.Budget;
import lovelace.posterior.internal.LinearRows.Others;
import lovelace.posterior.internal.Points;

/// Other targets of the rows of a [SiteGp]: posterior means of its points. Immutable.
final class SiteTargets implements Others {

  private final SiteGp gp;
  private final double[] beside; // those of a point beside each other
  private final double[][] duals;

  private SiteTargets(SiteGp gp, double[] beside, double[][] duals) {
    this.gp = gp;
    this.beside = beside;
    this.duals = duals;
  }

  /// No targets.
  static SiteTargets none(SiteGp gp) {
    return new SiteTargets(gp, new double[0], new double[0][]);
  }

  static SiteTargets of(SiteGp gp, double[][] targets) {
    int q = targets.length;
    Sites sites = gp.prior.sets.sites;
    double[] beside =
        new double[Budget.numbers(sites.points, q, "the terms of a mean", "use fewer rows")];
    double[][] duals = new double[q][];
    for (int j = 0; j < q; j++) {
      Sites.Observed own = sites.new Observed(gp.data(), targets[j]);
      if (gp.pinned) gp.requireEqual(own, targets[j]);
      double[] a = gp.factor.mean(own.value);
      for (int p = 0; p < a.length; p++) beside[p * q + j] = a[p];
      duals[j] = dual(gp, targets[j], a);
    }
    return new SiteTargets(gp, beside, duals);
  }

  /// `V⁻¹t` by rows, where a is the posterior mean of the points: `w(t − a)/σ²`. If values are
  /// pinned, it is `Qa` of the places, and goes to one row of each.
  private static double[] dual(SiteGp gp, double[] target, double[] a) {
    int[] point = gp.prior.sets.sites.pointOf;
    double[] dual = new double[target.length];
    if (gp.pinned) {
      double[] left = gp.prior.apply(a);
      for (int i = 0; i < dual.length; i++) {
        dual[i] = left[point[i]];
        left[point[i]] = 0;
      }
      return dual;
    }
    for (int i = 0; i < dual.length; i++)
      dual[i] = gp.data().weight(i) * (target[i] - a[point[i]]) / gp.noise();
    return dual;
  }

  @Override
  public double[] dual(int j) {
    return duals[j].clone();
  }

  @Override
  public double[] means(double[] points) {
    int d = gp.dimensions();
    int count = Points.check(points, d);
    double[] out = new double[count * duals.length];
    for (int from = 0; from < count; from += SiteGp.BATCH) {
      int to = Math.min(count, from + SiteGp.BATCH);
      SiteKriging kriging = gp.kriging(Arrays.copyOfRange(points, from * d, to * d));
      for (int t = 0; t < kriging.size; t++) write(kriging, t, from + t, out);
    }
    return out;
  }

  /// Writes the means at a place as those of a point.
  void write(SiteKriging kriging, int place, int point, double[] out) {
    int q = duals.length;
    for (int j = 0; j < q; j++) out[point * q + j] = kriging.mean(place, q, j, beside);
  }
}
