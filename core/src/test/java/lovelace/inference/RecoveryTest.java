package lovelace.inference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.dense.DenseEngine;
import lovelace.exact.ExactGp;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.kernel.PriorMean;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.posterior.Scores;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.Statistics;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Data drawn from a known process: learning finds the process again.
class RecoveryTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "2*rbf(lengthscale=0.8); rbf; 1; 12; 60",
        "1.5*matern52(lengthscale=1); matern52; 1; 12; 60",
        "2*rbf(lengthscale=[1.2,0.9]); rbf; 2; 5; 18",
        "2*rbf(lengthscale=[1.5,2,2.5]); rbf; 3; 5; 7",
        "sm(2, weight=[2,1], frequency=[0.7,0.3], bandwidth=[0.05,0.05]); sm(2); 1; 24; 130",
        "2*rbf(columns=[0], lengthscale=0.9) + 2*rbf(columns=[1], lengthscale=1.5)"
            + "; additive(rbf); 2; 5; 24",
      })
  void parametersAreWithinThreeStandardErrors(
      String text, String form, int d, double range, int points) {
    int seed = 11;
    var random = new SplittableRandom(seed);
    int n = d == 2 ? 800 : d == 3 ? 300 : 400;
    double[] x = random.doubles(2L * n * d, 0, range).toArray();
    Kernel kernel = Kernel.parse(text).bind(d);
    Hyperparameters truth = Hyperparameters.of(kernel, 0.25, PriorMean.constant(3));
    double[] y = Draws.observe(truth, x, random);
    double[] seenX = Arrays.copyOf(x, n * d);
    double[] seenY = Arrays.copyOf(y, n);
    Hyperparameters unset = Draws.unset(form, d);
    boolean additive = form.startsWith("additive");
    Axis axis = Axis.covering(-0.2 * range, 1.2 * range, points);
    Statistics statistics =
        additive
            ? AdditiveStatistics.of(AdditiveGrid.of(axis, axis), seenX, seenY)
            : Draws.statistics(Draws.grid(-0.2 * range, 1.2 * range, points, d), seenX, seenY);
    LatticeEngine engine =
        d == 3 || form.startsWith("sm")
            ? new DenseEngine(statistics)
            : new SpectralEngine(statistics, SpectralEngine.TOLERANCE, SpectralEngine.MOST);
    Dataset data = Dataset.of(seenX, d, seenY);
    Learned found = Learner.DEFAULT.learn(engine, unset, data, 1).withErrors(engine);
    Hyperparameters learned = found.hyperparameters();
    String said = "seed " + seed + ": " + learned;

    List<Double> errors = found.standardErrors();
    int[] places = order(learned);
    int[] wanted = order(truth);
    assertEquals(wanted.length, places.length, said);
    for (int i = 0; i < wanted.length; i++)
      assertEquals(
          truth.values()[wanted[i]],
          learned.values()[places[i]],
          3 * errors.get(places[i]),
          learned.names().get(places[i]) + ", " + said);

    double[] at = Arrays.copyOfRange(x, n * d, 2 * n * d);
    double[] later = Arrays.copyOfRange(y, n, 2 * n);
    double best = nlpd(ExactGp.of(data, truth), at, later);
    double reached = nlpd(ExactGp.of(data, learned), at, later);
    assertTrue(reached <= best + 0.01 * Math.abs(best), best + " and " + reached + ", " + said);
  }

  /// Natural order, but the components of a mixture by frequency.
  private static int[] order(Hyperparameters h) {
    int[] order = IntStream.range(0, h.size()).toArray();
    double[] frequencies =
        h.parameters().stream()
            .filter(p -> p.role() == Parameter.Role.FREQUENCY)
            .flatMapToDouble(p -> Arrays.stream(p.values()))
            .toArray();
    if (frequencies.length == 0) return order;
    int q = frequencies.length;
    int[] rank =
        IntStream.range(0, q)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> frequencies[i]))
            .mapToInt(i -> i)
            .toArray();
    for (int slot = 0; slot < 3; slot++)
      for (int i = 0; i < q; i++) order[slot * q + i] = slot * q + rank[i];
    return order;
  }

  private static double nlpd(ExactGp gp, double[] at, double[] targets) {
    return Scores.of(gp.predictObservation(at), targets).nlpd();
  }
}
