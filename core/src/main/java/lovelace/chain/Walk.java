package lovelace.chain;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;

/// Draws of f at points in ascending order, as a chain of its own. The state at a point is `mean +
/// A (state before − its mean) + N ξ`. The places between two points are passed only once, when
/// this is made. Immutable.
final class Walk {

  private static final int CHECKED = 1 << 12;

  private final int d;
  private final double[] points;
  private final double[] mean;
  private final double[] carry; // A
  private final double[] noise; // N, lower

  /// Prepares draws at ascending points, which may repeat. Keeps the array.
  Walk(Chain chain, double[] points) {
    d = chain.d;
    this.points = points;
    int t = points.length;
    mean = new double[t * d];
    carry = new double[t * d * d];
    noise = new double[t * d * d];
    var here = chain.new Station();
    var way = chain.new Station();
    double[] a = new double[d * d];
    double[] n = new double[d * d];
    int place = -1;
    for (int i = 0; i < t; i++) {
      if (i % CHECKED == 0) Budget.check();
      if (i > 0 && points[i] == points[i - 1]) continue;
      here.stand(points[i]);
      System.arraycopy(here.mean, 0, mean, i * d, d);
      if (i == 0) {
        System.arraycopy(here.root, 0, noise, 0, d * d);
      } else {
        for (int r = 0; r < d; r++) for (int c = 0; c < d; c++) a[r * d + c] = r == c ? 1 : 0;
        Arrays.fill(n, 0);
        double at = points[i - 1];
        for (int k = place + 1; k <= here.place; k++) {
          way.toPlace(chain.places.at[k] - at, k);
          way.link.carry(a);
          way.link.root(n);
          at = chain.places.at[k];
        }
        way.toPoint(points[i] - at, here.said);
        way.link.carry(a);
        way.link.root(n);
        System.arraycopy(a, 0, carry, i * d * d, d * d);
        System.arraycopy(n, 0, noise, i * d * d, d * d);
      }
      place = here.place;
    }
  }

  /// Overwrites f with a draw at every point.
  void draw(RandomGenerator random, double[] f) {
    double[] off = new double[d];
    double[] next = new double[d];
    double[] xi = new double[d];
    double last = 0;
    for (int i = 0; i < points.length; i++) {
      if (i > 0 && points[i] == points[i - 1]) {
        f[i] = last;
        continue;
      }
      for (int r = 0; r < d; r++) xi[r] = random.nextGaussian();
      for (int r = 0; r < d; r++) {
        double sum = 0;
        for (int c = 0; c < d; c++) {
          sum += carry[(i * d + r) * d + c] * off[c];
          if (c <= r) sum += noise[(i * d + r) * d + c] * xi[c];
        }
        next[r] = sum;
      }
      System.arraycopy(next, 0, off, 0, d);
      last = mean[i * d] + off[0];
      f[i] = last;
    }
  }
}
