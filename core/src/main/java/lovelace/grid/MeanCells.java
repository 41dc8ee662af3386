package lovelace.grid;

import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// Several functions on one grid of one or two axes as polynomials per cell, like the means of
/// [CellPolynomials]. The polynomials of a cell lie next to each other, and the cell is found once
/// for all functions. Immutable.
public final class MeanCells {

  private final Axis first;
  private final @Nullable Axis second;
  private final double perFirst; // cells per unit
  private final double perSecond;
  private final int functions;
  private final double[] table;

  private MeanCells(Grid grid, int functions, double[] table) {
    first = grid.axis(0);
    second = grid.dimensions() == 2 ? grid.axis(1) : null;
    perFirst = 1 / first.step();
    perSecond = second == null ? 0 : 1 / second.step();
    this.functions = functions;
    this.table = table;
  }

  /// The bytes of such a table; the largest long for more than two axes, which have none.
  public static long bytes(Grid grid, int functions) {
    int d = grid.dimensions();
    return d > 2 ? Long.MAX_VALUE : 8L * grid.cells() * functions * Keys.power(4, d);
  }

  /// Makes the table from the values of the functions at the grid points. The values at a point are
  /// adjacent.
  public static MeanCells of(Grid grid, double[] nodes, int functions) {
    int width = Keys.power(4, grid.dimensions());
    double[] table = new double[grid.cells() * functions * width];
    Parallel.forEach(
        functions,
        j -> {
          double[] own = new double[grid.size()];
          for (int i = 0; i < own.length; i++) own[i] = nodes[i * functions + j];
          double[] one = CellPolynomials.of(grid, own).table();
          for (int c = 0; c < grid.cells(); c++)
            System.arraycopy(one, c * width, table, (c * functions + j) * width, width);
        });
    return new MeanCells(grid, functions, table);
  }

  /// Writes all functions at the point that starts at `x[xo]`. Returns false outside the grid.
  public boolean evaluate(double[] x, int xo, double[] out, int oo) {
    double u = (x[xo] - first.origin()) * perFirst;
    if (!inside(first, u)) return false;
    int c = first.cellOf(u);
    double s = u - c - 1.5;
    if (second == null) {
      for (int j = 0, at = c * functions * 4; j < functions; j++, at += 4)
        out[oo + j] = cubic(at, s);
      return true;
    }
    double v = (x[xo + 1] - second.origin()) * perSecond;
    if (!inside(second, v)) return false;
    int e = second.cellOf(v);
    double t = v - e - 1.5;
    for (int j = 0, at = (c * second.cells() + e) * functions * 16; j < functions; j++, at += 16)
      out[oo + j] =
          cubic(at, t) + s * (cubic(at + 4, t) + s * (cubic(at + 8, t) + s * cubic(at + 12, t)));
    return true;
  }

  private static boolean inside(Axis axis, double u) {
    return u >= 1 - Axis.SLACK && u <= axis.points() - 2 + Axis.SLACK;
  }

  private double cubic(int at, double t) {
    double[] c = table;
    return c[at] + t * (c[at + 1] + t * (c[at + 2] + t * c[at + 3]));
  }
}
