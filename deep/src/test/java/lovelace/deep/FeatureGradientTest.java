package lovelace.deep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.data.Dataset;
import lovelace.features.FeatureEvidence;
import lovelace.options.Options;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The gradient that training follows against differences of the whole objective: network, bound,
/// grid, statistics and marginal likelihood.
class FeatureGradientTest {

  private static final int N = 60;
  private static final int D = 5;

  @ParameterizedTest
  @CsvSource({"1, false", "2, false", "3, false", "2, true", "5, true"})
  void gradientThroughTheNetworkIsThatOfTheObjective(int features, boolean additive) {
    long seed = 11L + features;
    Dataset data = DeepKernelTest.table(N, D, seed);
    Rows rows = new Rows(data, 0, seed);
    Architecture form = Architecture.layers(12, 8, features).withActivation("Tanh");
    try (Network network = Network.of(form, rows.centre, rows.scale, seed)) {
      Fit fit = additive ? Fit.DEFAULT.withShape(Options.Shape.ADDITIVE) : Fit.DEFAULT;
      FeatureProcess process =
          new FeatureProcess(
              fit.hyperparameters(features),
              additive,
              features(network, data),
              data.target(),
              rows.spread);
      List<NDArray> parameters = network.learning();
      List<float[]> gradient = gradient(network, process, data, parameters);
      List<float[]> start = parameters.stream().map(NDArray::toFloatArray).toList();
      SplittableRandom random = new SplittableRandom(seed);
      for (int direction = 0; direction < (features == 3 ? 1 : 3); direction++) {
        // the gradient's own direction first, then random ones about it
        List<float[]> way = new ArrayList<>();
        double squares = 0;
        for (float[] g : gradient) {
          float[] w = new float[g.length];
          for (int i = 0; i < w.length; i++) {
            w[i] =
                direction == 0
                    ? g[i]
                    : (float) (Math.abs(g[i]) * random.nextGaussian() + 0.5 * g[i]);
            squares += w[i] * w[i];
          }
          way.add(w);
        }
        double length = Math.sqrt(squares);
        double expected = 0;
        for (int p = 0; p < way.size(); p++)
          for (int i = 0; i < way.get(p).length; i++)
            expected += way.get(p)[i] / length * gradient.get(p)[i];
        double step = 1e-2;
        double up = moved(network, process, data, parameters, start, way, step / length);
        double down = moved(network, process, data, parameters, start, way, -step / length);
        // networks compute with 24 bits; the differences' own error is of second order in the step
        assertEquals(
            expected,
            (up - down) / (2 * step),
            5e-3 * Math.abs(expected) + 1e-4,
            "seed " + seed + ", direction " + direction);
      }
    }
  }

  private static double[] features(Network network, Dataset data) {
    try (NDManager sub = network.manager().newSubManager()) {
      NDArray x = sub.create(network.standard(data.inputs(), 0, N), new Shape(N, D));
      float[] z = network.features(x, false).toFloatArray();
      double[] all = new double[z.length];
      for (int i = 0; i < all.length; i++) all[i] = z[i];
      return all;
    }
  }

  private static FeatureEvidence evidence(FeatureProcess process, double[] z, Dataset data) {
    FeatureEvidence found = process.evidence(z, data.target(), null, 1);
    assertNotNull(found);
    return found;
  }

  private static List<float[]> gradient(
      Network network, FeatureProcess process, Dataset data, List<NDArray> parameters) {
    for (NDArray p : parameters) p.setRequiresGradient(true);
    try (NDManager sub = network.manager().newSubManager();
        GradientCollector collector = Torch.engine().newGradientCollector()) {
      NDArray x = sub.create(network.standard(data.inputs(), 0, N), new Shape(N, D));
      NDArray z = network.features(x, true);
      double[] slopes = evidence(process, features(network, data), data).featureGradient();
      float[] g = new float[slopes.length];
      for (int i = 0; i < g.length; i++) g[i] = (float) (-slopes[i] / N);
      collector.backward(z.mul(sub.create(g, z.getShape())).sum());
      List<float[]> all = parameters.stream().map(p -> p.getGradient().toFloatArray()).toList();
      for (NDArray p : parameters) p.setRequiresGradient(false);
      return all;
    }
  }

  private static double moved(
      Network network,
      FeatureProcess process,
      Dataset data,
      List<NDArray> parameters,
      List<float[]> start,
      List<float[]> way,
      double by) {
    for (int p = 0; p < way.size(); p++) {
      float[] values = start.get(p).clone();
      for (int i = 0; i < values.length; i++) values[i] += (float) (by * way.get(p)[i]);
      try (NDArray value = network.manager().create(values, parameters.get(p).getShape())) {
        value.copyTo(parameters.get(p));
      }
    }
    return process.objective(evidence(process, features(network, data), data).evidence(), N);
  }
}
