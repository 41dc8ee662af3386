package lovelace.exact;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;

/// The exact posterior written from the definition: entry by entry, Gauss elimination, no BLAS.
public final class Textbook {

  final Dataset data;
  final Hyperparameters h;
  final double[][] inverse;
  final double logDeterminant;
  final double[] residual;

  public Textbook(Dataset data, Hyperparameters h) {
    this.data = data;
    this.h = h;
    int n = data.size();
    int d = data.dimensions();
    double[] x = data.inputs();
    double white = h.kernel().whiteVariance();
    double[][] a = new double[n][2 * n];
    residual = new double[n];
    for (int i = 0; i < n; i++) {
      residual[i] = data.target()[i] - h.mean().at(x, i * d);
      for (int j = 0; j < n; j++) a[i][j] = latent(x, i * d, x, j * d);
      a[i][i] += (h.noise() + white) / data.weight(i);
      a[i][n + i] = 1;
    }
    double log = 0;
    for (int c = 0; c < n; c++) {
      int best = c;
      for (int i = c + 1; i < n; i++) if (Math.abs(a[i][c]) > Math.abs(a[best][c])) best = i;
      double[] swap = a[c];
      a[c] = a[best];
      a[best] = swap;
      double pivot = a[c][c];
      log += Math.log(Math.abs(pivot));
      for (int j = 0; j < 2 * n; j++) a[c][j] /= pivot;
      for (int i = 0; i < n; i++) {
        double f = a[i][c];
        if (i != c && f != 0) for (int j = 0; j < 2 * n; j++) a[i][j] -= f * a[c][j];
      }
    }
    logDeterminant = log;
    inverse = new double[n][n];
    for (int i = 0; i < n; i++) System.arraycopy(a[i], n, inverse[i], 0, n);
  }

  private double latent(double[] x, int xo, double[] y, int yo) {
    return h.kernel().withoutWhite().value(x, xo, y, yo);
  }

  public double mean(double[] x, int xo) {
    double m = h.mean().at(x, xo);
    int d = data.dimensions();
    for (int i = 0; i < data.size(); i++)
      for (int j = 0; j < data.size(); j++)
        m += latent(x, xo, data.inputs(), i * d) * inverse[i][j] * residual[j];
    return m;
  }

  public double covariance(double[] x, int xo, double[] y, int yo) {
    double c = latent(x, xo, y, yo);
    int d = data.dimensions();
    for (int i = 0; i < data.size(); i++)
      for (int j = 0; j < data.size(); j++)
        c -=
            latent(x, xo, data.inputs(), i * d)
                * inverse[i][j]
                * latent(data.inputs(), j * d, y, yo);
    return c;
  }

  public double logLikelihood() {
    double q = 0;
    for (int i = 0; i < data.size(); i++)
      for (int j = 0; j < data.size(); j++) q += residual[i] * inverse[i][j] * residual[j];
    return -0.5 * (q + logDeterminant + data.size() * Math.log(2 * Math.PI));
  }

  public static Dataset data(int n, int d, boolean weighted, SplittableRandom random) {
    double[] x = points(n, d, random);
    double[] y = new double[n];
    double[] w = new double[n];
    for (int i = 0; i < n; i++) {
      y[i] = 0.3 * random.nextGaussian() + 0.7;
      for (int j = 0; j < d; j++) y[i] += Math.sin(2 * x[i * d + j] + j);
      w[i] = 0.5 + 2 * random.nextDouble();
    }
    return weighted ? Dataset.of(x, d, y, w) : Dataset.of(x, d, y);
  }

  public static double[] points(int n, int d, SplittableRandom random) {
    double[] x = new double[n * d];
    for (int i = 0; i < x.length; i++) x[i] = 3 * random.nextDouble() - 1;
    return x;
  }

  /// One kernel of every family, and compositions.
  public static List<Kernel> kernels() {
    List<Kernel> kernels = new ArrayList<>();
    for (String text :
        List.of(
            "1.3*rbf(lengthscale=0.7)",
            "0.8*matern12(lengthscale=0.9)",
            "1.1*matern32(lengthscale=0.5)",
            "0.9*matern52(lengthscale=0.8)",
            "1.2*rq(lengthscale=0.6, alpha=1.4)",
            "0.7*periodic(period=1.7, lengthscale=1.1)",
            "0.6*cosine(period=2.3)",
            "linear(variance=0.5) + constant(variance=0.8)",
            "1.1*rbf(lengthscale=0.7) + white(variance=0.2)",
            "0.4*periodic(period=1.7, lengthscale=0.8)*rbf(lengthscale=2) + 0.3*matern32(lengthscale=0.4)"))
      kernels.add(Kernel.parse(text));
    return kernels;
  }
}
