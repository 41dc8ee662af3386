package lovelace.grid;

import java.util.SplittableRandom;

/// Interpolation and its statistics written from the definition, densely and slowly.
public final class GridOracle {

  private static final double[][] KEYS = {
    {0, -.5, 1, -.5}, {1, 0, -2.5, 1.5}, {0, .5, 2, -1.5}, {0, 0, -.5, .5}
  };

  private GridOracle() {}

  /// w(x) as a dense vector of m.
  public static double[] weights(Grid grid, double[] x, int xo) {
    double[] w = {1};
    for (int a = 0; a < grid.dimensions(); a++) {
      Axis axis = grid.axis(a);
      double u = (x[xo + a] - axis.origin()) / axis.step();
      int i = Math.clamp((int) Math.floor(u), 1, axis.points() - 3);
      double f = u - i;
      double[] line = new double[axis.points()];
      for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++) line[i - 1 + p] += KEYS[p][q] * Math.pow(f, q);
      double[] next = new double[w.length * line.length];
      for (int j = 0; j < w.length; j++)
        for (int k = 0; k < line.length; k++) next[j * line.length + k] = w[j] * line[k];
      w = next;
    }
    return w;
  }

  /// WDWᵀ, row-major.
  public static double[] gram(Grid grid, double[] x, double[] weight) {
    int m = grid.size();
    double[] g = new double[m * m];
    for (int n = 0; n < weight.length; n++) {
      double[] w = weights(grid, x, n * grid.dimensions());
      for (int i = 0; i < m; i++)
        if (w[i] != 0) for (int j = 0; j < m; j++) g[i * m + j] += weight[n] * w[i] * w[j];
    }
    return g;
  }

  /// WDr.
  public static double[] projected(Grid grid, double[] x, double[] r, double[] weight) {
    double[] b = new double[grid.size()];
    for (int n = 0; n < r.length; n++) {
      double[] w = weights(grid, x, n * grid.dimensions());
      for (int i = 0; i < b.length; i++) b[i] += weight[n] * w[i] * r[n];
    }
    return b;
  }

  /// A grid with few, unequal numbers of points on odd ranges.
  public static Grid grid(int d) {
    Axis[] axes = {
      Axis.covering(-1.3, 2.1, d == 1 ? 23 : 9 - d),
      Axis.covering(10, 11, 7),
      Axis.covering(-3e-3, 5e-3, 5),
      Axis.covering(0, 100, 6)
    };
    return Grid.of(java.util.Arrays.copyOf(axes, d));
  }

  public static double[] points(Grid grid, int n, SplittableRandom random) {
    int d = grid.dimensions();
    double[] x = new double[n * d];
    for (int i = 0; i < x.length; i++) x[i] = random.nextDouble(grid.low(i % d), grid.high(i % d));
    return x;
  }

  public static double[] normals(int n, double mean, SplittableRandom random) {
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = mean + random.nextGaussian();
    return y;
  }
}
