package lovelace.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.grid.AdditiveCells;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.CellPolynomials;
import lovelace.grid.ColumnValues;
import lovelace.grid.Grid;
import lovelace.grid.GridText;
import lovelace.grid.Lattice;
import lovelace.grid.StencilMatrix;
import lovelace.options.GridChoice;
import lovelace.options.GridChoice.Range;
import lovelace.statistics.CellMoments;
import org.jspecify.annotations.Nullable;

/// The rules that turn the grid that was asked for into one for the data.
public final class GridRule {

  private static final int[] DEFAULT_POINTS = {1000, 100, 30, 14};

  /// The most points of a grid whose cells are finer than [#COARSE] a lengthscale.
  private static final int[] FINE_POINTS = {200_000, 100_000, 27_000, 38_416};

  /// The cells per lengthscale that a grid gets in any case.
  private static final double COARSE = 6;

  private static final int[] ADDITIVE_POINTS = {100, 30, 12, 8};

  private final GridChoice choice;
  private final int[] points;
  private final List<Range> ranges;
  private final List<Range> bounds;
  private final double[] lengthscales;
  private final double cellsPerLengthscale;

  private GridRule(GridChoice choice) {
    this.choice = choice;
    points = choice.points();
    ranges = choice.ranges();
    bounds = choice.bounds();
    lengthscales = choice.lengthscales();
    cellsPerLengthscale = choice.cellsPerLengthscale();
  }

  /// The rules for a grid that was asked for.
  public static GridRule of(GridChoice choice) {
    return new GridRule(choice);
  }

  /// Chooses the grid for points, given row by row with `dimensions` columns.
  public ChosenLattice choose(double[] data, int dimensions) {
    double[] low = new double[dimensions];
    double[] high = new double[dimensions];
    Arrays.fill(low, Double.POSITIVE_INFINITY);
    Arrays.fill(high, Double.NEGATIVE_INFINITY);
    for (int i = 0; i < data.length; i++) {
      int a = i % dimensions;
      if (!Double.isFinite(data[i]))
        throw new IllegalArgumentException(
            "row "
                + GridText.count(i / dimensions + 1)
                + ": input column "
                + (a + 1)
                + " is "
                + data[i]
                + "; drop the row");
      low[a] = Math.min(low[a], data[i]);
      high[a] = Math.max(high[a], data[i]);
    }
    if (!choice.isOnData()) return choose(low, high);
    List<ColumnValues> values = new ArrayList<>();
    for (int a = 0; a < dimensions; a++) values.add(new ColumnValues());
    for (int i = 0; i < data.length; i++)
      values.get(i % dimensions).add(data[i], i / dimensions + 1);
    return new OwnGrid(this, choice).choose(values, null);
  }

  /// Chooses the grid for data that span `low` to `high` in each column.
  public ChosenLattice choose(double[] low, double[] high) {
    int d = low.length;
    if (d < 1 || d > 4)
      throw new IllegalArgumentException(
          "a grid has 1 to 4 axes, the data have "
              + d
              + " columns; use an additive kernel or a feature map");
    if (choice.isOnData())
      throw new IllegalStateException("the data's own grid is chosen from their values");
    Span[] spans = spans(low, high);
    int[] counts = new int[d];
    double cells = cellsPerLengthscale;
    for (int a = 0; a < d; a++) counts[a] = wanted(spans[a], DEFAULT_POINTS[d - 1], cells);
    boolean fine = false;
    while (points.length == 0 && product(counts) > FINE_POINTS[d - 1] && cells > COARSE) {
      cells = Math.max(COARSE, 0.95 * cells);
      for (int a = 0; a < d; a++) counts[a] = wanted(spans[a], DEFAULT_POINTS[d - 1], cells);
      fine = true;
    }
    boolean limited = points.length == 0 && shrink(counts, d);
    Axis[] axes = axes(spans, counts);
    Grid grid = Grid.of(axes);
    requireRoom(grid);
    String limit =
        limited
            ? "; limited by the memory allowed, " + GridText.bytes(choice.memory())
            : fine ? "; limited to " + GridText.count(FINE_POINTS[d - 1]) + " points" : "";
    return new ChosenLattice(choice, grid, axes, spans, grid.toString(), limit);
  }

