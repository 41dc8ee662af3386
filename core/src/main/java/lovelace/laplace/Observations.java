package lovelace.laplace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import org.jspecify.annotations.Nullable;

/// The observations by place: value, size and extra of each ([Likelihood#extra]). If observations
/// can be added, those at one place are one. Immutable; arrays are not copied and must not be
/// modified.
public final class Observations {

  /// Two values are equal up to rounding if they differ by at most this share of their size.
  private static final double SAME = 1e-9;

  /// The rounding left in a sum after its parts were subtracted, as a share.
  private static final double ROUNDING = 1e-12;

  private final double[] places;
  private final int dimensions;
  private final double[] values;
  private final double[] sizes;
  private final double[] extras;
  private final long rows;
  private final long @Nullable [] numbers; // of the first row at each place, if it is known

  private Observations(
      double[] places,
      int dimensions,
      double[] values,
      double[] sizes,
      double[] extras,
      long rows,
      long @Nullable [] numbers) {
    this.places = places;
    this.dimensions = dimensions;
    this.values = values;
    this.sizes = sizes;
    this.extras = extras;
    this.rows = rows;
    this.numbers = numbers;
  }

  /// Takes ownership of the arrays.
  ///
  /// @param places row-major
  /// @param rows the number of rows that they represent
  public static Observations adopt(
      double[] places,
      int dimensions,
      double[] values,
      double[] sizes,
      double[] extras,
      long rows) {
    int n = values.length;
    if (places.length != (long) n * dimensions || sizes.length != n || extras.length != n)
      throw new IllegalArgumentException("places, values, sizes and extras differ in number");
    return new Observations(places, dimensions, values, sizes, extras, rows, null);
  }

  /// The rows of a data set, whose weights are sizes.
  public static Observations of(Dataset data, Likelihood likelihood) {
    Builder all = new Builder(likelihood, data.dimensions());
    all.add(data.size(), data.inputs(), data.target(), data.weighted() ? data.weights() : null);
    return all.build();
  }

  /// These observations and others of the same likelihood. Those at one place are added if
  /// possible.
  public Observations plus(Observations other, Likelihood likelihood) {
    Builder all = new Builder(likelihood, dimensions);
    all.put(this);
    all.put(other);
    return all.build();
  }

  /// At most `most` of them, evenly spaced in their order.
  public Observations thinned(int most) {
    int n = size();
    if (n <= most) return this;
    double[] x = new double[most * dimensions];
    double[][] rest = new double[3][most];
    for (int k = 0; k < most; k++) {
      int i = (int) ((long) k * n / most);
      System.arraycopy(places, i * dimensions, x, k * dimensions, dimensions);
      rest[0][k] = values[i];
      rest[1][k] = sizes[i];
      rest[2][k] = extras[i];
    }
    return new Observations(x, dimensions, rest[0], rest[1], rest[2], most, null);
  }

  /// Takes rows a few at a time. If observations can be added, it holds one for every place, for
  /// any number of rows.
  public static final class Builder {
    private final Likelihood likelihood;
    private final int d;
    private final boolean adds;
    private double[] x = new double[0];
    private double[] y = new double[0];
    private double[] s = new double[0];
    private double[] e = new double[0];
    private long[] first = new long[0]; // the number of the first row at each place
    private int[] slots = new int[1024]; // 1 + the number of a place, by its hash
    private final BitSet gone = new BitSet(); // places with nothing left
    private @Nullable Map<List<Double>, Deque<Integer>> alike; // by place and size, for removals
    private int n;
    private long rows;

    public Builder(Likelihood likelihood, int dimensions) {
      this(likelihood, dimensions, true);
    }

    /// @param together whether observations at one place are added if possible
    public Builder(Likelihood likelihood, int dimensions, boolean together) {
      this.likelihood = likelihood;
      this.d = dimensions;
      this.adds = together && likelihood.adds();
    }

    /// The number of places so far.
    public int size() {
      return n - gone.cardinality();
    }

    /// Adds the first `count` rows. Without `sizes`, all are 1.
    public void add(int count, double[] inputs, double[] target, double @Nullable [] sizes) {
      for (int i = 0; i < count; i++) {
        double size = sizes == null ? 1 : sizes[i];
        put(inputs, i * d, target[i], size, likelihood.extra(target[i], size), rows + i + 1);
      }
      rows += count;
    }

    /// Adds one row, whose inputs start at `x[from]`.
    ///
    /// @param number of the row in its table, from 1
    public void add(double[] inputs, int from, double value, double size, long number) {
      put(inputs, from, value, size, likelihood.extra(value, size), number);
      rows++;
    }

    /// Removes others and returns −1, or the index among them of the first one that cannot have
    /// been added. If observations can be added, they are subtracted from the sums of their places;
    /// otherwise they must be among the rows.
    public int remove(Observations others) {
      for (int i = 0; i < others.size(); i++) {
        double value = others.values[i];
        double size = others.sizes[i];
        boolean known =
            adds
                ? subtract(others.places, i * d, value, size, others.extras[i])
                : drop(others.places, i * d, value, size);
        if (!known) return i;
      }
      rows -= others.rows;
      return -1;
    }

