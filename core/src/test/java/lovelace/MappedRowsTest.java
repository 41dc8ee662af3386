package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.FeatureMap.Change;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.exact.ExactGp;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.MappedRows;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Models that hold rows behind a map of their columns.
class MappedRowsTest {

  private static final List<Column> COLUMNS =
      List.of(
          Column.of("rain"),
          Column.of("colour", List.of("red", "green", "blue")),
          Column.of("x3"),
          Column.of("x4"));

  private static final List<Change> CHANGES =
      List.of(Change.LOG, Change.SAME, Change.RANKS, Change.SAME);

  private static Dataset table(int n) {
    var random = new SplittableRandom(21);
    double[] x = new double[4 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[4 * i] = Math.exp(2 * random.nextGaussian());
      x[4 * i + 1] = i % 3;
      x[4 * i + 2] = random.nextGaussian() / Math.abs(random.nextGaussian());
      x[4 * i + 3] = random.nextGaussian();
      y[i] =
          Math.exp(
              0.3 * Math.log(x[4 * i])
                  + 0.2 * (i % 3)
                  + 0.2 * Math.atan(x[4 * i + 2])
                  + 0.05 * random.nextGaussian());
    }
    return Dataset.of(x, COLUMNS, y, Column.of("y"));
  }

  private static final Dataset ALL = table(120);
  private static final FeatureMap MAP = FeatureMap.columns(ALL, CHANGES);

  private static Fit fit(Engine engine) {
    return Fit.DEFAULT
        .withKernel("matern32")
        .withEngine(engine)
        .withTransform(TargetTransform.LOG)
        .withTraining(false)
        .set("lengthscale", 1.5, 1.2, 2, 3)
        .set("outputscale", 1)
        .set("mean", 0.1)
        .set("noise", 0.01);
  }

  private static Model model(Engine engine, Dataset rows) throws IOException {
    return fit(engine).to(Source.of(rows), MAP, List.of());
  }

  private static double[] points() {
    return Arrays.copyOf(table(40).inputs(), 80);
  }

