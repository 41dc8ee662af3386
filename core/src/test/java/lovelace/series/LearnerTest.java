package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LearnerTest {

  private static final int HORIZON = 4;

  private static Library library() {
    return Library.of(new double[0], List.of(new Warp.Power(1)));
  }

  /// Readings with evidence, scores and densities of all sizes.
  private static List<Reading> readings(Library library, int count, SplittableRandom random) {
    List<Reading> all = new ArrayList<>();
    int size = library.size();
    for (int i = 0; i < count; i++) {
      List<Reading.Held> held = new ArrayList<>();
      int times = random.nextInt(3);
      for (int o = 0; o < times; o++) {
        float[][] density = new float[HORIZON][size];
        for (float[] step : density) fill(step, random, 6, true);
        held.add(
            new Reading.Held(
                random.nextInt(8, 90),
                fill(new float[size], random, 30, false),
                fill(new float[size], random, 60, false),
                density,
                new double[HORIZON]));
      }
      all.add(new Reading(100, new float[size], new float[size], held));
    }
    return all;
  }

  private static float[] fill(float[] all, SplittableRandom random, double range, boolean exp) {
    for (int j = 0; j < all.length; j++) all[j] = (float) -random.nextDouble(range);
    all[random.nextInt(all.length)] = 0;
    if (!exp && random.nextBoolean()) all[random.nextInt(all.length)] = Reading.NEVER;
    if (exp) for (int j = 0; j < all.length; j++) all[j] = (float) Math.exp(all[j]);
    return all;
  }

  /// The loss written from its definition: minus the sum over series of the mean log density, and
  /// half the squares of the parameters over their prior widths.
  private static double loss(Library library, List<Reading> readings, Weights start, double[] a) {
    int terms = library.termCount();
    double sum = 0;
    for (int t = 0; t < terms; t++) sum += a[t] * a[t] / (2 * 0.5 * 0.5);
    double[] centre = {-0.3, 0, -2, 0.5};
    double[] width = {1, 0.5, 1, 0.5};
    for (int p = 0; p < 4; p++) sum += Math.pow((a[terms + p] - centre[p]) / width[p], 2) / 2;
    for (Reading reading : readings)
      for (Reading.Held h : reading.held()) {
        double x = Math.log(h.length() / (5. * HORIZON));
        double eta = Math.exp(a[terms] + a[terms + 1] * x);
        double kappa = Math.exp(a[terms + 2] + a[terms + 3] * x);
        double[] share = new double[library.size()];
        double all = 0;
        for (int j = 0; j < share.length; j++) {
          double log = start.logWeight()[j] + eta * h.evidence()[j] + kappa * h.score()[j];
          for (int term : library.terms(j)) log += a[term];
          share[j] = Math.exp(log);
          all += share[j];
        }
        for (float[] p : h.density()) {
          double q = 0;
          for (int j = 0; j < share.length; j++) q += share[j] / all * p[j];
          sum -= Math.log(q) / h.density().length / reading.held().size();
        }
      }
    return sum;
  }

  private static double[] parameters(Library library, SplittableRandom random) {
    int terms = library.termCount();
    double[] a = new double[terms + 4];
    for (int t = 0; t < terms; t++) a[t] = random.nextDouble(-1, 1);
    a[terms] = random.nextDouble(-2, 0.5);
    a[terms + 1] = random.nextDouble(-0.5, 0.5);
    a[terms + 2] = random.nextDouble(-3, 0);
    a[terms + 3] = random.nextDouble(-0.5, 0.5);
    return a;
  }

  /// Densities are never below 1e-3 here, so the least density of 1e-12 moves the loss by 1e-9.
  @Test
  void lossIsThatOfTheDefinition() {
    Library library = library();
    for (long seed = 0; seed < 10; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Reading> readings = readings(library, 25, random);
      Weights start = Weights.start(library);
      double[] a = parameters(library, random);
      double found = new Learner(library, HORIZON, readings).loss(start, a, new double[a.length]);
      double wanted = loss(library, readings, start, a);
      assertEquals(wanted, found, 1e-8 * Math.abs(wanted), "seed " + seed);
    }
  }

  /// Central differences over 2e-5 err by rounding, about 1e-16·loss/1e-5, and by the square of the
  /// step.
  @Test
  void gradientOfTheLossIsThatOfDifferences() {
    Library library = library();
    for (long seed = 0; seed < 10; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Learner learner = new Learner(library, HORIZON, readings(library, 25, random));
      Weights start = Weights.start(library);
      double[] a = parameters(library, random);
      compare(learner, start, a, "seed " + seed);
    }
  }

  private static void compare(Learner learner, Weights start, double[] a, String place) {
    double[] gradient = new double[a.length];
    double[] ignored = new double[a.length];
    learner.loss(start, a, gradient);
    double e = 1e-5;
    for (int i = 0; i < a.length; i++) {
      double[] up = a.clone();
      double[] down = a.clone();
      up[i] += e;
      down[i] -= e;
      double slope =
          (learner.loss(start, up, ignored) - learner.loss(start, down, ignored)) / (2 * e);
      assertEquals(slope, gradient[i], 1e-6 * (1 + Math.abs(slope)), place + ", parameter " + i);
    }
  }

  @Test
  void learningLowersTheLoss() {
    Library library = library();
    SplittableRandom random = new SplittableRandom(3);
    List<Reading> readings = readings(library, 40, random);
    // One point forecasts best everywhere.
    for (Reading reading : readings)
      for (Reading.Held h : reading.held()) for (float[] p : h.density()) p[17] = 20;
    Learner learner = new Learner(library, HORIZON, readings);
    Weights start = Weights.start(library);
    Weights learned = learner.learn(start);
    assertTrue(held(library, readings, learned) < held(library, readings, start));
    double all = 0;
    for (double log : learned.logWeight()) all += Math.exp(log);
    assertTrue(Double.isFinite(all));
  }

  private static double held(Library library, List<Reading> readings, Weights weights) {
    double[] a = new double[library.termCount() + 4];
    System.arraycopy(weights.powers(), 0, a, library.termCount(), 4);
    return loss(library, readings, weights, a);
  }

  @Test
  void nothingHeldOutLeavesTheStart() {
    Library library = library();
    Reading none = new Reading(5, new float[library.size()], new float[library.size()], List.of());
    Learner learner = new Learner(library, HORIZON, List.of(none));
    Weights start = Weights.start(library);
    assertEquals(0, learner.series());
    assertArrayEquals(start.logWeight(), learner.learn(start).logWeight());
  }

  @Test
  void originsOfOneSeriesCountAsOne() {
    Library library = library();
    List<Reading> readings = readings(library, 60, new SplittableRandom(8));
    long able = readings.stream().filter(r -> !r.held().isEmpty()).count();
    assertEquals(able, new Learner(library, HORIZON, readings).series());
  }

  /// Powers are kept between e^−12 and e^3; a step beyond changes nothing.
  @Test
  void gradientIsThatOfDifferencesWherePowersAreAtTheirEnds() {
    Library library = library();
    int terms = library.termCount();
    SplittableRandom random = new SplittableRandom(5);
    Learner learner = new Learner(library, HORIZON, readings(library, 25, random));
    double[] a = parameters(library, random);
    a[terms] = 7;
    a[terms + 1] = 0.1;
    a[terms + 2] = -14;
    a[terms + 3] = -0.1;
    compare(learner, Weights.start(library), a, "at the ends");
  }
}
