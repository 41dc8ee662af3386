package lovelace.bayesopt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.SplittableRandom;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner.Best;
import lovelace.bayesopt.Tuner.Noise;
import lovelace.bayesopt.Tuner.Observation;
import lovelace.example.TestFunction;
import org.junit.jupiter.api.Test;

/// Which observation a search gives as its best.
class BestTest {

  private static final SearchSpace LINE = SearchSpace.of(Variable.real("x", 0, 1));
  private static final Tuning QUICK =
      Tuning.DEFAULT.withInitial(6).withAcquisition(Acquisition.LOG_EI);

  @Test
  void withoutEvidenceOfNoiseTheBestIsTheBestThatWasSeen() {
    for (String name : new String[] {"branin", "hartmann6", "styblinski-tang5", "levy4"})
      for (long seed = 1; seed <= 3; seed++) {
        TestFunction function = TestFunction.named(name);
        Tuner tuner = Tuner.of(function.space(), QUICK.withSeed(seed));
        for (int i = 0; i < 30; i++) {
          Point p = tuner.ask();
          tuner.tell(p, function.at(p));
        }
        tuner.predict(tuner.history().stream().map(Observation::point).toList());
        Best best = tuner.choice().orElseThrow();
        String at = name + ", seed " + seed;
        assertEquals(Noise.UNSEEN, best.noise(), at);
        double least = tuner.history().stream().mapToDouble(Observation::value).min().orElseThrow();
        assertEquals(least, tuner.best().orElseThrow().value(), at);
      }
  }

  private static double noisy(Point p, SplittableRandom random) {
    double x = p.number("x") - 0.7;
    return 4 * x * x + 0.3 * random.nextGaussian();
  }

  @Test
  void noiseThatTheModelSeesIsSaidAndTheLuckiestIsNotTaken() {
    SplittableRandom random = new SplittableRandom(3);
    Tuner tuner = Tuner.of(LINE, QUICK);
    for (int i = 0; i < 60; i++) {
      Point p = LINE.random(random);
      tuner.tell(p, noisy(p, random));
    }
    tuner.ask(); // learns
    Best best = tuner.choice().orElseThrow();
    assertEquals(Noise.LIKELY, best.noise());
    assertNotEquals(best.observed(), best.chosen());
    assertEquals(0.7, best.chosen().point().number("x"), 0.15);
    assertEquals(
        tuner.history().stream().min(Comparator.comparingDouble(Observation::value)).orElseThrow(),
        best.observed());
  }

  @Test
  void aPointEvaluatedTwiceDecidesWhetherThereIsNoise() {
    for (boolean noise : new boolean[] {false, true}) {
      SplittableRandom random = new SplittableRandom(5);
      Tuner tuner = Tuner.of(LINE, QUICK);
      Point twice = LINE.point(0.31);
      for (int i = 0; i < 40; i++) {
        Point p = LINE.random(random);
        tuner.tell(p, noisy(p, random)); // rough enough that the model sees noise
      }
      tuner.tell(twice, 1);
      tuner.tell(twice, noise ? 1.3 : 1);
      tuner.ask();
      Best best = tuner.choice().orElseThrow();
      assertEquals(noise ? Noise.REPEATED : Noise.UNSEEN, best.noise());
      if (!noise) assertEquals(best.observed(), best.chosen());
    }
  }

  @Test
  void noiseThatIsGivenIsTaken() {
    for (double sd : new double[] {0, 0.3}) {
      SplittableRandom random = new SplittableRandom(3);
      Tuner tuner = Tuner.of(LINE, QUICK.withNoise(sd));
      for (int i = 0; i < 60; i++) {
        Point p = LINE.random(random);
        tuner.tell(p, noisy(p, random));
      }
      tuner.ask();
      Best best = tuner.choice().orElseThrow();
      assertEquals(sd == 0 ? Noise.NONE : Noise.GIVEN, best.noise());
      assertEquals(sd == 0, best.observed().equals(best.chosen()));
    }
  }

  @Test
  void anInfeasiblePointIsNeverTheBest() {
    for (boolean maximize : new boolean[] {false, true}) {
      Tuner tuner = Tuner.of(LINE, QUICK.withConstraints(1).withMaximize(maximize));
      double sign = maximize ? -1 : 1;
      for (int i = 0; i < 12; i++) {
        double x = i / 11.0;
        tuner.tell(LINE.point(x), sign * x, 0.3 - x);
      }
      tuner.ask();
      Best best = tuner.choice().orElseThrow();
      assertEquals(4 / 11.0, best.observed().point().number("x"));
      assertTrue(best.chosen().feasible());
    }
  }
}
