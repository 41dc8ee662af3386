package lovelace.latticekernel;

import java.util.Arrays;
import lovelace.budget.Budget;
import lovelace.grid.StencilMatrix;

/// Products with F, a selection of the columns of a product of axis factors. They are computed axis
/// by axis.
public final class ModeProducts {

  private static final int NUMBERS = 1 << 22; // of the vectors computed at a time

  private final ThinKernelRoot all;
  private final int[] kept; // indices of the selection in the product
  private final int[] selected; // rank × d, the same axis by axis

  public ModeProducts(ThinKernelRoot all, int[] kept) {
    this.all = all;
    this.kept = kept;
    int d = all.dimensions();
    selected = new int[kept.length * d];
    for (int j = 0; j < kept.length; j++)
      for (int a = d - 1, rest = kept[j]; a >= 0; rest /= all.rank(a--))
        selected[j * d + a] = rest % all.rank(a);
  }

  /// The same selection of the products of squares.
  public ModeProducts squared() {
    int d = all.dimensions();
    int[] points = new int[d];
    int[] ranks = new int[d];
    double[][] squares = new double[d][];
    for (int a = 0; a < d; a++) {
      points[a] = all.points(a);
      ranks[a] = all.rank(a);
      squares[a] = Arrays.stream(all.factor(a)).map(v -> v * v).toArray();
    }
    return new ModeProducts(ThinKernelRoot.of(points, ranks, squares), kept);
  }

  public int rank() {
    return kept.length;
  }

  /// The number of points that F lies on.
  public int size() {
    return all.size();
  }

  public int dimensions() {
    return all.dimensions();
  }

  /// `FᵀGF`.
  public double[] gram(StencilMatrix g) {
    return GramContraction.of(g, all, kept);
  }

  /// Columns from ≤ j < to of F, one after another.
  public double[] columns(int from, int to) {
    return all.columns(Arrays.copyOfRange(kept, from, to));
  }

  private int batch() {
    return Math.max(1, NUMBERS / Math.max(all.size(), all.rank()));
  }

  /// `x ← Fᵀv` for `count` vectors. The first is at `v[vo]`, and each next one `vs` further on;
  /// their coefficients are laid out likewise.
  public void analyse(int count, double[] v, int vo, int vs, double[] x, int xo, int xs) {
    int m = all.size();
    for (int from = 0; from < count; from += batch()) {
      int some = Math.min(batch(), count - from);
      double[] own = v;
      if (vs != m || vo + from > 0) {
        own = new double[some * m];
        for (int c = 0; c < some; c++) System.arraycopy(v, vo + (from + c) * vs, own, c * m, m);
      }
      double[] t = all.contract(some, own);
      for (int c = 0; c < some; c++)
        for (int j = 0; j < kept.length; j++)
          x[xo + (from + c) * xs + j] = t[c * all.rank() + kept[j]];
    }
  }

  /// Adds `Fx` to `count` vectors, laid out as in [#analyse].
  public void synthesise(int count, double[] x, int xo, int xs, double[] v, int vo, int vs) {
    int m = all.size();
    for (int from = 0; from < count; from += batch()) {
      int some = Math.min(batch(), count - from);
      double[] t = new double[some * all.rank()];
      for (int c = 0; c < some; c++)
        for (int j = 0; j < kept.length; j++)
          t[c * all.rank() + kept[j]] = x[xo + (from + c) * xs + j];
      double[] u = all.expand(some, t);
      for (int c = 0; c < some; c++)
        for (int i = 0; i < m; i++) v[vo + (from + c) * vs + i] += u[c * m + i];
    }
  }

  /// The coefficients of one mode in a row of `count` numbers, spread over all columns of the
  /// product.
  public double[] spread(int count, double[] x, int xo) {
    double[] t =
        new double
            [Budget.numbers(
                all.rank(),
                count,
                "the coefficients of all modes",
                "use the krylov engine, a smaller grid")];
    for (int j = 0; j < kept.length; j++)
      System.arraycopy(x, xo + j * count, t, kept[j] * count, count);
    return t;
  }

  /// Adds `FX` to `beta` times the present content, for the points from ≤ i < to along the first of
  /// `lead` points of a grid, with one row of `count` numbers per point. X is laid out as by
  /// [#spread].
  public void rows(int count, double[] x, int lead, int from, int to, double beta, double[] out) {
    int each = all.points(0) / lead; // more than one if F has one axis for the whole grid
    all.expandColumns(count, x, from * each, to * each, beta, out);
  }

  /// Adds w times row i of F.
  public void addRow(int i, double w, double[] out, int oo) {
    int d = all.dimensions();
    int[] row = new int[d];
    for (int a = d - 1, rest = i; a >= 0; rest /= all.points(a--))
      row[a] = rest % all.points(a) * all.rank(a);
    double[] f = all.factor(0);
    if (d == 2) {
      double[] g = all.factor(1);
      for (int j = 0; j < kept.length; j++)
        out[oo + j] += w * f[row[0] + selected[2 * j]] * g[row[1] + selected[2 * j + 1]];
      return;
    }
    for (int j = 0; j < kept.length; j++) {
      double product = w * f[row[0] + selected[j * d]];
      for (int a = 1; a < d; a++) product *= all.factor(a)[row[a] + selected[j * d + a]];
      out[oo + j] += product;
    }
  }
}
