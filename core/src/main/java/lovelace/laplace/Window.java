package lovelace.laplace;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import lovelace.data.Column;
import lovelace.data.Dataset;
import org.jspecify.annotations.Nullable;

/// The range in which events were observed, in each of one to three columns. It is cut into cells
/// of equal size, except that the last cell of each column ends with the window. Events are counted
/// cell by cell, and the size of a cell (its length, area or volume) is the exposure of its count.
/// Immutable.
public final class Window {

  /// The most cells of a window.
  public static final int MOST_CELLS = 4_000_000;

  /// A smaller share of a range or of a cell is rounding.
  private static final double SAME = 1e-9;

  private final double[] low;
  private final double[] high;
  private final double[] step;
  private final int[] cells;

  private Window(double[] low, double[] high, double[] step, int[] cells) {
    this.low = low;
    this.high = high;
    this.step = step;
    this.cells = cells;
  }

  /// A window from `low` to `high` in each column, with cells of length `step` along each. The last
  /// cell ends with the window.
  public static Window of(double[] low, double[] high, double[] step) {
    int d = low.length;
    if (d < 1 || d > 3 || high.length != d || step.length != d)
      throw new IllegalArgumentException("a window has 1 to 3 columns, got " + d);
    int[] cells = new int[d];
    double size = 1;
    for (int j = 0; j < d; j++) {
      if (!(low[j] < high[j] && Double.isFinite(high[j] - low[j])))
        throw new IllegalArgumentException(
            "a window needs finite low < high, got %s to %s".formatted(low[j], high[j]));
      double count = Math.ceil((high[j] - low[j]) / step[j] - SAME);
      if (!(count >= 4))
        throw new IllegalArgumentException(
            "a window needs at least 4 cells along each column, got cells of %s from %s to %s"
                .formatted(step[j], low[j], high[j]));
      size *= count;
      cells[j] = (int) Math.min(MOST_CELLS, count);
    }
    if (!(size <= MOST_CELLS))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a window has at most %,d cells, got %,.0f; give fewer grid points",
              MOST_CELLS,
              size));
    return new Window(low.clone(), high.clone(), step.clone(), cells);
  }

  public int dimensions() {
    return low.length;
  }

  /// The beginning of the window in a column.
  public double low(int column) {
    return low[column];
  }

  /// Its end. An event there counts for the last cell.
  public double high(int column) {
    return high[column];
  }

  /// The number of cells along a column.
  public int cells(int column) {
    return cells[column];
  }

  /// The length of a cell along a column, except the last.
  public double step(int column) {
    return step[column];
  }

  /// The number of cells.
  public int size() {
    int size = 1;
    for (int count : cells) size *= count;
    return size;
  }

  /// The length, area or volume of each cell.
  public double[] sizes() {
    double[] sizes = new double[size()];
    for (int i = 0; i < sizes.length; i++) {
      int rest = i;
      sizes[i] = 1;
      for (int j = cells.length - 1; j >= 0; j--) {
        boolean last = rest % cells[j] == cells[j] - 1;
        sizes[i] *= last ? high[j] - (low[j] + (cells[j] - 1) * step[j]) : step[j];
        rest /= cells[j];
      }
    }
    return sizes;
  }

  /// The first column in which a point, whose values start at `x[from]`, lies outside; −1 if it
  /// lies inside.
  public int outsideColumn(double[] x, int from) {
    for (int j = 0; j < low.length; j++)
      if (!(x[from + j] >= low[j] && x[from + j] <= high[j])) return j;
    return -1;
  }

  /// The number of the cell that contains a point of the window. The last column changes fastest.
  public int cell(double[] x, int from) {
    int cell = 0;
    for (int j = 0; j < low.length; j++) {
      int along = (int) ((x[from + j] - low[j]) / step[j] + SAME);
      cell = cell * cells[j] + Math.clamp(along, 0, cells[j] - 1);
    }
    return cell;
  }

  /// The centres of all cells, row-major, as if the last cells were whole.
  public double[] centres() {
    int d = low.length;
    int n = size();
    double[] x = new double[n * d];
    for (int i = 0; i < n; i++) {
      int rest = i;
      for (int j = d - 1; j >= 0; j--) {
        x[i * d + j] = low[j] + (rest % cells[j] + 0.5) * step[j];
        rest /= cells[j];
      }
    }
    return x;
  }

  /// The cells as observations: their centres, the number of events of each, and its size as
  /// weight.
  public Dataset counts(double[] counts, List<Column> columns, Column target) {
    return Dataset.of(centres(), columns, counts, target, sizes());
  }

  /// Whether another window is this one moved by `shift` in each column, up to rounding.
  public boolean isMoved(Window other, double... shift) {
    if (!Arrays.equals(cells, other.cells)) return false;
    for (int j = 0; j < low.length; j++) {
      double near = SAME * (high[j] - low[j]);
      if (Math.abs(low[j] + shift[j] - other.low[j]) > near
          || Math.abs(high[j] + shift[j] - other.high[j]) > near) return false;
    }
    return true;
  }

  /// The unit of an intensity: `events per day`, `events per km²`, or per unit of one column and of
  /// another.
  public String unit(List<Column> columns) {
    String first = columns.getFirst().unit();
    boolean power = columns.size() > 1 && !first.isEmpty();
    for (Column column : columns) power &= column.unit().equals(first) && column.time().isEmpty();
    if (power) return "events per " + first + (columns.size() == 2 ? "²" : "³");
    return columns.stream()
        .map(
            c ->
                c.time().isPresent()
                    ? c.unit().replaceAll("s$", "")
                    : c.unit().isEmpty() ? "unit of " + c.name() : c.unit())
        .collect(Collectors.joining(" and ", "events per ", ""));
  }

  /// Ranges and cells in words, with the names and dates of the columns.
  public String text(List<Column> columns) {
    StringBuilder text = new StringBuilder();
    for (int j = 0; j < low.length; j++) {
      Column column = columns.get(j);
      text.append(j == 0 ? "" : ", ")
          .append(column.name())
          .append(" from ")
          .append(end(column, low[j]))
          .append(" to ")
          .append(end(column, high[j]));
    }
    StringBuilder sizes = new StringBuilder();
    for (int count : cells) sizes.append(sizes.isEmpty() ? "" : " × ").append(count);
    return text.append(" in ").append(sizes).append(" cells").toString();
  }

  private static String end(Column column, double value) {
    return column.time().isPresent()
        ? column.format(value)
        : String.format(Locale.ROOT, "%.6g", value);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Window that
        && Arrays.equals(low, that.low)
        && Arrays.equals(high, that.high)
        && Arrays.equals(step, that.step);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(low) + Arrays.hashCode(high)) + Arrays.hashCode(step);
  }

  @Override
  public String toString() {
    return "window from %s to %s in %s cells"
        .formatted(Arrays.toString(low), Arrays.toString(high), Arrays.toString(cells));
  }
}
