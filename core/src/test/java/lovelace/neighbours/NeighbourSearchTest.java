package lovelace.neighbours;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Nearest earlier rows beside a sort of all of them.
class NeighbourSearchTest {

  private static final int CASES = Boolean.getBoolean("lovelace.long") ? 400 : 60;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 12})
  void findsWhatSortingFinds(int d) {
    for (int seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(100L * d + seed);
      int n = 1 + random.nextInt(300);
      int kind = random.nextInt(4);
      double[] x = new double[n * d];
      for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++)
          x[i * d + c] =
              switch (kind) {
                case 0 -> random.nextGaussian();
                case 1 -> random.nextInt(7); // a grid: many ties, many rows at one place
                case 2 -> i < n / 2 ? 3 : random.nextDouble(); // half of the rows at one place
                default -> c == 0 ? random.nextInt(2) : random.nextGaussian();
              };
      double[] scales = new double[d];
      for (int c = 0; c < d; c++)
        scales[c] =
            random.nextInt(8) == 0 ? Double.POSITIVE_INFINITY : Math.exp(random.nextGaussian());
      int[] ranks = permutation(n, random);
      int k = 1 + random.nextInt(40);
      int[] some = Arrays.copyOf(permutation(n, random), 1 + random.nextInt(n));
      int[] found = NeighbourSearch.of(x, d, scales, ranks).nearest(some, k);
      for (int i = 0; i < some.length; i++)
        assertArrayEquals(
            sorted(x, d, scales, ranks, some[i], k),
            Arrays.copyOfRange(found, i * k, (i + 1) * k),
            "seed " + seed + ", row " + some[i]);
    }
  }

  private static int[] sorted(double[] x, int d, double[] scales, int[] ranks, int row, int k) {
    double[] squares = new double[ranks.length];
    for (int j = 0; j < squares.length; j++)
      for (int c = 0; c < d; c++)
        squares[j] += Math.pow(x[row * d + c] / scales[c] - x[j * d + c] / scales[c], 2);
    int[] all =
        IntStream.range(0, ranks.length)
            .filter(j -> ranks[j] < ranks[row])
            .boxed()
            .sorted(
                Comparator.<Integer>comparingDouble(j -> squares[j])
                    .thenComparingInt(j -> ranks[j]))
            .limit(k)
            .mapToInt(j -> j)
            .toArray();
    return IntStream.range(0, k).map(j -> j < all.length ? all[j] : -1).toArray();
  }

  private static int[] permutation(int n, SplittableRandom random) {
    double[] keys = random.doubles(n).toArray();
    return IntStream.range(0, n)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> keys[i]))
        .mapToInt(i -> i)
        .toArray();
  }

  @Test
  void threadsDoNotChangeIt() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    int n = 3000;
    double[] x = random.doubles(2 * n).map(v -> Math.rint(40 * v)).toArray();
    int[] ranks = permutation(n, random);
    int[] rows = IntStream.range(0, n).toArray();
    NeighbourSearch search = NeighbourSearch.of(x, 2, new double[] {1, 2}, ranks);
    int[][] found = new int[2][];
    for (int t = 0; t < 2; t++)
      try (var pool = new ForkJoinPool(1 + 2 * t)) {
        found[t] = pool.submit(() -> search.nearest(rows, 9)).get();
      }
    assertArrayEquals(found[0], found[1]);
  }

  /// All rows at one place: every distance is a tie. A search that visited all of them for each row
  /// would take 10⁹ steps.
  @Test
  void manyRowsAtOnePlaceAreHarmless() {
    int n = 30_000;
    int[] ranks = permutation(n, new SplittableRandom(8));
    int[] rowOf = new int[n];
    for (int i = 0; i < n; i++) rowOf[ranks[i]] = i;
    int[] rows = IntStream.range(0, n).toArray();
    int[] found =
        NeighbourSearch.of(new double[2 * n], 2, new double[] {1, 1}, ranks).nearest(rows, 3);
    int[] first = {rowOf[0], rowOf[1], rowOf[2]};
    for (int i = 0; i < n; i++)
      if (ranks[i] > 2) assertArrayEquals(first, Arrays.copyOfRange(found, 3 * i, 3 * i + 3));
  }

  @Test
  void aScaleMustBePositive() {
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> NeighbourSearch.of(new double[2], 1, new double[] {0}, new int[] {0, 1}));
    assertTrue(String.valueOf(e.getMessage()).contains("column 1"), e.getMessage());
  }
}
