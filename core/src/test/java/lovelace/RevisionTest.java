package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.data.TimeScale;
import lovelace.kernel.Hyperparameters;
import lovelace.model.Provenance;
import lovelace.model.Provenance.Note;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer.Progress;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Certificate;
import lovelace.posterior.Prediction;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RevisionTest {

  private static final Options.Maker MAKER = new Options.Maker("1", "test");

  private static Dataset data(int n, int d, boolean weighted) {
    var random = new SplittableRandom(5);
    double[] x = random.doubles((long) n * d, 0, 4).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++)
      y[i] = Math.exp(Math.sin(2 * x[i * d]) + 0.2 * random.nextGaussian());
    if (!weighted) return Dataset.of(x, d, y);
    return Dataset.of(x, d, y, random.doubles(n, 0.5, 2).toArray());
  }

  private static Fit fit(String kernel, Engine engine, TargetTransform transform, int d) {
    Fit fit =
        Fit.DEFAULT
            .withKernel(kernel)
            .withEngine(engine)
            .withTransform(transform)
            .withTraining(false)
            .withTolerance(1e-3)
            .withGrid(grid(d, 4))
            .set("lengthscale", 0.9)
            .set("outputscale", 1.1)
            .set("noise", 0.08);
    return fit.set("mean", 0.4);
  }

  private static GridChoice grid(int d, double high) {
    GridChoice grid = GridChoice.DEFAULT.withPoints(d == 1 ? "60" : "24x24");
    for (int j = 0; j < d; j++) grid = grid.bounded(j, 0, high);
    return grid;
  }

  private static SequencedMap<String, Model> named(Model... models) {
    SequencedMap<String, Model> map = new LinkedHashMap<>();
    for (int i = 0; i < models.length; i++) map.put("m" + i, models[i]);
    return map;
  }

  private static void assertAlike(Model expected, Model actual, double[] points) {
    assertEquals(expected.count(), actual.count());
    assertEquals(expected.provenance().fingerprintText(), actual.provenance().fingerprintText());
    expected.certificate().ifPresent(c -> assertEquals(c.how(), same(actual).how())); // equal k
    Prediction p = expected.predict(points);
    Prediction q = actual.predict(points);
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.mean(i), q.mean(i), 1e-8);
      assertEquals(p.variance(i), q.variance(i), 1e-8);
    }
    assertEquals(expected.logMarginalLikelihood(), actual.logMarginalLikelihood(), 1e-8 * 1e3);
  }

  private static Certificate same(Model model) {
    return model.certificate().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "rbf, AUTO, none, 1, false",
    "rbf, SPECTRAL, log, 1, false",
    "rbf, KRYLOV, none, 2, true",
    "matern52, MARKOV, log, 1, true",
    "matern32, EXACT, none, 2, false",
    "rbf, EXACT, log, 1, true",
  })
  void addingEqualsFittingTheUnionAndForgettingUndoesIt(
      String kernel, Engine engine, TargetTransform transform, int d, boolean weighted)
      throws IOException {
    Dataset all = data(400, d, weighted);
    Dataset first = all.rows(0, 250);
    Dataset more = all.rows(250, 400);
    Fit fit = fit(kernel, engine, transform, d);
    Model union = fit.to(all);
    Model old = fit.to(first);
    double[] points = new SplittableRandom(6).doubles(100L * d, 0, 4).toArray();
    Model updated = old.with(Source.of(more), Outside.ERROR, MAKER);
    assertAlike(union, updated, points);
    assertAlike(old, updated.without(Source.of(more), Outside.ERROR, MAKER), points);
    Model merged = Model.merge(named(old, fit.to(more)), MAKER);
    assertAlike(union, merged, points);
    String notes = merged.provenance().notes().toString();
    assertTrue(notes.contains(old.provenance().fingerprintText()), notes);
    assertTrue(notes.contains("parameters: those of the first"), notes);
  }

  @Test
  void sumsOverGridsAreRevisedToo() throws IOException {
    Dataset all = data(300, 4, false);
    GridChoice grid = GridChoice.DEFAULT;
    for (int j = 0; j < 4; j++) grid = grid.bounded(j, 0, 4);
    Fit fit =
        fit("rbf", Engine.AUTO, TargetTransform.NONE, 1)
            .withShape(Options.Shape.ADDITIVE)
            .withGrid(grid);
    Model union = fit.to(all);
    Model old = fit.to(all.rows(0, 200));
    double[] points = new SplittableRandom(6).doubles(200, 0, 4).toArray();
    Source more = Source.of(all.rows(200, 300));
    Model updated = old.with(more, Outside.ERROR, MAKER);
    assertAlike(union, updated, points);
    assertAlike(old, updated.without(more, Outside.ERROR, MAKER), points);
    assertAlike(union, Model.merge(named(old, fit.to(all.rows(200, 300))), MAKER), points);
  }

  @Test
  void mergingTakesTheParametersOfTheFirst() {
    Dataset all = data(200, 1, false);
    Fit fit = fit("rbf", Engine.AUTO, TargetTransform.NONE, 1);
    Model a = fit.to(all.rows(0, 100));
    Model b = fit.set("lengthscale", 2).to(all.rows(100, 200));
    Model ab = Model.merge(named(a, b), MAKER);
    assertEquals(a.hyperparameters().toString(), ab.hyperparameters().toString());
    assertAlike(fit.to(all), ab, new double[] {0.3, 1.7, 3.9});
  }

  @Test
  void datesCountedFromDifferentDaysMergeOnOneGrid() {
    Dataset all = data(200, 1, false);
    double[] days = Arrays.stream(all.inputs()).map(v -> Math.floor(10 * v)).toArray();
    Model[] parts = new Model[2];
    for (int part = 0; part < 2; part++) {
      String day = part == 0 ? "2024-01-01" : "2024-01-08";
      TimeScale scale = TimeScale.of("day", List.of(day, "2024-02-20"));
      double shift = 7.0 * part;
      Dataset rows = all.rows(100 * part, 100 * part + 100);
      double[] x = Arrays.copyOfRange(days, 100 * part, 100 * part + 100);
      for (int i = 0; i < x.length; i++) x[i] -= shift;
      Fit fit =
          fit("rbf", Engine.AUTO, TargetTransform.NONE, 1)
              .withGrid(GridChoice.DEFAULT.withPoints("60").bounded(0, -shift, 40 - shift))
              .set("lengthscale", 5);
      parts[part] =
          fit.to(Dataset.of(x, List.of(Column.of("day", scale)), rows.target(), Column.of("y")));
    }
    Model merged = Model.merge(named(parts), MAKER);
    Model union =
        fit("rbf", Engine.AUTO, TargetTransform.NONE, 1)
            .withGrid(GridChoice.DEFAULT.withPoints("60").bounded(0, 0, 40))
            .set("lengthscale", 5)
            .to(Dataset.of(days, 1, all.target()));
    double[] points = {0.5, 7, 21, 39};
    for (int i = 0; i < 4; i++)
      assertEquals(union.predict(points).mean(i), merged.predict(points).mean(i), 1e-8);
  }

  @Test
  void modelsThatDoNotBelongTogetherAreToldApart() {
    Dataset all = data(100, 1, false);
    Fit fit = fit("rbf", Engine.AUTO, TargetTransform.NONE, 1);
    Model a = fit.to(all);
    refused(a, fit.withGrid(grid(1, 5)).to(all), "different grids");
    refused(a, fit("matern12", Engine.AUTO, TargetTransform.NONE, 1).to(all), "kernels");
    refused(a, fit.withTransform(TargetTransform.LOG).to(all), "transforms, none and log");
    refused(
        a,
        fit.withEngine(Engine.EXACT).to(all),
        "kinds, on a grid and of its rows with engine exact");
    refused(a, fit.to(all.named(List.of(Column.of("depth")), Column.of("y"))), "different inputs");
    refused(
        a,
        fit.to(all.named(List.of(Column.of("x1")), Column.of("z"))),
        "different targets, y and z");
    Dataset dated =
        all.named(
            List.of(Column.of("x1", TimeScale.of("x1", List.of("2024-01-01", "2024-01-03")))),
            Column.of("y"));
    refused(a, fit.to(dated), "different units of 'x1', numbers and days");
  }

  private static void refused(Model a, Model b, String message) {
    var e = assertThrows(IllegalArgumentException.class, () -> Model.merge(named(a, b), MAKER));
    String said = String.valueOf(e.getMessage());
    assertTrue(said.contains(message) && said.contains("'m0' and 'm1'"), said);
  }

  @Test
  void whatWasNeverAddedCannotBeForgotten() {
    Dataset all = data(100, 1, false);
    for (Engine engine : List.of(Engine.AUTO, Engine.EXACT)) {
      Fit fit = fit("rbf", engine, TargetTransform.NONE, 1);
      Model model = fit.to(all.rows(0, 50));
      assertThrows(
          IllegalArgumentException.class,
          () -> model.without(Source.of(all.rows(50, 100)), Outside.ERROR, MAKER));
      assertThrows(
          IllegalArgumentException.class,
          () -> model.without(Source.of(all.rows(0, 50)), Outside.ERROR, MAKER));
    }
  }

  @ParameterizedTest
  @CsvSource({"rbf, SPECTRAL, 1", "rbf, AUTO, 2", "matern52, AUTO, 1", "rbf, EXACT, 2"})
  void otherParametersGiveTheModelFittedWithThem(String kernel, Engine engine, int d) {
    Dataset data = data(120, d, false);
    Fit fit = fit(kernel, engine, TargetTransform.LOG, d);
    Model other = fit.set("lengthscale", 0.6).set("noise", 0.2).to(data);
    Model changed =
        fit.to(data).with(other.hyperparameters(), engine, new Options.Maker("2", "changed"));
    double[] places = new SplittableRandom(6).doubles(40L * d, 0, 4).toArray();
    Prediction p = other.predict(places);
    Prediction q = changed.predict(places);
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.mean(i), q.mean(i), 1e-6 * Math.abs(p.mean(i)));
      assertEquals(p.variance(i), q.variance(i), 1e-3 * p.variance(i));
    }
    assertEquals(other.logMarginalLikelihood(), changed.logMarginalLikelihood(), 1e-6);
    assertEquals(120, changed.count());
    assertEquals("changed", changed.provenance().command());
  }

  @ParameterizedTest
  @CsvSource({"SPECTRAL", "EXACT"})
  void learningFromStatisticsEndsWhereTheFitDoes(Engine engine) {
    Dataset data = data(150, 1, false);
    Fit fit = fit("rbf", engine, TargetTransform.LOG, 1);
    Model start = fit.to(data);
    Model fitted = fit.withTraining(true).to(data);
    Model learned = start.learn(start.hyperparameters(), engine, Fit.DEFAULT.learning(), MAKER);
    assertEquals(
        fitted.logMarginalLikelihood(), learned.logMarginalLikelihood(), 1e-3, "likelihood");
    assertTrue(learned.provenance().notes().stream().anyMatch(n -> n.kind() == Note.Kind.TRAINING));
    assertTrue(learned.logMarginalLikelihood() > start.logMarginalLikelihood());
  }

  @Test
  void parametersOfAnotherKernelAreRefused() {
    Model model = fit("rbf", Engine.AUTO, TargetTransform.NONE, 1).to(data(50, 1, false));
    Model other = fit("matern52", Engine.AUTO, TargetTransform.NONE, 1).to(data(50, 1, false));
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> model.with(other.hyperparameters(), Engine.AUTO, MAKER));
    assertTrue(String.valueOf(e.getMessage()).contains("fit the rows again"), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"SPECTRAL", "EXACT"})
  void otherParametersHaveNoStandardErrorsAndNoTrace(Engine engine) {
    Model fitted =
        fit("rbf", engine, TargetTransform.NONE, 1).withTraining(true).to(data(80, 1, false));
    assertTrue(fitted.provenance().trace().size() > 1);
    Model changed = fitted.with(fitted.hyperparameters().set("noise", 0.3), engine, MAKER);
    assertEquals(List.of(), changed.provenance().standardErrors());
    assertEquals(List.of(), changed.provenance().trace());
    Model again = changed.with(fitted.hyperparameters(), engine, MAKER);
    assertEquals(changed.provenance().notes().size(), again.provenance().notes().size());
  }

  @ParameterizedTest
  @CsvSource({"SPECTRAL", "EXACT"})
  void learningRecordsItsOwnStepsAndStandardErrors(Engine engine) {
    Dataset data = data(150, 1, false);
    Fit fit = fit("rbf", engine, TargetTransform.LOG, 1);
    Model start = fit.to(data);
    Model fitted = fit.withTraining(true).to(data);
    Model learned = start.learn(start.hyperparameters(), engine, Fit.DEFAULT.learning(), MAKER);
    Provenance p = learned.provenance();
    assertClose(values(start), p.trace().getFirst().parameters(), 1e-12);
    assertClose(values(learned), p.trace().getLast().parameters(), 1e-12);
    List<Double> errors = fitted.provenance().standardErrors();
    assertEquals(4, errors.size());
    assertClose(errors, p.standardErrors(), 0.02);
  }

  private static void assertClose(List<Double> expected, List<Double> actual, double tolerance) {
    assertEquals(expected.size(), actual.size());
    for (int i = 0; i < expected.size(); i++)
      assertEquals(expected.get(i), actual.get(i), tolerance * Math.abs(expected.get(i)));
  }

  private static List<Double> values(Model model) {
    return Arrays.stream(model.hyperparameters().values()).boxed().toList();
  }

  @Test
  void learningUsesItsSeed() {
    Dataset data = data(1000, 1, false); // with fewer rows nothing is estimated
    Model start =
        fit("matern32", Engine.KRYLOV, TargetTransform.NONE, 1)
            .withGrid(GridChoice.DEFAULT.withPoints("1000").bounded(0, 0, 4))
            .to(data);
    List<Double> likelihoods = new ArrayList<>();
    for (long seed : new long[] {1, 2, 2}) {
      var learning =
          new Options.Learning(Lbfgs.DEFAULT.withMaxIterations(2), 1, seed, Progress.NONE);
      likelihoods.add(
          start
              .learn(start.hyperparameters(), Engine.KRYLOV, learning, MAKER)
              .logMarginalLikelihood());
    }
    assertNotEquals(likelihoods.get(0), likelihoods.get(1));
    assertEquals(likelihoods.get(1), likelihoods.get(2));
  }

  @Test
  void learningFromMorePlacesFindsABetterOptimum() {
    var random = new SplittableRandom(3);
    double[] x = random.doubles(120, 0, 4).toArray();
    double[] y = Arrays.stream(x).map(v -> Math.sin(8 * v) + 0.3 * random.nextGaussian()).toArray();
    Model start =
        fit("rbf", Engine.AUTO, TargetTransform.NONE, 1)
            .set("lengthscale", 2)
            .set("noise", 0.6)
            .to(Dataset.of(x, 1, y));
    Options.Learning one = Fit.DEFAULT.learning();
    Options.Learning many = new Options.Learning(Lbfgs.DEFAULT, 8, 1, Progress.NONE);
    Model near = start.learn(start.hyperparameters(), Engine.AUTO, one, MAKER);
    Model best = start.learn(start.hyperparameters(), Engine.AUTO, many, MAKER);
    assertTrue(
        best.logMarginalLikelihood() > near.logMarginalLikelihood() + 10,
        best.logMarginalLikelihood() + " from 8 places, " + near.logMarginalLikelihood());
  }

  @Test
  void anEngineThatTheModelCannotUseIsRefused() {
    Dataset data = data(50, 1, false);
    Options.Learning learning = Fit.DEFAULT.learning();
    Model onGrid = fit("rbf", Engine.AUTO, TargetTransform.NONE, 1).to(data);
    Model exact = fit("rbf", Engine.EXACT, TargetTransform.NONE, 1).to(data);
    Hyperparameters h = onGrid.hyperparameters();
    refused("does not keep its rows", () -> onGrid.with(h, Engine.EXACT, MAKER));
    refused("does not keep its rows", () -> onGrid.learn(h, Engine.EXACT, learning, MAKER));
    refused("holds its rows with engine exact", () -> exact.with(h, Engine.SPECTRAL, MAKER));
    refused(
        "holds its rows with engine exact", () -> exact.learn(h, Engine.KRYLOV, learning, MAKER));
  }

  @Test
  void aModelLearnsAgainFromSeveralStarts() {
    Model model = fit("rbf", Engine.EXACT, TargetTransform.NONE, 1).to(data(50, 1, false));
    Hyperparameters h = model.hyperparameters();
    Model once = model.learn(h, Engine.EXACT, Fit.DEFAULT.learning(), MAKER);
    Options.Learning three = new Options.Learning(Lbfgs.DEFAULT, 3, 1, Progress.NONE);
    Model often = model.learn(h, Engine.EXACT, three, MAKER);
    assertTrue(once.logMarginalLikelihood() > model.logMarginalLikelihood());
    assertTrue(often.logMarginalLikelihood() >= once.logMarginalLikelihood() - 1e-3);
  }

  @Test
  void parametersThatWereFixedMayBeChangedAndLearned() {
    Dataset data = data(60, 1, false);
    Fit fit = fit("rbf", Engine.AUTO, TargetTransform.NONE, 1);
    Model free = fit.to(data);
    Model held = fit.fix("lengthscale", 0.9).to(data);
    Hyperparameters h = held.hyperparameters().free("lengthscale");
    Model learned = held.learn(h, Engine.AUTO, Fit.DEFAULT.learning(), MAKER);
    assertTrue(learned.logMarginalLikelihood() > held.logMarginalLikelihood());
    Model changed = held.with(h.set("lengthscale", 0.5), Engine.AUTO, MAKER);
    assertEquals(0.5, changed.hyperparameters().values()[1], 1e-12);
    assertEquals(120, Model.merge(named(free, held), MAKER).count());
  }

  private static void refused(String message, Executable action) {
    var e = assertThrows(IllegalArgumentException.class, action);
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }
}
