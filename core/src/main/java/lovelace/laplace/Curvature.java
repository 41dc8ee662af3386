package lovelace.laplace;

import java.util.stream.IntStream;
import lovelace.likelihood.Likelihood;
import lovelace.linear.Parallel;

/// The likelihood at one f: its value, slopes, curvatures and their slopes, summed in a fixed
/// order.
final class Curvature {

  private static final int CHUNK = 4096;

  /// A smaller curvature is replaced by this. Beside the prior's precision it is nothing, and
  /// working observations stay finite.
  private static final double LEAST = 1e-14;

  final double[] slopes;
  final double[] weights;
  final double[] bends;
  final double logDensity;

  private Curvature(double[] slopes, double[] weights, double[] bends, double logDensity) {
    this.slopes = slopes;
    this.weights = weights;
    this.bends = bends;
    this.logDensity = logDensity;
  }

  static Curvature of(Likelihood likelihood, Observations data, double[] f) {
    int n = f.length;
    double[] slopes = new double[n];
    double[] weights = new double[n];
    double[] bends = new double[n];
    double[] sums = new double[Math.ceilDiv(n, CHUNK)];
    Parallel.chunks(
        n,
        CHUNK,
        (chunk, from, to) -> {
          double[] out = new double[4];
          double sum = 0;
          for (int i = from; i < to; i++) {
            likelihood.at(data.values()[i], data.sizes()[i], data.extras()[i], f[i], out);
            sum += out[0];
            slopes[i] = out[1];
            boolean least = !(out[2] > LEAST);
            weights[i] = least ? LEAST : out[2];
            bends[i] = least ? 0 : out[3];
          }
          sums[chunk] = sum;
        });
    return new Curvature(slopes, weights, bends, sum(sums));
  }

  /// Σ log p(y | f).
  static double logDensity(Likelihood likelihood, Observations data, double[] f) {
    int n = f.length;
    double[] sums = new double[Math.ceilDiv(n, CHUNK)];
    Parallel.chunks(
        n,
        CHUNK,
        (chunk, from, to) -> {
          double sum = 0;
          for (int i = from; i < to; i++)
            sum += likelihood.log(data.values()[i], data.sizes()[i], data.extras()[i], f[i]);
          sums[chunk] = sum;
        });
    return sum(sums);
  }

  private static double sum(double[] parts) {
    double sum = 0;
    for (double part : parts) sum += part;
    return sum;
  }

  /// z = f + g/W.
  double[] targets(double[] f) {
    double[] z = new double[f.length];
    for (int i = 0; i < z.length; i++) z[i] = f[i] + slopes[i] / weights[i];
    return z;
  }

  /// `Σ log p(y | f) + g²/2W − ½ log W + ½ log 2π`.
  double correction() {
    double half = 0.5 * Math.log(2 * Math.PI);
    return logDensity
        + IntStream.range(0, slopes.length)
            .mapToDouble(
                i -> 0.5 * slopes[i] * slopes[i] / weights[i] - 0.5 * Math.log(weights[i]) + half)
            .sum();
  }
}
