package lovelace.series.counts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The recursions against their definitions: grids, enumeration and sums.
class CountTrackTest {

  private static final Prior PRIOR = new Prior(0.6, 1.5, 0.7);

  private static Point point(
      double level, double spread, double memory, double presence, int seasons) {
    return new Point(Optional.of(new Rate(level, spread, memory)), 0, presence, seasons);
  }

  private static double[] counts(SplittableRandom random, int n) {
    double[] y = new double[n];
    for (int t = 0; t < n; t++) y[t] = random.nextInt(4) * random.nextInt(3);
    return y;
  }

  /// The density of the rate on a grid of its logarithm. A step raises it to the power of the
  /// discount and multiplies by a power of the weak prior; a value multiplies by its Poisson mass.
  private static final class Grid {
    private static final int SIZE = 6_000;
    private final double[] rate = new double[SIZE];
    private final double[] density = new double[SIZE]; // of the rate
    private final double[] weak = new double[SIZE];
    private final double discount;

    Grid(double discount, double shape, double b) {
      this.discount = discount;
      for (int i = 0; i < SIZE; i++) {
        rate[i] = Math.exp(-60 + 64. * i / SIZE);
        density[i] = Math.exp((shape - 1) * Math.log(rate[i]) - b * rate[i]);
        weak[i] = Math.exp((0.1 * shape - 1) * Math.log(rate[i]) - 0.1 * b * rate[i]);
      }
      normalise();
    }

    private void normalise() {
      double sum = 0;
      for (int i = 0; i < SIZE; i++) sum += density[i] * rate[i];
      for (int i = 0; i < SIZE; i++) density[i] /= sum;
    }

    void forget() {
      for (int i = 0; i < SIZE; i++)
        density[i] = Math.pow(density[i], discount) * Math.pow(weak[i], 1 - discount);
      normalise();
    }

    double mass(double y) {
      double sum = 0;
      for (int i = 0; i < SIZE; i++) sum += density[i] * rate[i] * poisson(y, rate[i]);
      return sum;
    }

    void see(double y) {
      for (int i = 0; i < SIZE; i++) density[i] *= poisson(y, rate[i]);
      normalise();
    }

    private static double poisson(double y, double rate) {
      double p = Math.exp(-rate);
      for (int i = 1; i <= y; i++) p *= rate / i;
      return p;
    }
  }

  @Test
  void rateIsThatOfTheDensityOnAGrid() {
    for (double discount : new double[] {1, 0.9}) {
      SplittableRandom random = new SplittableRandom(3);
      Track track = point(discount, 0, 0, 0, 0).start(PRIOR);
      Grid grid = new Grid(discount, 0.7, 0.7 / 1.5);
      double[] y = counts(random, 12);
      y[5] = Double.NaN;
      for (double value : y) {
        grid.forget();
        for (int v = 0; v < 5; v++)
          assertEquals(grid.mass(v), Math.exp(track.log(v)), 1e-6, "discount " + discount);
        if (!Double.isNaN(value)) grid.see(value);
        track.step(value);
      }
    }
  }

  @Test
  void massesOfEveryPointAddUpToOne() {
    for (Point point : Point.counts(1)) {
      Track track = point.start(PRIOR, 3);
      for (double y : counts(new SplittableRandom(5), 20)) track.step(y);
      double next = 0;
      double far = 0;
      Future ahead = track.ahead(6);
      for (int y = 0; y < 4_000; y++) {
        next += Math.exp(track.log(y));
        far += Math.exp(ahead.log(5, y));
        if (y < 8) assertEquals(track.log(y), ahead.log(0, y), 1e-12);
      }
      assertEquals(1, next, 1e-9, point.toString());
      assertEquals(1, far, 1e-9, point.toString());
    }
  }

  /// With a level that stays, the value two steps ahead is the sum over all next values.
  @Test
  void secondStepIsTheSumOverTheFirst() {
    for (double presence : new double[] {0, 1}) {
      Point point = point(1, 0, 0, presence, 0);
      double[] y = counts(new SplittableRandom(9), 8);
      Future ahead = after(point, y).ahead(2);
      for (int v = 0; v < 6; v++) {
        double sum = 0;
        for (int first = 0; first < 150; first++) {
          Track track = after(point, y);
          double mass = Math.exp(track.log(first));
          track.step(first);
          sum += mass * Math.exp(track.log(v));
        }
        // Sizes of a hurdle are learned from values that may not come: only zeros are exact.
        if (presence == 0 || v == 0) assertEquals(sum, Math.exp(ahead.log(1, v)), 1e-9);
        else assertEquals(sum, Math.exp(ahead.log(1, v)), 1e-3);
      }
    }
  }

  private static Track after(Point point, double... y) {
    Track track = point.start(PRIOR);
    for (double value : y) track.step(value);
    return track;
  }

  /// All sequences of three values together have probability 1, with seasons and every recursion.
  @Test
  void allSequencesAddUpToOne() {
    for (Point point : new Point[] {point(0.9, 1, 0.5, 0, 1), point(0.9, 2, 0, 0.8, 1)}) {
      double sum = 0;
      int most = 60;
      for (int a = 0; a < most; a++)
        for (int b = 0; b < most; b++) {
          Track track = point.start(new Prior(0.6, 0.4, 1.5), 2);
          double log = track.log(a);
          track.step(a);
          log += track.log(b);
          track.step(b);
          if (log < -25) continue;
          for (int c = 0; c < most; c++) sum += Math.exp(log + track.log(c));
        }
      assertEquals(1, sum, 1e-4, point.toString());
    }
  }

  @Test
  void presenceIsBetaBernoulli() {
    SplittableRandom random = new SplittableRandom(4);
    Presence presence = new Presence(0.9, 0.3);
    double a = 0.3;
    double b = 0.7;
    for (int t = 0; t < 40; t++) {
      assertEquals(a / (a + b), presence.at(t), 1e-12);
      boolean seen = random.nextInt(3) > 0;
      presence.step(t, seen);
      a = 0.9 * a + (seen ? 1 : 0);
      b = 0.9 * b + (seen ? 0 : 1);
    }
  }

  @Test
  void factorsOfASeasonAreLearned() {
    SplittableRandom random = new SplittableRandom(8);
    Track track = point(1, 0, 0, 0, 1).start(PRIOR, 7);
    for (int t = 0; t < 700; t++)
      track.step(t % 7 == 2 ? 4 + random.nextInt(9) : random.nextInt(3));
    Future ahead = track.ahead(7);
    for (int k = 0; k < 7; k++)
      assertEquals(k == 2 ? 8 : 1, ahead.mean(k), k == 2 ? 1.2 : 0.25, "step " + k);
  }

  @Test
  void largeCountsKeepTheirMass() {
    double[] table = new double[8_000];
    NegativeBinomial.addTo(table, 1, 200, 0.05, 1);
    double sum = 0;
    double mean = 0;
    for (int y = 0; y < table.length; y++) {
      sum += table[y];
      mean += y * table[y];
    }
    assertEquals(1, sum, 1e-9);
    assertEquals(4_000, mean, 1e-3);
    assertTrue(table[4_000] > table[3_000]);
    for (int y : new int[] {3_500, 4_000, 4_600})
      assertEquals(NegativeBinomial.log(200, 0.05, 1, y), Math.log(table[y]), 1e-8);
  }
}
