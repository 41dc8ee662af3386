package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.laplace.Fitted;
import lovelace.latent.LatentNeighbourGp;
import lovelace.model.Provenance;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Updates under a likelihood that is not Gaussian are fits to all rows with the same parameters.
class LikelihoodRevisionTest {

  @TempDir private Path folder;

  /// A likelihood, and how its rows are held: by the exact process, by the chain of their places,
  /// or on the points of a lattice.
  private static Stream<Arguments> cases() {
    return Stream.of(Observed.LIKELIHOODS)
        .flatMap(
            likelihood ->
                Stream.of("rows", "chain", "nodes").map(how -> Arguments.of(likelihood, how)));
  }

  private static Fit fit(String likelihood, String how) {
    Fit fit = Observed.held(likelihood, "matern32");
    return switch (how) {
      case "rows" -> fit.withEngine(Engine.EXACT);
      case "chain" -> fit.withEngine(Engine.CHAIN);
      default -> fit.withEngine(Engine.MARKOV).withGrid(GridChoice.DEFAULT.onData());
    };
  }

  private static void assertClose(Model expected, Model got) {
    double[] x = new SplittableRandom(1).doubles(20, -0.2, 2.2).toArray();
    assertArrayEquals(expected.predict(x).means(), got.predict(x).means(), 1e-8);
    assertArrayEquals(expected.predict(x).variances(), got.predict(x).variances(), 1e-8);
    assertEquals(expected.count(), got.count());
    assertEquals(expected.hyperparameters(), got.hyperparameters());
    double evidence = expected.logMarginalLikelihood();
    assertEquals(evidence, got.logMarginalLikelihood(), 1e-8 * (1 + Math.abs(evidence)));
    assertEquals(expected.provenance().fingerprint(), got.provenance().fingerprint());
    Fitted own = got.state().fitted().orElseThrow();
    assertTrue(own.steps() > 0 && own.residual() < 1e-5);
    assertEquals(own.noise().isPresent(), got.likelihood().isVarying());
    if (got.likelihood().isVarying())
      assertArrayEquals(expected.noiseDeviation(x).means(), got.noiseDeviation(x).means(), 1e-8);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void updatesForgettingAndMergesEqualFits(String likelihood, String how) throws IOException {
    Dataset all = Observed.onNodes(likelihood, 70, 5);
    Dataset part = all.rows(0, 45);
    Dataset rest = all.rows(45, 70);
    Fit fit = fit(likelihood, how);
    Model whole = fit.to(all);
    Model ofPart = fit.to(part);
    assertEquals(how.equals("nodes"), whole.lattice().isPresent());
    assertClose(whole, ofPart.with(rest));
    assertClose(ofPart, whole.without(rest));
    Path file = folder.resolve("m.lvl");
    ofPart.save(file);
    assertClose(whole, Model.load(file).with(rest));
    if (!how.equals("nodes")) assertClose(whole, Model.merge(ofPart, fit.to(rest)));
    else assertEquals(90, Model.merge(ofPart, ofPart).count());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void otherParametersEqualFits(String likelihood, String how) {
    Dataset data = Observed.onNodes(likelihood, 60, 6);
    Fit fit = fit(likelihood, how);
    Model model = fit.to(data);
    Hyperparameters other = model.hyperparameters().set("lengthscale", 0.7);
    List<String> own = other.likelihood().parameterNames();
    if (!own.isEmpty()) other = other.set(own.getFirst(), 0.3);
    Fit same = fit.set("lengthscale", 0.7);
    if (!own.isEmpty()) same = same.set(own.getFirst(), 0.3);
    assertClose(same.to(data), model.with(other));
  }

  @Test
  void aLearnedFactorOfKnownNoiseIsSaid() {
    Dataset data =
        Observed.scattered("gamma", 50, 1, 8)
            .withWeights(new SplittableRandom(8).doubles(50, 1, 30).toArray());
    for (Engine engine : new Engine[] {Engine.EXACT, Engine.SPECTRAL}) {
      Model model = Observed.held("gaussian(noise=known)", "rbf").withEngine(engine).to(data);
      Hyperparameters h = model.hyperparameters();
      assertEquals("", factor(model.learn(h.free("lengthscale"))));
      Model scaled = model.learn(h.free("noise"));
      String said =
          String.format(
              Locale.ROOT,
              "the known noise variances are multiplied by %.4g, which was learned; fix the noise at 1 to use them as given",
              scaled.hyperparameters().noise());
      assertEquals(said, factor(scaled));
      assertEquals(said, factor(scaled.with(data.rows(0, 5))), "it still holds with more rows");
      assertEquals("", factor(scaled.with(h)));
    }
  }

  private static String factor(Model model) {
    return model.provenance().notes().stream()
        .map(Provenance.Note::text)
        .filter(text -> text.contains("known noise"))
        .collect(Collectors.joining("; "));
  }

  @Test
  void neighboursKeepEveryRow() throws IOException {
    Dataset all = Observed.onNodes("poisson", 70, 5);
    Fit fit = Observed.held("poisson", "matern32").withEngine(Engine.NEIGHBOURS).withNeighbours(12);
    Model whole = fit.to(all);
    Model part = fit.to(all.rows(0, 45));
    assertClose(whole, part.with(all.rows(45, 70)));
    assertClose(part, whole.without(all.rows(45, 70)));
    Path file = folder.resolve("m.lvl");
    part.save(file);
    assertClose(whole, Model.load(file).with(all.rows(45, 70)));
    Model other = whole.with(whole.hyperparameters().set("lengthscale", 0.7));
    assertClose(fit.set("lengthscale", 0.7).to(all), other);
    assertEquals(12, ((LatentNeighbourGp) other.posterior()).neighbours());
  }

  @Test
  void learningClimbsAndSaysHowFar() {
    for (String likelihood : new String[] {"poisson", "negative-binomial", "student-t"})
      for (String how : new String[] {"rows", "chain", "nodes"}) {
        Model model = fit(likelihood, how).to(Observed.onNodes(likelihood, 60, 7));
        Hyperparameters start = model.hyperparameters();
        for (Parameter p : start.parameters()) start = start.free(p.path());
        Model learned = model.learn(start);
        assertTrue(
            learned.logMarginalLikelihood() > model.logMarginalLikelihood() + 0.1,
            likelihood + " " + how);
        assertEquals(start.size(), learned.provenance().standardErrors().size());
        assertClose(model.with(learned.hyperparameters()), learned);
        // no neighbour is likelier
        Hyperparameters h = learned.hyperparameters();
        for (int k = 0; k < h.freeSize(); k++) {
          double[] free = h.toFree();
          free[k] += 0.05;
          if (free[k] > h.freeUpper()[k]) continue;
          assertTrue(
              model.with(h.fromFree(free)).logMarginalLikelihood()
                  <= learned.logMarginalLikelihood() + 1e-4,
              likelihood + " " + how + " " + h.names().get(k));
        }
      }
  }

  private static void refused(Runnable what, String... words) {
    String message =
        String.valueOf(assertThrows(IllegalArgumentException.class, what::run).getMessage());
    for (String word : words) assertTrue(message.contains(word), message);
  }

  @Test
  void aLatticeKeepsObservationsBetweenItsPoints() throws IOException {
    for (String likelihood : Observed.LIKELIHOODS) {
      Dataset all = Observed.scattered(likelihood, 70, 1, 8);
      Dataset rest = all.rows(45, 70);
      Fit fit =
          Observed.held(likelihood, "rbf")
              .withEngine(Engine.SPECTRAL)
              .withGrid(GridChoice.DEFAULT.withPoints(30).bounded(0, 0, 1));
      Model whole = fit.to(all);
      Model part = fit.to(all.rows(0, 45));
      assertClose(whole, part.with(rest));
      assertClose(part, whole.without(rest));
      assertClose(whole, Model.merge(part, fit.to(rest)));
      Hyperparameters longer = whole.hyperparameters().set("lengthscale", 0.7);
      Model other = whole.with(longer, Engine.SPECTRAL, Options.Maker.LIBRARY);
      assertClose(fit.set("lengthscale", 0.7).to(all), other);
      Path file = folder.resolve("m.lvl");
      part.save(file);
      assertClose(whole, Model.load(file).with(rest));
    }
  }

  @Test
  void aLatticeWithVeryManyRowsBetweenItsPointsSaysPlainlyThatItKeepsNone() {
    Dataset data = Observed.scattered("poisson", 100_001, 1, 8);
    Model model =
        Observed.held("poisson", "rbf")
            .withEngine(Engine.SPECTRAL)
            .withGrid(GridChoice.DEFAULT.withPoints(20))
            .to(data);
    String[] words = {"100,000 places between", "poisson", "fit all rows again", "engine exact"};
    refused(() -> model.with(data), words);
    refused(() -> model.without(data), words);
    refused(() -> Model.merge(model, model), words);
    refused(() -> model.with(model.hyperparameters().set("lengthscale", 0.7)), words);
    refused(() -> model.learn(), words);
  }

  private static Dataset row(double x, double y, double size) {
    return Dataset.of(new double[] {x}, 1, new double[] {y}, new double[] {size});
  }

  @Test
  void wrongRowsAreNamed() {
    Model nodes = fit("poisson", "nodes").to(Observed.onNodes("poisson", 40, 9));
    assertEquals(41, nodes.with(row(0.34, 1, 1)).count());
    refused(() -> nodes.with(row(0.3, 2.5, 1)), "row 1", "2.5", "whole number");
    refused(() -> nodes.with(row(7, 1, 1)), "row 1", "'x1'", "7");
    refused(() -> nodes.without(row(0.3, 1e6, 1)), "row 1", "forget only what was added");
    refused(() -> nodes.without(row(0.3, 0, 1e6)), "row 1", "forget only what was added");
    Model rows = fit("student-t", "rows").to(Observed.onNodes("student-t", 40, 9));
    refused(() -> rows.without(row(0.3, 99, 1)), "row 1", "not among the model's rows");
    Model classes = fit("bernoulli", "rows").to(Observed.onNodes("bernoulli", 40, 9));
    refused(
        () ->
            classes.with(
                Dataset.of(
                    new double[] {0, 1},
                    List.of(Column.of("a")),
                    new double[] {1, 2},
                    Column.of("b"))),
        "row 2",
        "target 'b' is 2",
        "must be 0 or 1");
    Dataset data = Observed.onNodes("bernoulli", 40, 9);
    refused(() -> classes.without(data), "leaves none");
    refused(
        () -> Model.merge(nodes, fit("gamma", "nodes").to(Observed.onNodes("gamma", 40, 9))),
        "likelihoods",
        "poisson",
        "gamma");
    refused(
        () -> classes.with(rows.hyperparameters()),
        "likelihood",
        "bernoulli",
        "student-t",
        "fit the rows again");
  }

  @Test
  void whatIsLeftAtAPlaceMustBePossible() {
    Dataset data =
        Dataset.of(
            new double[] {0, 0, 0.5, 1}, 1, new double[] {3, 0, 1, 2}, new double[] {5, 3, 2, 2});
    Model model = fit("binomial", "rows").to(data);
    refused(() -> model.without(row(0, 0, 6)), "row 1"); // 3 of 2
    refused(() -> model.without(row(0, 4, 5)), "row 1"); // −1 of 3
    refused(() -> model.without(row(0, 0, 8)), "row 1"); // 3 of none
    assertEquals(3, model.without(row(0, 3, 5)).count());
    assertClose(fit("binomial", "rows").to(data.rows(0, 3)), model.without(row(1, 2, 2)));
  }
}
