package lovelace.posterior;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.posterior.internal.DrawnLaw;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Means over areas that are not Gaussian: their standard errors, and what draws leave uncertain.
class DrawnAreasTest {

  private static final int ROWS = 40;

  private static Fit fit(Engine engine) {
    Fit fit =
        Fit.DEFAULT
            .withKernel(engine == Engine.SPARSE || engine == Engine.MARKOV ? "matern32" : "rbf")
            .withEngine(engine)
            .withTraining(false)
            .set("lengthscale", 1)
            .set("mean", 0)
            .set("outputscale", 3);
    return engine == Engine.EXACT || engine == Engine.NEIGHBOURS
        ? fit
        : fit.withGrid(GridChoice.DEFAULT.withPoints(engine == Engine.MARKOV ? 100 : 30));
  }

  private static Dataset rows(int d, boolean counts) {
    SplittableRandom random = new SplittableRandom(3);
    double[] x = random.doubles((long) ROWS * d, 0, 6).toArray();
    double[] y = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      y[i] = Math.exp(Math.sin(x[d * i]) + 0.3 * random.nextGaussian());
      if (counts) y[i] = Math.rint(3 * y[i]);
    }
    List<Column> columns = List.of(Column.of("a"), Column.of("b")).subList(0, d);
    return Dataset.of(x, columns, y, Column.of("y"));
  }

  /// From the joint distribution of f: `Σᵢⱼ wᵢwⱼ mᵢmⱼ (exp cᵢⱼ − 1)`.
  private static double variance(Model model, double[] points, double[] w) {
    double[] means = model.posterior().predict(points).means();
    double[] c = model.posterior().covariance(points, points);
    int t = means.length;
    double total = Arrays.stream(w).sum();
    double sum = 0;
    for (int i = 0; i < t; i++)
      for (int j = 0; j < t; j++)
        sum +=
            w[i]
                / total
                * (w[j] / total)
                * Math.exp(means[i] + means[j] + 0.5 * (c[i * t + i] + c[j * t + j]))
                * Math.expm1(c[i * t + j]);
    return sum;
  }

  @ParameterizedTest
  @EnumSource(names = {"SPECTRAL", "MARKOV", "SPARSE", "KRYLOV", "EXACT", "NEIGHBOURS"})
  void standardErrorsOfLogTargetsAndRatesHaveAClosedForm(Engine engine) {
    int d = engine == Engine.MARKOV ? 1 : 2;
    Model log =
        fit(engine).set("noise", 0.09).withTransform(TargetTransform.LOG).to(rows(d, false));
    Model rate =
        engine == Engine.NEIGHBOURS || engine == Engine.KRYLOV
            ? log
            : fit(engine).withLikelihood("poisson").to(rows(d, true));
    for (Model model : List.of(log, rate)) {
      SplittableRandom random = new SplittableRandom(4);
      double[] points = random.doubles(30L * d, 0.2, 5.8).toArray();
      double[] weights = random.doubles(30).toArray();
      weights[7] = 0;
      for (int seed = 1; seed < 3; seed++) {
        Prediction p =
            model.average(
                points,
                weights,
                new int[] {0, 20, 30},
                model.likelihood().usual(),
                200,
                new SplittableRandom(seed));
        for (int a = 0; a < 2; a++) {
          double expected =
              variance(
                  model,
                  Arrays.copyOfRange(points, (a == 0 ? 0 : 20) * d, (a == 0 ? 20 : 30) * d),
                  Arrays.copyOfRange(weights, a == 0 ? 0 : 20, a == 0 ? 20 : 30));
          // predictions of neighbours are not quite those of their joint distribution, and the
          // variances of a lattice have a floor
          double slack = engine == Engine.NEIGHBOURS ? 1e-2 : 1e-6;
          assertEquals(expected, p.variance(a), slack * expected, engine + " area " + a);
          assertEquals(0, p.deviationError(a));
          assertTrue(p.quantileError(a, 0.975) > 0);
        }
      }
    }
  }

  @Test
  void pairsInBlocksAreAllPairs() {
    Model model =
        fit(Engine.EXACT).set("noise", 0.09).withTransform(TargetTransform.LOG).to(rows(2, false));
    double[] points = new SplittableRandom(6).doubles(2400, 0, 6).toArray(); // two blocks
    double[] w = new SplittableRandom(7).doubles(1200).toArray();
    Prediction p =
        model.average(points, w, new int[] {0, 1200}, Of.FUNCTION, 2, new SplittableRandom(1));
    double expected = variance(model, points, w);
    assertEquals(expected, p.variance(0), 1e-9 * expected);
  }

  /// Sixty seeds show how far standard errors and ends of intervals scatter; their measured errors
  /// say so within the 10 % that sixty deviations scatter themselves, three times over, and what
  /// they scatter.
  @ParameterizedTest
  @CsvSource({"probability, 400", "ranks, 400", "ranks, 1500"})
  void measuredErrorsOfDrawsAreThoseOfManySeeds(String kind, int draws) {
    Dataset rows = rows(2, false);
    Fit fit = fit(Engine.EXACT);
    Model model;
    if (kind.equals("ranks")) {
      model = fit.set("noise", 0.1).withTransform(TargetTransform.RANKS).to(rows);
    } else {
      double[] classes = Arrays.stream(rows.target()).map(y -> y > 1 ? 1 : 0).toArray();
      model =
          fit.withLikelihood(Likelihood.bernoulli())
              .to(Dataset.of(rows.inputs(), rows.columns(), classes, rows.targetColumn()));
    }
    double[] points = {2, 2, 3, 2.5, 7.5, 1};
    int seeds = 60;
    double[][] found = new double[4][seeds];
    for (int s = 0; s < seeds; s++) {
      Prediction p =
          model.average(
              points,
              new double[0],
              new int[] {0, 3},
              model.likelihood().usual(),
              draws,
              new SplittableRandom(100 + s));
      found[0][s] = p.deviation(0);
      found[1][s] = p.deviationError(0) * p.deviation(0);
      found[2][s] = p.quantile(0, 0.975);
      found[3][s] = p.quantileError(0, 0.975);
    }
    for (int k = 0; k < 4; k += 2) {
      double mean = Arrays.stream(found[k]).average().orElseThrow();
      double spread =
          Math.sqrt(Arrays.stream(found[k]).map(v -> (v - mean) * (v - mean)).sum() / (seeds - 1));
      double said = Arrays.stream(found[k + 1]).average().orElseThrow();
      assertEquals(1, said / spread, 0.35, kind + " " + draws + ", number " + k);
    }
  }

  @Test
  void drawsSayIfTheyCannotTellTheirError() {
    SplittableRandom random = new SplittableRandom(8);
    for (int n : new int[] {100, 1000, 20_000}) {
      double[] normal = new double[n];
      double[] skewed = new double[n];
      for (int i = 0; i < n; i++) {
        normal[i] = random.nextGaussian();
        skewed[i] = Math.exp(3 * random.nextGaussian());
      }
      // √(m₄/s⁴ − 1)/2√n with kurtosis 3, within what the kurtosis of n draws scatters
      assertEquals(
          1 / Math.sqrt(2.0 * n),
          new DrawnLaw(0, Double.NaN, normal).deviationError(),
          1.5 * Math.sqrt(24.0 / n) / Math.sqrt(2.0 * n));
      assertEquals(
          Double.POSITIVE_INFINITY,
          new DrawnLaw(Math.exp(4.5), Double.NaN, skewed).deviationError(),
          "" + n);
    }
    assertEquals(0, new DrawnLaw(1, 4, new double[] {0, 1, 2}).deviationError());
    assertEquals(2, Math.sqrt(new DrawnLaw(1, 4, new double[] {0, 1, 2}).variance(0, 0)));
  }
}
