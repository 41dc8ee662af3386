package lovelace.statistics;

import java.util.Arrays;
import lovelace.data.Dataset;
import lovelace.grid.Lattice;
import lovelace.grid.Stencils;
import lovelace.linear.Parallel;

/// `WD^½`, the interpolation weights of every observation, as the paper uses them. Only for
/// comparison: memory and time grow with the data.
public final class DataWeights implements GramRoot {

  private final int size;
  private final Stencils stencils;

  private final double[] roots;

  private DataWeights(int size, Stencils stencils, double[] roots) {
    this.size = size;
    this.stencils = stencils;
    this.roots = roots;
  }

  /// The weights of all points of a data set, which lie inside the lattice.
  public static DataWeights of(Lattice lattice, Dataset data) {
    double[] roots = new double[data.size()];
    for (int i = 0; i < roots.length; i++) roots[i] = Math.sqrt(data.weight(i));
    return new DataWeights(lattice.size(), Stencils.of(lattice, data.inputs()), roots);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int columns() {
    return stencils.count();
  }

  @Override
  public void apply(double[] v, double[] u) {
    Arrays.fill(u, 0, size, 0);
    for (int i = 0; i < stencils.count(); i++) stencils.scatter(i, roots[i] * v[i], u, 0);
  }

  @Override
  public void applyTransposed(double[] u, double[] v) {
    Parallel.chunks(
        stencils.count(),
        8192,
        (chunk, from, to) -> {
          for (int i = from; i < to; i++) v[i] = roots[i] * stencils.dot(i, u, 0);
        });
  }
}
