package lovelace.series.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RichTest {

  @Test
  void gradientOfTheEvidenceByTheSizesOfColumnsEqualsDifferences() {
    SplittableRandom random = new SplittableRandom(6);
    int n = 200;
    Rich rich = Rich.of(new double[] {12, 60.5}, n, true, null);
    int columns = rich.design.size() + 2;
    double[] rows = new double[n * columns];
    for (int t = 0; t < n; t++) {
      rich.design.row(t, t, rows, t * columns);
      rows[t * columns + columns - 2] = 1;
      rows[t * columns + columns - 1] = 5 * Math.sin(t * Math.PI / 6) + random.nextGaussian();
    }
    boolean[] there = new boolean[n];
    Arrays.fill(there, true);
    Chain chain =
        new Structure(Structure.Level.WALK, new double[0], new double[0])
            .chain(new double[] {-4}, true);
    Filter.Snapshot all = Filter.run(chain, Times.steps(n), rows, columns, there, n).getFirst();
    double[] x = rich.start();
    double[] gradient = new double[x.length];
    double[] least = {1e-18};
    for (int i = 0; i < x.length; i++) x[i] += random.nextDouble(-1, 1);
    rich.loss(all, 0, least, x, gradient);
    for (int i = 0; i < x.length; i++) {
      double[] up = x.clone();
      double[] down = x.clone();
      up[i] += 1e-5;
      down[i] -= 1e-5;
      double[] none = new double[x.length];
      double slope =
          (rich.loss(all, 0, least, up, none) - rich.loss(all, 0, least, down, none)) / 2e-5;
      assertEquals(slope, gradient[i], 1e-5 * (1 + Math.abs(slope)), "parameter " + i);
    }
  }

  @Test
  void aWeekHasNoHarmonicThatTheDayHas() {
    Rich rich = Rich.of(new double[] {24, 168, 8_766}, 17_520, true, null);
    int size = rich.design.size();
    double[] frequencies =
        IntStream.range(1, size)
            .mapToObj(rich.design::column)
            .filter(c -> c.harmonic() > 0)
            .mapToDouble(c -> c.harmonic() / c.period())
            .sorted()
            .toArray();
    for (int i = 1; i < frequencies.length; i++)
      assertTrue((frequencies[i] - frequencies[i - 1]) * 17_520 >= 0.25);
    // 12 of the day, with one sine less; 60 − 8 of the week; 30 of the year; a slope.
    assertEquals(1 + 23 + 2 * 52 + 2 * 30, size);
  }
}
