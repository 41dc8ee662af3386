package lovelace.series.state;

import lovelace.linear.Blas;

/// Tests of one series at every time: for one value that is off, and for a level that shifts
/// (Harvey and Koopman 1992; de Jong and Penzer 1998), all from one pass backwards.
///
/// For a pattern x, the smoother has `e = xᵀP y` and `D = xᵀP x` with P the inverse covariance
/// beside the level and the coefficients. The size of x is e/D, with variance 1/D.
///
/// @param error e of an outlier at each time
/// @param weight D of an outlier; 0 without a value
/// @param shiftError e of a shift from each time on
/// @param shiftWeight D of a shift
@SuppressWarnings("ArrayRecordComponent")
public record LongTests(
    double[] error, double[] weight, double[] shiftError, double[] shiftWeight) {

  private static final int ROWS = 256;

  static LongTests of(
      Chain chain,
      Times times,
      double[] rows,
      int columns,
      boolean[] there,
      Regression regression,
      int y) {
    Sums sums = new Sums(times.size(), regression, y, columns, chain.size);
    Smoother.run(chain.withShift(), times, rows, columns, there, new int[0][], sums);
    sums.flush();
    return new LongTests(sums.errors[0], sums.weights[0], sums.errors[1], sums.weights[1]);
  }

  /// Collects errors and weights: of outliers, then of shifts.
  private static final class Sums implements Smoother.Visitor {
    private final Regression regression;
    private final int y;
    private final int columns;
    private final int level;
    private final double[] coefficients;
    private final double[][] errors;
    private final double[][] weights;
    private final double[] waiting;
    private final int[] kind = new int[ROWS];
    private final int[] time = new int[ROWS];
    private int count;

    Sums(int n, Regression regression, int y, int columns, int level) {
      this.regression = regression;
      this.y = y;
      this.columns = columns;
      this.level = level;
      coefficients = regression.coefficients(0);
      errors = new double[2][n];
      weights = new double[2][n];
      waiting = new double[ROWS * coefficients.length];
    }

    @Override
    public void at(
        int t,
        double[] u,
        double weight,
        double[] r,
        double[] big,
        double[][] smooth,
        double[] variance) {
      if (weight == 0) return;
      add(0, t, u, 0, weight);
      add(1, t, r, level * columns, big[level * (level + 1) + level]);
    }

    private void add(int which, int t, double[] products, int offset, double weight) {
      int m = coefficients.length;
      System.arraycopy(products, offset, waiting, count * m, m);
      errors[which][t] = products[offset + y] - Blas.dot(m, waiting, count * m, coefficients, 0);
      weights[which][t] = weight;
      kind[count] = which;
      time[count++] = t;
      if (count == ROWS) flush();
    }

    void flush() {
      double[] less = regression.variances(count, waiting, coefficients.length);
      for (int i = 0; i < count; i++) {
        double whole = weights[kind[i]][time[i]];
        double left = whole - less[i];
        weights[kind[i]][time[i]] = left < 1e-9 * whole ? 0 : left;
      }
      count = 0;
    }
  }
}
