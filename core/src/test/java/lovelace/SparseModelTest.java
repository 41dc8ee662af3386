package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.Prediction;
import lovelace.sites.SiteGp;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Models of the sparse engine and of sites, from the fit to the file, beside the exact process of
/// their rows.
class SparseModelTest {

  private static final Options.Maker MAKER = new Options.Maker("1", "test");

  /// Pixels, 24 × 22, with a gap.
  private static final int WIDTH = 24;

  private static final int HEIGHT = 22;

  /// Where the rows are, and whether they have noise.
  enum Rows {
    PIXELS(false, 0.02),
    PINNED(false, 0),
    SITES(true, 0.02),
    PINNED_SITES(true, 0);

    final boolean scattered;
    final double noise;

    Rows(boolean scattered, double noise) {
      this.scattered = scattered;
      this.noise = noise;
    }

    Dataset data() {
      var random = new SplittableRandom(4);
      double[] x = scattered ? new double[1000] : pixels(false);
      if (scattered)
        for (int i = 0; i < x.length; i++)
          x[i] = random.nextDouble() * (i % 2 == 0 ? WIDTH - 1 : 0.5 * (HEIGHT - 1));
      double[] y = drawn(x, random);
      for (int i = 0; i < y.length; i++) y[i] += Math.sqrt(noise) * random.nextGaussian();
      return Dataset.of(x, 2, y);
    }

    Engine engine() {
      return scattered ? Engine.SITES : Engine.SPARSE;
    }

    Fit fit() {
      return Fit.DEFAULT
          .withKernel("matern12")
          .withEngine(engine())
          .withTraining(false)
          .set("lengthscale", 9, 6)
          .set("outputscale", 1.5)
          .set("noise", noise)
          .set("mean", 3);
    }
  }

  /// The pixels outside the gap, or those inside. Steps are 1 and 0.5.
  private static double[] pixels(boolean gap) {
    double[] x = new double[2 * WIDTH * HEIGHT];
    int n = 0;
    for (int i = 0; i < WIDTH; i++)
      for (int j = 0; j < HEIGHT; j++)
        if ((Math.hypot(i - 11, j - 12) < 5) == gap) {
          x[n++] = i;
          x[n++] = 0.5 * j;
        }
    return Arrays.copyOf(x, n);
  }

  /// A draw of the prior.
  private static double[] drawn(double[] x, SplittableRandom random) {
    Hyperparameters h = Rows.PINNED.fit().set("noise", 1e-9).hyperparameters(2);
    return ExactGp.of(Dataset.of(new double[] {1e6, 1e6}, 2, new double[] {3}), h)
        .sample(x, 1, random);
  }

  /// Places inside, in the gap, at edges and up to four steps outside, none near a pixel.
  private static double[] places() {
    var random = new SplittableRandom(6);
    double[] x = new double[400];
    for (int i = 0; i < x.length; i += 2) {
      x[i] = -4.25 + random.nextInt(32) + 0.5 * random.nextDouble();
      x[i + 1] = -2.1 + 0.5 * random.nextInt(29) + 0.2 * random.nextDouble();
    }
    return x;
  }

  /// Sparse regressions and kriging from a stencil, of matern12: a few hundredths of a standard
  /// deviation and per cents of variances. Means over 200 places are far less.
  private static void assertNear(ExactGp exact, Model model, double[] places) {
    Prediction p = exact.predict(places);
    Prediction q = model.predict(places);
    double means = 0;
    for (int i = 0; i < p.size(); i++) {
      String at = places[2 * i] + ", " + places[2 * i + 1];
      assertEquals(p.mean(i), q.mean(i), 0.2 * p.deviation(i), at);
      assertEquals(1, q.variance(i) / p.variance(i), 0.06, at);
      double off = (q.mean(i) - p.mean(i)) / p.deviation(i);
      means += off * off / p.size();
    }
    assertTrue(Math.sqrt(means) < 0.04, () -> "means are off by a root mean square");
  }

