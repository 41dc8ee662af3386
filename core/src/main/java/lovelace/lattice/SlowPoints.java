package lovelace.lattice;

import java.util.Arrays;
import lovelace.grid.Lattice;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;

/// Mean and variance at points for which there are no tables: points beyond the lattice, and all
/// points if a lattice has no tables.
final class SlowPoints {

  private final LatticePosterior posterior;
  private final Lattice lattice;

  SlowPoints(LatticePosterior posterior) {
    this.posterior = posterior;
    lattice = posterior.statistics().lattice();
  }

  /// Like [LatticePosterior#evaluate].
  byte evaluate(double[] x, int xo, double[] out) {
    int[] index = new int[lattice.stencilSize()];
    double[] weight = new double[index.length];
    if (!posterior.kriges() && lattice.stencil(x, xo, index, weight)) {
      out[0] = posterior.tables().mean(x, xo, index, weight);
      out[1] = posterior.covariance().variance(index, weight);
      return LatticePosterior.floored(out, posterior.floor(), false);
    }
    Kernel kernel = posterior.hyperparameters().kernel().withoutWhite();
    double[] k = posterior.problem().kernel().column(x, xo);
    PriorMean prior = posterior.hyperparameters().mean();
    out[0] = prior.at(x, xo) + posterior.beyond(k);
    double own = kernel.variance(x, xo);
    double explained = posterior.covariance().explained(k, k);
    out[1] = own - explained;
    return LatticePosterior.floored(
        out, posterior.covariance().outsideFloor(k) + 64 * Math.ulp(own), true);
  }

  /// Like [LatticePosterior#gradient].
  void gradient(double[] x, int xo, double[] out) {
    int d = lattice.dimensions();
    int s = lattice.stencilSize();
    int[] index = new int[s];
    double[] weight = new double[s];
    double[] slope = new double[d * s];
    if (!lattice.stencilGradient(x, xo, index, weight, slope))
      throw new IllegalArgumentException(
          "the point lies outside the lattice, where there is no gradient; extend the grid");
    Arrays.fill(out, 0, 2 + 2 * d, 0);
    int m = lattice.size();
    double[] mean = posterior.tables().mean();
    double[] w = new double[m];
    for (int k = 0; k < s; k++) {
      out[0] += weight[k] * mean[index[k]];
      w[index[k]] += weight[k];
      for (int a = 0; a < d; a++) out[2 + a] += slope[a * s + k] * mean[index[k]];
    }
    double[] pw = new double[m];
    posterior.covariance().apply(1, w, pw);
    for (int k = 0; k < s; k++) {
      out[1] += weight[k] * pw[index[k]];
      for (int a = 0; a < d; a++) out[2 + d + a] += 2 * slope[a * s + k] * pw[index[k]];
    }
  }
}
