package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WeightsTest {

  private static final int BATCH = 20;

  private static Dataset data(int n) {
    var random = new SplittableRandom(7);
    double[] x = random.doubles(n, 0, 6).toArray();
    double[] y = new double[n];
    double[] w = new double[n];
    for (int i = 0; i < n; i++) {
      w[i] = i / BATCH % 2 == 0 ? 1 : random.nextDouble(0.2, 40);
      y[i] = Math.exp(Math.sin(x[i]) + 0.5 * random.nextGaussian() / Math.sqrt(w[i]));
    }
    return Dataset.of(x, 1, y, w);
  }

  /// Batches of the rows; those without weights of their own, every other, come without any.
  private static Source mixed(Dataset data, boolean plainFirst) {
    return new Source() {
      @Override
      public List<Column> columns() {
        return data.columns();
      }

      @Override
      public Column target() {
        return data.targetColumn();
      }

      @Override
      public void read(Sink sink) {
        int batches = data.size() / BATCH;
        for (int k = 0; k < batches; k++) {
          int b = plainFirst ? k : batches - 1 - k;
          Dataset part = data.rows(b * BATCH, (b + 1) * BATCH);
          double[] w = new double[BATCH];
          for (int i = 0; i < BATCH; i++) w[i] = part.weight(i);
          sink.accept(
              BATCH, part.inputs(), part.target(), b % 2 == 0 ? Optional.empty() : Optional.of(w));
        }
      }
    };
  }

  private static Fit given(Engine engine) {
    return Fit.DEFAULT
        .withEngine(engine)
        .withTransform(TargetTransform.LOG)
        .withTraining(false)
        .set("lengthscale", 1)
        .set("outputscale", 1)
        .set("noise", 0.25)
        .set("mean", 0);
  }

  /// An even number of batches, so that one order begins with weights and the other without.
  @ParameterizedTest
  @CsvSource({"EXACT, true", "EXACT, false", "SPECTRAL, true", "SPECTRAL, false"})
  void someBatchesOfASourceMayHaveNone(Engine engine, boolean plainFirst) throws IOException {
    Dataset data = data(4 * BATCH);
    double[] x = {0.3, 2.2, 3.1, 5.9};
    Prediction expected = given(engine).to(data).predict(x);
    Prediction found = given(engine).to(mixed(data, plainFirst)).predict(x);
    assertArrayEquals(expected.means(), found.means(), 1e-9);
    assertArrayEquals(expected.variances(), found.variances(), 1e-9);
  }

  @ParameterizedTest
  @CsvSource({"EXACT, true", "SPECTRAL, false"})
  void someBatchesOfAnUpdateMayHaveNone(Engine engine, boolean plainFirst) throws IOException {
    Dataset data = data(6 * BATCH);
    Model first = given(engine).to(data.rows(0, 2 * BATCH));
    Dataset more = data.rows(2 * BATCH, 6 * BATCH);
    double[] x = {0.3, 2.2, 3.1, 5.9};
    assertArrayEquals(
        with(first, Source.of(more)).predict(x).variances(),
        with(first, mixed(more, plainFirst)).predict(x).variances(),
        1e-9);
  }

  private static Model with(Model model, Source rows) throws IOException {
    return model.with(rows, Outside.ERROR, new Options.Maker("test", ""));
  }

  @Test
  void rowsHeldOutAreScoredWithTheirWeights() {
    Dataset data = data(10 * BATCH);
    Model model = given(Engine.AUTO).to(data);
    Dataset out = data.rows(BATCH, 2 * BATCH);
    Prediction z = model.posterior().predict(out.inputs());
    double sum = 0;
    for (int i = 0; i < out.size(); i++) {
      double log = Math.log(out.target()[i]);
      double variance = z.variance(i) + model.noise() / out.weight(i);
      sum +=
          0.5 * Math.log(2 * Math.PI * variance)
              + Math.pow(log - z.mean(i), 2) / (2 * variance)
              + log;
    }
    assertEquals(sum / out.size(), nlpd(model, out), 1e-10);
    double[] ones = new double[out.size()];
    Arrays.fill(ones, 1);
    Dataset plain = Dataset.of(out.inputs(), 1, out.target(), ones);
    assertNotEquals(nlpd(model, plain), nlpd(model, out));
  }

  private static double nlpd(Model model, Dataset out) {
    return -Arrays.stream(Comparison.logDensities(model, out)).average().orElseThrow();
  }

  /// Rows of no weight do not change what rows of much weight say, though their noise is 1e24 times
  /// as large.
  @Test
  void rowsOfNoWeightLeaveTheOthersAsTheyAre() {
    int n = 40;
    double[] x = new double[n];
    double[] y = new double[n];
    double[] w = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = i / 10.0;
      y[i] = Math.sin(x[i]);
      w[i] = i % 4 == 3 ? 1e-12 : 1e12;
    }
    int[] heavy = IntStream.range(0, n).filter(i -> i % 4 != 3).toArray();
    Dataset all = Dataset.of(x, 1, y, w);
    Hyperparameters h =
        Hyperparameters.of(Kernel.parse("rbf(lengthscale=2)").attach(1), 0.01, PriorMean.ZERO);
    double[] at = {0.55, 1.95, 3.2};
    Prediction expected = ExactGp.of(all.select(heavy), h).predict(at);
    Prediction actual = ExactGp.of(all, h).predict(at);
    for (int i = 0; i < at.length; i++) {
      assertEquals(Math.sin(at[i]), actual.mean(i), 1e-4);
      assertEquals(expected.mean(i), actual.mean(i), 1e-4);
      assertEquals(expected.deviation(i), actual.deviation(i), 1e-4);
    }
  }
}
