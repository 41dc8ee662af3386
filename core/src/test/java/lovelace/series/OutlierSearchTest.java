package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OutlierSearchTest {

  private static final double[] MONTHS = {12};

  private static double[] months(int n, SplittableRandom random) {
    double[] y = new double[n];
    for (int t = 0; t < n; t++)
      y[t] =
          100
              * Math.exp(
                  0.005 * t + 0.3 * Math.sin(t * Math.PI / 6) + 0.04 * random.nextGaussian());
    return y;
  }

  private static List<Integer> steps(double[] y, double... seasons) {
    return OutlierSearch.find(y, seasons, Library.POWERS, null).stream()
        .map(OutlierSearch.Outlier::step)
        .toList();
  }

  @Test
  void grossOutliersAreFoundWithTheirExpectedValues() {
    for (long seed = 0; seed < 10; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] y = months(random.nextInt(40, 120), random);
      int step = random.nextInt(2, y.length - 3);
      double before = y[step];
      for (double value : new double[] {1e9, 3 * before, before / 4, 0, -1e9}) {
        double[] off = y.clone();
        off[step] = value;
        List<OutlierSearch.Outlier> found = OutlierSearch.find(off, MONTHS, Library.POWERS, null);
        String where = "seed " + seed + ", value " + value;
        assertEquals(1, found.size(), where);
        assertEquals(step, found.getFirst().step(), where);
        assertEquals(value, found.getFirst().value(), where);
        assertEquals(before, found.getFirst().expected(), 0.25 * before, where);
      }
    }
  }

  /// One value of a short series makes those a year away look odd.
  @Test
  void shortSeriesHaveThemToo() {
    for (long seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] y = new double[16];
      for (int t = 0; t < y.length; t++) y[t] = 5_000 + 100 * random.nextGaussian();
      int step = random.nextInt(1, 13);
      y[step] *= 10;
      assertEquals(List.of(step), steps(y, 4), "seed " + seed);
    }
  }

  /// Of a season that is not known, a peak may be a part.
  @Test
  void seriesOfFewSeasonsLoseOnlyWhatIsFarFromAllOthers() {
    for (long seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] y = new double[random.nextInt(15, 36)];
      for (int t = 0; t < y.length; t++) y[t] = 115 + 20 * random.nextDouble();
      int step = random.nextInt(0, y.length - 3);
      for (double far : new double[] {9_000, -9_000}) {
        double[] off = y.clone();
        off[step] = far;
        assertEquals(List.of(step), steps(off, 12), "seed " + seed);
      }
      double[] peak = y.clone();
      peak[step] = 250;
      assertEquals(List.of(), steps(peak, 12), "seed " + seed);
      double[] last = y.clone();
      last[y.length - 2] = 9_000;
      assertEquals(List.of(), steps(last, 12), "seed " + seed);
    }
    double[] once = new double[14];
    for (int t = 0; t < once.length; t++) once[t] = 100 + t;
    once[6] = 400;
    assertEquals(List.of(), steps(once, 12), "a peak of the year");
  }

  @Test
  void cleanSeriesHaveNone() {
    int found = 0;
    for (long seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      found += steps(Simulated.positive(MONTHS, random.nextInt(20, 100), random), 12).size();
    }
    assertTrue(found <= 2, found + " of 300 series");
  }

  @Test
  void whatRecursOrLastsStays() {
    SplittableRandom random = new SplittableRandom(3);
    double[] y = months(84, random);
    double[] december = y.clone();
    for (int t = 11; t < 84; t += 12) december[t] *= 3;
    assertEquals(List.of(), steps(december, 12));
    double[] twice = y.clone();
    twice[30] *= 4;
    twice[54] *= 4;
    assertEquals(List.of(), steps(twice, 12), "two years apart");
    double[] pair = y.clone();
    pair[30] *= 4;
    pair[31] *= 4;
    assertEquals(List.of(), steps(pair, 12), "two months long");
    double[] shift = y.clone();
    for (int t = 50; t < 84; t++) shift[t] *= 3;
    assertEquals(List.of(), steps(shift, 12));
    double[] last = y.clone();
    last[82] *= 5;
    assertEquals(List.of(), steps(last, 12), "among the last");
  }

  @Test
  void slowItemsAndShortSeriesStay() {
    double[] slow = new double[60];
    slow[10] = 3;
    slow[25] = 90;
    slow[40] = 2;
    assertEquals(List.of(), steps(slow));
    assertEquals(List.of(), steps(new double[] {1, 2, 1, 900, 2, 1}));
    double[] same = new double[40];
    Arrays.fill(same, 5);
    assertEquals(List.of(), steps(same, 12));
  }

  @Test
  void aKnownColumnExplainsItsValue() {
    double[] y = months(60, new SplittableRandom(9));
    y[30] *= 4;
    double[] promotion = new double[72];
    promotion[30] = 1;
    promotion[65] = 1;
    Covariates columns = Covariates.of(List.of("promotion"), new double[][] {promotion});
    assertEquals(List.of(30), steps(y, 12));
    assertEquals(List.of(), OutlierSearch.find(y, MONTHS, Library.POWERS, columns));
  }
}
