package lovelace.series;

import java.util.List;

/// One process of the library, up to its scale: noise of variance 1, a level that walks, a slope,
/// seasons, and deviations that fade. The first level is not in it; it is integrated out with a
/// flat prior.
///
/// @param level the variance of the level's innovations, relative to the noise
/// @param slope relative to `1 + level`
/// @param seasons relative to `1 + level`
/// @param deviation the variance of deviations with covariance `exp(−d/memory)`, relative to `1 +
///   level`
/// @param memory how many steps a deviation lasts; used if there are deviations
public record Shape(
    double level, Slope slope, List<Season> seasons, double deviation, double memory) {

  public Shape {
    seasons = List.copyOf(seasons);
    if (!(level >= 0)) throw new IllegalArgumentException("level must be ≥ 0, got " + level);
    if (!(deviation >= 0 && (deviation == 0 || memory > 0)))
      throw new IllegalArgumentException("deviations need a variance ≥ 0 and a memory > 0");
  }

  /// The lower triangle of the covariance at steps 0, …, n − 1, noise included.
  double[] covariance(int n) {
    double[] k = new double[n * n];
    double unit = 1 + level;
    slope.addTo(n, unit, k);
    double[] fade = new double[deviation > 0 ? n : 0];
    for (int d = 0; d < fade.length; d++) fade[d] = unit * deviation * Math.exp(-d / memory);
    for (int i = 0; i < n; i++) {
      int at = i * n;
      for (int j = 0; j <= i; j++) k[at + j] += level * j;
      if (deviation > 0) for (int j = 0; j <= i; j++) k[at + j] += fade[i - j];
      k[at + i] += 1;
    }
    for (Season season : seasons) add(season, unit, n, k);
    return k;
  }

  /// The lower triangle of the covariance of level and slope at steps 0, …, n − 1.
  double[] trend(int n) {
    double[] k = new double[n * n];
    slope.addTo(n, 1 + level, k);
    for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) k[i * n + j] += level * j;
    return k;
  }

  /// The lower triangle of the covariance of one of the seasons.
  double[] season(Season season, int n) {
    double[] k = new double[n * n];
    add(season, 1 + level, n, k);
    return k;
  }

  /// The lower triangle of the covariance of the deviations.
  double[] deviations(int n) {
    double[] k = new double[n * n];
    double unit = (1 + level) * deviation;
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) k[i * n + j] = unit * Math.exp(-(i - j) / memory);
    return k;
  }

  private static void add(Season season, double unit, int n, double[] k) {
    double[] pattern = season.pattern(n);
    double size = unit * season.size();
    double[] lasting = new double[n];
    boolean fades = season.decay() > 0;
    for (int d = 0; d < n; d++) lasting[d] = fades ? season.lasting(0, d) : season.lasting(d, d);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        k[i * n + j] += size * lasting[fades ? i - j : j] * pattern[i - j];
  }
}
