package lovelace.onnx;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.likelihood.Likelihood.Of;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Models on grids of one to three axes.
class GridExportTest {

  private static final int ROWS = 10_000;
  private static final double ROUNDING = 1e-12;

  /// Rows of a smooth function of d columns over [0, 10].
  static Dataset data(int d, int n, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = new double[n * d];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      y[i] = 3 + 0.1 * random.nextGaussian();
      for (int a = 0; a < d; a++) {
        x[i * d + a] = 10 * random.nextDouble();
        y[i] += Math.sin(x[i * d + a]);
      }
    }
    List<Column> columns = IntStream.range(0, d).mapToObj(j -> Column.of("x" + j, "m")).toList();
    return Dataset.of(x, columns, y, Column.of("y", "K"));
  }

  static Fit fit(String kernel, int... points) {
    return Fit.DEFAULT
        .withKernel(kernel)
        .fix("noise", 0.01)
        .fix("mean", 2.5)
        .withTraining(false)
        .withGrid(GridChoice.DEFAULT.withPoints(points));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | SPECTRAL | 2*matern52(lengthscale=3) | 60 | FUNCTION",
        "1 | MARKOV | 2*matern32(lengthscale=2) | 200 | OBSERVATION",
        "1 | KRYLOV | 1.5*rbf(lengthscale=2) + 0.3*periodic(period=3,lengthscale=1) | 70 | FUNCTION",
        "1 | KRYLOV | 2*rq(alpha=1.5,lengthscale=3) + 0.01*linear(variance=1) | 60 | OBSERVATION",
        "1 | SPECTRAL | sm(2,weight=[1,0.5],frequency=[0.1,0.3],bandwidth=[0.05,0.02]) | 80 | FUNCTION",
        "2 | SPECTRAL | 2*rbf(lengthscale=[3,2]) | 20 | OBSERVATION",
        "2 | KRYLOV | 2*matern52(lengthscale=[5,4]) + 0.5*cosine(period=[9,12]) | 18 | FUNCTION",
        "3 | KRYLOV | 2*rbf(lengthscale=[4,5,6]) | 9 | OBSERVATION",
      })
  void graphsAnswerAsTheirModels(int d, Engine engine, String kernel, int points, Of of)
      throws Exception {
    int seed = 5 + d;
    int[] each = new int[d];
    Arrays.fill(each, points);
    Model model = fit(kernel, each).withEngine(engine).to(data(d, 300, seed));
    double[] x = Exported.points(model, ROWS, new SplittableRandom(seed));
    OnnxExport options = OnnxExport.DEFAULT.withOf(of).withInterval(0.8);
    Exported.of(model, options, x).requireSame(x, ROUNDING, kernel + ", seed " + seed);
  }

  @Test
  void aLogarithmIsUndoneInTheGraph() throws Exception {
    Model model =
        fit("0.5*matern52(lengthscale=3)", 60)
            .withEngine(Engine.SPECTRAL)
            .withTransform(TargetTransform.LOG)
            .to(data(1, 300, 1));
    double[] x = Exported.points(model, ROWS, new SplittableRandom(2));
    Exported.of(model, OnnxExport.DEFAULT, x).requireSame(x, ROUNDING, "log, seed 2");
    OnnxExport rows = OnnxExport.DEFAULT.withOf(Of.OBSERVATION);
    Exported.of(model, rows, x).requireSame(x, ROUNDING, "log of observations, seed 2");
  }

  @Test
  void sizesDoNotDependOnTheRows() throws Exception {
    Fit fit = fit("2*rbf(lengthscale=3)", 40).withEngine(Engine.SPECTRAL);
    long few = Exported.size(fit.to(data(1, 500, 1)), OnnxExport.DEFAULT);
    long many = Exported.size(fit.to(data(1, 50_000, 1)), OnnxExport.DEFAULT);
    assertTrue(Math.abs(many - few) < 200); // texts of the metadata differ
  }
}
