package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The mixture of a whole library against every point with whole matrices.
///
/// Evidence is kept in single precision, and is at most a few hundred: shares agree to about 1e-5.
class ForecastingTest {

  private static final int HORIZON = 4;

  private static final double[] POWERS = {-0.2, 0.1, -1.2, 0.3};

  private static Weights weights(Library library, SplittableRandom random) {
    double[] log = new double[library.size()];
    for (int j = 0; j < log.length; j++) log[j] = random.nextDouble(-2, 0);
    return new Weights(log, POWERS.clone());
  }

  /// A point's evidence and score, and its forecasts.
  private record Point(double evidence, double score, Oracle.Estimate ahead) {}

  private static double[] warped(History history, Warp warp, int[] steps) {
    return Arrays.stream(steps).mapToDouble(t -> warp.of(history.values[t])).toArray();
  }

  private static double jacobian(History history, Warp warp, int n) {
    double sum = 0;
    for (int t = 0; t < n; t++) sum += warp.logSlope(history.values[t]);
    return sum;
  }

  private static Point point(Library library, int j, History history, int n, double[][] k) {
    Warp warp = library.warp(j);
    int[] steps = IntStream.range(0, n).toArray();
    int[] next = IntStream.range(history.size(), history.size() + HORIZON).toArray();
    double least = history.leastSquares(j % library.warps().size(), n);
    Oracle.Estimate all = Oracle.estimate(k, steps, warped(history, warp, steps), next, least);
    double score = 0;
    for (int o = 1; o <= 6; o++) {
      int origin = n - o * HORIZON;
      if (origin < library.least()) break;
      int[] before = IntStream.range(0, origin).toArray();
      int[] ahead = IntStream.range(origin, origin + HORIZON).toArray();
      Oracle.Estimate e = Oracle.estimate(k, before, warped(history, warp, before), ahead, 0);
      double[] z = warped(history, warp, ahead);
      for (int s = 0; s < HORIZON; s++)
        score += e.logDensity(s, z[s]) + warp.logSlope(history.values[origin + s]);
    }
    Oracle.Estimate seen = all;
    if (history.hasGaps())
      seen =
          Oracle.estimate(
              k, history.observed, warped(history, warp, history.observed), next, least);
    return new Point(all.evidence() + jacobian(history, warp, n), score, seen);
  }

  private static double[] shares(Library library, Weights weights, List<Point> points, int n) {
    double x = Math.log(n / (5. * HORIZON));
    double eta = Math.exp(POWERS[0] + POWERS[1] * x);
    double kappa = Math.exp(POWERS[2] + POWERS[3] * x);
    double[] log = new double[library.size()];
    for (int j = 0; j < log.length; j++)
      log[j] = weights.logWeight()[j] + eta * points.get(j).evidence + kappa * points.get(j).score;
    double largest = Arrays.stream(log).max().orElseThrow();
    double[] share = new double[log.length];
    for (int j = 0; j < log.length; j++) share[j] = Math.exp(log[j] - largest);
    for (int j = 0; j < share.length; j++) if (share[j] < 1e-4) share[j] = 0;
    double all = Arrays.stream(share).sum();
    // The smallest go while they have at most 0.005 together.
    double dropped = 0;
    for (Integer j :
        IntStream.range(0, share.length)
            .boxed()
            .sorted(java.util.Comparator.comparingDouble(i -> share[i]))
            .toList()) {
      dropped += share[j] / all;
      if (dropped > 0.005) break;
      share[j] = 0;
    }
    double sum = Arrays.stream(share).sum();
    return Arrays.stream(share).map(s -> s / sum).toArray();
  }

  private static void compare(double[] y, double[] seasons, long seed) {
    Library library = Library.of(seasons);
    Weights weights = weights(library, new SplittableRandom(seed));
    History history = History.of(y, library.warps());
    int n = y.length;
    List<Reading> readings = new Reader(library, HORIZON).read(List.of(history), false);
    Mixture mixture =
        new Forecasting(library, HORIZON, weights)
            .forecast(List.of(history), readings, false)
            .getFirst();
    List<Point> points = new ArrayList<>();
    for (int j = 0; j < library.size(); j++) {
      double[][] k = Oracle.covariance(library.shape(j), n + HORIZON);
      points.add(point(library, j, history, n, k));
    }
    double[] shares = shares(library, weights, points, n);
    int nu = history.observed.length - 1;
    int m = n > library.season() ? (int) library.season() : 1;
    for (int step = 0; step < HORIZON; step++)
      for (double factor = 0.5; factor < 1.6; factor += 0.1) {
        double value = y[n - 1] * factor;
        double wanted = 0.01 * naive(history.values, m, step, value / history.scale, nu);
        for (int j = 0; j < shares.length; j++) {
          if (shares[j] == 0) continue;
          Oracle.Estimate ahead = points.get(j).ahead;
          double z = library.warp(j).of(value / history.scale);
          double x = (z - ahead.place()[step]) / ahead.spread(step);
          wanted += 0.99 * shares[j] * Oracle.student(x, nu);
        }
        String place = "seed " + seed + ", step " + step + ", at " + factor;
        assertEquals(wanted, mixture.cdf(step, value), 3e-5, place);
        if (wanted > 0.01 && wanted < 0.99)
          assertEquals(value, mixture.quantiles(step, wanted)[0], 2e-3 * Math.abs(value), place);
      }
  }

