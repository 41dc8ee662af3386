package lovelace.way;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import lovelace.data.Dataset;

/// The rows themselves.
///
/// @param data with all columns of the model, and the transformed target
public record KeptRows(Dataset data, double logJacobian, long fingerprint)
    implements Kept<KeptRows> {

  /// Two targets count as equal, up to rounding, if they differ by at most this share of their
  /// size.
  private static final double SAME_TARGET = 1e-9;

  @Override
  public String name() {
    return "the model's rows";
  }

  @Override
  public long count() {
    return data.size();
  }

  @Override
  public KeptRows plus(KeptRows other) {
    int n = data.size() + other.data.size();
    int d = data.dimensions();
    double[] x = Arrays.copyOf(data.inputs(), n * d);
    double[] y = Arrays.copyOf(data.target(), n);
    System.arraycopy(other.data.inputs(), 0, x, data.size() * d, other.data.size() * d);
    System.arraycopy(other.data.target(), 0, y, data.size(), other.data.size());
    double[] w = new double[n];
    for (int i = 0; i < n; i++)
      w[i] = i < data.size() ? data.weight(i) : other.data.weight(i - data.size());
    boolean weighted = Arrays.stream(w).anyMatch(v -> v != 1);
    Dataset all = Dataset.of(x, data.columns(), y, data.targetColumn());
    return new KeptRows(
        weighted ? all.withWeights(w) : all,
        logJacobian + other.logJacobian,
        fingerprint + other.fingerprint);
  }

  @Override
  public KeptRows minus(KeptRows other) {
    boolean[] leaves = places(other.data);
    int[] kept = IntStream.range(0, data.size()).filter(i -> !leaves[i]).toArray();
    Kept.requireSome(kept.length, other.data.size(), "rows");
    return new KeptRows(
        data.select(kept), logJacobian - other.logJacobian, fingerprint - other.fingerprint);
  }

  @Override
  public KeptRows shifted(double[] by, KeptRows like, Pair names) {
    int d = data.dimensions();
    double[] x = data.inputs().clone();
    for (int i = 0; i < data.size(); i++) for (int j = 0; j < d; j++) x[i * d + j] += by[j];
    Dataset moved = Dataset.of(x, like.data.columns(), data.target(), like.data.targetColumn());
    return new KeptRows(
        data.weighted() ? moved.withWeights(data.weights()) : moved, logJacobian, fingerprint);
  }

  /// Marks the rows to remove.
  private boolean[] places(Dataset gone) {
    // rows whose inputs and weight are those of a row to remove: their numbers by target
    Map<List<Double>, TreeMap<Double, ArrayDeque<Integer>>> alike = new HashMap<>();
    for (int i = 0; i < gone.size(); i++) alike.putIfAbsent(row(gone, i), new TreeMap<>());
    for (int i = 0; i < data.size(); i++) {
      var places = alike.get(row(data, i));
      if (places != null)
        places.computeIfAbsent(data.target()[i] + 0.0, y -> new ArrayDeque<>()).add(i);
    }
    boolean[] found = new boolean[data.size()];
    for (int i = 0; i < gone.size(); i++)
      found[place(alike.getOrDefault(row(gone, i), new TreeMap<>()), gone.target()[i], i)] = true;
    return found;
  }

  /// Takes the row with the nearest target. It may differ by the rounding of a transform that was
  /// undone and applied again.
  private static int place(NavigableMap<Double, ArrayDeque<Integer>> places, double y, int row) {
    Double below = places.floorKey(y + 0.0);
    Double above = places.ceilingKey(y + 0.0);
    Double nearest = below == null || (above != null && above - y < y - below) ? above : below;
    if (nearest == null || !(Math.abs(nearest - y) <= SAME_TARGET * (1 + Math.abs(y))))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "row %,d is not among the model's rows; forget only what was added",
              row + 1));
    ArrayDeque<Integer> found = Objects.requireNonNull(places.get(nearest));
    int place = found.removeFirst();
    if (found.isEmpty()) places.remove(nearest);
    return place;
  }

  /// Inputs and weight of a row.
  private static List<Double> row(Dataset data, int i) {
    List<Double> row = new ArrayList<>();
    int d = data.dimensions();
    for (int j = 0; j < d; j++) row.add(data.inputs()[i * d + j] + 0.0);
    row.add(data.weight(i));
    return row;
  }
}
