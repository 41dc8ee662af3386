package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.TargetTransform;
import lovelace.exact.ExactGp;
import lovelace.model.Provenance.Note;
import lovelace.neighbours.NeighbourGp;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Fits of tables with more columns than a grid takes, from the choice to the file.
class TableFitTest {

  private static final int D = 5;

  private static Dataset table(int n, int seed, double noise, ToDoubleFunction<double[]> f) {
    var random = new SplittableRandom(seed);
    double[] x = new double[n * D];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < D; j++) x[i * D + j] = random.nextDouble(-1, 1);
      y[i] = f.applyAsDouble(Arrays.copyOfRange(x, i * D, (i + 1) * D));
      y[i] += noise * random.nextGaussian();
    }
    return Dataset.of(x, D, y);
  }

  /// Columns meet each other, and the last two say nothing.
  private static double together(double[] x) {
    return Math.sin(3 * x[0] * x[1]) + x[1] * x[2] - Math.cos(2 * x[0] * x[2]);
  }

  private static Scores scores(Model model, Dataset fresh) {
    return Scores.of(model.predictObservation(fresh.inputs()), fresh.target());
  }

  private static List<String> notes(Model model, Note.Kind kind) {
    return model.provenance().notes().stream()
        .filter(note -> note.kind() == kind)
        .map(Note::text)
        .toList();
  }

  @Test
  void fewRowsAreAnExactModelOfTheKernelThatPredictsBest() {
    List<Plan> plans = new ArrayList<>();
    Dataset rows = table(200, 1, 0.05, TableFitTest::together);
    Model model = Fit.DEFAULT.withListener(plans::add).to(rows);
    assertEquals(Engine.EXACT, model.plan().chosen());
    assertInstanceOf(ExactGp.class, model.posterior());
    String compared = notes(model, Note.Kind.COMPARED).getFirst();
    for (String kernel : List.of("matern12", "matern32", "matern52", "rbf", "additive"))
      assertTrue(compared.contains(kernel), compared);
    assertTrue(compared.contains("rows held out") && compared.contains("better by"), compared);
    assertEquals(1, notes(model, Note.Kind.HOLDS).size());
    assertTrue(plans.size() >= 2, "a plan before choosing and one after, got " + plans);
    Dataset fresh = table(200, 2, 0.05, TableFitTest::together);
    Scores own = scores(model, fresh);
    Model beside = Fit.DEFAULT.withShape(Options.Shape.ADDITIVE).to(rows);
    assertTrue(own.rmse() < 0.5 * scores(beside, fresh).rmse(), () -> own + " " + beside);
    double coverage = own.coverage(0.95);
    assertTrue(coverage > 0.95 - 0.03 - 2 * Math.sqrt(0.0475 / 200), () -> "coverage " + coverage);
  }

  @Test
  void theSameSeedGivesTheSameModel() {
    Dataset rows = table(150, 3, 0.1, TableFitTest::together);
    Fit fit = Fit.DEFAULT.withEngine(Engine.NEIGHBOURS).withKernel("matern52").withNeighbours(20);
    double[] first = fit.to(rows).hyperparameters().values();
    assertArrayEquals(first, fit.to(rows).hyperparameters().values());
  }

  @Test
  void neighboursAreUsedWhereTheyAreAskedFor(@TempDir Path folder) throws IOException {
    Dataset rows = table(400, 4, 0.1, TableFitTest::together);
    Model model = Fit.DEFAULT.withEngine(Engine.NEIGHBOURS).withNeighbours(40).to(rows);
    NeighbourGp gp = assertInstanceOf(NeighbourGp.class, model.posterior());
    assertEquals(40, gp.neighbours());
    assertTrue(notes(model, Note.Kind.ENGINE).toString().contains("40"), model::toString);
    Path file = folder.resolve("model.lvl");
    model.save(file);
    Model loaded = Model.load(file);
    Dataset fresh = table(50, 5, 0.1, TableFitTest::together);
    Prediction mine = model.predict(fresh.inputs());
    Prediction theirs = loaded.predict(fresh.inputs());
    for (int i = 0; i < 50; i++) {
      assertEquals(mine.mean(i), theirs.mean(i));
      assertEquals(mine.variance(i), theirs.variance(i));
    }
    assertEquals(Engine.NEIGHBOURS, loaded.plan().chosen());
    Model more = model.with(table(20, 6, 0.1, TableFitTest::together));
    assertEquals(420, more.count());
    assertArrayEquals(model.hyperparameters().values(), more.hyperparameters().values());
    assertEquals(400, more.without(table(20, 6, 0.1, TableFitTest::together)).count());
  }

  @Test
  void howManyNeighboursIsChosenOnRowsHeldOut() {
    Dataset rows = table(700, 7, 0.1, TableFitTest::together);
    Model model = Fit.DEFAULT.withEngine(Engine.NEIGHBOURS).withKernel("matern52").to(rows);
    String compared = String.join(" ", notes(model, Note.Kind.COMPARED));
    assertTrue(
        compared.contains("100 neighbours")
            && compared.contains("200 neighbours")
            && compared.contains("400 neighbours"),
        compared);
  }

  @Test
  void onlyAGivenKernelIsUsed() {
    Model model = Fit.DEFAULT.withKernel("matern12").to(table(120, 8, 0.1, TableFitTest::together));
    assertTrue(model.hyperparameters().kernel().toString().contains("matern12"), model::toString);
    String compared = String.join(" ", notes(model, Note.Kind.COMPARED));
    assertTrue(!compared.contains("rbf") && !compared.contains("additive"), compared);
  }

  @Test
  void aSumOfCurvesIsAdditive() {
    Dataset rows = table(250, 9, 0.05, x -> DoubleStream.of(x).map(v -> Math.sin(5 * v)).sum());
    Model model = Fit.DEFAULT.to(rows);
    assertTrue(model.lattice().isPresent(), model::toString);
    assertTrue(notes(model, Note.Kind.SHAPE).getFirst().startsWith("additive"), model::toString);
  }

  @Test
  void aSumIsOfTheTargetThatRowsHeldOutHaveTransformed() {
    Dataset plain = table(250, 15, 0.05, x -> DoubleStream.of(x).map(v -> Math.sin(5 * v)).sum());
    double[] y = Arrays.stream(plain.target()).map(v -> Math.exp(2 * v)).toArray();
    Model model = Fit.DEFAULT.to(Dataset.of(plain.inputs(), D, y));
    assertEquals(TargetTransform.LOG, model.transform());
    assertTrue(model.lattice().isPresent(), model::toString);
    Dataset fresh = table(100, 16, 0, x -> DoubleStream.of(x).map(v -> Math.sin(5 * v)).sum());
    Prediction p = model.predict(fresh.inputs());
    double worst =
        IntStream.range(0, 100)
            .mapToDouble(i -> Math.abs(Math.log(p.quantile(i, 0.5)) - 2 * fresh.target()[i]))
            .average()
            .orElseThrow();
    assertTrue(worst < 0.3, () -> "" + worst);
  }

  @Test
  void longTailsAreTakenAwayWhereThatHelps() {
    var random = new SplittableRandom(10);
    int n = 180;
    double[] x = new double[n * 4];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < 4; j++) x[i * 4 + j] = random.nextGaussian();
      y[i] = Math.sin(2 * x[i * 4]) + x[i * 4 + 1] + 0.05 * random.nextGaussian();
      x[i * 4] = Math.exp(3 * x[i * 4]);
    }
    Dataset rows = Dataset.of(x, 4, y);
    Model model = Fit.DEFAULT.withKernel("matern52").to(rows);
    assertEquals(
        List.of(
            FeatureMap.Change.LOG,
            FeatureMap.Change.SAME,
            FeatureMap.Change.SAME,
            FeatureMap.Change.SAME),
        model.map().orElseThrow().changes());
    assertTrue(notes(model, Note.Kind.COLUMNS).getFirst().startsWith("log x1"), model::toString);
    Model without = Fit.DEFAULT.withKernel("matern52").withColumnMaps(false).to(rows);
    assertTrue(without.map().isEmpty());
    double[] at = {1, 0, 0, 0, Math.exp(1.5), 0, 0, 0};
    assertEquals(0, model.predict(at).mean(0), 0.2);
    assertEquals(Math.sin(1), model.predict(at).mean(1), 0.2);
  }

  @Test
  void aTargetWithALongTailIsTransformedWhereThatHelps() {
    Dataset plain = table(180, 11, 0.1, x -> 2 * x[0] + 1.5 * x[1] * x[2]);
    double[] y = Arrays.stream(plain.target()).map(v -> Math.exp(2 * v)).toArray();
    Dataset rows = Dataset.of(plain.inputs(), D, y);
    Model model = Fit.DEFAULT.withKernel("rbf").to(rows);
    assertEquals(TargetTransform.LOG, model.transform());
    assertTrue(notes(model, Note.Kind.COLUMNS).getFirst().contains("the target"), model::toString);
    Model asked = Fit.DEFAULT.withKernel("rbf").withTransform(TargetTransform.NONE).to(rows);
    assertEquals(TargetTransform.NONE, asked.transform());
  }

  @Test
  void constantsIntegersAndDuplicatesAreHarmless() {
    var random = new SplittableRandom(12);
    int n = 120;
    double[] x = new double[n * 6];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      int of = i % 2 == 0 ? i : i - 1; // every row twice
      if (of == i) {
        x[i * 6] = 7;
        for (int j = 1; j < 6; j++) x[i * 6 + j] = random.nextInt(4);
      } else System.arraycopy(x, of * 6, x, i * 6, 6);
      y[i] = of == i ? x[i * 6 + 1] * x[i * 6 + 2] : y[of];
    }
    Model model = Fit.DEFAULT.to(Dataset.of(x, 6, y));
    assertEquals(1, model.leftOut().size());
    Prediction p = model.predictObservation(model.points(x));
    assertTrue(IntStream.range(0, n).allMatch(i -> Math.abs(p.mean(i) - y[i]) < 0.5));
  }

  @Test
  void veryFewRowsGiveAModelWithoutAChoice() {
    Model model = Fit.DEFAULT.to(table(12, 13, 0.1, TableFitTest::together));
    assertTrue(notes(model, Note.Kind.COMPARED).getFirst().contains("too few"), model::toString);
    assertEquals(12, model.count());
  }

  @Test
  void aDeadlineEndsWithAModel() {
    long[] now = {0};
    Options.Limits limits =
        new Options.Limits(
            Duration.ofSeconds(3), Options.Limits.DEFAULT.memory(), () -> now[0] += 20_000_000);
    Model model = Fit.DEFAULT.with(limits).to(table(200, 14, 0.1, TableFitTest::together));
    assertEquals(200, model.count());
  }
}
