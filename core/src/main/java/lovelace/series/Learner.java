package lovelace.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import lovelace.linear.Parallel;
import lovelace.optimize.Lbfgs;
import lovelace.series.Reading.Held;

/// Learns weights from the series of a table, so that the mixture forecasts the last values of
/// every series best, each step by itself (logarithmic score).
///
/// First the points' weights are those under which the held-out values are likeliest with
/// everything before (EM). Then a factor for each term and the powers of evidence and score are
/// learned by gradient, with normal priors around no change.
public final class Learner {

  /// Few rounds: weights of many points are learned from few series, and stopping early keeps them
  /// near the start.
  private static final int ROUNDS = 2;

  /// The share of the equal weights in the weights of EM, in series.
  private static final double PRIOR_SERIES = 20;

  /// The prior standard deviation of the logarithm of a term's factor.
  private static final double TERM_WIDTH = 0.5;

  private final Library library;
  private final int horizon;
  private final List<Held> held = new ArrayList<>();

  /// How much each counts: those of one series count as one.
  private final List<Double> share = new ArrayList<>();

  private double series;

  public Learner(Library library, int horizon, List<Reading> readings) {
    this.library = library;
    this.horizon = horizon;
    for (Reading reading : readings) {
      held.addAll(reading.held());
      int times = reading.held().size();
      for (int o = 0; o < times; o++) share.add(1. / times);
    }
    for (double s : share) series += s;
  }

  /// The number of series that are learned from.
  public int series() {
    return (int) Math.rint(series);
  }

  public Weights learn(Weights start) {
    if (held.isEmpty()) return start;
    Weights mixed = mixed(start);
    return tilted(mixed);
  }

  /// The mean over series of the mean log density of the last values, held out together, in units
  /// of each series. It compares libraries and lengths of histories.
  public static double score(int horizon, Weights weights, List<Reading> readings) {
    double sum = 0;
    int count = 0;
    for (Reading reading : readings) {
      if (reading.held().isEmpty()) continue;
      Held h = reading.held().getFirst();
      double[] shares = weights.shares(h.length(), horizon, h.evidence(), h.score());
      double log = 0;
      for (int k = 0; k < h.top().length; k++) {
        double q = 1e-12;
        for (int j = 0; j < shares.length; j++) q += shares[j] * h.density()[k][j];
        log += (Math.log(q) + h.top()[k]) / h.top().length;
      }
      sum += log;
      count++;
    }
    return count == 0 ? Double.NEGATIVE_INFINITY : sum / count;
  }

  /// The weights by EM from the evidence before, under the start's powers.
  private Weights mixed(Weights start) {
    int size = library.size();
    int count = held.size();
    float[][] likelihood = new float[count][size];
    for (int i = 0; i < count; i++) {
      Held h = held.get(i);
      double x = Weights.ratio(h.length(), horizon);
      double eta = Weights.power(start.powers(), 0, x);
      double kappa = Weights.power(start.powers(), 2, x);
      float largest = Float.NEGATIVE_INFINITY;
      for (int j = 0; j < size; j++) {
        likelihood[i][j] = (float) (eta * h.evidence()[j] + kappa * h.score()[j]);
        largest = Math.max(largest, likelihood[i][j]);
      }
      for (int j = 0; j < size; j++)
        likelihood[i][j] = (float) Math.exp(likelihood[i][j] - largest);
    }
    double[] base = new double[size];
    for (int j = 0; j < size; j++) base[j] = Math.exp(start.logWeight()[j]);
    double[] w = base.clone();
    for (int round = 0; round < ROUNDS; round++) {
      double[] now = w;
      int chunk = 64;
      double[][] parts = new double[Parallel.pieces(count, chunk)][];
      Parallel.chunks(
          count,
          chunk,
          (index, from, to) -> {
            double[] sum = new double[size];
            for (int i = from; i < to; i++) {
              double all = 0;
              for (int j = 0; j < size; j++) all += now[j] * likelihood[i][j];
              double f = share.get(i) / all;
              for (int j = 0; j < size; j++) sum[j] += f * now[j] * likelihood[i][j];
            }
            parts[index] = sum;
          });
      double[] next = new double[size];
      for (int j = 0; j < size; j++) next[j] = PRIOR_SERIES * base[j];
      for (double[] part : parts) for (int j = 0; j < size; j++) next[j] += part[j];
      for (int j = 0; j < size; j++) next[j] /= series + PRIOR_SERIES;
      w = next;
    }
    double[] log = new double[size];
    for (int j = 0; j < size; j++) log[j] = Math.log(w[j]);
    return new Weights(log, start.powers());
  }

