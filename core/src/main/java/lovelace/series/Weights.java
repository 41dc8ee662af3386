package lovelace.series;

/// How much each point of a library counts in the forecast of a series: `log share_j = log w_j +
/// η·evidence_j + κ·score_j` up to a constant. The powers η and κ depend on how long the series is
/// beside the horizon, because evidence is about one step and scores are about all: `log η = η₀ +
/// η₁ x`, `log κ = κ₀ + κ₁ x` with `x = log(n/h) − log 5`.
///
/// @param logWeight log w_j
/// @param powers η₀, η₁, κ₀, κ₁
@SuppressWarnings("ArrayRecordComponent")
public record Weights(double[] logWeight, double[] powers) {

  /// The share below which a point is left out.
  static final double LEAST = 1e-4;

  /// The powers before anything is learned.
  static final double[] POWERS = {-0.3, 0, -2, 0.5};

  /// The weight of a slope that changes and never fades, beside the others. Its forecasts go far
  /// from the last values; a table must show that it has such series.
  private static final double WILD = 0.1;

  /// The weights before anything is learned: equal, but for slopes that change and never fade.
  public static Weights start(Library library) {
    double[] log = new double[library.size()];
    double sum = 0;
    for (int j = 0; j < log.length; j++) {
      Slope slope = library.shape(j).slope();
      boolean wild = slope.damping() == 1 && slope.change() > 0;
      log[j] = wild ? Math.log(WILD) : 0;
      sum += Math.exp(log[j]);
    }
    for (int j = 0; j < log.length; j++) log[j] -= Math.log(sum);
    return new Weights(log, POWERS.clone());
  }

  /// How long a series is beside the horizon.
  static double ratio(int length, int horizon) {
    return Math.log(Math.max(length, 1) / (5. * horizon));
  }

  /// The power of the evidence of a series.
  static double power(double[] powers, int first, double x) {
    return Math.exp(Math.clamp(powers[first] + powers[first + 1] * x, -12, 3));
  }

  /// The derivative of [#power] by its first parameter.
  static double powerSlope(double[] powers, int first, double x) {
    double log = powers[first] + powers[first + 1] * x;
    return log > -12 && log < 3 ? Math.exp(log) : 0;
  }

  /// The shares of the points for a series. They add up to 1; small ones are 0.
  double[] shares(int length, int horizon, float[] evidence, float[] score) {
    double x = ratio(length, horizon);
    double eta = power(powers, 0, x);
    double kappa = power(powers, 2, x);
    int size = logWeight.length;
    double[] shares = new double[size];
    double largest = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < size; j++) {
      shares[j] = logWeight[j] + eta * evidence[j] + kappa * score[j];
      largest = Math.max(largest, shares[j]);
    }
    double sum = 0;
    for (int j = 0; j < size; j++) {
      shares[j] = Math.exp(shares[j] - largest);
      if (shares[j] < LEAST) shares[j] = 0;
      sum += shares[j];
    }
    for (int j = 0; j < size; j++) shares[j] /= sum;
    return shares;
  }
}
