package lovelace.kernel;

import java.util.Locale;
import java.util.function.IntConsumer;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// Computes values and derivatives of composed kernels, a row of points at a time. Each row takes
/// one switch, with plain loops inside.
final class Evaluation {

  /// The number of rows that one task computes and whose derivatives it sums.
  private static final int CHUNK = 32;

  private Evaluation() {}

  static void row(
      Kernel kernel, double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    switch (kernel) {
      case Leaf leaf -> {
        leaf.requireReady();
        leaf.row(x, xo, y, yo, ny, out, oo);
      }
      case Kernel.Scaled(double variance, boolean fixed, Kernel inner) -> {
        requireSet(variance);
        row(inner, x, xo, y, yo, ny, out, oo);
        for (int j = oo; j < oo + ny; j++) out[j] *= variance;
      }
      case Kernel.Sum(var terms) -> {
        row(terms.getFirst(), x, xo, y, yo, ny, out, oo);
        double[] next = new double[ny];
        for (Kernel term : terms.subList(1, terms.size())) {
          row(term, x, xo, y, yo, ny, next, 0);
          for (int j = 0; j < ny; j++) out[oo + j] += next[j];
        }
      }
      case Kernel.Product(var factors) -> {
        row(factors.getFirst(), x, xo, y, yo, ny, out, oo);
        double[] next = new double[ny];
        for (Kernel factor : factors.subList(1, factors.size())) {
          row(factor, x, xo, y, yo, ny, next, 0);
          for (int j = 0; j < ny; j++) out[oo + j] *= next[j];
        }
      }
      case Kernel.Additive additive -> throw unbound(additive);
    }
  }

  /// Adds `Σⱼ wⱼ ∂k(x, yⱼ)/∂θ` and returns `Σⱼ wⱼ k(x, yⱼ)`. Uses the row of values `known` if the
  /// caller has it.
  static double gradient(
      Kernel kernel,
      double[] x,
      int xo,
      double[] y,
      int yo,
      int ny,
      double[] w,
      double @Nullable [] known,
      double[] g,
      int go) {
    return switch (kernel) {
      case Leaf leaf -> {
        double[] k = known;
        if (k == null) {
          k = new double[ny];
          row(leaf, x, xo, y, yo, ny, k, 0);
        }
        leaf.rowGradient(x, xo, y, yo, ny, w, k, g, go);
        yield dot(ny, w, k);
      }
      case Kernel.Scaled(double variance, boolean fixed, Kernel inner) -> {
        requireSet(variance);
        double[] t = new double[ny];
        for (int j = 0; j < ny; j++) t[j] = variance * w[j];
        double sum = gradient(inner, x, xo, y, yo, ny, t, null, g, go + 1);
        g[go] += sum / variance;
        yield sum;
      }
      case Kernel.Sum(var terms) -> {
        double sum = 0;
        for (Kernel term : terms) {
          sum += gradient(term, x, xo, y, yo, ny, w, null, g, go);
          go += term.parameterCount();
        }
        yield sum;
      }
      case Kernel.Product(var factors) -> {
        double[][] rows = new double[factors.size()][ny];
        for (int f = 0; f < rows.length; f++) row(factors.get(f), x, xo, y, yo, ny, rows[f], 0);
        double[] t = new double[ny];
        double sum = 0;
        for (int f = 0; f < rows.length; f++) {
          System.arraycopy(w, 0, t, 0, ny);
          for (int h = 0; h < rows.length; h++)
            if (h != f) for (int j = 0; j < ny; j++) t[j] *= rows[h][j];
          sum = gradient(factors.get(f), x, xo, y, yo, ny, t, rows[f], g, go);
          go += factors.get(f).parameterCount();
        }
        yield sum;
      }
      case Kernel.Additive additive -> throw unbound(additive);
    };
  }