  /// The weights with a factor for each term, and the powers.
  private Weights tilted(Weights start) {
    int terms = library.termCount();
    double[] x0 = new double[terms + 4];
    System.arraycopy(start.powers(), 0, x0, terms, 4);
    double[] lower = new double[x0.length];
    double[] upper = new double[x0.length];
    Arrays.fill(lower, -8);
    Arrays.fill(upper, 8);
    double[] x =
        Lbfgs.DEFAULT
            .withMaxIterations(60)
            .withRelativeTolerance(1e-6)
            .minimize((a, gradient) -> loss(start, a, gradient), x0, lower, upper)
            .x();
    double[] log = new double[library.size()];
    for (int j = 0; j < log.length; j++) {
      log[j] = start.logWeight()[j];
      for (int term : library.terms(j)) log[j] += x[term];
    }
    return new Weights(log, Arrays.copyOfRange(x, terms, terms + 4));
  }

  /// Minus the mean log density of the held-out steps summed over the series, with the priors, and
  /// its gradient.
  double loss(Weights start, double[] a, double[] gradient) {
    int terms = library.termCount();
    int size = library.size();
    double[] base = new double[size];
    for (int j = 0; j < size; j++) {
      base[j] = start.logWeight()[j];
      for (int term : library.terms(j)) base[j] += a[term];
    }
    double[] powers = Arrays.copyOfRange(a, terms, terms + 4);
    int chunk = 16;
    double[][] parts = new double[Parallel.pieces(held.size(), chunk)][];
    Parallel.chunks(
        held.size(),
        chunk,
        (index, from, to) -> {
          double[] part = new double[size + 5]; // by point, by power, and the loss
          for (int i = from; i < to; i++) add(held.get(i), share.get(i), base, powers, part);
          parts[index] = part;
        });
    double[] sum = new double[size + 5];
    for (double[] part : parts) for (int j = 0; j < sum.length; j++) sum[j] += part[j];
    Arrays.fill(gradient, 0);
    for (int j = 0; j < size; j++) for (int term : library.terms(j)) gradient[term] -= sum[j];
    for (int p = 0; p < 4; p++) gradient[terms + p] = -sum[size + p];
    double loss = -sum[size + 4];
    for (int t = 0; t < terms + 4; t++) {
      double centre = t < terms ? 0 : Weights.POWERS[t - terms];
      double width = t < terms ? TERM_WIDTH : t % 2 == terms % 2 ? 1 : 0.5;
      double d = (a[t] - centre) / width;
      loss += 0.5 * d * d;
      gradient[t] += d / width;
    }
    return loss;
  }

  private void add(Held h, double times, double[] base, double[] powers, double[] part) {
    int size = base.length;
    double x = Weights.ratio(h.length(), horizon);
    double eta = Weights.power(powers, 0, x);
    double kappa = Weights.power(powers, 2, x);
    double[] share = new double[size];
    double largest = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < size; j++) {
      share[j] = base[j] + eta * h.evidence()[j] + kappa * h.score()[j];
      largest = Math.max(largest, share[j]);
    }
    double all = 0;
    for (int j = 0; j < size; j++) {
      share[j] = Math.exp(share[j] - largest);
      all += share[j];
    }
    for (int j = 0; j < size; j++) share[j] /= all;
    double[] gain = new double[size];
    int steps = h.density().length;
    double log = 0;
    for (float[] p : h.density()) {
      double q = 1e-12;
      for (int j = 0; j < size; j++) q += share[j] * p[j];
      log += times * Math.log(q) / steps;
      double f = 1 / (q * steps);
      for (int j = 0; j < size; j++) gain[j] += f * p[j];
    }
    double etaSlope = Weights.powerSlope(powers, 0, x);
    double kappaSlope = Weights.powerSlope(powers, 2, x);
    double byEta = 0;
    double byKappa = 0;
    for (int j = 0; j < size; j++) {
      double g = times * share[j] * (gain[j] - 1);
      if (share[j] < 1e-14) continue;
      part[j] += g;
      byEta += g * etaSlope * h.evidence()[j];
      byKappa += g * kappaSlope * h.score()[j];
    }
    part[size] += byEta;
    part[size + 1] += byEta * x;
    part[size + 2] += byKappa;
    part[size + 3] += byKappa * x;
    part[size + 4] += log;
  }
}
