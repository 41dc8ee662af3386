package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.grid.AdditiveGrid;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.model.Provenance.Note;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.statistics.AdditiveStatistics;
import org.junit.jupiter.api.Test;

/// More columns than one grid takes.
class ManyColumnsTest {

  private static Dataset data(int n, int d, double noise, ToDoubleFunction<double[]> f, int seed) {
    var random = new SplittableRandom(seed);
    double[] x = new double[n * d];
    double[] y = new double[n];
    double[] row = new double[d];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < d; j++) row[j] = x[i * d + j] = -1 + 2 * random.nextDouble();
      y[i] = f.applyAsDouble(row) + noise * random.nextGaussian();
    }
    return Dataset.of(x, d, y);
  }

  private static double sum(double[] x) {
    return Math.sin(3 * x[0]) + x[1] * x[1] + 0.5 * Math.cos(4 * x[2]) - x[3] + 0.3 * x[4];
  }

  private static double ridge(double[] x) {
    double u = 0.8 * x[0] + 0.6 * x[1] - 0.5 * x[3];
    return Math.sin(2.5 * u) + 0.5 * u * (x[2] + x[4]);
  }

  private static double rootMeanSquare(Model model, int d, ToDoubleFunction<double[]> f, int seed) {
    Dataset fresh = data(300, d, 0, f, seed);
    Prediction p = model.predict(fresh.inputs());
    double sum = 0;
    for (int i = 0; i < 300; i++) sum += Math.pow(p.mean(i) - fresh.target()[i], 2);
    return Math.sqrt(sum / 300);
  }

  private static String shape(Model model) {
    return model.provenance().notes().stream()
        .filter(note -> note.kind() == Note.Kind.SHAPE)
        .map(Note::toString)
        .findFirst()
        .orElse("");
  }

  @Test
  void aSumOfFunctionsIsLearnedAsOne() {
    Dataset data = data(400, 5, 0.1, ManyColumnsTest::sum, 1);
    Model model = Fit.DEFAULT.to(data);
    assertTrue(shape(model).contains("additive"), shape(model));
    assertTrue(shape(model).contains("rows held out"), shape(model));
    assertTrue(model.map().isEmpty());
    assertInstanceOf(AdditiveGrid.class, lattice(model).statistics().lattice());
    double error = rootMeanSquare(model, 5, ManyColumnsTest::sum, 2);
    assertTrue(error < 0.06, () -> "" + error);
    assertEquals(0.01, model.noise(), 0.003);
    double[] places = {0, 0, 0, 0, 0, 2, 2, 2, 2, 2}; // among the rows, and beyond the grids
    Prediction mine = model.predict(places);
    Prediction exact = ExactGp.of(data, model.hyperparameters()).predict(places);
    assertEquals(2, mine.size());
    assertTrue(!mine.outside(0) && mine.outside(1));
    for (int i = 0; i < 2; i++) {
      double deviation = Math.sqrt(exact.variance(i));
      assertEquals(exact.mean(i), mine.mean(i), 1e-3 * deviation);
      assertEquals(exact.variance(i), mine.variance(i), 1e-3 * exact.variance(i));
    }
  }

  @Test
  void aFunctionOfTwoDirectionsIsLearnedByAProjection() {
    Dataset data = data(400, 5, 0.05, ManyColumnsTest::ridge, 3);
    Model model = Fit.DEFAULT.withShape(Options.Shape.PROJECTION).to(data);
    assertTrue(model.map().isPresent());
    double error = rootMeanSquare(model, 5, ManyColumnsTest::ridge, 4);
    assertTrue(error < 0.08, () -> error + " " + model.provenance().notes());
    MappedPosterior posterior = assertInstanceOf(MappedPosterior.class, model.posterior());
    double[] x = {0.1, -0.2, 0.3, 0.2, -0.1};
    double[] out = new double[12];
    posterior.gradient(x, 0, out);
    assertEquals(model.predict(x).mean(0), out[0], 1e-12);
    for (int j = 0; j < 5; j++) {
      double[] up = x.clone();
      double[] down = x.clone();
      up[j] += 1e-5;
      down[j] -= 1e-5;
      Prediction high = model.predict(up);
      Prediction low = model.predict(down);
      assertEquals((high.mean(0) - low.mean(0)) / 2e-5, out[2 + j], 1e-6);
      assertEquals((high.variance(0) - low.variance(0)) / 2e-5, out[7 + j], 1e-6);
    }
  }

  private static LatticePosterior lattice(Model model) {
    return model.lattice().orElseThrow();
  }

  private static Fit given() {
    return Fit.DEFAULT
        .withShape(Options.Shape.ADDITIVE)
        .withTraining(false)
        .withGrid(GridChoice.DEFAULT.withPoints(40))
        .withKernel("matern52")
        .set("lengthscale", 0.9)
        .set("outputscale", 0.7)
        .set("noise", 0.02)
        .set("mean", 0.3);
  }

  @Test
  void additiveModelAgreesWithTheExactProcess() {
    Dataset data = data(200, 5, 0.1, ManyColumnsTest::sum, 5);
    Model model = given().withTolerance(1e-4).withGrid(GridChoice.DEFAULT.withPoints(100)).to(data);
    ExactGp exact = ExactGp.of(data, model.hyperparameters());
    double[] x = data(20, 5, 0, ManyColumnsTest::sum, 6).inputs();
    x[0] = 2.5; // beyond the grid
    Prediction mine = model.predict(x);
    Prediction theirs = exact.predict(x);
    assertTrue(mine.outside(0) && !mine.outside(1));
    for (int i = 0; i < 20; i++) {
      assertEquals(theirs.mean(i), mine.mean(i), 2e-3);
      assertEquals(theirs.variance(i), mine.variance(i), 0.02 * theirs.variance(i));
    }
    assertEquals(exact.logMarginalLikelihood(), model.logMarginalLikelihood(), 0.3);
  }

  @Test
  void tablesGiveWhatTheCovarianceGives() {
    Model model = given().to(data(150, 5, 0.1, ManyColumnsTest::sum, 7));
    LatticePosterior posterior = lattice(model);
    double[] x = {0.1, -0.7, 0.4, 0.9, -0.3};
    double variance = posterior.predict(x).variance(0);
    assertEquals(posterior.covariance(x, x)[0], variance, 1e-9 * variance);
    double[] out = new double[12];
    posterior.gradient(x, 0, out);
    double[] up = x.clone();
    up[2] += 1e-5;
    double slope = (posterior.predict(up).variance(0) - variance) / 1e-5;
    assertEquals(slope, out[9], 1e-4);
  }

  @Test
  void additiveStatisticsAddUp() {
    Dataset data = data(120, 4, 0.1, x -> x[0] + x[3], 8);
    GridChoice choice = GridChoice.DEFAULT.withPoints(12);
    for (int j = 0; j < 4; j++) choice = choice.bounded(j, -1.1, 1.1);
    Fit fit = given().withGrid(choice).set("lengthscale", 0.5, 0.6, 0.7, 0.8);
    assertEquals(
        0.7, fit.to(data).hyperparameters().parameter("matern523.lengthscale").values()[0]);
    var whole = (AdditiveStatistics) lattice(fit.to(data)).statistics();
    var left = (AdditiveStatistics) lattice(fit.to(data.rows(0, 50))).statistics();
    var right = (AdditiveStatistics) lattice(fit.to(data.rows(50, 120))).statistics();
    assertEquals(whole.squares(), left.plus(right).squares(), 1e-10 * whole.squares());
    assertEquals(120, left.plus(right).count());
    assertEquals(50, whole.minus(right).count());
  }

  @Test
  void kernelsThatNameColumnsAreTakenAsTheyAre() {
    Dataset data = data(200, 5, 0.1, x -> x[0] * x[1] + x[2] + x[3] * x[4], 9);
    Model model =
        Fit.DEFAULT
            .withGrid(GridChoice.DEFAULT.withPoints(12))
            .withKernel("rbf(columns=[0,1]) + linear(columns=[2]) + rbf(columns=[3,4])")
            .to(data);
    assertTrue(shape(model).contains("as the kernel is"), shape(model));
    AdditiveGrid grid = (AdditiveGrid) lattice(model).statistics().lattice();
    assertEquals(3, grid.components());
    double error = rootMeanSquare(model, 5, x -> x[0] * x[1] + x[2] + x[3] * x[4], 10);
    assertTrue(error < 0.1, () -> "" + error);
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Fit.DEFAULT.withKernel("rbf(columns=[0,1]) + rbf(columns=[2])").to(data));
    assertTrue(String.valueOf(e.getMessage()).contains("reads the column 'x4'"), e.getMessage());
  }

  @Test
  void whatCannotBeIsRefusedInWords() {
    Dataset data = data(60, 5, 0.1, x -> x[0], 11);
    Fit untrained = Fit.DEFAULT.withTraining(false).withKernel("rbf").withEngine(Engine.SPECTRAL);
    var e = assertThrows(IllegalArgumentException.class, () -> untrained.to(data));
    assertTrue(String.valueOf(e.getMessage()).contains("additive(rbf)"), e.getMessage());
    Fit ranged =
        Fit.DEFAULT
            .withShape(Options.Shape.PROJECTION)
            .withGrid(GridChoice.DEFAULT.bounded(0, -2, 2));
    e = assertThrows(IllegalArgumentException.class, () -> ranged.to(data));
    assertTrue(String.valueOf(e.getMessage()).contains("features"), e.getMessage());
  }
}
