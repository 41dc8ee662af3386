package lovelace.drift;

import java.util.Arrays;
import java.util.Locale;
import lovelace.data.FeatureMap;
import lovelace.grid.Grid;
import lovelace.grid.MeanCells;
import lovelace.lattice.LatticePosterior;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Points;
import org.jspecify.annotations.Nullable;

/// The posterior on a lattice of a function whose mean is linear in some columns, with the
/// coefficients integrated out. The cost of a prediction does not depend on the number of rows.
/// Immutable.
public final class DriftedPosterior extends Drifted {

  private static final int CHUNK = 2048;

  /// The most memory for polynomials of the terms. On a larger grid their means are interpolated
  /// from its points.
  private static final long MOST_BYTES = 64L << 20;

  private final DriftStatistics statistics;
  private final LatticePosterior lattice;
  private final double[] nodes; // the terms' means at a lattice point side by side
  private final double[][] duals;
  private final @Nullable MeanCells cells; // on a grid of few cells if f is interpolated

  private DriftedPosterior(
      Trend trend,
      DriftStatistics statistics,
      LatticePosterior lattice,
      @Nullable FeatureMap map,
      double[] nodes,
      double[][] duals) {
    super(trend, map);
    this.statistics = statistics;
    this.lattice = lattice;
    this.nodes = nodes;
    this.duals = duals;
    cells =
        !lattice.kriges()
                && lattice.statistics().lattice() instanceof Grid grid
                && MeanCells.bytes(grid, duals.length) <= MOST_BYTES
            ? MeanCells.of(grid, nodes, duals.length)
            : null;
  }

  /// Makes a posterior from the coefficients, the posterior of the residuals, and the terms' means.
  ///
  /// @param lattice the posterior of the residuals
  /// @param map to the features that it is over; null if it is over the columns
  /// @param nodes the posterior mean of every term at the lattice points
  /// @param duals from which these means are continued beyond the lattice; takes ownership
  public static DriftedPosterior of(
      Trend trend,
      DriftStatistics statistics,
      LatticePosterior lattice,
      @Nullable FeatureMap map,
      double[][] nodes,
      double[][] duals) {
    int reads = map == null ? lattice.dimensions() : map.inputs();
    int q = trend.terms().size();
    int m = lattice.statistics().lattice().size();
    if (reads != trend.terms().process())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the process reads %d columns, its posterior %d",
              trend.terms().process(),
              reads));
    if (nodes.length != q || duals.length != q || statistics.covariates() != q - 1)
      throw new IllegalArgumentException("every term of a drift needs its means on the lattice");
    double[] beside = new double[m * q];
    for (int j = 0; j < q; j++) {
      if (nodes[j].length != m || duals[j].length != m)
        throw new IllegalArgumentException("a term of a drift lies on another lattice");
      for (int i = 0; i < m; i++) beside[i * q + j] = nodes[j][i];
    }
    return new DriftedPosterior(trend, statistics, lattice, map, beside, duals);
  }

  /// The statistics of the residuals and of the terms.
  public DriftStatistics statistics() {
    return statistics;
  }

  /// The posterior of the residuals' process on its lattice.
  public LatticePosterior lattice() {
    return lattice;
  }

  /// A copy of the posterior mean of the j-th term at the lattice points.
  public double[] nodes(int j) {
    int q = trend.terms().size();
    double[] own = new double[nodes.length / q];
    for (int i = 0; i < own.length; i++) own[i] = nodes[i * q + j];
    return own;
  }

  /// A copy of the vector from which that mean is continued beyond the lattice.
  public double[] dual(int j) {
    return duals[j].clone();
  }

  @Override
  LatticePosterior process() {
    return lattice;
  }

  /// Predicts in one step: the cell of a point gives mean, variance and the means of the terms,
  /// without intermediate arrays.
  @Override
  public Prediction predict(double[] points) {
    int columns = dimensions();
    int count = Points.check(points, columns);
    double[] x = map() == null ? points : features(points); // the process reads the first columns
    int stride = map() == null ? columns : lattice.dimensions();
    int q = trend.terms().size();
    lattice.prepare(x, stride, count);
    double[] means = new double[count];
    double[] variances = new double[count];
    byte[] marks = new byte[count];
    Parallel.chunks(
        count,
        CHUNK,
        (chunk, from, to) -> {
          Work work = new Work();
          double[] m = new double[q];
          double[] r = new double[q];
          double[] own = new double[2];
          for (int i = from; i < to; i++) {
            marks[i] = lattice.evaluate(x, i * stride, own);
            work.means(x, i * stride, m, 0);
            trend.add(points, i * columns, m, 0, r, own);
            means[i] = own[0];
            variances[i] = own[1];
          }
        });
    return Prediction.adopt(means, variances, marks);
  }

  @Override
  Prediction predict(double[] features, double[] means) {
    System.arraycopy(means(features), 0, means, 0, means.length);
    return lattice.predict(features);
  }

  @Override
  double[] means(double[] features) {
    int q = trend.terms().size();
    int d = lattice.dimensions();
    int count = features.length / d;
    lattice.prepare(features, d, count);
    double[] out = new double[count * q];
    Parallel.chunks(
        count,
        CHUNK,
        (chunk, from, to) -> {
          Work work = new Work();
          for (int i = from; i < to; i++) work.means(features, i * d, out, i * q);
        });
    return out;
  }

  /// Buffers for the means of the terms, point by point.
  private final class Work {
    private final int[] index = new int[lattice.statistics().lattice().stencilSize()];
    private final double[] weight = new double[index.length];

    /// Writes the means m of the terms at the features that start at `x[xo]`.
    void means(double[] x, int xo, double[] m, int mo) {
      if (cells != null && cells.evaluate(x, xo, m, mo)) return;
      int q = duals.length;
      if (Double.isNaN(lattice.weights(x, xo, index, weight))) {
        double[] k = lattice.problem().kernel().column(x, xo);
        for (int j = 0; j < q; j++) m[mo + j] = Blas.dot(k.length, k, 0, duals[j], 0);
        return;
      }
      Arrays.fill(m, mo, mo + q, 0);
      for (int s = 0; s < index.length; s++)
        for (int j = 0; j < q; j++) m[mo + j] += weight[s] * nodes[index[s] * q + j];
    }
  }
}
