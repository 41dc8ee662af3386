package lovelace.inference;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.statistics.GramRoot;

/// The Gaussian process interpolated on a lattice, written from the definition with dense matrices:
/// `P = σ²(KG + σ²I)⁻¹K` by Gauss elimination in 40 digits, so that no cancellation is left.
public final class Interpolated {

  private static final MathContext DIGITS = new MathContext(40);

  public final int m;
  public final double[] k;
  public final double noise;
  public final double[] p;

  /// From K, m × m, σ², and the points and weights of observations, whose G is summed exactly.
  private Interpolated(double[] k, Lattice lattice, double[] x, double[] weights, double noise) {
    m = lattice.size();
    this.k = k;
    this.noise = noise;
    p = solve(gram(lattice, x, weights));
  }

  public static Interpolated of(
      Lattice lattice, double[] k, double[] x, double[] weights, double noise) {
    return new Interpolated(k, lattice, x, weights, noise);
  }

  /// `WDWᵀ`; observations at one place are counted together.
  private static BigDecimal[][] gram(Lattice lattice, double[] x, double[] weights) {
    int m = lattice.size();
    int d = lattice.dimensions();
    BigDecimal[][] g = new BigDecimal[m][m];
    for (BigDecimal[] row : g) Arrays.fill(row, BigDecimal.ZERO);
    Map<List<Double>, BigDecimal> places = new LinkedHashMap<>();
    for (int n = 0; n < weights.length; n++)
      places.merge(
          Arrays.stream(x, n * d, (n + 1) * d).boxed().toList(),
          new BigDecimal(weights[n]),
          BigDecimal::add);
    int[] index = new int[lattice.stencilSize()];
    double[] weight = new double[index.length];
    places.forEach(
        (place, mass) -> {
          double[] at = place.stream().mapToDouble(Double::doubleValue).toArray();
          if (!lattice.stencil(at, 0, index, weight))
            throw new IllegalArgumentException(place + " lies outside");
          for (int i = 0; i < index.length; i++) {
            BigDecimal own = mass.multiply(new BigDecimal(weight[i]), DIGITS);
            for (int j = 0; j < index.length; j++)
              g[index[i]][index[j]] =
                  g[index[i]][index[j]].add(
                      own.multiply(new BigDecimal(weight[j]), DIGITS), DIGITS);
          }
        });
    return g;
  }

