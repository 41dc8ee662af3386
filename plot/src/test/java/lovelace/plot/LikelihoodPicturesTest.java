package lovelace.plot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LikelihoodPicturesTest {

  private static final int ROWS = 30;

  private static Dataset data(Likelihood likelihood, int d) {
    var random = new SplittableRandom(5);
    double[] x = random.doubles((long) ROWS * d, 0, 3).toArray();
    double[] y = new double[ROWS];
    double[] sizes = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      sizes[i] =
          switch (likelihood.size()) {
            case EXPOSURE, TRIALS -> 1 + random.nextInt(4);
            default -> 1;
          };
      y[i] = likelihood.law(Of.OBSERVATION, sizes[i]).draw(2 * Math.sin(2 * x[i * d]), random);
    }
    List<Column> inputs = List.of(Column.of("east", "km"), Column.of("north", "km")).subList(0, d);
    Column target = Column.of("calls");
    if (likelihood.name().equals("bernoulli")) target = Column.of("rain", List.of("dry", "wet"));
    Dataset rows = Dataset.of(x, inputs, y, target);
    return likelihood.size() == Likelihood.Size.EXPOSURE
            || likelihood.size() == Likelihood.Size.TRIALS
        ? rows.withWeights(sizes)
        : rows;
  }

  private static Model model(String text, int d) {
    Likelihood likelihood = Likelihood.parse(text);
    double[] values = new double[likelihood.parameterNames().size()];
    for (int i = 0; i < values.length; i++)
      values[i] = likelihood.parameterNames().get(i).equals("df") ? 4 : 0.3;
    Fit fit =
        Fit.DEFAULT
            .withLikelihood(likelihood)
            .withKernel("matern52")
            .withTraining(false)
            .set("lengthscale", 0.8)
            .set("outputscale", 1)
            .set("mean", 0);
    for (int i = 0; i < values.length; i++)
      fit = fit.set(likelihood.parameterNames().get(i), values[i]);
    if (likelihood.isVarying())
      return Fit.DEFAULT
          .withLikelihood(likelihood)
          .withKernel("rbf")
          .to(data(Likelihood.gaussian().with(0.1), d));
    return fit.to(data(likelihood.with(values), d));
  }

  private static double[] numbers(Map<String, Object> of, String name) {
    return Objects.requireNonNull((double[]) of.get(name));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> layer(Picture plot, String name) {
    return Objects.requireNonNull(
            (List<Map<String, Object>>) plot.panels().getFirst().get("layers"))
        .stream()
        .filter(layer -> String.valueOf(layer.get("name")).startsWith(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "poisson, rate of calls, the rate",
    "negative-binomial, rate of calls, the rate",
    "bernoulli, probability of rain = wet, the probability",
    "bernoulli(link=probit), probability of rain = wet, the probability",
    "binomial, probability of a success (calls), the probability",
    "gamma, mean of calls, the rate",
    "student-t, calls, the function",
  })
  void curvesAreOfTheRateOrTheProbability(String likelihood, String label, String subtitle) {
    Model model = model(likelihood, 1);
    Picture plot = Pictures.posterior(model, null, Pictures.Options.DEFAULT);
    String svg = plot.svg();
    assertTrue(svg.contains(">" + label + "<"), svg);
    assertTrue(svg.contains("bands are of " + subtitle), svg);
    assertTrue(svg.contains(likelihood), svg);
    double[] x = numbers(layer(plot, "mean"), "x");
    Of of = model.likelihood().usual();
    assertArrayEquals(model.predict(x, of).means(), numbers(layer(plot, "mean"), "y"));
    double[] low = numbers(layer(plot, "95"), "y");
    double[] high = numbers(layer(plot, "95"), "upper");
    for (int i = 0; i < low.length; i++) {
      assertTrue(low[i] <= high[i]);
      if (of != Of.FUNCTION) assertTrue(low[i] >= 0, "a rate is positive");
      if (of == Of.PROBABILITY) assertTrue(high[i] <= 1, "a probability is at most 1");
    }
  }

  @Test
  void dotsAreCountsPerExposureAndSharesOfTrials() {
    for (String likelihood : List.of("poisson", "binomial")) {
      Model model = model(likelihood, 1);
      Dataset rows = model.observed().orElseThrow();
      Picture plot = Pictures.posterior(model, null, Pictures.Options.DEFAULT);
      double[] y = numbers(layer(plot, "data"), "y");
      for (int i = 0; i < y.length; i++)
        assertEquals(rows.target()[i] / rows.weight(i), y[i], 1e-12);
    }
  }

  @Test
  void classesLieAtZeroAndOneOrALittleBeyond() {
    Picture plot = Pictures.posterior(model("bernoulli", 1), null, Pictures.Options.DEFAULT);
    double[] y = numbers(layer(plot, "data"), "y");
    assertEquals(ROWS, y.length);
    for (double v : y) assertTrue((v <= 0 && v >= -0.05) || (v >= 1 && v <= 1.05), "mark at " + v);
  }

  @Test
  void latentFunctionHasNoTargetsBesideIt() {
    Picture plot =
        Pictures.posterior(model("poisson", 1), null, new Pictures.Options(1, Of.FUNCTION, 1));
    assertEquals("heap", layer(plot, "data").get("kind"));
    assertTrue(plot.svg().contains("latent function of calls"));
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                Pictures.posterior(
                    model("poisson", 1), null, new Pictures.Options(1, Of.PROBABILITY, 1)));
    assertTrue(
        String.valueOf(e.getMessage()).contains("function or rate or observation"), e.getMessage());
  }

  @Test
  void bandOfObservationsIsAroundNoiseThatVaries() {
    Model model = model("gaussian(noise=varying)", 1);
    Picture plot = Pictures.posterior(model, null, new Pictures.Options(1, Of.FUNCTION, 1));
    double[] rows = numbers(layer(plot, "95 % of observations"), "upper");
    double[] function = numbers(layer(plot, "95 % interval"), "upper");
    for (int i = 0; i < rows.length; i++) assertTrue(rows[i] > function[i]);
  }

  @Test
  void mapsOfClassesHaveABoundaryAtOneHalf() {
    Model model = model("bernoulli", 2);
    Picture map = Pictures.posterior(model, null, Pictures.Options.DEFAULT);
    Map<String, Object> first = map.panels().getFirst();
    double[] pieces = numbers(first, "boundary");
    double[] means = numbers(first, "values");
    assertTrue(pieces.length > 0, Arrays.stream(means).summaryStatistics().toString());
    for (int k = 0; k < pieces.length; k += 2)
      assertEquals(
          0.5,
          model.predict(new double[] {pieces[k], pieces[k + 1]}, Of.PROBABILITY).mean(0),
          0.01);
    assertEquals(0, numbers(map.panels().get(1), "boundary").length, "none of doubts");
    int ones = numbers(first, "px").length;
    int zeros = numbers(first, "cx").length;
    double[] y = model.observed().orElseThrow().target();
    assertEquals((int) Arrays.stream(y).sum(), ones);
    assertEquals(ROWS - ones, zeros);
    assertTrue(map.svg().contains("mean of probability of rain = wet"));
  }
}
