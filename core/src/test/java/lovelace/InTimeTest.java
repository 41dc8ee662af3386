package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.planning.Costs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A fit gives a model whatever takes too long. Clocks stand still until they have been looked at
/// so often, and then show more than the share of learning has, or far more than there is.
class InTimeTest {

  private static final int LOOKS = 20;

  private static final double[] LATE = {8, 1000}; // of 10 s

  private static Dataset rows(int n, int d) {
    var random = new SplittableRandom(3);
    double[] x = random.doubles((long) n * d).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(6 * x[i * d]) + 0.1 * random.nextGaussian();
    return Dataset.of(x, d, y);
  }

  private static Dataset counts(int n, int d) {
    Dataset rows = rows(n, d);
    double[] y = Arrays.stream(rows.target()).map(v -> v > 0 ? 1 : 0).toArray();
    return Dataset.of(rows.inputs(), d, y);
  }

  @ParameterizedTest
  @CsvSource({
    "exact, rbf, 1, 80",
    "neighbours, rbf, 2, 80",
    "chain, matern32, 1, 80",
    "spectral, rbf, 1, 80",
    "krylov, rbf, 1, 80",
    "sites, matern12, 2, 80",
  })
  void aModelIsMadeWhateverLikelihoodIsTooLong(String engine, String kernel, int d, int n) {
    Fit fit = Fit.DEFAULT.withKernel(kernel).withEngine(Engine.parse(engine));
    isMade(fit, rows(n, d), engine);
  }

  @ParameterizedTest
  @CsvSource({
    "exact, matern32, 2",
    "neighbours, matern32, 2",
    "chain, matern32, 1",
    "spectral, rbf, 1",
    "sites, matern12, 2",
  })
  void aModelOfClassesIsMadeTheSameWay(String engine, String kernel, int d) {
    Fit fit =
        Fit.DEFAULT.withKernel(kernel).withEngine(Engine.parse(engine)).withLikelihood("bernoulli");
    isMade(fit, counts(60, d), engine);
  }

  @Test
  void comparisonsOfATableAreCutShort() {
    isMade(Fit.DEFAULT, rows(60, 4), "a table");
    isMade(Fit.DEFAULT.withLikelihood("bernoulli"), counts(60, 4), "a table of classes");
  }

  @Test
  void directionsAreCutShort() {
    isMade(Fit.DEFAULT.withShape(Options.Shape.PROJECTION), rows(60, 4), "a projection");
    isMade(Fit.DEFAULT.withAnisotropy(), rows(60, 2), "a direction");
  }

  @Test
  void aDriftIsFittedInTime() {
    Fit fit = Fit.DEFAULT.withDrift(List.of("x2"));
    isMade(fit, rows(60, 2), "a drift");
    isMade(fit.withEngine(Engine.EXACT), rows(60, 2), "a drift of rows");
    isMade(fit.withEngine(Engine.SPECTRAL), rows(60, 2), "a drift on a grid");
  }

  private static void isMade(Fit of, Dataset rows, String what) {
    List<String> none = new ArrayList<>();
    for (double late : LATE) {
      for (int jump = 1; jump <= LOOKS; jump++) {
        AtomicInteger looks = new AtomicInteger();
        int from = jump;
        Options.Limits limits =
            new Options.Limits(
                Duration.ofSeconds(10),
                1L << 30,
                () -> looks.incrementAndGet() >= from ? (long) (late * 1e9) : 0);
        try {
          Model model = of.with(limits).to(rows);
          assertTrue(model.predict(new double[rows.dimensions()]).variance(0) > 0, what);
        } catch (TimeUpException e) {
          none.add(jump + " at " + late + " s");
        }
      }
    }
    assertEquals(List.of(), none, () -> what + ": no model after so many looks at the clock");
  }

  @Test
  void aPlanCountsTheModelsThatAreComparedAndEveryStart() {
    Costs table = Costs.table(3000, 8, Engine.EXACT, true);
    Costs compared = table.comparing(6, 3000, 8);
    assertTrue(compared.seconds() > table.seconds() + 1, () -> table + " " + compared);
    // few rows are split more often
    assertTrue(
        Costs.table(300, 8, Engine.EXACT, true).comparing(6, 300, 8).seconds()
            > Costs.table(1000, 8, Engine.EXACT, true).comparing(6, 1000, 8).seconds());
    Costs once = Costs.exact(3000, true);
    assertTrue(once.again(4, Costs.exact(3000, false)).seconds() > 4 * once.seconds());
  }
}
