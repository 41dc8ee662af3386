package lovelace.grid;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Collects the different values of a column from its rows, and tells whether they are nodes of a
/// regular grid. It keeps a few numbers per value, and gives up on a column with too many values.
public final class ColumnValues {

  /// The largest number of different values that are kept.
  public static final int MOST = 100_000;

  /// The largest number of nodes per different value. With more, a step is only the last digit of
  /// the numbers.
  private static final int GAPS = 16;

  /// The largest number of nodes of one axis.
  private static final int LONGEST = 10_000_000;

  /// Gaps between nodes are wider by at least this factor than gaps between roundings of one node.
  /// It is `(1 − 2s)/2s` with the slack s of [Grid#SNAP], rounded down a little.
  private static final double JUMP = 40;

  /// How often the step may be looked for among wider gaps.
  private static final int TRIES = 4;

  /// How far a gap may be from a whole number of steps, in steps, to count as one.
  private static final double WHOLE = 0.05;

  /// Ends that lie less than this off their nodes, in steps, need no better nodes.
  private static final double CLOSE = 1e-6;

  private final int most;
  private double[] values = new double[16]; // in the order they came
  private long[] rows = new long[16];
  private int[] table = new int[64]; // places of values, from 1; 0 is free
  private int count;
  private boolean tooMany;
  private double last = Double.NaN;
  private boolean searched;
  private @Nullable Nodes found;

  /// Nodes `first + i·step`, with i from 0.
  ///
  /// @param off the largest distance of a value from its node, in steps
  public record Nodes(double first, double step, int count, double off) {

    public double last() {
      return first + step * (count - 1);
    }

