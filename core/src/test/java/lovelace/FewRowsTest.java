package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.posterior.Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which of the two `auto` takes for few rows: the exact process or a lattice. The choice is by
/// operations, so it is the same on every machine.
class FewRowsTest {

  private static Dataset rows(int n, int d) {
    SplittableRandom random = new SplittableRandom(n + d);
    double[] x = new double[n * d];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      for (int a = 0; a < d; a++) {
        x[i * d + a] = random.nextDouble();
        y[i] += Math.sin(5 * x[i * d + a]);
      }
      y[i] += 0.3 * random.nextGaussian();
    }
    return Dataset.of(x, d, y);
  }

  private static Fit fit(String kernel) {
    return Fit.DEFAULT
        .withKernel(kernel)
        .withTraining(false)
        .set("lengthscale", 0.5)
        .set("outputscale", 1)
        .set("noise", 0.09)
        .set("mean", 0);
  }

  @ParameterizedTest
  @CsvSource({
    "rbf, 50, 1, true",
    "rbf, 300, 2, true",
    "rbf, 1000, 1, false",
    "matern32, 1000, 1, true",
    "rbf, 500, 2, false",
    "rbf, 1000, 3, true",
    "matern12, 1050, 2, true",
    "matern32, 1050, 2, true",
    "matern52, 500, 3, true",
  })
  void exactWhereALatticeIsNotClearlyCheaper(String kernel, int n, int d, boolean exact) {
    Model model = fit(kernel).to(rows(n, d));
    assertEquals(exact, model.lattice().isEmpty(), () -> model.provenance().notes().toString());
    if (exact)
      assertTrue(
          model.provenance().notes().stream()
              .anyMatch(note -> note.toString().startsWith("holds: the rows")),
          () -> model.provenance().notes().toString());
  }

  @Test
  void learningTakesTheSame() {
    Dataset rows = rows(400, 2);
    assertTrue(Fit.DEFAULT.withKernel("matern12").to(rows).lattice().isEmpty());
    assertTrue(Fit.DEFAULT.withKernel("rbf").to(rows(1000, 1)).lattice().isPresent());
  }

  @Test
  void whatOnlyALatticeOffersMakesALattice() {
    Dataset rows = rows(60, 1);
    Fit fit = fit("rbf");
    assertTrue(fit.to(rows).lattice().isEmpty());
    assertTrue(fit.withEngine(Engine.SPECTRAL).to(rows).lattice().isPresent());
    assertTrue(fit.withEngine(Engine.KRYLOV).to(rows).lattice().isPresent());
    assertTrue(fit.withGrid(GridChoice.DEFAULT.withPoints(200)).to(rows).lattice().isPresent());
    assertTrue(fit.withGrid(GridChoice.DEFAULT.including(0, 0, 2)).to(rows).lattice().isPresent());
  }

  /// Rows of seven levels that repeat: a kernel of that period is rough, and no grid of reasonable
  /// size follows it. The exact process predicts as far as the grid would have reached.
  @Test
  void rangeToReachIsNoReasonForAGridThatIsFarOff() {
    SplittableRandom random = new SplittableRandom(5);
    double[] x = IntStream.range(0, 400).asDoubleStream().toArray();
    double[] level = random.doubles(7, -1, 1).toArray();
    double[] y =
        Arrays.stream(x).map(day -> level[(int) day % 7] + 0.1 * random.nextGaussian()).toArray();
    Model model =
        Fit.DEFAULT
            .withKernel("rbf*periodic(period=fixed(7), lengthscale=0.01)")
            .withTraining(false)
            .set("rbf.lengthscale", 300)
            .set("outputscale", 1)
            .set("noise", 0.01)
            .set("mean", 0)
            .withGrid(GridChoice.DEFAULT.including(0, 0, 600))
            .to(Dataset.of(x, 1, y));
    assertTrue(model.lattice().isEmpty(), () -> model.provenance().notes().toString());
    double[] later = {401, 404};
    for (int i = 0; i < 2; i++)
      assertEquals(level[(int) later[i] % 7], model.predict(later).mean(i), 0.1);
  }

  /// The grid that the tolerance asks for would take minutes: a coarser one states its bound. The
  /// fewest points of a grid are many cells of a long lengthscale, and yet too few.
  @ParameterizedTest
  @CsvSource({"matern32, 100, 1, KRYLOV", "matern52, 100, 2, KRYLOV"})
  void longLengthscalesGetAsManyPointsAsTheToleranceAsksFor(
      String kernel, int n, int d, Engine engine) {
    Model model = fit(kernel).set("lengthscale", 3).withEngine(engine).to(rows(n, d));
    Certificate certificate = model.certificate().orElseThrow();
    assertTrue(certificate.met(), () -> certificate + " " + model.provenance().notes());
  }

  /// Three rows teach lengthscales beyond all bounds: short ones with matern32, on whose grid there
  /// would be too many modes, and long ones with rbf, which would not die out.
  @ParameterizedTest
  @CsvSource({"matern32, 1.5", "rbf, 3.5"})
  void modesServeWhatTheyHaveLearned(String kernel, double last) {
    Dataset rows = Dataset.of(new double[] {0, 1, 2.5}, 1, new double[] {1, 2, last});
    assertTrue(
        Fit.DEFAULT.withKernel(kernel).withEngine(Engine.SPECTRAL).to(rows).lattice().isPresent());
  }

  @Test
  void latticeThatCostsTooMuchIsCoarserAndSaysSo() {
    Model model = fit("matern12").set("noise", 1e-3).withEngine(Engine.KRYLOV).to(rows(40, 3));
    var certificate = model.certificate().orElseThrow();
    assertTrue(!certificate.met() && certificate.interpolation().measured(), certificate::toString);
    assertTrue(
        model.provenance().notes().stream()
            .anyMatch(note -> note.toString().startsWith("advice: the grid")),
        () -> model.provenance().notes().toString());
  }
}
