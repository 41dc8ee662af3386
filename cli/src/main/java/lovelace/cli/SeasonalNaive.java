package lovelace.cli;

import lovelace.linear.Gaussian;

/// The forecast that repeats the last season. Its intervals are those of a normal distribution with
/// the mean square of the changes from season to season.
final class SeasonalNaive implements SeriesScores.Quantiles {

  private final double[] values;
  private final int length;
  private final int season;
  private final double width;

  /// @param values NaN is a gap
  /// @param length how many of the values are known
  SeasonalNaive(double[] values, int length, int season, SeriesScores.Scale scale) {
    this.values = values;
    this.length = length;
    this.season = season;
    width = Double.isFinite(scale.squared()) ? Math.sqrt(scale.squared()) : 0;
  }

  @Override
  public double[] at(int step, double... levels) {
    int at = length - season + step % season;
    while (at >= 0 && Double.isNaN(values[at])) at -= season;
    int last = length - 1;
    while (at < 0 && Double.isNaN(values[last])) last--;
    double place = values[at < 0 ? last : at];
    double[] found = new double[levels.length];
    for (int i = 0; i < found.length; i++)
      found[i] = place + width * Math.sqrt(step / season + 1.) * Gaussian.quantile(levels[i]);
    return found;
  }
}
