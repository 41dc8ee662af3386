package lovelace.online;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import lovelace.budget.Budget;
import lovelace.data.Outside;
import lovelace.grid.Grid;
import lovelace.online.Online.Window;
import lovelace.statistics.GridAccumulator;
import lovelace.statistics.GridStatistics;
import org.jspecify.annotations.Nullable;

/// The statistics of the observations of a stream that are in a window.
///
/// Observations that came and that left since the last look are summed separately, and joined when
/// asked for. A sliding window keeps its observations and sums them again after 16 windows have
/// passed through, so that rounding errors do not grow with the stream. In a decaying window an
/// observation is added with its weight divided by the factor to the power of its number, and
/// everything is scaled at a look.
final class WindowedStatistics {

  /// Takes an observation that left.
  interface Leaving {
    void accept(double[] x, int xo, double y, double weight);
  }

  private static final int REBUILD = 16;
  private static final double MOST = 1e12;

  private final Grid grid;
  private final int d;
  private final Outside outside;
  private final double factor; // per observation, 1 where nothing decays
  private final double[] ring; // of a sliding window: points, target, weight
  private final int capacity;
  private final @Nullable Map<ByteBuffer, Integer> added; // how often, where it can be taken back
  private final GridStatistics before; // observations outside the sliding window
  private int held;
  private int oldest;
  private long passed;
  private int left = -1; // the place in the ring of the last one that left
  private final double[] leaving;
  private GridStatistics known;
  private @Nullable GridAccumulator come;
  private @Nullable GridAccumulator gone;
  private double inflation = 1;
  private long seen;

  WindowedStatistics(GridStatistics from, Window window, Outside outside) {
    grid = from.grid();
    d = grid.dimensions();
    this.outside = outside;
    known = from;
    before = from;
    factor = window instanceof Window.Decaying decaying ? decaying.factor() : 1;
    capacity = window instanceof Window.Sliding sliding ? sliding.rows() : 0;
    ring =
        new double
            [Budget.numbers(
                capacity,
                d + 2,
                String.format(Locale.ROOT, "a window of %,d observations", capacity),
                "let it slide over fewer")];
    leaving = new double[d + 2];
    added = window instanceof Window.All all && all.revocable() ? new HashMap<>() : null;
  }

  /// Adds an observation; false if it lies outside and was skipped.
  boolean add(double[] x, int xo, double y, double weight) {
    left = -1;
    check(x, xo, y, weight);
    seen++;
    GridAccumulator sums = come;
    if (sums == null) come = sums = new GridAccumulator(grid, outside);
    double next = inflation / factor;
    sums.add(x, xo, y, weight * next);
    if (grid.outsideColumn(x, xo) >= 0) return false;
    inflation = next;
    if (inflation > MOST) look();
    if (capacity > 0) keep(x, xo, y, weight);
    if (added != null) added.merge(key(x, xo, y, weight), 1, Integer::sum);
    return true;
  }

  /// Throws if an observation cannot be added. The message has its number in the stream.
  private void check(double[] x, int xo, double y, double weight) {
    if (!Double.isFinite(y)) throw wrong("the target must be finite, got " + y);
    if (!(weight > 0 && weight < Double.POSITIVE_INFINITY))
      throw wrong("the weight must be > 0 and finite, got " + weight);
    int column = outside == Outside.ERROR ? grid.outsideColumn(x, xo) : -1;
    if (column >= 0)
      throw wrong(
          String.format(
              Locale.ROOT,
              "input column %d is %s, outside the %s; widen the grid or skip what lies outside",
              column + 1,
              x[xo + column],
              grid));
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(
        String.format(Locale.ROOT, "observation %,d: %s", seen + 1, what));
  }

  private void keep(double[] x, int xo, double y, double weight) {
    int at = (oldest + held) % capacity * (d + 2);
    if (held == capacity) {
      System.arraycopy(ring, at, leaving, 0, d + 2);
      left = oldest;
      oldest = (oldest + 1) % capacity;
      passed++;
      subtract(leaving, 0, leaving[d], leaving[d + 1]);
    } else {
      held++;
    }
    System.arraycopy(x, xo, ring, at, d);
    ring[at + d] = y;
    ring[at + d + 1] = weight;
  }

  private void subtract(double[] x, int xo, double y, double weight) {
    GridAccumulator sums = gone;
    if (sums == null) gone = sums = new GridAccumulator(grid, Outside.ERROR);
    sums.add(x, xo, y, weight);
  }

  /// Hands over the observation that the last one pushed out, if there is one.
  void leaving(Leaving sink) {
    if (left >= 0) sink.accept(leaving, 0, leaving[d], leaving[d + 1]);
  }

  /// Removes an observation that was added; false if it lies outside and was skipped.
  boolean forget(double[] x, int xo, double y, double weight) {
    if (added == null)
      throw new UnsupportedOperationException(
          "this window cannot take back an observation; use Window.REVOCABLE, which remembers them");
    if (outside == Outside.SKIP && grid.outsideColumn(x, xo) >= 0) return false;
    ByteBuffer key = key(x, xo, y, weight);
    if (!added.containsKey(key))
      throw new IllegalArgumentException(
          "the observation of %s at %s with weight %s was not added, or is forgotten already; forget only what was added"
              .formatted(y, Arrays.toString(Arrays.copyOfRange(x, xo, xo + d)), weight));
    added.computeIfPresent(key, (known, times) -> times > 1 ? times - 1 : null);
    subtract(x, xo, y, weight);
    return true;
  }

  /// The bits of an observation.
  private ByteBuffer key(double[] x, int xo, double y, double weight) {
    ByteBuffer bits = ByteBuffer.allocate(8 * (d + 2));
    for (int j = 0; j < d; j++) bits.putDouble(x[xo + j]);
    return bits.putDouble(y).putDouble(weight).flip();
  }

  GridStatistics statistics() {
    look();
    return known;
  }

  /// Joins the observations that came and those that left, about the newest origin.
  private void look() {
    if (capacity > 0 && passed >= (long) REBUILD * capacity) {
      passed = 0;
      GridAccumulator all = new GridAccumulator(grid, Outside.ERROR);
      for (int i = 0; i < held; i++) {
        int at = (oldest + i) % capacity * (d + 2);
        all.add(ring, at, ring[at + d], ring[at + d + 1]);
      }
      long skipped = known.skipped() + (come == null ? 0 : come.statistics().skipped());
      known = all.statistics().plus(before).withSkipped(skipped);
      come = null;
      gone = null;
      return;
    }
    if (come != null) {
      GridStatistics fresh = come.statistics();
      known = fresh.count() == 0 ? known.plus(fresh) : fresh.plus(known);
      if (factor != 1 && inflation != 1) known = known.scaled(1 / inflation);
      inflation = 1;
      come = null;
    }
    if (gone != null) {
      known = known.minus(gone.statistics());
      gone = null;
    }
  }
}
