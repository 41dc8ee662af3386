package lovelace.series.counts;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import lovelace.series.Outlook;

/// The average of the distributions of two outlooks.
///
/// @param first a [CountOutlook] or an [AmountOutlook]
/// @param second of the same kind of values
/// @param share of the first, between 0 and 1
record PooledOutlook(Outlook first, Outlook second, double share) implements Outlook {

  /// Amounts below this share of the largest quantile are not told from 0.
  private static final double TINY = 1e-9;

  @Override
  public double cdf(int step, double y) {
    return share * first.cdf(step, y) + (1 - share) * second.cdf(step, y);
  }

  @Override
  public double[] quantiles(int step, double... levels) {
    double[] other = second.quantiles(step, levels);
    if (first instanceof CountOutlook counts) return whole(step, counts, other, levels);
    double[] own = first.quantiles(step, levels);
    double least = Double.POSITIVE_INFINITY;
    for (double q : own) if (q > 0) least = Math.min(least, q);
    for (double q : other) if (q > 0) least = Math.min(least, q);
    int last = levels.length - 1;
    double most = Math.max(own[last], other[last]);
    if (most == 0) return own;
    boolean mixed = false;
    for (int i = 0; i <= last; i++) mixed |= (own[i] == 0) != (other[i] == 0);
    if (mixed) least = Math.min(least, TINY * most); // any amount above 0 may be the quantile
    return Bisection.quantiles(y -> cdf(step, y), 0.99 * least, most, levels);
  }

  /// The smallest whole numbers with a distribution function of at least each level.
  private double[] whole(int step, CountOutlook counts, double[] other, double... levels) {
    double[] table = counts.distribution(step);
    double[] own = CountOutlook.quantiles(table, levels);
    double[] found = new double[levels.length];
    DoubleUnaryOperator cdf = once(second, step);
    for (int i = 0; i < found.length; i++) {
      double low = Math.min(own[i], other[i]) - 1;
      double high = Math.max(own[i], other[i]);
      while (high - low > 1) {
        double middle = Math.floor(0.5 * (low + high));
        double mass = middle < table.length ? table[(int) middle] : 1;
        if (share * mass + (1 - share) * cdf.applyAsDouble(middle) < levels[i]) low = middle;
        else high = middle;
      }
      found[i] = high;
    }
    return found;
  }

  /// The distribution function at whole numbers, each computed once.
  private static DoubleUnaryOperator once(Outlook outlook, int step) {
    int size = 200;
    double[] known = new double[size];
    Arrays.fill(known, -1);
    return y -> {
      if (y >= size) return outlook.cdf(step, y);
      int i = (int) y;
      if (known[i] < 0) known[i] = outlook.cdf(step, y);
      return known[i];
    };
  }

  @Override
  public double mean(int step) {
    return share * first.mean(step) + (1 - share) * second.mean(step);
  }

  @Override
  public double[][] paths(int count, SplittableRandom random) {
    boolean[] own = new boolean[count];
    int some = 0;
    for (int i = 0; i < count; i++) {
      own[i] = random.nextDouble() < share;
      if (own[i]) some++;
    }
    double[][] ours = first.paths(some, random);
    double[][] others = second.paths(count - some, random);
    double[][] paths = new double[count][];
    for (int i = 0, a = 0, b = 0; i < count; i++) paths[i] = own[i] ? ours[a++] : others[b++];
    return paths;
  }
}
