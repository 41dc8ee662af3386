package lovelace.series.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The log likelihood of one series under a [Chain] and noise of variance 1, with the scale at its
/// best, and its gradient by the parameters of a [Structure] from one backward pass.
///
/// With r and N of the disturbance smoother, which run backwards from 0, and `G = r rᵀ/s² − N`, the
/// likelihood changes by `½ tr(G dQ)` with the covariance of innovations and of the first states
/// (Koopman and Shephard 1992), and by `rᵀ dΦ a/s² + tr(G dΦ P Φᵀ)` with a transition, where a and
/// P are the states and their covariance after the value before.
final class Score {

  private static final double STEADY = 1e-13;

  /// The step of the differences by which Φ and Q of single blocks are differentiated.
  private static final double STEP = 1e-5;

  private final Structure structure;
  private final Times times;
  private final double[] values;
  private final int seen;

  Score(Structure structure, Times times, double[] values) {
    this.structure = structure;
    this.times = times;
    this.values = values;
    seen = (int) Arrays.stream(values).filter(v -> !Double.isNaN(v)).count();
  }

  /// Minus the log likelihood up to a constant, with the prior.
  ///
  /// @param gradient receives the gradient
  double loss(double[] x, double[] gradient) {
    Pass pass = new Pass(structure.chain(x, times.whole()));
    double squares = pass.forward();
    double[] slopes = pass.backward(x, squares / seen);
    for (int i = 0; i < gradient.length; i++) gradient[i] = -slopes[i];
    return 0.5 * pass.logVariance + 0.5 * seen * Math.log(squares) + structure.prior(x, gradient);
  }

  /// The changes of a chain with one parameter: of its first covariance, and of its transition.
  @SuppressWarnings("ArrayRecordComponent")
  private record Change(double[] first, double[][] phi, double[][] q) {}

  private List<Change> changes(double[] x, double gap) {
    List<Change> all = new ArrayList<>();
    for (int i = 0; i < x.length; i++) {
      double[] up = x.clone();
      up[i] += STEP;
      double[] down = x.clone();
      down[i] -= STEP;
      Chain high = structure.chain(up, times.whole());
      Chain low = structure.chain(down, times.whole());
      Chain.Step a = high.over(gap);
      Chain.Step b = low.over(gap);
      all.add(
          new Change(
              slope(high.first(), low.first()), slopes(a.phi(), b.phi()), slopes(a.q(), b.q())));
    }
    return all;
  }

  private static double[] slope(double[] up, double[] down) {
    double[] slope = new double[up.length];
    for (int i = 0; i < slope.length; i++) slope[i] = (up[i] - down[i]) / (2 * STEP);
    return slope;
  }

  private static double[][] slopes(double[][] up, double[][] down) {
    double[][] all = new double[up.length][];
    for (int b = 0; b < all.length; b++) all[b] = slope(up[b], down[b]);
    return all;
  }

  /// One forward and one backward pass.
  private final class Pass {
    private final Chain chain;
    private final int d;
    private final int n = values.length;
    private final double[] v = new double[n];
    private final double[] variance = new double[n];
    private final double[][] gain = new double[n][];
    private final double[][] after = new double[n][]; // P after the value
    private final double[] states;
    private double logVariance;

    Pass(Chain chain) {
      this.chain = chain;
      d = chain.size;
      states = new double[n * d];
    }

    double forward() {
      double[] a = new double[d];
      double squares = 0;
      double gap = Double.NaN;
      Chain.Step step = chain.over(1);
      int steady = 0;
      for (int t = 0; t < n; t++) {
        if (t > 0) {
          double now = times.at(t) - times.at(t - 1);
          if (now != gap) step = chain.over(now);
          gap = now;
          step.move(1, a);
        }
        boolean there = !Double.isNaN(values[t]);
        if (there && steady >= 4) {
          gain[t] = gain[t - 1];
          variance[t] = variance[t - 1];
          after[t] = after[t - 1];
        } else {
          double[] p = t == 0 ? chain.first() : after[t - 1].clone();
          if (t > 0) step.spread(p);
          after[t] = p;
          gain[t] = new double[0];
          boolean same = there && gains(t, p);
          steady = same ? steady + 1 : 0;
        }
        if (there) {
          double e = values[t];
          for (int at : chain.at) e -= a[at];
          v[t] = e;
          for (int i = 0; i < d; i++) a[i] += gain[t][i] * e;
          squares += e * e / variance[t];
          logVariance += Math.log(variance[t]);
        }
        System.arraycopy(a, 0, states, t * d, d);
      }
      return Math.max(squares, 1e-280);
    }

