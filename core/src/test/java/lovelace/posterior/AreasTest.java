package lovelace.posterior;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.likelihood.Likelihood.Of;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.internal.PredictionArrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Means over areas beside the sum of all covariances of their points.
class AreasTest {

  private static final long SEED = 31;

  /// A process of each kind.
  enum Kind {
    SPECTRAL(2, "rbf", Engine.SPECTRAL, 0.02, false),
    LOVE(2, "matern52", Engine.KRYLOV, 0.02, false),
    DENSE(1, "rbf", Engine.DENSE, 0.02, false),
    CHAIN_OF_GRID(1, "matern32", Engine.MARKOV, 0.02, true),
    CHAIN_OF_ROWS(1, "matern32", Engine.CHAIN, 0.02, false),
    PIXELS(2, "matern12", Engine.SPARSE, 0.02, true),
    PINNED(2, "matern12", Engine.SPARSE, 0, true),
    SITES(2, "matern12", Engine.SITES, 0.02, false),
    EXACT(2, "matern32", Engine.EXACT, 0.02, false),
    NEIGHBOURS(3, "matern32", Engine.NEIGHBOURS, 0.02, false),
    SIDE_BY_SIDE(4, "rbf", Engine.SPECTRAL, 0.02, false),
    DRIFT(3, "rbf", Engine.SPECTRAL, 0.02, false),
    DRIFT_OF_ROWS(3, "rbf", Engine.EXACT, 0.02, false),
    PLACES(2, "rbf", Engine.SPECTRAL, 0.02, false);

    final int d;
    final String kernel;
    final Engine engine;
    final double noise;
    final boolean pixels;

    Kind(int d, String kernel, Engine engine, double noise, boolean pixels) {
      this.d = d;
      this.kernel = kernel;
      this.engine = engine;
      this.noise = noise;
      this.pixels = pixels;
    }

    Model model() {
      boolean drift = name().startsWith("DRIFT");
      double[] lengths = new double[drift ? 2 : d];
      Arrays.fill(lengths, pixels ? 5 : this == PLACES ? 300 : 3);
      Fit fit =
          Fit.DEFAULT
              .withKernel(kernel)
              .withEngine(engine)
              .withTraining(false)
              .set("outputscale", 1.5)
              .set("noise", noise);
      fit = drift ? fit.withDrift(List.of("x3")) : fit.set("mean", 2);
      if (this == PLACES) fit = fit.withPlace(Place.lonLat("x1", "x2"));
      return (this == SIDE_BY_SIDE
              ? fit.withShape(Options.Shape.ADDITIVE)
                  .set("rbf.lengthscale", 3)
                  .set("rbf2.lengthscale", 3)
                  .set("rbf3.lengthscale", 3)
                  .set("rbf4.lengthscale", 3)
              : fit.set("lengthscale", lengths))
          .to(rows());
    }

