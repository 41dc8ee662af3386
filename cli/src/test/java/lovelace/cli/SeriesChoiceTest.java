package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import lovelace.forecast.TimeSeries;
import org.junit.jupiter.api.Test;

class SeriesChoiceTest {

  @Test
  void theMostAnomalousHalfAndTheLargestOthersAreChosen() {
    for (int seed = 0; seed < 20; seed++) {
      var random = new SplittableRandom(seed);
      int count = 1 + random.nextInt(80);
      int most = 2 + random.nextInt(30);
      double[] size = random.doubles(count).toArray();
      double[] anomaly = random.doubles(count).toArray();
      SeriesChoice<Integer> choice = new SeriesChoice<>(most);
      for (int i = 0; i < count; i++)
        if (choice.wants(size[i], anomaly[i])) choice.add(i, size[i], anomaly[i], i);
      List<Integer> all = new ArrayList<>(IntStream.range(0, count).boxed().toList());
      var wanted = new TreeSet<Integer>();
      all.sort(Comparator.comparingDouble(i -> -anomaly[i]));
      if (count > most) wanted.addAll(all.subList(0, most / 2));
      all.sort(Comparator.comparingDouble(i -> -size[i]));
      for (int i : all) if (wanted.size() < most) wanted.add(i);
      assertEquals(List.copyOf(wanted), choice.chosen(), "seed " + seed);
    }
  }

  @Test
  void factsAreThoseOfTheirDefinitions() {
    TimeSeries series = TimeSeries.of("a", 1, -2, 3, 4, Double.NaN, 6);
    assertEquals((1 + 2 + 3 + 4 + 6) / 5., SeriesFacts.size(series), 1e-15);
    // last season 3 steps: 4, gap, 6; then 4 again
    double[] next = {8, 100, 6, 4};
    assertEquals((8 + 6 + 4 - 4 - 6 - 4) / 14., SeriesFacts.growth(series, 0, next, 3), 1e-15);
    assertEquals((9. - 6) / 6, SeriesFacts.growth(series, 2, new double[] {9}, 3), 1e-15);
    TimeSeries steps = TimeSeries.of("b", 0, 1, 3, 4, 6, 17, 18);
    // changes 1, 2, 1, 2, 11, 1: the middle is 2, and the middle distance 1
    assertEquals((11 - 2) / 1.4826, SeriesFacts.anomaly(steps, 1), 1e-12);
    assertEquals(0, SeriesFacts.anomaly(TimeSeries.of("c", 5, 5, 5, 5, 5), 1));
    assertTrue(Double.isNaN(SeriesFacts.anomaly(TimeSeries.of("d", 5), 12)));
    assertTrue(Double.isNaN(SeriesFacts.size(TimeSeries.of("e"))));
  }
}
