package lovelace.likelihood;

/// Gauss–Legendre quadrature on [0, 1] with 16 nodes.
final class Legendre {

  private static final int COUNT = 16;

  static final double[] NODES = new double[COUNT];
  static final double[] WEIGHTS = new double[COUNT];

  static {
    for (int i = 0; i < COUNT; i++) {
      double x = Math.cos(Math.PI * (i + 0.75) / (COUNT + 0.5));
      double slope = 1;
      for (int step = 0; step < 100; step++) {
        double previous = 1;
        double value = x;
        for (int k = 2; k <= COUNT; k++) {
          double next = ((2 * k - 1) * x * value - (k - 1) * previous) / k;
          previous = value;
          value = next;
        }
        slope = COUNT * (x * value - previous) / (x * x - 1);
        double change = value / slope;
        x -= change;
        if (Math.abs(change) < 1e-15) break;
      }
      NODES[i] = 0.5 * (1 - x);
      WEIGHTS[i] = 1 / ((1 - x * x) * slope * slope);
    }
  }

  private Legendre() {}
}
