package lovelace.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import lovelace.kernel.Parameter.Prior;
import org.junit.jupiter.api.Test;

class HyperparametersTest {

  private static Hyperparameters of(String kernel, int d, PriorMean mean) {
    return Hyperparameters.of(Kernel.parse(kernel).bind(d), 0.1, mean);
  }

  @Test
  void pathsNameEveryParameter() {
    assertEquals(
        List.of("outputscale", "rbf.lengthscale[0]", "rbf.lengthscale[1]", "noise", "mean"),
        of("rbf", 2, PriorMean.constant(1)).names());
    assertEquals(
        List.of(
            "rbf.outputscale",
            "rbf.lengthscale",
            "rbf2.outputscale",
            "rbf2.lengthscale",
            "periodic.lengthscale",
            "periodic.period",
            "noise",
            "mean",
            "slope"),
        of("2*rbf + 3*rbf*periodic", 1, PriorMean.linear(1, 2)).names());
  }

  @Test
  void valuesAreSetByUniqueName() {
    Hyperparameters h = of("rbf", 2, PriorMean.constant());
    assertEquals(List.of("outputscale", "rbf.lengthscale", "mean"), h.unset());
    h = h.set("lengthscale", 0.5, 0.4).set("outputscale", 2).set("noise", 0.01).fix("mean", -3);
    assertArrayEquals(new double[] {2, 0.5, 0.4, 0.01, -3}, h.values());
    assertEquals("2.0*rbf(lengthscale=[0.5,0.4])", h.kernel().toString());
    assertEquals(0.01, h.noise());
    assertEquals(-3, h.mean().at(new double[2], 0));
    assertTrue(h.parameter("mean").fixed());
    assertArrayEquals(
        new double[] {7, 7}, h.set("rbf.lengthscale", 7).parameter("lengthscale").values());
    assertEquals(1e-14, h.set("noise", 1e-14).parameter("noise").lower());
  }

  @Test
  void wrongNamesAndCountsAreToldWhatThereIs() {
    Hyperparameters h = of("2*rbf + 3*rbf*periodic", 1, PriorMean.ZERO);
    assertMessage(
        () -> h.set("lengthscale", 1), "rbf.lengthscale, rbf2.lengthscale, periodic.lengthscale");
    assertMessage(
        () -> h.set("lenscale", 1), "no parameter is called 'lenscale'; there are rbf.outputscale");
    assertMessage(() -> h.set("mean", 1), "no parameter is called 'mean'");
    assertMessage(() -> h.set("rbf2.lengthscale", 1, 2), "has 1 value, got 2");
    assertMessage(() -> h.set("noise", -1), "noise must be > 0");
    assertMessage(() -> h.set("noise", Double.NaN), "must be a number");
    assertMessage(() -> of("rbf", 2, PriorMean.linear(1, 2)), "2 slopes, got 1");
  }

  @Test
  void aNoiseOfNoneIsHeld() {
    Hyperparameters h = of("rbf", 1, PriorMean.ZERO).set("noise", 0);
    assertEquals(0, h.noise());
    assertTrue(h.parameter("noise").fixed());
    assertEquals(h.freeSize(), h.toFree().length);
    assertMessage(() -> h.free("noise"), "a noise of 0 cannot be learned");
    assertMessage(() -> h.set("rbf.lengthscale", 0), "must be > 0");
  }

  private static void assertMessage(Runnable action, String part) {
    var e = assertThrows(IllegalArgumentException.class, action::run);
    assertTrue(e.toString().contains(part), e.toString());
  }

  @Test
  void freeVectorsLeaveOutWhatIsFixedAndTakeLogarithms() {
    Hyperparameters h =
        of("2*rbf(lengthscale=3)*linear(variance=5, centre=1)", 1, PriorMean.constant(-2))
            .fix("rbf.lengthscale")
            .withBounds("mean", -7, 9);
    assertArrayEquals(
        new double[] {Math.log(2), Math.log(5), Math.log(0.1), -2}, h.toFree(), 1e-15);
    assertEquals(Math.log(1e-10), h.freeLower()[2]);
    assertEquals(-7, h.freeLower()[3]);
    assertEquals(9, h.freeUpper()[3]);
    double[] free = h.toFree();
    free[1] += Math.log(2);
    Hyperparameters moved = h.fromFree(free);
    assertArrayEquals(new double[] {2, 3, 10, 1, 0.1, -2}, moved.values(), 1e-14);
    assertTrue(moved.parameter("rbf.lengthscale").fixed());
    assertArrayEquals(
        new double[] {2, 15, 0.5, 6}, h.freeGradient(new double[] {1, 2, 3, 4, 5, 6}), 1e-15);
    assertArrayEquals(new boolean[] {true, false, true, false, true, true}, h.freeMask());
    assertEquals(h, h.with(h.values()));
  }

  @Test
  void priorDensitiesIntegrateToOneAndMatchTheirDerivatives() {
    for (Prior prior :
        List.of(Prior.logNormal(0.2, 0.7), Prior.gamma(2.5, 1.5), Prior.normal(4, 0.8))) {
      double h = 1e-3;
      double sum = 0;
      for (double x = h / 2; x < 60; x += h) sum += h * Math.exp(prior.logDensity(x));
      assertEquals(1, sum, 1e-5, prior.toString());
      for (double x : new double[] {0.3, 1, 4}) {
        double e = 1e-5;
        assertEquals(
            (prior.logDensity(x + e) - prior.logDensity(x - e)) / (2 * e),
            prior.derivative(x),
            1e-6);
      }
    }
    Hyperparameters h =
        of("2*rbf(lengthscale=3)", 2, PriorMean.ZERO)
            .withPrior("lengthscale", Prior.gamma(2, 1))
            .withPrior("noise", Prior.logNormal(-1, 2));
    assertEquals(
        2 * Prior.gamma(2, 1).logDensity(3) + Prior.logNormal(-1, 2).logDensity(0.1),
        h.logPrior(),
        1e-14);
    double slope = Prior.gamma(2, 1).derivative(3);
    assertArrayEquals(
        new double[] {0, slope, slope, Prior.logNormal(-1, 2).derivative(0.1)},
        h.logPriorGradient());
  }

  @Test
  void meansAreSumsOverTheirBasis() {
    PriorMean mean = PriorMean.linear(1, 2, 3);
    double[] x = {9, 0.5, 0.25};
    double[] basis = new double[3];
    mean.basis(x, 1, basis, 0);
    assertArrayEquals(new double[] {1, 0.5, 0.25}, basis);
    assertEquals(2.75, mean.at(x, 1), 1e-15);
    assertEquals(0, PriorMean.ZERO.at(x, 1));
    assertEquals(4, PriorMean.constant(4).at(x, 1));
    assertEquals(3, PriorMean.named("linear", 2).size());
    assertThrows(IllegalArgumentException.class, () -> PriorMean.named("cubic", 2));
  }
}
