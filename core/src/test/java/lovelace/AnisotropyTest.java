package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.PlaceMap;
import lovelace.model.Provenance.Note;
import lovelace.options.Options;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;

/// Two lengthscales and a rotation.
class AnisotropyTest {

  /// `k(r) = exp(−√3 r)(1 + √3 r)` of the distance in lengthscales along and across an angle
  /// clockwise from north.
  private static double kernel(
      double[] x, int i, int j, double angle, double along, double across) {
    double e = x[2 * i] - x[2 * j];
    double n = x[2 * i + 1] - x[2 * j + 1];
    double s = Math.sin(Math.toRadians(angle));
    double c = Math.cos(Math.toRadians(angle));
    double r = Math.sqrt(3) * Math.hypot((e * s + n * c) / along, (e * c - n * s) / across);
    return (1 + r) * Math.exp(-r);
  }

  private static double[] covariance(double[] x, double angle, double along, double across) {
    int n = x.length / 2;
    double[] k = new double[n * n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        k[i * n + j] = kernel(x, i, j, angle, along, across) + (i == j ? 0.05 : 0);
    return k;
  }

  /// Rows drawn from the process.
  private static Dataset drawn(int n, double angle, double along, double across, long seed) {
    var random = new SplittableRandom(seed);
    double[] x = random.doubles(2L * n, 0, 100).toArray();
    double[] factor = lower(covariance(x, angle, along, across), n);
    double[] z = new double[n];
    for (int i = 0; i < n; i++) z[i] = random.nextGaussian();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) y[i] += factor[i * n + j] * z[j];
    return Dataset.of(x, 2, y);
  }

  /// Cholesky's factor, from its definition.
  private static double[] lower(double[] a, int n) {
    double[] l = new double[n * n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        double sum = a[i * n + j];
        for (int k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
        l[i * n + j] = i == j ? Math.sqrt(sum) : sum / l[j * n + j];
      }
    return l;
  }

  private static double likelihood(Dataset data, double angle, double along, double across) {
    int n = data.size();
    double[] l = lower(covariance(data.inputs(), angle, along, across), n);
    double value = -0.5 * n * Math.log(2 * Math.PI);
    double[] z = new double[n];
    for (int i = 0; i < n; i++) {
      z[i] = data.target()[i];
      for (int j = 0; j < i; j++) z[i] -= l[i * n + j] * z[j];
      z[i] /= l[i * n + i];
      value -= 0.5 * z[i] * z[i] + Math.log(l[i * n + i]);
    }
    return value;
  }

  @Test
  void theLikelihoodIsThatOfTheTurnedMetric() {
    Dataset data = drawn(150, 30, 40, 10, 1);
    for (double angle : new double[] {0, 30, 75, 150}) {
      Model model =
          Fit.DEFAULT
              .withKernel("matern32")
              .withMean("zero")
              .withEngine(Engine.EXACT)
              .withTraining(false)
              .withAnisotropy(angle)
              .set("lengthscale", 10, 40)
              .set("outputscale", 1)
              .set("noise", 0.05)
              .to(data);
      assertEquals(
          likelihood(data, angle, 40, 10), model.logMarginalLikelihood(), 1e-9, "angle " + angle);
    }
  }

  @Test
  void theDirectionIsLearnedWithinItsError() {
    double[] angles = {25, 100};
    for (int i = 0; i < angles.length; i++) {
      long seed = 11L + i;
      Dataset data = drawn(500, angles[i], 45, 15, seed);
      Model model = Fit.DEFAULT.withKernel("matern32").withAnisotropy().to(data);
      PlaceMap map = (PlaceMap) model.map().orElseThrow();
      double off = Math.abs(Math.IEEEremainder(map.angle() - angles[i], 180));
      String what = "seed " + seed + ": " + map + "\n" + model;
      assertTrue(map.angleError() > 0.1 && map.angleError() < 6, what);
      assertTrue(off <= 3 * map.angleError(), what);
      double[] lengths = model.hyperparameters().parameter("lengthscale").values();
      assertTrue(lengths[1] > 1.5 * lengths[0], what);
      double plain = Fit.DEFAULT.withKernel("matern32").to(data).logMarginalLikelihood();
      assertTrue(model.logMarginalLikelihood() > plain + 2, what + " plain " + plain);
    }
  }

  @Test
  void noDirectionIsSeenWhereThereIsNone() {
    Dataset data = drawn(300, 0, 20, 20, 21);
    Model model = Fit.DEFAULT.withKernel("matern32").withAnisotropy().to(data);
    assertTrue(model.map().isEmpty(), model::toString);
    assertTrue(
        model.provenance().notes().stream()
            .anyMatch(
                note ->
                    note.kind() == Note.Kind.ANISOTROPY && note.toString().contains("none found")),
        () -> model.provenance().notes().toString());
  }

  @Test
  void theSearchKeepsToItsTime() {
    Dataset data = drawn(320, 60, 45, 15, 31);
    long[] now = {0};
    Fit fit =
        Fit.DEFAULT
            .withKernel("matern32")
            .withAnisotropy()
            .with(
                new Options.Limits(
                    Duration.ofSeconds(100), 1L << 30, () -> now[0] += 200_000_000L));
    Model model = fit.to(data);
    assertTrue(
        model.provenance().notes().stream().anyMatch(note -> note.kind() == Note.Kind.TIME),
        () -> model.provenance().notes().toString());
  }

  @Test
  void aThirdColumnIsNotTurned() {
    Dataset plane = drawn(300, 30, 40, 10, 41);
    double[] x = new double[900];
    for (int i = 0; i < 300; i++) {
      x[3 * i] = plane.inputs()[2 * i];
      x[3 * i + 1] = plane.inputs()[2 * i + 1];
      x[3 * i + 2] = i % 7;
    }
    Dataset data = Dataset.of(x, 3, plane.target());
    Model model = Fit.DEFAULT.withAnisotropy(30).withEngine(Engine.EXACT).to(data);
    assertEquals(
        "across, along, x3",
        String.join(", ", model.inFeatures().columns().stream().map(Column::name).toList()));
    assertEquals(5, model.features(new double[] {1, 2, 5})[2]);
  }
}
