package lovelace.chain;

import java.util.Locale;
import lovelace.budget.Budget;

/// Carries covariances from place to place. With `Aₖ = Φ − ΓM` of the link to place k, the
/// covariance of a state at place e with anything before place s is `Aₑ … Aₛ₊₁` times that at s.
/// Products of 2ˡ neighbours are stored. So a carry takes O(log n) products, and always the same
/// ones.
final class Carries {

  private final int d;
  private final int low; // the first place carried to
  private final double[][] level; // products of 2ˡ neighbours, beginning with number first[l]
  private final int[] first;

  /// Prepares carries between the places `from` and `to` of a chain.
  Carries(Chain chain, int from, int to) {
    d = chain.d;
    low = from + 1;
    int count = Math.max(0, to - from);
    Budget.require(
        16L * count * d * d,
        String.format(Locale.ROOT, "the covariance of points %,d places apart", count),
        "ask for points closer together");
    int levels = 32 - Integer.numberOfLeadingZeros(count);
    level = new double[levels][];
    first = new int[levels];
    if (count > 0) level[0] = links(chain, to);
    for (int l = 0; l < levels; l++) {
      first[l] = Math.ceilDiv(low, 1 << l);
      if (l == 0) continue;
      int nodes = Math.max(0, ((to + 1) >> l) - first[l]);
      level[l] = new double[nodes * d * d];
      for (int i = 0; i < nodes; i++) {
        int left = 2 * (first[l] + i) - first[l - 1];
        multiply(level[l - 1], (left + 1) * d * d, left * d * d, level[l], i * d * d);
      }
    }
  }

  private double[] links(Chain chain, int to) {
    double[] all = new double[(to - low + 1) * d * d];
    double[] a = new double[d * d];
    var station = chain.new Station();
    for (int k = low; k <= to; k++) {
      station.toPlace(chain.places.at[k] - chain.places.at[k - 1], k);
      for (int i = 0; i < d; i++) for (int j = 0; j < d; j++) a[i * d + j] = i == j ? 1 : 0;
      station.link.carry(a);
      System.arraycopy(a, 0, all, (k - low) * d * d, d * d);
    }
    return all;
  }

  private void multiply(double[] a, int left, int right, double[] out, int at) {
    for (int i = 0; i < d; i++)
      for (int j = 0; j < d; j++) {
        double sum = 0;
        for (int k = 0; k < d; k++) sum += a[left + i * d + k] * a[right + k * d + j];
        out[at + i * d + j] = sum;
      }
  }

  /// Overwrites v, d entries at place s, with its values at place e ≥ s. `scratch` also has d
  /// entries.
  void carry(double[] v, int s, int e, double[] scratch) {
    int k = s + 1;
    while (k <= e) {
      int l =
          Math.min(Integer.numberOfTrailingZeros(k), 31 - Integer.numberOfLeadingZeros(e - k + 1));
      int at = ((k >> l) - first[l]) * d * d;
      double[] product = level[l];
      for (int i = 0; i < d; i++) {
        double sum = 0;
        for (int j = 0; j < d; j++) sum += product[at + i * d + j] * v[j];
        scratch[i] = sum;
      }
      System.arraycopy(scratch, 0, v, 0, d);
      k += 1 << l;
    }
  }
}
