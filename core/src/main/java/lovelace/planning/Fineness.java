package lovelace.planning;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.lattice.InterpolationLoss;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.survey.Survey;

/// How fine a lattice must be to come close to the exact process.
public final class Fineness {

  /// Up to this many rows, a lattice is compared with the exact process itself.
  public static final int MEASURED = 2000;

  /// The largest number of cells per lengthscale of a grid.
  public static final double FINEST = 1000;

  private static final int NEAR = 150; // rows of a local process
  private static final int LOCAL = 8; // local processes
  private static final double FINER = 1.25;

  private Fineness() {}

  /// The number of cells per lengthscale, at least `least`, with which the interpolated process is
  /// as close to the exact one as the tolerance requires. The loss in a cell is compared with the
  /// posterior variance beside a few of the rows. Unknown lengthscales are replaced by those of the
  /// range.
  public static double cells(
      Hyperparameters h, Survey survey, double[] lengthscales, double tolerance, double least) {
    Kernel kernel = h.kernel().withoutWhite();
    double noise = h.noise() + h.kernel().whiteVariance();
    int d = kernel.dimensions();
    double[] range = new double[d];
    double[] scale = new double[d];
    double[] centre = new double[d];
    for (int a = 0; a < d; a++) {
      range[a] = survey.high()[a] - survey.low()[a];
      scale[a] = lengthscales[a] > 0 ? lengthscales[a] : range[a];
      centre[a] = survey.low()[a] + 0.5 * range[a];
      if (!(scale[a] > 0)) return least;
    }
    double variance = leastVariance(h, survey, scale);
    double limit = Math.min(tolerance / 2, Math.pow(Interpolation.meanTolerance(tolerance) / 2, 2));
    double cells = least;
    while (cells < FINEST) {
      double[] step = new double[d];
      double rows = (double) survey.count();
      for (int a = 0; a < d; a++) {
        step[a] = scale[a] / cells;
        if (range[a] > 0) rows *= Math.min(1, step[a] / range[a]);
      }
      double loss = InterpolationLoss.middle(kernel, centre, step);
      if (InterpolationLoss.excess(loss, variance, noise, rows, d) <= limit) break;
      cells *= FINER;
    }
    return Math.min(cells, FINEST);
  }

  /// The smallest posterior variance beside some rows, each computed from its nearest rows.
  private static double leastVariance(Hyperparameters h, Survey survey, double[] scale) {
    Dataset rows = survey.sample(2000);
    int d = rows.dimensions();
    int n = rows.size();
    double[] x = rows.inputs();
    double share = (double) survey.count() / n; // the number of rows that a sampled row represents
    double least = Double.POSITIVE_INFINITY;
    for (int l = 0; l < Math.min(LOCAL, n); l++) {
      int at = (int) ((long) l * n / Math.min(LOCAL, n));
      double[] distance = new double[n];
      for (int i = 0; i < n; i++)
        for (int a = 0; a < d; a++) {
          double step = (x[i * d + a] - x[at * d + a]) / scale[a];
          distance[i] += step * step;
        }
      int[] near =
          IntStream.range(0, n)
              .boxed()
              .sorted(Comparator.comparingDouble(i -> distance[i]))
              .limit(NEAR)
              .mapToInt(Integer::intValue)
              .toArray();
      double[] nearX = new double[near.length * d];
      double[] weight = new double[near.length];
      double[] y = new double[near.length];
      for (int i = 0; i < near.length; i++) {
        System.arraycopy(x, near[i] * d, nearX, i * d, d);
        weight[i] = share * rows.weight(near[i]);
        y[i] = rows.target()[near[i]];
      }
      Dataset local = Dataset.of(nearX, rows.columns(), y, rows.targetColumn(), weight);
      try {
        double v =
            ExactGp.of(local, h).predict(Arrays.copyOfRange(x, at * d, (at + 1) * d)).variance(0);
        least = Math.min(least, v);
      } catch (ArithmeticException notPositiveDefinite) {
        // the other places suffice
      }
    }
    return least < Double.POSITIVE_INFINITY ? least : h.noise();
  }
}
