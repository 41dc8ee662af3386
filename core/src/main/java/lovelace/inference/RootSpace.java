package lovelace.inference;

import java.util.Arrays;
import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;
import lovelace.linear.Space;
import lovelace.statistics.GramRoot;

/// Holds Krylov vectors in the coordinates of a root V of the Gram matrix, `VVᵀ = G`: `A = VᵀKV +
/// σ²I` with Euclid's inner product. V is the compressed W of the statistics, or W itself (the
/// paper's n-space).
public final class RootSpace implements Space {

  private final LinearOperator kernel;
  private final GramRoot root;
  private final double noise;

  public RootSpace(LinearOperator kernel, GramRoot root, double noise) {
    this.kernel = kernel;
    this.root = root;
    this.noise = noise;
  }

  public LinearOperator kernel() {
    return kernel;
  }

  @Override
  public int size() {
    return root.columns();
  }

  @Override
  public int liftedSize() {
    return kernel.size();
  }

  @Override
  public double shift() {
    return noise;
  }

  @Override
  public void lift(int count, double[] g, double[] r) {
    double[] grid = new double[count * liftedSize()];
    embed(count, g, grid);
    if (count == 1) kernel.apply(grid, r);
    else kernel.applyBlock(count, grid, r);
  }

  @Override
  public void project(int count, double[] r, double[] y) {
    if (count == 1) {
      root.applyTransposed(r, y);
      return;
    }
    int m = liftedSize();
    int n = size();
    Parallel.forEach(
        count,
        c -> {
          double[] v = new double[n];
          root.applyTransposed(Arrays.copyOfRange(r, c * m, (c + 1) * m), v);
          System.arraycopy(v, 0, y, c * n, n);
        });
  }

  @Override
  public void embed(int count, double[] g, double[] grid) {
    if (count == 1) {
      root.apply(g, grid);
      return;
    }
    int m = liftedSize();
    int n = size();
    Parallel.forEach(
        count,
        c -> {
          double[] u = new double[m];
          root.apply(Arrays.copyOfRange(g, c * n, (c + 1) * n), u);
          System.arraycopy(u, 0, grid, c * m, m);
        });
  }
}