  private static void assertAlike(Model expected, Model actual, double slack) {
    assertEquals(expected.count(), actual.count());
    Prediction p = expected.predict(places());
    Prediction q = actual.predict(places());
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.mean(i), q.mean(i), slack * p.deviation(i));
      assertEquals(1, q.variance(i) / p.variance(i), slack);
    }
    assertEquals(expected.logMarginalLikelihood(), actual.logMarginalLikelihood(), slack);
  }

  @ParameterizedTest
  @EnumSource
  void modelsAreNearTheExactProcess(Rows rows) {
    Dataset data = rows.data();
    Model model = rows.fit().to(data);
    assertEquals(rows.engine(), model.plan().chosen());
    if (rows.scattered) assertInstanceOf(SiteGp.class, model.posterior());
    else assertTrue(model.lattice().orElseThrow().statistics().count() == data.size());
    ExactGp exact = ExactGp.of(data, model.hyperparameters());
    assertNear(exact, model, places());
    assertEquals(exact.logMarginalLikelihood(), model.logMarginalLikelihood(), 1.5);
    Prediction own = model.predict(data.inputs());
    for (int i = 0; i < own.size() && rows == Rows.PINNED; i++) {
      assertEquals(data.target()[i], own.mean(i), 1e-12);
      assertEquals(0, own.variance(i));
    }
  }

  /// The exact process without noise is known at its rows, as pinned nodes are: rounding there is
  /// no distance between the two.
  @Test
  void pinnedNodesDoNotSpoilTheCertificate() {
    Model model = Rows.PINNED.fit().to(Rows.PINNED.data());
    Interpolation measured = model.certificate().orElseThrow().interpolation();
    assertTrue(measured.measured());
    assertTrue(measured.variance() < 0.15, measured::toString);
    assertTrue(measured.mean() < 0.5, measured::toString);
  }

  @ParameterizedTest
  @EnumSource
  void updatesForgetsAndMergesAreFitsOfTheirRows(Rows rows) throws IOException {
    Dataset all = rows.data();
    int half = all.size() / 2;
    Fit fit = rows.fit();
    if (!rows.scattered) // the grid of all pixels
    fit =
          fit.withGrid(
              GridChoice.DEFAULT.onData().including(0, 0, WIDTH - 1).including(1, 0, 10.5));
    Model union = fit.to(all);
    Model first = fit.to(all.rows(0, half));
    Source more = Source.of(all.rows(half, all.size()));
    double slack = rows.scattered ? 0 : 1e-6; // sites are made anew from their rows
    Model updated = first.with(more, Outside.ERROR, MAKER);
    assertAlike(union, updated, slack);
    assertEquals(rows.engine(), updated.plan().chosen());
    assertAlike(first, updated.without(more, Outside.ERROR, MAKER), slack);
    var both = new LinkedHashMap<String, Model>();
    both.put("a", first);
    both.put("b", fit.to(all.rows(half, all.size())));
    assertAlike(union, Model.merge(both, MAKER), slack);
  }

  @ParameterizedTest
  @EnumSource
  void filesKeepEveryBit(Rows rows, @TempDir Path folder) throws IOException {
    Model model = rows.fit().to(rows.data());
    Path file = folder.resolve("m.lvl");
    model.save(file);
    Model loaded = Model.load(file);
    Prediction p = model.predict(places());
    Prediction q = loaded.predict(places());
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.mean(i), q.mean(i));
      assertEquals(p.variance(i), q.variance(i));
    }
    assertEquals(model.hyperparameters(), loaded.hyperparameters());
    assertEquals(model.logMarginalLikelihood(), loaded.logMarginalLikelihood());
    assertEquals(model.plan(), loaded.plan());
    double[] few = Arrays.copyOf(places(), 40);
    assertEquals(
        Arrays.toString(model.sample(few, 2, new SplittableRandom(1))),
        Arrays.toString(loaded.sample(few, 2, new SplittableRandom(1))));
    double[] c = model.posterior().covariance(few, few);
    double[] d = loaded.posterior().covariance(few, few);
    for (int i = 0; i < c.length; i++) assertEquals(c[i], d[i], 1e-9);
  }

  /// Draws have the covariance of the exact process, as far as 4,000 of them tell.
  @ParameterizedTest
  @EnumSource
  void drawsHaveTheCovarianceOfTheExactProcess(Rows rows) {
    Dataset data = rows.data();
    Model model = rows.fit().to(data);
    double[] few = {11, 6, 11.4, 6.2, 12, 6, 3, 3, 3.4, 3.1, -3, 4, -2, 4.5};
    int t = few.length / 2;
    int count = 4000;
    double[] draws = model.sample(few, count, new SplittableRandom(3));
    double[] expected = ExactGp.of(data, model.hyperparameters()).covariance(few, few);
    double[] stated = model.posterior().covariance(few, few);
    Prediction p = model.predict(few);
    for (int i = 0; i < t; i++)
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int s = 0; s < count; s++)
          sum += (draws[s * t + i] - p.mean(i)) * (draws[s * t + j] - p.mean(j));
        double scale =
            Math.sqrt(Math.max(0, expected[i * t + i] * expected[j * t + j]))
                + 1e-7; // draws of known values round
        assertEquals(expected[i * t + j], stated[i * t + j], 0.05 * scale, i + ", " + j);
        assertEquals(expected[i * t + j], sum / count, 0.12 * scale, i + ", " + j);
      }
  }

  @Test
  void parametersCanBeChangedAndLearnedAgain() {
    for (Rows rows : List.of(Rows.PIXELS, Rows.SITES)) {
      Dataset data = rows.data();
      Model model = rows.fit().to(data);
      Hyperparameters other = model.hyperparameters().set("lengthscale", 7, 5).set("noise", 0.03);
      Model changed = model.with(other);
      ExactGp exact = ExactGp.of(data, other);
      assertEquals(exact.logMarginalLikelihood(), changed.logMarginalLikelihood(), 1.5);
      assertNear(exact, changed, places());
      Model learned = model.learn();
      assertTrue(
          learned.logMarginalLikelihood() > model.logMarginalLikelihood() - 1, rows.toString());
    }
  }

  @Test
  void smallMapsAreSparseOnTheirOwnGrid() {
    Dataset pixels = wide(Rows.PIXELS.noise);
    for (double noise : new double[] {0.02, 0}) {
      Fit fit = Rows.PIXELS.fit().withEngine(Engine.AUTO).set("noise", noise);
      Model model = fit.to(pixels);
      assertEquals(Engine.SPARSE, model.plan().chosen(), model.plan().reason());
      assertInstanceOf(LatticePosterior.class, model.posterior());
    }
  }

  /// More pixels than the exact process takes for a rough kernel.
  private static Dataset wide(double noise) {
    var random = new SplittableRandom(8);
    double[] x = new double[2 * 1800];
    double[] y = new double[1800];
    for (int i = 0; i < y.length; i++) {
      x[2 * i] = i / 40;
      x[2 * i + 1] = 0.5 * (i % 40);
      y[i] = 3 + Math.sin(0.3 * x[2 * i]) + Math.sqrt(noise) * random.nextGaussian();
    }
    return Dataset.of(x, 2, y);
  }

  @Test
  void noNoiseCanBeHeldWhileTheRestIsLearned() {
    Dataset data = Rows.PINNED.data();
    Model model =
        Fit.DEFAULT.withKernel("matern12").withEngine(Engine.SPARSE).set("noise", 0).to(data);
    assertEquals(0, model.noise());
    assertTrue(model.hyperparameters().parameter("noise").fixed());
    assertEquals(data.target()[5], model.predict(data.rows(5, 6).inputs()).mean(0), 1e-12);
    Model few = Rows.PINNED.fit().withEngine(Engine.AUTO).to(data);
    assertEquals(Engine.EXACT, few.plan().chosen(), few.plan().reason());
  }

  @Test
  void unequalValuesWithoutNoiseNameTheSmallestNoise() {
    for (Rows rows : List.of(Rows.PINNED, Rows.PINNED_SITES)) {
      Dataset data = rows.data();
      int n = data.size();
      double[] x = Arrays.copyOf(data.inputs(), 2 * n + 2);
      double[] y = Arrays.copyOf(data.target(), n + 1);
      x[2 * n] = x[0];
      x[2 * n + 1] = x[1];
      y[n] = y[0] + 0.5;
      Dataset twice = Dataset.of(x, 2, y);
      String message =
          String.valueOf(
              assertThrows(IllegalArgumentException.class, () -> rows.fit().to(twice))
                  .getMessage());
      int at = message.indexOf("the smallest noise that works is ");
      assertTrue(at > 0, message);
      double least = Double.parseDouble(message.substring(at + 33).split("[;, ]", -1)[0]);
      rows.fit().set("noise", least).to(twice);
      double[] weights = new double[n + 1];
      Arrays.fill(weights, 50);
      Dataset weighted = twice.withWeights(weights);
      message =
          String.valueOf(
              assertThrows(IllegalArgumentException.class, () -> rows.fit().to(weighted))
                  .getMessage());
      at = message.indexOf("the smallest noise that works is ");
      assertTrue(at > 0, message);
      least = Double.parseDouble(message.substring(at + 33).split("[;, ]", -1)[0]);
      rows.fit().set("noise", least).to(weighted);
    }
  }
}
