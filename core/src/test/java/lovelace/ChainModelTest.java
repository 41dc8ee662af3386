package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.chain.ChainGp;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.RowPosterior;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Models whose Markov chain has its nodes at the places of the rows.
class ChainModelTest {

  private static final Options.Maker MAKER = new Options.Maker("1", "test");
  private static final Fit CHAIN = Fit.DEFAULT.withKernel("matern32").withEngine(Engine.CHAIN);

  private static Dataset data(int n, boolean weighted) {
    var random = new SplittableRandom(5);
    double[] x = random.doubles(n, 0, 4).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      if (i % 7 == 3) x[i] = x[i - 1];
      y[i] = Math.exp(Math.sin(2 * x[i]) + 0.2 * random.nextGaussian());
    }
    return weighted
        ? Dataset.of(x, 1, y, random.doubles(n, 0.5, 2).toArray())
        : Dataset.of(x, 1, y);
  }

  private static double[] points() {
    return new SplittableRandom(6).doubles(100, -1, 5).toArray();
  }

  private static void assertAlike(Model expected, Model actual, double slack) {
    assertEquals(expected.count(), actual.count());
    Prediction p = expected.predict(points());
    Prediction q = actual.predict(points());
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.mean(i), q.mean(i), slack * p.deviation(i));
      assertEquals(1, q.variance(i) / p.variance(i), slack);
    }
    assertEquals(expected.logMarginalLikelihood(), actual.logMarginalLikelihood(), slack);
  }

  @Test
  void parametersThatAreGivenMakeTheExactModel() {
    Dataset rows = data(300, true);
    Fit fit =
        CHAIN
            .withTransform(TargetTransform.LOG)
            .withMean("linear")
            .withTraining(false)
            .set("lengthscale", 0.6)
            .set("outputscale", 0.4)
            .set("noise", 0.003)
            .set("mean", 0.2)
            .set("slope", -0.1);
    Model chain = fit.to(rows);
    assertInstanceOf(ChainGp.class, chain.posterior());
    assertAlike(fit.withEngine(Engine.EXACT).to(rows), chain, 1e-7);
    String notes = chain.provenance().notes().toString();
    assertTrue(notes.contains("nodes are the 257 places of the rows"), notes);
    assertTrue(notes.contains("holds: the rows themselves"), notes);
  }

  /// Two optimisers that stop at their own tolerance come to the same parameters.
  @Test
  void learningEndsWhereTheExactModelDoes() {
    Dataset rows = data(200, false);
    Model chain = CHAIN.to(rows);
    Model exact = CHAIN.withEngine(Engine.EXACT).to(rows);
    assertEquals(exact.logMarginalLikelihood(), chain.logMarginalLikelihood(), 1e-4);
    double[] mine = chain.hyperparameters().values();
    double[] theirs = exact.hyperparameters().values();
    List<Double> errors = chain.provenance().standardErrors();
    List<Double> others = exact.provenance().standardErrors();
    assertEquals(mine.length, errors.size());
    for (int i = 0; i < mine.length; i++) {
      assertEquals(theirs[i], mine[i], 0.02 * errors.get(i));
      assertEquals(1, errors.get(i) / others.get(i), 0.05);
    }
    assertTrue(chain.provenance().trace().size() > 1);
  }

  @Test
  void filesKeepEveryBit(@TempDir Path folder) throws IOException {
    Model model = CHAIN.withTransform(TargetTransform.LOG).to(data(150, true));
    Path file = folder.resolve("m.lvl");
    model.save(file);
    Model loaded = Model.load(file);
    assertInstanceOf(ChainGp.class, loaded.posterior());
    Prediction p = model.predict(points());
    Prediction q = loaded.predict(points());
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.mean(i), q.mean(i));
      assertEquals(p.variance(i), q.variance(i));
    }
    assertEquals(model.hyperparameters(), loaded.hyperparameters());
    assertEquals(model.logMarginalLikelihood(), loaded.logMarginalLikelihood());
    assertEquals(model.provenance(), loaded.provenance());
  }

  @Test
  void updatesAndMergesAreFitsOfAllRows() throws IOException {
    Dataset all = data(400, true);
    Model first = CHAIN.to(all.rows(0, 250));
    Source more = Source.of(all.rows(250, 400));
    Hyperparameters h = first.hyperparameters();
    Model union = with(h).to(all);
    Model updated = first.with(more, Outside.ERROR, MAKER);
    assertAlike(union, updated, 1e-8);
    assertAlike(first, updated.without(more, Outside.ERROR, MAKER), 1e-8);
    var both = new LinkedHashMap<String, Model>();
    both.put("a", first);
    both.put("b", with(h).to(all.rows(250, 400)));
    assertAlike(union, Model.merge(both, MAKER), 1e-8);
    both.put("b", with(h).withEngine(Engine.EXACT).to(all.rows(250, 400)));
    assertAlike(union, Model.merge(both, MAKER), 1e-8); // rows are rows
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> first.with(h, Engine.SPECTRAL, MAKER))
            .toString()
            .contains("use engine auto or chain"));
  }

  private static Fit with(Hyperparameters h) {
    return CHAIN
        .withTraining(false)
        .set("lengthscale", h.kernel().values()[1])
        .set("outputscale", h.kernel().values()[0])
        .set("noise", h.noise())
        .set("mean", h.mean().coefficients());
  }

  @Test
  void otherParametersAndLearningAnewStayOnTheRows() {
    Dataset rows = data(120, false);
    Model model = CHAIN.to(rows);
    Hyperparameters learned = model.hyperparameters();
    Hyperparameters off = learned.set("noise", 3 * learned.noise());
    Model changed = model.with(off, Engine.AUTO, MAKER);
    assertEquals(
        ExactGp.of(rows, off).logMarginalLikelihood(), changed.logMarginalLikelihood(), 1e-7);
    Model again = changed.learn(off, Engine.CHAIN, Fit.DEFAULT.learning(), MAKER);
    assertInstanceOf(ChainGp.class, again.posterior());
    assertEquals(model.logMarginalLikelihood(), again.logMarginalLikelihood(), 1e-4);
  }

  private static Class<? extends Posterior> kind(Fit fit, Dataset rows) {
    return fit.to(rows).posterior().getClass();
  }

  @Test
  void latticesAreForThoseWhoAskForOne() {
    Dataset rows = data(200, false);
    GridChoice points = GridChoice.DEFAULT.withPoints(200);
    GridChoice range = GridChoice.DEFAULT.including(0, -1, 5);
    Fit fit =
        CHAIN
            .withTraining(false)
            .set("lengthscale", 0.6)
            .set("outputscale", 1)
            .set("noise", 0.1)
            .set("mean", 1);
    for (Fit other : List.of(fit.withEngine(Engine.MARKOV), fit.withEngine(Engine.AUTO))) {
      assertEquals(LatticePosterior.class, kind(other.withGrid(points), rows));
      assertEquals(LatticePosterior.class, kind(other.withGrid(range), rows));
      assertEquals(LatticePosterior.class, kind(other.withShape(Options.Shape.GRID), rows));
    }
    assertEquals(ChainGp.class, kind(fit, rows));
    assertEquals(ChainGp.class, kind(fit.withEngine(Engine.AUTO), rows));
    assertEquals(LatticePosterior.class, kind(fit.withEngine(Engine.MARKOV), rows));
    assertEquals(Engine.CHAIN, fit.withEngine(Engine.AUTO).to(rows).plan().chosen());
    assertTrue(fit.to(rows).posterior() instanceof RowPosterior);
    assertThrows(IllegalArgumentException.class, () -> fit.withKernel("rbf").to(rows));
  }

  /// The cheapest exact engine is the remedy for a grid that is too coarse.
  @Test
  void aCoarseGridNamesTheChain() {
    Fit fit = CHAIN.withEngine(Engine.MARKOV).withGrid(GridChoice.DEFAULT.withPoints(12));
    Model coarse = fit.to(data(200, false));
    assertEquals(Optional.of(Engine.CHAIN), coarse.missed().orElseThrow().exact());
  }

  /// 20,000 rows over few lengthscales are many more than the points of a lattice that meets the
  /// tolerance; over many lengthscales, or where no lattice meets it, the rows cost less.
  @Test
  void manyRowsAreALatticeWhereThatCostsLessAndLearningFollowsTheSameRule() {
    int n = 20_000;
    var random = new SplittableRandom(3);
    double[] x = random.doubles(n, 0, 10).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(x[i]) + 0.5 * random.nextGaussian();
    Dataset rows = Dataset.of(x, 1, y);
    Fit auto = Fit.DEFAULT.withKernel("matern52").fix("noise", 0.25).fix("mean", 0);
    Fit given = auto.withTraining(false).set("outputscale", 1).set("lengthscale", 3);
    assertEquals(LatticePosterior.class, kind(given, rows));
    assertEquals(ChainGp.class, kind(given.set("lengthscale", 0.01), rows));
    Model learned = auto.fix("outputscale", 1).set("lengthscale", 0.01).to(rows);
    assertEquals(
        kind(given.set("lengthscale", learned.hyperparameters().kernel().values()[1]), rows),
        learned.posterior().getClass());
    assertInstanceOf(LatticePosterior.class, learned.posterior());
    assertTrue(learned.provenance().standardErrors().size() > 0);
  }
}
