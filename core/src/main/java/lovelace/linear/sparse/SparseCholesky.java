package lovelace.linear.sparse;

import java.util.Locale;
import lovelace.budget.Budget;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// The factorisation `P A Pᵀ = L Lᵀ` of a sparse symmetric positive definite matrix, P the order of
/// a [NestedDissection]. Nothing is added to the diagonal. Immutable; safe to share between
/// threads.
///
/// Fronts are dense and use [Blas]; subtrees run in parallel. The updates of children are added in
/// a fixed order, so the number of threads does not change a bit of the result.
public final class SparseCholesky {

  private static final double[] NONE = {};

  private final Fronts fronts;

  /// The columns of L for every front: its own rows, then the later ones, row-major.
  private final double[][] panels;

  private SparseCholesky(Fronts fronts) {
    this.fronts = fronts;
    panels = new double[fronts.count()][];
  }

  /// Factors the matrix with the given values on the pattern of the fronts. The caller keeps the
  /// array. Throws [PivotException] if the matrix is not positive definite.
  public static SparseCholesky of(Fronts fronts, double[] values) {
    if (values.length != fronts.pattern().entries())
      throw new IllegalArgumentException(
          "the pattern has " + fronts.pattern().entries() + " entries, got " + values.length);
    Budget.require(8 * fronts.numbers(), "a sparse factor", "use fewer grid points");
    var factor = new SparseCholesky(fronts);
    var failures = new @Nullable PivotException[fronts.count()];
    fronts.forRoots(b -> factor.eliminate(b, values, failures));
    for (PivotException failure : failures) if (failure != null) throw failure;
    return factor;
  }

  /// Factors front b after its children. Returns the lower triangle of the update for the later
  /// rows, which the parent adds. Passes a failure up.
  private double[] eliminate(int b, double[] values, @Nullable PivotException[] failures) {
    int[] children = fronts.children(b);
    var updates = new double[children.length][];
    fronts.forChildren(b, i -> updates[i] = eliminate(children[i], values, failures));
    int w = fronts.width(b);
    int h = fronts.height(b);
    double[] panel = new double[(w + h) * w];
    double[] update = h == 0 ? NONE : new double[h * h];
    fronts.toPanel(b, values, panel);
    for (int i = 0; i < children.length; i++) {
      failures[b] = failures[children[i]];
      if (failures[b] != null) return NONE;
      add(children[i], updates[i], w, h, panel, update);
    }
    int pivot = Blas.potrf(w, panel, 0, w);
    if (pivot != 0) {
      failures[b] = failure(b, values, updates, pivot);
      return NONE;
    }
    Blas.trsm(true, true, h, w, 1, panel, 0, w, panel, w * w, w);
    if (h > 0) Blas.syrk(false, h, w, -1, panel, w * w, w, 1, update, 0, h);
    panels[b] = panel;
    return update;
  }

  /// Adds the update of a child to the front of its parent.
  private void add(int child, double[] below, int w, int h, double[] panel, double[] update) {
    int[] to = fronts.inParent(child);
    int n = to.length;
    int own = fronts.eliminatedByParent(child, w);
    Parallel.chunks(
        n,
        Math.max(Fronts.ROWS, 65_536 / Math.max(n, 1)),
        (index, first, last) -> {
          for (int i = first; i < last; i++) {
            int row = i * n;
            int p = to[i] * w;
            for (int j = 0; j < Math.min(own, i + 1); j++) panel[p + to[j]] += below[row + j];
            int u = (to[i] - w) * h - w;
            for (int j = own; j <= i; j++) update[u + to[j]] += below[row + j];
          }
        });
  }

  /// Assembles the front again and eliminates up to the pivot that failed.
  private PivotException failure(int b, double[] values, double[][] updates, int pivot) {
    int w = fronts.width(b);
    int h = fronts.height(b);
    int[] children = fronts.children(b);
    for (int last = pivot - 1; ; ) {
      double[] panel = new double[(w + h) * w];
      double[] update = new double[h * h];
      fronts.toPanel(b, values, panel);
      for (int i = 0; i < children.length; i++) add(children[i], updates[i], w, h, panel, update);
      int earlier = Blas.potrf(last, panel, 0, w);
      if (earlier == 0) {
        int row = last * w;
        Blas.trsm(true, true, 1, last, 1, panel, 0, w, panel, row, w);
        double value = panel[row + last] - Blas.dot(last, panel, row, panel, row);
        int place = fronts.order().start(b) + last;
        return new PivotException(fronts.order().point(place), place, value);
      }
      last = earlier - 1; // rounding decided otherwise this time
    }
  }

  public Fronts fronts() {
    return fronts;
  }

  /// The columns of L that front b eliminates. Not a copy.
  double[] panel(int b) {
    return panels[b];
  }

