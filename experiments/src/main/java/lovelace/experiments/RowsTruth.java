package lovelace.experiments;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;

/// Questions about the rows of a case, and their answers by the exact process of all rows.
final class RowsTruth {

  /// The number of places of a question.
  static final int PLACES = 150;

  static final int AREAS = 6;
  static final int JOINT = 48;

  /// The half width, in standard deviations, of an interval that should hold 95 %.
  private static final double DEVIATIONS = 1.959963984540054;

  /// The questions about single places.
  static final String[] SINGLE = {"among", "gaps", "outside"};

  final RowsCase of;
  final Dataset data;
  final double[] singles; // the places of all three questions
  final double[] areas;
  final int[] starts;
  final double[] joint;
  final double[] map;
  private final Prediction atSingles;
  private final Prediction atAreas;
  private final Prediction atJoint;
  private final double[] covariance; // of the joint places
  private final double[] likelihoods; // at a shorter, the same and a longer lengthscale

  /// The factors of the lengthscale at which likelihoods are compared.
  static final double[] FACTORS = {0.8, 1, 1.25};

  /// The error of a posterior, as root mean squares.
  ///
  /// @param mean in exact standard deviations
  /// @param variance of its quotient by the exact one, from 1
  /// @param coverage the exact probability of its 95 % intervals; for correlations, the error of
  ///   covariances in exact standard deviations
  record Miss(double mean, double variance, double coverage) {

    static final Miss NONE = new Miss(Double.NaN, Double.NaN, Double.NaN);
  }

  /// @param evidence whether likelihoods are compared, which takes two more factors
  RowsTruth(RowsCase of, boolean evidence) {
    this.of = of;
    data = of.data();
    int d = of.places().dimensions();
    singles = Arrays.copyOf(of.among(data, PLACES), 3 * PLACES * d);
    System.arraycopy(of.gaps(data, PLACES), 0, singles, PLACES * d, PLACES * d);
    System.arraycopy(of.outside(PLACES), 0, singles, 2 * PLACES * d, PLACES * d);
    double[] centres = new double[AREAS * d]; // half of them among the rows, half in gaps
    for (int a = 0; a < AREAS; a++)
      System.arraycopy(singles, (a % 3 == 0 || a == 1 ? a : PLACES + a) * d, centres, a * d, d);
    areas = of.areas(centres);
    starts = IntStream.rangeClosed(0, AREAS).map(a -> 64 * a).toArray();
    joint = of.across(data, JOINT);
    map = of.map();
    ExactGp exact = ExactGp.of(data, of.hyperparameters(1));
    atSingles = exact.predict(singles);
    atAreas = exact.average(areas, new double[0], starts);
    atJoint = exact.predict(joint);
    covariance = exact.covariance(joint, joint);
    likelihoods = new double[3];
    for (int i = 0; i < 3; i++)
      likelihoods[i] =
          i == 1
              ? exact.logMarginalLikelihood()
              : evidence
                  ? ExactGp.of(data, of.hyperparameters(FACTORS[i])).logMarginalLikelihood()
                  : Double.NaN;
  }

  /// The error of some of the single places.
  Miss single(Prediction p, int question) {
    return error(p, atSingles, question * PLACES, (question + 1) * PLACES);
  }

  /// The error of the means over areas.
  Miss areas(Prediction p) {
    return error(p, atAreas, 0, AREAS);
  }

  private static Miss error(Prediction p, Prediction exact, int from, int to) {
    double mean = 0;
    double variance = 0;
    double coverage = 0;
    for (int i = from; i < to; i++) {
      double s = exact.deviation(i);
      double off = (p.mean(i) - exact.mean(i)) / s;
      double half = DEVIATIONS * p.deviation(i) / s;
      mean += off * off;
      variance += Math.pow(p.variance(i) / exact.variance(i) - 1, 2);
      coverage += normal(off + half) - normal(off - half);
    }
    int n = to - from;
    return new Miss(Math.sqrt(mean / n), Math.sqrt(variance / n), coverage / n);
  }

  /// The mean of joint draws of a posterior whose draws are linear in normal numbers.
  double[] drawn(Posterior posterior) {
    return posterior.sample(joint, 1, ZERO);
  }

  /// The error of joint draws: of their mean, of the variances, and of the covariances of pairs.
  Miss joint(double[] means, double[] found) {
    double mean = 0;
    double variance = 0;
    double pairs = 0;
    for (int i = 0; i < JOINT; i++) {
      double v = covariance[i * JOINT + i];
      mean += Math.pow(means[i] - atJoint.mean(i), 2) / v;
      variance += Math.pow(found[i * JOINT + i] / v - 1, 2);
      for (int j = 0; j < i; j++) {
        double off = found[i * JOINT + j] - covariance[i * JOINT + j];
        pairs += off * off / (v * covariance[j * JOINT + j]);
      }
    }
    return new Miss(
        Math.sqrt(mean / JOINT),
        Math.sqrt(variance / JOINT),
        Math.sqrt(pairs / (JOINT * (JOINT - 1) / 2.0)));
  }

  /// The error of the likelihood itself.
  double likelihood(double[] found) {
    return found[1] - likelihoods[1];
  }

  /// How far the maximum over the lengthscale moves, in its standard errors, given likelihoods at
  /// the three lengthscales. It uses their slopes, and the curvature of the exact one.
  double shift(double[] found) {
    double step = Math.log(FACTORS[2]);
    double curvature = (2 * likelihoods[1] - likelihoods[0] - likelihoods[2]) / (step * step);
    double slopes = (found[2] - found[0] - likelihoods[2] + likelihoods[0]) / (2 * step);
    return curvature > 0 ? Math.abs(slopes) / Math.sqrt(curvature) : Double.NaN;
  }

  /// The distribution function of the normal distribution (Abramowitz and Stegun 26.2.17; 7.5e-8).
  private static double normal(double z) {
    double t = 1 / (1 + 0.2316419 * Math.abs(z));
    double tail =
        Math.exp(-z * z / 2)
            / Math.sqrt(2 * Math.PI)
            * t
            * (0.319381530
                + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
    return z > 0 ? 1 - tail : tail;
  }

  /// With this generator, draws are means.
  private static final RandomGenerator ZERO =
      new RandomGenerator() {
        @Override
        public long nextLong() {
          return 0;
        }

        @Override
        public double nextGaussian() {
          return 0;
        }
      };
}
