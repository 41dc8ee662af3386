package lovelace.way;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.data.LinearMap;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.data.Trust;
import lovelace.drift.Terms;
import lovelace.io.ModelFile;
import lovelace.io.ModelState;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.likelihood.Likelihood;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer.Progress;
import lovelace.options.Options.Learning;
import lovelace.options.Options.Maker;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.LinearRows;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The laws of an engine on rows under every wrapper. Extend it for an engine of your own.
abstract class RowLeafLaws {

  @TempDir private Path folder;

  /// A wrapper between the table and the process.
  enum Wrapper {
    NONE,
    LOG,
    FEATURES,
    DRIFT,
    DRIFT_OVER_FEATURES,
    COUNTS,
    HEAVY_TAILS;

    boolean drifts() {
      return this == DRIFT || this == DRIFT_OVER_FEATURES;
    }

    Likelihood likelihood() {
      return switch (this) {
        case COUNTS -> Likelihood.parse("poisson");
        case HEAVY_TAILS -> Likelihood.parse("student-t");
        case NONE, LOG, FEATURES, DRIFT, DRIFT_OVER_FEATURES -> Likelihood.gaussian();
      };
    }

    Optional<LinearMap> map() {
      return this == FEATURES || this == DRIFT_OVER_FEATURES
          ? Optional.of(LinearMap.of(new double[] {1.7}, new double[] {0.2}))
          : Optional.empty();
    }
  }

  /// The engine under test.
  abstract RowLeaf leaf();

  /// How far predictions from the same rows in another order may differ, relative to the largest.
  double rounding() {
    return 1e-9;
  }

  private static final int ROWS = 40;

