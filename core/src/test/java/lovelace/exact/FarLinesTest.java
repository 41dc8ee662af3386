package lovelace.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Straight lines in a kernel keep their digits far from zero. The reference computes with 60
/// digits, from the definition of the kernel and of the posterior.
class FarLinesTest {

  private static final MathContext MC = new MathContext(60);
  private static final double NOISE = 0.0025;
  private static final int N = 20;

  private static BigDecimal big(double v) {
    return new BigDecimal(v);
  }

  /// The kernels of the test, as functions of one column, with 60 digits where a term is far.
  private static BigDecimal kernel(String name, double x, double y) {
    BigDecimal xy = big(x).multiply(big(y), MC);
    BigDecimal distance = big(x).subtract(big(y), MC);
    double r = distance.doubleValue() / 200;
    BigDecimal rbf = big(0.7 * Math.exp(-0.5 * r * r));
    return switch (name) {
      case "linear(variance=1)" -> xy;
      case "linear(variance=1) + constant(variance=2)" -> xy.add(big(2));
      case "linear(variance=0.25,centre=300) + constant(variance=2)" ->
          big(x)
              .subtract(big(300))
              .multiply(big(y).subtract(big(300)), MC)
              .multiply(big(0.25))
              .add(big(2));
      case "linear(variance=1) + 0.7*rbf(lengthscale=200)" -> xy.add(rbf);
      case "linear(variance=1) + constant(variance=2) + 0.7*rbf(lengthscale=200)" ->
          xy.add(big(2)).add(rbf);
      case "0.5*linear(variance=1)*linear(variance=2) + linear(variance=3) + constant(variance=4)" ->
          xy.multiply(xy, MC).add(xy.multiply(big(3))).add(big(4));
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static Hyperparameters parameters(String kernel) {
    return Hyperparameters.of(Kernel.parse(kernel).attach(1), NOISE, PriorMean.constant(0.5));
  }

  private static Dataset data(double offset) {
    var random = new SplittableRandom(11);
    double[] x = new double[N];
    double[] y = new double[N];
    for (int i = 0; i < N; i++) {
      x[i] = offset + random.nextInt(1000) - 500;
      y[i] = 0.004 * (x[i] - offset) + 0.05 * random.nextGaussian();
    }
    return Dataset.of(x, 1, y);
  }

  /// Solves `A X = B` by Gauss without pivots, for a positive definite A; returns log|A|.
  private static double solve(BigDecimal[][] a, BigDecimal[][] b) {
    int n = a.length;
    double log = 0;
    for (int p = 0; p < n; p++) {
      log += Math.log(a[p][p].doubleValue());
      for (int i = p + 1; i < n; i++) {
        BigDecimal f = a[i][p].divide(a[p][p], MC);
        for (int j = p; j < n; j++) a[i][j] = a[i][j].subtract(f.multiply(a[p][j], MC), MC);
        for (int j = 0; j < b[i].length; j++)
          b[i][j] = b[i][j].subtract(f.multiply(b[p][j], MC), MC);
      }
    }
    for (int p = n - 1; p >= 0; p--)
      for (int j = 0; j < b[p].length; j++) {
        for (int i = p + 1; i < n; i++)
          b[p][j] = b[p][j].subtract(a[p][i].multiply(b[i][j], MC), MC);
        b[p][j] = b[p][j].divide(a[p][p], MC);
      }
    return log;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          linear(variance=1)
          linear(variance=1) + constant(variance=2)
          linear(variance=0.25,centre=300) + constant(variance=2)
          linear(variance=1) + 0.7*rbf(lengthscale=200)
          linear(variance=1) + constant(variance=2) + 0.7*rbf(lengthscale=200)
          0.5*linear(variance=1)*linear(variance=2) + linear(variance=3) + constant(variance=4)
          """)
  void linesFarFromZeroKeepTheirDigits(String kernel) {
    for (double offset : new double[] {0, 1e3, 1e6, 1e9}) {
      Dataset data = data(offset);
      double[] at = {offset - 480, offset + 3.5, offset + 700};
      ExactGp gp = ExactGp.of(data, parameters(kernel));
      BigDecimal[][] a = new BigDecimal[N][N];
      BigDecimal[][] b = new BigDecimal[N][1 + at.length];
      double[] x = data.inputs();
      for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) a[i][j] = kernel(kernel, x[i], x[j]);
        a[i][i] = a[i][i].add(big(NOISE));
        b[i][0] = big(data.target()[i] - 0.5);
        for (int t = 0; t < at.length; t++) b[i][t + 1] = kernel(kernel, x[i], at[t]);
      }
      double log = solve(a, b);
      Prediction p = gp.predict(at);
      double[] covariance = gp.covariance(at, at);
      BigDecimal fit = BigDecimal.ZERO;
      for (int i = 0; i < N; i++) fit = fit.add(b[i][0].multiply(big(data.target()[i] - 0.5)), MC);
      String where = kernel + " at " + offset;
      for (int t = 0; t < at.length; t++) {
        BigDecimal mean = big(0.5);
        BigDecimal[] rest = new BigDecimal[at.length];
        for (int s = 0; s < at.length; s++) rest[s] = kernel(kernel, at[t], at[s]);
        for (int i = 0; i < N; i++) {
          BigDecimal k = kernel(kernel, x[i], at[t]);
          mean = mean.add(k.multiply(b[i][0], MC), MC);
          for (int s = 0; s < at.length; s++)
            rest[s] = rest[s].subtract(k.multiply(b[i][s + 1], MC), MC);
        }
        double sd = Math.sqrt(rest[t].doubleValue());
        assertEquals(mean.doubleValue(), p.mean(t), 1e-6 * sd, where);
        assertEquals(sd, p.deviation(t), 1e-6 * sd, where);
        for (int s = 0; s < at.length; s++)
          assertEquals(
              rest[s].doubleValue(), covariance[t * at.length + s], 1e-6 * sd * sd + 1e-9, where);
      }
      double likelihood = -0.5 * (fit.doubleValue() + log + N * Math.log(2 * Math.PI));
      assertEquals(likelihood, gp.logMarginalLikelihood(), 1e-6 * Math.abs(likelihood), where);
    }
  }

  /// The slopes are those of the likelihood, and those in the centre too.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          linear(variance=1)
          linear(variance=0.25,centre=300) + constant(variance=2)
          linear(variance=1) + constant(variance=2) + 0.7*rbf(lengthscale=200)
          3*linear(variance=1,centre=20)*linear(variance=2) + 0.5*linear*rbf(lengthscale=200)
          """)
  void slopesAreThoseOfTheLikelihood(String kernel) {
    Dataset data = data(700);
    Hyperparameters h = parameters(kernel.replace("linear*", "linear(variance=0.001)*"));
    double[] slopes = ExactGp.of(data, h).likelihoodGradient();
    double[] values = h.values();
    for (int k = 0; k < values.length; k++) {
      int at = k;
      DoubleUnaryOperator along =
          v -> {
            double[] moved = values.clone();
            moved[at] = v;
            return ExactGp.of(data, h.with(moved)).logMarginalLikelihood();
          };
      double step = values[k] == 0 ? 0.01 : 1e-4 * Math.abs(values[k]);
      double v = values[k];
      double slope =
          (8 * (along.applyAsDouble(v + step) - along.applyAsDouble(v - step))
                  - (along.applyAsDouble(v + 2 * step) - along.applyAsDouble(v - 2 * step)))
              / (12 * step);
      assertEquals(
          slope,
          slopes[k],
          1e-5 * Math.abs(slope) + 1e-10 / step,
          () -> h.kernel() + " " + at + " of " + Arrays.toString(slopes));
    }
  }

  /// Left out one by one, each row is predicted as a process of the others does.
  @Test
  void rowsLeftOutArePredictedByTheOthers() {
    for (double offset : new double[] {0, 1e6}) {
      Hyperparameters h = parameters("linear(variance=1) + constant(variance=2)");
      Dataset data = data(offset);
      Prediction left = ExactGp.of(data, h).leaveOneOut();
      for (int i = 0; i < N; i++) {
        int out = i;
        int[] rest = IntStream.range(0, N).filter(j -> j != out).toArray();
        Prediction p =
            ExactGp.of(data.select(rest), h).predictObservation(new double[] {data.inputs()[i]});
        assertEquals(p.mean(0), left.mean(i), 1e-7);
        assertEquals(p.variance(0), left.variance(i), 1e-8);
      }
      assertTrue(left.variance(0) > NOISE);
    }
  }

  /// Draws of a line are lines: three of their points lie on one, and they vary as the prediction
  /// says.
  @Test
  void drawsOfALineAreLines() {
    for (double offset : new double[] {0, 1e6}) {
      ExactGp gp =
          ExactGp.of(data(offset), parameters("linear(variance=1) + constant(variance=2)"));
      double[] at = {offset - 400, offset - 100, offset + 50, offset + 200, offset + 800};
      Prediction p = gp.predict(at);
      int count = 2000;
      double[] draws = gp.sample(at, count, new SplittableRandom(7));
      double squares = 0;
      for (int s = 0; s < count; s++) {
        double[] f = Arrays.copyOfRange(draws, s * 5, s * 5 + 5);
        double slope = (f[4] - f[0]) / 1200;
        for (int i = 1; i < 4; i++)
          assertEquals(f[0] + slope * (at[i] - at[0]), f[i], 1e-4 * p.deviation(i));
        squares += (f[4] - p.mean(4)) * (f[4] - p.mean(4));
      }
      // four standard errors of a variance from these draws
      assertEquals(p.variance(4), squares / count, 4 * p.variance(4) * Math.sqrt(2.0 / count));
    }
  }
}
