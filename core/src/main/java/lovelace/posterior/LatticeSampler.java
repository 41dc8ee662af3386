package lovelace.posterior;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.grid.Lattice;
import lovelace.grid.Stencils;
import lovelace.inference.CovarianceRoot;
import lovelace.inference.LoveRoot;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.linear.Parallel;

/// Samples of the lattice values, `mean + Rξ` for a root R of their covariance, read off at points.
/// Where some point lies beyond the lattice, all are drawn from their joint covariance by Cholesky
/// factorisation instead.
final class LatticeSampler implements Sampler {

  private static final int MOST = 16_000; // points of a dense factorisation
  private static final int WORK = 1 << 22; // numbers in a batch

  private final GridPosterior posterior;
  private final Lattice lattice;
  private final double[] mean;
  private final CovarianceRoot root;
  private final Sampling sampling;

  LatticeSampler(GridPosterior posterior, CovarianceRoot root, Sampling sampling) {
    this.posterior = posterior;
    this.root = root;
    this.sampling = sampling;
    lattice = posterior.system().statistics().lattice();
    mean = posterior.latticeMean();
  }

  @Override
  public double capturedVariance() {
    return root instanceof LoveRoot love ? love.share() : 1;
  }

  @Override
  public String describe() {
    return root.describe();
  }

  @Override
  public PointSampler at(double[] points) {
    int d = lattice.dimensions();
    int t = Points.check(points, d);
    for (int p = 0; p < t; p++)
      if (lattice.outsideColumn(points, p * d) >= 0) return new Joint(points, t);
    Stencils stencils = Stencils.of(lattice, points);
    return root instanceof LoveRoot love ? new Product(stencils, love) : new Values(stencils);
  }

  @Override
  public List<SampledFunction> functions(int count, RandomGenerator random) {
    if (count < 0) throw new IllegalArgumentException("count must be >= 0, got " + count);
    int m = root.size();
    Values all = new Values(Stencils.of(lattice, new double[0]));
    double[][] values = new double[count][];
    all.deviations(
        all.normals(random),
        0,
        count,
        (draw, sign, u, uo) -> {
          double[] f = new double[m];
          for (int i = 0; i < m; i++) f[i] = mean[i] + sign * u[uo + i];
          values[draw] = f;
        });
    List<SampledFunction> functions = new ArrayList<>(count);
    for (double[] f : values) functions.add(new SampledFunction(lattice, f));
    return functions;
  }

  /// Takes draw number `draw`, `mean + sign · u`.
  private interface Taker {
    void take(int draw, double sign, double[] u, int uo);
  }

  /// Lattice vectors, interpolated at the points.
  private final class Values extends PointSampler {
    private final Stencils stencils;

    Values(Stencils stencils) {
      super(stencils.count(), posterior.noise(), sampling);
      this.stencils = stencils;
    }

    @Override
    public double capturedVariance() {
      return 1;
    }

    @Override
    public int normals() {
      return root.normals();
    }

    @Override
    int[] leading(int most) {
      return root.leading(most);
    }

    /// Batches of draws, each in one block: their size depends on the problem only.
    void deviations(Normals normals, int first, int count, Taker taker) {
      if (count == 0) return;
      int n = root.normals();
      int m = root.size();
      int from = source(first);
      int sources = source(first + count - 1) + 1 - from;
      int batch = Math.clamp(WORK / (n + 8L * m), 1, 64);
      Parallel.chunks(
          sources,
          batch,
          (chunk, a, b) -> {
            int rows = b - a;
            double[] xi = new double[rows * n];
            normals.latent(from + a, rows, n, n, xi);
            double[] u = new double[rows * m];
            root.apply(rows, xi, u);
            int copies = antithetic() ? 2 : 1;
            for (int draw = (from + a) * copies; draw < (from + b) * copies; draw++)
              if (draw >= first && draw < first + count)
                taker.take(draw, sign(draw), u, (source(draw) - from - a) * m);
          });
    }

