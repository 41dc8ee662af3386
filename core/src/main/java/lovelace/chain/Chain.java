package lovelace.chain;

import java.util.Arrays;
import lovelace.budget.Budget;
import lovelace.markov.MaternStep;

/// The states of a Matérn process of variance one at the places of observations, given all
/// observations. A pass from the right collects the information of later observations about each
/// state. A pass from the left computes the mean and covariance of each. Places need not be evenly
/// spaced. Immutable.
final class Chain {

  private static final int CHECKED = 1 << 16; // steps between checks of the time

  final Places places;
  final int order;
  final int d;

  /// λ. A gap h has τ = λh.
  final double rate;

  /// The information of observations beyond a place about its state, [Link#packed] numbers each.
  private final double[] said;

  /// The mean of each state.
  private final double[] means;

  /// The lower root of the covariance of each state, packed.
  private final double[] roots;

  private final double[] precision; // roots of the observations' precisions
  private final double[] values; // observations

  /// log p of the values, without the constants of their noise.
  final double logLikelihood;

  /// `Σ (E|u|² − d)` over all steps: twice the derivative of log p in the logarithm of the
  /// process's variance.
  final double excess;

  /// The derivative of log p in the logarithm of the rate.
  final double slope;

  /// Conditions on values at the places, given roots of their precisions. Keeps both arrays.
  Chain(Places places, int order, double rate, double[] precision, double[] values) {
    this.places = places;
    this.order = order;
    this.d = (order + 1) / 2;
    this.rate = rate;
    this.precision = precision;
    this.values = values;
    int m = places.size();
    said = new double[m * Link.packed(d)];
    means = new double[m * d];
    roots = new double[m * (d * (d + 1) / 2)];
    logLikelihood = collect();
    double[] sums = spread();
    excess = sums[0];
    slope = sums[1];
  }

  /// About how many bytes a chain takes.
  static long bytes(int order, long places) {
    int d = (order + 1) / 2;
    return 8 * places * (Link.packed(d) + d + d * (d + 1) / 2 + 2);
  }

  private double gap(int k) {
    return rate * (places.at[k] - places.at[k - 1]);
  }

  /// Computes the link to place k from a state `tau` before it.
  void link(Link link, MaternStep step, double tau, int k) {
    step.to(tau);
    link.reduce(step, said, k * Link.packed(d), precision[k], precision[k] * values[k]);
  }

  private void linkFirst(Link link, MaternStep step) {
    link.reduceFirst(step, said, 0, precision[0], precision[0] * values[0]);
  }

  private double collect() {
    MaternStep step = new MaternStep(order, 1);
    Link link = new Link(d);
    double sum = 0;
    for (int k = places.size() - 1; k > 0; k--) {
      if (k % CHECKED == 0) Budget.check();
      link(link, step, gap(k), k);
      sum += link.logShock() + 0.5 * link.misfit();
      link.pack(said, (k - 1) * Link.packed(d));
    }
    linkFirst(link, step);
    return -(sum + link.logShock() + 0.5 * link.misfitFirst());
  }

  private double[] spread() {
    MaternStep step = new MaternStep(order, 1);
    Link link = new Link(d);
    double[] x = new double[d * d];
    double[] before = new double[d * d];
    var change = new Change();
    double shocks = 0;
    double slopes = 0;
    for (int k = 0; k < places.size(); k++) {
      if (k % CHECKED == 0) Budget.check();
      System.arraycopy(x, 0, before, 0, d * d);
      if (k == 0) linkFirst(link, step);
      else link(link, step, gap(k), k);
      link.gains();
      link.mean(means, Math.max(0, k - 1) * d, means, k * d);
      link.root(x);
      for (double u : link.push) shocks += u * u;
      for (double u : link.shocks) shocks += u * u;
      shocks -= d;
      if (k > 0) slopes += gap(k) * change.along(k, step, link, before);
      pack(x, k);
    }
    return new double[] {shocks, slopes};
  }

  private void pack(double[] x, int k) {
    int at = k * (d * (d + 1) / 2);
    for (int i = 0; i < d; i++) System.arraycopy(x, i * d, roots, at + i * (i + 1) / 2, i + 1);
  }