  /// Chooses grids side by side for a sum of functions, one grid for the columns of each component.
  /// Every column has a single axis, whichever components read it. Unless you ask for more, there
  /// are at most [AdditiveCells#MOST] points in all, so the cost of a prediction depends only on
  /// the number of components.
  public ChosenLattice choose(double[] low, double[] high, List<int[]> components) {
    int d = low.length;
    Span[] spans = spans(low, high);
    int[] widest = new int[d];
    for (int[] columns : components)
      for (int a : columns) widest[a] = Math.max(widest[a], columns.length);
    int[] counts = new int[d];
    for (int a = 0; a < d; a++)
      counts[a] =
          wanted(spans[a], ADDITIVE_POINTS[Math.clamp(widest[a], 1, 4) - 1], cellsPerLengthscale);
    boolean limited = false;
    while (points.length == 0 && total(counts, components) > AdditiveCells.MOST) {
      int largest = 0;
      for (int a = 0; a < d; a++) if (counts[a] > counts[largest]) largest = a;
      if (counts[largest] <= 8) break;
      counts[largest] = Math.max(8, (int) (0.9 * counts[largest]));
      limited = true;
    }
    Axis[] axes = axes(spans, counts);
    AdditiveGrid grid = sum(axes, components);
    requireRoom(grid);
    String limit = limited ? "; limited to " + AdditiveCells.MOST + " points in all" : "";
    return new ChosenLattice(choice, grid, axes, spans, grid.toString(), limit);
  }

  /// The grid whose nodes are the values of the columns. Fails if the values of a column are not
  /// nodes.
  ///
  /// @param components the columns of each grid of a sum, null for one grid
  public ChosenLattice chooseOwn(List<ColumnValues> values, @Nullable List<int[]> components) {
    return new OwnGrid(this, choice).choose(values, components);
  }

  static AdditiveGrid sum(Axis[] axes, List<int[]> components) {
    List<AdditiveGrid.Component> parts = new ArrayList<>();
    for (int[] columns : components) {
      Axis[] read = new Axis[columns.length];
      for (int a = 0; a < read.length; a++) read[a] = axes[columns[a]];
      parts.add(new AdditiveGrid.Component(Grid.of(read), columns));
    }
    return AdditiveGrid.of(axes.length, parts);
  }

  private static long total(int[] counts, List<int[]> components) {
    long sum = 0;
    for (int[] columns : components) {
      long product = 1;
      for (int a : columns) product *= counts[a];
      sum += product;
    }
    return sum;
  }

  private Span[] spans(double[] low, double[] high) {
    int d = low.length;
    requireColumns(d);
    Span[] spans = new Span[d];
    for (int a = 0; a < d; a++) spans[a] = span(a, low[a], high[a]);
    return spans;
  }