    /// The gains at a time, and the covariance after its value.
    ///
    /// @return whether the gains are those of the time before
    private boolean gains(int t, double[] p) {
      double[] k = new double[d];
      double f = 1;
      for (int i = 0; i < d; i++) for (int at : chain.at) k[i] += p[i * d + at];
      for (int at : chain.at) f += k[at];
      double change = 0;
      double largest = 0;
      for (int i = 0; i < d; i++) for (int j = 0; j < d; j++) p[i * d + j] -= k[i] * k[j] / f;
      for (int i = 0; i < d; i++) {
        k[i] /= f;
        double before = t > 0 && gain[t - 1].length == d ? gain[t - 1][i] : Double.MAX_VALUE;
        change = Math.max(change, Math.abs(k[i] - before));
        largest = Math.max(largest, Math.abs(k[i]));
      }
      gain[t] = k;
      variance[t] = f;
      return times.whole() && change <= STEADY * largest;
    }

    double[] backward(double[] x, double s2) {
      double[] slopes = new double[x.length];
      double[] r = new double[d];
      double[] big = new double[d * d];
      List<Change> changes = changes(x, 1);
      Sums sums = new Sums();
      double gap = Double.NaN;
      Chain.Step step = chain.over(1);
      for (int t = n - 1; t >= 0; t--) {
        if (t < n - 1) {
          double now = times.at(t + 1) - times.at(t);
          if (now != gap) {
            if (!Double.isNaN(gap)) {
              sums.contract(changes, slopes);
              sums = new Sums();
            }
            step = chain.over(now);
            changes = changes(x, now);
            gap = now;
          }
          sums.add(step, r, big, s2, t);
          step.back(1, r);
          step.surround(big);
        }
        if (Double.isNaN(values[t])) continue;
        double[] k = gain[t];
        double u = v[t] / variance[t];
        double[] nk = new double[d];
        for (int i = 0; i < d; i++) {
          u -= k[i] * r[i];
          for (int j = 0; j < d; j++) nk[i] += big[i * d + j] * k[j];
        }
        double knk = 1 / variance[t];
        for (int i = 0; i < d; i++) knk += k[i] * nk[i];
        for (int at : chain.at) {
          r[at] += u;
          for (int i = 0; i < d; i++) {
            big[at * d + i] -= nk[i];
            big[i * d + at] -= nk[i];
          }
          for (int other : chain.at) big[at * d + other] += knk;
        }
      }
      sums.contract(changes, slopes);
      List<Change> first = changes(x, 1);
      for (int i = 0; i < slopes.length; i++)
        for (int a = 0; a < d; a++)
          for (int b = 0; b < d; b++)
            slopes[i] +=
                0.5 * (r[a] * r[b] / s2 - big[a * d + b]) * first.get(i).first()[a * d + b];
      return slopes;
    }

    /// Sums over the steps of one gap of what multiplies the changes of Φ and Q, by block.
    private final class Sums {
      private final double[][] byQ = new double[chain.at.length][4];
      private final double[][] byPhi = new double[chain.at.length][4];
      private final double[] g = new double[d * d];

      void add(Chain.Step step, double[] r, double[] big, double s2, int t) {
        for (int i = 0; i < d; i++)
          for (int j = 0; j < d; j++) g[i * d + j] = r[i] * r[j] / s2 - big[i * d + j];
        double[] p = after[t];
        double[] m = new double[d];
        for (int b = 0; b < chain.at.length; b++) {
          int i0 = chain.at[b];
          int size = chain.blocks.get(b).size();
          for (int i = 0; i < size; i++)
            for (int k = 0; k < size; k++) {
              byQ[b][2 * i + k] += g[(i0 + i) * d + i0 + k];
              byPhi[b][2 * i + k] += r[i0 + i] * states[t * d + i0 + k] / s2;
            }
          for (int k = 0; k < size; k++) {
            System.arraycopy(p, (i0 + k) * d, m, 0, d); // row k of P, then of P Φᵀ
            step.move(1, m);
            for (int i = 0; i < size; i++) {
              double sum = 0;
              for (int l = 0; l < d; l++) sum += m[l] * g[l * d + i0 + i];
              byPhi[b][2 * i + k] += sum;
            }
          }
        }
      }

      void contract(List<Change> changes, double[] slopes) {
        for (int i = 0; i < slopes.length; i++) {
          Change change = changes.get(i);
          for (int b = 0; b < byQ.length; b++) {
            double[] q = change.q()[b];
            double[] phi = change.phi()[b];
            slopes[i] += 0.5 * byQ[b][0] * q[0] + byPhi[b][0] * phi[0];
            if (chain.blocks.get(b).size() == 1) continue;
            slopes[i] += 0.5 * (byQ[b][1] + byQ[b][2]) * q[1] + 0.5 * byQ[b][3] * q[2];
            for (int e = 1; e < 4; e++) slopes[i] += byPhi[b][e] * phi[e];
          }
        }
      }
    }
  }
}
