package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import lovelace.data.Dataset;
import lovelace.io.ModelFormatException;
import lovelace.kernel.Parameter.Prior;
import lovelace.laplace.Fitted;
import lovelace.laplace.Observations;
import lovelace.latent.LatentNeighbourGp;
import lovelace.lattice.LatticePosterior;
import lovelace.likelihood.Likelihood;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LikelihoodFileTest {

  private static final GridChoice TWENTY = GridChoice.DEFAULT.withPoints(20);

  @TempDir private Path folder;

  private static Stream<String> likelihoods() {
    return Stream.of(Observed.LIKELIHOODS);
  }

  private Model again(Model model) throws IOException {
    Path file = folder.resolve("m.lvl");
    model.save(file);
    return Model.load(file);
  }

  private static void assertSame(Model a, Model b) {
    int d = a.columns().size();
    double[] x = new SplittableRandom(3).doubles(20L * d, -0.5, 1.5).toArray();
    assertSame(a.posterior(), b.posterior(), x);
    assertEquals(a.hyperparameters(), b.hyperparameters());
    assertEquals(a.likelihood(), b.likelihood());
    assertEquals(a.logMarginalLikelihood(), b.logMarginalLikelihood());
    assertEquals(a.provenance(), b.provenance());
    assertEquals(a.count(), b.count());
    Fitted f = a.state().fitted().orElseThrow();
    Fitted g = b.state().fitted().orElseThrow();
    assertEquals(f.steps(), g.steps());
    assertEquals(f.residual(), g.residual());
    assertEquals(f.data().isPresent(), g.data().isPresent());
    assertEquals(f.noise().isPresent(), g.noise().isPresent());
    assertEquals(a.likelihood().isVarying(), f.noise().isPresent());
    f.noise().ifPresent(noise -> assertSame(noise, g.noise().orElseThrow(), x));
    f.data().ifPresent(data -> assertSame(data, g.data().orElseThrow()));
  }

  private static void assertSame(Posterior a, Posterior b, double[] x) {
    Prediction p = a.predict(x);
    Prediction q = b.predict(x);
    assertArrayEquals(p.means(), q.means());
    assertArrayEquals(p.variances(), q.variances());
    assertArrayEquals(
        a.sample(x, 2, new SplittableRandom(1)), b.sample(x, 2, new SplittableRandom(1)));
  }

  private static void assertSame(Observations a, Observations b) {
    assertArrayEquals(a.places(), b.places());
    assertArrayEquals(a.values(), b.values());
    assertArrayEquals(a.sizes(), b.sizes());
    assertArrayEquals(a.extras(), b.extras());
    assertEquals(a.rows(), b.rows());
  }

  @ParameterizedTest
  @MethodSource("likelihoods")
  void rowsComeBackToTheBit(String likelihood) throws IOException {
    Dataset data = Observed.scattered(likelihood, 60, 2, 1);
    Model model = Observed.held(likelihood, "rbf").withEngine(Engine.EXACT).to(data);
    assertEquals(60, model.count());
    assertTrue(model.state().fitted().orElseThrow().data().isPresent());
    assertSame(model, again(model));
  }

  @ParameterizedTest
  @MethodSource("likelihoods")
  void latticesComeBackToTheBit(String likelihood) throws IOException {
    Dataset data = Observed.scattered(likelihood, 80, 1, 2);
    Model model =
        Observed.held(likelihood, "rbf").withEngine(Engine.SPECTRAL).withGrid(TWENTY).to(data);
    assertInstanceOf(LatticePosterior.class, model.posterior());
    assertEquals(80, model.state().fitted().orElseThrow().data().orElseThrow().rows());
    assertEquals(80, model.count());
    assertSame(model, again(model));
  }

  @ParameterizedTest
  @MethodSource("likelihoods")
  void latticesOfNodesKeepTheirObservations(String likelihood) throws IOException {
    Dataset data = Observed.onNodes(likelihood, 90, 3);
    Model model =
        Observed.held(likelihood, "matern32")
            .withEngine(Engine.MARKOV)
            .withGrid(GridChoice.DEFAULT.onData())
            .to(data);
    assertInstanceOf(LatticePosterior.class, model.posterior());
    Observations kept = model.state().fitted().orElseThrow().data().orElseThrow();
    assertEquals(90, kept.rows());
    assertEquals(model.likelihood().adds() ? 21 : 90, kept.size());
    assertEquals(90, model.count());
    assertSame(model, again(model));
  }

  @Test
  void chainsAndSitesAndSumsComeBack() throws IOException {
    for (String likelihood : new String[] {"poisson", "gaussian(noise=varying)"}) {
      Model chain =
          Observed.held(likelihood, "matern52")
              .withEngine(Engine.CHAIN)
              .to(Observed.scattered(likelihood, 70, 1, 4));
      assertTrue(chain.held().isPresent());
      assertSame(chain, again(chain));
    }
    Model sites =
        Observed.held("poisson", "matern12")
            .withEngine(Engine.SITES)
            .to(Observed.scattered("poisson", 70, 2, 5));
    assertTrue(sites.held().isPresent());
    assertSame(sites, again(sites));
    Model near =
        Observed.held("poisson", "matern32")
            .withEngine(Engine.NEIGHBOURS)
            .withNeighbours(20)
            .to(Observed.scattered("poisson", 90, 2, 5));
    assertInstanceOf(LatentNeighbourGp.class, near.posterior());
    assertSame(near, again(near));
    Model sum =
        Observed.held("poisson", "rbf")
            .withShape(Options.Shape.ADDITIVE)
            .withGrid(TWENTY)
            .to(Observed.scattered("poisson", 70, 2, 6));
    assertSame(sum, again(sum));
  }

  @Test
  void parametersKeepBoundsPriorsAndWhetherTheyAreHeld() throws IOException {
    Model model =
        Observed.held("student-t", "rbf")
            .withEngine(Engine.EXACT)
            .to(Observed.scattered("student-t", 40, 1, 7));
    Model other =
        model.with(
            model
                .hyperparameters()
                .fix("df", 5)
                .withBounds("noise", 1e-3, 7)
                .withPrior("noise", Prior.gamma(2, 3)));
    Model loaded = again(other);
    assertEquals(other.hyperparameters(), loaded.hyperparameters());
    assertTrue(loaded.hyperparameters().parameter("df").fixed());
    assertArrayEquals(
        new double[] {loaded.likelihood().values()[0], 5}, loaded.likelihood().values());
  }

  @Test
  void noiseThatIsKnownComesBackAsKnown() throws IOException {
    Dataset data =
        Observed.scattered("gamma", 50, 1, 8)
            .withWeights(new SplittableRandom(8).doubles(50, 1, 30).toArray());
    for (Engine engine : new Engine[] {Engine.EXACT, Engine.SPECTRAL}) {
      Model model = Observed.held("gaussian(noise=known)", "rbf").withEngine(engine).to(data);
      Model loaded = again(model);
      assertEquals(Likelihood.gaussianKnown(), loaded.likelihood());
      assertEquals(model.hyperparameters(), loaded.hyperparameters());
      assertSame(model.posterior(), loaded.posterior(), new double[] {0.2, 0.9});
      assertEquals(2, version());
    }
  }

  private int version() throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(folder.resolve("m.lvl")))
        .order(ByteOrder.LITTLE_ENDIAN)
        .getInt(8);
  }

  @Test
  void onlyFilesThatNeedItHaveTheNewerFormat() throws IOException {
    Dataset data = Observed.scattered("gamma", 30, 1, 9);
    Model gaussian = Observed.held("gaussian", "rbf").withEngine(Engine.EXACT).to(data);
    again(gaussian);
    assertEquals(1, version());
    again(Observed.held("gamma", "rbf").withEngine(Engine.EXACT).to(data));
    assertEquals(2, version());
  }

  /// Every byte of the text that names likelihood and mode is guarded.
  @Test
  void damagedFilesAreRefused() throws IOException {
    again(
        Observed.held("gaussian(noise=varying)", "rbf")
            .withEngine(Engine.EXACT)
            .to(Observed.scattered("gaussian", 20, 1, 10)));
    Path file = folder.resolve("m.lvl");
    byte[] whole = Files.readAllBytes(file);
    var random = new SplittableRandom(11);
    for (int k = 0; k < 40; k++) {
      byte[] bytes = whole.clone();
      int at = random.nextInt(bytes.length);
      bytes[at] ^= 0x20;
      Files.write(file, bytes);
      assertThrows(ModelFormatException.class, () -> Model.load(file), "byte " + at);
    }
  }
}
