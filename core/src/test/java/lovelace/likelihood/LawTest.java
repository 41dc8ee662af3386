package lovelace.likelihood;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import lovelace.likelihood.Likelihood.Law;
import lovelace.likelihood.Likelihood.Link;
import lovelace.likelihood.Likelihood.Of;
import lovelace.linear.Gaussian;
import org.junit.jupiter.api.Test;

class LawTest {

  private static final double[] VARIANCES = {0, 1e-9, 0.003, 0.2, 1, 25};

  /// A likelihood, and the size of an observation.
  private record Case(Likelihood likelihood, double size) {
    Law law(Of of) {
      return likelihood.law(of, size);
    }
  }

  private static final List<Case> COUNTS =
      List.of(
          new Case(Likelihood.poisson(), 1),
          new Case(Likelihood.poisson(), 3.5),
          new Case(Likelihood.negativeBinomial().with(0.4), 2),
          new Case(Likelihood.negativeBinomial().with(1e-6), 2),
          new Case(Likelihood.negativeBinomial().with(30), 0.5),
          new Case(Likelihood.bernoulli(), 1),
          new Case(Likelihood.bernoulli(Link.PROBIT), 1),
          new Case(Likelihood.binomial(), 7),
          new Case(Likelihood.binomial(), 1000),
          new Case(Likelihood.binomial(Link.PROBIT), 7),
          new Case(Likelihood.binomial(Link.PROBIT), 1000));

  private static final List<Case> AMOUNTS =
      List.of(
          new Case(Likelihood.gaussian().with(0.3), 2),
          new Case(Likelihood.gaussianKnown(), 4),
          new Case(Likelihood.studentT().with(0.3, 4), 1),
          new Case(Likelihood.studentT().with(1e-4, 2.2), 1),
          new Case(Likelihood.studentT().with(0.5, 150), 2),
          new Case(Likelihood.gamma().with(0.05), 1),
          new Case(Likelihood.gamma().with(1), 1),
          new Case(Likelihood.gamma().with(2), 1),
          new Case(Likelihood.gamma().with(500), 1));

  /// `∫ g(f) N(f; m, v) df` by Simpson's rule on many points.
  private static double average(DoubleUnaryOperator g, double m, double v) {
    if (v == 0) return g.applyAsDouble(m);
    int n = 12_000;
    double reach = 12;
    double h = 2 * reach / n;
    double sum = 0;
    for (int k = 0; k <= n; k++) {
      double z = -reach + k * h;
      double weight = k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2;
      sum += weight * Gaussian.density(z) * g.applyAsDouble(m + Math.sqrt(v) * z);
    }
    return sum * h / 3;
  }

  private static double probability(Case at, double y, double m, double v) {
    double extra = at.likelihood.extra(y, at.size);
    return average(f -> Math.exp(at.likelihood.log(y, at.size, extra, f)), m, v);
  }

  @Test
  void countsHaveTheProbabilitiesOfTheDefinition() {
    for (Case at : COUNTS)
      for (double v : VARIANCES)
        for (double m : new double[] {-3, 0.4, 2.5}) {
          Law law = at.law(Of.OBSERVATION);
          double sum = 0;
          for (int y = 0; y <= 8 && law.discrete(); y++) {
            boolean there = at.likelihood.refusal(y, at.size) == null;
            double want = there ? probability(at, y, m, v) : 0;
            sum += want;
            String where = at + ", y " + y + ", m " + m + ", v " + v;
            double found = Math.exp(law.logDensity(y, m, v));
            assertEquals(want, found, 1e-9 * want + 1e-14, where);
            assertEquals(sum, law.cumulative(y, m, v), 1e-9, where);
            assertEquals(sum, law.cumulative(y + 0.5, m, v), 1e-9, where);
          }
          assertEquals(0, law.cumulative(-0.5, m, v));
          assertEquals(Double.NEGATIVE_INFINITY, law.logDensity(0.5, m, v));
        }
  }

