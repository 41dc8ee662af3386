package lovelace.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.likelihood.Likelihood;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Data drawn from a model lie inside the band of its calibration picture, and others do not.
class CalibrationPicturesTest {

  private static final int ROWS = 3000;

  /// The seed of ranks is not one of data: the same stream would not be independent of them.
  private static final long RANKS = 99;

  /// The layers of one kind, as a page has them.
  private static List<Map<?, ?>> layers(Plot plot, String kind) {
    List<Map<?, ?>> found = new ArrayList<>();
    for (Object layer : (List<?>) Objects.requireNonNull(plot.panels().getFirst().get("layers")))
      if (layer instanceof Map<?, ?> map && kind.equals(map.get("kind"))) found.add(map);
    return found;
  }

  private static double[] numbers(Map<?, ?> layer, String key) {
    return (double[]) Objects.requireNonNull(layer.get(key));
  }

  /// How many of the drawn shares lie in the box of their class.
  private static int inside(Plot plot) {
    Map<?, ?> points = layers(plot, "points").getFirst();
    double[] x = numbers(points, "x");
    double[] y = numbers(points, "y");
    int count = 0;
    for (Map<?, ?> box : layers(plot, "band"))
      for (int i = 0; i < x.length; i++)
        if (x[i] >= numbers(box, "x")[0]
            && x[i] < numbers(box, "x")[1]
            && y[i] >= numbers(box, "y")[0]
            && y[i] <= numbers(box, "upper")[0]) count++;
    return count;
  }

  private static Plot classes(long seed, double squeeze) {
    var random = new SplittableRandom(seed);
    double[] p = random.doubles(ROWS).toArray();
    double[] labels = Arrays.stream(p).map(v -> random.nextDouble() < v ? 1 : 0).toArray();
    double[] said = Arrays.stream(p).map(v -> 0.5 + squeeze * (v - 0.5)).toArray();
    Scores.Classes scores = Scores.classes(Prediction.adopt(said, new double[ROWS]), labels);
    return Pictures.reliability(scores.calibration(10), Column.of("late"), false);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void frequenciesOfARightModelLieInTheirBoxesAndOfATimidOneDoNot(long seed) {
    // ten boxes of 95 %: eight or more inside in 98.8 % of right models
    assertTrue(inside(classes(seed, 1)) >= 8, "seed " + seed);
    Plot timid = classes(seed, 0.5);
    assertEquals(6, numbers(layers(timid, "points").getFirst(), "x").length, 1);
    assertTrue(inside(timid) <= 2, "seed " + seed);
  }

  @Test
  void everyClassOfProbabilityHasItsNumberOfRows() {
    double[] p = {0.05, 0.05, 0.98, 0.95, 0.55};
    double[] labels = {0, 1, 1, 1, 0};
    Scores.Classes scores = Scores.classes(Prediction.adopt(p, new double[5]), labels);
    Plot plot =
        Pictures.reliability(
            scores.calibration(10), Column.of("loan", List.of("good", "bad")), false);
    assertEquals(List.of("2", "1", "2"), layers(plot, "notes").getFirst().get("texts"));
    String svg = plot.svg();
    for (String text :
        List.of(
            "Calibration of loan",
            "5 rows by predicted probability. Numbers at the foot are rows in each class<",
            "predicted probability of loan = bad",
            "share of rows with loan = bad")) assertTrue(svg.contains(text), text);
  }

  @ParameterizedTest
  @CsvSource({ // scipy.stats.binom.ppf(q, n, p) / n
    "20, 0.1, 0.025, 0", "20, 0.1, 0.975, 0.25", "20, 0.9, 0.025, 0.75", "20, 0.9, 0.975, 1",
    "50, 0.5, 0.025, 0.36", "50, 0.5, 0.975, 0.64", "7, 0, 0.975, 0", "7, 1, 0.025, 1"
  })
  void aBoxEndsAtQuantilesOfTheBinomialDistribution(int n, double p, double q, double share) {
    assertEquals(share, Reliability.chance(n, p, q), 1e-12);
  }

  @Test
  void aBoxOfManyRowsHasTheWidthOfTheGaussian() {
    assertEquals(
        0.3 - 1.96 * Math.sqrt(0.21 / 1e6), Reliability.chance(1_000_000, 0.3, 0.025), 1e-6);
    // both ways of computing agree to one row where they meet
    assertEquals(
        Reliability.chance(399, 0.5, 0.975), Reliability.chance(401, 0.5, 0.975), 2.0 / 400);
  }

  /// The share of levels at which the curve lies in the band.
  private static double within(Plot plot) {
    Map<?, ?> band = layers(plot, "band").getFirst();
    Map<?, ?> curve = layers(plot, "line").getLast();
    double[] y = numbers(curve, "y");
    int count = 0;
    for (int i = 0; i < y.length; i++)
      if (y[i] >= numbers(band, "y")[i] - 1e-9 && y[i] <= numbers(band, "upper")[i] + 1e-9) count++;
    return (double) count / y.length;
  }

  @ParameterizedTest
  @CsvSource({"poisson, 1", "poisson, 2", "negative-binomial, 3", "binomial, 4"})
  void ranksOfDrawnCountsLieInTheBandAndThoseOfAnotherModelDoNot(String text, long seed) {
    Likelihood parsed = Likelihood.parse(text);
    Likelihood likelihood = parsed.parameterNames().isEmpty() ? parsed : parsed.with(0.5);
    var random = new SplittableRandom(seed);
    double[] means = random.doubles(ROWS, -1, 1.5).toArray();
    double[] wrong = Arrays.stream(means).map(f -> f - Math.log(2)).toArray();
    double[] variances = new double[ROWS];
    double[] sizes = new double[ROWS];
    Arrays.fill(variances, 0.04);
    Arrays.fill(sizes, 5);
    Prediction right =
        Prediction.adopt(means, variances).of(likelihood, Likelihood.Of.OBSERVATION, sizes);
    double[] y = new double[ROWS];
    for (int i = 0; i < ROWS; i++) y[i] = right.draw(i, random);
    Plot plot = Pictures.calibration(Scores.residuals(right, y, RANKS), Column.of("calls"));
    assertTrue(within(plot) > 0.9, "seed " + seed + ": " + within(plot));
    Prediction halved =
        Prediction.adopt(wrong, variances.clone()).of(likelihood, Likelihood.Of.OBSERVATION, sizes);
    double off =
        within(Pictures.calibration(Scores.residuals(halved, y, RANKS), Column.of("calls")));
    assertTrue(off < 0.1, "seed " + seed + ": " + off);
    // intervals of whole numbers hold more than their level, so targets inside them mislead
    double targets = within(Pictures.calibration(Scores.of(right, y), Column.of("calls")));
    assertTrue(targets < 0.5, "seed " + seed + ": " + targets);
    String svg = plot.svg();
    assertTrue(svg.contains("randomised ranks inside it (%)"), svg);
    assertTrue(
        svg.contains("3,000 rows. Above the diagonal intervals are too wide, below it too narrow<"),
        svg);
  }
}
