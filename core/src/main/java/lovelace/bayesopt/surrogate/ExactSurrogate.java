package lovelace.bayesopt.surrogate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import lovelace.bayesopt.surrogate.Surrogate.FunctionDraw;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.posterior.internal.JointNormal;
import org.jspecify.annotations.Nullable;

/// The exact Gaussian process for few observations and many predictions. `A = LLᵀ` grows by a row
/// for each observation, in O(n²), and a row has the same bits whenever it is added.
///
/// Functions are drawn by Matheron's rule with 512 random Fourier features for the prior (Wilson et
/// al. 2020): `f(x) = φ(x)ᵀw + k(x, X) A⁻¹ (z − Φw − ε)`.
public final class ExactSurrogate implements Surrogate {

  private static final int FEATURES = 512;
  private static final int PANEL = 256;
  private static final int LARGE = 256; // from this size on BLAS solves faster for one vector

  private final Hyperparameters hyperparameters;
  private final Kernel kernel;
  private final double level;
  private final double noise;
  private final int d;
  private final int n;
  private final double[] x;
  private final double[] z;
  private final double[] l; // n × n, lower
  private final double[] alpha;

  private ExactSurrogate(Hyperparameters h, double[] x, double[] z, double[] l) {
    hyperparameters = h;
    kernel = h.kernel();
    d = kernel.dimensions();
    level = h.mean().at(x, 0);
    noise = h.noise();
    n = z.length;
    this.x = x;
    this.z = z;
    this.l = l;
    alpha = new double[n];
    for (int i = 0; i < n; i++) alpha[i] = z[i] - level;
    forward(alpha);
    backward(alpha);
  }

  /// Conditions on the observations. Factors the first `block` of them at once. The mean of h is
  /// constant.
  public static ExactSurrogate of(Hyperparameters h, double[] x, double[] z, int block) {
    Kernel kernel = h.kernel();
    int d = kernel.dimensions();
    int n = z.length;
    double[] a = new double[block * block];
    kernel.matrix(x, block, x, block, a);
    for (int i = 0; i < block; i++) a[i * block + i] += h.noise();
    double[] factor = Cholesky.adopt(a, block).factor();
    double[] l = new double[n * n];
    for (int i = 0; i < block; i++) System.arraycopy(factor, i * block, l, i * n, i + 1);
    for (int i = block; i < n; i++)
      addRow(kernel, h.noise(), Arrays.copyOfRange(x, i * d, (i + 1) * d), x, i, l, n);
    return new ExactSurrogate(h, x, z, l);
  }

  /// Computes row i of L for the point `at`, given the rows above.
  private static void addRow(
      Kernel kernel, double noise, double[] at, double[] x, int i, double[] l, int stride) {
    double[] k = new double[i];
    if (i > 0) kernel.matrix(at, 1, x, i, k);
    int row = i * stride;
    double own = kernel.variance(at, 0) + noise;
    double rest = own;
    for (int j = 0; j < i; j++) {
      double sum = k[j];
      int other = j * stride;
      for (int p = 0; p < j; p++) sum -= l[row + p] * l[other + p];
      l[row + j] = sum / l[other + j];
      rest -= l[row + j] * l[row + j];
    }
    l[row + i] = Math.sqrt(Math.max(rest, Math.max(0.5 * noise, 1e-12 * own)));
  }

  /// Returns this surrogate with more observations.
  public ExactSurrogate with(double[] points, double[] values) {
    int m = n + values.length;
    double[] allX = Arrays.copyOf(x, m * d);
    System.arraycopy(points, 0, allX, n * d, values.length * d);
    double[] allZ = Arrays.copyOf(z, m);
    System.arraycopy(values, 0, allZ, n, values.length);
    double[] next = new double[m * m];
    for (int i = 0; i < n; i++) System.arraycopy(l, i * n, next, i * m, i + 1);
    for (int i = n; i < m; i++)
      addRow(kernel, noise, Arrays.copyOfRange(allX, i * d, (i + 1) * d), allX, i, next, m);
    return new ExactSurrogate(hyperparameters, allX, allZ, next);
  }