  private double[] solve(BigDecimal[][] big) {
    BigDecimal[][] a = new BigDecimal[m][2 * m];
    BigDecimal sigma2 = new BigDecimal(noise);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        BigDecimal sum = i == j ? sigma2 : BigDecimal.ZERO;
        for (int q = 0; q < m; q++)
          if (big[q][j].signum() != 0)
            sum = sum.add(new BigDecimal(k[i * m + q]).multiply(big[q][j], DIGITS), DIGITS);
        a[i][j] = sum;
        a[i][m + j] = sigma2.multiply(new BigDecimal(k[i * m + j]), DIGITS);
      }
    for (int c = 0; c < m; c++) {
      int best = c;
      for (int i = c + 1; i < m; i++) if (a[i][c].abs().compareTo(a[best][c].abs()) > 0) best = i;
      BigDecimal[] swap = a[c];
      a[c] = a[best];
      a[best] = swap;
      for (int i = c + 1; i < m; i++) {
        BigDecimal f = a[i][c].divide(a[c][c], DIGITS);
        if (f.signum() == 0) continue;
        for (int j = c + 1; j < 2 * m; j++)
          a[i][j] = a[i][j].subtract(f.multiply(a[c][j], DIGITS), DIGITS);
      }
    }
    double[] out = new double[m * m];
    BigDecimal[] x = new BigDecimal[m];
    for (int j = 0; j < m; j++)
      for (int i = m - 1; i >= 0; i--) {
        BigDecimal sum = a[i][m + j];
        for (int q = i + 1; q < m; q++) sum = sum.subtract(a[i][q].multiply(x[q], DIGITS), DIGITS);
        x[i] = sum.divide(a[i][i], DIGITS);
        out[i * m + j] = x[i].doubleValue();
      }
    return out;
  }

  /// `uᵀPv`, accurate however it cancels.
  public double between(double[] u, double[] v) {
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        if (u[i] != 0 && v[j] != 0)
          sum =
              sum.add(
                  new BigDecimal(u[i])
                      .multiply(new BigDecimal(v[j]))
                      .multiply(new BigDecimal(p[i * m + j]), DIGITS));
    return sum.doubleValue();
  }

  /// The posterior mean `Pb/σ²` of the lattice values.
  public double[] mean(double[] b) {
    double[] a = new double[m];
    for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) a[i] += p[i * m + j] * b[j] / noise;
    return a;
  }

  /// P of a system in double precision: `K − KV(VᵀKV + σ²I)⁻¹VᵀK` with the compressed weights V.
  public static double[] covariance(LatticeProblem problem) {
    GramRoot root = problem.statistics().compressed();
    int m = root.size();
    int n = root.columns();
    double[] unit = new double[m * m];
    double[] p = new double[m * m];
    for (int i = 0; i < m; i++) unit[i * m + i] = 1;
    problem.kernel().applyBlock(m, unit, p);
    double[] v = new double[n * m]; // a row a column of V
    for (int c = 0; c < n; c++) {
      double[] one = new double[n];
      double[] column = new double[m];
      one[c] = 1;
      root.apply(one, column);
      System.arraycopy(column, 0, v, c * m, m);
    }
    double[] vk = new double[n * m];
    Blas.gemm(false, false, n, m, m, 1, v, 0, m, p, 0, m, 0, vk, 0, m);
    double[] a = new double[n * n];
    Blas.gemm(false, true, n, n, m, 1, vk, 0, m, v, 0, m, 0, a, 0, n);
    for (int c = 0; c < n; c++) a[c * n + c] += problem.noise();
    Cholesky factor = Cholesky.adopt(a, n);
    if (factor.jitter() != 0) throw new ArithmeticException("the oracle must not need jitter");
    factor.solveLower(m, vk);
    Blas.gemm(true, false, m, m, n, -1, vk, 0, m, vk, 0, m, 1, p, 0, m);
    return p;
  }

  /// K between the points of a grid, entry by entry; white noise is left out.
  public static double[] kernelMatrix(Grid grid, Kernel kernel) {
    int m = grid.size();
    int d = grid.dimensions();
    double[] x = grid.points();
    Kernel latent = kernel.withoutWhite();
    double[] k = new double[m * m];
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) k[i * m + j] = latent.value(x, i * d, x, j * d);
    return k;
  }

  /// K of a sum of functions, one kernel (of all columns, reading its own only) per component.
  public static double[] kernelMatrix(AdditiveGrid lattice, Kernel... kernels) {
    int m = lattice.size();
    double[] k = new double[m * m];
    for (int c = 0; c < kernels.length; c++) {
      Grid grid = lattice.component(c).grid();
      int own = grid.dimensions();
      int d = lattice.dimensions();
      double[] points = grid.points();
      double[] x = new double[grid.size() * d];
      for (int i = 0; i < grid.size(); i++)
        for (int a = 0; a < own; a++)
          x[i * d + lattice.component(c).column(a)] = points[i * own + a];
      double[] y = x.clone();
      int at = lattice.start(c);
      for (int i = 0; i < grid.size(); i++)
        for (int j = 0; j < grid.size(); j++)
          k[(at + i) * m + at + j] = kernels[c].value(x, i * d, y, j * d);
    }
    return k;
  }

  /// W, a dense row of m for every point.
  public static double[][] weights(Lattice lattice, double[] x) {
    int d = lattice.dimensions();
    int n = x.length / d;
    double[][] w = new double[n][lattice.size()];
    int[] index = new int[lattice.stencilSize()];
    double[] weight = new double[index.length];
    for (int i = 0; i < n; i++) {
      if (!lattice.stencil(x, i * d, index, weight))
        throw new IllegalArgumentException("point " + i + " lies outside");
      for (int q = 0; q < index.length; q++) w[i][index[q]] += weight[q];
    }
    return w;
  }

  /// `log N(y; mean, WᵀKW + σ²D⁻¹)` from the n × n matrix.
  public static double logLikelihood(
      Lattice lattice, double[] k, double[] x, double[] y, double[] weights, Hyperparameters h) {
    int n = y.length;
    int m = lattice.size();
    double[][] w = weights(lattice, x);
    double[][] kw = new double[n][m];
    for (int i = 0; i < n; i++)
      for (int p = 0; p < m; p++)
        for (int q = 0; q < m; q++) if (w[i][q] != 0) kw[i][p] += k[p * m + q] * w[i][q];
    double[] a = new double[n * n];
    double noise = h.noise() + h.kernel().whiteVariance();
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++)
        for (int p = 0; p < m; p++) if (w[j][p] != 0) a[i * n + j] += w[j][p] * kw[i][p];
      a[i * n + i] += noise / weights[i];
    }
    Cholesky factor = Cholesky.of(a, n);
    if (factor.jitter() != 0) throw new ArithmeticException("the oracle must not need jitter");
    double[] r = new double[n];
    for (int i = 0; i < n; i++) r[i] = y[i] - h.mean().at(x, i * lattice.dimensions());
    double[] s = r.clone();
    factor.solve(s);
    double fit = 0;
    for (int i = 0; i < n; i++) fit += r[i] * s[i];
    return -0.5 * (fit + factor.logDeterminant() + n * Math.log(2 * Math.PI));
  }

  /// A grid over `[−1, 1]ᵈ`.
  public static Grid cube(int d, int points) {
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = Axis.covering(-1, 1, points);
    return Grid.of(axes);
  }

  public static double[] ones(int n) {
    double[] ones = new double[n];
    Arrays.fill(ones, 1);
    return ones;
  }

  public static double[] uniform(SplittableRandom random, int count, double low, double high) {
    return random.doubles(count, low, high).toArray();
  }

  public static double[] normals(SplittableRandom random, int count) {
    double[] z = new double[count];
    for (int i = 0; i < count; i++) z[i] = random.nextGaussian();
    return z;
  }
}
