package lovelace.sparse;

import java.util.Arrays;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.inference.LatticeProblem;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Parallel;
import lovelace.linear.sparse.SelectedInverse;
import lovelace.linear.sparse.SparseCholesky;
import lovelace.linear.sparse.SparsePattern;
import org.jspecify.annotations.Nullable;

/// The sparse prior conditioned on the data: the factor of `Λ = Q + G/σ²`, or without noise the
/// factor of `Q_uu` among the nodes that are not pinned. Immutable.
final class Conditioned {

  final LatticeProblem problem;
  final SparseFrame frame;
  final LatticePrecision precision;
  final SparseCholesky factor;
  private final @Nullable NodeData nodes;
  private volatile double @Nullable [] inverse;

  /// @param nodes the sums of rows by nodes, null if some rows lie between nodes
  Conditioned(LatticeProblem problem, SparseFrame frame, @Nullable NodeData nodes) {
    this.problem = problem;
    this.frame = frame;
    this.nodes = nodes;
    LatticeKernel.Block block = problem.kernel().blocks().getFirst();
    precision =
        frame.precision.with(LocalRegressions.of(frame.precision.regressions().sets(), block));
    double[] values = precision.values(frame.padded);
    if (frame.source == null) addGram(values);
    factor = SparseCholesky.of(frame.fronts, restricted(values));
  }

  /// Whether observed nodes are pinned.
  boolean pinned() {
    return frame.number != null;
  }

  /// The sums of rows by nodes; null if some rows lie between nodes.
  @Nullable NodeData nodes() {
    return nodes;
  }

  int size() {
    return precision.size();
  }

  boolean isPinned(int node) {
    return frame.number != null && frame.number[node] < 0;
  }

  private StencilMatrix gram() {
    return (StencilMatrix) problem.statistics().gram();
  }

  private void addGram(double[] values) {
    StencilMatrix gram = gram();
    double noise = problem.noise();
    SparsePattern padded = frame.padded;
    for (int e = 0; e < values.length; e++)
      if (frame.diagonal[e] >= 0)
        values[e] += gram.diagonal(frame.diagonal[e])[padded.column(e)] / noise;
  }

  private double[] restricted(double[] values) {
    if (frame.source == null) return values;
    double[] own = new double[frame.source.length];
    for (int e = 0; e < own.length; e++) own[e] = values[frame.source[e]];
    return own;
  }

  /// The entries of P on the padded pattern, 0 at pinned nodes. Not to be modified.
  double[] inverse() {
    double[] known = inverse;
    if (known != null) return known;
    double[] own = SelectedInverse.onPattern(factor);
    if (frame.source != null) {
      double[] all = new double[frame.padded.entries()];
      for (int e = 0; e < own.length; e++) all[frame.source[e]] = own[e];
      own = all;
    }
    inverse = own;
    return own;
  }

  /// The entries of P between nodes of one stencil.
  StencilMatrix stencil() {
    Grid grid = problem.kernel().blocks().getFirst().grid();
    double[][] diagonals = new double[gram().diagonalCount()][grid.size()];
    double[] all = inverse();
    for (int e = 0; e < all.length; e++)
      if (frame.diagonal[e] >= 0) diagonals[frame.diagonal[e]][frame.padded.column(e)] = all[e];
    return StencilMatrix.adopt(grid, diagonals);
  }

  /// `P v` for `count` vectors of the grid, one after another; 0 at pinned nodes.
  void covariance(int count, double[] v, double[] pv) {
    double[] b = gathered(count, v);
    factor.solveBlock(count, b);
    Arrays.fill(pv, 0, count * size(), 0);
    scatter(count, b, 1, pv);
  }

  /// `vᵀPv` for `count` vectors of the grid, one after another, as squares of `L⁻¹v`.
  double[] quadratics(int count, double[] v) {
    double[] b = gathered(count, v);
    factor.solveLower(count, b);
    double[] out = new double[count];
    for (int i = 0; i < b.length; i += count)
      for (int c = 0; c < count; c++) out[c] += b[i + c] * b[i + c];
    return out;
  }

  /// The vectors at the nodes that are not pinned, row-major with one column each.
  private double[] gathered(int count, double[] v) {
    int m = size();
    int free = frame.fronts.order().size();
    double[] b = new double[Math.multiplyExact(free, count)];
    Parallel.chunks(
        m,
        4096,
        (piece, from, to) -> {
          for (int i = from; i < to; i++) {
            int at = frame.number == null ? i : frame.number[i];
            if (at >= 0) for (int c = 0; c < count; c++) b[at * count + c] = v[c * m + i];
          }
        });
    return b;
  }

  /// Writes them back, times a factor. Pinned nodes stay as they are.
  void scatter(int count, double[] b, double scale, double[] v) {
    int m = size();
    Parallel.chunks(
        m,
        4096,
        (piece, from, to) -> {
          for (int i = from; i < to; i++) {
            int at = frame.number == null ? i : frame.number[i];
            if (at >= 0) for (int c = 0; c < count; c++) v[c * m + i] = scale * b[at * count + c];
          }
        });
  }

  /// `Q v` for vectors one after another.
  void prior(int count, double[] v, double[] qv) {
    int m = size();
    if (count == 1) {
      precision.apply(v, qv);
      return;
    }
    double[] x = new double[m];
    double[] y = new double[m];
    for (int c = 0; c < count; c++) {
      System.arraycopy(v, c * m, x, 0, m);
      precision.apply(x, y);
      System.arraycopy(y, 0, qv, c * m, m);
    }
  }

  /// Keeps values at pinned nodes and overwrites the others by their sparse kriging, `x_u = −Q_uu⁻¹
  /// Q_uo x_o`.
  void krige(int count, double[] x) {
    int m = size();
    for (int i = 0; i < m; i++) if (!isPinned(i)) for (int c = 0; c < count; c++) x[c * m + i] = 0;
    double[] q = new double[count * m];
    prior(count, x, q);
    double[] b = gathered(count, q);
    factor.solveBlock(count, b);
    scatter(count, b, -1, x);
  }

  /// Sets all nodes except pinned ones to 0.
  void mask(int count, double[] x) {
    int m = size();
    for (int i = 0; i < m; i++) if (!isPinned(i)) for (int c = 0; c < count; c++) x[c * m + i] = 0;
  }

  /// The target minus the prior mean at the nodes. All rows must lie on nodes.
  double[] values(NodeData data) {
    double[] y = new double[size()];
    double[] b = problem.projected();
    for (int i = 0; i < y.length; i++) if (data.weights()[i] > 0) y[i] = b[i] / data.weights()[i];
    return y;
  }

  /// a, the posterior mean of the nodes minus the prior mean, under the sparse prior.
  double[] mean() {
    double[] a;
    if (pinned() && nodes != null) {
      a = values(nodes);
      krige(1, a);
      return a;
    }
    double[] g = problem.projected().clone();
    for (int i = 0; i < g.length; i++) g[i] /= problem.noise();
    a = new double[g.length];
    covariance(1, g, a);
    return a;
  }
}
