package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.SplittableRandom;
import lovelace.budget.Budget;
import lovelace.budget.Budget.MemoryLimitException;
import lovelace.data.Dataset;
import lovelace.engines.Engines;
import lovelace.exact.ExactGp;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.online.Online;
import lovelace.online.Online.Window;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.posterior.Posterior;
import lovelace.spectral.SpectralEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Products of sizes that no array holds: they are refused by a message with the sizes in it, or
/// the work is done another way.
final class SizesTest {

  private static final int MANY = 60_000; // squared it is more than an array holds

  private static Dataset rows(int n) {
    var random = new SplittableRandom(5);
    double[] x = random.doubles(n).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(6 * x[i]) + 0.1 * random.nextGaussian();
    return Dataset.of(x, 1, y);
  }

  private static Hyperparameters parameters(String kernel, int d) {
    return Hyperparameters.of(Kernel.parse(kernel).bind(d), 0.01, PriorMean.ZERO);
  }

  private static void refusesManyPoints(Posterior posterior) {
    double[] points = new SplittableRandom(1).doubles(MANY).toArray();
    points[0] = 1.5; // beyond the grid
    var covariance =
        assertThrows(
            IllegalArgumentException.class, () -> posterior.covariance(points, points.clone()));
    assertTrue(covariance.toString().contains("60,000"), covariance.getMessage());
    double[] few = {0.25, 0.5, 0.75};
    var draws =
        assertThrows(
            IllegalArgumentException.class,
            () -> posterior.sample(few, 1_000_000_000, new SplittableRandom(1)));
    assertTrue(draws.toString().contains("1,000,000,000"), draws.getMessage());
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void covariancesAndDrawsOfTooManyPointsAreRefused(Engine engine) throws Exception {
    Model model =
        Fit.DEFAULT.withKernel("matern52(lengthscale=0.3)").withEngine(engine).to(rows(50));
    refusesManyPoints(model.posterior());
  }

  @Test
  void exactProcessesOfTooManyRowsAreRefusedWhateverTheMemory() {
    var huge = Budget.of(Duration.ofMinutes(1), 1L << 45, System::nanoTime);
    Dataset data = rows(MANY);
    var refused =
        assertThrows(
            MemoryLimitException.class,
            () -> huge.run(() -> ExactGp.of(data, parameters("1*rbf(lengthscale=0.3)", 1))));
    assertTrue(refused.toString().contains("60,000"), refused.getMessage());
  }

  @Test
  void modesTooManyForTheirPointsAreNotForTheSpectralEngine() {
    // about 2,600 modes at a million points
    Grid line = Grid.of(Axis.covering(0, 1, 1_000_000));
    assertEquals(
        -1, Engines.modes(line, parameters("1*rbf(lengthscale=0.0008)", 1), SpectralEngine.MOST));
  }

  @Test
  void longAxesOfKernelsThatAreNoProductAreNotForTheSpectralEngine() {
    Grid plane = Grid.of(Axis.covering(0, 1, 60_000), Axis.covering(0, 1, 8));
    assertEquals(
        -1,
        Engines.modes(plane, parameters("1*matern52(lengthscale=0.3)", 2), SpectralEngine.MOST));
  }

  @Test
  void gridsOfTooManyPointsAreRefused() {
    var refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                Grid.of(
                    Axis.covering(0, 1, 400), Axis.covering(0, 1, 400), Axis.covering(0, 1, 400)));
    assertEquals(
        "a grid of 400×400×400 points is too large, it may have 33,554,431 points; use fewer points per axis",
        refused.getMessage());
  }

  @Test
  void windowsLongerThanAnArrayAreRefused() throws Exception {
    Model model =
        Fit.DEFAULT
            .withKernel("rbf(lengthscale=0.3)")
            .withGrid(GridChoice.DEFAULT.withPoints(50))
            .to(rows(50));
    var lattice = model.lattice().orElseThrow();
    var refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                Online.from(
                    lattice, Online.Options.DEFAULT.withWindow(Window.sliding(1_000_000_000))));
    assertTrue(refused.toString().contains("1,000,000,000"), refused.getMessage());
  }
}
