package lovelace.posterior.internal;

import java.util.Arrays;
import java.util.List;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Radial;
import lovelace.kernel.Term;
import org.jspecify.annotations.Nullable;

/// Sums of kernel values with weights, `Σᵢ wᵢk(xᵢ, yⱼ)`, at fixed points y. Matérn kernels and RBF
/// are evaluated in plain loops that the compiler vectorises, several times as fast as by [Kernel].
/// The error of a value is at most four units in the last place of k(0), not of the value itself,
/// which is enough for a sum. Other kernels use [Leaf#covariances]. Immutable.
public final class KernelSums {

  /// The number of points y that are computed at a time: few enough to stay in the processor's
  /// cache.
  private static final int BLOCK = 512;

  private final Kernel kernel;
  private final double[] y;
  private final double[][] columns; // of y
  private final int count;
  private final double[] amplitudes;
  private final Factor[][] factors; // of each term

  /// A base kernel in a product.
  ///
  /// @param shape null if the leaf evaluates itself
  @SuppressWarnings("ArrayRecordComponent") // private, never compared
  private record Factor(Leaf leaf, Radial.@Nullable Shape shape, int[] columns, double[] inverse) {

    static Factor of(Leaf leaf) {
      if (!(leaf instanceof Radial radial)
          || radial.shape() == Radial.Shape.RATIONAL_QUADRATIC
          || leaf.categories().length > 0) return new Factor(leaf, null, new int[0], new double[0]);
      double[] inverse = radial.lengthscales();
      for (int c = 0; c < inverse.length; c++) inverse[c] = 1 / inverse[c];
      return new Factor(leaf, radial.shape(), leaf.columns(), inverse);
    }
  }

  /// Working memory of one thread.
  private static final class Work {
    final double[] product = new double[BLOCK];
    final double[] value = new double[BLOCK];
    final double[] distance = new double[BLOCK];
  }

  /// Sums at points, row-major, which are not copied. The kernel is bound and has all its values.
  public KernelSums(Kernel kernel, double[] y) {
    int d = kernel.dimensions();
    this.kernel = kernel;
    this.y = y;
    count = y.length / d;
    columns = new double[d][count];
    for (int j = 0; j < count; j++) for (int c = 0; c < d; c++) columns[c][j] = y[j * d + c];
    List<Term> terms = kernel.terms();
    amplitudes = terms.stream().mapToDouble(Term::amplitude).toArray();
    factors =
        terms.stream()
            .map(t -> t.factors().stream().map(Factor::of).toArray(Factor[]::new))
            .toArray(Factor[][]::new);
  }

  /// `out[oo + j] ← out[oo + j] + Σᵢ wᵢk(xᵢ, yⱼ)` for every j.
  ///
  /// @param x row-major
  public void add(double[] x, double[] w, double[] out, int oo) {
    var work = new Work();
    for (int from = 0; from < count; from += BLOCK)
      for (int i = 0; i < w.length; i++)
        add(x, i, w[i], from, Math.min(BLOCK, count - from), out, oo + from, work);
  }

  /// `Σᵢ Σⱼ wᵢwⱼ k(xᵢ, xⱼ)`, the prior variance of `Σᵢ wᵢf(xᵢ)`. It takes half of c² kernel values.
  public static double variance(Kernel kernel, double[] points, double[] w) {
    var sums = new KernelSums(kernel, points);
    var work = new Work();
    double[] after = new double[BLOCK]; // Σᵢ wᵢk(xᵢ, xⱼ) over i > j
    int d = kernel.dimensions();
    double total = 0;
    for (int from = 0; from < w.length; from += BLOCK) {
      int to = Math.min(w.length, from + BLOCK);
      Arrays.fill(after, 0);
      for (int i = from + 1; i < w.length; i++)
        sums.add(points, i, w[i], from, Math.min(to, i) - from, after, 0, work);
      for (int j = from; j < to; j++)
        total += w[j] * (2 * after[j - from] + w[j] * kernel.variance(points, j * d));
    }
    return total;
  }

