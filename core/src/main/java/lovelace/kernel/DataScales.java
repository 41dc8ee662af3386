package lovelace.kernel;

import java.util.Arrays;
import java.util.stream.IntStream;

/// The scales of a set of observations, from which unset parameters start: the spread of each
/// input, the variance of the target, its roughness between neighbours, and its strongest
/// frequencies.
final class DataScales {

  private static final int NEIGHBOURS = 500;

  private final double[] inputs;
  private final int d;
  private final double[] target;
  private final double[] mean;
  private final double[] spread;
  private final boolean[] words;
  private final double variance;

  /// @param categories the columns that hold codes of words
  DataScales(double[] inputs, int d, double[] target, int[] categories) {
    this.inputs = inputs;
    this.d = d;
    this.target = target;
    int n = target.length;
    mean = new double[d];
    spread = new double[d];
    for (int j = 0; j < d; j++) {
      double[] column = new double[n];
      for (int i = 0; i < n; i++) column[i] = inputs[i * d + j];
      mean[j] = mean(column);
      double v = variance(column, mean[j]);
      spread[j] = v > 1e-24 * mean[j] * mean[j] ? Math.sqrt(v) : 1; // less is rounding
    }
    words = new boolean[d];
    for (int j : categories) {
      words[j] = true;
      spread[j] = 1;
    }
    double level = mean(target);
    double v = variance(target, level);
    // one observation or a constant target: its size is the only scale
    variance = v > 1e-24 * level * level ? v : level != 0 ? level * level : 1;
  }

  /// The standard deviation of a column; 1 when it is constant or holds words.
  double spread(int column) {
    return spread[column];
  }

  /// The variance of the target. If the target is constant, its square; if it is zero, 1.
  double variance() {
    return variance;
  }

  /// Half the median squared difference of the target between nearest neighbours, divided by the
  /// median of χ²₁. It is kept between 1e-4 and 1/2 of the target's variance (1/10 with more than
  /// three columns).
  double noise() {
    int n = target.length;
    if (n < 3) return 0.01 * variance;
    int[] chosen = evenly(n, NEIGHBOURS);
    double[] squares = new double[chosen.length];
    for (int c = 0; c < chosen.length; c++) {
      int i = chosen[c];
      double best = Double.POSITIVE_INFINITY;
      for (int j = 0; j < n; j++) {
        if (j == i) continue;
        double r = 0;
        for (int k = 0; k < d; k++) {
          double difference = inputs[i * d + k] - inputs[j * d + k];
          double t = words[k] ? Math.abs(Math.signum(difference)) : difference / spread[k];
          r += t * t;
        }
        if (r < best) {
          best = r;
          squares[c] = (target[i] - target[j]) * (target[i] - target[j]);
        }
      }
    }
    Arrays.sort(squares);
    double estimate = 0.5 * squares[squares.length / 2] / 0.4549;
    double most = d > 3 ? 0.1 : 0.5; // among many columns the nearest row is far off
    return Math.clamp(estimate, 1e-4 * variance, most * variance);
  }

  /// The intercept and slopes of the least-squares plane. Slopes of columns that cannot be told
  /// apart are 0.
  double[] plane() {
    int n = target.length;
    double[] coefficients = new double[d + 1];
    // normal equations in standardised columns, with a ridge that matters only if they are singular
    double[] a = new double[d * d];
    double[] b = new double[d];
    double level = mean(target);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < d; j++) {
        double u = (inputs[i * d + j] - mean[j]) / spread[j];
        b[j] += u * (target[i] - level);
        for (int k = 0; k < d; k++) a[j * d + k] += u * (inputs[i * d + k] - mean[k]) / spread[k];
      }
    for (int j = 0; j < d; j++) a[j * d + j] += 1e-8 * n;
    for (int c = 0; c < d; c++)
      for (int i = 0; i < d; i++) {
        if (i == c) continue;
        double f = a[i * d + c] / a[c * d + c];
        for (int k = 0; k < d; k++) a[i * d + k] -= f * a[c * d + k];
        b[i] -= f * b[c];
      }
    coefficients[0] = level;
    for (int j = 0; j < d; j++) {
      coefficients[j + 1] = b[j] / a[j * d + j] / spread[j];
      coefficients[0] -= coefficients[j + 1] * mean[j];
    }
    return coefficients;
  }

  double level() {
    return mean(target);
  }

  /// The range of a column; 1 when it is constant.
  double range(int column) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < target.length; i++) {
      low = Math.min(low, inputs[i * d + column]);
      high = Math.max(high, inputs[i * d + column]);
    }
    return high > low ? high - low : 1;
  }

  /// The number of distinct values of a column over twice its range: its Nyquist frequency if they
  /// are evenly spaced. At least one cycle over the range.
  double nyquist(int column) {
    int distinct =
        (int)
            IntStream.range(0, target.length)
                .mapToDouble(i -> inputs[i * d + column])
                .distinct()
                .count();
    return Math.max(2, distinct - 1) / (2 * range(column));
  }

  /// One cycle over the longest range of any column.
  double slowest() {
    return 1 / IntStream.range(0, d).mapToDouble(this::range).max().orElse(1);
  }

  /// The highest [#nyquist] of any column.
  double fastest() {
    return IntStream.range(0, d).mapToDouble(this::nyquist).max().orElse(1);
  }

  /// The strongest frequencies of the target over some columns.
  Sinusoids sinusoids(int[] columns, int count) {
    return Sinusoids.of(inputs, d, columns, target, count);
  }

  /// At most `limit` of the indices 0 … n − 1, evenly spaced.
  static int[] evenly(int n, int limit) {
    int count = Math.min(n, limit);
    int[] chosen = new int[count];
    for (int i = 0; i < count; i++) chosen[i] = (int) ((long) i * n / count);
    return chosen;
  }

  private static double mean(double[] v) {
    double sum = 0;
    for (double e : v) sum += e;
    return sum / v.length;
  }

  private static double variance(double[] v, double mean) {
    double sum = 0;
    for (double e : v) sum += (e - mean) * (e - mean);
    return sum / v.length;
  }
}