  @Test
  void largeCountsKeepTheirDigits() {
    for (double y : new double[] {1e5, 1e9})
      for (double v : new double[] {1e-12, 1e-4, 25}) {
        Law law = Likelihood.poisson().law(Of.OBSERVATION, 2);
        // a large count y is log-normal but for a variance of 1/y in its logarithm
        double m = Math.log(y / 2) - 0.3 * Math.sqrt(v + 1 / y);
        double total = v + 1 / y;
        double want = Gaussian.logDensity(Math.log(y / 2) - m, 0, total) - Math.log(y);
        String where = "y " + y + ", v " + v;
        assertEquals(want, law.logDensity(y, m, v), 3 / Math.sqrt(y), where);
        assertEquals(Gaussian.cdf(0.3), law.cumulative(y, m, v), 3 / Math.sqrt(y), where);
        double median = law.quantile(m, v, 0.5);
        assertEquals(Math.exp(m) * 2, median, 1 + 1e-6 * y, where);
        assertEquals(median, Math.rint(median));
      }
  }

  @Test
  void quantilesOfCountsAreTheSmallestThatReach() {
    for (Case at : COUNTS)
      for (double v : VARIANCES)
        for (double m : new double[] {-3, 0.4, 3})
          for (double p : new double[] {1e-6, 0.025, 0.5, 0.9, 0.999999}) {
            Law law = at.law(Of.OBSERVATION);
            double q = law.quantile(m, v, p);
            String where = at + ", m " + m + ", v " + v + ", p " + p + ": " + q;
            assertEquals(q, Math.rint(q), where);
            assertTrue(law.cumulative(q, m, v) >= p - 1e-12, where);
            assertTrue(q == 0 || law.cumulative(q < 1e6 ? q - 1 : q * (1 - 1e-5), m, v) < p, where);
          }
  }

  /// A density of y at some f, written out.
  private static double density(Case at, double y, double f) {
    return Math.exp(at.likelihood.log(y, at.size, at.likelihood.extra(y, at.size), f));
  }

  @Test
  void amountsHaveTheDensitiesOfTheDefinition() {
    for (Case at : AMOUNTS)
      for (double v : VARIANCES) {
        Law law = at.law(Of.OBSERVATION);
        double m = 0.4;
        for (double y : new double[] {0.01, 0.7, 1.3, 4, 30}) {
          String where = at + ", y " + y + ", v " + v;
          double want = average(f -> density(at, y, f), m, v);
          // where the noise is narrow beside f, the points of the oracle are too far apart
          boolean narrow =
              v > 1e-3 && at.likelihood.values().length == 2 && v > 1e3 * at.likelihood.values()[0];
          if (!narrow)
            assertEquals(want, Math.exp(law.logDensity(y, m, v)), 1e-8 * want + 1e-30, where);
          double h = 1e-4 * y;
          double slope =
              (8 * (law.cumulative(y + h, m, v) - law.cumulative(y - h, m, v))
                      - (law.cumulative(y + 2 * h, m, v) - law.cumulative(y - 2 * h, m, v)))
                  / (12 * h);
          double found = Math.exp(law.logDensity(y, m, v));
          assertEquals(found, slope, 1e-6 * found + 1e-11 / h, where);
        }
        for (double p : new double[] {1e-4, 0.025, 0.3, 0.5, 0.975, 0.9999})
          assertEquals(p, law.cumulative(law.quantile(m, v, p), m, v), 1e-10, at + ", v " + v);
      }
  }

  @Test
  void distributionFunctionsHaveTheirPinnedValues() {
    // Student's t with 4 degrees of freedom: P(t ≤ 2.776445105) = 0.975
    Law t = Likelihood.studentT().with(1, 4).law(Of.OBSERVATION, 1);
    assertEquals(0.975, t.cumulative(2.7764451051977987, 0, 0), 1e-12);
    assertEquals(-2.7764451051977987, t.quantile(0, 0, 0.025), 1e-9);
    // an exponential amount of mean 2, one of shape 2
    Law exponential = Likelihood.gamma().with(1).law(Of.OBSERVATION, 1);
    assertEquals(1 - Math.exp(-1.5), exponential.cumulative(3, Math.log(2), 0), 1e-12);
    Law two = Likelihood.gamma().with(2).law(Of.OBSERVATION, 1);
    for (double v : VARIANCES) {
      double want =
          average(
              f -> {
                double x = 2 * 3 * Math.exp(-f);
                return 1 - Math.exp(-x) * (1 + x);
              },
              0.4,
              v);
      assertEquals(want, two.cumulative(3, 0.4, v), 1e-10, "v " + v);
    }
    Law poisson = Likelihood.poisson().law(Of.OBSERVATION, 1);
    assertEquals(5 * Math.exp(-2), poisson.cumulative(2, Math.log(2), 0), 1e-12);
  }

