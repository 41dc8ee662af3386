package lovelace.deep;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.AbstractBlock;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.Dropout;
import ai.djl.training.ParameterStore;
import ai.djl.util.PairList;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.Trust;
import lovelace.lattice.MappedPosterior;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeepKernelTest {

  private static final Settings SMALL =
      Settings.DEFAULT
          .withWarmUp(300, 64, 5e-3)
          .withSteps(15)
          .withRates(1e-3, 0.05)
          .withWeightDecay(0.01)
          .withHeldOut(0.15)
          .withPatience(10, 50);

  private static final Architecture NETWORK = Architecture.layers(32, 16, 2);

  /// Few rows can ask for a fine grid, which would take its time.
  private static DeepKernel kernel(Architecture network, Settings settings) {
    return DeepKernel.of(network)
        .withSettings(settings)
        .withFit(Fit.DEFAULT.withGrid(GridChoice.DEFAULT.withPoints(24)));
  }

  /// A smooth function of a few directions of the columns, with noise of variance 0.01.
  static Dataset table(int n, int d, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = new double[n * d];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      double a = 0;
      double b = 0;
      for (int j = 0; j < d; j++) {
        x[i * d + j] = 5 + 2 * random.nextGaussian();
        double s = (x[i * d + j] - 5) / 2;
        a += s * (j % 2 == 0 ? 0.7 : -0.4);
        b += s * (j % 3 == 0 ? 0.5 : 0.3);
      }
      y[i] = 3 + Math.sin(1.5 * a) + 0.5 * b * b + 0.1 * random.nextGaussian();
    }
    return Dataset.of(x, d, y);
  }

  private static Model small(Dataset data) {
    return kernel(NETWORK, SMALL).to(data);
  }

  @Test
  void learnsWhatALineCannotAndKnowsItsErrors() {
    Dataset all = table(1200, 5, 3);
    Model model = small(all.rows(0, 1000));
    Dataset test = all.rows(1000, 1200);
    Scores scores = Scores.of(model.predictObservation(test.inputs()), test.target());
    double spread = spread(test.target());
    assertTrue(scores.rmse() < 0.45 * spread, () -> scores + " beside a spread of " + spread);
    assertTrue(scores.coverage(0.95) > 0.88, scores::toString);
    assertEquals(1000, model.count());
    assertTrue(
        model.provenance().notes().stream().anyMatch(note -> note.name().equals("calibration")));
    assertTrue(
        model.provenance().notes().stream()
            .anyMatch(note -> note.words().contains("rows held out")));
  }

  private static double spread(double[] y) {
    double mean = Arrays.stream(y).average().orElse(0);
    return Math.sqrt(Arrays.stream(y).map(v -> (v - mean) * (v - mean)).average().orElse(0));
  }

  @Test
  void sameSeedGivesTheSameModel() {
    Dataset data = table(400, 4, 5);
    Architecture dropping = NETWORK.withDropout(0.2);
    Settings settings = SMALL.withWarmUp(60, 64, 5e-3).withSteps(4);
    double[] points = table(10, 4, 6).inputs();
    DeepKernel kernel = kernel(dropping, settings);
    assertArrayEquals(
        kernel.to(data).predict(points).means(), kernel.to(data).predict(points).means());
  }

  @Test
  void someBatchesOfASourceMayHaveNoWeights() throws IOException {
    Dataset plain = table(120, 3, 31);
    double[] w = new double[120];
    for (int i = 0; i < w.length; i++) w[i] = i < 40 || i >= 80 ? 1 : 5;
    Dataset whole = Dataset.of(plain.inputs(), 3, plain.target(), w);
    Source mixed =
        new Source() {
          @Override
          public List<Column> columns() {
            return whole.columns();
          }

          @Override
          public Column target() {
            return whole.targetColumn();
          }

          @Override
          public void read(Sink sink) {
            for (int from = 0; from < 120; from += 40) {
              Dataset part = whole.rows(from, from + 40);
              Optional<double[]> own =
                  from == 40 ? Optional.of(Arrays.copyOfRange(w, 40, 80)) : Optional.empty();
              sink.accept(40, part.inputs(), part.target(), own);
            }
          }
        };
    DeepKernel kernel = kernel(NETWORK, SMALL.withWarmUp(5, 32, 5e-3).withSteps(1));
    double[] x = Arrays.copyOf(whole.inputs(), 30);
    Prediction expected = kernel.to(Source.of(whole)).predict(x);
    Prediction found = kernel.to(mixed).predict(x);
    assertArrayEquals(expected.variances(), found.variances(), 1e-12);
  }

  @Test
  void fileHoldsTheNetworkAndPredictsToTheBit(@TempDir Path folder) throws IOException {
    Dataset data = table(400, 4, 7);
    Model model = small(data);
    Path file = folder.resolve("deep.lvl");
    model.save(file);
    Model read = Model.load(file);
    double[] points = table(200, 4, 8).inputs();
    Prediction expected = model.predict(points);
    assertArrayEquals(expected.means(), read.predict(points).means());
    assertArrayEquals(expected.variances(), read.predict(points).variances());
    assertEquals(model.map(), read.map());
    // one row alone is what it is among others
    for (int i = 0; i < 5; i++) {
      Prediction one = read.predict(Arrays.copyOfRange(points, 4 * i, 4 * i + 4));
      assertEquals(expected.mean(i), one.mean(0));
      assertEquals(expected.variance(i), one.variance(0));
    }
  }

  @Test
  void updateMovesStatisticsAndKeepsTheNetwork() throws IOException {
    Dataset all = table(500, 4, 9);
    Model model = small(all.rows(0, 400));
    Model more =
        model.with(
            Source.of(all.rows(400, 500)), Outside.SKIP, new Options.Maker("test", "update"));
    assertEquals(model.map(), more.map());
    assertTrue(more.count() > model.count());
  }

  @Test
  void moreThanThreeFeaturesAreASum(@TempDir Path folder) throws IOException {
    Dataset data = table(400, 6, 13);
    Model model = kernel(Architecture.layers(24, 5), SMALL.withSteps(5)).to(data);
    assertEquals(5, ((MappedPosterior) model.posterior()).inner().dimensions());
    Path file = folder.resolve("sum.lvl");
    model.save(file);
    double[] points = table(7, 6, 14).inputs();
    assertArrayEquals(model.predict(points).means(), Model.load(file).predict(points).means());
  }

  @Test
  void pullBackIsTheTransposedJacobian() {
    Dataset data = table(400, 4, 15);
    FeatureMap map = small(data).map().orElseThrow();
    double[] x = Arrays.copyOf(data.inputs(), 4);
    x[1] = 5 + 2 * 12; // twelve spreads out
    double[] g = {0.7, -0.2};
    double[] back = new double[4];
    map.pullBack(x, 0, g, 0, back, 0);
    double step = 1e-2;
    for (int j = 0; j < 4; j++) {
      double[] ends = new double[2];
      for (int side = 0; side < 2; side++) {
        double[] at = x.clone();
        at[j] += side == 0 ? step : -step;
        double[] z = new double[2];
        map.apply(at, 1, z);
        ends[side] = g[0] * z[0] + g[1] * z[1];
      }
      assertEquals((ends[0] - ends[1]) / (2 * step), back[j], 2e-3);
    }
  }

  @Test
  void trainingGoesOnFromACheckpointAsIfItHadNotStopped(@TempDir Path folder) {
    Dataset data = table(400, 4, 17);
    Settings settings = SMALL.withWarmUp(100, 64, 5e-3).withSteps(8);
    DeepKernel kernel = kernel(NETWORK.withDropout(0.1), settings);
    double[] points = table(10, 4, 18).inputs();
    double[] whole = kernel.to(data).predict(points).means();
    Path file = folder.resolve("state");
    // stop in the warm-up, then in the joint steps, then go through
    for (Step.Phase phase : Step.Phase.values()) {
      kernel
          .withCheckpoint(file)
          .withWatcher(
              s -> !(s.phase() == phase && s.step() >= (phase == Step.Phase.WARM_UP ? 50 : 4)))
          .to(data);
      assertTrue(Files.exists(file));
    }
    List<Step> seen = new ArrayList<>();
    Model resumed = kernel.withCheckpoint(file).withWatcher(seen::add).to(data);
    assertEquals(5, seen.getFirst().step());
    assertArrayEquals(whole, resumed.predict(points).means());
    assertFalse(Files.exists(file));
  }

  @Test
  void checkpointOfOtherRowsIsRefused(@TempDir Path folder) {
    Path file = folder.resolve("state");
    Settings settings = SMALL.withWarmUp(100, 64, 5e-3).withSteps(2);
    DeepKernel kernel = kernel(NETWORK, settings).withCheckpoint(file);
    kernel.withWatcher(s -> false).to(table(200, 4, 19));
    var e = assertThrows(IllegalArgumentException.class, () -> kernel.to(table(200, 4, 20)));
    assertTrue(String.valueOf(e.getMessage()).contains("other rows"), e::toString);
  }

  /// Two layers and a jump over them.
  public static class Jump extends AbstractBlock {
    private final Block inner = addChildBlock("inner", Layers.block(List.of(8, 4), 0, "Tanh"));
    private final Block last = addChildBlock("last", Linear.builder().setUnits(2).build());

    @Override
    protected NDList forwardInternal(
        ParameterStore store, NDList x, boolean training, PairList<String, Object> parameters) {
      return last.forward(
          store,
          new NDList(inner.forward(store, x, training).singletonOrThrow().add(x.get(0))),
          training);
    }

    @Override
    public Shape[] getOutputShapes(Shape[] inputs) {
      return new Shape[] {new Shape(inputs[0].get(0), 2)};
    }

    @Override
    protected void initializeChildBlocks(
        NDManager manager, ai.djl.ndarray.types.DataType type, Shape... inputs) {
      inner.initialize(manager, type, inputs);
      last.initialize(manager, type, inputs);
    }
  }

  @Test
  void aNetworkReadsNoWords() {
    Dataset rows =
        Dataset.of(
            new double[] {0, 1, 0, 1},
            List.of(Column.of("colour", List.of("red", "green"))),
            new double[] {1, 2, 3, 4},
            Column.of("y"));
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> DeepKernel.of(Architecture.layers(4, 2)).to(rows));
    assertTrue(String.valueOf(e.getMessage()).contains("'colour' holds words"), e.getMessage());
  }

  @Test
  void takesBlocksOfTheCallers(@TempDir Path folder) throws IOException {
    Dataset data = table(400, 4, 21);
    Settings settings = SMALL.withWarmUp(50, 64, 5e-3).withSteps(2);
    SequentialBlock sequence =
        new SequentialBlock()
            .add(Linear.builder().setUnits(8).optBias(false).build())
            .add(Activation.geluBlock())
            .add(Dropout.builder().optRate(0.1f).build())
            .add(new SequentialBlock().add(Linear.builder().setUnits(2).build()));
    for (Block block : List.of(sequence, new Jump())) {
      Model model = kernel(Architecture.of(block), settings).to(data);
      Path file = folder.resolve("own.lvl");
      model.save(file);
      assertArrayEquals(
          model.predict(data.inputs()).means(),
          Model.load(file, Trust.CODE).predict(data.inputs()).means());
    }
    Block unnamed = new SequentialBlock().addSingleton(x -> x.mul(2));
    var e = assertThrows(IllegalArgumentException.class, () -> Architecture.of(unnamed));
    assertTrue(String.valueOf(e.getMessage()).contains("TorchScript"), e::toString);
  }

  /// `tanh.pt` is tanh(x W₁ᵀ + b₁) W₂ᵀ + b₂ of four columns, trained elsewhere.
  @Test
  void pretrainedTorchScriptIsAStartThatLearnsAndTravels(@TempDir Path folder) throws Exception {
    try (InputStream in =
        Objects.requireNonNull(DeepKernelTest.class.getResourceAsStream("tanh.pt"))) {
      Files.copy(in, folder.resolve("tanh.pt"));
    }
    Dataset data = table(400, 4, 23);
    try (var pretrained = ai.djl.Model.newInstance("tanh", "PyTorch")) {
      pretrained.load(folder, "tanh");
      Architecture still = Architecture.of(pretrained.getBlock());
      var e = assertThrows(IllegalArgumentException.class, () -> DeepKernel.of(still).to(data));
      assertTrue(String.valueOf(e.getMessage()).contains("trainParam=true"), e::toString);
    }
    try (var pretrained = ai.djl.Model.newInstance("tanh", "PyTorch")) {
      pretrained.load(folder, "tanh", Map.of("trainParam", "true"));
      Block block = pretrained.getBlock();
      float[] before = block.getParameters().valueAt(0).getArray().toFloatArray();
      Architecture network = Architecture.of(block);
      kernel(network, SMALL.withWarmUp(0, 64, 1e-3).withSteps(0)).to(data);
      assertArrayEquals(before, block.getParameters().valueAt(0).getArray().toFloatArray());
      Model model = kernel(network, SMALL.withWarmUp(50, 64, 5e-3).withSteps(3)).to(data);
      float[] after = block.getParameters().valueAt(0).getArray().toFloatArray();
      assertFalse(Arrays.equals(before, after));
      Path file = folder.resolve("script.lvl");
      model.save(file);
      assertArrayEquals(
          model.predict(data.inputs()).means(),
          Model.load(file, Trust.CODE).predict(data.inputs()).means());
    }
  }

  @Test
  void dropoutIsForTrainingAlone() {
    Dataset data = table(100, 4, 25);
    Rows rows = new Rows(data, 0, 1);
    try (Network network = Network.of(NETWORK.withDropout(0.5), rows.centre, rows.scale, 1);
        NDManager sub = network.manager().newSubManager()) {
      NDArray x = sub.create(network.standard(data.inputs(), 0, 100), new Shape(100, 4));
      float[] still = network.features(x, false).toFloatArray();
      assertArrayEquals(still, network.features(x, false).toFloatArray());
      assertFalse(Arrays.equals(still, network.features(x, true).toFloatArray()));
      assertFalse(
          Arrays.equals(
              network.features(x, true).toFloatArray(), network.features(x, true).toFloatArray()));
    }
  }

  @Test
  void wrongSettingsAreNamed() {
    var e = assertThrows(IllegalArgumentException.class, () -> SMALL.withHeldOut(0.7));
    assertTrue(String.valueOf(e.getMessage()).contains("heldOut"), e::toString);
    assertThrows(IllegalArgumentException.class, Architecture::layers);
    assertThrows(IllegalArgumentException.class, () -> Architecture.layers(10, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> DeepKernel.of(NETWORK).withFit(Fit.DEFAULT.withLikelihood("poisson")));
    assertThrows(
        IllegalArgumentException.class,
        () -> DeepKernel.of(NETWORK).withFit(Fit.DEFAULT.withEngine(Engine.EXACT)));
  }
}
