package lovelace.series.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import lovelace.linear.Blas;

/// The Kalman filter of a [Chain] with noise of variance 1, run over several columns at once: those
/// of a [Design], a column of ones, and the values under some scales. Their innovations divided by
/// their standard deviations are `L⁻¹` of the columns, for the Cholesky factor L of the chain's
/// covariance. Of them only products are kept.
///
/// The gains depend on the times alone. On whole steps without gaps they reach a steady state; from
/// then on a step costs as much as there are states and columns.
final class Filter {

  /// Gains are steady if they change by less than this, [#TIMES] times in a row.
  private static final double STEADY = 1e-14;

  private static final int TIMES = 8;

  /// How many rows are multiplied at once.
  private static final int ROWS = 256;

  private final Chain chain;
  private final int columns;
  private final double[] a;
  private final double[] p;
  private final double[] pz;
  private final double[] gain;
  private final double[] gram;
  private final double[] rows;
  private final double[] v;
  private double variance;
  private int steady;
  private int waiting;
  private int seen;
  private double logVariance;

  /// The facts known before some place: products of the whitened columns, and the states.
  ///
  /// @param place of the next value
  /// @param seen the number of values before
  /// @param gram the lower triangle of the products, by column
  /// @param logVariance Σ log F
  /// @param states by state, then column: predictions for the last time before the place
  /// @param covariance of the states after the values before
  @SuppressWarnings("ArrayRecordComponent")
  record Snapshot(
      int place,
      int seen,
      double[] gram,
      double logVariance,
      double[] states,
      double[] covariance) {}

  private Filter(Chain chain, int columns) {
    this.chain = chain;
    this.columns = columns;
    int d = chain.size;
    a = new double[d * columns];
    p = chain.first();
    pz = new double[d];
    gain = new double[d];
    gram = new double[columns * columns];
    rows = new double[ROWS * columns];
    v = new double[columns];
  }

  /// Runs over rows of columns.
  ///
  /// @param rows one after the other, by time
  /// @param seen whether there is a value at a time
  /// @param places ascending, before which a snapshot is taken; at most the number of times
  static List<Snapshot> run(
      Chain chain, Times times, double[] rows, int columns, boolean[] seen, int... places) {
    Filter filter = new Filter(chain, columns);
    List<Snapshot> all = new ArrayList<>();
    int next = 0;
    double gap = Double.NaN;
    Chain.Step step = chain.over(1);
    for (int t = 0; next < places.length; t++) {
      if (t > 0) {
        while (next < places.length && places[next] == t) {
          all.add(filter.snapshot(t));
          next++;
        }
        if (next == places.length) break;
        double now = times.at(t) - times.at(t - 1);
        if (now != gap) {
          step = chain.over(now);
          gap = now;
          filter.steady = 0;
        }
        filter.move(step);
      }
      if (seen[t]) filter.update(rows, t * columns);
      else filter.steady = 0;
    }
    return all;
  }

  private void move(Chain.Step step) {
    step.move(columns, a);
    if (steady < TIMES) step.spread(p);
  }

  private void update(double[] x, int offset) {
    int d = chain.size;
    if (steady < TIMES) gains();
    System.arraycopy(x, offset, v, 0, columns);
    for (int at : chain.at) for (int c = 0; c < columns; c++) v[c] -= a[at * columns + c];
    for (int i = 0; i < d; i++) {
      double k = gain[i];
      if (k == 0) continue;
      int row = i * columns;
      for (int c = 0; c < columns; c++) a[row + c] += k * v[c];
    }
    double f = 1 / Math.sqrt(variance);
    int row = waiting * columns;
    for (int c = 0; c < columns; c++) rows[row + c] = f * v[c];
    if (++waiting == ROWS) flush();
    logVariance += Math.log(variance);
    seen++;
  }

  /// The gains at one time, and the covariance after its value.
  private void gains() {
    int d = chain.size;
    Arrays.fill(pz, 0);
    for (int i = 0; i < d; i++) for (int at : chain.at) pz[i] += p[i * d + at];
    variance = 1;
    for (int at : chain.at) variance += pz[at];
    double largest = 0;
    double change = 0;
    for (int i = 0; i < d; i++) {
      double k = pz[i] / variance;
      change = Math.max(change, Math.abs(k - gain[i]));
      largest = Math.max(largest, Math.abs(k));
      gain[i] = k;
    }
    steady = chain.whole && change <= STEADY * largest ? steady + 1 : 0;
    if (steady == TIMES) return; // the covariance stays as it is before a value
    for (int i = 0; i < d; i++) {
      double k = gain[i];
      for (int j = 0; j < d; j++) p[i * d + j] -= k * pz[j];
    }
  }

  private void flush() {
    if (waiting == 0) return;
    Blas.syrk(true, columns, waiting, 1, rows, 0, columns, 1, gram, 0, columns);
    waiting = 0;
  }

  private Snapshot snapshot(int place) {
    flush();
    return new Snapshot(place, seen, gram.clone(), logVariance, a.clone(), after());
  }

  /// The covariance of the states after the last value.
  private double[] after() {
    double[] after = p.clone();
    if (steady < TIMES) return after;
    int d = chain.size;
    for (int i = 0; i < d; i++) for (int j = 0; j < d; j++) after[i * d + j] -= gain[i] * pz[j];
    return after;
  }
}
