package lovelace.options;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import lovelace.data.Column;
import lovelace.data.PlaceMap;
import lovelace.grid.GridText;
import org.jspecify.annotations.Nullable;

/// The grid that you ask for; rules fill in the rest from the data. The margin on each side of the
/// data is the largest of three things: 3 cells, 5 % of the range and, once it is known, one
/// lengthscale. A lengthscale gets about [#cellsPerLengthscale] cells, as far as the memory allows.
public final class GridChoice {

  /// With fewer cells per lengthscale than this, interpolation is visibly wrong.
  public static final double POOR = 2;

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
  private final List<String> names; // of the columns, for messages

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
  /// [lovelace.grid.Grid#SNAP] steps of a node are moved onto it. [#including] continues with the
  /// same step; with [#bounded], both ends must be nodes. Data without such a grid are refused.
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

  /// Sets the kernel's lengthscales, one for all axes or one for each; NaN if unknown.
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

  /// The points per axis that were asked for: none, one for all axes, or one for each.
  public int[] points() {
    return points.clone();
  }

  /// The ranges that the grid must cover.
  public List<Range> ranges() {
    return ranges;
  }

  /// The ranges that the grid must cover exactly.
  public List<Range> bounds() {
    return bounds;
  }

  /// The exact range of a column; null if none was asked for.
  public @Nullable Range bound(int column) {
    for (Range range : bounds) if (range.column == column) return range;
    return null;
  }

  /// The kernel's lengthscales: none, one for all axes, or one for each, NaN if unknown.
  public double[] lengthscales() {
    return lengthscales.clone();
  }

  /// The names of the columns; empty if none were given.
  public List<String> names() {
    return names;
  }

  /// The most memory that was asked for, in bytes; 0 if none was.
  public long askedMemory() {
    return memory;
  }

  /// The name of a column.
  public String name(int column) {
    return names.isEmpty() ? "column " + (column + 1) : names.get(column);
  }

  private static List<Range> with(List<Range> all, int column, double low, double high) {
    var more = new ArrayList<>(all);
    more.add(new Range(column, low, high));
    return List.copyOf(more);
  }

  public double cellsPerLengthscale() {
    return cellsPerLengthscale;
  }

  /// Whether nothing was asked for: neither points nor ranges.
  public boolean isAutomatic() {
    return points.length == 0 && !own && !hasRanges();
  }

  /// Whether nothing was asked for except a larger range. A model without a grid can provide that
  /// too.
  public boolean isOnlyExtended() {
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

  /// The grid whose nodes are the centres of the cells of a window.
  public GridChoice onCells() {
    return new GridChoice(
        new int[0], true, ranges, List.of(), lengthscales, cellsPerLengthscale, memory, names);
  }

  /// The choice for coordinates on a plane. A range of longitudes or latitudes becomes one in
  /// kilometres that contains it.
  ///
  /// @param low the smallest value of each column
  /// @param high the largest
  public GridChoice over(PlaceMap map, List<Column> columns, double[] low, double[] high) {
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
  public boolean isBounded(int column) {
    return bound(column) != null;
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

  /// The choice as text.
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
