package lovelace.neighbours;

import java.util.Arrays;
import lovelace.data.Dataset;

/// Rows merged so that no two are at the same place. The rows of a place become one observation of
/// their weighted mean, with the sum of their weights. This is the same for a Gaussian process, and
/// the nearest places contain more information than copies of one. Immutable.
public final class DistinctPlaces {

  /// Rows are distinguished by the upper bits of a hash. The lower bits contain their numbers.
  private static final int BITS = 31;

  /// The merged rows in the order of the first row of each place; the original rows if no two are
  /// at the same place.
  final Dataset data;

  /// The number of rows that were merged into others.
  final int repeated;

  /// `Σ w (y − mean)²` of the rows about the mean of their place.
  final double within;

  /// `Σ log w` of the rows minus that of the places.
  final double logWeights;

  private DistinctPlaces(Dataset data, int repeated, double within, double logWeights) {
    this.data = data;
    this.repeated = repeated;
    this.within = within;
    this.logWeights = logWeights;
  }

  static DistinctPlaces of(Dataset rows) {
    int n = rows.size();
    int d = rows.dimensions();
    double[] x = rows.inputs();
    int[] first = firsts(x, n, d);
    int[] place = numbered(first);
    int count = Arrays.stream(place).max().orElse(-1) + 1;
    if (count == n) return new DistinctPlaces(rows, 0, 0, 0);
    double[] at = new double[count * d];
    double[] weights = new double[count];
    double[] means = new double[count];
    for (int i = 0; i < n; i++) {
      int p = place[i];
      double w = rows.weight(i);
      weights[p] += w;
      means[p] += w / weights[p] * (rows.target()[i] - means[p]);
      if (first[i] == i) System.arraycopy(x, i * d, at, p * d, d);
    }
    double within = 0;
    for (int i = 0; i < n; i++)
      within += rows.weight(i) * Math.pow(rows.target()[i] - means[place[i]], 2);
    Dataset merged = Dataset.of(at, rows.columns(), means, rows.targetColumn(), weights);
    return new DistinctPlaces(merged, n - count, within, rows.logWeights() - merged.logWeights());
  }

  /// The place of each row. Places are counted from 0 in the order of their first rows.
  public static int[] places(Dataset rows) {
    return numbered(firsts(rows.inputs(), rows.size(), rows.dimensions()));
  }

  private static int[] numbered(int[] first) {
    int[] place = new int[first.length];
    int count = 0;
    for (int i = 0; i < first.length; i++) place[i] = first[i] == i ? count++ : place[first[i]];
    return place;
  }

  /// For each row the first one at the same place.
  private static int[] firsts(double[] x, int n, int d) {
    long[] keys = new long[n];
    for (int i = 0; i < n; i++) {
      long hash = 0;
      for (int c = 0; c < d; c++) // −0.0 and 0.0 are one number
      hash = (hash ^ Double.doubleToLongBits(x[i * d + c] + 0.0)) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
      keys[i] = hash << BITS | i;
    }
    Arrays.parallelSort(keys);
    int[] first = new int[n];
    int mask = (int) ((1L << BITS) - 1);
    for (int from = 0, to = 1; from < n; from = to++) {
      while (to < n && keys[to] >> BITS == keys[from] >> BITS) to++;
      for (int j = from; j < to; j++) { // by their numbers, so the first one comes first
        int row = (int) keys[j] & mask;
        first[row] = row;
        for (int i = from; i < j && first[row] == row; i++) {
          int other = (int) keys[i] & mask;
          if (first[other] == other && same(x, other * d, row * d, d)) first[row] = other;
        }
      }
    }
    return first;
  }

  private static boolean same(double[] x, int a, int b, int d) {
    for (int c = 0; c < d; c++) if (x[a + c] != x[b + c]) return false;
    return true;
  }
}