  int size() {
    return n;
  }

  @Override
  public Surrogate believing(double[] at) {
    double[] mean = new double[1];
    predict(1, at, mean, new double[1]);
    return with(at, mean);
  }

  private void forward(double[] b) {
    for (int i = 0; i < n; i++) {
      double sum = b[i];
      int row = i * n;
      for (int j = 0; j < i; j++) sum -= l[row + j] * b[j];
      b[i] = sum / l[row + i];
    }
  }

  private void backward(double[] b) {
    for (int i = n - 1; i >= 0; i--) {
      int row = i * n;
      double v = b[i] / l[row + i];
      b[i] = v;
      for (int j = 0; j < i; j++) b[j] -= l[row + j] * v;
    }
  }

  @Override
  public int dimensions() {
    return d;
  }

  @Override
  public double noise() {
    return noise;
  }

  @Override
  public void predict(int count, double[] points, double[] means, double[] variances) {
    for (int from = 0; from < count; from += PANEL) {
      int rows = Math.min(PANEL, count - from);
      double[] panel = panel(points, from, rows);
      double[] m = new double[rows];
      Blas.gemv(false, rows, n, 1, panel, 0, n, alpha, 0, 0, m, 0);
      Blas.trsm(true, true, rows, n, 1, l, 0, n, panel, 0, n);
      for (int i = 0; i < rows; i++) {
        means[from + i] = level + m[i];
        double prior = kernel.variance(points, (from + i) * d);
        double explained = Blas.dot(n, panel, i * n, panel, i * n);
        variances[from + i] = Math.max(prior - explained, 1e-12 * prior);
      }
    }
  }

  private double[] panel(double[] points, int from, int rows) {
    double[] panel = new double[rows * n];
    kernel.matrix(Arrays.copyOfRange(points, from * d, (from + rows) * d), rows, x, n, panel);
    return panel;
  }

