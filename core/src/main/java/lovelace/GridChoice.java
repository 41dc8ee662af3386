package lovelace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import lovelace.costs.Costs;
import lovelace.data.Column;
import lovelace.data.PlaceMap;
import lovelace.grid.AdditiveCells;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.CellPolynomials;
import lovelace.grid.ColumnValues;
import lovelace.grid.ColumnValues.Nodes;
import lovelace.grid.Grid;
import lovelace.grid.GridText;
import lovelace.grid.Lattice;
import lovelace.grid.StencilMatrix;
import lovelace.laplace.Window;
import lovelace.statistics.CellMoments;
import org.jspecify.annotations.Nullable;

/// Chooses a grid for data: what you ask for, and rules for the rest. The margin on each side of
/// the data is the largest of three things: 3 cells, 5 % of the range and, once it is known, one
/// lengthscale. A lengthscale gets about [#cellsPerLengthscale] cells, as far as the memory allows.
public final class GridChoice {

  /// With fewer cells per lengthscale than this, interpolation is visibly wrong.
  public static final double POOR = 2;

  private static final int[] DEFAULT_POINTS = {1000, 100, 30, 14};

  /// The most points of a grid whose cells are finer than [#COARSE] a lengthscale.
  private static final int[] FINE_POINTS = {200_000, 100_000, 27_000, 38_416};

  /// The cells per lengthscale that a grid gets in any case.
  private static final double COARSE = 6;

  private static final int[] ADDITIVE_POINTS = {100, 30, 12, 8};

  /// From so many steps off their nodes, rows are said to be moved; less is rounding of doubles.
  private static final double MOVED = 1e-9;

  private static final long AUTOMATIC = 512L << 20;

  /// Range and number of points come from the data; tables and matrices use at most 512 MiB.
  public static final GridChoice DEFAULT =
      new GridChoice(new int[0], false, List.of(), List.of(), new double[0], 6, 0, List.of());

  private final int[] points;
  private final boolean own; // the data's own nodes were asked for
  private final List<Range> ranges;
  private final List<Range> bounds;
  private final double[] lengthscales;
  private final double cellsPerLengthscale;
  private final long memory; // 0: not asked for
  private final List<String> names; // of the columns, for words