  /// The last season again, with the changes from season to season as its spread.
  private static double naive(double[] y, int m, int step, double value, int nu) {
    int n = y.length;
    double squares = 0;
    for (int t = m; t < n; t++) squares += (y[t] - y[t - m]) * (y[t] - y[t - m]);
    double spread = Math.sqrt(squares / (n - m) * (1 + step / m));
    return Oracle.student((value - y[n - m + step % m]) / spread, nu);
  }

  @Test
  void mixtureIsTheSumOverAllPoints() {
    for (long seed = 0; seed < 3; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      compare(Oracle.walk(random.nextInt(7, 40), random), new double[0], seed);
    }
  }

  @Test
  void mixtureWithSeasonsIsTheSumOverAllPoints() {
    SplittableRandom random = new SplittableRandom(4);
    double[] y = Oracle.walk(16, random);
    for (int t = 0; t < y.length; t++) y[t] *= 1 + 0.4 * Math.sin(Math.PI / 2 * t);
    compare(y, new double[] {4}, 4);
  }

  @Test
  void gapsAreLeftOutOfForecasts() {
    SplittableRandom random = new SplittableRandom(5);
    double[] y = Oracle.walk(30, random);
    y[4] = Double.NaN;
    y[15] = Double.NaN;
    y[16] = Double.NaN;
    y[27] = Double.NaN;
    compare(y, new double[0], 5);
  }

  @Test
  void sharesAddUpToOne() {
    Library library = Library.of();
    SplittableRandom random = new SplittableRandom(6);
    for (int i = 0; i < 50; i++) {
      float[] evidence = new float[library.size()];
      float[] score = new float[library.size()];
      for (int j = 0; j < evidence.length; j++) {
        evidence[j] = (float) -random.nextDouble(Math.exp(random.nextDouble(-3, 12)));
        score[j] = (float) -random.nextDouble(Math.exp(random.nextDouble(-3, 12)));
      }
      double[] shares = weights(library, random).shares(10 + i, HORIZON, evidence, score);
      assertEquals(1, Arrays.stream(shares).sum(), 1e-12);
      for (double share : shares) assertTrue(share >= 0);
    }
  }

  /// With the power 1 of the evidence and hardly any of the scores.
  @Test
  void sharesBelowATenThousandthOfTheLargestAreLeftOut() {
    Library library = Library.of(new double[0], List.of(new Warp.Power(1)));
    float[] evidence = new float[library.size()];
    Arrays.fill(evidence, Reading.NEVER);
    evidence[3] = 0;
    evidence[5] = -1;
    evidence[6] = -9; // e⁻⁹ is 0.00012.
    evidence[7] = -9.3f; // e^−9.3 is 0.00009.
    Weights weights =
        new Weights(new double[library.size()], new double[] {0, 0, Math.log(1e-6), 0});
    double[] shares = weights.shares(30, HORIZON, evidence, new float[library.size()]);
    double sum = 1 + Math.exp(-1) + Math.exp(-9);
    assertEquals(1 / sum, shares[3], 1e-12);
    assertEquals(Math.exp(-1) / sum, shares[5], 1e-12);
    assertEquals(Math.exp(-9) / sum, shares[6], 1e-12);
    assertEquals(0, shares[7]);
    assertEquals(1, Arrays.stream(shares).sum(), 1e-12);
  }

  @Test
  void heldOutValuesAreNotSeen() {
    Library library = Library.of();
    Reader reader = new Reader(library, HORIZON);
    Forecasting forecasting = new Forecasting(library, HORIZON, Weights.start(library));
    double[] y = Oracle.walk(40, new SplittableRandom(7));
    double[] other = y.clone();
    // The scale is that of all values, so the other values are swapped among themselves.
    double swap = other[36];
    other[36] = other[39];
    other[39] = swap;
    List<Mixture> held = new ArrayList<>();
    for (double[] values : List.of(y, other)) {
      List<History> one = List.of(History.of(values, library.warps()));
      List<Reading> readings = reader.read(one, true);
      assertEquals(36, readings.getFirst().held().getFirst().length());
      held.add(forecasting.forecast(one, readings, true).getFirst());
    }
    for (int step = 0; step < HORIZON; step++)
      for (double factor = 0.5; factor < 1.6; factor += 0.1)
        assertEquals(
            held.get(0).cdf(step, y[35] * factor), held.get(1).cdf(step, y[35] * factor), 1e-6);
  }
}