  @Override
  public void gradient(double[] at, double[] out) {
    double[] k = new double[n];
    kernel.matrix(at, 1, x, n, k);
    double mean = level;
    for (int i = 0; i < n; i++) mean += k[i] * alpha[i];
    boolean large = n > LARGE;
    if (large) Blas.trsm(false, false, n, 1, 1, l, 0, n, k, 0, 1);
    else forward(k);
    double prior = kernel.variance(at, 0);
    double explained = 0;
    for (int i = 0; i < n; i++) explained += k[i] * k[i];
    if (large) Blas.trsm(false, true, n, 1, 1, l, 0, n, k, 0, 1);
    else backward(k);
    Arrays.fill(out, 0, 2 + 2 * d, 0);
    out[0] = mean;
    out[1] = Math.max(prior - explained, 1e-12 * prior);
    double[] slope = new double[d];
    for (int i = 0; i < n; i++) {
      Arrays.fill(slope, 0);
      kernel.inputGradient(at, 0, x, i * d, 1, slope, 0);
      for (int a = 0; a < d; a++) {
        out[2 + a] += alpha[i] * slope[a];
        out[2 + d + a] -= 2 * k[i] * slope[a];
      }
    }
  }

  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    int t = points.length / d;
    double[] means = new double[t];
    predict(t, points, means, new double[t]);
    double[] covariance = new double[t * t];
    kernel.matrix(points, t, points, t, covariance);
    double scale = 0;
    for (int i = 0; i < t; i++) scale = Math.max(scale, covariance[i * t + i]);
    double[] v = panel(points, 0, t);
    Blas.trsm(true, true, t, n, 1, l, 0, n, v, 0, n);
    Blas.syrk(false, t, n, -1, v, 0, n, 1, covariance, 0, t);
    return JointNormal.adopt(means, covariance, scale).draw(count, random);
  }

  @Override
  public List<FunctionDraw> functions(int count, RandomGenerator random) {
    List<FunctionDraw> draws = new ArrayList<>();
    Centres centres = kernel.functions().isEmpty() ? null : new Centres(random);
    for (int s = 0; s < count; s++)
      draws.add(new Path(centres == null ? new Waves(random) : centres.draw(random), random));
    return draws;
  }

  /// A draw from the prior.
  private interface PriorDraw {
    /// The value at a point; adds its gradient to g.
    double at(double[] at, int offset, double @Nullable [] g);
  }

  /// Draws the prior of a kernel without Fourier features at up to 256 observations and the same
  /// number of random places C. A draw is `k(·, C) L⁻ᵀξ`, `LLᵀ = K_CC`.
  private final class Centres {
    private final int size;
    private final double[] places;
    private final Cholesky factor;

    Centres(RandomGenerator random) {
      int near = Math.min(n, FEATURES / 2);
      size = near + FEATURES / 2;
      places = Arrays.copyOf(x, size * d);
      for (int i = near * d; i < places.length; i++) places[i] = random.nextDouble();
      double[] k = new double[size * size];
      kernel.matrix(places, size, places, size, k);
      for (int i = 0; i < size; i++) k[i * size + i] *= 1 + 1e-8;
      factor = Cholesky.adopt(k, size);
    }

    PriorDraw draw(RandomGenerator random) {
      double[] weight = new double[size];
      for (int i = 0; i < size; i++) weight[i] = random.nextGaussian();
      factor.solveLowerTransposed(1, weight);
      return (at, offset, g) -> {
        double[] k = new double[size];
        kernel.matrix(Arrays.copyOfRange(at, offset, offset + d), 1, places, size, k);
        double sum = 0;
        for (int i = 0; i < size; i++) sum += weight[i] * k[i];
        if (g != null)
          for (int i = 0; i < size; i++)
            kernel.inputGradient(at, offset, places, i * d, weight[i], g, 0);
        return sum;
      };
    }
  }

  /// A sum of random waves: Fourier features.
  private final class Waves implements PriorDraw {
    private final double[] omega = new double[FEATURES * d];
    private final double[] phase = new double[FEATURES];
    private final double[] weight = new double[FEATURES];

    Waves(RandomGenerator random) {
      double scale = Math.sqrt(2 * kernel.variance(new double[d], 0) / FEATURES);
      for (int f = 0; f < FEATURES; f++) {
        kernel.drawFrequency(random, omega, f * d);
        phase[f] = 2 * Math.PI * random.nextDouble();
        weight[f] = scale * random.nextGaussian();
      }
    }

    @Override
    public double at(double[] at, int offset, double @Nullable [] g) {
      double sum = 0;
      for (int f = 0; f < FEATURES; f++) {
        double angle = phase[f];
        for (int a = 0; a < d; a++) angle += omega[f * d + a] * at[offset + a];
        sum += weight[f] * Math.cos(angle);
        if (g == null) continue;
        double s = -weight[f] * Math.sin(angle);
        for (int a = 0; a < d; a++) g[a] += s * omega[f * d + a];
      }
      return sum;
    }
  }

  /// A draw by Matheron's rule.
  private final class Path implements FunctionDraw {
    private final PriorDraw prior;
    private final double[] update = new double[n];

    Path(PriorDraw prior, RandomGenerator random) {
      this.prior = prior;
      double sigma = Math.sqrt(noise);
      for (int i = 0; i < n; i++)
        update[i] = z[i] - level - prior.at(x, i * d, null) - sigma * random.nextGaussian();
      forward(update);
      backward(update);
    }

    @Override
    public double evaluate(double[] at, double[] gradient) {
      Arrays.fill(gradient, 0);
      double sum = level + prior.at(at, 0, gradient.length == 0 ? null : gradient);
      double[] k = new double[n];
      kernel.matrix(at, 1, x, n, k);
      for (int i = 0; i < n; i++) sum += k[i] * update[i];
      if (gradient.length > 0)
        for (int i = 0; i < n; i++) kernel.inputGradient(at, 0, x, i * d, update[i], gradient, 0);
      return sum;
    }
  }

  @Override
  public String describe() {
    return String.format(Locale.ROOT, "exact, %d observations, %s", n, kernel);
  }
}