    @Override
    void fill(Normals normals, int first, int count, double[] out) {
      int t = size();
      double[] centre = new double[t];
      for (int p = 0; p < t; p++) centre[p] = stencils.dot(p, mean, 0);
      deviations(
          normals,
          first,
          count,
          (draw, sign, u, uo) -> {
            int at = (draw - first) * t;
            for (int p = 0; p < t; p++) out[at + p] = centre[p] + sign * stencils.dot(p, u, uo);
          });
    }
  }

  /// Rows of a root, `[WᵀR, mean]`: draws are one matrix product with `[ξ, 1]`.
  private abstract class Rows extends PointSampler {
    Rows(int size) {
      super(size, posterior.noise(), sampling);
    }

    /// t × (rank + 1), the mean in the last column.
    abstract double[] rows();

    @Override
    void fill(Normals normals, int first, int count, double[] out) {
      if (count == 0 || size() == 0) return;
      int most = fitting(normals() + 1);
      for (int done = 0; done < count; done += most)
        fill(normals, first + done, Math.min(most, count - done), out, done * size());
    }

    private void fill(Normals normals, int first, int count, double[] out, int start) {
      int k = normals();
      int from = source(first);
      int sources = source(first + count - 1) + 1 - from;
      double[] xi = new double[sources * (k + 1)];
      normals.latent(from, sources, k, k + 1, xi);
      if (antithetic()) {
        double[] pairs = new double[count * (k + 1)];
        for (int i = 0; i < count; i++) {
          double sign = sign(first + i);
          int at = (source(first + i) - from) * (k + 1);
          for (int j = 0; j < k; j++) pairs[i * (k + 1) + j] = sign * xi[at + j];
        }
        xi = pairs;
      }
      for (int i = 0; i < count; i++) xi[i * (k + 1) + k] = 1;
      Blas.gemm(
          false, true, count, size(), k + 1, 1, xi, 0, k + 1, rows(), 0, k + 1, 0, out, start,
          size());
    }
  }

  /// LOVE's root at the points.
  private final class Product extends Rows {
    private final int rank;
    private final double[] rows;
    private final double captured;

    Product(Stencils stencils, LoveRoot love) {
      super(stencils.count());
      rank = love.normals();
      int t = stencils.count();
      rows = new double[Budget.draws(t, rank + 1)];
      love.rows(stencils, rank + 1, rows);
      double own = 0;
      double all = 0;
      int[] index = new int[stencils.width()];
      double[] weight = new double[stencils.width()];
      // at most 1,000 points tell the share well enough
      int step = Math.max(1, t / 1000);
      for (int p = 0; p < t; p++) {
        int row = p * (rank + 1);
        rows[row + rank] = stencils.dot(p, mean, 0);
        if (p % step != 0) continue;
        stencils.copy(p, index, weight);
        own += Blas.dot(rank, rows, row, rows, row);
        all +=
            Math.max(
                posterior.covariance().variance(index, weight), posterior.covariance().floor());
      }
      captured = t == 0 ? 1 : Math.min(1, own / all);
    }

    @Override
    double[] rows() {
      return rows;
    }

    @Override
    public int normals() {
      return rank;
    }

    @Override
    int[] leading(int most) {
      return root.leading(most);
    }

    @Override
    public double capturedVariance() {
      return captured;
    }
  }

  /// The Cholesky factor of the covariance at the points.
  private final class Joint extends Rows {
    private final double[] rows;

    Joint(double[] points, int t) {
      super(t);
      if (t > MOST)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%,d points are too many to draw jointly when some lie outside the lattice, at most %,d; extend the grid, or leave those out",
                t,
                MOST));
      double[] means = posterior.predict(points).means();
      double[] factor = Cholesky.adopt(posterior.covariance(points, points), t).factor();
      rows = new double[t * (t + 1)];
      for (int p = 0; p < t; p++) {
        System.arraycopy(factor, p * t, rows, p * (t + 1), t);
        rows[p * (t + 1) + t] = means[p];
      }
    }

    @Override
    double[] rows() {
      return rows;
    }

    @Override
    public int normals() {
      return size();
    }

    @Override
    int[] leading(int most) {
      int[] first = new int[Math.min(most, size())];
      for (int i = 0; i < first.length; i++) first[i] = i;
      return first;
    }

    @Override
    public double capturedVariance() {
      return 1;
    }
  }
}
