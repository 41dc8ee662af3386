package lovelace.series;

/// The covariance of a shape at any times, from its definition.
final class Irregular {

  private Irregular() {}

  static double[][] covariance(Shape shape, double[] times) {
    int n = times.length;
    double unit = 1 + shape.level();
    double[][] k = new double[n][n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double s = Math.min(times[i], times[j]);
        double d = Math.abs(times[i] - times[j]);
        k[i][j] = (i == j ? 1 : 0) + shape.level() * s + slope(shape.slope(), unit, s, s + d);
        if (shape.deviation() > 0)
          k[i][j] += unit * shape.deviation() * Math.exp(-d / shape.memory());
        for (Season season : shape.seasons()) {
          double lasts =
              season.decay() > 0
                  ? Math.exp(-d / (season.decay() * season.period()))
                  : 1 + season.change() * s / season.period();
          k[i][j] += unit * season.size() * lasts * pattern(season, d);
        }
      }
    return k;
  }

  /// The covariance of the integrals of a slope up to two times, s before t: the slope is `e^{−θu}`
  /// times its first value plus noise.
  private static double slope(Slope slope, double unit, double s, double t) {
    if (slope.first() == 0 && slope.change() == 0) return 0;
    double theta = -Math.log(slope.damping());
    double scale = theta / (1 - slope.damping());
    if (slope.damping() == 1) {
      theta = 0;
      scale = 1;
    }
    double first = slope.first() * unit * scale * scale;
    double step = theta == 0 ? 1 : (1 - Math.exp(-2 * theta)) / (2 * theta);
    double noise = slope.change() * unit * scale * scale / step;
    double sum = s * s * (3 * t - s) / 6;
    if (theta > 0) {
      double later = Math.exp(-theta * (t - s));
      sum =
          (s
                  - (1 + later) * (1 - Math.exp(-theta * s)) / theta
                  + later * (1 - Math.exp(-2 * theta * s)) / (2 * theta))
              / (theta * theta);
    }
    return first * grown(theta, s) * grown(theta, t) + noise * sum;
  }

  private static double grown(double theta, double time) {
    return theta == 0 ? time : (1 - Math.exp(-theta * time)) / theta;
  }

  /// A season at any gap. Free values are those of the lowest harmonics.
  private static double pattern(Season season, double d) {
    double m = season.period();
    if (season.smooth() > 0) {
      double l = season.smooth();
      double mean = 0;
      for (int i = 0; i < 4_096; i++)
        mean += Math.exp(-2 * Math.pow(Math.sin(Math.PI * i / 4_096.) / l, 2)) / 4_096;
      return (Math.exp(-2 * Math.pow(Math.sin(Math.PI * d / m) / l, 2)) - mean) / (1 - mean);
    }
    double sum = 0;
    for (int j = 1; 2 * j <= m; j++)
      sum += (2 * j == m ? 1 : 2) * Math.cos(2 * Math.PI * j * d / m) / (m - 1);
    return sum;
  }
}
