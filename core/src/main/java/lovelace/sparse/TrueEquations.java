package lovelace.sparse;

import java.util.Arrays;
import lovelace.inference.LatticeProblem;
import lovelace.statistics.CompressedWeights;

/// The system of a [TrueKernel], for conjugate gradients. Vectors are stored one after another.
sealed interface TrueEquations {

  int size();

  /// `g ← x` with the metric of the inner product.
  void metric(int count, double[] x, double[] g);

  /// `q ← M p`, where `gp` is the metric's product with p.
  void product(int count, double[] p, double[] gp, double[] q);

  /// `z ←` the preconditioner times r.
  void precondition(int count, double[] r, double[] z);

  /// On the grid with the inner product G, or at the observed nodes if values are pinned.
  final class OnGrid implements TrueEquations {
    private final Conditioned sparse;
    private final LatticeProblem problem;
    private final int m;

    OnGrid(Conditioned sparse) {
      this.sparse = sparse;
      problem = sparse.problem;
      m = sparse.size();
    }

    @Override
    public int size() {
      return m;
    }

    @Override
    public void metric(int count, double[] x, double[] g) {
      if (sparse.pinned()) System.arraycopy(x, 0, g, 0, count * m);
      else problem.statistics().gram().applyBlock(count, x, g);
    }

    @Override
    public void product(int count, double[] p, double[] gp, double[] q) {
      problem.kernel().applyBlock(count, gp, q);
      if (sparse.pinned()) sparse.mask(count, q);
      else for (int i = 0; i < count * m; i++) q[i] += problem.noise() * p[i];
    }

    @Override
    public void precondition(int count, double[] r, double[] z) {
      if (sparse.pinned()) {
        double[] x = Arrays.copyOf(r, count * m);
        sparse.krige(count, x);
        sparse.prior(count, x, z);
        sparse.mask(count, z);
      } else {
        double[] q = new double[count * m];
        sparse.prior(count, r, q);
        sparse.covariance(count, q, z);
        for (int i = 0; i < count * m; i++) z[i] /= problem.noise();
      }
    }
  }

  /// In the coordinates of the compressed weights V, `VVᵀ = G`: `VᵀKV + σ²` with the preconditioner
  /// `(1 − VᵀPV/σ²)/σ²`.
  final class OnRoot implements TrueEquations {
    private final Conditioned sparse;
    private final LatticeProblem problem;
    private final int m;

    private final CompressedWeights root;

    OnRoot(Conditioned sparse, CompressedWeights root) {
      this.sparse = sparse;
      problem = sparse.problem;
      m = sparse.size();
      this.root = root;
    }

    @Override
    public int size() {
      return root.columns();
    }

    @Override
    public void metric(int count, double[] x, double[] g) {
      System.arraycopy(x, 0, g, 0, count * size());
    }

    private double[] lifted(int count, double[] x) {
      double[] grid = new double[count * m];
      for (int c = 0; c < count; c++) {
        double[] one = new double[m];
        root.apply(Arrays.copyOfRange(x, c * size(), (c + 1) * size()), one);
        System.arraycopy(one, 0, grid, c * m, m);
      }
      return grid;
    }

    private void project(int count, double[] grid, double[] x) {
      for (int c = 0; c < count; c++) {
        double[] one = new double[size()];
        root.applyTransposed(Arrays.copyOfRange(grid, c * m, (c + 1) * m), one);
        System.arraycopy(one, 0, x, c * size(), size());
      }
    }

    @Override
    public void product(int count, double[] p, double[] gp, double[] q) {
      double[] k = new double[count * m];
      problem.kernel().applyBlock(count, lifted(count, p), k);
      project(count, k, q);
      for (int i = 0; i < count * size(); i++) q[i] += problem.noise() * p[i];
    }

    @Override
    public void precondition(int count, double[] r, double[] z) {
      double[] pv = new double[count * m];
      sparse.covariance(count, lifted(count, r), pv);
      project(count, pv, z);
      double noise = problem.noise();
      for (int i = 0; i < count * size(); i++) z[i] = (r[i] - z[i] / noise) / noise;
    }
  }
}
