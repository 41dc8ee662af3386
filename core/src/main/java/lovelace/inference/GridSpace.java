package lovelace.inference;

import lovelace.linear.LinearOperator;
import lovelace.linear.Space;

/// Holds Krylov vectors `v = Wᵀx` as grid vectors x, with inner product `xᵀGy`: `A v = Wᵀ(KG +
/// σ²)x`. The inner product does not see parts of x in the null space of G, so rounding there can
/// grow; see [RootSpace].
final class GridSpace implements Space {

  private final LinearOperator kernel;
  private final LinearOperator gram;
  private final double noise;

  GridSpace(LinearOperator kernel, LinearOperator gram, double noise) {
    this.kernel = kernel;
    this.gram = gram;
    this.noise = noise;
  }

  @Override
  public int size() {
    return kernel.size();
  }

  @Override
  public double shift() {
    return noise;
  }

  @Override
  public boolean euclidean() {
    return false;
  }

  @Override
  public void metric(int count, double[] x, double[] g) {
    if (count == 1) gram.apply(x, g);
    else gram.applyBlock(count, x, g);
  }

  @Override
  public void lift(int count, double[] g, double[] r) {
    if (count == 1) kernel.apply(g, r);
    else kernel.applyBlock(count, g, r);
  }
}
