package lovelace.statistics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SymmetricEntriesTest {

  @Test
  void sumsByKeyAreThoseOfAMapWhileTheTableGrows() {
    var random = new SplittableRandom(41);
    var sums = new SymmetricEntries.Sums();
    var expected = new TreeMap<Long, Double>();
    for (int i = 0; i < 30_000; i++) {
      long key = SymmetricEntries.key(random.nextInt(60), random.nextInt(200)); // (0, 0) too
      double value = random.nextInt(-9, 10); // whole numbers: sums are exact
      sums.add(key, value);
      expected.merge(key, value, Double::sum);
    }
    assertEquals(0, expected.firstKey(), "seed 41");
    assertEquals(expected.size(), sums.count());
    long[] keys = new long[expected.size() + 3];
    assertEquals(keys.length, sums.keys(keys, 3));
    long[] sorted = Arrays.copyOfRange(keys, 3, keys.length);
    Arrays.sort(sorted);
    assertArrayEquals(expected.keySet().stream().mapToLong(Long::longValue).toArray(), sorted);
    double[] values = new double[sorted.length];
    sums.values(sorted, values);
    assertArrayEquals(
        expected.values().stream().mapToDouble(Double::doubleValue).toArray(), values);
  }
}