  /// Adds `w k(xᵢ, yⱼ)` for n points, beginning with `from`.
  private void add(double[] x, int i, double w, int from, int n, double[] out, int oo, Work work) {
    if (w == 0) return;
    int xo = i * kernel.dimensions();
    for (int t = 0; t < factors.length; t++) {
      double scale = w * amplitudes[t];
      if (factors[t].length == 0) {
        for (int j = 0; j < n; j++) out[oo + j] += scale;
        continue;
      }
      double[] product = work.product;
      row(factors[t][0], x, xo, from, n, product, work.distance);
      for (int f = 1; f < factors[t].length; f++) {
        row(factors[t][f], x, xo, from, n, work.value, work.distance);
        for (int j = 0; j < n; j++) product[j] *= work.value[j];
      }
      for (int j = 0; j < n; j++) out[oo + j] += scale * product[j];
    }
  }

  private void row(
      Factor factor, double[] x, int xo, int from, int n, double[] out, double[] distance) {
    Radial.Shape shape = factor.shape;
    if (shape == null) {
      factor.leaf.covariances(x, xo, y, from * kernel.dimensions(), n, out, 0);
      return;
    }
    for (int c = 0; c < factor.columns.length; c++) {
      double[] column = columns[factor.columns[c]];
      double at = x[xo + factor.columns[c]];
      double inverse = factor.inverse[c];
      if (c == 0)
        for (int j = 0; j < n; j++) {
          double t = (at - column[from + j]) * inverse;
          distance[j] = t * t;
        }
      else
        for (int j = 0; j < n; j++) {
          double t = (at - column[from + j]) * inverse;
          distance[j] += t * t;
        }
    }
    switch (shape) {
      case RBF -> {
        for (int j = 0; j < n; j++) out[j] = 0.5 * distance[j];
        decay(n, out);
      }
      case MATERN12 -> {
        for (int j = 0; j < n; j++) out[j] = Math.sqrt(distance[j]);
        decay(n, out);
      }
      case MATERN32 -> {
        for (int j = 0; j < n; j++) out[j] = distance[j] = Math.sqrt(3 * distance[j]);
        decay(n, out);
        for (int j = 0; j < n; j++) out[j] *= 1 + distance[j];
      }
      case MATERN52 -> {
        for (int j = 0; j < n; j++) out[j] = distance[j] = Math.sqrt(5 * distance[j]);
        decay(n, out);
        for (int j = 0; j < n; j++) out[j] *= 1 + distance[j] + distance[j] * distance[j] / 3;
      }
      case RATIONAL_QUADRATIC -> throw new IllegalStateException("evaluates itself");
    }
  }

  /// `a ← exp(−a)` for a ≥ 0, to an absolute error of 2⁻⁵²; 0 from 64 on. With `t = −a/64`, `e =
  /// exp(t) − 1` by its series; then `exp(2t) − 1 = e² + 2e`, five times over, and a square. By
  /// then the truncation error of the series, `t¹⁰/10!`, has become at most 1e-17.
  static void decay(int n, double[] a) {
    for (int j = 0; j < n; j++) {
      double t = Math.max(-1, -0.015625 * a[j]);
      double p = t * (1.0 / 362880) + 1.0 / 40320;
      p = p * t + 1.0 / 5040;
      p = p * t + 1.0 / 720;
      p = p * t + 1.0 / 120;
      p = p * t + 1.0 / 24;
      p = p * t + 1.0 / 6;
      p = p * t + 0.5;
      double e = p * t * t + t;
      e = e * e + (e + e);
      e = e * e + (e + e);
      e = e * e + (e + e);
      e = e * e + (e + e);
      e = e * e + (e + e);
      a[j] = (1 + e) * (1 + e);
    }
  }
}
