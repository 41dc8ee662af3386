package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.linear.Gaussian;
import org.junit.jupiter.api.Test;

/// Series without a history, against generalised least squares with whole matrices, and simulated.
class SimilarTest {

  /// A forecast that is normal on a scale.
  @SuppressWarnings("ArrayRecordComponent")
  private record Normal(double[] place, double spread, boolean log) implements Outlook {
    @Override
    public double cdf(int step, double y) {
      return Gaussian.cdf(((log ? Math.log(y) : y) - place[step]) / spread);
    }

    @Override
    public double[] quantiles(int step, double... levels) {
      return Arrays.stream(levels)
          .map(p -> place[step] + spread * Gaussian.quantile(p))
          .map(z -> log ? Math.exp(z) : z)
          .toArray();
    }

    @Override
    public double[][] paths(int count, SplittableRandom random) {
      double[][] paths = new double[count][place.length];
      for (double[] path : paths)
        for (int k = 0; k < path.length; k++)
          path[k] = quantiles(k, Math.max(random.nextDouble(), 1e-12))[0];
      return paths;
    }
  }

  /// The definition: a covariance over all series, and an average over its parameters by evidence.
  @Test
  void theOutlookIsTheAverageOfKrigingOverTraits() {
    double[] grid = {0, .5, 5, 50, 500};
    for (long seed = 0; seed < 8; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int n = random.nextInt(5, 20);
      int steps = 2;
      List<double[]> traits = new ArrayList<>();
      List<Outlook> outlooks = new ArrayList<>();
      double[][] z = new double[steps + 1][n];
      double within = 0;
      for (int i = 0; i < n; i++) {
        double[] one = {random.nextInt(3), random.nextInt(4) - 1.5};
        traits.add(one);
        double[] place = {one[0] + random.nextGaussian(), one[1] + random.nextGaussian()};
        double spread = 0.5 + random.nextDouble();
        within += spread * spread / n;
        outlooks.add(new Normal(place, spread, false));
        for (int k = 0; k < steps; k++) z[k][i] = place[k];
        z[steps][i] = (place[0] + place[1]) / 2;
      }
      double[] fresh = {random.nextInt(4), 0.5};
      double mean = traits.stream().mapToDouble(t -> t[1]).average().orElseThrow();
      double width =
          Math.sqrt(
              traits.stream().mapToDouble(t -> Math.pow(t[1] - mean, 2)).average().orElseThrow());
      List<double[]> all = new ArrayList<>(traits);
      all.add(fresh);
      double[][] x =
          all.stream()
              .map(t -> new double[] {t[0], (t[1] - mean) / width})
              .toArray(double[][]::new);
      double[] evidence = new double[25];
      Oracle.Estimate[][] found = new Oracle.Estimate[25][steps];
      for (int p = 0; p < 25; p++) {
        double[][] k = new double[n + 1][n + 1];
        for (int i = 0; i <= n; i++)
          for (int j = 0; j <= n; j++) {
            double d = x[i][1] - x[j][1];
            k[i][j] =
                (i == j ? 1 : 0)
                    + grid[p % 5] * (x[i][0] == x[j][0] ? 1 : 0)
                    + grid[p / 5] * (x[i][1] * x[j][1] + Math.exp(-d * d / 2));
          }
        int[] known = IntStream.range(0, n).toArray();
        evidence[p] = Oracle.estimate(k, known, z[steps], new int[] {n}, 0).evidence();
        for (int s = 0; s < steps; s++)
          found[p][s] = Oracle.estimate(k, known, z[s], new int[] {n}, 0);
      }
      double largest = Arrays.stream(evidence).max().orElseThrow();
      double sum = Arrays.stream(evidence).map(e -> Math.exp(e - largest)).sum();
      Outlook outlook =
          Similar.of(new boolean[] {true, false}, traits, outlooks, steps).outlook(fresh);
      for (int s = 0; s < steps; s++)
        for (double y : new double[] {-2, 0, 1.5}) {
          double wanted = 0;
          for (int p = 0; p < 25; p++) {
            double between = found[p][s].spread(0);
            double t = (y - found[p][s].place()[0]) / Math.sqrt(between * between + within);
            wanted += Math.exp(evidence[p] - largest) / sum * Oracle.student(t, n - 1);
          }
          assertEquals(wanted, outlook.cdf(s, y), 1e-5, "seed " + seed + ", step " + s);
        }
    }
  }

  /// Levels by region and size with a deviation of each series, on logarithms.
  @Test
  void intervalsOfNewSeriesHold() {
    SplittableRandom random = new SplittableRandom(11);
    int inside = 0;
    int count = 0;
    int paths = 0;
    for (int table = 0; table < 40; table++) {
      double[] regions = {0.8 * random.nextGaussian(), 0.8 * random.nextGaussian(), 0};
      List<double[]> traits = new ArrayList<>();
      List<Outlook> outlooks = new ArrayList<>();
      double[] levels = new double[60];
      for (int i = 0; i < 60; i++) {
        double size = Math.exp(random.nextGaussian());
        double[] one = {random.nextInt(3), size};
        levels[i] = 4 + regions[(int) one[0]] + 0.5 * Math.log(size) + 0.3 * random.nextGaussian();
        traits.add(one);
        outlooks.add(new Normal(new double[] {levels[i], levels[i] + .1}, 0.2, true));
      }
      Similar similar =
          Similar.of(
              new boolean[] {true, false}, traits.subList(0, 40), outlooks.subList(0, 40), 2);
      for (int i = 40; i < 60; i++) {
        Outlook outlook = similar.outlook(traits.get(i));
        double y = Math.exp(levels[i] + 0.2 * random.nextGaussian());
        double[] q = outlook.quantiles(0, 0.1, 0.9);
        if (y > q[0] && y < q[1]) inside++;
        count++;
        double middle = outlook.quantiles(1, 0.8)[0];
        for (double[] path : outlook.paths(5, random)) if (path[1] < middle) paths++;
      }
    }
    // Series of a table share its effects, so 40 tables count about as much as 250 series.
    assertEquals(0.8, inside / (double) count, 3 * Math.sqrt(.8 * .2 / 250));
    assertEquals(0.8, paths / (5. * count), 0.02, "paths have the quantiles of the outlook");
  }

  @Test
  void aWordThatNoSeriesHasIsForecastWider() {
    SplittableRandom random = new SplittableRandom(4);
    List<double[]> traits = new ArrayList<>();
    List<Outlook> outlooks = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      traits.add(new double[] {i % 6});
      double level = 2 * (i % 6) + 0.2 * random.nextGaussian();
      outlooks.add(new Normal(new double[] {level}, 0.1, false));
    }
    Similar similar = Similar.of(new boolean[] {true}, traits, outlooks, 1);
    double[] known = similar.outlook(2).quantiles(0, 0.1, 0.5, 0.9);
    double[] strange = similar.outlook(-1).quantiles(0, 0.1, 0.5, 0.9);
    assertEquals(4, known[1], 0.2);
    assertEquals(5, strange[1], 0.5, "the mean of all");
    assertTrue(strange[2] - strange[0] > 12 * (known[2] - known[0]), Arrays.toString(strange));
  }

  @Test
  void tooFewSeriesAndTooManyTraitsAreRefused() {
    List<Outlook> two =
        List.of(new Normal(new double[1], 1, false), new Normal(new double[1], 1, false));
    assertThrows(
        IllegalArgumentException.class,
        () -> Similar.of(new boolean[1], List.of(new double[1], new double[1]), two, 1));
    assertThrows(
        IllegalArgumentException.class, () -> Similar.of(new boolean[5], List.of(), List.of(), 1));
  }
}
