package lovelace.series.state;

import java.util.Arrays;

/// The disturbance smoother of a [Chain] over all columns at once (de Jong 1989; Koopman 1993):
/// what all values say about the states at every time.
///
/// Backwards from 0, with Φ of the step after a time, `u = v/F − Kᵀr`, `r ← Zᵀu + Φᵀr`, and `N`,
/// the covariance of r, along with it. The states given all values are `a + P r`, with covariance
/// `P − P N P`.
final class Smoother {

  private final Chain chain;
  private final Times times;
  private final int columns;
  private final boolean[] there;
  private final int n;
  private final int d;
  private final double[] v; // innovations over F, by time, then column
  private final double[] variance;
  private final double[][] gain;
  private final int[][] parts; // first states of blocks
  private final double[][] projected; // by part: states of columns, by time, then column
  private final double[][] cross; // by part: P Zᵀ, by time, then state
  private final double[][] own; // by part: Z P Zᵀ, by time

  /// Takes what all values say, from the last time to the first.
  interface Visitor {
    /// One time.
    ///
    /// @param u smoothing errors by column; 0 without a value
    /// @param weight the variance of the error of a series
    /// @param r by state, then column
    /// @param big the covariance N
    /// @param part the parts of the columns, by part, then column
    /// @param spread the variances of the parts, coefficients known
    void at(
        int t,
        double[] u,
        double weight,
        double[] r,
        double[] big,
        double[][] part,
        double[] spread);
  }

  private Smoother(Chain chain, Times times, int columns, boolean[] there, int[][] parts) {
    this.chain = chain;
    this.times = times;
    this.columns = columns;
    this.there = there;
    this.parts = parts;
    n = times.size();
    d = chain.size;
    v = new double[n * columns];
    variance = new double[n];
    gain = new double[n][];
    projected = new double[parts.length][n * columns];
    cross = new double[parts.length][n * d];
    own = new double[parts.length][n];
  }

  /// Runs over rows of columns.
  ///
  /// @param parts the first states of the blocks of each part
  static void run(
      Chain chain,
      Times times,
      double[] rows,
      int columns,
      boolean[] there,
      int[][] parts,
      Visitor visitor) {
    Smoother smoother = new Smoother(chain, times, columns, there, parts);
    smoother.forward(rows);
    smoother.backward(visitor);
  }

  private void forward(double[] rows) {
    double[] a = new double[d * columns];
    double[] p = chain.first();
    double gap = Double.NaN;
    Chain.Step step = chain.over(1);
    for (int t = 0; t < n; t++) {
      if (t > 0) {
        double now = times.at(t) - times.at(t - 1);
        if (now != gap) step = chain.over(now);
        gap = now;
        step.move(columns, a);
        step.spread(p);
      }
      keep(t, a, p);
      gain[t] = new double[0];
      if (!there[t]) continue;
      double[] k = new double[d];
      double f = 1;
      for (int i = 0; i < d; i++) for (int at : chain.at) k[i] += p[i * d + at];
      for (int at : chain.at) f += k[at];
      for (int i = 0; i < d; i++) for (int j = 0; j < d; j++) p[i * d + j] -= k[i] * k[j] / f;
      for (int i = 0; i < d; i++) k[i] /= f;
      int row = t * columns;
      System.arraycopy(rows, row, v, row, columns);
      for (int at : chain.at) for (int c = 0; c < columns; c++) v[row + c] -= a[at * columns + c];
      for (int i = 0; i < d; i++)
        if (k[i] != 0) for (int c = 0; c < columns; c++) a[i * columns + c] += k[i] * v[row + c];
      for (int c = 0; c < columns; c++) v[row + c] /= f;
      gain[t] = k;
      variance[t] = f;
    }
  }

  private void keep(int t, double[] a, double[] p) {
    for (int q = 0; q < parts.length; q++) {
      for (int at : parts[q]) {
        for (int c = 0; c < columns; c++) projected[q][t * columns + c] += a[at * columns + c];
        for (int i = 0; i < d; i++) cross[q][t * d + i] += p[i * d + at];
      }
      for (int at : parts[q]) own[q][t] += cross[q][t * d + at];
    }
  }

  private void backward(Visitor visitor) {
    double[] r = new double[d * columns];
    double[] big = new double[d * d];
    double[] u = new double[columns];
    double[][] part = new double[parts.length][columns];
    double[] spread = new double[parts.length];
    double gap = Double.NaN;
    Chain.Step step = chain.over(1);
    for (int t = n - 1; t >= 0; t--) {
      double weight = there[t] ? observe(t, u, r, big) : 0;
      if (!there[t]) Arrays.fill(u, 0);
      for (int q = 0; q < parts.length; q++) {
        System.arraycopy(projected[q], t * columns, part[q], 0, columns);
        spread[q] = own[q][t];
        for (int i = 0; i < d; i++) {
          double x = cross[q][t * d + i];
          if (x == 0) continue;
          for (int c = 0; c < columns; c++) part[q][c] += x * r[i * columns + c];
          for (int j = 0; j < d; j++) spread[q] -= x * big[i * d + j] * cross[q][t * d + j];
        }
      }
      visitor.at(t, u, weight, r, big, part, spread);
      if (t == 0) break;
      double now = times.at(t) - times.at(t - 1);
      if (now != gap) step = chain.over(now);
      gap = now;
      step.back(columns, r);
      step.surround(big);
    }
  }

  /// The smoothing errors at a value; r and N with it.
  private double observe(int t, double[] u, double[] r, double[] big) {
    double[] k = gain[t];
    System.arraycopy(v, t * columns, u, 0, columns);
    double[] nk = new double[d];
    for (int i = 0; i < d; i++) {
      if (k[i] != 0) for (int c = 0; c < columns; c++) u[c] -= k[i] * r[i * columns + c];
      for (int j = 0; j < d; j++) nk[i] += big[i * d + j] * k[j];
    }
    double weight = 1 / variance[t];
    for (int i = 0; i < d; i++) weight += k[i] * nk[i];
    for (int at : chain.at) {
      for (int c = 0; c < columns; c++) r[at * columns + c] += u[c];
      for (int i = 0; i < d; i++) {
        big[at * d + i] -= nk[i];
        big[i * d + at] -= nk[i];
      }
      for (int other : chain.at) big[at * d + other] += weight;
    }
    return weight;
  }
}