  @Test
  void momentsAreThoseOfTheDefinition() {
    for (double v : VARIANCES)
      for (double m : new double[] {-2, 0.4}) {
        double rate = average(Math::exp, m, v);
        double square = average(f -> Math.exp(2 * f), m, v);
        String where = "m " + m + ", v " + v;
        double e = 2.5;
        double close = v > 5 ? 1e-1 : 1e-8; // the oracle ends at 12 deviations
        Law poisson = Likelihood.poisson().law(Of.OBSERVATION, e);
        assertEquals(e * rate, poisson.mean(m, v), close * rate, where);
        double variance = e * rate + e * e * (square - rate * rate);
        if (v < 5) assertEquals(variance, poisson.variance(m, v), 1e-7 * variance, where);
        Law negative = Likelihood.negativeBinomial().with(0.7).law(Of.OBSERVATION, e);
        double more = variance + 0.7 * e * e * square;
        if (v < 5) assertEquals(more, negative.variance(m, v), 1e-7 * more, where);
        Law gamma = Likelihood.gamma().with(3).law(Of.OBSERVATION, 1);
        double spread = square * (1 + 1.0 / 3) - rate * rate;
        if (v < 5) assertEquals(spread, gamma.variance(m, v), 1e-7 * spread, where);
        for (Link link : Link.values()) {
          Law law = Likelihood.binomial(link).law(Of.PROBABILITY, 1);
          double mean = average(link::probability, m, v);
          assertEquals(mean, law.mean(m, v), 1e-10, link + " " + where);
          double var = average(f -> Math.pow(link.probability(f) - mean, 2), m, v);
          assertEquals(var, law.variance(m, v), 1e-8 * var, link + " " + where);
          Law many = Likelihood.binomial(link).law(Of.OBSERVATION, 9);
          double total = 9 * mean * (1 - mean) + 72 * var;
          assertEquals(9 * mean, many.mean(m, v), 1e-9, where);
          assertEquals(total, many.variance(m, v), 1e-8 * total, where);
        }
      }
    Law t = Likelihood.studentT().with(0.3, 4).law(Of.OBSERVATION, 2);
    assertEquals(1.2 + 0.15 * 2, t.variance(0, 1.2), 1e-14);
    assertEquals(0.7, t.mean(0.7, 1.2));
  }

  @Test
  void probabilitiesInTheTailKeepTheirDigits() {
    // far out the logistic function is exp(f)
    Law law = Likelihood.bernoulli().law(Of.PROBABILITY, 1);
    assertEquals(1, law.mean(-60, 1) / Math.exp(-59.5), 1e-10);
    assertEquals(1, law.variance(-60, 1) / (Math.exp(-118) - Math.exp(-119)), 1e-10);
    Law observation = Likelihood.bernoulli().law(Of.OBSERVATION, 1);
    assertEquals(-59.5, observation.logDensity(1, -60, 1), 1e-10);
    assertEquals(-Math.exp(-59.5), observation.logDensity(0, -60, 1), 1e-15);
  }

  @Test
  void ratesAndProbabilitiesAreLinksOfTheFunction() {
    Law rate = Likelihood.gamma().with(2).law(Of.RATE, 1);
    Law probability = Likelihood.bernoulli(Link.PROBIT).law(Of.PROBABILITY, 1);
    for (double p : new double[] {0.025, 0.5, 0.975}) {
      double z = Gaussian.quantile(p);
      assertEquals(Math.exp(0.3 + 1.5 * z), rate.quantile(0.3, 2.25, p), 1e-12);
      assertEquals(Gaussian.cdf(0.3 + 1.5 * z), probability.quantile(0.3, 2.25, p), 1e-12);
    }
    for (Law law : List.of(rate, probability, Likelihood.binomial().law(Of.PROBABILITY, 3)))
      for (double y : new double[] {0.2, 0.9}) {
        double h = 1e-5;
        double slope = (law.cumulative(y + h, 0.3, 2) - law.cumulative(y - h, 0.3, 2)) / (2 * h);
        assertEquals(slope, Math.exp(law.logDensity(y, 0.3, 2)), 1e-7);
        assertFalse(law.discrete());
      }
    assertEquals(Double.NEGATIVE_INFINITY, probability.logDensity(1.5, 0, 1));
    assertEquals(1, probability.cumulative(1, 0, 1));
    assertEquals(0, rate.cumulative(0, 0, 1));
  }

