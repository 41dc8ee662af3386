package lovelace.series.counts;

import java.util.SplittableRandom;
import lovelace.series.Outlook;

/// Whole numbers ahead: a mixture of count models. Quantiles are whole numbers, the distribution
/// function is a step function, and the mean is exact.
final class CountOutlook implements Outlook {

  private final double[] share;
  private final CountFuture[] parts;
  private final int largest;

  /// @param largest the largest count that is ever forecast
  CountOutlook(double[] share, CountFuture[] parts, int largest) {
    this.share = share;
    this.parts = parts;
    this.largest = largest;
  }

  /// P(value ≤ y) for y = 0, 1, …, until it is near 1.
  double[] distribution(int step) {
    int most = 0;
    for (CountFuture part : parts) most = Math.max(most, part.most(step));
    double[] table = new double[Math.min(most, largest) + 2];
    for (int c = 0; c < parts.length; c++) parts[c].addTo(step, share[c], table);
    for (int y = 1; y < table.length; y++) table[y] = Math.min(table[y] + table[y - 1], 1);
    if (most > largest) table[largest] = 1;
    return table;
  }

  /// P(value = y).
  double mass(int step, double y) {
    double sum = 0;
    for (int c = 0; c < parts.length; c++) sum += share[c] * Math.exp(parts[c].log(step, y));
    return sum;
  }

  @Override
  public double cdf(int step, double y) {
    if (y < 0) return 0;
    double[] table = distribution(step);
    return y >= table.length ? 1 : table[(int) y];
  }

  @Override
  public double[] quantiles(int step, double... levels) {
    return quantiles(distribution(step), levels);
  }

  static double[] quantiles(double[] table, double... levels) {
    double[] found = new double[levels.length];
    int y = 0;
    for (int i = 0; i < found.length; i++) {
      while (y < table.length - 1 && table[y] < levels[i]) y++;
      found[i] = y;
    }
    return found;
  }

  @Override
  public double mean(int step) {
    double mean = 0;
    for (int c = 0; c < parts.length; c++) mean += share[c] * parts[c].mean(step);
    return mean;
  }

  @Override
  public double[][] paths(int count, SplittableRandom random) {
    double[][] paths = new double[count][];
    for (int i = 0; i < count; i++) {
      paths[i] = parts[choose(share, random)].path(random);
      for (int k = 0; k < paths[i].length; k++) paths[i][k] = Math.min(paths[i][k], largest);
    }
    return paths;
  }

  /// A place, drawn by shares that add up to 1.
  static int choose(double[] share, SplittableRandom random) {
    double u = random.nextDouble();
    int last = share.length - 1;
    for (int c = 0; c < last; c++) {
      u -= share[c];
      if (u < 0) return c;
    }
    return last;
  }
}
