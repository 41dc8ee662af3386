package lovelace.grid;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// A regular grid of 1 to 4 axes. Points and cells are numbered row by row, the last axis fastest.
/// A point x in a cell is interpolated from the 4ᵈ points around it with products of Keys' cubic
/// weights, at full order up to the edge of the outermost cells.
public final class Grid implements Lattice {

  /// The largest number of points of a grid. An array then holds 64 vectors of them, which is how
  /// many are worked on at once.
  public static final int MOST = (Integer.MAX_VALUE - 8) / 64;

  /// How far a row may lie off a node, in steps, for a grid that snaps to move it there. Rounding
  /// to four decimals leaves less, in half minutes of arc as degrees and in hours as days.
  public static final double SNAP = 0.01;

  private final Axis[] axes;
  private final int[] strides;
  private final int size;
  private final int cells;
  private final boolean snaps;

  private Grid(Axis[] axes, boolean snaps) {
    if (axes.length < 1 || axes.length > 4)
      throw new IllegalArgumentException(
          "a grid has 1 to 4 axes, got "
              + axes.length
              + "; model more input columns as an additive kernel or through a feature map");
    this.axes = axes;
    this.snaps = snaps;
    strides = new int[axes.length];
    long points = 1;
    for (int a = axes.length - 1; a >= 0; a--) {
      strides[a] = (int) points;
      points *= axes[a].points();
      if (points > MOST)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "a grid of %s points is too large, it may have %,d points; use fewer points per axis",
                describe(axes),
                MOST));
    }
    size = (int) points;
    int count = 1;
    for (Axis axis : axes) count *= axis.cells();
    cells = count;
  }

  public static Grid of(Axis... axes) {
    return new Grid(axes.clone(), false);
  }

  public static Grid of(List<Axis> axes) {
    return new Grid(axes.toArray(Axis[]::new), false);
  }

  /// The same grid for rows that lie on its nodes up to rounding. [#locate] moves a point within
  /// [#SNAP] steps of a node onto the node, so that rounded coordinates of pixels become the
  /// pixels.
  public Grid snapping() {
    return new Grid(axes, true);
  }

  /// Whether points near a node are moved onto it.
  public boolean snaps() {
    return snaps;
  }

  public Axis axis(int a) {
    return axes[a];
  }

  public List<Axis> axes() {
    return List.of(axes);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int dimensions() {
    return axes.length;
  }

  @Override
  public int stencilSize() {
    return 1 << (2 * axes.length);
  }

  /// The difference in index between neighbours along an axis.
  public int stride(int axis) {
    return strides[axis];
  }

  /// The number of cells.
  public int cells() {
    return cells;
  }

  /// The cell that holds x, or −1 if x lies outside.
  public int cell(double[] x, int xo) {
    int cell = 0;
    for (int a = 0; a < axes.length; a++) {
      int c = axes[a].cell(x[xo + a]);
      if (c < 0) return -1;
      cell = cell * axes[a].cells() + c;
    }
    return cell;
  }

  /// The cell that holds x, or −1 if x lies outside. `offset` receives the position inside the cell
  /// along each axis, in cells from its middle (−½ to ½), of x or of the node that it snaps to.
  public int locate(double[] x, int xo, double[] offset) {
    int cell = locate(0, x[xo], offset);
    if (axes.length == 1) return cell;
    int second = locate(1, x[xo + 1], offset);
    if ((cell | second) < 0) return -1;
    cell = cell * axes[1].cells() + second;
    for (int a = 2; a < axes.length; a++) {
      int c = locate(a, x[xo + a], offset);
      if ((c | cell) < 0) return -1;
      cell = cell * axes[a].cells() + c;
    }
    return cell;
  }

  private int locate(int a, double x, double[] offset) {
    Axis axis = axes[a];
    double u = (x - axis.origin()) / axis.step();
    if (!(u >= 1 - Axis.SLACK && u <= axis.points() - 2 + Axis.SLACK)) return -1;
    if (snaps) {
      double node = Math.rint(u);
      if (Math.abs(u - node) <= SNAP) u = node;
    }
    int c = axis.cellOf(u);
    offset[a] = u - c - 1.5;
    return c;
  }

  /// The lowest grid point of a cell's stencil. The others are at [#stencilShifts] from it.
  public int corner(int cell) {
    int corner = 0;
    for (int a = axes.length - 1; a >= 0; a--) {
      int count = axes[a].cells();
      corner += cell % count * strides[a];
      cell /= count;
    }
    return corner;
  }

  /// The index differences between the 4ᵈ points of a stencil and its lowest one.
  public int[] stencilShifts() {
    int[] shifts = new int[stencilSize()];
    int filled = 1;
    for (int stride : strides) {
      for (int j = filled - 1; j >= 0; j--) {
        int base = shifts[j];
        for (int p = 0; p < 4; p++) shifts[4 * j + p] = base + p * stride;
      }
      filled *= 4;
    }
    return shifts;
  }

  @Override
  public boolean stencil(double[] x, int xo, int[] index, double[] weight) {
    index[0] = 0;
    weight[0] = 1;
    int filled = 1;
    for (int a = 0; a < axes.length; a++) {
      Axis axis = axes[a];
      double u = (x[xo + a] - axis.origin()) / axis.step();
      if (!(u >= 1 - Axis.SLACK && u <= axis.points() - 2 + Axis.SLACK)) return false;
      int c = axis.cellOf(u);
      double t = u - c - 1.5;
      double tt = t * t;
      double e0 = -0.0625 + 0.25 * tt;
      double o0 = t * (0.125 - 0.5 * tt);
      double e1 = 0.5625 - 0.25 * tt;
      double o1 = t * (1.5 * tt - 1.375);
      int stride = strides[a];
      for (int j = filled - 1; j >= 0; j--) {
        double w = weight[j];
        int i = index[j] + c * stride;
        int k = 4 * j;
        weight[k] = w * (e0 + o0);
        weight[k + 1] = w * (e1 + o1);
        weight[k + 2] = w * (e1 - o1);
        weight[k + 3] = w * (e0 - o0);
        index[k] = i;
        index[k + 1] = i + stride;
        index[k + 2] = i + 2 * stride;
        index[k + 3] = i + 3 * stride;
      }
      filled *= 4;
    }
    return true;
  }

  @Override
  public boolean stencilGradient(
      double[] x, int xo, int[] index, double[] weight, double[] gradient) {
    if (!stencil(x, xo, index, weight)) return false;
    int d = axes.length;
    int count = stencilSize();
    Arrays.fill(gradient, 0, d * count, 1);
    int inner = count;
    for (int a = 0; a < d; a++) {
      Axis axis = axes[a];
      double u = (x[xo + a] - axis.origin()) / axis.step();
      double t = u - axis.cellOf(u) - 1.5;
      inner /= 4;
      for (int k = 0; k < count; k++) {
        int q = 4 * (k / inner % 4);
        double c1 = Keys.WEIGHTS[q + 1];
        double c2 = Keys.WEIGHTS[q + 2];
        double c3 = Keys.WEIGHTS[q + 3];
        double value = Keys.WEIGHTS[q] + t * (c1 + t * (c2 + t * c3));
        double slope = (c1 + t * (2 * c2 + t * 3 * c3)) / axis.step();
        for (int column = 0; column < d; column++)
          gradient[column * count + k] *= column == a ? slope : value;
      }
    }
    return true;
  }

  @Override
  public int outsideColumn(double[] x, int xo) {
    for (int a = 0; a < axes.length; a++) if (!axes[a].covers(x[xo + a])) return a;
    return -1;
  }

  @Override
  public double low(int column) {
    return axes[column].low();
  }

  @Override
  public double high(int column) {
    return axes[column].high();
  }

  @Override
  public double[] constant() {
    double[] ones = new double[size];
    Arrays.fill(ones, 1);
    return ones;
  }

  @Override
  public double[] coordinates(int column) {
    double[] all = new double[size];
    Axis axis = axes[column];
    for (int i = 0; i < size; i++) all[i] = axis.at(i / strides[column] % axis.points());
    return all;
  }

  /// The coordinates of grid point i.
  public double[] point(int i) {
    double[] x = new double[axes.length];
    for (int a = 0; a < axes.length; a++) x[a] = axes[a].at(i / strides[a] % axes[a].points());
    return x;
  }

  /// All grid points, row-major m×d.
  public double[] points() {
    int d = axes.length;
    double[] all = new double[size * d];
    for (int i = 0; i < size; i++)
      for (int a = 0; a < d; a++) all[i * d + a] = axes[a].at(i / strides[a] % axes[a].points());
    return all;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Grid grid && snaps == grid.snaps && Arrays.equals(axes, grid.axes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(axes);
  }

  /// For example `100×100 grid over [−1, 1] × [0, 5]`.
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(describe(axes)).append(" grid over ");
    for (int a = 0; a < axes.length; a++)
      text.append(a == 0 ? "[" : " × [")
          .append(GridText.number(axes[a].low()))
          .append(", ")
          .append(GridText.number(axes[a].high()))
          .append(']');
    return text.toString();
  }

  private static String describe(Axis[] axes) {
    StringBuilder text = new StringBuilder();
    for (Axis axis : axes) text.append(text.isEmpty() ? "" : "×").append(axis.points());
    return text.toString();
  }
}
