package lovelace.forecast;

import java.util.Arrays;
import java.util.SplittableRandom;

/// Random series of all sorts, among them the worst.
final class AllSorts {

  private AllSorts() {}

  private static final int SORTS = 21;

  static TimeSeries series(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int n = 2 + (int) (Math.exp(random.nextDouble(Math.log(400))) - 1);
    int sort = random.nextInt(SORTS);
    double[] y = values(sort, n, random);
    boolean gaps = random.nextInt(5) == 0;
    if (gaps) for (int t = 1; t < n - 1; t++) if (random.nextDouble() < 0.3) y[t] = Double.NaN;
    return TimeSeries.of("seed " + seed + ", sort " + sort + ", " + n + " values", y);
  }

  private static double[] values(int sort, int n, SplittableRandom random) {
    double[] y = new double[n];
    double size = Math.pow(10, random.nextInt(-4, 7));
    for (int t = 0; t < n; t++) y[t] = size * (10 + random.nextGaussian());
    switch (sort) {
      case 0 -> Arrays.fill(y, size * random.nextInt(1, 20));
      case 1 -> Arrays.fill(y, 0);
      case 2 -> {
        for (int t = 0; t < n; t++) y[t] = Math.pow(1.5, t);
      }
      case 3 -> y[random.nextInt(n)] = 1e9;
      case 4 -> {
        for (int t = 0; t < n; t++) if (random.nextBoolean()) y[t] = 0;
      }
      case 5 -> {
        for (int t = 0; t < n; t++) y[t] = random.nextInt(3);
      }
      case 6 -> {
        for (int t = n / 2; t < n; t++) y[t] *= 40;
      }
      case 7 -> {
        for (int t = 0; t < n; t++) y[t] *= 1e-300;
      }
      case 8 -> {
        for (int t = 0; t < n; t++) y[t] *= 1e293;
      }
      case 9 -> {
        for (int t = 0; t < n; t++) y[t] = -y[t];
      }
      case 10 -> {
        for (int t = 0; t < n; t++) y[t] = random.nextBoolean() ? 3 * size : 7 * size;
      }
      case 11 -> {
        for (int t = 0; t < n; t++) y[t] = t % 2 == 0 ? size : -size;
      }
      case 12 -> {
        for (int t = 0; t < n; t++) y[t] = Math.pow(1.5, -t);
      }
      case 13 -> Arrays.fill(y, 0, n - 1, 5);
      case 14 -> y[n - 1] = 1e300;
      case 15 -> {
        for (int t = 0; t < n; t++) y[t] = size * t;
      }
      case 16 -> {
        for (int t = 1; t < n; t++) y[t] = y[t - 1] + size * random.nextGaussian();
      }
      case 17 -> {
        for (int t = 0; t < n; t++) y[t] = size * (1e6 + random.nextGaussian());
      }
      case 18 -> {
        for (int t = 1; t < n - 1; t++) if (random.nextDouble() < 0.97) y[t] = Double.NaN;
      }
      case 19 -> {
        for (int t = 0; t < n; t++) y[t] = 1e308 * random.nextDouble(-1.7, 1.7);
      }
      default -> {
        for (int t = 0; t < n; t++)
          y[t] = size * (100 + 20 * Math.sin(Math.PI / 6 * t) + random.nextGaussian() + t);
      }
    }
    return y;
  }
}
