package lovelace.bayesopt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner.Observation;
import lovelace.bayesopt.surrogate.Surrogates;
import lovelace.example.TestFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TunerTest {

  private static final TestFunction BRANIN = TestFunction.branin();
  private static final Tuning QUICK =
      Tuning.DEFAULT.withNoise(0).withInitial(6).withAcquisition(Acquisition.LOG_EI);

  @ParameterizedTest
  @ValueSource(strings = {"mes", "logei", "ucb", "pi", "thompson"})
  void everyAcquisitionFindsTheMinimumOfBranin(String name) {
    Tuner tuner = Tuner.of(BRANIN.space(), QUICK.withAcquisition(Acquisition.named(name)));
    for (int i = 0; i < 35; i++) {
      Point p = tuner.ask();
      tuner.tell(p, BRANIN.at(p));
    }
    double regret = BRANIN.regret(tuner.best().orElseThrow().value());
    assertTrue(regret < 0.1, name + " has regret " + regret);
  }

  @ParameterizedTest
  @ValueSource(strings = {"JOINT", "FUNCTIONS", "GUMBEL"})
  void everyWayToDrawTheMaximumServes(String maxima) {
    Acquisition mes = new Acquisition.MaxValueEntropy(8, Acquisition.Maxima.valueOf(maxima));
    Tuner tuner = Tuner.of(BRANIN.space(), QUICK.withAcquisition(mes));
    for (int i = 0; i < 30; i++) {
      Point p = tuner.ask();
      tuner.tell(p, BRANIN.at(p));
    }
    assertTrue(BRANIN.regret(tuner.best().orElseThrow().value()) < 0.3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mes", "logei", "thompson"})
  void tenParallelAsksDiffer(String name) {
    Tuner tuner = Tuner.of(BRANIN.space(), QUICK.withAcquisition(Acquisition.named(name)));
    for (Point p : tuner.ask(6)) tuner.tell(p, BRANIN.at(p));
    List<Point> batch = tuner.ask(10);
    assertEquals(10, new HashSet<>(batch).size());
    for (int i = 0; i < 10; i++)
      for (int j = 0; j < i; j++) {
        double[] a = batch.get(i).unit();
        double[] b = batch.get(j).unit();
        assertTrue(Math.hypot(a[0] - b[0], a[1] - b[1]) > 1e-3, i + " and " + j);
      }
    Collections.shuffle(batch, new java.util.Random(1));
    for (Point p : batch) tuner.tell(p, BRANIN.at(p)); // in any order
    assertTrue(tuner.pending().isEmpty());
  }

  /// A search goes on only from a journal whose settings read the same.
  @Test
  void settingsReadAsInEarlierJournals() {
    assertEquals(
        "Surrogates[kind=AUTO, shape=matern52, groups=[], features=null, exactLimit=1500,"
            + " gridPoints=0]",
        Surrogates.DEFAULT.toString());
  }

  @Test
  void aSeedDecidesEverything() {
    assertEquals(walk(7), walk(7));
    assertNotEquals(walk(7), walk(8));
  }

  private static List<Point> walk(long seed) {
    Tuner tuner = Tuner.of(BRANIN.space(), QUICK.withSeed(seed).withAcquisition(Acquisition.MES));
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Point p = tuner.ask();
      points.add(p);
      tuner.tell(p, BRANIN.at(p));
    }
    return points;
  }

  @Test
  void aCrashChangesNothing(@TempDir Path folder) throws IOException {
    Path journal = folder.resolve("search.journal");
    List<Point> undisturbed = new ArrayList<>();
    try (Tuner tuner = Tuner.of(BRANIN.space(), QUICK, folder.resolve("other"))) {
      for (int i = 0; i < 18; i++) {
        Point p = tuner.ask();
        undisturbed.add(p);
        tuner.tell(p, BRANIN.at(p));
      }
    }
    List<Point> disturbed = new ArrayList<>();
    boolean torn = false;
    while (disturbed.size() < 18) {
      // a new process every three points, killed between ask and tell
      try (Tuner tuner = Tuner.of(BRANIN.space(), QUICK, journal)) {
        for (int i = 0; i < 3 && disturbed.size() < 18; i++) {
          Point p = tuner.ask();
          disturbed.add(p);
          tuner.tell(p, BRANIN.at(p));
        }
        Point lost = tuner.ask();
        assertEquals(1, tuner.pending().size());
        assertEquals(lost, tuner.pending().getFirst());
      }
      if (!torn)
        Files.writeString(journal, "tell\t0.1\t3", StandardOpenOption.APPEND); // half a line
      torn = true;
    }
    assertEquals(undisturbed, disturbed);
  }

  @Test
  void aJournalBelongsToOneSearch(@TempDir Path folder) throws IOException {
    Path journal = folder.resolve("search.journal");
    try (Tuner tuner = Tuner.of(BRANIN.space(), QUICK, journal)) {
      tuner.ask();
      assertThrows(IllegalStateException.class, () -> Tuner.of(BRANIN.space(), QUICK, journal));
    }
    var other =
        assertThrows(
            IllegalArgumentException.class,
            () -> Tuner.of(BRANIN.space(), QUICK.withSeed(99), journal));
    assertTrue(String.valueOf(other.getMessage()).contains("seed=99"));
    assertThrows(
        IllegalArgumentException.class,
        () -> Tuner.of(TestFunction.eggholder().space(), QUICK, journal));
    Path text = Files.writeString(folder.resolve("notes"), "hello\n");
    assertThrows(IllegalArgumentException.class, () -> Tuner.of(BRANIN.space(), QUICK, text));
    assertEquals("hello\n", Files.readString(text));
  }

  @Test
  void constraintsAreRespected() {
    // the least of x + y inside the circle is at (0.5, 0.5) − 0.4/√2
    SearchSpace space = SearchSpace.of(Variable.real("x", 0, 1), Variable.real("y", 0, 1));
    for (Acquisition a : List.of(Acquisition.LOG_EI, Acquisition.UCB, Acquisition.THOMPSON)) {
      Tuner tuner = Tuner.of(space, QUICK.withConstraints(1).withAcquisition(a));
      for (int i = 0; i < 30; i++) {
        Point p = tuner.ask();
        double x = p.number("x") - 0.5;
        double y = p.number("y") - 0.5;
        tuner.tell(p, x + y, x * x + y * y - 0.16);
      }
      Observation best = tuner.best().orElseThrow();
      assertTrue(best.feasible());
      assertEquals(-0.4 * Math.sqrt(2), best.value(), 0.05, a.toString());
    }
  }

  @Test
  void entropySearchRespectsConstraints() {
    SearchSpace space = SearchSpace.of(Variable.real("x", 0, 1), Variable.real("y", 0, 1));
    for (String name : List.of("mes-gumbel", "mes-joint", "mes-functions")) {
      Acquisition mes = Acquisition.named(name);
      Tuner tuner = Tuner.of(space, QUICK.withConstraints(2).withAcquisition(mes));
      for (int i = 0; i < 25; i++) {
        Point p = tuner.ask();
        double x = p.number("x") - 0.5;
        double y = p.number("y") - 0.5;
        // inside the circle and above the diagonal, so the least of x + 2y is at (0.4, −0.4)/√2
        tuner.tell(p, x + 2 * y, x * x + y * y - 0.16, -x - y);
      }
      Observation best = tuner.best().orElseThrow();
      assertTrue(best.feasible());

      assertEquals(-0.2 * Math.sqrt(2), best.value(), 0.01, name);
    }
  }

  @Test
  void mixedSpacesAreSearched() {
    SearchSpace space =
        SearchSpace.of(
                Variable.logReal("rate", 1e-3, 1),
                Variable.integer("depth", 1, 8),
                Variable.choice("mode", "a", "b", "c"))
            .withValidity(p -> !(p.text("mode").equals("c") && p.integer("depth") == 5));
    Tuner tuner = Tuner.of(space, QUICK.withMaximize(true));
    for (int i = 0; i < 40; i++) {
      Point p = tuner.ask();
      assertTrue(space.isValid(p));
      double bonus = p.text("mode").equals("b") ? 1 : p.text("mode").equals("c") ? 0.8 : 0;
      double rate = Math.log10(p.number("rate")) + 1.5;
      double depth = p.integer("depth") - 6;
      tuner.tell(p, bonus - rate * rate - 0.1 * depth * depth);
    }
    Observation best = tuner.best().orElseThrow();
    assertEquals("b", best.point().text("mode"));
    assertEquals(6, best.point().integer("depth"));
    assertEquals(1, best.value(), 0.01);
  }

  @Test
  void smallSpacesEndWhenAllIsKnown() {
    SearchSpace space = SearchSpace.of(Variable.integer("n", 1, 8));
    Tuner tuner = Tuner.of(space, QUICK.withInitial(3));
    var seen = new HashSet<Point>();
    for (int i = 0; i < 8; i++) {
      Point p = tuner.ask();
      seen.add(p);
      tuner.tell(p, Math.pow(p.number("n") - 3, 2));
    }
    assertTrue(seen.size() >= 7, seen::toString);
    assertEquals(0, tuner.best().orElseThrow().value());
  }

  @Test
  void noiseIsLearnedAndTheBestIsNotTheLuckiest() {
    SplittableRandom noise = new SplittableRandom(3);
    SearchSpace space = SearchSpace.of(Variable.real("x", 0, 1));
    Tuner tuner = Tuner.of(space, QUICK.withNoise(Double.NaN).withAcquisition(Acquisition.MES));
    for (int i = 0; i < 40; i++) {
      Point p = tuner.ask();
      double x = p.number("x") - 0.7;
      tuner.tell(p, 4 * x * x + 0.2 * noise.nextGaussian());
    }
    assertEquals(0.7, tuner.best().orElseThrow().point().number("x"), 0.15);
  }

  @Test
  void theSearchEndsWhenNothingIsPromised() {
    SearchSpace space = SearchSpace.of(Variable.real("x", 0, 1));
    Tuner tuner = Tuner.of(space, QUICK.withImprovement(1e-4).withBudget(60));
    while (tuner.finished().isEmpty()) {
      Point p = tuner.ask();
      tuner.tell(p, Math.pow(p.number("x") - 0.4, 2));
    }
    assertTrue(tuner.history().size() < 30, "took " + tuner.history().size());
    assertTrue(tuner.finished().orElseThrow().contains("promises"));
    Tuner spent = Tuner.of(space, QUICK.withBudget(2));
    for (Point p : spent.ask(2)) spent.tell(p, 1);
    assertTrue(spent.finished().orElseThrow().contains("budget"));
  }

  @Test
  void manyObservationsMoveToAGrid() {
    Tuner tuner =
        Tuner.of(
            BRANIN.space(),
            QUICK
                .withSurrogates(Surrogates.DEFAULT.withExactLimit(40))
                .withAcquisition(Acquisition.MES)
                .withRelearn(1));
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < 60; i++) {
      Point p = BRANIN.space().random(random);
      tuner.tell(p, BRANIN.at(p));
    }
    for (int i = 0; i < 12; i++) {
      Point p = tuner.ask();
      tuner.tell(p, BRANIN.at(p));
    }
    assertTrue(tuner.model().contains("grid"), tuner::model);
    assertTrue(BRANIN.regret(tuner.best().orElseThrow().value()) < 0.01);
  }

  @Test
  void wrongValuesAreRefused() {
    Tuner tuner = Tuner.of(BRANIN.space(), QUICK);
    Point p = tuner.ask();
    assertThrows(IllegalArgumentException.class, () -> tuner.tell(p, Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> tuner.tell(p, 1, 2));
    Point elsewhere = TestFunction.eggholder().space().point(500, 500);
    assertThrows(IllegalArgumentException.class, () -> tuner.tell(elsewhere, 1));
    assertFalse(tuner.best().isPresent());
    Point own = BRANIN.space().point(1, 2);
    tuner.tell(own, BRANIN.at(own)); // never asked for
    assertEquals(1, tuner.history().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"mes", "logei", "ucb", "pi", "thompson"})
  void nextPointIsWhereTheAcquisitionIsHighest(String name) {
    Tuner tuner = Tuner.of(BRANIN.space(), QUICK.withAcquisition(Acquisition.named(name)));
    Tuner twin = Tuner.of(BRANIN.space(), QUICK.withAcquisition(Acquisition.named(name)));
    assertEquals(0, tuner.acquisition(List.of(BRANIN.space().point(0, 5))).length);
    for (int i = 0; i < 8; i++) {
      Point p = tuner.ask();
      tuner.tell(p, BRANIN.at(p));
      assertEquals(p, twin.ask());
      twin.tell(p, BRANIN.at(p));
    }
    SplittableRandom random = new SplittableRandom(4);
    List<Point> places = new ArrayList<>(List.of(twin.ask()));
    for (int i = 0; i < 300; i++)
      places.add(BRANIN.space().point(random.nextDouble(-5, 10), random.nextDouble(0, 15)));
    double[] merit = tuner.acquisition(places);
    for (int i = 1; i < merit.length; i++)
      assertTrue(merit[i] <= merit[0] + 1e-6 * Math.abs(merit[0]), name + " at " + places.get(i));
    assertEquals(places.getFirst(), tuner.ask(), "looking changes nothing");
  }
}
