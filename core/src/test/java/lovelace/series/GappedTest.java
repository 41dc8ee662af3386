package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Forecasts with few gaps by the factor of all steps, against those of the values alone.
class GappedTest {

  @Test
  void aGapIsAValueWithAFreeCoefficient() {
    for (long seed = 0; seed < 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Shape shape = Oracle.shape(random);
      int n = random.nextInt(24, 60);
      int h = random.nextInt(1, 8);
      double[] y = Oracle.walk(n, random);
      for (int g = random.nextInt(1, n / 8 + 1); g > 0; g--)
        y[random.nextInt(1, n - 1)] = Double.NaN;
      History history = History.of(y, Library.POWERS);
      assertTrue(Gapped.takes(history), "seed " + seed);
      Gapped gapped = new Gapped(Factor.of(shape, n + h + random.nextInt(3)), history);
      int[] seen = history.observed;
      int[] ahead = IntStream.range(n, n + h).toArray();
      double[][] k = Oracle.covariance(shape, n + h);
      for (int w = 0; w < 3; w++) {
        Warp warp = Library.POWERS.get(w);
        double[] z = IntStream.of(seen).mapToDouble(t -> warp.of(history.values[t])).toArray();
        double least = history.withoutGaps().leastSquares(w, seen.length);
        Oracle.Estimate expected = Oracle.estimate(k, seen, z, ahead, least);
        double[] places = gapped.places(w, h);
        double[] spreads = gapped.spreads(w, h);
        for (int s = 0; s < h; s++) {
          assertEquals(expected.place()[s], places[s], 1e-8, "seed " + seed);
          assertEquals(expected.spread(s), spreads[s], 1e-8, "seed " + seed);
        }
      }
    }
  }

  @Test
  void manyGapsAndKnownColumnsNeedAFactorOfTheirOwn() {
    double[] y = Oracle.walk(30, new SplittableRandom(1));
    assertFalse(Gapped.takes(History.of(y, Library.POWERS)));
    y[5] = Double.NaN;
    History one = History.of(y, Library.POWERS);
    assertTrue(Gapped.takes(one));
    assertFalse(Gapped.takes(one.with(Covariates.of(List.of("x"), new double[1][40]))));
    for (int t = 10; t < 20; t++) y[t] = Double.NaN;
    assertFalse(Gapped.takes(History.of(y, Library.POWERS)));
  }
}