    /// The axis of these nodes and the further nodes to `low` and `high`, with a margin of two
    /// nodes on each side.
    public Axis axis(double low, double high) {
      double before = Math.max(0, Math.ceil((first - low) / step - Grid.SNAP)) + 2;
      double after = Math.max(0, Math.ceil((high - last()) / step - Grid.SNAP)) + 2;
      double points = count + before + after;
      if (points > LONGEST)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "an axis from %s to %s in the data's own steps of %s has %,.0f points, at most %,d are possible; give grid points instead",
                GridText.number(low),
                GridText.number(high),
                GridText.number(step),
                points,
                LONGEST));
      return new Axis(first - before * step, step, (int) points);
    }
  }

  /// Keeps at most [#MOST] values.
  public ColumnValues() {
    this(MOST);
  }

  /// Keeps at most `most` values.
  public ColumnValues(int most) {
    this.most = most;
  }

  /// Takes the value of a row. The number of the row counts from 1, and is 0 if unknown.
  public void add(double value, long row) {
    if (value == last || tooMany || !Double.isFinite(value)) return;
    last = value;
    int at = place(value);
    if (table[at] != 0) return;
    searched = false;
    if (count == most) {
      tooMany = true;
      count = 0;
      values = new double[0];
      rows = new long[0];
      table = new int[0];
      return;
    }
    if (count == values.length) {
      values = Arrays.copyOf(values, 2 * count);
      rows = Arrays.copyOf(rows, 2 * count);
    }
    values[count] = value + 0.0; // no negative zero
    rows[count++] = row;
    table[at] = count;
    if (3 * count > table.length) {
      table = new int[4 * table.length];
      for (int i = 0; i < count; i++) table[place(values[i])] = i + 1;
    }
  }

  /// The position at which the table holds a value, or would hold it.
  private int place(double value) {
    long bits = Double.doubleToLongBits(value + 0.0) * 0x9e3779b97f4a7c15L;
    bits = (bits ^ (bits >>> 32)) * 0xd6e8feb86659fd93L; // values in a row must not share a place
    int at = (int) (bits >>> 32) & (table.length - 1);
    while (table[at] != 0 && values[table[at] - 1] != value) at = (at + 1) & (table.length - 1);
    return at;
  }

  /// The values from `low` to `high`.
  public ColumnValues within(double low, double high) {
    ColumnValues inside = new ColumnValues(most);
    inside.tooMany = tooMany;
    for (int i = 0; i < count; i++)
      if (values[i] >= low && values[i] <= high) inside.add(values[i], rows[i]);
    return inside;
  }

  /// The nodes on which the values lie, with as few gaps as possible; null if there are none. A
  /// value may be off its node by [Grid#SNAP] steps, as rounding to few digits causes.
  public @Nullable Nodes nodes() {
    if (!searched) found = count < 2 ? null : search();
    searched = true;
    return found;
  }

  /// The nodes from `low` to `high`, which are nodes too, with about the step of the values; null
  /// if the values are not on such nodes.
  public @Nullable Nodes nodes(double low, double high) {
    Nodes own = nodes();
    if (own == null) return null;
    double steps = Math.rint((high - low) / own.step);
    if (!(steps >= 1 && steps < LONGEST)) return null;
    Nodes given = new Nodes(low, (high - low) / steps, (int) steps + 1, 0);
    double off = 0;
    for (int i = 0; i < count; i++) {
      double u = (values[i] - low) / given.step;
      off = Math.max(off, Math.abs(u - Math.rint(u)));
    }
    return off <= Grid.SNAP ? new Nodes(low, given.step, given.count, off) : null;
  }

  private double[] sorted() {
    double[] sorted = Arrays.copyOf(values, count);
    Arrays.sort(sorted);
    return sorted;
  }

  private static double[] gaps(double[] sorted) {
    double[] gaps = new double[sorted.length - 1];
    for (int i = 0; i < gaps.length; i++) gaps[i] = sorted[i + 1] - sorted[i];
    return gaps;
  }

  /// The table may hold one node in several roundings, so the narrowest gaps may not be steps.
  private @Nullable Nodes search() {
    double[] sorted = sorted();
    double[] gaps = gaps(sorted);
    double[] ascending = gaps.clone();
    Arrays.sort(ascending);
    int tries = 0;
    for (int k = 0; k < gaps.length && tries < TRIES; k++) {
      if (k > 0 && !(ascending[k] > JUMP * ascending[k - 1])) continue;
      tries++;
      double step = step(ascending, k, sorted[count - 1] - sorted[0]);
      Nodes nodes = step > 0 ? fitted(sorted, gaps, ascending[k], step) : null;
      if (nodes != null) return nodes;
    }
    return null;
  }

  /// The greatest step of which all gaps are multiples, by Euclid's algorithm; 0 if the values
  /// support none. Narrow gaps come first: the more of them, the better the step is known when a
  /// wide gap is divided by it.
  ///
  /// @param from the narrowest gap between nodes
  private static double step(double[] ascending, int from, double range) {
    double least = range / ((double) GAPS * (ascending.length - from + 1));
    double start = ascending[from];
    while (start >= least) {
      double step = start;
      double sum = 0;
      double steps = 0;
      double rest = 0;
      for (int g = from; g < ascending.length; g++) {
        double whole = Math.rint(ascending[g] / step);
        rest = Math.abs(ascending[g] - whole * step);
        if (rest > WHOLE * step) break;
        rest = 0;
        sum += ascending[g];
        steps += whole;
        step = sum / steps;
      }
      if (rest == 0) return step;
      start = rest;
    }
    return 0;
  }

  /// Nodes with about this step on which all values lie; null if they do not.
  private static @Nullable Nodes fitted(
      double[] sorted, double[] gaps, double narrowest, double step) {
    int n = sorted.length;
    double[] index = new double[n];
    for (int i = 1; i < n; i++)
      index[i] = index[i - 1] + (gaps[i - 1] < narrowest ? 0 : Math.rint(gaps[i - 1] / step));
    double steps = index[n - 1];
    if (!(steps >= 1 && steps < LONGEST)) return null;
    Nodes ends = nodes(sorted, index, sorted[0], (sorted[n - 1] - sorted[0]) / steps);
    if (ends.off <= CLOSE) return ends;
    // least squares: the ends are rounded too
    double middle = 0;
    double centre = 0;
    for (int i = 0; i < n; i++) {
      middle += index[i] / n;
      centre += (sorted[i] - sorted[0]) / n;
    }
    double xx = 0;
    double xy = 0;
    for (int i = 0; i < n; i++) {
      xx += (index[i] - middle) * (index[i] - middle);
      xy += (index[i] - middle) * (sorted[i] - sorted[0] - centre);
    }
    double slope = xy / xx;
    Nodes line = nodes(sorted, index, sorted[0] + centre - slope * middle, slope);
    Nodes best = line.off < ends.off ? line : ends;
    return best.off <= Grid.SNAP ? best : null;
  }

  private static Nodes nodes(double[] sorted, double[] index, double first, double step) {
    double off = 0;
    for (int i = 0; i < sorted.length; i++)
      off = Math.max(off, Math.abs((sorted[i] - first) / step - index[i]));
    return new Nodes(first, step, (int) index[sorted.length - 1] + 1, off);
  }

  /// The reason why the values of a column are not nodes, and what to do, in words.
  ///
  /// @param column the name of the column
  public String reason(String column) {
    String none = column + " has no grid of its own: ";
    if (tooMany)
      return none
          + String.format(
              Locale.ROOT, "it has more than %,d different values; give grid points", most);
    if (count == 0) return none + "it has no values; give grid points";
    if (count == 1)
      return none
          + String.format(
              Locale.ROOT, "its only value, %s, tells no step; give grid points", values[0]);
    double[] sorted = sorted();
    double[] gaps = gaps(sorted);
    double step = commonest(gaps);
    int at = -1;
    for (int i = 0; i < count; i++) {
      int j = Arrays.binarySearch(sorted, values[i]);
      boolean left = j > 0 && isBroken(gaps[j - 1], step);
      boolean right = j < gaps.length && isBroken(gaps[j], step);
      boolean end = j == 0 || j == gaps.length;
      if ((left && right) || (end && (left || right))) {
        at = i;
        break;
      }
      if (at < 0 && left) at = i;
    }
    at = Math.max(at, 0);
    return none
        + String.format(
            Locale.ROOT,
            "%s%s is not a whole number of steps of %s, the commonest, from its neighbours; drop such rows or give grid points",
            values[at],
            rows[at] > 0 ? String.format(Locale.ROOT, " (row %,d)", rows[at]) : "",
            GridText.number(step));
  }

  private static boolean isBroken(double gap, double step) {
    return Math.abs(gap / step - Math.rint(gap / step)) > 2 * Grid.SNAP;
  }

  /// The most frequent width of a gap, to a hundredth.
  private static double commonest(double[] gaps) {
    double[] ascending = gaps.clone();
    Arrays.sort(ascending);
    int best = 0;
    double width = ascending[0];
    int from = 0;
    for (int g = 0; g < ascending.length; g++) {
      while (ascending[g] > (1 + Grid.SNAP) * ascending[from]) from++;
      if (g - from < best) continue;
      best = g - from + 1;
      width = ascending[(g + from) / 2];
    }
    return width;
  }
}
