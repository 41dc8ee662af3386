package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Targets that are a large number and a little more are modelled as the little more is: its
/// predictions are moved by that number, and its deviations and evidence are the same. All targets
/// are multiples of 2⁻¹⁰, so that they can be moved without rounding.
class FarTargetsTest {

  private static final double[] FAR = {1 << 20, 1 << 30};

  private static Dataset data(double offset) {
    var random = new SplittableRandom(3);
    int n = 60;
    double[] x = new double[n * 2];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i * 2] = random.nextDouble(0, 1000);
      x[i * 2 + 1] = random.nextDouble(0, 100);
      double f = Math.sin(x[i * 2] / 100) + 0.03 * x[i * 2 + 1] + 0.1 * random.nextGaussian();
      y[i] = Math.rint(1024 * f) / 1024 + offset;
    }
    return Dataset.of(x, 2, y)
        .named(List.of(Column.of("t", ""), Column.of("z", "")), Column.of("y"));
  }

  private static Model fitted(Engine engine, String mean, boolean learn, double at) {
    boolean drift = mean.equals("drift");
    String kernel = engine == Engine.CHAIN || engine == Engine.SPARSE ? "matern12" : "matern52";
    Fit fit = Fit.DEFAULT.withKernel(kernel).withEngine(engine).withTraining(learn);
    fit = drift ? fit.withDrift(List.of("z")) : fit.withMean(mean);
    if (!learn) {
      fit = fit.set("noise", 0.5).set("lengthscale", 150).set("outputscale", 2);
      if (mean.equals("constant")) fit = fit.set("mean", at + 0.5);
    }
    if (engine == Engine.NEIGHBOURS) fit = fit.withNeighbours(60);
    else if (!engine.holdsRows()) {
      GridChoice grid = GridChoice.DEFAULT.withPoints("90").bounded(0, 0, 1000);
      fit = fit.withGrid(grid).withShape(Options.Shape.GRID).withTolerance(1e-4);
    }
    return fit.to(drift ? data(at) : data(at).keeping(0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          EXACT      | constant | false
          EXACT      | drift    | false
          EXACT      | constant | true
          EXACT      | linear   | true
          EXACT      | drift    | true
          CHAIN      | constant | false
          CHAIN      | constant | true
          NEIGHBOURS | constant | false
          NEIGHBOURS | drift    | false
          SPECTRAL   | constant | false
          SPECTRAL   | constant | true
          SPECTRAL   | drift    | false
          SPARSE     | constant | false
          KRYLOV     | constant | false
          DENSE      | constant | false
          """)
  void aModelIsTheSameFarFromZero(Engine engine, String mean, boolean learn) {
    double[] at =
        mean.equals("drift")
            ? new double[] {10, 20, 333, 40, 740, 90, 990, 5}
            : new double[] {10, 333, 740, 990};
    Model near = fitted(engine, mean, learn, 0);
    Prediction p = near.predict(at);
    for (double offset : FAR) {
      Model far = fitted(engine, mean, learn, offset);
      Prediction q = far.predict(at);
      String where = engine + " " + mean + " at " + offset;
      double slack = learn ? 1e-2 : 1e-5;
      for (int i = 0; i < p.size(); i++) {
        assertEquals(p.mean(i), q.mean(i) - offset, slack * p.deviation(i), where);
        assertEquals(p.deviation(i), q.deviation(i), slack * p.deviation(i), where);
      }
      assertEquals(
          near.logMarginalLikelihood(), far.logMarginalLikelihood(), learn ? 0.01 : 1e-5, where);
    }
  }
}
