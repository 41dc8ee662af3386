package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.deep.Architecture;
import lovelace.deep.DeepKernel;
import lovelace.deep.Settings;
import lovelace.deep.Step;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.posterior.Scores;

/// A data set for a deep RBF kernel: two features of every row, made by a network that is learned
/// once and then stays fixed, and the hyperparameters of the process over them. All methods work on
/// the same features.
final class Features {

  private final Dataset train;
  private final Dataset test;
  private final Hyperparameters hyperparameters;
  private final Grid grid;

  private Features(Dataset train, Dataset test, Hyperparameters hyperparameters, Grid grid) {
    this.train = train;
    this.test = test;
    this.hyperparameters = hyperparameters;
    this.grid = grid;
  }

  static String key(Sets set) {
    return "features-" + set.folder;
  }

  /// Learns the network of a set.
  static Cell cell(Bench bench, Sets set) {
    double seconds = bench.size().full() ? 40 + 0.003 * set.n : 3;
    return new Cell(
        key(set),
        "features of " + set.label(bench),
        seconds,
        false,
        (result, remark) -> learn(bench, set, result, remark));
  }

  private static void learn(Bench bench, Sets set, ObjectNode result, Cell.Remark remark)
      throws IOException {
    Sets.Split split = set.split(bench);
    Size size = bench.size();
    long start = System.nanoTime();
    long[] told = {start};
    Settings settings =
        Settings.DEFAULT
            .withWarmUp(size.networkSteps(), 256, 1e-3)
            .withSteps(size.jointSteps())
            .withSeed(Bench.SEED);
    Map<Step.Phase, Integer> steps = new EnumMap<>(Step.Phase.class);
    Model model =
        DeepKernel.of(Architecture.layers(size.network().layers()))
            .withSettings(settings)
            .withWatcher(
                step -> {
                  steps.put(step.phase(), step.step());
                  if (System.nanoTime() - told[0] > 15e9) {
                    told[0] = System.nanoTime();
                    remark.say(
                        String.format(
                            Locale.ROOT,
                            "%s: step %d of %d",
                            step.phase() == Step.Phase.WARM_UP ? "warm-up" : "joint steps",
                            step.step(),
                            step.of()));
                  }
                  return true;
                })
            .to(split.train());
    FeatureMap map = model.map().orElse(null);
    if (map == null) throw new IllegalStateException("a deep kernel without a map");
    Hyperparameters h = model.hyperparameters();
    Scores scores =
        Scores.of(model.predictObservation(split.test().inputs()), split.test().target());
    result.put("n", split.train().size());
    result.put("test_rows", split.test().size());
    result.put("columns", split.train().dimensions());
    result.put("network", map.toString());
    result.put("warm_up_steps", steps.getOrDefault(Step.Phase.WARM_UP, 0));
    result.put("joint_steps", steps.getOrDefault(Step.Phase.JOINT, 0));
    result.put("seconds", (System.nanoTime() - start) * 1e-9);
    result.put("rmse", scores.rmse());
    result.put("nlpd", scores.nlpd());
    result.put("kernel", h.kernel().toString());
    result.put("noise", h.noise());
    result.put("mean", h.mean().coefficients()[0]);
    ObjectNode data = result.putObject(Cell.DATA);
    Bench.put(data, "train", mapped(map, split.train()));
    Bench.put(data, "train_target", split.train().target());
    Bench.put(data, "test", mapped(map, split.test()));
    Bench.put(data, "test_target", split.test().target());
  }

  private static double[] mapped(FeatureMap map, Dataset rows) {
    double[] z = new double[rows.size() * map.outputs()];
    map.apply(rows.inputs(), rows.size(), z);
    return z;
  }

  /// The result of a finished cell.
  static Features of(Bench bench, Sets set) {
    JsonNode result = bench.result(key(set));
    JsonNode data = result.path(Cell.DATA);
    double[] z = Bench.numbers(data.path("train"));
    double[] t = Bench.numbers(data.path("test"));
    Hyperparameters h =
        Hyperparameters.of(
            Kernel.parse(result.path("kernel").asText()).attach(2),
            result.path("noise").asDouble(),
            PriorMean.constant(result.path("mean").asDouble()));
    Axis[] axes = new Axis[2];
    for (int a = 0; a < 2; a++) {
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (double[] all : new double[][] {z, t})
        for (int i = a; i < all.length; i += 2) {
          low = Math.min(low, all[i]);
          high = Math.max(high, all[i]);
        }
      axes[a] = Axis.covering(low, high, bench.size().axis());
    }
    return new Features(
        Dataset.of(z, 2, Bench.numbers(data.path("train_target"))),
        Dataset.of(t, 2, Bench.numbers(data.path("test_target"))),
        h,
        Grid.of(axes));
  }

  Dataset train() {
    return train;
  }

  Dataset test() {
    return test;
  }

  /// The first test rows.
  double[] testPoints(int most) {
    return Arrays.copyOf(test.inputs(), 2 * Math.min(most, test.size()));
  }

  Hyperparameters hyperparameters() {
    return hyperparameters;
  }

  /// A grid over the features of all rows.
  Grid grid() {
    return grid;
  }
}
