package lovelace.series;

import java.util.SplittableRandom;

/// Series drawn from the processes of a library.
public final class Simulated {

  private Simulated() {}

  /// Values of a point's process on the scale of its warp, around 0, with the mean variance 1.
  static double[] path(Shape shape, int n, SplittableRandom random) {
    double[][] k = Oracle.covariance(shape, n);
    double mean = 0;
    for (int i = 0; i < n; i++) mean += k[i][i] / n;
    double[] path = new double[n];
    double[][] l = new double[n][n];
    double[] normal = new double[n];
    for (int i = 0; i < n; i++) {
      normal[i] = random.nextGaussian();
      for (int j = 0; j <= i; j++) {
        double sum = k[i][j];
        for (int s = 0; s < j; s++) sum -= l[i][s] * l[j][s];
        l[i][j] = i == j ? Math.sqrt(sum) : sum / l[j][j];
        path[i] += l[i][j] * normal[j];
      }
      path[i] /= Math.sqrt(mean);
    }
    return path;
  }

  /// Positive values of a random point, in some unit.
  public static double[] positive(double[] seasons, int n, SplittableRandom random) {
    Library library = Library.of(seasons);
    int point = random.nextInt(library.size());
    Warp warp = library.warp(point);
    double centre = warp.of(1);
    double size = random.nextDouble(0.05, 0.2);
    double unit = Math.exp(random.nextDouble(-5, 9));
    for (int tries = 0; ; tries++) {
      double[] y = path(library.shape(point), n, random);
      boolean positive = true;
      for (int t = 0; t < n; t++) {
        y[t] = unit * warp.back(centre + size * y[t]);
        positive &= y[t] > 0;
      }
      if (positive) return y;
      if (tries > 1_000) throw new IllegalStateException("no positive values of point " + point);
    }
  }
}
