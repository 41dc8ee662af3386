package lovelace.neighbours;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import org.junit.jupiter.api.Test;

class DistinctPlacesTest {

  @Test
  void rowsAtOnePlaceAreTheirMean() {
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int n = 1 + random.nextInt(300);
      int d = 1 + random.nextInt(3);
      double[] x = random.ints((long) n * d, 0, 6).asDoubleStream().toArray();
      double[] y = random.doubles(n, 5, 7).toArray();
      double[] w = random.doubles(n, 0.5, 2).toArray();
      Dataset rows = seed % 2 == 0 ? Dataset.of(x, d, y) : Dataset.of(x, d, y, w);
      Map<List<Double>, List<Integer>> byPlace = new LinkedHashMap<>();
      for (int i = 0; i < n; i++) {
        List<Double> at = Arrays.stream(x, i * d, (i + 1) * d).boxed().toList();
        byPlace.computeIfAbsent(at, key -> new ArrayList<>()).add(i);
      }
      DistinctPlaces places = DistinctPlaces.of(rows);
      assertEquals(byPlace.size(), places.data.size(), "seed " + seed);
      assertEquals(n - byPlace.size(), places.repeated);
      double within = 0;
      double logWeights = 0;
      int p = 0;
      for (var entry : byPlace.entrySet()) {
        double weight = 0;
        double sum = 0;
        for (int i : entry.getValue()) {
          weight += rows.weight(i);
          sum += rows.weight(i) * y[i];
          logWeights += Math.log(rows.weight(i));
        }
        logWeights -= Math.log(weight);
        for (int i : entry.getValue()) within += rows.weight(i) * Math.pow(y[i] - sum / weight, 2);
        assertEquals(weight, places.data.weight(p), 1e-12, "seed " + seed);
        assertEquals(sum / weight, places.data.target()[p], 1e-12, "seed " + seed);
        double[] at = Arrays.copyOfRange(places.data.inputs(), p * d, (p + 1) * d);
        assertArrayEquals(entry.getKey().stream().mapToDouble(v -> v).toArray(), at);
        p++;
      }
      assertEquals(within, places.within, 1e-10, "seed " + seed);
      assertEquals(logWeights, places.logWeights, 1e-10, "seed " + seed);
    }
  }

  @Test
  void distinctRowsStayAsTheyAre() {
    Dataset rows = Dataset.of(new double[] {0, 1, 1, 0, 1, 1}, 2, new double[] {1, 2, 3});
    assertSame(rows, DistinctPlaces.of(rows).data);
  }

  @Test
  void bothZerosAreOnePlace() {
    Dataset rows = Dataset.of(new double[] {0.0, -0.0}, 1, new double[] {1, 3});
    assertArrayEquals(new double[] {2}, DistinctPlaces.of(rows).data.target());
  }
}
