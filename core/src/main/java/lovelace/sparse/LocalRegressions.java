package lovelace.sparse;

import java.util.Arrays;
import java.util.Locale;
import lovelace.kernel.Kernel;
import lovelace.latticekernel.LatticeKernel;
import lovelace.latticekernel.StationaryPart;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;

/// Each node of a grid regressed on its conditioning set (Vecchia 1988): `xᵢ | earlier ~ N(Σⱼ Bᵢⱼ
/// xⱼ, Dᵢ)`. All nodes of a shape share one small system. Immutable.
public final class LocalRegressions {

  /// A conditional variance below this share of k(0) is rounding.
  private static final double ROUNDING = 1e-10;

  /// The most pieces into which shapes are divided, which bounds the memory for their sums.
  private static final int PIECES = 16;

  private final ConditioningSets sets;
  private final StationaryPart part;
  private final double[][] rows;
  private final double[] variances;

  private LocalRegressions(
      ConditioningSets sets, StationaryPart part, double[][] rows, double[] variances) {
    this.sets = sets;
    this.part = part;
    this.rows = rows;
    this.variances = variances;
  }

  /// The regressions for a kernel over the grid of the sets. The sets may come from other
  /// parameters.
  ///
  /// @throws ArithmeticException if a conditional variance is lost in rounding: the kernel is too
  ///   smooth on this grid
  public static LocalRegressions of(ConditioningSets sets, LatticeKernel.Block block) {
    StationaryPart part = stationary(block);
    if (!block.grid().equals(sets.grid()))
      throw new IllegalArgumentException(
          "the kernel lies on the " + block.grid() + ", its conditioning sets on " + sets.grid());
    double[] lagValues = part.lagValues();
    double[][] rows = new double[sets.shapes()][];
    double[] variances = new double[sets.shapes()];
    Parallel.chunks(
        sets.shapes(),
        chunk(sets.shapes()),
        (piece, from, to) -> {
          for (int s = from; s < to; s++) {
            int n = sets.jumps(s).length;
            double[] row = new double[n];
            variances[s] = Point.solve(n, covariances(sets, s, lagValues), row);
            rows[s] = new double[n];
            for (int j = 0; j < n; j++) rows[s][member(sets, s, j)] = row[j];
          }
        });
    for (int s = 0; s < variances.length; s++)
      if (!(variances[s] >= ROUNDING * lagValues[0]))
        throw new ArithmeticException(
            String.format(
                Locale.ROOT,
                "the kernel is too smooth for local regressions on this grid: given %d neighbours, a"
                    + " node has %.1e of its prior variance left, and needs %.0e; use the spectral"
                    + " engine, a coarser grid or fewer neighbours",
                rows[s].length - 1,
                variances[s] / lagValues[0],
                ROUNDING));
    return new LocalRegressions(sets, part, rows, variances);
  }

  /// The one part of a stationary kernel.
  static StationaryPart stationary(LatticeKernel.Block block) {
    if (block.parts().size() == 1 && block.parts().getFirst() instanceof StationaryPart part)
      return part;
    throw new IllegalArgumentException(
        "the sparse engine takes sums and products of stationary kernels that vary with an input;"
            + " use another engine");
  }

  private static int chunk(int shapes) {
    return Math.max(1, (shapes + PIECES - 1) / PIECES);
  }

  /// The lower triangle of the kernel matrix of a shape, with the node itself last.
  private static double[] covariances(ConditioningSets sets, int shape, double[] lagValues) {
    int n = sets.jumps(shape).length;
    double[] c = new double[n * n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        int lag = lag(sets, shape, member(sets, shape, i), member(sets, shape, j));
        c[i * n + j] = lagValues[lag];
      }
    return c;
  }

  /// The index difference between two members of a shape, as the number of a grid point.
  private static int lag(ConditioningSets sets, int shape, int i, int j) {
    int[] offsets = sets.offsets(shape);
    int d = sets.grid().dimensions();
    int lag = 0;
    for (int a = 0; a < d; a++)
      lag += Math.abs(offsets[i * d + a] - offsets[j * d + a]) * sets.grid().stride(a);
    return lag;
  }

  /// The i-th member of a shape if the node itself comes last.
  private static int member(ConditioningSets sets, int shape, int i) {
    int self = sets.self(shape);
    if (i == sets.jumps(shape).length - 1) return self;
    return i < self ? i : i + 1;
  }

  public ConditioningSets sets() {
    return sets;
  }

  /// The row of R of a shape, in the order of its members: −B, and 1 for the node itself. Not to be
  /// modified.
  double[] row(int shape) {
    return rows[shape];
  }

  /// D of a shape, the variance of a node given its set.
  public double variance(int shape) {
    return variances[shape];
  }

  /// `Σ log Dᵢ` over all nodes.
  public double logVariances() {
    double sum = 0;
    for (int s = 0; s < variances.length; s++) sum += sets.nodesOf(s) * Math.log(variances[s]);
    return sum;
  }

