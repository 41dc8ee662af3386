package lovelace.exact;

import java.util.Arrays;
import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;

/// Work on many points in panels of one fixed width, padded with zeros. So a point goes through the
/// same sequence of operations alone, in any batch and at any position in it.
public final class Panels {

  public static final int WIDTH = 128;

  private Panels() {}

  @FunctionalInterface
  public interface Body {
    /// Handles the points `[from, to)`, at most [#WIDTH] of them.
    void accept(int from, int to);
  }

  public static void forEach(int count, Body body) {
    Parallel.forEach(
        Math.ceilDiv(count, WIDTH), p -> body.accept(p * WIDTH, Math.min(count, (p + 1) * WIDTH)));
  }

  /// Rows `[from, to)` of `k(points, centres)` in a panel of [#WIDTH] rows. The remaining rows are
  /// zero.
  public static double[] kernelRows(
      Kernel kernel, double[] points, int from, int to, double[] centres, int n, int d) {
    double[] panel = new double[WIDTH * n];
    kernel.matrix(Arrays.copyOfRange(points, from * d, to * d), to - from, centres, n, panel);
    return panel;
  }

  /// `B ← B L⁻ᵀ` for a panel B: each row b becomes L⁻¹b.
  public static void solveLower(double[] l, int n, double[] panel) {
    Blas.trsm(true, true, WIDTH, n, 1, l, 0, n, panel, 0, n);
  }

  /// `B ← B L⁻ᵀ` for any number of whole panels.
  public static void solveLowerAll(double[] l, int n, double[] panels) {
    Parallel.forEach(
        panels.length / (WIDTH * n),
        p -> Blas.trsm(true, true, WIDTH, n, 1, l, 0, n, panels, p * WIDTH * n, n));
  }

  /// The share of a prior variance below which a posterior variance cannot be told from rounding,
  /// because it is the difference of two sums of n terms.
  public static double rounding(int n) {
    return 50 * Math.ulp(1.0) * Math.sqrt(n);
  }

  /// The number of points. Each must have d finite coordinates.
  public static int count(double[] points, int d) {
    if (points.length % d != 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "points must hold rows of %d coordinates, got %d numbers",
              d,
              points.length));
    for (int i = 0; i < points.length; i++)
      if (!Double.isFinite(points[i]))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "coordinate %d of point %d is %s, it must be finite",
                i % d + 1,
                i / d + 1,
                points[i]));
    return points.length / d;
  }

  /// The length of a dense matrix, which must fit into one array.
  public static int size(long rows, long columns) {
    return Budget.numbers(
        rows, columns, "a dense matrix", "ask for fewer points at once, fit the model on a grid");
  }

  /// All panels of `L⁻¹ k(centres, points)`: row i is `L⁻¹ k(centres, xᵢ)`. The number of rows is
  /// rounded up to whole panels.
  public static double[] solvedRows(
      Kernel kernel, double[] points, int count, double[] centres, int n, int d, double[] l) {
    double[] rows = new double[size((long) Math.ceilDiv(count, WIDTH) * WIDTH, n)];
    forEach(
        count,
        (from, to) -> {
          double[] panel = kernelRows(kernel, points, from, to, centres, n, d);
          solveLower(l, n, panel);
          System.arraycopy(panel, 0, rows, from * n, panel.length);
        });
    return rows;
  }

  /// `C ← C + scale · A Bᵀ`, where A and B are whole panels of rows of length n. C is ta × tb and
  /// covers only the points.
  public static void addProduct(
      double scale, double[] a, int ta, double[] b, int tb, int n, double[] c) {
    int across = Math.ceilDiv(tb, WIDTH);
    Parallel.forEach(
        Math.ceilDiv(ta, WIDTH) * across,
        p -> {
          int i0 = p / across * WIDTH;
          int j0 = p % across * WIDTH;
          double[] tile = new double[WIDTH * WIDTH];
          Blas.gemm(false, true, WIDTH, WIDTH, n, 1, a, i0 * n, n, b, j0 * n, n, 0, tile, 0, WIDTH);
          for (int i = i0; i < Math.min(ta, i0 + WIDTH); i++)
            for (int j = j0; j < Math.min(tb, j0 + WIDTH); j++)
              c[i * tb + j] += scale * tile[(i - i0) * WIDTH + j - j0];
        });
  }

  /// `Σ aᵢbᵢ` over n entries, always in the same order.
  public static double dot(double[] a, int ao, double[] b, int bo, int n) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i + 3 < n; i += 4) {
      s0 += a[ao + i] * b[bo + i];
      s1 += a[ao + i + 1] * b[bo + i + 1];
      s2 += a[ao + i + 2] * b[bo + i + 2];
      s3 += a[ao + i + 3] * b[bo + i + 3];
    }
    for (; i < n; i++) s0 += a[ao + i] * b[bo + i];
    return (s0 + s1) + (s2 + s3);
  }
}
