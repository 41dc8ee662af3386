package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.data.Trust;
import lovelace.exact.ExactGp;
import lovelace.io.ModelFormatException;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.KernelFunction;
import lovelace.kernel.OwnKernels;
import lovelace.kernel.PriorMean;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A kernel of the user's own through every door: one that re-implements a kernel of the library
/// gives the same models, and a new one those of the exact process.
class OwnKernelTest {

  private static final long SEED = 1161;
  private static final Options.Maker MAKER = new Options.Maker("1", "test");

  private static Dataset data(int n, int d) {
    SplittableRandom random = new SplittableRandom(SEED);
    double[] x = random.doubles((long) n * d, 0, 4).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++)
      y[i] =
          Math.sin(2 * x[i * d])
              + (d > 1 ? 0.5 * x[i * d + 1] : 0)
              + Math.abs(x[i * d] - 2)
              + 0.2 * random.nextGaussian();
    return Dataset.of(x, d, y);
  }

  private static double[] places(int d) {
    return new SplittableRandom(SEED + 1).doubles(20L * d, 0.1, 3.9).toArray();
  }

  private static GridChoice grid(int d, int points) {
    GridChoice grid = GridChoice.DEFAULT.withPoints(points);
    for (int j = 0; j < d; j++) grid = grid.bounded(j, 0, 4);
    return grid;
  }

  private static Fit given(String kernel, Engine engine) {
    return Fit.DEFAULT
        .withKernel(Kernel.parse(kernel, OwnKernels.all()))
        .withEngine(engine)
        .withTraining(false)
        .withTolerance(1e-3)
        .set("noise", 0.05)
        .set("mean", 0.4);
  }

  private static void assertAlike(Model expected, Model actual, int d) {
    Prediction p = expected.predict(places(d));
    Prediction q = actual.predict(places(d));
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.mean(i), q.mean(i), 1e-9, "seed " + SEED);
      assertEquals(p.variance(i), q.variance(i), 1e-9, "seed " + SEED);
    }
    double likelihood = expected.logMarginalLikelihood();
    assertEquals(likelihood, actual.logMarginalLikelihood(), 1e-9 * Math.abs(likelihood));
  }

  @ParameterizedTest
  @CsvSource({
    "twin32, 1, EXACT, AUTO",
    "twin32, 1, SPECTRAL, GRID",
    "twin32, 1, KRYLOV, GRID",
    "plain32, 2, AUTO, GRID", // dense: few rows
    "plain32, 2, KRYLOV, GRID",
    "twin32, 2, AUTO, ADDITIVE",
    "plain32, 2, EXACT, AUTO",
  })
  void givesTheModelOfTheLibrarysKernel(String name, int d, Engine engine, Options.Shape shape)
      throws IOException {
    boolean additive = shape == Options.Shape.ADDITIVE;
    String text = additive ? "additive(1.3*%s(lengthscale=1.1))" : "1.3*%s(lengthscale=1.1)";
    Dataset rows = data(d == 1 ? 200 : 100, d);
    Model[] models = new Model[2];
    for (int i = 0; i < 2; i++) {
      Fit fit = given(text.formatted(i == 0 ? "matern32" : name), engine).withShape(shape);
      if (engine != Engine.EXACT) fit = fit.withGrid(grid(d, d == 1 ? 80 : 12));
      models[i] = fit.to(rows);
    }
    assertAlike(models[0], models[1], d);
    SplittableRandom a = new SplittableRandom(SEED);
    SplittableRandom b = new SplittableRandom(SEED);
    double[] few = Arrays.copyOf(places(d), 4 * d);
    assertArrayEquals(models[0].sample(few, 3, a), models[1].sample(few, 3, b), 1e-6);
    Source more = Source.of(data(60, d));
    assertAlike(
        models[0].with(more, Outside.ERROR, MAKER), models[1].with(more, Outside.ERROR, MAKER), d);
    if (engine != Engine.EXACT) assertAlike(merged(models[0]), merged(models[1]), d);
  }

  private static Model merged(Model model) {
    SequencedMap<String, Model> twice = new LinkedHashMap<>();
    twice.put("a", model);
    twice.put("b", model);
    return Model.merge(twice, MAKER);
  }

  @ParameterizedTest
  @CsvSource({
    "twin32, 1, EXACT, AUTO",
    "plain32, 1, SPECTRAL, GRID",
    "twin32, 2, AUTO, GRID",
    "plain32, 2, AUTO, ADDITIVE",
  })
  void learnsAsTheLibrarysKernelDoes(String name, int d, Engine engine, Options.Shape shape) {
    Dataset rows = data(d == 1 ? 200 : 80, d);
    Model[] models = new Model[2];
    for (int i = 0; i < 2; i++) {
      Fit fit =
          Fit.DEFAULT
              .withKernel(Kernel.parse(i == 0 ? "matern32" : name, OwnKernels.all()))
              .withEngine(engine)
              .withShape(shape);
      if (engine != Engine.EXACT) fit = fit.withGrid(grid(d, d == 1 ? 80 : 12));
      models[i] = fit.to(rows);
    }
    double[] expected = models[0].hyperparameters().values();
    double[] learned = models[1].hyperparameters().values();
    for (int i = 0; i < learned.length; i++)
      assertEquals(expected[i], learned[i], 1e-3 * Math.abs(expected[i]), "parameter " + i);
    assertEquals(
        models[0].logMarginalLikelihood(), models[1].logMarginalLikelihood(), 1e-5, "likelihood");
    String remark = models[1].provenance().notes().toString();
    assertTrue(remark.contains("kernel: " + name + " is your own"), remark);
    assertEquals(name.equals("plain32"), remark.contains("central differences"), remark);
  }

  @ParameterizedTest
  @CsvSource({
    "1.2*gammaexp(lengthscale=1.4; gamma=1.9), 1, SPECTRAL",
    "1.2*gammaexp(lengthscale=1.4; gamma=1.9), 1, KRYLOV",
    "1.2*gammaexp(lengthscale=1.4; gamma=1.9), 1, AUTO",
    "bump(variance=1.2; frequency=2), 2, SPECTRAL",
  })
  void newKernelOnAGridIsTheExactProcess(String text, int d, Engine engine) {
    // smooth enough for these grids
    Dataset rows = data(d == 1 ? 150 : 80, d);
    Model model =
        given(text.replace(';', ','), engine).withGrid(grid(d, d == 1 ? 200 : 20)).to(rows);
    assertClose(ExactGp.of(rows, model.hyperparameters()), model, d, d == 1 ? 0.02 : 0.1);
  }

  private static void assertClose(ExactGp exact, Model model, int d, double tolerance) {
    Prediction p = exact.predict(places(d));
    Prediction q = model.predict(places(d));
    for (int i = 0; i < p.size(); i++) {
      double deviation = Math.sqrt(p.variance(i));
      assertEquals(p.mean(i), q.mean(i), tolerance * deviation, "seed " + SEED);
      assertEquals(1, q.variance(i) / p.variance(i), tolerance, "seed " + SEED);
    }
  }

  @Test
  void automaticGridIsAsFineAsTheKernelNeeds() {
    // the period is a tenth of the lengthscale: a grid that followed the latter would miss it
    Dataset rows = data(400, 1);
    Model model = given("1*wave(lengthscale=2, period=0.4)", Engine.SPECTRAL).to(rows);
    assertClose(ExactGp.of(rows, model.hyperparameters()), model, 1, 0.1);
    Model bump = given("bump(variance=1, frequency=0.04)", Engine.SPECTRAL).to(rows);
    assertClose(ExactGp.of(rows, bump.hyperparameters()), bump, 1, 0.1);
  }

  @Test
  void learnsANewKernelWithinItsBounds() {
    Dataset rows = data(80, 1);
    Model model =
        Fit.DEFAULT.withKernel(Kernel.of(new OwnKernels.Gamma())).withEngine(Engine.EXACT).to(rows);
    double gamma = model.hyperparameters().parameter("gamma").values()[0];
    assertTrue(gamma >= 0.1 && gamma <= 2 * (1 + 1e-12), "gamma " + gamma);
    Model rough = Fit.DEFAULT.withKernel("matern12").withEngine(Engine.EXACT).to(rows);
    assertTrue(model.logMarginalLikelihood() > rough.logMarginalLikelihood() - 1e-3, "γ = 1");
  }

  // ---- kernels that are not stationary ----

  @ParameterizedTest
  @CsvSource({
    "1.3*gibbs(shortest=0.7; growth=0.2), 1, KRYLOV, GRID",
    "1.3*gibbs(shortest=0.7; growth=0.2) + 0.5*rbf(lengthscale=1), 1, AUTO, GRID",
    "0.2*rbf(lengthscale=1.5)*quadratic(offset=1.5), 2, AUTO, GRID",
    "additive(0.3*gibbs(shortest=1; growth=0.1)), 2, AUTO, ADDITIVE",
  })
  void kernelThatIsNotStationaryWorksByDenseMatrices(
      String text, int d, Engine engine, Options.Shape shape) {
    Dataset rows = data(d == 1 ? 150 : 80, d);
    Model model =
        given(text.replace(';', ','), engine)
            .withShape(shape)
            .withGrid(grid(d, d == 1 ? 120 : 20))
            .to(rows);
    assertClose(ExactGp.of(rows, model.hyperparameters()), model, d, d == 1 ? 0.02 : 0.1);
    double[] draws =
        model.sample(Arrays.copyOf(places(d), 2 * d), 2000, new SplittableRandom(SEED));
    double mean = 0;
    for (int i = 0; i < draws.length; i += 2) mean += draws[i] / 2000;
    Prediction p = model.predict(Arrays.copyOf(places(d), d));
    assertEquals(p.mean(0), mean, 4 * Math.sqrt(p.variance(0) / 2000), "seed " + SEED);
  }

  @Test
  void kernelThatIsNotStationaryIsLearnedOnAGridAsByTheExactProcess() {
    Dataset rows = data(80, 1);
    Fit fit = Fit.DEFAULT.withKernel(Kernel.of(new OwnKernels.Gibbs()));
    Model exact = fit.withEngine(Engine.EXACT).to(rows);
    Model grid = fit.withGrid(grid(1, 80)).to(rows);
    double[] expected = exact.hyperparameters().values();
    double[] learned = grid.hyperparameters().values();
    for (int i = 0; i < learned.length; i++)
      assertEquals(expected[i], learned[i], 0.05 * Math.abs(expected[i]), "parameter " + i);
  }

  @Test
  void enginesThatCannotServeItNameOneThatDoes() {
    Dataset rows = data(100, 1);
    Fit fit = given("1*gibbs(shortest=0.7, growth=0.2)", Engine.SPECTRAL);
    IllegalArgumentException spectral =
        assertThrows(IllegalArgumentException.class, () -> fit.withGrid(grid(1, 60)).to(rows));
    assertTrue(String.valueOf(spectral.getMessage()).contains("use the krylov engine"));
    IllegalArgumentException large =
        assertThrows(
            IllegalArgumentException.class,
            () -> fit.withEngine(Engine.KRYLOV).withGrid(grid(1, 13_000)).to(rows));
    assertTrue(String.valueOf(large.getMessage()).contains("use the exact engine"));
  }

  // ---- files and tools ----

  @ParameterizedTest
  @ValueSource(strings = {"EXACT", "SPECTRAL"})
  void modelFileNeedsTheFunction(Engine engine, @TempDir Path folder) throws IOException {
    Kernel kernel = Kernel.of(new OwnKernels.Wave(), 1.5, 3).times(1.2).plus(Kernel.white(0.01));
    Fit fit = Fit.DEFAULT.withKernel(kernel).withTraining(false).withEngine(engine);
    if (engine != Engine.EXACT) fit = fit.withGrid(grid(1, 60));
    Model model = fit.set("noise", 0.05).set("mean", 0).to(data(120, 1));
    Path file = folder.resolve("wave.lvl");
    model.save(file);
    ModelFormatException refused = assertThrows(ModelFormatException.class, () -> Model.load(file));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("its kernel 'wave' is not known here"), message);
    assertTrue(message.contains("pass its KernelFunction to Model.load"), message);
    Model back = Model.load(file, Trust.DATA, new OwnKernels.Wave());
    assertEquals(model.hyperparameters(), back.hyperparameters());
    Prediction p = model.predict(places(1));
    Prediction q = back.predict(places(1));
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.mean(i), q.mean(i), 0);
      assertEquals(p.variance(i), q.variance(i), 0);
    }
    assertTrue(
        back.provenance().notes().stream()
            .anyMatch(
                note -> note.text().contains("wave is your own; loading the model requires its")),
        back.provenance().notes().toString());
    Hyperparameters changed = back.hyperparameters().set("wave.lengthscale", 1.1);
    assertEquals(
        changed.kernel(), back.with(changed, Engine.AUTO, MAKER).hyperparameters().kernel());
  }

  @Test
  void comparesOwnKernelsWithTheLibrarys() {
    KernelFunction twin = new OwnKernels.Twin32();
    List<Comparison> all =
        Comparison.of(
            Fit.DEFAULT.withEngine(Engine.EXACT),
            data(60, 1),
            List.of("twin32", "matern32", "twin32*rbf"),
            2,
            1,
            twin);
    Comparison own = all.stream().filter(c -> c.kernel().equals("twin32")).findAny().orElseThrow();
    Comparison built =
        all.stream().filter(c -> c.kernel().equals("matern32")).findAny().orElseThrow();
    assertEquals(built.bic(), own.bic(), 1e-5);
    assertEquals(built.nlpd(), own.nlpd(), 1e-5);
  }

  @Test
  void exactLikelihoodGradientOfOwnKernelIsItsDifference() {
    Dataset rows = data(40, 1);
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse("1.2*gammaexp(lengthscale=0.8, gamma=1.3)", OwnKernels.all()).bind(1),
            0.1,
            PriorMean.constant(0.2));
    double[] g = ExactGp.of(rows, h).likelihoodGradient();
    double[] values = h.values();
    for (int p = 0; p < values.length; p++) {
      double[] up = values.clone();
      double[] down = values.clone();
      up[p] += 1e-5;
      down[p] -= 1e-5;
      double slope =
          (ExactGp.of(rows, h.with(up)).logMarginalLikelihood()
                  - ExactGp.of(rows, h.with(down)).logMarginalLikelihood())
              / 2e-5;
      assertEquals(slope, g[p], 1e-5 * (1 + Math.abs(slope)), "parameter " + p);
    }
  }
}