  void requireColumns(int d) {
    requireFits(points.length, d, "points per axis");
    requireFits(lengthscales.length, d, "lengthscales");
    if (!choice.names().isEmpty() && choice.names().size() != d)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expected one name for each of %d columns, got %d",
              d,
              choice.names().size()));
    for (Range range : ranges) requireColumn(range, d);
    for (Range range : bounds) requireColumn(range, d);
  }

  private static Axis[] axes(Span[] spans, int[] counts) {
    Axis[] axes = new Axis[spans.length];
    for (int a = 0; a < axes.length; a++) axes[a] = axis(spans[a], counts[a]);
    return axes;
  }

  void requireRoom(Lattice lattice) {
    long bytes = Costs.bytes(lattice);
    if ((choice.isOnData() || points.length > 0)
        && choice.askedMemory() > 0
        && bytes > choice.askedMemory())
      throw new IllegalArgumentException(
          "a %s takes %s, more than the %s allowed; give fewer grid points or allow more memory"
              .formatted(lattice, GridText.bytes(bytes), GridText.bytes(choice.askedMemory())));
    if (lattice instanceof Grid grid && grid.dimensions() < 4)
      CellPolynomials.requireArray(grid, true);
  }

  private static void requireFits(int given, int d, String what) {
    if (given > 1 && given != d)
      throw new IllegalArgumentException(
          what + " must be one number or one per column (" + d + "), got " + given);
  }

  private static void requireColumn(Range range, int d) {
    if (range.column() < 0 || range.column() >= d)
      throw new IllegalArgumentException(
          "a grid range names column %s, counted from 0, and the number of columns is %s"
              .formatted(range.column(), d));
  }

  private Span span(int a, double low, double high) {
    double lengthscale = pick(lengthscales, a, Double.NaN);
    int count = points.length == 0 ? 0 : points[points.length == 1 ? 0 : a];
    for (Range range : bounds)
      if (range.column() == a)
        return new Span(range.low(), range.high(), 0, lengthscale, true, count);
    for (Range range : ranges)
      if (range.column() == a) {
        low = Math.min(low, range.low());
        high = Math.max(high, range.high());
      }
    if (!(low <= high))
      throw new IllegalArgumentException(
          choice.name(a) + " has no data to choose a grid from; give its bounds");
    if (low == high) { // one value: adds room on both sides, on a known scale
      double room = lengthscale > 0 ? lengthscale : Math.max(0.5, 1e-3 * Math.abs(low));
      low -= room;
      high += room;
    }
    // a lengthscale beyond the range adds nothing: the function is nearly linear there
    double known = lengthscale > 0 ? Math.min(lengthscale, high - low) : 0;
    double margin = Math.max(0.05 * (high - low), known);
    return new Span(low, high, margin, lengthscale, false, count);
  }

  static double pick(double[] values, int a, double otherwise) {
    return values.length == 0 ? otherwise : values[values.length == 1 ? 0 : a];
  }

  private static long product(int[] counts) {
    long product = 1;
    for (int count : counts) product *= count;
    return product;
  }

  private static int wanted(Span span, int otherwise, double cellsPerLengthscale) {
    if (span.points() > 0) return span.points();
    if (!(span.lengthscale() > 0)) return otherwise;
    double reach = span.high() - span.low() + 2 * span.margin();
    double cells = Math.ceil(cellsPerLengthscale * reach / span.lengthscale());
    return (int) Math.min(1_000_000, Math.max(cells + 9, 16));
  }

  /// Lowers the counts together until the grid's matrices fit in memory. Returns whether it had to.
  private boolean shrink(int[] counts, int d) {
    long perPoint = 8L * (StencilMatrix.diagonalCount(d) + CellMoments.width(d));
    if (d == 4) perPoint = 8L * CellMoments.width(d) / 4; // occupied cells only
    boolean limited = false;
    while (true) {
      double total = perPoint;
      int largest = 0;
      for (int a = 0; a < d; a++) {
        total *= counts[a];
        if (counts[a] > counts[largest]) largest = a;
      }
      if (total <= choice.memory() || counts[largest] <= 8) return limited;
      double factor = Math.max(0.5, Math.pow(choice.memory() / total, 1.0 / d));
      for (int a = 0; a < d; a++) counts[a] = Math.max(8, (int) (counts[a] * factor));
      limited = true;
    }
  }

  /// An axis with a margin of at least three cells. The margin and the size of a cell depend on
  /// each other: `h = (range + 6h)/cells`.
  private static Axis axis(Span span, int count) {
    if (span.fixed()) return Axis.covering(span.low(), span.high(), count);
    double range = span.high() - span.low();
    double margin = span.margin();
    int cells = count - 3;
    if (3 * (range + 2 * margin) / cells > margin && cells > 6) margin = 3 * range / (cells - 6);
    return Axis.covering(span.low() - margin, span.high() + margin, count);
  }
}
