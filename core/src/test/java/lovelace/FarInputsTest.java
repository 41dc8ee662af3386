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

/// A model that depends on differences of inputs only is the same wherever zero is: metres of a
/// national grid, seconds since 1970. All inputs here are multiples of 1/4, so that they can be
/// moved without rounding.
class FarInputsTest {

  private static final double[] FAR = {1 << 20, 1 << 30};
  private static final double[] PLACES = {10.25, 333.5, 500, 740.75, 990};

  private static Dataset data(double offset, boolean drift) {
    var random = new SplittableRandom(3);
    int n = 60;
    int d = drift ? 2 : 1;
    double[] x = new double[n * d];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      double t = 0.25 * random.nextInt(4001);
      x[i * d] = t + offset;
      y[i] = Math.sin(t / 100) + 0.002 * t + 0.1 * random.nextGaussian();
      if (drift) {
        double z = 0.25 * random.nextInt(401);
        x[i * d + 1] = z + offset;
        y[i] += 0.03 * z;
      }
    }
    Dataset data = Dataset.of(x, d, y);
    return drift
        ? data.named(List.of(Column.of("t", ""), Column.of("z", "")), Column.of("y"))
        : data;
  }

  private static double[] places(double offset, boolean drift) {
    int d = drift ? 2 : 1;
    double[] at = new double[PLACES.length * d];
    for (int i = 0; i < PLACES.length; i++) {
      at[i * d] = PLACES[i] + offset;
      if (drift) at[i * d + 1] = 20 * i + offset;
    }
    return at;
  }

  private static Model fitted(Engine engine, String kernel, String mean, boolean learn, double at) {
    boolean drift = mean.equals("drift");
    Fit fit = Fit.DEFAULT.withKernel(kernel).withEngine(engine).withTraining(learn);
    fit = drift ? fit.withDrift(List.of("z")) : fit.withMean(mean);
    if (!learn) {
      fit = fit.set("noise", 0.01);
      if (mean.equals("constant")) fit = fit.set("mean", 0.5);
    }
    if (engine == Engine.NEIGHBOURS) fit = fit.withNeighbours(60);
    else if (!engine.holdsRows()) {
      GridChoice grid = GridChoice.DEFAULT.withPoints("90").bounded(0, at, at + 1000);
      fit = fit.withGrid(grid).withShape(Options.Shape.GRID).withTolerance(1e-4);
    }
    return fit.to(data(at, drift));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          EXACT      | 2*rbf(lengthscale=90)                        | constant | false
          EXACT      | 2*rq(lengthscale=90,alpha=1)                 | constant | false
          EXACT      | 2*periodic(lengthscale=1,period=300)         | constant | false
          EXACT      | 2*matern32(lengthscale=90)                   | drift    | false
          EXACT      | rbf                                          | constant | true
          EXACT      | rbf                                          | linear   | true
          EXACT      | matern32 + periodic(period=600)              | constant | true
          EXACT      | rbf                                          | drift    | true
          CHAIN      | 2*matern32(lengthscale=90)                   | constant | false
          CHAIN      | matern32                                     | linear   | true
          NEIGHBOURS | 2*matern32(lengthscale=90)                   | constant | false
          NEIGHBOURS | 2*rbf(lengthscale=90)*periodic(lengthscale=1,period=300) | constant | false
          NEIGHBOURS | 2*matern32(lengthscale=90)                   | drift    | false
          SPECTRAL   | 2*rbf(lengthscale=90)                        | constant | false
          SPECTRAL   | 2*rbf(lengthscale=90)                        | drift    | false
          SPECTRAL   | rbf                                          | constant | true
          SPECTRAL   | rbf                                          | linear   | true
          SPARSE     | 2*matern12(lengthscale=90)                   | constant | false
          KRYLOV     | 2*rbf(lengthscale=90) + 1*periodic(period=300,lengthscale=1) | constant | false
          DENSE      | 2*rq(lengthscale=90,alpha=1)                 | constant | false
          """)
  void aModelIsTheSameFarFromZero(Engine engine, String kernel, String mean, boolean learn) {
    boolean drift = mean.equals("drift");
    Model near = fitted(engine, kernel, mean, learn, 0);
    Prediction p = near.predict(places(0, drift));
    boolean sums = engine == Engine.SPECTRAL && mean.equals("linear");
    for (double offset : FAR) {
      if (sums && offset > 1e8) continue; // sums of cells lose digits to a mean of 1e6 deviations
      Model far = fitted(engine, kernel, mean, learn, offset);
      Prediction q = far.predict(places(offset, drift));
      String where = engine + " " + kernel + " " + mean + " at " + offset;
      double slack = learn ? 1e-2 : 1e-5;
      for (int i = 0; i < p.size(); i++) {
        assertEquals(p.mean(i), q.mean(i), slack * p.deviation(i), where);
        assertEquals(p.deviation(i), q.deviation(i), slack * p.deviation(i), where);
      }
      assertEquals(
          near.logMarginalLikelihood(), far.logMarginalLikelihood(), learn ? 0.01 : 1e-5, where);
    }
  }
}