  /// The derivative of log p in the τ of one step: `E (z − Yᵀx′)ᵀYᵀ(∂Φ x + ∂Γ u)`, where Y and z
  /// hold all information about x′. The covariances enter as `tr YᵀZ (Yᵀ∂Z)ᵀ`.
  private final class Change {
    private final double[] transition = new double[d * d];
    private final double[] innovation = new double[d * d];
    private final double[] moved = new double[d * (2 * d + 1)]; // ∂Z, then the change of the mean

    double along(int k, MaternStep step, Link link, double[] before) {
      step.slopes(transition, innovation);
      int columns = 2 * d;
      int mean = (k - 1) * d;
      for (int i = 0; i < d; i++) {
        for (int c = 0; c < columns; c++) {
          double sum = 0;
          for (int j = 0; j < d; j++) {
            sum += innovation[i * d + j] * link.shocks[j * columns + c];
            if (c < d) sum += transition[i * d + j] * before[j * d + c];
          }
          moved[c * d + i] = sum;
        }
        double sum = 0;
        for (int j = 0; j < d; j++)
          sum += transition[i * d + j] * means[mean + j] + innovation[i * d + j] * link.push[j];
        moved[columns * d + i] = sum;
      }
      int at = k * Link.packed(d);
      int z = at + d * (d + 1) / 2;
      double f = means[k * d];
      double own = precision[k];
      double slope = own * (values[k] - f) * own * moved[columns * d];
      for (int c = 0; c < columns; c++) slope -= own * own * link.spread[c] * moved[c * d];
      for (int y = 0; y < d; y++) {
        double off = said[z + y];
        double drift = 0;
        for (int i = y; i < d; i++) {
          double entry = said[at + i * (i + 1) / 2 + y];
          off -= entry * means[k * d + i];
          drift += entry * moved[columns * d + i];
        }
        slope += off * drift;
        for (int c = 0; c < columns; c++) {
          double root = 0;
          double turn = 0;
          for (int i = y; i < d; i++) {
            double entry = said[at + i * (i + 1) / 2 + y];
            root += entry * link.spread[i * columns + c];
            turn += entry * moved[c * d + i];
          }
          slope -= root * turn;
        }
      }
      return slope;
    }
  }

  /// The mean of f at place k.
  double mean(int k) {
    return means[k * d];
  }

  /// The variance of f at place k.
  double variance(int k) {
    double root = roots[k * (d * (d + 1) / 2)];
    return root * root;
  }

  /// A workspace for states between and beyond the places. For one thread.
  final class Station {
    final MaternStep step = new MaternStep(order, 1);
    final Link link = new Link(d);

    /// The last place that is not beyond the point; −1 if all are.
    int place;

    /// The information of observations beyond the point about its state.
    final double[] said = new double[Link.packed(d)];

    final double[] mean = new double[d];

    /// The lower root of the state's covariance, d × d.
    final double[] root = new double[d * d];

    /// Goes to a point and computes everything except the root. [Link#spread] may be called next.
    void approach(double x) {
      place = places.before(x);
      if (place + 1 < places.size()) {
        link(link, step, rate * (places.at[place + 1] - x), place + 1);
        link.pack(said, 0);
      } else {
        Arrays.fill(said, 0);
      }
      if (place < 0) {
        Arrays.fill(root, 0);
        Arrays.fill(mean, 0);
        link.reduceFirst(step, said, 0, 0, 0);
      } else {
        int at = place * (d * (d + 1) / 2);
        for (int i = 0; i < d; i++)
          System.arraycopy(roots, at + i * (i + 1) / 2, root, i * d, i + 1);
        System.arraycopy(means, place * d, mean, 0, d);
        step.to(rate * (x - places.at[place]));
        link.reduce(step, said, 0, 0, 0);
      }
      link.gains();
      link.mean(mean, 0, mean, 0);
    }

    /// Goes to a point and computes everything.
    void stand(double x) {
      approach(x);
      link.root(root);
    }

    /// The variance of f after [#approach].
    double variance() {
      link.spread(root);
      double sum = 0;
      for (int c = 0; c < 2 * d; c++) sum += link.spread[c] * link.spread[c];
      return sum;
    }

    /// Computes the link to a point with information `pointSaid`, from a state `distance` before it
    /// with no place between.
    void toPoint(double distance, double[] pointSaid) {
      step.to(rate * distance);
      link.reduce(step, pointSaid, 0, 0, 0);
      link.gains();
    }

    /// Computes the link to place k from a state `distance` before it with no place between.
    void toPlace(double distance, int k) {
      link(link, step, rate * distance, k);
      link.gains();
    }
  }
}
