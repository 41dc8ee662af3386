package lovelace.chain;

import java.util.Arrays;
import lovelace.data.Dataset;

/// The rows of one input, sorted and merged. Rows at one place become one observation of their
/// weighted mean, with the sum of their weights. Immutable.
final class Places {

  /// The distinct inputs, ascending.
  final double[] at;

  /// The sum of the weights at each place.
  final double[] weight;

  /// The weighted mean of the targets at each place.
  final double[] target;

  /// `Σ w (y − mean)²` of the rows about the mean of their place.
  final double within;

  /// `Σ log w` of the rows.
  final double logWeights;

  /// The number of rows.
  final int rows;

  private final double scale;
  private final int[] first; // first place in each bucket or after it

  private Places(
      double[] at,
      double[] weight,
      double[] target,
      double within,
      double logWeights,
      int rows,
      double scale,
      int[] first) {
    this.at = at;
    this.weight = weight;
    this.target = target;
    this.within = within;
    this.logWeights = logWeights;
    this.rows = rows;
    this.scale = scale;
    this.first = first;
  }

  static Places of(Dataset data) {
    if (data.dimensions() != 1)
      throw new IllegalArgumentException(
          "a Markov chain has one input, the rows have " + data.dimensions());
    int n = data.size();
    double[] x = data.inputs();
    double[] sorted = x.clone();
    Arrays.parallelSort(sorted);
    int m = 0;
    for (int i = 0; i < n; i++) {
      double value = sorted[i] + 0.0; // −0.0 and 0.0 are the same place
      if (m == 0 || value > sorted[m - 1]) sorted[m++] = value;
    }
    double[] at = Arrays.copyOf(sorted, m);
    double range = at[m - 1] - at[0];
    double scale = m / range;
    if (!(scale < Double.POSITIVE_INFINITY)) scale = 0;
    int[] first = new int[m + 1];
    for (int k = 0, bucket = 0; k < m; k++)
      for (int own = bucket(at[k], at[0], scale, m); bucket <= own; bucket++) first[bucket] = k;
    for (int b = bucket(at[m - 1], at[0], scale, m) + 1; b <= m; b++) first[b] = m;
    var empty = new Places(at, new double[m], new double[m], 0, 0, n, scale, first);
    return empty.fill(data);
  }

  /// The same places with another target for the same rows.
  Places with(Dataset data) {
    int m = at.length;
    return new Places(at, new double[m], new double[m], 0, 0, rows, scale, first).fill(data);
  }

  private Places fill(Dataset data) {
    double[] x = data.inputs();
    double[] y = data.target();
    double logarithms = 0;
    for (int i = 0; i < rows; i++) {
      int k = before(x[i]);
      double w = data.weight(i);
      weight[k] += w;
      target[k] += w * y[i];
      if (w != 1) logarithms += Math.log(w);
    }
    for (int k = 0; k < at.length; k++) target[k] /= weight[k];
    double squares = 0;
    for (int i = 0; i < rows; i++) {
      double off = y[i] - target[before(x[i])];
      squares += data.weight(i) * off * off;
    }
    return new Places(at, weight, target, squares, logarithms, rows, scale, first);
  }

  /// The number of places.
  int size() {
    return at.length;
  }

  /// The last place that is not beyond x; −1 if all are.
  int before(double x) {
    if (!(x >= at[0])) return -1;
    if (x >= at[at.length - 1]) return at.length - 1;
    int bucket = bucket(x, at[0], scale, at.length);
    int low = Math.max(0, first[bucket] - 1); // not beyond x
    int high = first[bucket + 1]; // beyond x, or the end
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (at[middle] <= x) low = middle;
      else high = middle;
    }
    return low;
  }

  private static int bucket(double x, double low, double scale, int m) {
    return Math.min(m - 1, (int) ((x - low) * scale));
  }
}
