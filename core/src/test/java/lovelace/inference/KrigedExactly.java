package lovelace.inference;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.lattice.LatticePosterior;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.plan.Engine;
import lovelace.statistics.GridStatistics;

/// A posterior whose data lie on grid points, from the matrices of the exact process written out: P
/// is dense and exact, and f between grid points is kriged.
public final class KrigedExactly {

  public final Grid grid;
  public final Hyperparameters h;
  public final double[] x;
  public final double[] y;
  public int certified; // how many stencils a certificate was asked for
  public int between; // and how many of these lie between grid points
  private final boolean kriges;
  private final Cholesky data;
  private final double[] alpha;

  /// A draw of the process with noise at the given share of the grid points.
  public KrigedExactly(Grid grid, Hyperparameters h, double share, long seed, boolean kriges) {
    this.grid = grid;
    this.h = h;
    this.kriges = kriges;
    int d = grid.dimensions();
    SplittableRandom random = new SplittableRandom(seed);
    double[] places = new double[grid.size() * d];
    int n = 0;
    for (int i = 0; i < grid.size(); i++) {
      double[] at = grid.point(i);
      if (grid.outsideColumn(at, 0) >= 0 || random.nextDouble() >= share) continue;
      System.arraycopy(at, 0, places, n * d, d);
      n++;
    }
    x = Arrays.copyOf(places, n * d);
    y = Draws.observe(h, x, random);
    double[] a = matrix(x, x);
    for (int i = 0; i < n; i++) a[i * n + i] += h.noise();
    data = Cholesky.of(a, n);
    alpha = y.clone();
    for (int i = 0; i < n; i++) alpha[i] -= h.mean().at(x, i * d);
    data.solve(alpha);
  }

  /// A grid of unit cells that starts at 1 along each axis.
  public static Grid grid(int... points) {
    Axis[] axes = new Axis[points.length];
    for (int a = 0; a < axes.length; a++) axes[a] = new Axis(0, 1, points[a]);
    return Grid.of(axes);
  }

  private Kernel latent() {
    return h.kernel().withoutWhite();
  }

  private double[] matrix(double[] a, double[] b) {
    int d = grid.dimensions();
    double[] k = new double[a.length / d * (b.length / d)];
    latent().matrix(a, a.length / d, b, b.length / d, k);
    return k;
  }

  /// The exact posterior mean at points.
  public double[] mean(double[] points) {
    int d = grid.dimensions();
    int t = points.length / d;
    double[] k = matrix(points, x);
    double[] mean = new double[t];
    for (int i = 0; i < t; i++)
      mean[i] = h.mean().at(points, i * d) + Blas.dot(y.length, k, i * y.length, alpha, 0);
    return mean;
  }

  /// The exact posterior covariance between points, row-major.
  public double[] covariance(double[] points) {
    int t = points.length / grid.dimensions();
    int n = y.length;
    double[] k = matrix(points, points.clone());
    double[] left = matrix(x, points); // n × t
    data.solveLower(t, left);
    Blas.gemm(true, false, t, t, n, -1, left, 0, t, left, 0, t, 1, k, 0, t);
    return k;
  }

  /// The posterior with P from the definition.
  public LatticePosterior posterior() {
    LatticeProblem problem = LatticeProblem.of(GridStatistics.of(grid, x, y), h);
    double[] mean = mean(grid.points());
    for (int i = 0; i < mean.length; i++) mean[i] -= problem.prior()[i];
    return LatticePosterior.of(
        new LatticeDistribution(problem, new Dense(problem, covariance(grid.points())), mean),
        0.01);
  }

  private final class Dense extends LatticeCovariance {
    private final double[] p;
    private final int m = grid.size();

    Dense(LatticeProblem problem, double[] p) {
      super(problem.statistics(), problem.kernel(), problem.noise());
      this.p = p;
    }

    @Override
    public void apply(int count, double[] v, double[] pv) {
      Blas.gemm(false, false, count, m, m, 1, v, 0, m, p, 0, m, 0, pv, 0, m);
    }

    @Override
    public double[] variances(Stencils points) {
      double[] all = between(points, points);
      double[] out = new double[points.count()];
      for (int i = 0; i < out.length; i++) out[i] = all[i * out.length + i];
      return out;
    }

    @Override
    public StencilMatrix stencil() {
      StencilMatrix pattern = StencilMatrix.zero(grid);
      double[][] diagonals = new double[pattern.diagonalCount()][m];
      int[] offset = new int[grid.dimensions()];
      for (int k = 0; k < diagonals.length; k++) {
        pattern.offset(k, offset);
        for (int i = 0; i < m; i++) {
          boolean inside = true;
          for (int a = 0; a < offset.length; a++) {
            int at = i / grid.stride(a) % grid.axis(a).points() + offset[a];
            inside &= at >= 0 && at < grid.axis(a).points();
          }
          if (inside) diagonals[k][i] = p[i * m + i + pattern.shift(k)];
        }
      }
      return StencilMatrix.adopt(grid, diagonals);
    }

    @Override
    public boolean kriges() {
      return kriges;
    }

    @Override
    public double floor() {
      return 1e-14 * kernel.maxVariance();
    }

    @Override
    public void certify(Stencils points, double[] lower, double[] upper) {
      double[] variances = variances(points);
      for (int i = 0; i < variances.length; i++) {
        double most = 0;
        for (int k = 0; k < points.width(); k++) most = Math.max(most, points.weight(i, k));
        certified++;
        if (most < 1 - 1e-9) between++;
        lower[i] = Math.max(0, variances[i] - 1e3 * floor());
        upper[i] = variances[i] + 1e3 * floor();
      }
    }

    @Override
    public long bytes() {
      return 8L * p.length;
    }

    @Override
    public Engine engine() {
      return Engine.DENSE;
    }

    @Override
    public String describe() {
      return "dense, exact";
    }
  }
}