  private static Dataset table(Wrapper wrapper, int from, int to) {
    SplittableRandom random = new SplittableRandom(11);
    int d = wrapper.drifts() ? 2 : 1;
    double[] x = new double[ROWS * d];
    double[] y = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      x[i * d] = 4 * random.nextDouble();
      double f = Math.sin(2 * x[i * d]) + 0.1 * random.nextGaussian();
      if (d > 1) f += 0.5 * (x[i * d + 1] = random.nextGaussian());
      boolean counts = wrapper.likelihood().name().equals("poisson");
      y[i] = counts ? Math.rint(Math.exp(f)) : wrapper == Wrapper.LOG ? Math.exp(f) : f;
    }
    return Dataset.of(x, d, y).rows(from, to);
  }

  private static Hyperparameters parameters(Wrapper wrapper) {
    Kernel kernel = Kernel.parse("1*matern32(lengthscale=0.8)").bind(1);
    String mean = wrapper.drifts() ? "zero" : "constant";
    Hyperparameters h = Hyperparameters.of(kernel, wrapper.likelihood(), PriorMean.named(mean, 1));
    for (String name : h.unset())
      h = h.set(name, name.equals("mean") ? 0 : name.equals("dof") ? 8 : 0.4);
    return h;
  }

  private Way<?> way(Wrapper wrapper) {
    Dataset all = table(wrapper, 0, ROWS);
    Optional<Terms> terms =
        wrapper.drifts()
            ? Optional.of(Terms.of(2, 1, new int[] {1}, new double[] {0}, new double[] {1}))
            : Optional.empty();
    Frame frame =
        new Frame(
            all.columns(),
            all.targetColumn(),
            wrapper == Wrapper.LOG ? TargetTransform.LOG : TargetTransform.NONE,
            wrapper.likelihood(),
            terms,
            wrapper.map().map(map -> map));
    Plan plan = new Plan(Engine.AUTO, leaf().engine(), "a test", "40 rows", 0.01, 1, 0, 0);
    return Ways.ofRows(leaf(), frame, plan, null);
  }

  /// Whether the leaf cannot carry a wrapper. Then making its way must fail.
  private boolean isRefused(Wrapper wrapper) {
    if (!wrapper.drifts() || leaf().isLinear()) return false;
    assertThrows(IllegalArgumentException.class, () -> way(wrapper));
    return true;
  }

  private static double[] places(Wrapper wrapper) {
    return wrapper.drifts()
        ? new double[] {0.3, 1, 1.7, -0.4, 2.2, 0, 5, 2}
        : new double[] {0.3, 1.7, 2.2, 5};
  }

  private void assertSame(Wrapper wrapper, Conditioned expected, Conditioned found, double slack) {
    Prediction a = expected.posterior().predict(places(wrapper));
    Prediction b = found.posterior().predict(places(wrapper));
    assertArrayEquals(a.means(), b.means(), slack, wrapper + " means");
    for (int p = 0; p < a.means().length; p++)
      assertEquals(a.variance(p), b.variance(p), slack, wrapper + " variance " + p);
    double size = Math.max(1, Math.abs(expected.logLikelihood()));
    assertEquals(expected.logLikelihood(), found.logLikelihood(), slack * size, "evidence");
  }

  @ParameterizedTest
  @EnumSource
  void partsAddUpAndComeApart(Wrapper wrapper) throws IOException {
    if (!isRefused(wrapper)) partsAddUpAndComeApart(wrapper, way(wrapper));
  }

  private <K extends Kept<K>> void partsAddUpAndComeApart(Wrapper wrapper, Way<K> way)
      throws IOException {
    K all = way.read(Source.of(table(wrapper, 0, ROWS)), Outside.ERROR);
    K first = way.read(Source.of(table(wrapper, 0, 25)), Outside.ERROR);
    K rest = way.read(Source.of(table(wrapper, 25, ROWS)), Outside.ERROR);
    Hyperparameters h = parameters(wrapper);
    Conditioned whole = way.condition(all, way.given(all, h));
    for (K sum : List.of(first.plus(rest), rest.plus(first))) {
      assertEquals(all.count(), sum.count());
      assertEquals(all.fingerprint(), sum.fingerprint());
      assertEquals(all.logJacobian(), sum.logJacobian(), 1e-9);
      assertSame(wrapper, whole, way.condition(sum, way.given(sum, h)), rounding());
    }
    K left = all.minus(rest);
    assertEquals(first.count(), left.count());
    assertEquals(first.fingerprint(), left.fingerprint());
    assertSame(
        wrapper,
        way.condition(first, way.given(first, h)),
        way.condition(left, way.given(left, h)),
        rounding());
    assertThrows(IllegalArgumentException.class, () -> all.minus(all), "nothing is left");
    K strange = way.read(Source.of(strange(wrapper)), Outside.ERROR);
    assertThrows(IllegalArgumentException.class, () -> all.minus(strange), "was never added");
  }

  private static Dataset strange(Wrapper wrapper) {
    Dataset one = table(wrapper, 0, 1);
    double[] x = one.inputs().clone();
    x[0] += 0.01;
    return Dataset.of(x, one.dimensions(), one.target());
  }

  @ParameterizedTest
  @EnumSource
  void learningClimbs(Wrapper wrapper) throws IOException {
    if (!isRefused(wrapper)) learningClimbs(wrapper, way(wrapper));
  }

  private <K extends Kept<K>> void learningClimbs(Wrapper wrapper, Way<K> way) throws IOException {
    K all = way.read(Source.of(table(wrapper, 0, ROWS)), Outside.ERROR);
    Hyperparameters h = parameters(wrapper);
    Learning how = new Learning(Lbfgs.DEFAULT.withMaxIterations(20), 1, 1, Progress.NONE);
    var learned = way.learn(all, h, how);
    double before = way.condition(all, way.given(all, h)).logLikelihood();
    double after = way.condition(all, way.given(all, learned.hyperparameters())).logLikelihood();
    assertTrue(after > before, wrapper + ": from " + before + " to " + after);
  }

  @Test
  void countsOverFeaturesAreRefusedBeforeTheRowsAreRead() {
    Frame counts = way(Wrapper.COUNTS).frame();
    Frame over =
        new Frame(
            counts.columns(),
            counts.target(),
            counts.transform(),
            counts.likelihood(),
            Optional.empty(),
            Wrapper.FEATURES.map().map(map -> map));
    Plan plan = way(Wrapper.COUNTS).plan();
    var refusal =
        assertThrows(IllegalArgumentException.class, () -> Ways.ofRows(leaf(), over, plan, null));
    String said = String.valueOf(refusal.getMessage());
    assertTrue(said.contains(leaf().engine() + " engine"), said);
    assertTrue(said.contains("an engine on a grid"), said);
  }

  @ParameterizedTest
  @EnumSource
  void wrappersThatAreNotRefusedCanBeCarried(Wrapper wrapper) {
    if (isRefused(wrapper)) return;
    assertEquals(Optional.empty(), way(wrapper).frame().refusal(leaf(), wrapper.drifts()));
  }

  /// A leaf that cannot carry a drift must say so before its rows are fitted.
  @Test
  void aLeafSaysWhetherItsMeanIsLinearInTheTarget() {
    Dataset rows = table(Wrapper.NONE, 0, ROWS);
    boolean linear = leaf().condition(rows, parameters(Wrapper.NONE)) instanceof LinearRows;
    assertEquals(linear, leaf().isLinear());
    assertEquals(!linear, way(Wrapper.NONE).frame().refusal(leaf(), true).isPresent());
  }

  /// A model is its way and what it keeps, and so is its file.
  @ParameterizedTest
  @EnumSource
  void modelsAndFilesAreTheirWays(Wrapper wrapper) throws IOException {
    if (!isRefused(wrapper)) modelsAndFilesAreTheirWays(wrapper, way(wrapper));
  }

  private <K extends Kept<K>> void modelsAndFilesAreTheirWays(Wrapper wrapper, Way<K> way)
      throws IOException {
    K all = way.read(Source.of(table(wrapper, 0, ROWS)), Outside.ERROR);
    Conditioned found = way.condition(all, way.given(all, parameters(wrapper)));
    ModelState model =
        new Assembly(way.frame(), List.of(), Optional.empty(), Maker.LIBRARY)
            .model(all, found, List.of());
    assertStands(wrapper, model, found, Ways.of(model));
    Path file = folder.resolve(wrapper + ".lvl");
    ModelFile.write(file, model, true);
    ModelState loaded = ModelFile.read(file, Trust.DATA);
    assertArrayEquals(
        found.posterior().predict(places(wrapper)).means(),
        loaded.posterior().predict(places(wrapper)).means(),
        "the same bits");
    assertStands(wrapper, loaded, found, Ways.of(loaded));
  }

  private <K extends Kept<K>> void assertStands(
      Wrapper wrapper, ModelState model, Conditioned expected, Standing<K> standing) {
    assertEquals(leaf().engine(), standing.way().plan().chosen());
    assertEquals(ROWS, standing.kept().count());
    Hyperparameters h = model.hyperparameters();
    K kept = standing.kept();
    Conditioned again = standing.way().condition(kept, standing.way().given(kept, h));
    assertSame(wrapper, expected, again, rounding());
  }
}
