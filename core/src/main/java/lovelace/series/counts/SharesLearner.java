package lovelace.series.counts;

import java.util.Arrays;
import java.util.List;
import lovelace.linear.Parallel;
import lovelace.optimize.Lbfgs;

/// Learns the weights of points from the series of a table, so that their mixture forecasts the
/// values held out of every series best, each step by itself (logarithmic score). Each term of a
/// point, such as a season or a discount, has a factor. Factors and powers have normal priors
/// around those that it starts with, so a table of few series stays near them.
final class SharesLearner {

  /// Prior standard deviations.
  private static final double TERM_WIDTH = 1;

  private static final double POWER_WIDTH = 0.7;

  private static final int CHUNK = 16;

  private final Shares start;
  private final int[][] terms;
  private final int termCount;
  private final List<Evidence> all;

  /// @param terms the numbers of the terms of each point
  SharesLearner(Shares start, int[][] terms, List<Evidence> all) {
    this.start = start;
    this.terms = terms;
    termCount = 1 + Arrays.stream(terms).flatMapToInt(Arrays::stream).max().orElse(-1);
    this.all = all.stream().filter(each -> !each.held().isEmpty()).toList();
  }

  Shares learn() {
    if (all.isEmpty()) return start;
    double[] x0 = new double[termCount + 2];
    System.arraycopy(start.powers(), 0, x0, termCount, 2);
    double[] lower = new double[x0.length];
    double[] upper = new double[x0.length];
    Arrays.fill(lower, -8);
    Arrays.fill(upper, 8);
    return shares(
        Lbfgs.DEFAULT
            .withMaxIterations(60)
            .withRelativeTolerance(1e-6)
            .minimize(this::loss, x0, lower, upper)
            .x());
  }

  /// The shares with logarithms of the factors of terms, and powers.
  private Shares shares(double[] x) {
    double[] log = start.logWeight().clone();
    for (int j = 0; j < log.length; j++) for (int term : terms[j]) log[j] += x[term];
    return new Shares(log, Arrays.copyOfRange(x, termCount, termCount + 2));
  }

  /// The number of parameters.
  int size() {
    return termCount + 2;
  }

  /// The negative log score with the priors, and its gradient.
  double loss(double[] x, double[] gradient) {
    int size = start.logWeight().length;
    Shares shares = shares(x);
    double[][] parts = new double[Parallel.pieces(all.size(), CHUNK)][];
    Parallel.chunks(
        all.size(),
        CHUNK,
        (index, from, to) -> {
          double[] part = new double[size + 3]; // by point, by power, and the log score
          for (int i = from; i < to; i++) {
            List<Evidence.Held> held = all.get(i).held();
            for (Evidence.Held each : held) add(shares, each, 1. / held.size(), part);
          }
          parts[index] = part;
        });
    double[] sum = new double[size + 3];
    for (double[] part : parts) for (int j = 0; j < sum.length; j++) sum[j] += part[j];
    double loss = -sum[size + 2];
    Arrays.fill(gradient, 0);
    for (int j = 0; j < size; j++) for (int term : terms[j]) gradient[term] -= sum[j];
    for (int p = 0; p < 2; p++) gradient[termCount + p] = -sum[size + p];
    for (int i = 0; i < x.length; i++) {
      double centre = i < termCount ? 0 : start.powers()[i - termCount];
      double width = i < termCount ? TERM_WIDTH : POWER_WIDTH;
      double d = (x[i] - centre) / width;
      loss += 0.5 * d * d;
      gradient[i] += d / width;
    }
    return loss;
  }

  private static void add(Shares shares, Evidence.Held held, double times, double[] part) {
    int size = shares.logWeight().length;
    int steps = held.mass().length;
    if (steps == 0) return;
    double[] share = shares.of(held.evidence(), held.score());
    double[] gain = new double[size];
    double log = 0;
    for (double[] mass : held.mass()) {
      double q = 1e-12;
      for (int j = 0; j < size; j++) q += share[j] * mass[j];
      log += Math.log(q);
      for (int j = 0; j < size; j++) gain[j] += mass[j] / (q * steps);
    }
    double eta = Math.exp(shares.powers()[0]);
    double kappa = Math.exp(shares.powers()[1]);
    for (int j = 0; j < size; j++) {
      double g = times * share[j] * (gain[j] - 1);
      part[j] += g;
      part[size] += g * eta * held.evidence()[j];
      part[size + 1] += g * kappa * held.score()[j];
    }
    part[size + 2] += times * log / steps;
  }
}
