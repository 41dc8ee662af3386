package lovelace.series;

import java.util.concurrent.ConcurrentHashMap;
import lovelace.linear.GammaFunction;

/// The distribution function of Student's t for one number of degrees of freedom, from a table.
///
/// Between nodes it is the cubic that has the values and the densities at both ends. Nodes are
/// equally spaced up to 16, and equally spaced in `asinh x` beyond. It is within 1e-9 of the exact
/// one.
public final class StudentTable {

  private static final int NODES = 1400;
  private static final double STEP = 0.0125;

  /// No history has more values.
  private static final int MOST = 1_008;

  private static final ConcurrentHashMap<Integer, StudentTable> TABLES = new ConcurrentHashMap<>();

  private final double nu;
  private final double logConstant;
  private final double[] upper = new double[NODES + 1]; // 1 − F at the nodes
  private final double[] slope = new double[NODES + 1]; // dF/du at the nodes

  private static final int NEAR = 16;
  private static final int PER_UNIT = 64;
  private final double[] near = new double[NEAR * PER_UNIT + 1]; // 1 − F
  private final double[] density = new double[NEAR * PER_UNIT + 1];

  private StudentTable(int nu) {
    this.nu = nu;
    logConstant = logConstant(nu);
    double[] below = new double[NODES + 1];
    for (int i = 0; i <= NODES; i++) slope[i] = inU(i * STEP);
    for (int i = 0; i < NODES; i++) {
      // Boole's rule on each interval.
      double u = i * STEP;
      below[i + 1] =
          below[i]
              + STEP
                  / 90
                  * (7 * slope[i]
                      + 32 * inU(u + STEP / 4)
                      + 12 * inU(u + STEP / 2)
                      + 32 * inU(u + 3 * STEP / 4)
                      + 7 * slope[i + 1]);
    }
    for (int i = 0; i <= NODES; i++) upper[i] = Math.max(0.5 - below[i], 0);
    for (int i = 0; i < near.length; i++) {
      double x = i / (double) PER_UNIT;
      near[i] = far(x);
      density[i] = Math.exp(logDensity(x));
    }
  }

  /// The logarithm of the density at 0.
  static double logConstant(int nu) {
    return GammaFunction.log((nu + 1) / 2.)
        - GammaFunction.log(nu / 2.)
        - 0.5 * Math.log(nu * Math.PI);
  }

  /// The table for some degrees of freedom, at least 1.
  public static StudentTable of(int nu) {
    return TABLES.computeIfAbsent(Math.clamp(nu, 1, MOST), StudentTable::new);
  }

  private double inU(double u) {
    double x = Math.sinh(u);
    return Math.exp(logDensity(x)) * Math.cosh(u);
  }

  /// The logarithm of the density.
  public double logDensity(double x) {
    return logConstant - 0.5 * (nu + 1) * Math.log1p(x * x / nu);
  }

  /// P(T ≤ x).
  public double cdf(double x) {
    double size = Math.abs(x);
    double tail;
    if (size < NEAR) {
      double u = size * PER_UNIT;
      int i = (int) u;
      tail = cubic(u - i, near[i], near[i + 1], -density[i] / PER_UNIT, -density[i + 1] / PER_UNIT);
    } else {
      tail = far(size);
    }
    return x > 0 ? 1 - tail : tail;
  }

  /// Adds `share · F(x)` and `share · f(x)/spread` over some components, with x = (z −
  /// place)/spread, to the two sums.
  void add(
      double z,
      double[] share,
      double[] place,
      double[] spread,
      int offset,
      int from,
      int to,
      double[] sums) {
    double function = 0;
    double slopes = 0;
    for (int c = from; c < to; c++) {
      double unit = 1 / spread[offset + c];
      double x = (z - place[offset + c]) * unit;
      double size = Math.abs(x);
      double tail;
      double f;
      if (size < NEAR) {
        double u = size * PER_UNIT;
        int i = (int) u;
        double t = u - i;
        double a = near[i];
        double da = -density[i] / PER_UNIT;
        double db = -density[i + 1] / PER_UNIT;
        double gap = near[i + 1] - a;
        double second = 3 * gap - 2 * da - db;
        double third = da + db - 2 * gap;
        tail = a + t * (da + t * (second + t * third));
        f = -PER_UNIT * (da + t * (2 * second + 3 * t * third));
      } else {
        tail = far(size);
        f = Math.exp(logDensity(size));
      }
      function += share[c] * (x > 0 ? 1 - tail : tail);
      slopes += share[c] * unit * f;
    }
    sums[0] += function;
    sums[1] += slopes;
  }

  /// P(T > x) for x ≥ 0, by the table in `asinh x`.
  private double far(double x) {
    double u = Math.log(x + Math.sqrt(x * x + 1));
    int i = (int) (u / STEP);
    if (!(i < NODES)) return upper[NODES] * Math.pow(Math.sinh(NODES * STEP) / x, nu);
    return cubic(u / STEP - i, upper[i], upper[i + 1], -slope[i] * STEP, -slope[i + 1] * STEP);
  }

  /// The cubic on [0, 1] with values a, b and slopes da, db at the ends.
  private static double cubic(double t, double a, double b, double da, double db) {
    double c = 3 * (b - a) - 2 * da - db;
    double d = 2 * (a - b) + da + db;
    return a + t * (da + t * (c + t * d));
  }

  /// The x with P(T ≤ x) = p, by bisection in `asinh x`.
  public double quantile(double p) {
    if (p == 0.5) return 0;
    double low = -NODES * STEP;
    double high = NODES * STEP;
    for (int i = 0; i < 60; i++) {
      double middle = 0.5 * (low + high);
      if (cdf(Math.sinh(middle)) < p) low = middle;
      else high = middle;
    }
    return Math.sinh(0.5 * (low + high));
  }
}
