package lovelace.series.counts;

import java.util.SplittableRandom;
import lovelace.series.Outlook;

/// Amounts ahead: a mixture of amount models, with a mass at 0.
final class AmountOutlook implements Outlook {

  private final double[] share;
  private final AmountFuture[] parts;
  private final double scale;
  private final double most;

  /// @param scale the unit of the parts
  /// @param most the largest amount that is ever forecast
  AmountOutlook(double[] share, AmountFuture[] parts, double scale, double most) {
    this.share = share;
    this.parts = parts;
    this.scale = scale;
    this.most = most;
  }

  @Override
  public double cdf(int step, double y) {
    if (y >= most) return 1;
    double sum = 0;
    for (int c = 0; c < parts.length; c++) sum += share[c] * parts[c].cdf(step, y / scale);
    return sum;
  }

  @Override
  public double[] quantiles(int step, double... levels) {
    double low = Double.POSITIVE_INFINITY;
    for (AmountFuture part : parts) low = Math.min(low, part.place(step) - 40 * part.spread(step));
    return Bisection.quantiles(
        y -> cdf(step, y), scale * Math.exp(Math.max(low, -600)), most, levels);
  }

  @Override
  public double mean(int step) {
    double mean = 0;
    for (int c = 0; c < parts.length; c++) mean += share[c] * parts[c].mean(step);
    return Math.min(scale * mean, most);
  }

  @Override
  public double[][] paths(int count, SplittableRandom random) {
    double[][] paths = new double[count][];
    for (int i = 0; i < count; i++) {
      double[] path = parts[CountOutlook.choose(share, random)].path(random);
      for (int k = 0; k < path.length; k++) path[k] = Math.min(scale * path[k], most);
      paths[i] = path;
    }
    return paths;
  }
}
