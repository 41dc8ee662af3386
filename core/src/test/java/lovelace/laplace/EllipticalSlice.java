package lovelace.laplace;

import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import lovelace.linear.Cholesky;

/// Posterior moments by elliptical slice sampling (Murray, Adams and MacKay 2010): exact but for
/// the Monte-Carlo error, which the chains' spread states. Independent of the product.
final class EllipticalSlice {

  /// Posterior mean and standard deviation of every latent value, and the mean's standard error.
  final double[] mean;

  final double[] sd;
  final double[] error;

  /// Chains of `steps` steps each, a fifth of which is burnt, under the prior N(mu, K) with K of
  /// size m × m and a log likelihood of the latent values.
  EllipticalSlice(
      double[] k,
      double[] mu,
      ToDoubleFunction<double[]> log,
      double[] start,
      int chains,
      int steps,
      long seed) {
    int m = mu.length;
    double[] jittered = k.clone();
    for (int i = 0; i < m; i++) jittered[i * m + i] += 1e-9 * k[i * m + i];
    double[] l = Cholesky.adopt(jittered, m).factor();
    double[][] means = new double[chains][m];
    double[] square = new double[m];
    int burnt = steps / 5;
    for (int c = 0; c < chains; c++) {
      SplittableRandom random = new SplittableRandom(seed + c);
      double[] f = start.clone();
      double[] nu = new double[m];
      double[] next = new double[m];
      double[] z = new double[m];
      double now = log.applyAsDouble(f);
      for (int s = 0; s < steps; s++) {
        for (int i = 0; i < m; i++) z[i] = random.nextGaussian();
        for (int i = 0; i < m; i++) {
          double sum = 0;
          for (int j = 0; j <= i; j++) sum += l[i * m + j] * z[j];
          nu[i] = sum;
        }
        double floor = now - random.nextExponential();
        double angle = 2 * Math.PI * random.nextDouble();
        double low = angle - 2 * Math.PI;
        double high = angle;
        while (true) {
          double cos = Math.cos(angle);
          double sin = Math.sin(angle);
          for (int i = 0; i < m; i++) next[i] = mu[i] + (f[i] - mu[i]) * cos + nu[i] * sin;
          now = log.applyAsDouble(next);
          if (now > floor) break;
          if (angle < 0) low = angle;
          else high = angle;
          angle = low + (high - low) * random.nextDouble();
        }
        double[] swap = f;
        f = next;
        next = swap;
        if (s >= burnt)
          for (int i = 0; i < m; i++) {
            double d = f[i] - start[i];
            means[c][i] += d;
            square[i] += d * d;
          }
      }
    }
    mean = new double[m];
    sd = new double[m];
    error = new double[m];
    double kept = steps - burnt;
    for (int i = 0; i < m; i++) {
      double sum = 0;
      for (double[] chain : means) sum += chain[i] / kept / chains;
      double spread = 0;
      for (double[] chain : means) spread += (chain[i] / kept - sum) * (chain[i] / kept - sum);
      mean[i] = start[i] + sum;
      sd[i] = Math.sqrt(square[i] / kept / chains - sum * sum);
      error[i] = Math.sqrt(spread / (chains - 1) / chains);
    }
  }
}