  /// Adds `Σₛ [wₛᵀ ∂vₛ + cₛ ∂Dₛ]` over the shapes to g, in the order of the whole kernel's values.
  /// v is [#row], and the sets are fixed.
  ///
  /// Both are sums over pairs of `uᵢvⱼ ∂Cᵢⱼ` ([Point#adjoint]), which are collected by lag.
  void gradient(double[][] w, double[] c, double[] g) {
    double[] lagValues = part.lagValues();
    int chunk = chunk(sets.shapes());
    double[][] sums = new double[Parallel.pieces(sets.shapes(), chunk)][];
    Parallel.chunks(
        sets.shapes(),
        chunk,
        (piece, from, to) -> {
          double[] sum = new double[lagValues.length];
          for (int s = from; s < to; s++) {
            int n = rows[s].length;
            double[] l = covariances(sets, s, lagValues);
            double[] v = new double[n];
            double[] own = new double[n];
            double[] u = new double[n];
            for (int i = 0; i < n; i++) own[i] = w[s][member(sets, s, i)];
            Point.solve(n, l, v);
            Point.adjoint(n, l, v, own, c[s], u);
            for (int i = 0; i < n; i++)
              for (int j = 0; j < n; j++)
                sum[lag(sets, s, member(sets, s, i), member(sets, s, j))] += u[i] * v[j];
          }
          sums[piece] = sum;
        });
    double[] total = sums[0];
    for (int p = 1; p < sums.length; p++)
      for (int i = 0; i < total.length; i++) total[i] += sums[p][i];
    part.lagGradient(total, g);
  }

  /// One point regressed on others, `f(x) | others ~ N(Σⱼ Bⱼ f(xⱼ), D)`: one small dense system.
  /// The point itself comes last. The static methods work on any matrix of covariances. An object
  /// is the working memory of one thread for points anywhere.
  public static final class Point {

    /// The share of k(0) that is added to the variance of every point of a system. Points that are
    /// not nodes may be so close together that their values could not be distinguished otherwise.
    public static final double NUGGET = 1e-10;

    /// The number of rows of covariances that are computed at a time. They are so few that
    /// [Kernel#matrix] uses one thread.
    private static final int ROWS = 16;

    private final Kernel kernel;
    private final int d;

    /// The coordinates of the points, which the caller fills.
    public double[] points = new double[0];

    /// The result of [#solve]: −B, and 1 for the point itself.
    public double[] row = new double[0];

    private double[] c = new double[0];
    private double[] u = new double[0];
    private double[] some = new double[0];

    public Point(Kernel kernel) {
      this.kernel = kernel;
      d = kernel.dimensions();
    }

    /// Makes room for n points.
    public void reserve(int n) {
      if (row.length >= n) return;
      points = Arrays.copyOf(points, n * d);
      row = new double[n];
      u = new double[n];
      c = new double[n * n];
      some = new double[ROWS * n];
    }

    /// Regresses the last of n points on the others. Returns D, which is at least [#NUGGET] of the
    /// prior variance, up to rounding.
    public double solve(int n) {
      covariances(n);
      return solve(n, c, row);
    }

    /// Adds `wᵀ ∂v + scale ∂D` in the kernel's parameters to g, for the points of the last
    /// [#solve], where v is its row.
    public void gradient(int n, double[] w, double scale, double[] g) {
      adjoint(n, c, row, w, scale, u);
      double[] x = points.length == n * d ? points : Arrays.copyOf(points, n * d);
      double[] weights = new double[n * n];
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) weights[i * n + j] = u[i] * row[j];
        weights[i * n + i] *= 1 + NUGGET;
      }
      kernel.gradientSum(x, n, x, n, weights, g);
    }

    /// The lower triangle of the covariances of n points.
    private void covariances(int n) {
      for (int from = 0; from < n; from += ROWS) {
        int to = Math.min(n, from + ROWS);
        double[] own = Arrays.copyOfRange(points, from * d, to * d);
        kernel.matrix(own, to - from, points, to, some);
        for (int i = from; i < to; i++) {
          System.arraycopy(some, (i - from) * to, c, i * n, i + 1);
          c[i * n + i] *= 1 + NUGGET;
        }
      }
    }

    /// Regresses the last of n points on the others, given the lower triangle of their covariances,
    /// which becomes its Cholesky factor. Writes −B to `row`, and 1 for the point. Returns D, or 0
    /// if the matrix is not positive definite.
    static double solve(int n, double[] c, double[] row) {
      if (Blas.potrf(n, c, 0, n) != 0) c[n * n - 1] = 0;
      System.arraycopy(c, (n - 1) * n, row, 0, n - 1);
      backward(n - 1, c, n, row);
      for (int j = 0; j < n - 1; j++) row[j] = -row[j];
      row[n - 1] = 1;
      return c[n * n - 1] * c[n * n - 1];
    }

    /// Computes u with `wᵀ ∂v + scale ∂D = Σ uᵢ vⱼ ∂Cᵢⱼ`. C are the covariances, L their factor and
    /// v a row: `∂D = vᵀ∂C v`, and for all points except the last `∂v = −C⁻¹ ∂C v`. Overwrites u.
    static void adjoint(int n, double[] l, double[] v, double[] w, double scale, double[] u) {
      System.arraycopy(w, 0, u, 0, n - 1);
      forward(n - 1, l, n, u);
      backward(n - 1, l, n, u);
      for (int i = 0; i < n - 1; i++) u[i] = scale * v[i] - u[i];
      u[n - 1] = scale * v[n - 1];
    }

    /// `x ← L⁻ᵀ x` for the leading n rows of a factor.
    public static void backward(int n, double[] l, int ld, double[] x) {
      for (int j = n - 1; j >= 0; j--) {
        double value = x[j] / l[j * ld + j];
        x[j] = value;
        for (int i = 0; i < j; i++) x[i] -= l[j * ld + i] * value;
      }
    }

    /// `x ← L⁻¹ x` for the leading n rows of a factor.
    public static void forward(int n, double[] l, int ld, double[] x) {
      for (int i = 0; i < n; i++) {
        double sum = x[i];
        for (int j = 0; j < i; j++) sum -= l[i * ld + j] * x[j];
        x[i] = sum / l[i * ld + i];
      }
    }
  }
}
