package lovelace.lattice;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.grid.Lattice;
import lovelace.grid.Stencils;
import lovelace.inference.PosteriorRoot;
import lovelace.kernel.Kernel;
import lovelace.latticekernel.LocalKriging;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import lovelace.posterior.internal.JointNormal;
import lovelace.posterior.internal.Points;

/// Samples of the lattice values, `mean + Rξ` for a root R of their covariance, evaluated at
/// points. If f is kriged between grid points, joint draws of its residuals are added. If some
/// point lies beyond the lattice, all are drawn from their joint covariance by Cholesky
/// factorisation instead.
final class LatticeSampler implements Sampler {

  private static final int MOST = Residuals.MOST; // points of a dense factorisation
  private static final int WORK = 1 << 22; // numbers in a batch

  private final LatticePosterior posterior;
  private final Lattice lattice;
  private final double[] mean;
  private final PosteriorRoot root;
  private final Sampling sampling;

  LatticeSampler(LatticePosterior posterior, PosteriorRoot root, Sampling sampling) {
    this.posterior = posterior;
    this.root = root;
    this.sampling = sampling;
    lattice = posterior.problem().statistics().lattice();
    mean = posterior.latticeMean();
  }

  @Override
  public double capturedVariance() {
    return root instanceof LowRankPosteriorRoot love ? love.share() : 1;
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
    Stencils stencils = posterior.tables().stencils(points);
    double[] centre = posterior.tables().means(points, stencils);
    PointSampler values =
        root instanceof LowRankPosteriorRoot love
            ? new Product(stencils, centre, love)
            : new Values(stencils, centre);
    LocalKriging kriging = posterior.tables().kriging();
    return kriging == null ? values : Residuals.added(values, kriging, points);
  }

  @Override
  public List<SampledFunction> functions(int count, RandomGenerator random) {
    if (count < 0) throw new IllegalArgumentException("count must be >= 0, got " + count);
    int m = root.size();
    Values all = new Values(Stencils.of(lattice, new double[0]), new double[0]);
    double[][] values = new double[count][];
    Normals normals = all.normals(random);
    all.deviations(
        normals,
        0,
        count,
        (draw, sign, u, uo) -> {
          double[] f = new double[m];
          for (int i = 0; i < m; i++) f[i] = mean[i] + sign * u[uo + i];
          values[draw] = f;
        });
    List<SampledFunction> functions = new ArrayList<>(count);
    for (int i = 0; i < count; i++)
      functions.add(
          posterior.tables().function(values[i], normals.seed(all.source(i)), all.sign(i)));
    return functions;
  }

  /// Receives draw number `draw`, `mean + sign · u`.
  private interface Taker {
    void take(int draw, double sign, double[] u, int uo);
  }

  /// Lattice vectors, interpolated at the points.
  private final class Values extends PointSampler {
    private final Stencils stencils;
    private final double[] centre;

    Values(Stencils stencils, double[] centre) {
      super(stencils.count(), posterior.noise(), sampling);
      this.stencils = stencils;
      this.centre = centre;
    }

    @Override
    public int normals() {
      return root.normals();
    }

    @Override
    int[] leading(int most) {
      return root.leading(most);
    }

    /// Makes draws in batches, each in one block. The size of a batch depends only on the problem.
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

  /// The rows of LOVE's root at the points, `[WᵀR, mean]`. Draws are one matrix product with `[ξ,
  /// 1]`.
  private final class Product extends PointSampler {
    private final int rank;
    private final double[] rows; // t × (rank + 1), the mean in the last column
    private final double captured;

    Product(Stencils stencils, double[] centre, LowRankPosteriorRoot love) {
      super(stencils.count(), posterior.noise(), sampling);
      rank = love.normals();
      int t = stencils.count();
      rows = new double[Budget.draws(t, rank + 1)];
      love.rows(stencils, rank + 1, rows);
      double own = 0;
      double all = 0;
      int[] index = new int[stencils.width()];
      double[] weight = new double[stencils.width()];
      // at most 1,000 points are enough to estimate the share
      int step = Math.max(1, t / 1000);
      for (int p = 0; p < t; p++) {
        int row = p * (rank + 1);
        rows[row + rank] = centre[p];
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
    void fill(Normals normals, int first, int count, double[] out) {
      if (size() == 0) return;
      int width = rank + 1;
      int most = fitting(width);
      for (int done = 0; done < count; done += most) {
        int some = Math.min(most, count - done);
        double[] xi = new double[some * width];
        latent(normals, first + done, some, width, xi);
        for (int i = 0; i < some; i++) xi[i * width + rank] = 1;
        Blas.gemm(
            false,
            true,
            some,
            size(),
            width,
            1,
            xi,
            0,
            width,
            rows,
            0,
            width,
            0,
            out,
            done * size(),
            size());
      }
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

  /// The joint distribution at the points.
  private final class Joint extends PointSampler {
    private final JointNormal joint;

    Joint(double[] points, int t) {
      super(t, posterior.noise(), sampling);
      if (t > MOST)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%,d points are too many to draw jointly when some lie outside the lattice, at most %,d; extend the grid, or leave those out",
                t,
                MOST));
      Kernel kernel = posterior.hyperparameters().kernel().withoutWhite();
      joint = posterior.kriges() ? kriged(points, t) : JointNormal.of(posterior, kernel, points);
    }

    /// The joint distribution with the variances of the covariances, which differ from those of the
    /// cells' polynomials.
    private JointNormal kriged(double[] points, int t) {
      double[] covariance = posterior.covariance(points, points);
      for (int i = 0; i < t; i++)
        covariance[i * t + i] = Math.max(covariance[i * t + i], posterior.floor());
      double scale = posterior.problem().kernel().maxVariance();
      return JointNormal.adopt(posterior.predict(points).means(), covariance, scale);
    }

    @Override
    void fill(Normals normals, int first, int count, double[] out) {
      latent(normals, first, count, size(), out);
      joint.transform(count, out);
    }

    @Override
    public int normals() {
      return size();
    }

    @Override
    int[] leading(int most) {
      return IntStream.range(0, Math.min(most, size())).toArray();
    }
  }
}
