package lovelace.drift;

import java.util.Locale;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;

/// The posterior on a lattice of a function whose mean is linear in some columns, with the
/// coefficients integrated out. A prediction costs the same whatever the number of rows. Immutable.
public final class DriftedPosterior extends Drifted {

  private static final int CHUNK = 2048;

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
    super(trend, inner instanceof MappedPosterior mapped ? mapped.map() : null);
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
  LatticePosterior process() {
    return lattice;
  }

  @Override
  Prediction predict(double[] features, double[] means) {
    Prediction process = lattice.predict(features);
    System.arraycopy(means(features), 0, means, 0, means.length);
    return process;
  }

  @Override
  double[] means(double[] features) {
    int q = trend.terms().size();
    int d = lattice.dimensions();
    int count = features.length / d;
    int stencil = lattice.statistics().lattice().stencilSize();
    double[] out = new double[count * q];
    Parallel.chunks(
        count,
        CHUNK,
        (chunk, from, to) -> {
          int[] index = new int[stencil];
          double[] weight = new double[stencil];
          for (int i = from; i < to; i++) {
            if (Double.isNaN(lattice.weights(features, i * d, index, weight))) {
              double[] k = lattice.problem().kernel().column(features, i * d);
              for (int j = 0; j < q; j++) out[i * q + j] = Blas.dot(k.length, k, 0, duals[j], 0);
            } else {
              for (int s = 0; s < stencil; s++)
                for (int j = 0; j < q; j++) out[i * q + j] += weight[s] * nodes[index[s] * q + j];
            }
          }
        });
    return out;
  }
}