  private static void assertSame(Model a, Model b, double tolerance) {
    Prediction p = a.predictObservation(points());
    Prediction q = b.predictObservation(points());
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.mean(i), q.mean(i), tolerance * Math.abs(p.mean(i)));
      assertEquals(p.variance(i), q.variance(i), tolerance * p.variance(i));
    }
    assertEquals(
        a.logMarginalLikelihood(),
        b.logMarginalLikelihood(),
        tolerance * Math.abs(a.logMarginalLikelihood()));
    assertEquals(a.count(), b.count());
  }

  @Test
  void theProcessIsOverTheFeatures() throws IOException {
    Model model = model(Engine.EXACT, ALL);
    assertEquals(MAP, model.map().orElseThrow());
    assertArrayEquals(new int[] {1}, model.hyperparameters().kernel().categories());
    assertEquals(120, model.count());
    assertTrue(model.lattice().isEmpty());
    // rows are held as they stand in the table
    assertArrayEquals(ALL.inputs(), model.held().orElseThrow().data().inputs());

    Dataset features = MappedRows.features(MAP, TargetTransform.LOG.apply(ALL));
    assertEquals("log rain", features.columns().getFirst().name());
    ExactGp oracle = ExactGp.of(features, model.hyperparameters());
    double[] z = model.features(points());
    Prediction expected = oracle.predict(z).undo(TargetTransform.LOG);
    Prediction found = model.predict(points());
    assertArrayEquals(expected.means(), found.means());
    assertArrayEquals(expected.variances(), found.variances());
    assertArrayEquals(oracle.covariance(z, z), model.posterior().covariance(points(), points()));
    double[] draws = oracle.sample(z, 3, new SplittableRandom(1));
    double[] sampled = model.sample(points(), 3, new SplittableRandom(1));
    for (int i = 0; i < draws.length; i++) assertEquals(Math.exp(draws[i]), sampled[i]);
    assertTrue(model.jointBytes(points()) > 0);

    Model inside = model.inFeatures();
    assertEquals("ranks of x3", inside.columns().get(2).name());
    assertArrayEquals(expected.means(), inside.predict(z).means());
    assertTrue(model.toString().contains("4 of 4 columns"), model.toString());
  }

  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"EXACT", "NEIGHBOURS"})
  void rowsComeAndGoThroughTheMap(Engine engine) throws IOException {
    Dataset some = ALL.select(IntStream.range(0, 80).toArray());
    Dataset more = ALL.select(IntStream.range(80, 120).toArray());
    Model whole = model(engine, ALL);
    Model part = model(engine, some);
    Model updated = part.with(more);
    assertSame(whole, updated, engine == Engine.EXACT ? 1e-9 : 1e-6);
    assertEquals(MAP, updated.map().orElseThrow());
    assertSame(part, updated.without(more), engine == Engine.EXACT ? 1e-9 : 1e-6);
    var e = assertThrows(IllegalArgumentException.class, () -> part.without(more));
    assertTrue(String.valueOf(e.getMessage()).contains("not among the model's rows"));
    assertEquals(120, Model.merge(part, model(engine, more)).count());
  }

  @Test
  void parametersAreLearnedOverTheFeatures() throws IOException {
    Model model = model(Engine.EXACT, ALL);
    Model learned = model.learn();
    assertTrue(learned.logMarginalLikelihood() > model.logMarginalLikelihood() + 1);
    assertEquals(MAP, learned.map().orElseThrow());
    Model back = learned.with(model.hyperparameters());
    assertSame(model, back, 1e-12);
  }

  @Test
  void othersMapsAreNotMerged() throws IOException {
    Model one = model(Engine.EXACT, ALL);
    FeatureMap other =
        FeatureMap.columns(table(50), List.of(Change.LOG, Change.SAME, Change.LOG, Change.SAME));
    Model two = fit(Engine.EXACT).to(Source.of(table(50)), other, List.of());
    assertThrows(IllegalArgumentException.class, () -> Model.merge(one, two));
  }

  @Test
  void wordsAreFoundByNameAndNotByCode() throws IOException {
    Dataset some = ALL.select(IntStream.range(0, 80).toArray());
    Dataset more = ALL.select(IntStream.range(80, 120).toArray());
    // the same rows where the words stand in another order, and one is new
    List<Column> others =
        List.of(
            COLUMNS.get(0),
            Column.of("colour", List.of("blue", "pink", "red", "green")),
            COLUMNS.get(2),
            COLUMNS.get(3));
    double[] code = {2, 3, 0};
    double[] x = more.inputs().clone();
    for (int i = 0; i < more.size(); i++) x[4 * i + 1] = code[(int) x[4 * i + 1]];
    Dataset same = Dataset.of(x, others, more.target(), more.targetColumn());
    Model part = model(Engine.EXACT, some);
    assertArrayEquals(more.inputs(), part.rows(same).inputs());
    assertSame(part.with(more), part.with(same), 1e-12);
    x[1] = 1;
    Dataset pink = Dataset.of(x.clone(), others, more.target(), more.targetColumn());
    assertEquals(Column.UNSEEN, part.rows(pink).inputs()[1]);
    Model own = model(Engine.EXACT, pink.select(new int[] {1, 2, 3, 4, 5, 6}));
    var e = assertThrows(IllegalArgumentException.class, () -> Model.merge(part, own));
    assertTrue(String.valueOf(e.getMessage()).contains("words of 'colour'"), e.getMessage());
    Dataset numbers = Dataset.of(new double[] {1, 2}, 1, new double[] {1, 2});
    Model plain =
        Fit.DEFAULT
            .withTraining(false)
            .withEngine(Engine.EXACT)
            .withKernel("1.0*rbf(lengthscale=1)")
            .set("noise", 0.1)
            .set("mean", 0)
            .to(numbers);
    Dataset words =
        Dataset.of(
            new double[] {0, 1},
            List.of(Column.of("x1", List.of("a", "b"))),
            new double[] {1, 2},
            Column.of("y"));
    assertThrows(
        IllegalArgumentException.class,
        () -> plain.with(Source.of(words), Outside.ERROR, Options.Maker.LIBRARY));
  }

  @Test
  void indicatorsMakeALattice() throws IOException {
    FeatureMap map =
        FeatureMap.columns(ALL, List.of(Change.LOG, Change.INDICATORS, Change.RANKS, Change.SAME));
    Model model =
        Fit.DEFAULT
            .withShape(Options.Shape.ADDITIVE)
            .withTransform(TargetTransform.LOG)
            .to(Source.of(ALL), map, List.of());
    assertTrue(model.held().isEmpty());
    assertEquals("colour = blue", model.inFeatures().columns().get(3).name());
    double red = model.predict(1, 0, 0, 0).mean(0);
    double blue = model.predict(1, 2, 0, 0).mean(0);
    assertEquals(Math.exp(0.4), blue / red, 0.15);
    assertNotEquals(red, model.predict(1, Column.UNSEEN, 0, 0).mean(0));
  }
}
