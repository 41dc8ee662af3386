package lovelace.series.counts;

import java.util.SplittableRandom;
import lovelace.series.Outlook;

/// Another outlook rounded to whole numbers that are not negative: P(value ≤ k) is the other's at k
/// + ½.
public record WholeOutlook(Outlook other) implements Outlook {

  @Override
  public double cdf(int step, double y) {
    return y < 0 ? 0 : other.cdf(step, Math.floor(y) + 0.5);
  }

  @Override
  public double[] quantiles(int step, double... levels) {
    double[] found = other.quantiles(step, levels);
    for (int i = 0; i < found.length; i++) found[i] = Math.max(0, Math.ceil(found[i] - 0.5)) + 0.;
    return found;
  }

  @Override
  public double mean(int step) {
    return Math.max(0, other.mean(step));
  }

  @Override
  public double[][] paths(int count, SplittableRandom random) {
    double[][] paths = other.paths(count, random);
    for (double[] path : paths)
      for (int k = 0; k < path.length; k++) path[k] = Math.max(0, Math.ceil(path[k] - 0.5)) + 0.;
    return paths;
  }
}