    private Dataset rows() {
      var random = new SplittableRandom(SEED);
      int n = d == 1 ? 300 : 400;
      double[] x = new double[n * d];
      for (int i = 0; i < x.length; i++)
        x[i] = pixels ? (d == 1 ? i : i % 2 == 0 ? i / 2 % 20 : i / 40) : 20 * random.nextDouble();
      if (d == 1 && !pixels) Arrays.sort(x);
      double[] y = new double[n];
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < d; j++) y[i] += Math.sin(0.7 * x[i * d + j] + j);
        y[i] += 2 + 0.1 * random.nextGaussian();
      }
      return Dataset.of(x, d, y);
    }

    /// Places inside, on pixels, and beyond the grid.
    double[] places(int count, boolean beyond) {
      var random = new SplittableRandom(SEED + 1);
      double[] x = new double[count * d];
      for (int i = 0; i < count; i++) {
        double span = beyond && i % 7 == 0 ? 30 : 18;
        for (int j = 0; j < d; j++) x[i * d + j] = 0.5 + span * random.nextDouble();
        if (pixels && i % 5 == 0)
          for (int j = 0; j < d; j++) x[i * d + j] = Math.rint(x[i * d + j]);
      }
      return x;
    }
  }

  private static double[] weights(int count) {
    var random = new SplittableRandom(SEED + 2);
    double[] w = new double[count];
    for (int i = 0; i < count; i++) w[i] = i % 11 == 3 ? 0 : random.nextDouble();
    return w;
  }

  @ParameterizedTest
  @EnumSource
  void meansOverAreasEqualTheSumOfAllCovariances(Kind kind) {
    Posterior posterior = kind.model().posterior();
    for (boolean beyond : new boolean[] {false, true}) {
      double[] x = kind.places(90, beyond);
      double[] w = weights(90);
      int[] starts = {0, 1, 40, 90};
      Prediction areas = posterior.average(x, w, starts);
      int d = kind.d;
      for (int a = 0; a < 3; a++) {
        double[] own = Arrays.copyOfRange(x, starts[a] * d, starts[a + 1] * d);
        double[] c = Arrays.copyOfRange(w, starts[a], starts[a + 1]);
        double total = Arrays.stream(c).sum();
        Prediction each = posterior.predict(own);
        double[] covariance = posterior.covariance(own, own);
        int n = c.length;
        double mean = 0;
        double variance = 0;
        boolean outside = false;
        for (int i = 0; i < n; i++) {
          mean += c[i] / total * each.mean(i);
          outside |= c[i] > 0 && each.outside(i);
          for (int j = 0; j < n; j++)
            variance += c[i] / total * (c[j] / total) * covariance[i * n + j];
        }
        String what = kind + ", area " + a + ", seed " + SEED;
        assertEquals(mean, areas.mean(a), 1e-9 * Math.abs(mean), what);
        if (variance == 0) assertEquals(0, areas.variance(a), what); // a pixel whose value is known
        else assertEquals(1, areas.variance(a) / variance, 1e-8, what);
        assertEquals(outside, areas.outside(a), what);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAreaHasTheSameBitsInAnyBatch(Kind kind) {
    Posterior posterior = kind.model().posterior();
    double[] x = kind.places(80, true);
    double[] w = weights(80);
    int[] starts = IntStream.rangeClosed(0, 20).map(a -> 4 * a).toArray();
    Prediction all = posterior.average(x, w, starts);
    for (int a : new int[] {0, 9, 19}) {
      Prediction alone =
          posterior.average(
              Arrays.copyOfRange(x, 4 * a * kind.d, 4 * (a + 1) * kind.d),
              Arrays.copyOfRange(w, 4 * a, 4 * (a + 1)),
              new int[] {0, 4});
      assertEquals(alone.mean(0), all.mean(a), 0, kind + ", mean");
      assertEquals(alone.variance(0), all.variance(a), 0, kind + ", variance");
    }
  }

  /// A process whose points are all at the bound of rounding.
  ///
  /// @param bound the variance that each point reports
  /// @param covariance of any two points
  private record AtBound(double bound, double covariance) implements Posterior {

    @Override
    public int dimensions() {
      return 1;
    }

    @Override
    public double noise() {
      return 0;
    }

    @Override
    public Prediction predict(double[] points) {
      var all = new PredictionArrays(points.length);
      for (int i = 0; i < points.length; i++) all.put(i, 0, 0, bound, false);
      return all.done();
    }

    @Override
    public double[] covariance(double[] a, double[] b) {
      double[] all = new double[a.length * b.length];
      Arrays.fill(all, covariance);
      return all;
    }

    @Override
    public double[] sample(double[] points, int count, RandomGenerator random) {
      throw new UnsupportedOperationException();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0x1p-40, 1, 0x1p40})
  void theBoundOfRoundingHasTheUnitOfAVariance(double unit) {
    double bound = 0x1p-10 * unit * unit;
    double[] x = {1, 2, 3, 4};
    int[] starts = {0, 4};
    Prediction known = new AtBound(bound, 2 * bound).average(x, new double[0], starts);
    assertEquals(2 * bound, known.variance(0));
    assertFalse(known.atBound(0));
    Prediction unknown = new AtBound(bound, 0.5 * bound).average(x, new double[0], starts);
    assertEquals(bound, unknown.variance(0));
    assertTrue(unknown.atBound(0));
  }

  /// From the definition, in dense algebra: `Var = wᵀ(K** − K*ᵀ(K + σ²I)⁻¹K*)w`.
  @Test
  void theExactProcessIsTheDefinition() {
    double[] x = {0, 1, 2.5, 4};
    double[] y = {1, 2, 0, 1};
    Model model =
        Fit.DEFAULT
            .withKernel("matern12")
            .withEngine(Engine.EXACT)
            .withTraining(false)
            .set("lengthscale", 2)
            .set("outputscale", 1.5)
            .set("mean", 0.5)
            .set("noise", 0.1)
            .to(Dataset.of(x, 1, y));
    double[] at = {0.5, 1.5, 3, 6};
    double[] w = {0.1, 0.2, 0.3, 0.4};
    int n = 4;
    double[][] a = new double[n][n + 2]; // (K + σ²I | k w, y − μ)
    double prior = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        a[i][j] = 1.5 * Math.exp(-Math.abs(x[i] - x[j]) / 2) + (i == j ? 0.1 : 0);
        a[i][n] += w[j] * 1.5 * Math.exp(-Math.abs(x[i] - at[j]) / 2);
        prior += w[i] * w[j] * 1.5 * Math.exp(-Math.abs(at[i] - at[j]) / 2);
      }
      a[i][n + 1] = y[i] - 0.5;
    }
    double[] k = new double[n];
    for (int i = 0; i < n; i++) k[i] = a[i][n];
    for (int p = 0; p < n; p++) // Gauss and Jordan
    for (int i = 0; i < n; i++) {
        double f = i == p ? 1 - 1 / a[p][p] : a[i][p] / a[p][p];
        for (int j = n + 1; j >= p; j--) if (i != p) a[i][j] -= f * a[p][j];
      }
    double mean = 0.5;
    double variance = prior;
    for (int i = 0; i < n; i++) {
      mean += k[i] * a[i][n + 1] / a[i][i];
      variance -= k[i] * a[i][n] / a[i][i];
    }
    Prediction area = model.average(at, w, new int[] {0, 4});
    assertEquals(mean, area.mean(0), 1e-13);
    assertEquals(variance, area.variance(0), 1e-13);
    assertEquals(mean - 1.959964 * Math.sqrt(variance), area.lower(0, 0.95), 1e-6);
  }

  /// With log targets: E and Var of a sum of log-normal values have closed forms.
  @Test
  void aLogTargetIsAveragedInTheTablesUnits() {
    Model plain = Kind.EXACT.model();
    Dataset rows = Kind.EXACT.rows();
    Dataset positive =
        Dataset.of(
            rows.inputs(), 2, Arrays.stream(rows.target()).map(y -> Math.exp(0.3 * y)).toArray());
    Model model =
        Fit.DEFAULT
            .withKernel("matern32")
            .withEngine(Engine.EXACT)
            .withTransform(TargetTransform.LOG)
            .withTraining(false)
            .set("lengthscale", 3, 3)
            .set("outputscale", 0.5)
            .set("mean", 0.6)
            .set("noise", 0.2)
            .to(positive);
    double[] x = Kind.EXACT.places(25, true);
    int[] starts = {0, 10, 25};
    Prediction areas = model.average(x, new double[0], starts);
    for (int a = 0; a < 2; a++) {
      double[] own = Arrays.copyOfRange(x, 2 * starts[a], 2 * starts[a + 1]);
      int n = own.length / 2;
      Prediction z = model.posterior().predict(own);
      double[] c = model.posterior().covariance(own, own);
      double mean = 0;
      double variance = 0;
      for (int i = 0; i < n; i++) {
        mean += Math.exp(z.mean(i) + 0.5 * z.variance(i)) / n;
        for (int j = 0; j < n; j++)
          variance +=
              Math.exp(z.mean(i) + z.mean(j) + 0.5 * (z.variance(i) + z.variance(j)))
                  * Math.expm1(c[i * n + j])
                  / (n * n);
      }
      assertEquals(mean, areas.mean(a), 1e-9 * mean);
      // 1,000 draws: a deviation is off by some 2 % of itself, five times that is never seen
      assertEquals(1, areas.deviation(a) / Math.sqrt(variance), 0.12, "area " + a);
      assertTrue(areas.lower(a, 0.95) < mean && mean < areas.upper(a, 0.95));
    }
    assertEquals(
        plain.average(x, new double[0], starts).mean(0),
        plain.posterior().average(x, new double[0], starts).mean(0),
        0);
  }

  /// Areas that share draws get the same as alone.
  @Test
  void ratesAreAveragedByDrawsThatAreTheSameForEveryArea() {
    var random = new SplittableRandom(SEED);
    double[] x = random.doubles(400, 0, 10).toArray();
    double[] y = new double[200];
    for (int i = 0; i < 200; i++) y[i] = Math.rint(3 * random.nextDouble() * (1 + x[2 * i] / 5));
    Model model =
        Fit.DEFAULT
            .withLikelihood("poisson")
            .withKernel("rbf")
            .withTraining(false)
            .set("lengthscale", 4, 4)
            .set("outputscale", 0.5)
            .set("mean", 1)
            .to(Dataset.of(x, 2, y));
    double[] places = random.doubles(80, 1, 9).toArray();
    Prediction both = model.average(places, new double[0], new int[] {0, 15, 40});
    Prediction second =
        model.average(Arrays.copyOfRange(places, 30, 80), new double[0], new int[] {0, 25});
    assertEquals(second.mean(0), both.mean(1), 0);
    assertEquals(second.deviation(0), both.deviation(1), 1e-9);
    assertEquals(Of.RATE, both.of().orElseThrow());
    double mean =
        Arrays.stream(model.predict(Arrays.copyOf(places, 30), Of.RATE).means())
            .average()
            .orElse(0);
    assertEquals(mean, both.mean(0), 1e-12);
    assertTrue(both.deviation(0) > 0 && both.deviation(0) < 0.5 * mean);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0,2,2,4 | 1,1,1,1  | area 2 (from 1) has no points",
        "0,2,4   | 1,1,NaN,1| weight 1 of area 2 (both from 1) is NaN",
        "0,2,4   | 1,-1,1,1 | weight 2 of area 1 (both from 1) is -1.0",
        "0,2,4   | 1,1,0,0  | the weights of area 2 (from 1) sum to 0.0",
        "0,2,5   | 1,1,1,1  | from 0 to the number of points, 4; got 0 to 5",
        "0,4     | 1,1      | 2 weights for 4 points"
      })
  void aWrongAreaIsNamed(String starts, String weights, String message) {
    Posterior posterior = Kind.EXACT.model().posterior();
    int[] s = Arrays.stream(starts.split(",")).mapToInt(t -> Integer.parseInt(t.strip())).toArray();
    double[] w = Arrays.stream(weights.split(",")).mapToDouble(Double::parseDouble).toArray();
    var wrong =
        assertThrows(IllegalArgumentException.class, () -> posterior.average(new double[8], w, s));
    assertTrue(String.valueOf(wrong.getMessage()).contains(message), wrong::toString);
  }
}
