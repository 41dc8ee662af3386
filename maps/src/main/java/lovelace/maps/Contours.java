package lovelace.maps;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Lines along which values on a grid are equal, by marching squares. Values are linear between two
/// neighbours. If a cell of four can be read in two ways, the mean of the four decides. A cell with
/// a missing value has no lines. Higher values lie on the left of a line.
public final class Contours {

  /// A line as pairs of column and row, counted between the centres of pixels. The last pair of a
  /// closed line is its first.
  public static final class Line {
    private final double level;
    private final double[] places;

    private Line(double level, double[] places) {
      this.level = level;
      this.places = places;
    }

    /// The value along it.
    public double level() {
      return level;
    }

    /// A copy of the pairs.
    public double[] places() {
      return places.clone();
    }

    /// The column of a point.
    public double column(int i) {
      return places[2 * i];
    }

    /// The row of a point.
    public double row(int i) {
      return places[2 * i + 1];
    }

    /// The number of points.
    public int size() {
      return places.length / 2;
    }

    /// Whether it ends where it began.
    public boolean closed() {
      int last = size() - 1;
      return last > 0 && column(0) == column(last) && row(0) == row(last);
    }
  }

  private final double[] values;
  private final int width;
  private final int height;

  private Contours(double[] values, int width, int height) {
    this.values = values;
    this.width = width;
    this.height = height;
  }

  /// All lines of some levels through values, row-major. NaN means no value.
  public static List<Line> of(double[] values, int width, int height, double... levels) {
    if (values.length != width * height)
      throw new IllegalArgumentException(
          values.length + " values for " + width + " by " + height + " pixels");
    var contours = new Contours(values, width, height);
    List<Line> all = new ArrayList<>();
    for (double level : levels) contours.lines(level, all);
    return all;
  }

  /// About `count` round levels between the smallest and the largest value; empty if all values are
  /// equal.
  public static double[] levels(double[] values, int count) {
    double low = Arrays.stream(values).filter(Double::isFinite).min().orElse(0);
    double high = Arrays.stream(values).filter(Double::isFinite).max().orElse(0);
    double raw = (high - low) / (count + 1);
    if (!(raw > 0 && Double.isFinite(raw))) return new double[0];
    BigDecimal unit = BigDecimal.ONE.scaleByPowerOfTen((int) Math.floor(Math.log10(raw)));
    double leading = raw / unit.doubleValue();
    BigDecimal step =
        unit.multiply(
            BigDecimal.valueOf(leading <= 1.4 ? 1 : leading <= 2.8 ? 2 : leading <= 7 ? 5 : 10));
    BigDecimal at = new BigDecimal(low).divide(step, 0, RoundingMode.FLOOR).multiply(step);
    List<Double> levels = new ArrayList<>();
    for (; at.doubleValue() < high; at = at.add(step))
      if (at.doubleValue() > low) levels.add(at.doubleValue());
    return levels.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /// Finds the lines of a level. Edges between neighbours have numbers: twice the pixel at which an
  /// edge begins, plus one if it goes down.
  private void lines(double level, List<Line> all) {
    Map<Integer, Integer> next = new LinkedHashMap<>();
    Set<Integer> ends = new HashSet<>();
    for (int row = 0; row + 1 < height; row++)
      for (int column = 0; column + 1 < width; column++) cell(row, column, level, next, ends);
    // open lines first: they begin at an edge where no line ends
    for (int start : List.copyOf(next.keySet()))
      if (!ends.contains(start)) follow(start, level, next, all);
    while (!next.isEmpty()) follow(next.keySet().iterator().next(), level, next, all);
  }

  private void cell(
      int row, int column, double level, Map<Integer, Integer> next, Set<Integer> ends) {
    int at = row * width + column;
    double a = values[at]; // corners in clockwise order
    double b = values[at + 1];
    double c = values[at + width + 1];
    double d = values[at + width];
    double sum = a + b + c + d;
    if (!Double.isFinite(sum)) return;
    boolean[] above = {a >= level, b >= level, c >= level, d >= level};
    int[] edges = {2 * at, 2 * (at + 1) + 1, 2 * (at + width), 2 * at + 1};
    // Going clockwise round the cell, a line enters where values fall below the level (edge k lies
    // between corners k and k + 1), and leaves where they rise. So higher values are on its left.
    int crossings = 0;
    for (int k = 0; k < 4; k++) if (above[k] != above[(k + 1) % 4]) crossings++;
    if (crossings == 0) return;
    boolean joined = crossings == 4 && sum / 4 >= level; // the high corners are connected
    for (int k = 0; k < 4; k++) {
      if (!above[k] || above[(k + 1) % 4]) continue; // not falling
      int step = joined ? 1 : 3; // round the low corner behind it, or the high one before it
      int to = (k + step) % 4;
      while (above[to] || !above[(to + 1) % 4]) to = (to + step) % 4; // not rising
      next.put(edges[to], edges[k]);
      ends.add(edges[k]);
    }
  }

  /// Adds the line that begins at an edge.
  private void follow(int start, double level, Map<Integer, Integer> next, List<Line> all) {
    double[] places = new double[16];
    int size = 0;
    Integer at = start;
    while (at != null) {
      double[] place = place(at, level);
      boolean same = size > 0 && places[size - 2] == place[0] && places[size - 1] == place[1];
      if (!same) {
        if (size == places.length) places = Arrays.copyOf(places, 2 * size);
        places[size++] = place[0];
        places[size++] = place[1];
      }
      at = next.remove(at);
    }
    if (size >= 4) all.add(new Line(level, Arrays.copyOf(places, size)));
  }

  /// The place along an edge at which the values pass the level.
  private double[] place(int edge, double level) {
    int from = edge / 2;
    boolean down = edge % 2 == 1;
    double low = values[from];
    double high = values[from + (down ? width : 1)];
    double t = (level - low) / (high - low);
    int column = from % width;
    int row = from / width;
    return down ? new double[] {column, row + t} : new double[] {column + t, row};
  }
}
