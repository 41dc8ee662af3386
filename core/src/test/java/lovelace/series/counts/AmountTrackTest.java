package lovelace.series.counts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import lovelace.linear.GammaFunction;
import org.junit.jupiter.api.Test;

class AmountTrackTest {

  private static final double[] PRIOR = {0.2, 0.5, 0.3};

  private static double value(SplittableRandom random) {
    return random.nextInt(3) == 0 ? 0 : Math.exp(random.nextDouble(-1, 2));
  }

  private static AmountTrack track(double discount, int... periods) {
    return new AmountTrack(discount, new Presence(0.95, 0.5, periods), PRIOR, periods);
  }

  /// Without a discount the logarithms have the Student's t of all values at once: normal with an
  /// unknown mean and variance (Murphy 2007).
  @Test
  void levelThatStaysIsThePosteriorOfAllValues() {
    SplittableRandom random = new SplittableRandom(2);
    AmountTrack track = track(1);
    Presence presence = new Presence(0.95, 0.5);
    double n0 = PRIOR[2] / PRIOR[1];
    double n = 0;
    double sum = 0;
    double squares = 0;
    for (int t = 0; t < 60; t++) {
      double y = value(random);
      double x = Math.log(y == 0 ? 1.3 : y);
      double mean = n == 0 ? 0 : sum / n;
      double size = n0 + n;
      double place = (n0 * PRIOR[0] + sum) / size;
      double d = mean - PRIOR[0];
      double ss = 2 * PRIOR[2] + squares - n * mean * mean + n0 * n / size * d * d;
      double nu = 2 + n;
      double width = ss / nu * (1 + 1 / size);
      double density =
          Math.exp(GammaFunction.log((nu + 1) / 2) - GammaFunction.log(nu / 2))
              / Math.sqrt(nu * Math.PI * width)
              * Math.pow(1 + (x - place) * (x - place) / (nu * width), -(nu + 1) / 2);
      double p = presence.at(t);
      assertEquals(p * density / Math.exp(x), Math.exp(track.log(Math.exp(x))), 1e-9);
      assertEquals(1 - p, Math.exp(track.log(0)), 1e-12);
      if (y > 0) {
        n++;
        sum += x;
        squares += x * x;
      }
      track.step(y);
      presence.step(t, y > 0);
    }
  }

  @Test
  void distributionHasTheDensityAndOneIsTheSumOfBoth() {
    SplittableRandom random = new SplittableRandom(6);
    AmountTrack track = track(0.92, 3);
    for (int t = 0; t < 50; t++) track.step(value(random));
    AmountFuture ahead = track.ahead(8);
    assertEquals(track.log(1.7), ahead.log(0, 1.7), 1e-12);
    for (int k : new int[] {0, 7}) {
      for (double y : new double[] {0.2, 1, 5}) {
        double h = 1e-4 * y;
        double slope = (ahead.cdf(k, y + h) - ahead.cdf(k, y - h)) / (2 * h);
        assertEquals(Math.exp(ahead.log(k, y)), slope, 1e-6);
      }
      assertEquals(ahead.cdf(k, 0), Math.exp(ahead.log(k, 0)), 1e-12);
      assertEquals(1, ahead.cdf(k, 1e9), 1e-6);
    }
    assertTrue(ahead.spread(7) > ahead.spread(0));
  }

  @Test
  void pathsHaveTheDistributionOfEachStep() {
    SplittableRandom random = new SplittableRandom(7);
    AmountTrack track = track(0.92, 3);
    for (int t = 0; t < 30; t++) track.step(value(random));
    AmountFuture ahead = track.ahead(5);
    int draws = 4_000;
    double[] below = new double[5];
    for (int i = 0; i < draws; i++) {
      double[] path = ahead.path(random);
      for (int k = 0; k < 5; k++) if (path[k] <= 1.5) below[k]++;
    }
    for (int k = 0; k < 5; k++)
      assertEquals(ahead.cdf(k, 1.5), below[k] / draws, 4.5 * 0.5 / Math.sqrt(draws), "step " + k);
  }
}
