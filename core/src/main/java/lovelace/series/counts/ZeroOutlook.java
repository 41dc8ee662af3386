package lovelace.series.counts;

import java.util.SplittableRandom;
import lovelace.series.Outlook;

/// Another outlook with a mass at 0: everything up to a threshold counts as 0.
///
/// @param threshold half of the smallest amount that was seen
record ZeroOutlook(Outlook other, double threshold) implements Outlook {

  private double of(double y) {
    return y <= threshold ? 0 : y;
  }

  @Override
  public double cdf(int step, double y) {
    return y < 0 ? 0 : other.cdf(step, Math.max(y, threshold));
  }

  @Override
  public double[] quantiles(int step, double... levels) {
    double[] found = other.quantiles(step, levels);
    for (int i = 0; i < found.length; i++) found[i] = of(found[i]);
    return found;
  }

  @Override
  public double mean(int step) {
    return Math.max(0, other.mean(step));
  }

  @Override
  public double[][] paths(int count, SplittableRandom random) {
    double[][] paths = other.paths(count, random);
    for (double[] path : paths) for (int k = 0; k < path.length; k++) path[k] = of(path[k]);
    return paths;
  }
}
