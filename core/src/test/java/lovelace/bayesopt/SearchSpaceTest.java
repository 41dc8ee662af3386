package lovelace.bayesopt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.example.TestFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SearchSpaceTest {

  private static final SearchSpace SPACE =
      SearchSpace.of(
          Variable.real("x", -2, 3),
          Variable.logReal("rate", 1e-4, 10),
          Variable.integer("depth", 1, 9),
          Variable.logInteger("size", 1, 1000),
          Variable.choice("mode", "slow", "fast", "odd"));

  @Test
  void everyPointSurvivesTheUnitCube() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 500; i++) {
      Point point = SPACE.random(random);
      Point back = SPACE.decode(point.unit());
      double[] a = point.values();
      double[] b = back.values();
      for (int j = 0; j < 2; j++) assertEquals(a[j], b[j], 1e-12 * Math.abs(a[j]) + 1e-13);
      for (int j = 2; j < a.length; j++) assertEquals(a[j], b[j]);
      for (double u : point.unit()) assertTrue(u >= 0 && u <= 1);
    }
  }

  @Test
  void logarithmicVariablesSpreadOverDecades() {
    double[] unit = new double[SPACE.dimensions()];
    unit[1] = 0.6; // of five decades
    assertEquals(0.1, SPACE.decode(unit).number("rate"), 1e-12);
  }

  @Test
  void wholeNumbersAreEquallyLikely() {
    SearchSpace space = SearchSpace.of(Variable.integer("n", 3, 7));
    int[] counts = new int[5];
    for (double[] unit : space.spread(1000, new SplittableRandom(2)))
      counts[(int) space.decode(unit).integer("n") - 3]++;
    for (int count : counts) assertEquals(200, count, 20);
  }

  @Test
  void validityHoldsForEveryPoint() {
    SearchSpace space =
        SPACE.withValidity(p -> p.text("mode").equals("fast") || p.integer("depth") < 3);
    for (double[] unit : space.spread(300, new SplittableRandom(3)))
      assertTrue(space.isValid(space.decode(unit)));
    SearchSpace none = SPACE.withValidity(p -> false);
    assertThrows(IllegalStateException.class, () -> none.random(new SplittableRandom(4)));
  }

  @Test
  void valuesOutsideAreRefusedByName() {
    var e = assertThrows(IllegalArgumentException.class, () -> SPACE.point(0, 0.1, 2.5, 1, 0));
    assertEquals(
        "depth is 2.5, it must be a whole number from 1 to 9", String.valueOf(e.getMessage()));
    assertThrows(IllegalArgumentException.class, () -> SPACE.point(Double.NaN, 0.1, 2, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> SPACE.point(0, 0.1, 2, 1, 3));
    assertThrows(IllegalArgumentException.class, () -> Variable.logReal("r", 0, 1));
    assertThrows(IllegalArgumentException.class, () -> Variable.real("r", 1, 1));
    assertThrows(IllegalArgumentException.class, () -> Variable.choice("c", "only"));
    assertEquals("fast", SPACE.point(0, 0.1, 2, 1, 1).text("mode"));
  }

  static java.util.List<TestFunction> functions() {
    return TestFunction.all();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void noPointIsBelowTheKnownOptimum(TestFunction f) {
    double[] best = f.minimizer().stream().mapToDouble(Double::doubleValue).toArray();
    assertEquals(f.optimum(), f.at(best), 1e-4 * Math.max(1, Math.abs(f.optimum())));
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 20_000; i++) {
      double[] x = f.space().random(random).values();
      if (i % 2 == 0) // near the optimum too
      for (int j = 0; j < x.length; j++) {
          Variable.Real v = (Variable.Real) f.space().variables().get(j);
          x[j] = Math.clamp(best[j] + 1e-3 * random.nextGaussian(), v.low(), v.high());
        }
      assertTrue(
          f.at(x) >= f.optimum() - 1e-9, () -> f.name() + " at " + java.util.Arrays.toString(x));
    }
  }

  @Test
  void functionsAreFoundByName() {
    assertEquals(3, TestFunction.named("levy3").space().dimensions());
    assertEquals("styblinski-tang10", TestFunction.named("Styblinski-Tang").name());
    assertThrows(IllegalArgumentException.class, () -> TestFunction.named("himmelblau"));
    assertArrayEquals(
        new double[] {0.39788735772973816, 0.39788735772973816},
        new double[] {
          TestFunction.branin().at(-Math.PI, 12.275), TestFunction.branin().at(9.42477796, 2.475)
        },
        1e-9);
  }
}