  /// A range that the grid must cover in one input column. Columns are counted from 0.
  public record Range(int column, double low, double high) {
    public Range {
      if (!(low < high && low > Double.NEGATIVE_INFINITY && high < Double.POSITIVE_INFINITY))
        throw new IllegalArgumentException(
            "a grid range needs finite low < high, got " + low + " to " + high);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "column %d from %s to %s",
          column,
          GridText.number(low),
          GridText.number(high));
    }
  }

  /// A lattice, and the reasons for its form.
  public static final class Chosen {

    private final GridChoice choice;
    private final Lattice lattice;
    private final Axis[] axes;
    private final Span[] spans;
    private final String limit;
    private final String what;

    private Chosen(
        GridChoice choice, Lattice lattice, Axis[] axes, Span[] spans, String what, String limit) {
      this.choice = choice;
      this.what = what;
      this.lattice = lattice;
      this.axes = axes;
      this.spans = spans;
      this.limit = limit;
    }

    public Lattice lattice() {
      return lattice;
    }

    /// Whether its nodes are those of the data.
    boolean isOwn() {
      return lattice instanceof Grid grid && grid.snaps();
    }

    /// The grid, if the lattice is a single one.
    public Grid grid() {
      return (Grid) lattice;
    }

    /// The same lattice with lengthscales that became known later, one per column; NaN where
    /// unknown.
    public Chosen withLengthscales(double... perAxis) {
      Span[] known = new Span[spans.length];
      for (int a = 0; a < known.length; a++) known[a] = spans[a].with(perAxis[a]);
      return new Chosen(choice, lattice, axes, known, what, limit);
    }

    /// Describes the lattice and how fine it is.
    public String explanation() {
      return choice.explain(what, axes, spans, limit);
    }

    /// Advice for a poor lattice; empty if the lattice is good.
    public String advice() {
      return choice.advise(axes, spans);
    }
  }

  private GridChoice(
      int[] points,
      boolean own,
      List<Range> ranges,
      List<Range> bounds,
      double[] lengthscales,
      double cellsPerLengthscale,
      long memory,
      List<String> names) {
    this.points = points;
    this.own = own;
    this.ranges = ranges;
    this.bounds = bounds;
    this.lengthscales = lengthscales;
    this.cellsPerLengthscale = cellsPerLengthscale;
    this.memory = memory;
    this.names = names;
  }

  /// Sets the points per axis: one number for all axes, or one for each.
  public GridChoice withPoints(int... perAxis) {
    for (int count : perAxis)
      if (count < 4 || count > 10_000_000)
        throw new IllegalArgumentException(
            "points per axis must lie between 4 and 10,000,000, got " + count);
    return new GridChoice(
        perAxis.clone(), false, ranges, bounds, lengthscales, cellsPerLengthscale, memory, names);
  }

  /// Uses the data's own grid. This works if the values of every column are equally spaced; gaps
  /// are allowed. The values become the nodes, with a margin of two nodes on each side. Rows within
  /// [Grid#SNAP] steps of a node are moved onto it. [#including] continues with the same step; with
  /// [#bounded], both ends must be nodes. Data without such a grid are refused.
  public GridChoice onData() {
    return new GridChoice(
        new int[0], true, ranges, bounds, lengthscales, cellsPerLengthscale, memory, names);
  }

  /// Whether the data's own grid was asked for.
  public boolean isOnData() {
    return own;
  }

  /// Sets the points per axis by text: `1000`, `100x100`, or `data` for the data's own grid.
  public GridChoice withPoints(String text) {
    if (text.strip().equalsIgnoreCase("data")) return onData();
    String[] parts = text.trim().toLowerCase(Locale.ROOT).split("[x×]", -1);
    int[] counts = new int[parts.length];
    for (int a = 0; a < parts.length; a++)
      try {
        counts[a] = Integer.parseInt(parts[a].trim());
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "grid points must look like 1000 or 100x100, or be 'data', got '" + text + "'", e);
      }
    return withPoints(counts);
  }

  /// Makes the grid cover at least `low` to `high` in a column, in addition to the data. Use it for
  /// a forecast horizon.
  public GridChoice including(int column, double low, double high) {
    return new GridChoice(
        points,
        own,
        with(ranges, column, low, high),
        bounds,
        lengthscales,
        cellsPerLengthscale,
        memory,
        names);
  }

  /// Makes the grid cover exactly `low` to `high` in a column, whatever the data. This replaces
  /// earlier bounds of the column.
  public GridChoice bounded(int column, double low, double high) {
    List<Range> others = bounds.stream().filter(range -> range.column != column).toList();
    return new GridChoice(
        points,
        own,
        ranges,
        with(others, column, low, high),
        lengthscales,
        cellsPerLengthscale,
        memory,
        names);
  }

  /// Sets the kernel's lengthscales, one for all axes or one for each; NaN where unknown.
  public GridChoice withLengthscales(double... perAxis) {
    return new GridChoice(
        points, own, ranges, bounds, perAxis.clone(), cellsPerLengthscale, memory, names);
  }

  /// Sets the column names for explanations and advice, in place of `column 1` and so on.
  public GridChoice withNames(List<String> columns) {
    return new GridChoice(
        points,
        own,
        ranges,
        bounds,
        lengthscales,
        cellsPerLengthscale,
        memory,
        List.copyOf(columns));
  }

  private String name(int column) {
    return names.isEmpty() ? "column " + (column + 1) : names.get(column);
  }

  /// Sets how many cells a lengthscale should get if nothing else limits them; the default is 6.
  public GridChoice withCellsPerLengthscale(double cells) {
    if (!(cells >= POOR && cells <= 1000))
      throw new IllegalArgumentException(
          "cells per lengthscale must lie between 2 and 1000, got " + cells);
    return new GridChoice(points, own, ranges, bounds, lengthscales, cells, memory, names);
  }

  /// Limits the bytes for the statistics and tables of the grid. An automatic grid becomes coarser
  /// to fit. A number of points that you asked for is refused if it does not fit.
  public GridChoice withMemory(long bytes) {
    if (bytes <= 0) throw new IllegalArgumentException("memory must be > 0 bytes, got " + bytes);
    return new GridChoice(
        points, own, ranges, bounds, lengthscales, cellsPerLengthscale, bytes, names);
  }

  /// The bytes that the statistics and tables of an automatic grid may use.
  public long memory() {
    return memory == 0 ? AUTOMATIC : memory;
  }

  /// Whether you set the number of points.
  public boolean hasPoints() {
    return points.length > 0;
  }

  /// Estimates how many bytes the statistics, matrices and tables of a lattice take.
  public static long bytes(Lattice lattice) {
    return Costs.bytes(lattice);
  }

  private void requireRoom(Lattice lattice) {
    long bytes = bytes(lattice);
    if ((own || points.length > 0) && memory > 0 && bytes > memory)
      throw new IllegalArgumentException(
          "a %s takes %s, more than the %s allowed; give fewer grid points or allow more memory"
              .formatted(lattice, GridText.bytes(bytes), GridText.bytes(memory)));
    if (lattice instanceof Grid grid && grid.dimensions() < 4)
      CellPolynomials.requireArray(grid, true);
  }

  private static List<Range> with(List<Range> all, int column, double low, double high) {
    var more = new ArrayList<>(all);
    more.add(new Range(column, low, high));
    return List.copyOf(more);
  }

  public double cellsPerLengthscale() {
    return cellsPerLengthscale;
  }

  /// Chooses the grid for points, given row by row with `dimensions` columns.
  public Chosen choose(double[] data, int dimensions) {
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
    if (!own) return choose(low, high);
    List<ColumnValues> values = new ArrayList<>();
    for (int a = 0; a < dimensions; a++) values.add(new ColumnValues());
    for (int i = 0; i < data.length; i++)
      values.get(i % dimensions).add(data[i], i / dimensions + 1);
    return chooseOwn(values, null);
  }

  /// Chooses the grid for data that span `low` to `high` in each column.
  public Chosen choose(double[] low, double[] high) {
    int d = low.length;
    if (d < 1 || d > 4)
      throw new IllegalArgumentException(
          "a grid has 1 to 4 axes, the data have "
              + d
              + " columns; use an additive kernel or a feature map");
    if (own) throw new IllegalStateException("the data's own grid is chosen from their values");
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
            ? "; limited by the memory allowed, " + GridText.bytes(memory())
            : fine ? "; limited to " + GridText.count(FINE_POINTS[d - 1]) + " points" : "";
    return new Chosen(this, grid, axes, spans, grid.toString(), limit);
  }

  /// Chooses grids side by side for a sum of functions, one grid for the columns of each component.
  /// Every column has a single axis, whichever components read it. Unless you ask for more, there
  /// are at most [AdditiveCells#MOST] points in all, so the cost of a prediction depends only on
  /// the number of components.
  public Chosen choose(double[] low, double[] high, List<int[]> components) {
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
    return new Chosen(this, grid, axes, spans, grid.toString(), limit);
  }

  private static AdditiveGrid sum(Axis[] axes, List<int[]> components) {
    List<AdditiveGrid.Component> parts = new ArrayList<>();
    for (int[] columns : components) {
      Axis[] read = new Axis[columns.length];
      for (int a = 0; a < read.length; a++) read[a] = axes[columns[a]];
      parts.add(new AdditiveGrid.Component(Grid.of(read), columns));
    }
    return AdditiveGrid.of(axes.length, parts);
  }

  /// The grid whose nodes the values of the columns are. Fails with a column that has none.
  ///
  /// @param components the columns of each grid of a sum, null for one grid
  Chosen chooseOwn(List<ColumnValues> values, @Nullable List<int[]> components) {
    int d = values.size();
    requireColumns(d);
    Axis[] axes = new Axis[d];
    Span[] spans = new Span[d];
    List<String> sizes = new ArrayList<>();
    double size = 1;
    double off = 0;
    boolean extended = false;
    boolean margin = false;
    for (int a = 0; a < d; a++) {
      Nodes nodes = nodes(a, values.get(a));
      if (nodes == null) throw new IllegalArgumentException(reason(a, values.get(a)));
      boolean fixed = range(bounds, a) != null;
      Range reach = reach(a, nodes);
      axes[a] =
          fixed
              ? Axis.covering(nodes.first(), nodes.last(), nodes.count() + 2)
              : nodes.axis(reach.low, reach.high);
      double lengthscale = pick(lengthscales, a, Double.NaN);
      spans[a] = new Span(reach.low, reach.high, 2 * nodes.step(), lengthscale, fixed, 0);
      sizes.add(Integer.toString(nodes.count()));
      size *= axes[a].points();
      off = Math.max(off, nodes.off());
      extended |= !fixed && axes[a].points() > nodes.count() + 4;
      margin |= !fixed;
    }
    if (components == null && size > Grid.MOST)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the data's own grid has %,.0f points (%s and their margin), and a grid may have at most %,d; give a number of grid points instead",
              size,
              String.join(" × ", sizes),
              Grid.MOST));
    Lattice lattice = components == null ? Grid.of(axes).snapping() : sum(axes, components);
    requireRoom(lattice);
    String what =
        "the data's own "
            + (d == 1
                ? "grid of " + sizes.getFirst() + " nodes"
                : String.join("×", sizes) + " grid")
            + (extended ? ", continued over the ranges given" : "")
            + (margin ? ", with a margin of two" : "")
            + (components == null ? "" : ", in a " + lattice);
    String moved =
        components == null && off > MOVED
            ? String.format(
                Locale.ROOT, "; rows up to %.1g of a step off a node are moved onto it", off)
            : "";
    return new Chosen(this, lattice, axes, spans, what, moved);
  }

  /// How many nodes the data's own grid has, without a margin; 0 where there is no such grid.
  double ownNodes(List<ColumnValues> values) {
    double product = 1;
    for (int a = 0; a < values.size(); a++) {
      Nodes nodes = nodes(a, values.get(a));
      if (nodes == null) return 0;
      Range reach = reach(a, nodes);
      product *= 1 + Math.rint((reach.high - reach.low) / nodes.step());
    }
    return product;
  }

  /// What the data's nodes and the ranges asked for cover of a column.
  private Range reach(int a, Nodes nodes) {
    double low = nodes.first();
    double high = nodes.last();
    for (Range range : ranges)
      if (range.column == a && range(bounds, a) == null) {
        low = Math.min(low, range.low);
        high = Math.max(high, range.high);
      }
    return new Range(a, low, high);
  }

  private String reason(int a, ColumnValues values) {
    String column = names.isEmpty() ? name(a) : "column '" + name(a) + "'";
    Range bound = range(bounds, a);
    if (bound == null) return values.reason(column);
    ColumnValues inside = values.within(bound.low, bound.high);
    return inside.nodes() == null
        ? inside.reason(column)
        : "the bounds of %s, %s to %s, are not nodes of the data's own grid, whose step is %s; give bounds that are nodes, or a number of grid points"
            .formatted(
                column,
                GridText.number(bound.low),
                GridText.number(bound.high),
                GridText.number(inside.nodes().step()));
  }

  private @Nullable Nodes nodes(int a, ColumnValues values) {
    Range bound = range(bounds, a);
    return bound == null
        ? values.nodes()
        : values.within(bound.low, bound.high).nodes(bound.low, bound.high);
  }

  private static @Nullable Range range(List<Range> all, int column) {
    for (Range range : all) if (range.column == column) return range;
    return null;
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

  private void requireColumns(int d) {
    requireFits(points.length, d, "points per axis");
    requireFits(lengthscales.length, d, "lengthscales");
    if (!names.isEmpty() && names.size() != d)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "expected one name for each of %d columns, got %d", d, names.size()));
    for (Range range : ranges) requireColumn(range, d);
    for (Range range : bounds) requireColumn(range, d);
  }

  private static Axis[] axes(Span[] spans, int[] counts) {
    Axis[] axes = new Axis[spans.length];
    for (int a = 0; a < axes.length; a++) axes[a] = axis(spans[a], counts[a]);
    return axes;
  }

  /// Whether nothing was asked for: neither points nor ranges.
  public boolean isAutomatic() {
    return points.length == 0 && !own && !hasRanges();
  }

  /// Whether nothing was asked for but to reach further. A model without a grid does that too.
  boolean isOnlyExtended() {
    return points.length == 0 && !own && bounds.isEmpty();
  }

  /// Whether you gave a range for some column.
  public boolean hasRanges() {
    return !ranges.isEmpty() || !bounds.isEmpty();
  }

  /// Whether you gave a range for this column.
  public boolean hasRange(int column) {
    return Stream.concat(ranges.stream(), bounds.stream()).anyMatch(r -> r.column == column);
  }

  /// The window of events that span `low` to `high`: bounds where they were given, else that range;
  /// with the cells that were asked for, else about `usual` of them. Events at equally spaced
  /// values, whole days or years, get cells of one spacing or a few, so that each cell holds as
  /// many of the values; such a value stands for the time until the next.
  ///
  /// @param spacings of the values of each column, 0 where they are not equally spaced
  Window window(double[] low, double[] high, double[] spacings, int[] usual) {
    int d = low.length;
    if (own)
      throw new IllegalArgumentException(
          "the data's own grid needs rows with a target, and events have none; give the number of cells along each column, or leave the grid out");
    if (points.length > 1 && points.length != d)
      throw new IllegalArgumentException(
          "grid points are given for %s columns, and events have %s; give one number, or one for each column"
              .formatted(points.length, d));
    double[] from = low.clone();
    double[] to = high.clone();
    double[] step = new double[d];
    for (int a = 0; a < d; a++) {
      Range bound = range(bounds, a);
      from[a] = bound == null ? low[a] : bound.low;
      to[a] = bound == null ? high[a] + spacings[a] : bound.high;
      int asked = points.length == 0 ? usual[a] : points[points.length == 1 ? 0 : a];
      step[a] = (to[a] - from[a]) / asked;
      boolean enough = 4 * spacings[a] <= to[a] - from[a];
      if (points.length == 0 && spacings[a] > 0 && enough)
        step[a] = spacings[a] * Math.max(1, Math.ceil(step[a] / spacings[a] - MOVED));
    }
    return Window.of(from, to, step);
  }

  /// The grid whose nodes are the centres of the cells of a window.
  GridChoice onCells() {
    return new GridChoice(
        new int[0], true, ranges, List.of(), lengthscales, cellsPerLengthscale, memory, names);
  }

  /// The choice for coordinates on a plane, made for the columns: a range of longitudes or
  /// latitudes becomes one of kilometres that holds it.
  ///
  /// @param low the least value of each column
  /// @param high the largest
  GridChoice over(PlaceMap map, List<Column> columns, double[] low, double[] high) {
    int east = map.east();
    int north = map.north();
    for (int j : new int[] {east, north})
      if (isBounded(j))
        throw new IllegalArgumentException(
            "the grid covers projected coordinates (%2$s), so '%1$s' cannot have exact bounds; extend the grid to a range instead, or use the columns unchanged (no coordinate system, no anisotropy)"
                .formatted(columns.get(j).name(), map));
    if (!hasRange(east) && !hasRange(north)) return this;
    double[] from = low.clone();
    double[] to = high.clone();
    for (Range range : ranges) {
      from[range.column] = Math.min(from[range.column], range.low);
      to[range.column] = Math.max(to[range.column], range.high);
    }
    if (map.projection() != PlaceMap.Projection.NONE && to[east] - from[east] > 180)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' reaches from %s to %s, over more than half of the Earth; a range of the grid needs longitudes that do not jump at 180: write them from 0 to 360, or leave the range out",
              columns.get(east).name(),
              from[east],
              to[east]));
    double[] first = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
    double[] second = first.clone();
    double[] x = low.clone();
    double[] z = new double[x.length];
    for (int i = 0; i <= 64; i++)
      for (int j = 0; j <= 64; j += i == 0 || i == 64 ? 1 : 64) { // the edge
        x[east] = from[east] + (to[east] - from[east]) * i / 64;
        x[north] = from[north] + (to[north] - from[north]) * j / 64;
        String why = map.refusal(x, 0).orElse(null);
        if (why != null) throw new IllegalArgumentException("a range of the grid: " + why);
        map.apply(x, 1, z);
        first[0] = Math.min(first[0], z[east]);
        first[1] = Math.max(first[1], z[east]);
        second[0] = Math.min(second[0], z[north]);
        second[1] = Math.max(second[1], z[north]);
      }
    List<Range> others =
        ranges.stream().filter(r -> r.column != east && r.column != north).toList();
    return new GridChoice(
            points, own, others, bounds, lengthscales, cellsPerLengthscale, memory, names)
        .including(east, first[0], first[1])
        .including(north, second[0], second[1]);
  }

  /// Whether bounds of this column were given.
  boolean isBounded(int column) {
    return range(bounds, column) != null;
  }

  /// Restricts a choice for d columns to some of them, given in ascending order.
  public GridChoice keeping(int d, int... columns) {
    return new GridChoice(
        points.length == d ? Arrays.stream(columns).map(c -> points[c]).toArray() : points,
        own,
        kept(ranges, columns),
        kept(bounds, columns),
        lengthscales.length == d
            ? Arrays.stream(columns).mapToDouble(c -> lengthscales[c]).toArray()
            : lengthscales,
        cellsPerLengthscale,
        memory,
        names.size() == d ? Arrays.stream(columns).mapToObj(names::get).toList() : names);
  }

  private static List<Range> kept(List<Range> ranges, int[] columns) {
    return ranges.stream()
        .filter(r -> Arrays.binarySearch(columns, r.column) >= 0)
        .map(r -> new Range(Arrays.binarySearch(columns, r.column), r.low, r.high))
        .toList();
  }

  private static void requireFits(int given, int d, String what) {
    if (given > 1 && given != d)
      throw new IllegalArgumentException(
          what + " must be one number or one per column (" + d + "), got " + given);
  }

  private static void requireColumn(Range range, int d) {
    if (range.column < 0 || range.column >= d)
      throw new IllegalArgumentException(
          "a grid range names column %s, counted from 0, and the number of columns is %s"
              .formatted(range.column, d));
  }

  /// What one axis must cover, and how far it reaches beyond. Fixed bounds get no margin.
  private record Span(
      double low, double high, double margin, double lengthscale, boolean fixed, int points) {

    Span with(double known) {
      return new Span(low, high, margin, known, fixed, points);
    }
  }

  private Span span(int a, double low, double high) {
    double lengthscale = pick(lengthscales, a, Double.NaN);
    int count = points.length == 0 ? 0 : points[points.length == 1 ? 0 : a];
    for (Range range : bounds)
      if (range.column == a) return new Span(range.low, range.high, 0, lengthscale, true, count);
    for (Range range : ranges)
      if (range.column == a) {
        low = Math.min(low, range.low);
        high = Math.max(high, range.high);
      }
    if (!(low <= high))
      throw new IllegalArgumentException(
          name(a) + " has no data to choose a grid from; give its bounds");
    if (low == high) { // one value: room on both sides, on the scale of what is known
      double room = lengthscale > 0 ? lengthscale : Math.max(0.5, 1e-3 * Math.abs(low));
      low -= room;
      high += room;
    }
    // a lengthscale beyond the range adds nothing: the function is all but linear there
    double known = lengthscale > 0 ? Math.min(lengthscale, high - low) : 0;
    double margin = Math.max(0.05 * (high - low), known);
    return new Span(low, high, margin, lengthscale, false, count);
  }

  private static double pick(double[] values, int a, double otherwise) {
    return values.length == 0 ? otherwise : values[values.length == 1 ? 0 : a];
  }

  private static long product(int[] counts) {
    long product = 1;
    for (int count : counts) product *= count;
    return product;
  }

  private static int wanted(Span span, int otherwise, double cellsPerLengthscale) {
    if (span.points > 0) return span.points;
    if (!(span.lengthscale > 0)) return otherwise;
    double reach = span.high - span.low + 2 * span.margin;
    double cells = Math.ceil(cellsPerLengthscale * reach / span.lengthscale);
    return (int) Math.min(1_000_000, Math.max(cells + 9, 16));
  }

  /// Lowers the counts together until the grid's matrices fit in memory; whether it had to.
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
      if (total <= memory() || counts[largest] <= 8) return limited;
      double factor = Math.max(0.5, Math.pow(memory() / total, 1.0 / d));
      for (int a = 0; a < d; a++) counts[a] = Math.max(8, (int) (counts[a] * factor));
      limited = true;
    }
  }

  /// The margin is at least three cells, whose size depends on it: `h = (range + 6h)/cells`.
  private static Axis axis(Span span, int count) {
    if (span.fixed) return Axis.covering(span.low, span.high, count);
    double range = span.high - span.low;
    double margin = span.margin;
    int cells = count - 3;
    if (3 * (range + 2 * margin) / cells > margin && cells > 6) margin = 3 * range / (cells - 6);
    return Axis.covering(span.low - margin, span.high + margin, count);
  }

  private String explain(String what, Axis[] axes, Span[] spans, String limit) {
    StringBuilder text = new StringBuilder(what);
    for (int a = 0; a < spans.length; a++) {
      text.append(a == 0 ? ": " : ", ").append(spans.length == 1 ? "" : name(a) + " ");
      text.append(GridText.number(round(axes[a].step()))).append(" apart");
      double cells = spans[a].lengthscale / axes[a].step();
      if (cells > 0)
        text.append(String.format(Locale.ROOT, " (%.1f cells per lengthscale)", cells));
      if (spans[a].fixed) text.append(" within the bounds given, and one point beyond each");
    }
    if (points.length > 0) text.append("; points as given");
    return text.append(limit).toString();
  }

  private static double round(double value) {
    double unit = Math.pow(10, Math.floor(Math.log10(value)) - 2);
    return Math.rint(value / unit) * unit;
  }

  private String advise(Axis[] axes, Span[] spans) {
    @Nullable String worst = null;
    StringBuilder better = new StringBuilder();
    for (int a = 0; a < spans.length; a++) {
      Axis axis = axes[a];
      double cells = spans[a].lengthscale / axis.step();
      int need = axis.points();
      if (cells < POOR) { // false for an unknown lengthscale
        need = 3 + (int) Math.ceil(axis.cells() * cellsPerLengthscale / cells);
        if (worst == null)
          worst =
              String.format(
                  Locale.ROOT,
                  "the lengthscale of %s, %s, is only %.1f cells; below about 2 the model"
                      + " misses detail between grid points",
                  name(a),
                  GridText.number(spans[a].lengthscale),
                  cells);
      }
      better.append(a == 0 ? "" : "x").append(need);
    }
    return worst == null ? "" : worst + ". Use a grid of " + better + " points or a shorter range.";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GridChoice that
        && Arrays.equals(points, that.points)
        && own == that.own
        && ranges.equals(that.ranges)
        && bounds.equals(that.bounds)
        && Arrays.equals(lengthscales, that.lengthscales)
        && cellsPerLengthscale == that.cellsPerLengthscale
        && memory == that.memory
        && names.equals(that.names);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(points), own, ranges, bounds, memory);
  }

  /// What was asked for.
  @Override
  public String toString() {
    List<String> asked = new ArrayList<>();
    if (points.length > 0) asked.add("points " + Arrays.toString(points));
    if (own) asked.add("the data's own nodes");
    for (Range r : ranges) asked.add("including " + r);
    for (Range r : bounds) asked.add("bounded by " + r);
    if (lengthscales.length > 0) asked.add("lengthscales " + Arrays.toString(lengthscales));
    if (cellsPerLengthscale != DEFAULT.cellsPerLengthscale)
      asked.add(GridText.number(cellsPerLengthscale) + " cells per lengthscale");
    if (memory > 0) asked.add("memory " + GridText.bytes(memory));
    return asked.isEmpty() ? "from the data" : String.join(", ", asked);
  }
}
