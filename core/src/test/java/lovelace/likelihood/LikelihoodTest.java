package lovelace.likelihood;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import lovelace.likelihood.Likelihood.Link;
import lovelace.likelihood.Likelihood.Of;
import lovelace.likelihood.Likelihood.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LikelihoodTest {

  /// A likelihood with one row.
  private record Row(Likelihood likelihood, double y, double size) {
    double extra() {
      return likelihood.extra(y, size);
    }

    double log(double f) {
      return likelihood.log(y, size, extra(), f);
    }

    double[] at(double f) {
      double[] out = new double[4];
      likelihood.at(y, size, extra(), f, out);
      return out;
    }
  }

  private static Row row(Likelihood likelihood, double y, double size) {
    return new Row(likelihood, y, size);
  }

  private static final List<Row> ROWS =
      List.of(
          row(Likelihood.gaussian().with(0.3), 1.2, 2.5),
          row(Likelihood.gaussianKnown(), -0.4, 3),
          row(Likelihood.varying(), 0.4, 2),
          row(Likelihood.studentT().with(0.3, 4), 1.2, 1),
          row(Likelihood.studentT().with(0.02, 150), -0.2, 2.5),
          row(Likelihood.poisson(), 0, 1),
          row(Likelihood.poisson(), 7, 3.5),
          row(Likelihood.negativeBinomial().with(1e-6), 7, 3.5),
          row(Likelihood.negativeBinomial().with(0.4), 0, 2),
          row(Likelihood.negativeBinomial().with(0.4), 25, 2),
          row(Likelihood.negativeBinomial().with(40), 3, 0.1),
          row(Likelihood.bernoulli(), 0, 1),
          row(Likelihood.bernoulli(), 1, 1),
          row(Likelihood.bernoulli(Link.PROBIT), 0, 1),
          row(Likelihood.bernoulli(Link.PROBIT), 1, 1),
          row(Likelihood.binomial(), 3, 8),
          row(Likelihood.binomial(Link.PROBIT), 3, 8),
          row(Likelihood.gamma().with(0.4), 0.7, 1),
          row(Likelihood.gamma().with(2), 3, 1),
          row(Likelihood.gamma().with(1e4), 1.1, 1));

  /// A derivative by differences of five points, error of order h⁴.
  private static double slope(DoubleUnaryOperator function, double x, double h) {
    return (8 * (function.applyAsDouble(x + h) - function.applyAsDouble(x - h))
            - (function.applyAsDouble(x + 2 * h) - function.applyAsDouble(x - 2 * h)))
        / (12 * h);
  }

  private static boolean fisher(Likelihood likelihood) {
    return likelihood.name().equals("student-t");
  }

  @Test
  void derivativesInTheFunctionAreThoseOfTheLogarithm() {
    double h = 1e-3;
    for (Row row : ROWS)
      for (double f : new double[] {-6.3, -5.2, -4.9, -1, -0.1, 0.3, 1.4, 3, 5.1}) {
        double[] at = row.at(f);
        String where = row + " at " + f;
        assertEquals(row.log(f), at[0], 1e-15 * Math.abs(at[0]), where);
        double scale = 1e-8 * (1 + Math.abs(at[0]) + Math.abs(at[1]) + Math.abs(at[2]));
        assertEquals(slope(row::log, f, h), at[1], scale, where);
        if (!fisher(row.likelihood))
          assertEquals(slope(u -> row.at(u)[1], f, h), -at[2], scale, where);
        assertEquals(slope(u -> row.at(u)[2], f, h), at[3], scale, where);
        assertTrue(at[2] >= 0, where);
      }
  }

  @Test
  void derivativesInTheParametersAreThoseOfTheLogarithm() {
    for (Row row : ROWS) {
      double[] values = row.likelihood.values();
      for (double f : new double[] {-3.2, -0.1, 0.3, 2.2}) {
        double[] out = new double[3 * values.length];
        row.likelihood.parameters(row.y, row.size, row.extra(), f, out);
        for (int k = 0; k < values.length; k++)
          for (int part = 0; part < 3; part++) {
            int parameter = k;
            int entry = part; // log p, slope, curvature
            double found = out[3 * k + part];
            double want =
                slope(
                    value -> {
                      double[] other = values.clone();
                      other[parameter] = value;
                      return row(row.likelihood.with(other), row.y, row.size).at(f)[entry];
                    },
                    values[k],
                    2e-3 * values[k]);
            double scale = 1e-7 * (Math.abs(found) + (1 + Math.abs(row.at(f)[part])) / values[k]);
            // an offset that does not depend on the dispersion leaves few digits of its slope
            assertEquals(want, found, scale, row + " at " + f + ", " + k + " " + part);
          }
      }
    }
  }

  @Test
  void dispersionSlopeHoldsWhereTheCountsAreAlmostPoisson() {
    // ½ ((y − μ)² − y) at a = 0
    for (double f : new double[] {-30, -1, 2, 4}) {
      double[] out = new double[3];
      Row row = row(Likelihood.negativeBinomial().with(1e-9), 12, 1);
      row.likelihood.parameters(12, 1, row.extra(), f, out);
      double mean = Math.exp(f);
      assertEquals(0.5 * ((12 - mean) * (12 - mean) - 12), out[0], 1e-4 * (1 + mean * mean));
      assertEquals(row(Likelihood.poisson(), 12, 1).log(f), row.log(f), 1e-5, "f " + f);
    }
  }

  @Test
  void probabilitiesSumToOne() {
    double[] sums = new double[3];
    for (int y = 0; y < 4000; y++) {
      sums[0] += Math.exp(row(Likelihood.poisson(), y, 2.5).log(1.1));
      sums[1] += Math.exp(row(Likelihood.negativeBinomial().with(0.7), y, 2.5).log(1.1));
      if (y <= 9) sums[2] += Math.exp(row(Likelihood.binomial(Link.PROBIT), y, 9).log(0.4));
    }
    for (double sum : sums) assertEquals(1, sum, 1e-12);
  }

  @Test
  void densitiesHaveTheirPinnedValues() {
    assertEquals(
        Math.log(Math.exp(-2) * 8 / 6), row(Likelihood.poisson(), 3, 1).log(Math.log(2)), 1e-14);
    // Student's t of 4 degrees of freedom has density 3/8 at 0
    assertEquals(Math.log(0.375), row(Likelihood.studentT().with(1, 4), 0, 1).log(0), 1e-14);
    // an exponential amount of mean 2
    assertEquals(-1.5 - Math.log(2), row(Likelihood.gamma().with(1), 3, 1).log(Math.log(2)), 1e-14);
    assertEquals(Math.log(0.75), row(Likelihood.bernoulli(), 1, 1).log(Math.log(3)), 1e-15);
  }

  @Test
  void tailsStayFiniteAndKeepTheirDigits() {
    for (Row row : ROWS)
      for (double f : new double[] {-40, -20, 20, 40})
        for (double value : row.at(f)) assertTrue(Double.isFinite(value), row + " at " + f);
    assertEquals(-Math.exp(-40), row(Likelihood.bernoulli(), 1, 1).log(40), 1e-30);
    assertEquals(-40, row(Likelihood.bernoulli(), 1, 1).log(-40), 1e-14);
    // log Φ(−40), and with z = 40 slope z + 1/z − 2/z³ …, curvature 1 − 1/z² + 6/z⁴ …
    double[] at = row(Likelihood.bernoulli(Link.PROBIT), 1, 1).at(-40);
    assertEquals(-804.6084420137538, at[0], 1e-9);
    assertEquals(40 + 1 / 40.0 - 2 / 64e3 + 10 / 1024e5, at[1], 1e-8);
    assertEquals(1 - 1 / 1600.0 + 6 / 256e4, at[2], 1e-7);
    assertEquals(-2 / 64e3, at[3], 2e-6);
  }

  @Test
  void rowsThatWereAddedUpEqualTheSumOfRows() {
    double[][] sizes = {{1, 2.5, 0.3}, {4, 7, 1}};
    for (Row kind : ROWS) {
      Likelihood likelihood = kind.likelihood;
      if (!likelihood.adds()) continue;
      double[] ys = likelihood.name().equals("gamma") ? new double[] {0.3, 2, 1.5} : null;
      if (ys == null) ys = new double[] {1, 0, 1};
      double[] ns =
          switch (likelihood.size()) {
            case EXPOSURE -> sizes[0];
            case TRIALS -> sizes[1];
            default -> new double[] {1, 1, 1};
          };
      double[] sum = new double[3];
      double[] want = new double[4 + 3];
      for (int i = 0; i < 3; i++) {
        Row row = row(likelihood, ys[i], ns[i]);
        sum[0] += row.y;
        sum[1] += row.size;
        sum[2] += row.extra();
        double[] at = row.at(0.37);
        double[] out = new double[3];
        likelihood.parameters(row.y, row.size, row.extra(), 0.37, out);
        for (int k = 0; k < 4; k++) want[k] += at[k];
        for (int k = 0; k < 3; k++) want[4 + k] += out[k];
      }
      double[] at = new double[4];
      double[] out = new double[3];
      likelihood.at(sum[0], sum[1], sum[2], 0.37, at);
      likelihood.parameters(sum[0], sum[1], sum[2], 0.37, out);
      for (int k = 0; k < 7; k++) {
        double found = k < 4 ? at[k] : out[k - 4];
        assertEquals(want[k], found, 1e-12 * (1 + Math.abs(want[k])), likelihood + " " + k);
      }
    }
  }

  @Test
  void startsAreFiniteAndNearTheRow() {
    for (Row row : ROWS)
      assertTrue(Double.isFinite(row.likelihood.start(row.y, row.size)), row.toString());
    assertEquals(Math.log(2), Likelihood.poisson().start(1e9, 0.5e9), 1e-8);
    assertEquals(Math.log(3), Likelihood.binomial().start(75e6, 1e8), 1e-6);
    assertEquals(1.2, Likelihood.studentT().start(1.2, 3));
  }

  @Test
  void startValuesLieWithinTheirBounds() {
    for (Row row : ROWS)
      for (double variance : new double[] {1e-6, 1, 1e6}) {
        double[] starts = row.likelihood.startValues(variance);
        assertEquals(row.likelihood.parameterNames().size(), starts.length);
        for (int k = 0; k < starts.length; k++) {
          double[] bounds = row.likelihood.bounds(k);
          assertTrue(bounds[0] <= starts[k] && starts[k] <= bounds[1], row.toString());
        }
      }
  }

  @Test
  void textFormsComeBack() {
    for (String text :
        List.of(
            "gaussian",
            "gaussian(noise=known)",
            "gaussian(noise=varying)",
            "student-t",
            "poisson",
            "negative-binomial",
            "bernoulli",
            "bernoulli(link=probit)",
            "binomial",
            "binomial(link=probit)",
            "gamma")) assertEquals(text, Likelihood.parse(text).toString());
    assertEquals("bernoulli", Likelihood.parse(" Bernoulli( link = logit )").toString());
    assertTrue(Likelihood.parse("gaussian(noise=varying)").isVarying());
    assertTrue(Likelihood.parse("gaussian(noise=known)").isGaussian());
    assertEquals(Size.PRECISION, Likelihood.parse("gaussian(noise=known)").size());
  }

  private static void refused(String text, String... parts) {
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> Likelihood.parse(text))
                .getMessage());
    for (String part : parts) assertTrue(message.contains(part), message);
  }

  @Test
  void wrongTextSaysWhatThereIs() {
    refused("cauchy", "'cauchy'", "student-t, poisson, negative-binomial, bernoulli, binomial");
    refused("bernoulli(link=cloglog)", "link, which is logit or probit", "cloglog");
    refused("bernoulli(probit)", "bernoulli(link=probit)");
    refused("bernoulli(link=probit", "bernoulli(link=probit)");
    refused("gaussian(noise=constant)", "learned or known or varying");
    refused("poisson(link=log)", "no arguments");
    refused("", "there are gaussian");
  }

  private static void refusal(Likelihood likelihood, double y, double size, String... parts) {
    @Nullable String found = likelihood.refusal(y, size);
    for (String part : parts)
      assertTrue(found != null && found.contains(part), likelihood + " " + y + ": " + found);
  }

  @Test
  void rowsThatCannotBeAreRefusedWithRuleAndRemedy() {
    for (Likelihood counts : List.of(Likelihood.poisson(), Likelihood.negativeBinomial())) {
      refusal(counts, 2.5, 1, "whole number >= 0", "round it");
      refusal(counts, -1, 1, "whole number >= 0", "leave the row out");
      refusal(counts, Double.NaN, 1, "finite");
      refusal(counts, Double.POSITIVE_INFINITY, 1, "2^53");
      refusal(counts, 3, -1, "exposure", "> 0");
      refusal(counts, 3, 0, "exposure", "> 0");
      refusal(counts, 3, Double.NaN, "exposure");
      assertNull(counts.refusal(0, 0.1));
    }
    refusal(Likelihood.bernoulli(), 2, 1, "0 or 1", "binomial");
    refusal(Likelihood.bernoulli(), Double.NaN, 1, "0 or 1");
    refusal(Likelihood.binomial(), 4, 3, "not exceed the trials");
    refusal(Likelihood.binomial(), 0.5, 3, "whole number", "share");
    refusal(Likelihood.binomial(), -1, 3, "whole number");
    refusal(Likelihood.binomial(), 1, 2.5, "trials", "whole number >= 1");
    refusal(Likelihood.binomial(), 0, 0, "trials", ">= 1");
    assertNull(Likelihood.binomial().refusal(3, 3));
    refusal(Likelihood.gamma(), 0, 1, "> 0", "leave the row out");
    refusal(Likelihood.gamma(), -2, 1, "> 0");
    refusal(Likelihood.gamma(), Double.NaN, 1, "finite");
    refusal(Likelihood.gaussian(), Double.NaN, 1, "finite");
    refusal(Likelihood.gaussian(), 1, 0, "weight");
    refusal(Likelihood.gaussianKnown(), 1, 0, "known noise variance");
    refusal(Likelihood.gaussianKnown(), 1, Double.POSITIVE_INFINITY, "known noise variance");
    refusal(Likelihood.studentT(), Double.NaN, 1, "finite");
    refusal(Likelihood.studentT(), 1, -1, "weight");
    for (Row row : ROWS) assertNull(row.likelihood.refusal(row.y, row.size), row.toString());
  }

  @Test
  void parametersAreCheckedAndKept() {
    Likelihood t = Likelihood.studentT();
    assertTrue(Arrays.stream(t.values()).allMatch(Double::isNaN));
    assertEquals(List.of("noise", "df"), t.parameterNames());
    assertEquals(t.with(0.5, 4), t.with(0.5, 4));
    assertEquals(t.with(0.5, 4).hashCode(), t.with(0.5, 4).hashCode());
    assertNotEquals(t.with(0.5, 4), t.with(0.5, 5));
    assertNotEquals(Likelihood.bernoulli(), Likelihood.bernoulli(Link.PROBIT));
    assertThrows(IllegalArgumentException.class, () -> t.with(1));
    assertThrows(IllegalArgumentException.class, () -> Likelihood.poisson().with(1));
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> t.with(1, -4)).getMessage());
    assertTrue(message.contains("df of student-t must be finite and > 0, got -4"), message);
    assertEquals(0, Likelihood.gaussian().with(0).values()[0]); // no noise at all
    assertThrows(IllegalArgumentException.class, () -> t.with(0, 4));
  }

  @Test
  void ratesAndProbabilitiesExistWhereTheyMeanSomething() {
    for (Row row : ROWS) {
      String name = row.likelihood.name();
      boolean rate = List.of("poisson", "negative-binomial", "gamma").contains(name);
      boolean probability = List.of("bernoulli", "binomial").contains(name);
      assertEquals(rate, row.likelihood.has(Of.RATE), name);
      assertEquals(probability, row.likelihood.has(Of.PROBABILITY), name);
      assertTrue(row.likelihood.has(Of.FUNCTION) && row.likelihood.has(Of.OBSERVATION));
      assertFalse(rate && probability);
    }
  }
}