  private static double dot(int n, double[] a, double[] b) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += a[j] * b[j];
    return sum;
  }

  static void inputGradient(
      Kernel kernel, double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {
    switch (kernel) {
      case Leaf leaf -> {
        leaf.requireReady();
        leaf.addInputGradient(x, xo, y, yo, weight, g, go);
      }
      case Kernel.Scaled(double variance, boolean fixed, Kernel inner) -> {
        requireSet(variance);
        inputGradient(inner, x, xo, y, yo, weight * variance, g, go);
      }
      case Kernel.Sum(var terms) -> {
        for (Kernel term : terms) inputGradient(term, x, xo, y, yo, weight, g, go);
      }
      case Kernel.Product(var factors) -> {
        for (int f = 0; f < factors.size(); f++) {
          double rest = weight;
          for (int h = 0; h < factors.size(); h++)
            if (h != f) rest *= factors.get(h).value(x, xo, y, yo);
          inputGradient(factors.get(f), x, xo, y, yo, rest, g, go);
        }
      }
      case Kernel.Additive additive -> throw unbound(additive);
    }
  }

  static void matrix(Kernel kernel, double[] x, int nx, double[] y, int ny, double[] out) {
    int d = check(kernel, x, nx, y, ny, out);
    boolean symmetric = same(x, y) && nx == ny;
    chunks(
        nx,
        chunk -> {
          int from = chunk * CHUNK;
          int to = Math.min(nx, from + CHUNK);
          int width = symmetric ? to : ny;
          for (int i = from; i < to; i++) row(kernel, x, i * d, y, 0, width, out, i * ny);
        });
    if (symmetric) chunks(nx, chunk -> mirror(chunk * CHUNK, nx, out));
  }

  /// Fills rows [from, from + CHUNK) to the right of their diagonal tile from the lower triangle.
  private static void mirror(int from, int n, double[] out) {
    int to = Math.min(n, from + CHUNK);
    for (int tile = to; tile < n; tile += CHUNK) {
      int end = Math.min(n, tile + CHUNK);
      for (int i = from; i < to; i++)
        for (int j = tile; j < end; j++) out[i * n + j] = out[j * n + i];
    }
  }

  static void gradientSum(
      Kernel kernel, double[] x, int nx, double[] y, int ny, double[] weights, double[] g) {
    int d = check(kernel, x, nx, y, ny, weights);
    int p = kernel.parameterCount();
    if (g.length < p)
      throw new IllegalArgumentException("g needs room for " + p + " parameters, has " + g.length);
    boolean symmetric = same(x, y) && nx == ny;
    double[][] parts = new double[(nx + CHUNK - 1) / CHUNK][p];
    chunks(
        nx,
        chunk -> {
          double[] w = new double[ny];
          int to = Math.min(nx, (chunk + 1) * CHUNK);
          for (int i = chunk * CHUNK; i < to; i++) {
            int width = symmetric ? i + 1 : ny;
            System.arraycopy(weights, i * ny, w, 0, width);
            // k is symmetric, so the two weights of a pair act on one derivative
            if (symmetric) for (int j = 0; j < i; j++) w[j] += weights[j * ny + i];
            gradient(kernel, x, i * d, y, 0, width, w, null, parts[chunk], 0);
          }
        });
    for (double[] part : parts) for (int i = 0; i < p; i++) g[i] += part[i];
  }

  /// Runs `body` for each chunk of rows, in the current ForkJoinPool.
  private static void chunks(int rows, IntConsumer body) {
    Parallel.forEach(Parallel.pieces(rows, CHUNK), body);
  }

  private static int check(Kernel kernel, double[] x, int nx, double[] y, int ny, double[] matrix) {
    int d = kernel.dimensions();
    if (d == 0)
      throw new IllegalStateException(kernel + " is not bound; call bind(number of columns) first");
    if ((long) nx * ny > matrix.length || (long) nx * d > x.length || (long) ny * d > y.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d × %d points of %d columns do not fit in arrays of %d, %d and a matrix of %d",
              nx,
              ny,
              d,
              x.length,
              y.length,
              matrix.length));
    return d;
  }

  /// Whether two arrays are the same object. Their matrix is then symmetric.
  @SuppressWarnings("ReferenceEquality")
  static boolean same(double[] x, double[] y) {
    return x == y;
  }

  private static void requireSet(double variance) {
    if (Double.isNaN(variance))
      throw new IllegalStateException("outputscale is not set; give it a value or fit the kernel");
  }

  static IllegalStateException unbound(Kernel kernel) {
    return new IllegalStateException(kernel + " is not bound; call bind(number of columns) first");
  }
}
