package lovelace.series.counts;

import java.util.SplittableRandom;
import lovelace.linear.GammaFunction;
import lovelace.linear.Gaussian;
import lovelace.series.StudentTable;

/// Amounts ahead: a mass at 0, and Student's t of the logarithm of what is there.
final class AmountFuture implements Future {

  private static final int CONSTANTS = 2_048;
  private static final double[] CONSTANT = new double[CONSTANTS];

  static {
    for (int nu = 1; nu < CONSTANTS; nu++) CONSTANT[nu] = exactConstant(nu);
  }

  private final double[] there;
  private final double thereShared;
  private final double[] place;
  private final double[] walk; // the variance of the level, relative to that of a value
  private final double width;
  private final int nu;
  private final StudentTable table;

  AmountFuture(
      double[] there, double thereShared, double[] place, double[] walk, double width, int nu) {
    this.there = there;
    this.thereShared = thereShared;
    this.place = place;
    this.walk = walk;
    this.width = width;
    this.nu = nu;
    table = StudentTable.of(nu);
  }

  private static double exactConstant(double nu) {
    return GammaFunction.log((nu + 1) / 2)
        - GammaFunction.log(nu / 2)
        - 0.5 * Math.log(nu * Math.PI);
  }

  /// The logarithm of the density of Student's t at 0.
  static double constant(double nu) {
    return nu == Math.rint(nu) && nu < CONSTANTS ? CONSTANT[(int) nu] : exactConstant(nu);
  }

  double spread(int k) {
    return width * Math.sqrt(1 + walk[k]);
  }

  double place(int k) {
    return place[k];
  }

  @Override
  public double log(int k, double y) {
    if (y == 0) return Math.log(1 - there[k]);
    double s = spread(k);
    double e = (Math.log(y) - place[k]) / s;
    return Math.log(there[k])
        + constant(nu)
        - 0.5 * (nu + 1) * Math.log1p(e * e / nu)
        - Math.log(s * y);
  }

  @Override
  public double cdf(int k, double y) {
    if (y < 0) return 0;
    if (y == 0) return 1 - there[k];
    return 1 - there[k] + there[k] * table.cdf((Math.log(y) - place[k]) / spread(k));
  }

  /// The mean of the log-normal with this place and spread: a Student's t of a logarithm has none.
  @Override
  public double mean(int k) {
    double s = spread(k);
    return there[k] * Math.exp(place[k] + 0.5 * Math.min(s * s, 4));
  }

  /// The steps share the level, the variance and whether there is anything.
  @Override
  public double[] path(SplittableRandom random) {
    int steps = place.length;
    double[] path = new double[steps];
    double chi = 0;
    for (int i = 0; i < nu; i++) {
      double z = CountFuture.normal(random);
      chi += z * z;
    }
    double scale = width * Math.sqrt(nu / chi);
    double level = Math.sqrt(walk[0]) * CountFuture.normal(random);
    double presence = CountFuture.normal(random);
    for (int k = 0; k < steps; k++) {
      if (k > 0) level += Math.sqrt(walk[k] - walk[k - 1]) * CountFuture.normal(random);
      double s = thereShared;
      double v =
          Gaussian.cdf(Math.sqrt(s) * presence + Math.sqrt(1 - s) * CountFuture.normal(random));
      double x = place[k] + scale * (level + CountFuture.normal(random));
      path[k] = v > there[k] ? 0 : Math.exp(x);
    }
    return path;
  }
}