  @Test
  void noiseThatVariesIsAveragedOverItsDeviation() {
    Likelihood varying = Likelihood.varying();
    double m = 0.3;
    double a = -0.7;
    for (double b : new double[] {0, 1e-6, 0.09, 4})
      for (double v : new double[] {0.04, 2}) {
        Law law = varying.law(Of.OBSERVATION, 2, a, b);
        for (double y : new double[] {-3, 0.2, 0.4, 8}) {
          double want =
              average(h -> Math.exp(Gaussian.logDensity(y, m, v + Math.exp(2 * h) / 2)), a, b);
          double below =
              average(h -> Gaussian.cdf((y - m) / Math.sqrt(v + Math.exp(2 * h) / 2)), a, b);
          String where = "b " + b + ", v " + v + ", y " + y;
          assertEquals(want, Math.exp(law.logDensity(y, m, v)), 1e-9 * want + 1e-300, where);
          assertEquals(below, law.cumulative(y, m, v), 1e-11, where);
        }
        assertEquals(m, law.mean(m, v));
        assertEquals(v + 0.5 * Math.exp(2 * a + 2 * b), law.variance(m, v), 1e-12);
        assertEquals(0.9, law.cumulative(law.quantile(m, v, 0.9), m, v), 1e-11);
      }
    assertEquals(new GaussianLaw(0), varying.law(Of.FUNCTION, 2, a, 1));
  }

  @Test
  void nothingIsEverNotANumber() {
    double[] means = {-800, -40, -1e-9, 0, 3, 40, 800};
    double[] variances = {0, 1e-300, 1e-12, 1, 25, 1e4};
    for (List<Case> cases : List.of(COUNTS, AMOUNTS))
      for (Case at : cases)
        for (Of of : Of.values()) {
          if (!at.likelihood.has(of)) continue;
          Law law = at.law(of);
          for (double m : means)
            for (double v : variances) {
              String where = at + " " + of + " m " + m + " v " + v;
              double mean = law.mean(m, v);
              assertFalse(Double.isNaN(mean), where);
              assertTrue(law.variance(m, v) >= 0, where);
              for (double y : new double[] {0, 1, 1e-5, 0.5, 3, 1e6}) {
                double below = law.cumulative(y, m, v);
                assertTrue(below >= 0 && below <= 1, where + " y " + y + ": " + below);
                assertFalse(Double.isNaN(law.logDensity(y, m, v)), where + " y " + y);
              }
              double low = law.quantile(m, v, 0.025);
              double high = law.quantile(m, v, 0.975);
              assertTrue(low <= high, where + ": " + low + " " + high);
              if (of == Of.PROBABILITY) assertTrue(mean <= 1 && low >= 0 && high <= 1, where);
            }
        }
  }

  @Test
  void drawsFollowTheirLaw() {
    long seed = 7;
    int n = 1500;
    for (List<Case> cases : List.of(COUNTS, AMOUNTS))
      for (Case at : cases)
        for (double f : new double[] {0.4, 4}) {
          SplittableRandom random = new SplittableRandom(seed);
          Law law = at.law(Of.OBSERVATION);
          double[] ranks = new double[n];
          for (int i = 0; i < n; i++) {
            double y = law.draw(f, random);
            double above = law.cumulative(y, f, 0);
            double mass = law.discrete() ? Math.exp(law.logDensity(y, f, 0)) : 0;
            ranks[i] = above - mass * random.nextDouble();
          }
          Arrays.sort(ranks);
          double distance = 0;
          for (int i = 0; i < n; i++)
            distance = Math.max(distance, Math.abs(ranks[i] - (i + 0.5) / n));
          // exceeded by chance once in 20,000
          assertTrue(
              distance < 2.3 / Math.sqrt(n), at + " f " + f + " seed " + seed + ": " + distance);
        }
  }

  @Test
  void whatDoesNotExistIsRefused() {
    String message =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class, () -> Likelihood.bernoulli().law(Of.RATE, 1))
                .getMessage());
    assertTrue(message.contains("ask for function or probability or observation"), message);
    assertThrows(
        IllegalArgumentException.class, () -> Likelihood.gaussian().law(Of.PROBABILITY, 1));
    assertThrows(IllegalArgumentException.class, () -> Likelihood.poisson().law(Of.RATE, -1));
    assertThrows(IllegalArgumentException.class, () -> Likelihood.binomial().law(Of.RATE, 1.5));
  }
}
