package lovelace.sparse;

import java.util.Locale;
import lovelace.latticekernel.LatticeKernel;
import lovelace.latticekernel.StationaryPart;
import lovelace.linear.Parallel;

/// Each node of a grid regressed on its conditioning set (Vecchia 1988): `xᵢ | earlier ~ N(Σⱼ Bᵢⱼ
/// xⱼ, Dᵢ)`. All nodes of a shape share one small system. Immutable.
public final class LocalRegressions {

  /// Below this part of k(0) a conditional variance is rounding.
  private static final double ROUNDING = 1e-10;

  /// Shapes are cut into this many pieces at most, which bounds the memory for their sums.
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
            variances[s] = Regression.solve(n, covariances(sets, s, lagValues), row);
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

  /// The lower triangle of the kernel matrix of a shape, the node itself last.
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

  /// The index difference between two members of a shape, as a number of a grid point.
  private static int lag(ConditioningSets sets, int shape, int i, int j) {
    int[] offsets = sets.offsets(shape);
    int d = sets.grid().dimensions();
    int lag = 0;
    for (int a = 0; a < d; a++)
      lag += Math.abs(offsets[i * d + a] - offsets[j * d + a]) * sets.grid().stride(a);
    return lag;
  }

  /// The i-th member of a shape when the node itself comes last.
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

  /// Adds `Σₛ [wₛᵀ ∂vₛ + cₛ ∂Dₛ]` over the shapes to g, where v is [#row] and the sets stay as they
  /// are, in the order of the whole kernel's values.
  ///
  /// Both are sums over pairs of `uᵢvⱼ ∂Cᵢⱼ` ([Regression#adjoint]), and these are gathered by lag.
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
            Regression.solve(n, l, v);
            Regression.adjoint(n, l, v, own, c[s], u);
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
}
