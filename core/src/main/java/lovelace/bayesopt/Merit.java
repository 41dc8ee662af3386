package lovelace.bayesopt;

import java.util.List;
import lovelace.bayesopt.surrogate.Surrogate;
import lovelace.bayesopt.surrogate.Surrogate.FunctionDraw;
import lovelace.linear.Parallel;

/// The function over the unit cube that an acquisition search maximises.
interface Merit {

  /// Fills `out` with the values at `count` points.
  void scan(int count, double[] points, double[] out);

  /// The value at x. Overwrites `gradient`.
  double at(double[] x, double[] gradient);

  /// A criterion of the surrogate's mean and standard deviation, plus the log probability that
  /// every constraint stays below its threshold.
  final class Modelled implements Merit {
    private static final int CHUNK = 512;

    private final Surrogate surrogate;
    private final Criterion criterion;
    private final List<Surrogate> constraints;
    private final double[] thresholds;

    Modelled(
        Surrogate surrogate,
        Criterion criterion,
        List<Surrogate> constraints,
        double[] thresholds) {
      this.surrogate = surrogate;
      this.criterion = criterion;
      this.constraints = constraints;
      this.thresholds = thresholds.clone();
    }

    @Override
    public void scan(int count, double[] points, double[] out) {
      double[] means = new double[count];
      double[] variances = new double[count];
      surrogate.predict(count, points, means, variances);
      Parallel.chunks(
          count,
          CHUNK,
          (chunk, from, to) -> {
            double[] slopes = new double[2];
            for (int i = from; i < to; i++)
              out[i] = criterion.at(means[i], Math.sqrt(variances[i]), slopes);
          });
      double[] slopes = new double[2];
      for (int c = 0; c < constraints.size(); c++) {
        constraints.get(c).predict(count, points, means, variances);
        Criterion below = below(c);
        for (int i = 0; i < count; i++)
          out[i] += below.at(-means[i], Math.sqrt(variances[i]), slopes);
      }
    }

    private Criterion below(int c) {
      return Criterion.logProbability(-thresholds[c]);
    }

    @Override
    public double at(double[] x, double[] gradient) {
      int d = x.length;
      double[] out = new double[2 + 2 * d];
      double[] slopes = new double[2];
      surrogate.gradient(x, out);
      double sd = Math.sqrt(out[1]);
      double value = criterion.at(out[0], sd, slopes);
      for (int a = 0; a < d; a++)
        gradient[a] = slopes[0] * out[2 + a] + slopes[1] * out[2 + d + a] / (2 * sd);
      for (int c = 0; c < constraints.size(); c++) {
        constraints.get(c).gradient(x, out);
        sd = Math.sqrt(out[1]);
        value += below(c).at(-out[0], sd, slopes);
        for (int a = 0; a < d; a++)
          gradient[a] += -slopes[0] * out[2 + a] + slopes[1] * out[2 + d + a] / (2 * sd);
      }
      return value;
    }
  }

  /// How much a point tells about the maximum in addition to the pending points. It is the gain at
  /// the point, plus half the logarithm of the share of its variance that remains after the pending
  /// points (GIBBON; Moss et al. 2021, equation 9, one point at a time). The criterion is the
  /// logarithm of the gain.
  final class Batched implements Merit {
    private final Surrogate known;
    private final Surrogate believed;
    private final Criterion criterion;

    Batched(Surrogate known, Surrogate believed, Criterion criterion) {
      this.known = known;
      this.believed = believed;
      this.criterion = criterion;
    }

    @Override
    public void scan(int count, double[] points, double[] out) {
      double[] means = new double[count];
      double[] left = new double[count];
      double[] variances = new double[count];
      believed.predict(count, points, means, left);
      known.predict(count, points, means, variances);
      double noise = known.noise();
      double[] slopes = new double[2];
      for (int i = 0; i < count; i++)
        out[i] =
            Math.exp(criterion.at(means[i], Math.sqrt(variances[i]), slopes))
                + 0.5 * Math.log((left[i] + noise) / (variances[i] + noise));
    }

    @Override
    public double at(double[] x, double[] gradient) {
      int d = x.length;
      double[] all = new double[2 + 2 * d];
      double[] left = new double[2 + 2 * d];
      double[] slopes = new double[2];
      known.gradient(x, all);
      believed.gradient(x, left);
      double sd = Math.sqrt(all[1]);
      double gain = Math.exp(criterion.at(all[0], sd, slopes));
      double before = all[1] + known.noise();
      double after = left[1] + known.noise();
      for (int a = 0; a < d; a++)
        gradient[a] =
            gain * (slopes[0] * all[2 + a] + slopes[1] * all[2 + d + a] / (2 * sd))
                + 0.5 * (left[2 + d + a] / after - all[2 + d + a] / before);
      return gain + 0.5 * Math.log(after / before);
    }
  }

  /// A drawn function, minus ten times the amount by which drawn constraints exceed their
  /// thresholds.
  final class Drawn implements Merit {
    private static final double PENALTY = 10;

    private final FunctionDraw function;
    private final List<FunctionDraw> constraints;
    private final double[] thresholds;

    Drawn(FunctionDraw function, List<FunctionDraw> constraints, double[] thresholds) {
      this.function = function;
      this.constraints = constraints;
      this.thresholds = thresholds.clone();
    }

    @Override
    public void scan(int count, double[] points, double[] out) {
      int d = points.length / count;
      Parallel.chunks(
          count,
          64,
          (chunk, from, to) -> {
            double[] x = new double[d];
            for (int i = from; i < to; i++) {
              System.arraycopy(points, i * d, x, 0, d);
              out[i] = at(x, new double[0]);
            }
          });
    }

    @Override
    public double at(double[] x, double[] gradient) {
      double value = function.evaluate(x, gradient);
      double[] slope = new double[gradient.length];
      for (int c = 0; c < constraints.size(); c++) {
        double excess = constraints.get(c).evaluate(x, slope) - thresholds[c];
        if (!(excess > 0)) continue;
        value -= PENALTY * excess;
        for (int a = 0; a < slope.length; a++) gradient[a] -= PENALTY * slope[a];
      }
      return value;
    }
  }
}
