package lovelace.posterior;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.data.TargetTransform;
import lovelace.linear.Cholesky;
import lovelace.linear.Gaussian;

/// Measures how well predictions fit the targets that were observed: errors, densities, ranks and
/// coverage. Predictions should be of observations: their variance includes the noise, or they are
/// under a likelihood. [Classes] and [Residuals] are for classes and counts.
public final class Scores {

  private final Prediction prediction;
  private final double[] targets;
  private final double[]
      distances; // |y − m| in deviations, or the value with the same probability; ascending
  private final double rmse;
  private final double mae;
  private final double nlpd;
  private final double crps;

  /// Takes ownership of the targets.
  private Scores(Prediction prediction, double[] targets) {
    this.prediction = prediction;
    this.targets = targets;
    double[] means = prediction.gaussianMeans();
    double[] variances = prediction.gaussianVariances();
    int n = targets.length;
    if (means.length != n)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "predictions and targets must have the same length, got %d and %d",
              means.length,
              n));
    if (n == 0) throw new IllegalArgumentException("targets is empty, scores need at least one");
    TargetTransform transform = prediction.transform();
    boolean lawful = prediction.likelihood().isPresent();
    distances = new double[n];
    double squares = 0;
    double absolute = 0;
    double logarithm = 0;
    double ranked = 0;
    for (int i = 0; i < n; i++) {
      double m = means[i];
      double v = variances[i];
      double y = targets[i];
      if (!(Double.isFinite(m) && v >= 0 && Double.isFinite(y)))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "point %d (from 0): mean and target must be finite and the variance >= 0, got %s, %s and %s",
                i,
                m,
                y,
                v));
      double error = y - prediction.mean(i);
      squares += error * error;
      absolute += Math.abs(y - prediction.quantileAt(i, 0));
      if (lawful) {
        logarithm -= prediction.logDensity(i, y);
        distances[i] = distance(i);
      } else {
        double r = transform.apply(y) - m;
        distances[i] = r == 0 ? 0 : Math.abs(r) / Math.sqrt(v);
        logarithm -=
            v > 0
                ? transform.logDensity(y, m, v)
                : r == 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        ranked += transform.crps(y, m, v);
      }
    }
    Arrays.sort(distances);
    rmse = Math.sqrt(squares / n);
    mae = absolute / n;
    nlpd = logarithm / n;
    crps = lawful ? Double.NaN : ranked / n;
  }

  /// The level of the smallest central interval that contains the target, as standard normal
  /// deviations. The interval contains y if `P(Y ≤ y) ≥ (1 − level)/2` and `P(Y < y) < (1 +
  /// level)/2`.
  private double distance(int i) {
    double at = prediction.cumulative(i, targets[i]);
    double below = prediction.discrete() ? prediction.cumulative(i, Math.ceil(targets[i]) - 1) : at;
    double tail = Math.min(at, 1 - below); // (1 − level)/2 may not exceed it
    if (!(tail > 0)) return Double.POSITIVE_INFINITY;
    return tail >= 0.5 ? 0 : -Gaussian.quantile(tail);
  }

  /// Scores Gaussian predictions.
  public static Scores of(double[] means, double[] variances, double[] targets) {
    return new Scores(Prediction.adopt(means.clone(), variances.clone()), targets.clone());
  }

  /// Scores predictions in the unit of the targets.
  public static Scores of(Prediction prediction, double[] targets) {
    return new Scores(prediction, targets.clone());
  }

  /// Scores predictions that are Gaussian for the transformed target. The scores are in the unit of
  /// the targets themselves.
  public static Scores of(Prediction prediction, double[] targets, TargetTransform transform) {
    return of(prediction.undo(transform), targets);
  }

  /// Returns the log density of all targets together, in their own unit, under the joint
  /// distribution of the observations: `log N(z; m, C + σ²I) + Σ log|dz/dy|` for `z =
  /// transform(y)`.
  public static double jointLogDensity(
      Posterior posterior, double[] points, double[] targets, TargetTransform transform) {
    int t = targets.length;
    Prediction prediction = posterior.predict(points);
    double[] covariance = posterior.covariance(points, points);
    double[] residual = new double[t];
    for (int i = 0; i < t; i++) {
      covariance[i * t + i] += posterior.noise();
      residual[i] = transform.apply(targets[i]) - prediction.mean(i);
    }
    Cholesky factor = Cholesky.adopt(covariance, t);
    factor.solveLower(1, residual);
    double squares = 0;
    for (double r : residual) squares += r * r;
    return -0.5 * (squares + factor.logDeterminant() + t * Math.log(2 * Math.PI))
        + transform.logJacobian(targets);
  }

  /// The number of points.
  public int size() {
    return distances.length;
  }

  /// The root mean squared error of the mean.
  public double rmse() {
    return rmse;
  }

  /// The mean absolute error of the median.
  public double mae() {
    return mae;
  }

  /// The mean of `−log p(y)`, in nats.
  public double nlpd() {
    return nlpd;
  }

  /// The continuous ranked probability score `∫ (F(u) − [u ≥ y])² du`, averaged over the points, in
  /// the unit of the target. Smaller is better. See [TargetTransform#crps]. It is NaN under a
  /// likelihood.
  public double crps() {
    return crps;
  }

  /// Returns the fraction of targets inside their central interval of this level, such as 0.95.
  public double coverage(double level) {
    double limit = deviations(level);
    int low = 0;
    int high = distances.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (distances[middle] <= limit) low = middle + 1;
      else high = middle;
    }
    return (double) low / distances.length;
  }

  /// Returns the interval score of the central intervals of this level, such as 0.95. It is the
  /// width `u − l`, plus `2/(1 − level)` times the distance to the interval if the target lies
  /// outside it. The score is averaged over the points, in the unit of the target; smaller is
  /// better. Gneiting and Raftery (2007), eq. (43).
  public double intervalScore(double level) {
    double limit = deviations(level);
    double penalty = 2 / (1 - level);
    double sum = 0;
    for (int i = 0; i < targets.length; i++) {
      double lower = prediction.quantileAt(i, -limit);
      double upper = prediction.quantileAt(i, limit);
      double beyond = Math.max(0, Math.max(lower - targets[i], targets[i] - upper));
      sum += upper - lower + penalty * beyond;
    }
    return sum / targets.length;
  }

  /// The half width of the central interval of a level, in standard normal deviations.
  private static double deviations(double level) {
    if (!(level > 0 && level < 1))
      throw new IllegalArgumentException("interval level must lie between 0 and 1, got " + level);
    return Gaussian.quantile(0.5 * (1 + level));
  }

  /// Scores predictions of two classes. `prediction` is of the probability of class 1, or of the
  /// class ([Prediction#of(lovelace.likelihood.Likelihood, lovelace.likelihood.Likelihood.Of,
  /// double[])]). `labels` are 0 and 1.
  public static Classes classes(Prediction prediction, double[] labels) {
    return new Classes(prediction, labels.clone());
  }

  /// Returns randomised quantile residuals (Dunn and Smyth 1996): `P(Y < y) + u P(Y = y)`, where u
  /// is uniform and comes from the seed. They are uniform if the predictions are right, even for
  /// counts.
  public static Residuals residuals(Prediction prediction, double[] targets, long seed) {
    return new Residuals(prediction, targets, seed);
  }

  /// Measures how well probabilities of two classes fit the labels.
  public static final class Classes {

    private final double[] probabilities;
    private final double[] labels;
    private final double nlpd;

    private Classes(Prediction prediction, double[] labels) {
      this.probabilities = prediction.means();
      this.labels = labels;
      if (probabilities.length != labels.length || labels.length == 0)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "probabilities and labels must have the same length > 0, got %d and %d",
                probabilities.length,
                labels.length));
      for (int i = 0; i < labels.length; i++)
        if (!((labels[i] == 0 || labels[i] == 1) && probabilities[i] >= 0 && probabilities[i] <= 1))
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "point %d (from 0): a label must be 0 or 1 and its probability lie in [0, 1], got %s"
                      + " and %s",
                  i,
                  labels[i],
                  probabilities[i]));
      double sum = 0;
      for (int i = 0; i < labels.length; i++)
        sum -=
            prediction.discrete()
                ? prediction.logDensity(i, labels[i]) // keeps its digits where p rounds to 1
                : labels[i] == 1 ? Math.log(probabilities[i]) : Math.log1p(-probabilities[i]);
      nlpd = sum / labels.length;
    }

    /// The mean of −log p(label), in nats.
    public double nlpd() {
      return nlpd;
    }

    /// The mean of `(p − label)²`.
    public double brier() {
      double sum = 0;
      for (int i = 0; i < labels.length; i++)
        sum += (probabilities[i] - labels[i]) * (probabilities[i] - labels[i]);
      return sum / labels.length;
    }

    /// The fraction of points whose label is the less probable class. A probability of 1/2 counts
    /// half.
    public double errorRate() {
      double sum = 0;
      for (int i = 0; i < labels.length; i++)
        sum += probabilities[i] == 0.5 ? 0.5 : probabilities[i] > 0.5 == (labels[i] == 1) ? 0 : 1;
      return sum / labels.length;
    }

    /// The area under the curve of true positives against false positives. It is the probability
    /// that a point of class 1 has a higher predicted probability than a point of class 0; ties
    /// count half. It is NaN if there is only one class.
    public double areaUnderCurve() {
      Integer[] order = new Integer[labels.length];
      Arrays.setAll(order, i -> i);
      Arrays.sort(order, Comparator.comparingDouble(i -> probabilities[i]));
      double wins = 0;
      double zeros = 0;
      double ones = 0;
      for (int from = 0, to; from < order.length; from = to) {
        double tied = 0;
        for (to = from; to < order.length; to++) {
          if (probabilities[order[to]] != probabilities[order[from]]) break;
          tied += labels[order[to]];
        }
        double others = to - from - tied;
        wins += tied * (zeros + 0.5 * others);
        ones += tied;
        zeros += others;
      }
      return wins / (ones * zeros);
    }

    /// The points whose probability lies in a bin: their number, their mean probability, and the
    /// fraction of them with label 1.
    public record Bin(double lower, double upper, int count, double predicted, double observed) {}

    /// Divides [0, 1] into this many bins of equal width. Empty bins are left out.
    public List<Bin> calibration(int bins) {
      if (bins < 1) throw new IllegalArgumentException("bins must be >= 1, got " + bins);
      int[] counts = new int[bins];
      double[] predicted = new double[bins];
      double[] observed = new double[bins];
      for (int i = 0; i < labels.length; i++) {
        int bin = Math.min(bins - 1, (int) (probabilities[i] * bins));
        counts[bin]++;
        predicted[bin] += probabilities[i];
        observed[bin] += labels[i];
      }
      List<Bin> all = new ArrayList<>();
      for (int k = 0; k < bins; k++)
        if (counts[k] > 0)
          all.add(
              new Bin(
                  (double) k / bins,
                  (k + 1.0) / bins,
                  counts[k],
                  predicted[k] / counts[k],
                  observed[k] / counts[k]));
      return List.copyOf(all);
    }

    /// Returns the mean distance, over the points, between predicted and observed fractions in this
    /// many bins.
    public double calibrationError(int bins) {
      double sum = 0;
      for (Bin bin : calibration(bins))
        sum += bin.count() * Math.abs(bin.predicted() - bin.observed());
      return sum / labels.length;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "NLPD %.4g, Brier score %.4g, area under the curve %.4g, error rate %.4g",
          nlpd(),
          brier(),
          areaUnderCurve(),
          errorRate());
    }
  }

  /// Randomised quantile residuals; see [#residuals].
  public static final class Residuals {

    private final double[] ranks;

    private Residuals(Prediction prediction, double[] targets, long seed) {
      if (prediction.size() != targets.length || targets.length == 0)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "predictions and targets must have the same length > 0, got %d and %d",
                prediction.size(),
                targets.length));
      SplittableRandom random = new SplittableRandom(seed);
      ranks = new double[targets.length];
      for (int i = 0; i < ranks.length; i++) {
        double u = random.nextDouble();
        double at = prediction.cumulative(i, targets[i]);
        double below =
            prediction.discrete() ? prediction.cumulative(i, Math.ceil(targets[i]) - 1) : at;
        ranks[i] = below + u * (at - below);
      }
    }

    /// Returns a copy of the ranks. They are uniform in [0, 1] if the predictions are right.
    public double[] ranks() {
      return ranks.clone();
    }

    /// Returns the ranks as deviations, within ±8.2. They are Gaussian if the predictions are
    /// right.
    public double[] deviations() {
      double[] all = new double[ranks.length];
      for (int i = 0; i < all.length; i++)
        all[i] = Gaussian.quantile(Math.clamp(ranks[i], 0x1p-53, 1 - 0x1p-53));
      return all;
    }

    /// The Kolmogorov–Smirnov distance between the ranks and the uniform distribution. It exceeds
    /// `1.36/√n` by chance once in 20 times.
    public double distance() {
      double[] sorted = ranks.clone();
      Arrays.sort(sorted);
      int n = sorted.length;
      double largest = 0;
      for (int i = 0; i < n; i++)
        largest =
            Math.max(largest, Math.max(sorted[i] - (double) i / n, (i + 1.0) / n - sorted[i]));
      return largest;
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "RMSE %.4g, MAE %.4g, NLPD %.4g%s, coverage of 95 %% intervals %.1f %%",
        rmse,
        mae,
        nlpd,
        Double.isNaN(crps) ? "" : String.format(Locale.ROOT, ", CRPS %.4g", crps),
        100 * coverage(0.95));
  }
}
