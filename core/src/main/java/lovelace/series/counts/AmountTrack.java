package lovelace.series.counts;

/// An amount model on its way: a presence, and the logarithm of what is there with a level that
/// walks and an unknown variance.
///
/// The logarithm x is normal around the level plus a season. The level is normal with the variance
/// of x over n, and the variance is inverse gamma. Each value multiplies n by the discount and adds
/// 1 (West and Harrison 1997, section 4.5), so the predictive is Student's t.
final class AmountTrack implements Track {

  /// The number of values that the prior of a seasonal effect is worth.
  private static final double SEASON_PRIOR = 2;

  /// How much of the sums of seasonal effects stays from season to season.
  private static final double KEPT = 0.98;

  private final double discount;
  private final Presence presence;
  private final int[] periods;
  private final double[][] sum;
  private final double[][] count;
  private int t;
  private double n;
  private double level;
  private double squares;
  private double nu;

  /// @param prior the mean of the logarithms of a table, its variance between series, and that
  ///   within them
  AmountTrack(double discount, Presence presence, double[] prior, int... periods) {
    this.discount = discount;
    this.presence = presence;
    this.periods = periods;
    sum = new double[periods.length][];
    count = new double[periods.length][];
    for (int p = 0; p < periods.length; p++) {
      sum[p] = new double[periods[p]];
      count[p] = new double[periods[p]];
    }
    level = prior[0];
    nu = 2;
    squares = nu * prior[2];
    n = prior[2] / prior[1];
  }

  private double season(int step) {
    double effect = 0;
    for (int p = 0; p < periods.length; p++) effect += own(p, step);
    return effect;
  }

  private double own(int p, int step) {
    int i = step % periods[p];
    return sum[p][i] / (count[p][i] + SEASON_PRIOR);
  }

  @Override
  public double log(double y) {
    double p = presence.at(t);
    if (y == 0) return Math.log(1 - p);
    double variance = squares / nu * (1 + 1 / (discount * n));
    double e = Math.log(y) - level - season(t);
    return Math.log(p)
        + AmountFuture.constant(nu)
        - 0.5 * (nu + 1) * Math.log1p(e * e / (nu * variance))
        - 0.5 * Math.log(variance)
        - Math.log(y);
  }

  @Override
  public void step(double y) {
    if (Double.isNaN(y)) presence.skip();
    else presence.step(t, y > 0);
    if (y > 0) learn(Math.log(y));
    t++;
  }

  private void learn(double x) {
    double e = x - level - season(t);
    double before = discount * n;
    squares += e * e * before / (before + 1);
    nu++;
    double moved = e / (before + 1);
    for (int p = 0; p < periods.length; p++) {
      int i = t % periods[p];
      double rest = e - moved + own(p, t);
      sum[p][i] = KEPT * sum[p][i] + rest;
      count[p][i] = KEPT * count[p][i] + 1;
    }
    level += moved;
    n = before + 1;
  }

  @Override
  public AmountFuture ahead(int steps) {
    double[] there = new double[steps];
    double[] place = new double[steps];
    double[] walk = new double[steps];
    double walked = 0;
    for (int k = 0; k < steps; k++) {
      there[k] = presence.at(t + k);
      place[k] = level + season(t + k);
      walk[k] = (1 + walked * (1 / discount - 1)) / (discount * n);
      walked += there[k];
    }
    return new AmountFuture(
        there, presence.shared(), place, walk, Math.sqrt(squares / nu), (int) Math.rint(nu));
  }
}
