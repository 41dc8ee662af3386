package lovelace.series.counts;

import org.jspecify.annotations.Nullable;

/// A count model on its way: a gamma–Poisson recursion of the rate, with seasonal factors as
/// exposure. With a presence, the recursion is of the value less 1 where there is one (a hurdle).
final class CountTrack implements Track {

  /// How much forgetting goes back to the prior.
  private static final double PULL = 0.1;

  private final Rate rate;
  private final @Nullable Presence presence;
  private final Profile season;
  private final double priorShape;
  private final double priorRate;
  private int t;
  private double slowShape;
  private double slowRate;
  private double shape;
  private double scale; // the rate parameter b of the fast gamma
  private double mean; // of the level at the next step
  private double exposure;
  private double nextShape;
  private double nextRate;

  /// @param prior the mean and the shape of the rates of a table
  CountTrack(Rate rate, @Nullable Presence presence, double[] prior, int... periods) {
    this.rate = rate;
    this.presence = presence;
    season = new Profile(periods);
    slowShape = prior[1];
    slowRate = prior[1] / prior[0];
    priorShape = PULL * slowShape;
    priorRate = PULL * slowRate;
    double a = base(slowShape);
    shape = a;
    scale = a * slowRate / slowShape;
    look();
  }

  /// The shape of a gamma rate whose level has a shape: variances relative to squared means add up.
  private double base(double level) {
    double k = rate.spread();
    return k == 0 ? level : k * level / (level + k + 1);
  }

  /// The shape of the level after some steps ahead: its variance grows by the same each step.
  private double levelAhead(int steps) {
    double next = rate.level() * slowShape + (1 - rate.level()) * priorShape;
    if (steps == 0) return next;
    return next / (1 + steps * (1 / rate.level() - 1));
  }

  private double levelMean() {
    double d = rate.level();
    return (d * slowShape + (1 - d) * priorShape) / (d * slowRate + (1 - d) * priorRate);
  }

  /// The gamma parameters some steps ahead, 0 for the next one.
  private double shapeAhead(int steps) {
    double a = base(levelAhead(steps));
    if (rate.memory() == 0) return a;
    double kept = steps == 0 ? rate.memory() : Math.pow(rate.memory(), steps + 1.);
    return kept * shape + (1 - kept) * a;
  }

  private double rateAhead(int steps, double mean) {
    double b = base(levelAhead(steps)) / mean;
    if (rate.memory() == 0) return b;
    double kept = steps == 0 ? rate.memory() : Math.pow(rate.memory(), steps + 1.);
    return kept * scale + (1 - kept) * b;
  }

  /// Computes the distribution of the next value.
  private void look() {
    mean = levelMean();
    exposure = season.at(t);
    nextShape = shapeAhead(0);
    nextRate = rateAhead(0, mean);
  }

  @Override
  public double log(double y) {
    if (presence == null) return NegativeBinomial.log(nextShape, nextRate, exposure, y);
    double p = presence.at(t);
    return y == 0
        ? Math.log(1 - p)
        : Math.log(p) + NegativeBinomial.log(nextShape, nextRate, exposure, y - 1);
  }

  @Override
  public void step(double y) {
    if (presence != null && !Double.isNaN(y)) presence.step(t, y > 0);
    else if (presence != null) presence.skip();
    boolean seen = !Double.isNaN(y) && (presence == null || y > 0);
    if (seen) learn(presence == null ? y : y - 1);
    else if (presence == null) forget();
    t++;
    look();
  }

  private void learn(double y) {
    double k = rate.spread();
    double weight = k == 0 ? 1 : k / (k + exposure * mean);
    if (rate.memory() > 0) {
      weight *= (1 - rate.memory()) / (1 + rate.memory());
      shape = nextShape + y;
      scale = nextRate + exposure;
    }
    forgetLevel();
    slowShape += weight * y;
    slowRate += weight * exposure;
    season.add(t, weight * y, weight * mean, exposure);
  }

  private void forget() {
    shape = nextShape;
    scale = nextRate;
    forgetLevel();
  }

  private void forgetLevel() {
    double d = rate.level();
    slowShape = d * slowShape + (1 - d) * priorShape;
    slowRate = d * slowRate + (1 - d) * priorRate;
  }

  @Override
  public CountFuture ahead(int steps) {
    double[] there = new double[steps];
    double[] a = new double[steps];
    double[] b = new double[steps];
    double[] exposure = new double[steps];
    double[] level = new double[steps];
    for (int k = 0; k < steps; k++) {
      there[k] = presence == null ? 1 : presence.at(t + k);
      a[k] = shapeAhead(k);
      b[k] = rateAhead(k, mean);
      exposure[k] = season.at(t + k);
      level[k] = 1 / levelAhead(k);
    }
    return new CountFuture(
        presence != null,
        there,
        presence == null ? 0 : presence.shared(),
        a,
        b,
        exposure,
        level,
        rate);
  }
}