    private boolean subtract(double[] inputs, int from, double value, double size, double extra) {
      int k = slots[slot(inputs, from)] - 1;
      if (k < 0 || gone.get(k)) return false;
      double left = y[k] - value;
      double leftSize = s[k] - size;
      if (Math.abs(leftSize) <= ROUNDING * s[k]) { // the size is used up, so the value must be too
        if (Math.abs(left) > SAME * (1 + Math.abs(value))) return false;
        gone.set(k);
        return true;
      }
      // classes at one place are successes of several trials
      Likelihood sums =
          likelihood.has(Likelihood.Of.PROBABILITY) ? Likelihood.binomial() : likelihood;
      if (leftSize < 0 || sums.refusal(left, leftSize) != null) return false;
      y[k] = left;
      s[k] = leftSize;
      e[k] -= extra;
      return true;
    }

    private boolean drop(double[] inputs, int from, double value, double size) {
      Map<List<Double>, Deque<Integer>> known = alike;
      if (known == null) {
        alike = known = new HashMap<>();
        for (int k = 0; k < n; k++)
          known.computeIfAbsent(row(x, k * d, s[k]), row -> new ArrayDeque<>()).add(k);
      }
      Iterator<Integer> found =
          known.getOrDefault(row(inputs, from, size), new ArrayDeque<>()).iterator();
      while (found.hasNext()) {
        int k = found.next();
        if (Math.abs(y[k] - value) > SAME * (1 + Math.abs(value))) continue;
        gone.set(k);
        found.remove();
        return true;
      }
      return false;
    }

    private List<Double> row(double[] at, int from, double size) {
      List<Double> row = new ArrayList<>();
      for (int j = 0; j < d; j++) row.add(at[from + j] + 0.0); // −0 is 0
      row.add(size);
      return row;
    }

    /// Adds all of others, of the same likelihood.
    public void put(Observations other) {
      for (int i = 0; i < other.size(); i++)
        put(other.places, i * d, other.values[i], other.sizes[i], other.extras[i], other.number(i));
      rows += other.rows;
    }

    private void put(double[] at, int from, double value, double size, double extra, long number) {
      int slot = -1;
      if (adds) {
        if (2 * n >= slots.length) grow();
        slot = slot(at, from);
        if (slots[slot] > 0) {
          int k = slots[slot] - 1;
          y[k] += value;
          s[k] += size;
          e[k] += extra;
          return;
        }
      }
      if (n == y.length) {
        int room = Math.max(64, n + (n >> 1));
        x = Arrays.copyOf(x, room * d);
        y = Arrays.copyOf(y, room);
        s = Arrays.copyOf(s, room);
        e = Arrays.copyOf(e, room);
        first = Arrays.copyOf(first, room);
      }
      System.arraycopy(at, from, x, n * d, d);
      y[n] = value;
      s[n] = size;
      first[n] = number;
      e[n++] = extra;
      if (slot >= 0) slots[slot] = n;
    }

    /// The slot of a place, or an empty one for it.
    private int slot(double[] at, int from) {
      int mask = slots.length - 1;
      long hash = 0;
      for (int j = 0; j < d; j++)
        hash =
            (hash ^ Double.doubleToLongBits(at[from + j] + 0.0)) * 0x9e3779b97f4a7c15L; // −0 is 0
      int slot = (int) (hash >>> 33) & mask;
      while (slots[slot] > 0 && !same(slots[slot] - 1, at, from)) slot = (slot + 1) & mask;
      return slot;
    }

    private boolean same(int k, double[] at, int from) {
      for (int j = 0; j < d; j++) if (x[k * d + j] != at[from + j]) return false;
      return true;
    }

    private void grow() {
      slots = new int[2 * slots.length];
      for (int k = 0; k < n; k++) slots[slot(x, k * d)] = k + 1;
    }

    /// The observations that were added and not removed. Nothing can be added after this call.
    public Observations build() {
      int left = 0;
      for (int k = 0; k < n; k++) {
        if (gone.get(k)) continue;
        System.arraycopy(x, k * d, x, left * d, d);
        y[left] = y[k];
        s[left] = s[k];
        first[left] = first[k];
        e[left++] = e[k];
      }
      return new Observations(
          Arrays.copyOf(x, left * d),
          d,
          Arrays.copyOf(y, left),
          Arrays.copyOf(s, left),
          Arrays.copyOf(e, left),
          rows,
          Arrays.copyOf(first, left));
    }
  }

  /// The number of places.
  public int size() {
    return values.length;
  }

  /// The number of rows that they represent.
  public long rows() {
    return rows;
  }

  /// The number in its table of the first row at a place. If rows were not read from a table, it is
  /// the place's own number from 1.
  public long number(int i) {
    return numbers == null ? i + 1 : numbers[i];
  }

  /// The places, row-major.
  public double[] places() {
    return places;
  }

  public int dimensions() {
    return dimensions;
  }

  /// y.
  public double[] values() {
    return values;
  }

  public double[] sizes() {
    return sizes;
  }

  public double[] extras() {
    return extras;
  }
}
