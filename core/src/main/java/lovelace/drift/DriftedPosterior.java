package lovelace.drift;

import java.util.Locale;
import java.util.random.RandomGenerator;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.Points;

/// The posterior on a lattice of a function whose mean is linear in some columns, with the
/// coefficients integrated out. With `r = f(x) − m(x)`, m the posterior means of processes that
/// observed the terms f in place of the target,
///
///     mean(x)    = βᵀf(x) + mean of the residuals' process
///     cov(x, x′) = covariance of that process + rᵀA⁻¹r′
///
/// GPML eq. (2.41) and (2.42). A prediction costs the same whatever the number of rows. Immutable.
public final class DriftedPosterior implements Posterior {

  private static final int CHUNK = 2048;

  private final Trend trend;
  private final DriftStatistics statistics;
  private final Posterior inner;
  private final LatticePosterior lattice;
  private final double[] nodes; // the terms' means at a lattice point beside each other
  private final double[][] duals;

  private DriftedPosterior(
      Trend trend,
      DriftStatistics statistics,
      Posterior inner,
      LatticePosterior lattice,
      double[] nodes,
      double[][] duals) {
    this.trend = trend;
    this.statistics = statistics;
    this.inner = inner;
    this.lattice = lattice;
    this.nodes = nodes;
    this.duals = duals;
  }

  /// From the coefficients, the posterior of the residuals and what both share.
  ///
  /// @param inner of the residuals: a lattice's, or one behind a map
  /// @param nodes the posterior mean of every term at the lattice points
  /// @param duals from which these go on beyond the lattice; taken over
  public static DriftedPosterior of(
      Trend trend,
      DriftStatistics statistics,
      Posterior inner,
      double[][] nodes,
      double[][] duals) {
    LatticePosterior lattice =
        switch (inner) {
          case LatticePosterior grid -> grid;
          case MappedPosterior mapped -> mapped.inner();
          default ->
              throw new IllegalArgumentException("a drift on a lattice needs a posterior on one");
        };
    int q = trend.terms().size();
    int m = lattice.statistics().lattice().size();
    if (inner.dimensions() != trend.terms().process())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the process reads %d columns, its posterior %d",
              trend.terms().process(),
              inner.dimensions()));
    if (nodes.length != q || duals.length != q || statistics.covariates() != q - 1)
      throw new IllegalArgumentException("every term of a drift needs its means on the lattice");
    double[] beside = new double[m * q];
    for (int j = 0; j < q; j++) {
      if (nodes[j].length != m || duals[j].length != m)
        throw new IllegalArgumentException("a term of a drift lies on another lattice");
      for (int i = 0; i < m; i++) beside[i * q + j] = nodes[j][i];
    }
    return new DriftedPosterior(trend, statistics, inner, lattice, beside, duals);
  }

  /// The coefficients.
  public Trend trend() {
    return trend;
  }

  /// The statistics of the residuals and of the terms.
  public DriftStatistics statistics() {
    return statistics;
  }

  /// The posterior of the residuals' process, over its own columns.
  public Posterior inner() {
    return inner;
  }

  /// The posterior of the residuals' process on its lattice.
  public LatticePosterior lattice() {
    return lattice;
  }

  /// The posterior mean of the j-th term at the lattice points. A copy.
  public double[] nodes(int j) {
    int q = trend.terms().size();
    double[] own = new double[nodes.length / q];
    for (int i = 0; i < own.length; i++) own[i] = nodes[i * q + j];
    return own;
  }

  /// From which that mean goes on beyond the lattice. A copy.
  public double[] dual(int j) {
    return duals[j].clone();
  }

  /// The same with another posterior of the residuals, which differs in what is known of it only.
  public DriftedPosterior with(Posterior same) {
    double[][] own = new double[duals.length][];
    for (int j = 0; j < own.length; j++) own[j] = nodes(j);
    return of(trend, statistics, same, own, duals);
  }

  @Override
  public int dimensions() {
    return trend.terms().columns();
  }

  @Override
  public double noise() {
    return inner.noise();
  }

  /// What of points the process reads.
  private double[] seen(double[] points) {
    return trend.terms().seen(points, Points.check(points, dimensions()));
  }

  /// The mean that the coefficients make at each point, and `r = f − m` after it: `1 + q` numbers a
  /// point.
  private double[] trends(double[] points, double[] seen) {
    Terms terms = trend.terms();
    int q = terms.size();
    int count = points.length / terms.columns();
    double[] z =
        inner instanceof MappedPosterior mapped ? Points.features(mapped.map(), seen) : seen;
    int d = lattice.dimensions();
    int stencil = lattice.statistics().lattice().stencilSize();
    double[] out = new double[count * (q + 1)];
    Parallel.chunks(
        count,
        CHUNK,
        (chunk, from, to) -> {
          int[] index = new int[stencil];
          double[] weight = new double[stencil];
          for (int i = from; i < to; i++) {
            int at = i * (q + 1);
            terms.basis(points, i * terms.columns(), out, at + 1);
            out[at] = trend.mean(out, at + 1);
            if (Double.isNaN(lattice.weights(z, i * d, index, weight))) {
              double[] k = lattice.problem().kernel().column(z, i * d);
              for (int j = 0; j < q; j++) out[at + 1 + j] -= Blas.dot(k.length, k, 0, duals[j], 0);
            } else {
              for (int s = 0; s < stencil; s++)
                for (int j = 0; j < q; j++) out[at + 1 + j] -= weight[s] * nodes[index[s] * q + j];
            }
          }
        });
    return out;
  }

  @Override
  public Prediction predict(double[] points) {
    double[] seen = seen(points);
    Prediction process = inner.predict(seen);
    return trend.added(process, trends(points, seen));
  }

  @Override
  @SuppressWarnings("ReferenceEquality")
  public double[] covariance(double[] a, double[] b) {
    double[] left = seen(a);
    double[] right = a == b ? left : seen(b);
    double[] out = inner.covariance(left, right);
    double[] mine = trends(a, left);
    trend.addCovariance(mine, a == b ? mine : trends(b, right), out);
    return out;
  }

  @Override
  public Prediction average(double[] points, double[] weights, int[] starts) {
    double[] seen = seen(points);
    double[] own =
        Areas.of(points, dimensions(), weights, starts)
            .means(1 + trend.terms().size(), trends(points, seen));
    return trend.added(inner.average(seen, weights, starts), own);
  }

  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    double[] seen = seen(points);
    double[] draws = inner.sample(seen, count, random);
    trend.addDraws(trends(points, seen), count, random, draws);
    return draws;
  }
}
