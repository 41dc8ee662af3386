package lovelace.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import lovelace.io.Fingerprint;
import lovelace.source.Source;

/// The ranges of the input columns, and the rows with the smallest hashes. These are a random
/// choice that does not depend on how rows lie in partitions.
final class Glance implements Serializable {

  private static final long serialVersionUID = 1;
  private final double[] low;
  private final double[] high;
  private final double[][] rows; // inputs, target, weight
  private final long[] hashes; // ascending

  private Glance(double[] low, double[] high, double[][] rows, long[] hashes) {
    this.low = low;
    this.high = high;
    this.rows = rows;
    this.hashes = hashes;
  }

  static Glance empty(int d) {
    double[] low = new double[d];
    double[] high = new double[d];
    Arrays.fill(low, Double.POSITIVE_INFINITY);
    Arrays.fill(high, Double.NEGATIVE_INFINITY);
    return new Glance(low, high, new double[0][], new long[0]);
  }

  /// A row and its hash.
  private record Kept(long hash, int index) {}

  /// A glance at the rows of a part.
  static Glance of(PartitionRows part, int d, int most) {
    Glance empty = empty(d);
    double[] low = empty.low;
    double[] high = empty.high;
    double[][] held = new double[most][];
    var largest = new PriorityQueue<Kept>(Comparator.comparingLong(Kept::hash).reversed());
    part.read(
        (count, x, y, given) -> {
          double[] weights = given.orElse(null);
          for (int i = 0; i < count; i++) {
            for (int j = 0; j < d; j++) {
              low[j] = Math.min(low[j], x[i * d + j]);
              high[j] = Math.max(high[j], x[i * d + j]);
            }
            double weight = weights == null ? 1 : weights[i];
            var print = new Fingerprint();
            print.add(x, i * d, d, y[i], weight);
            long hash = print.value();
            int place = largest.size();
            if (place == most) {
              Kept worst = largest.element();
              if (hash >= worst.hash) continue;
              largest.remove();
              place = worst.index;
            }
            double[] row = Arrays.copyOfRange(x, i * d, (i + 1) * d + 2);
            row[d] = y[i];
            row[d + 1] = weight;
            held[place] = row;
            largest.add(new Kept(hash, place));
          }
        });
    Kept[] order = largest.toArray(Kept[]::new);
    Arrays.sort(order, Comparator.comparingLong(Kept::hash));
    double[][] rows = new double[order.length][];
    long[] hashes = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      rows[i] = held[order[i].index];
      hashes[i] = order[i].hash;
    }
    return new Glance(low, high, rows, hashes);
  }

  Glance plus(Glance other, int most) {
    double[] least = low.clone();
    double[] largest = high.clone();
    for (int j = 0; j < least.length; j++) {
      least[j] = Math.min(least[j], other.low[j]);
      largest[j] = Math.max(largest[j], other.high[j]);
    }
    int size = Math.min(most, hashes.length + other.hashes.length);
    double[][] all = new double[size][];
    long[] order = new long[size];
    for (int k = 0, i = 0, j = 0; k < size; k++) {
      boolean mine =
          j == other.hashes.length || (i < hashes.length && hashes[i] <= other.hashes[j]);
      order[k] = mine ? hashes[i] : other.hashes[j];
      all[k] = mine ? rows[i++] : other.rows[j++];
    }
    return new Glance(least, largest, all, order);
  }

  /// The same, with the ranges replaced by given bounds: low and high of every column.
  Glance within(double[] bounds) {
    double[] least = new double[low.length];
    double[] largest = new double[low.length];
    for (int j = 0; j < least.length; j++) {
      least[j] = bounds[2 * j];
      largest[j] = bounds[2 * j + 1];
    }
    return new Glance(least, largest, rows, hashes);
  }

  int size() {
    return hashes.length;
  }

  Source.Overview overview(boolean weighted) {
    int d = low.length;
    double[] x = new double[rows.length * d];
    double[] y = new double[rows.length];
    double[] w = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(rows[i], 0, x, i * d, d);
      y[i] = rows[i][d];
      w[i] = rows[i][d + 1];
    }
    return new Source.Overview(
        low.clone(), high.clone(), x, y, weighted ? Optional.of(w) : Optional.empty());
  }
}