  /// `log det A = 2 Σ log Lᵢᵢ`.
  public double logDeterminant() {
    double sum = 0;
    for (int b = 0; b < panels.length; b++) {
      int w = fronts.width(b);
      for (int i = 0; i < w; i++) sum += Math.log(panels[b][i * w + i]);
    }
    return 2 * sum;
  }

  /// `b ← A⁻¹ b`.
  public void solve(double[] b) {
    solveBlock(1, b);
  }

  /// `B ← A⁻¹ B`, with B n × columns, row-major.
  public void solveBlock(int columns, double[] b) {
    solveLower(columns, b);
    solveLowerTransposed(columns, b);
  }

  /// `B ← L⁻¹ P B`, with B n × columns, row-major. Rows by points become rows by position in the
  /// order.
  public void solveLower(int columns, double[] b) {
    check(columns, b);
    double[] x = new double[b.length];
    NestedDissection order = fronts.order();
    for (int p = 0; p < order.size(); p++)
      System.arraycopy(b, order.point(p) * columns, x, p * columns, columns);
    fronts.forRoots(root -> forward(root, columns, x));
    System.arraycopy(x, 0, b, 0, b.length);
  }

  /// `B ← Pᵀ L⁻ᵀ B`, with B n × columns, row-major. Rows by position in the order become rows by
  /// points. White noise becomes a draw with covariance A⁻¹.
  public void solveLowerTransposed(int columns, double[] b) {
    check(columns, b);
    double[] x = b.clone();
    fronts.forRoots(root -> backward(root, columns, x));
    NestedDissection order = fronts.order();
    for (int p = 0; p < order.size(); p++)
      System.arraycopy(x, p * columns, b, order.point(p) * columns, columns);
  }

  private void check(int columns, double[] b) {
    if (columns < 0 || b.length != (long) fronts.order().size() * columns)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "B must be %d × %d, got %d numbers",
              fronts.order().size(),
              columns,
              b.length));
  }

  /// Solves the rows of front b after those below it. Returns the numbers to be added to the later
  /// rows.
  private double[] forward(int b, int columns, double[] x) {
    int[] children = fronts.children(b);
    var sums = new double[children.length][];
    fronts.forChildren(b, i -> sums[i] = forward(children[i], columns, x));
    int w = fronts.width(b);
    int h = fronts.height(b);
    int from = fronts.order().start(b) * columns;
    double[] sum = h == 0 ? NONE : new double[h * columns];
    for (int i = 0; i < children.length; i++) {
      int[] to = fronts.inParent(children[i]);
      int own = fronts.eliminatedByParent(children[i], w);
      for (int r = 0; r < to.length; r++)
        if (r < own) Blas.axpy(columns, 1, sums[i], r * columns, x, from + to[r] * columns);
        else Blas.axpy(columns, 1, sums[i], r * columns, sum, (to[r] - w) * columns);
    }
    double[] l = panels[b];
    Blas.trsm(false, false, w, columns, 1, l, 0, w, x, from, columns);
    if (columns == 1) Blas.gemv(false, h, w, -1, l, w * w, w, x, from, 1, sum, 0);
    else product(false, h, columns, w, l, w, x, from, sum, 0);
    return sum;
  }

  private void backward(int b, int columns, double[] x) {
    int w = fronts.width(b);
    int h = fronts.height(b);
    int from = fronts.order().start(b) * columns;
    int[] rows = fronts.rows(b);
    double[] later = new double[h * columns];
    for (int r = 0; r < h; r++) System.arraycopy(x, rows[r] * columns, later, r * columns, columns);
    double[] l = panels[b];
    if (columns == 1) Blas.gemv(true, h, w, -1, l, w * w, w, later, 0, 1, x, from);
    else product(true, w, columns, h, l, w, later, 0, x, from);
    Blas.trsm(false, true, w, columns, 1, l, 0, w, x, from, columns);
    int[] children = fronts.children(b);
    fronts.forChildren(b, i -> backward(children[i], columns, x));
  }

  /// `C ← C − op(M) B`, where M is the part of a panel for the later rows.
  private static void product(
      boolean trans,
      int m,
      int n,
      int k,
      double[] l,
      int w,
      double[] b,
      int bo,
      double[] c,
      int co) {
    Blas.gemm(trans, false, m, n, k, -1, l, w * w, w, b, bo, n, 1, c, co, n);
  }

  /// A pivot is not positive, so the matrix is not positive definite. If there are several, this is
  /// the first one in the order of elimination.
  public static final class PivotException extends ArithmeticException {

    private static final long serialVersionUID = 1;

    private final int point;
    private final double value;

    PivotException(int point, int place, double value) {
      super(
          String.format(
              Locale.ROOT,
              "the sparse matrix is not positive definite: the pivot of row %d (number %d of the elimination) is %g, and must be > 0; check for NaN, or add noise",
              point,
              place,
              value));
      this.point = point;
      this.value = value;
    }

    /// The row of the matrix at which elimination stopped.
    public int point() {
      return point;
    }

    /// The remainder of its diagonal entry.
    public double value() {
      return value;
    }
  }
}
