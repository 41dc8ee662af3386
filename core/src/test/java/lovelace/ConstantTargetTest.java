package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Rows whose targets are all one value. Nothing can be learned from them, and nothing is if all
/// parameters are given.
class ConstantTargetTest {

  private static final int N = 25;

  private static Dataset rows() {
    double[] y = new double[N];
    Arrays.fill(y, 5);
    return Dataset.of(IntStream.range(0, N).mapToDouble(i -> i / 4.0).toArray(), 1, y);
  }

  private static Fit given(double mean) {
    return Fit.DEFAULT
        .withKernel("1.0*matern32(lengthscale=1.0)")
        .withTraining(false)
        .set("noise", 0.1)
        .set("mean", mean);
  }

  /// Rows that are all at the prior mean leave the mean where it is, whatever the kernel.
  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"AUTO", "EXACT", "SPECTRAL", "MARKOV", "CHAIN", "NEIGHBOURS"})
  void givenParametersNeedNoVaryingTarget(Engine engine) {
    double[] at = {0.1, 2.9, 5.7};
    Model model = given(5).withEngine(engine).to(rows());
    assertEquals(N, model.count());
    assertArrayEquals(new double[] {5, 5, 5}, model.predict(at).means(), 1e-9);
    double[] exact = given(0).withEngine(Engine.EXACT).to(rows()).predict(at).means();
    assertArrayEquals(
        exact,
        given(0).withEngine(engine).to(rows()).predict(at).means(),
        0.05,
        "of the exact one");
  }

  @Test
  void learningNeedsATargetThatVaries() {
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> Fit.DEFAULT.withKernel("rbf").to(rows()));
    assertTrue(String.valueOf(e.getMessage()).contains("is constant (5.0 in all 25 rows)"));
  }
}
