package lovelace.neighbours;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import lovelace.data.Column;
import lovelace.data.Dataset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Nearest earlier rows beside a sort of all of them.
class NeighbourSearchTest {

  private static final int CASES = Boolean.getBoolean("lovelace.long") ? 400 : 60;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 12, 30})
  void findsWhatSortingFinds(int d) {
    for (int seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(100L * d + seed);
      int n = 1 + random.nextInt(random.nextInt(3) == 0 ? 1500 : 300);
      boolean[] text = new boolean[d];
      for (int c = 0; c < d; c++) text[c] = random.nextInt(4) == 0;
      int kind = random.nextInt(7);
      double[] x = rows(kind, n, text, random);
      double[] scales = new double[d];
      for (int c = 0; c < d; c++)
        scales[c] =
            random.nextInt(8) == 0 ? Double.POSITIVE_INFINITY : Math.exp(random.nextGaussian());
      int[] ranks = permutation(n, random);
      int k = 1 + random.nextInt(40);
      int[] some = Arrays.copyOf(permutation(n, random), 1 + random.nextInt(Math.min(n, 60)));
      NeighbourSearch search = NeighbourSearch.of(x, text, scales, ranks);
      int[] found = search.nearest(some, k);
      for (int i = 0; i < some.length; i++)
        assertArrayEquals(
            sorted(x, text, scales, ranks, x, some[i], ranks[some[i]], k),
            Arrays.copyOfRange(found, i * k, (i + 1) * k),
            "seed " + seed + ", row " + some[i]);
      int count = 20;
      double[] points = rows(kind, count, text, random);
      found = search.nearestTo(points, count, k);
      for (int i = 0; i < count; i++)
        assertArrayEquals(
            sorted(x, text, scales, ranks, points, i, n, k),
            Arrays.copyOfRange(found, i * k, (i + 1) * k),
            "seed " + seed + ", point " + i);
    }
  }

  private static double[] rows(int kind, int n, boolean[] text, SplittableRandom random) {
    int d = text.length;
    double[] x = new double[n * d];
    for (int i = 0; i < n; i++)
      for (int c = 0; c < d; c++)
        x[i * d + c] =
            text[c]
                ? random.nextInt(5) - 1 // −1 is a word that was never seen
                : switch (kind) {
                  case 0 -> random.nextGaussian();
                  case 1 -> random.nextInt(7); // a grid: many ties, many rows at one place
                  case 2 -> i < n / 2 ? 3 : random.nextDouble(); // half of the rows at one place
                  case 3 -> c == 0 ? random.nextInt(2) : random.nextGaussian();
                  // beyond what single precision can tell apart, and beyond its range
                  case 4 -> 1e9 + 1e-3 * random.nextGaussian();
                  case 5 -> 1 + (i % 9 == 0 ? 1 : 1e-9) * random.nextGaussian();
                  default -> Math.exp(25 * random.nextGaussian());
                };
    return x;
  }

  /// The nearest to point `p` of those before rank `limit`.
  private static int[] sorted(
      double[] x,
      boolean[] text,
      double[] scales,
      int[] ranks,
      double[] points,
      int p,
      int limit,
      int k) {
    int d = text.length;
    double[] squares = new double[ranks.length];
    for (int j = 0; j < squares.length; j++)
      for (int c = 0; c < d; c++) {
        double a = points[p * d + c];
        double b = x[j * d + c];
        double apart = text[c] ? (a == b ? 0 : 1 / scales[c]) : a / scales[c] - b / scales[c];
        squares[j] += apart * apart;
      }
    int[] all =
        IntStream.range(0, ranks.length)
            .filter(j -> ranks[j] < limit)
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
    NeighbourSearch search = NeighbourSearch.of(x, new boolean[2], new double[] {1, 2}, ranks);
    int[][] found = new int[2][];
    for (int t = 0; t < 2; t++)
      try (var pool = new ForkJoinPool(1 + 2 * t)) {
        found[t] = pool.submit(() -> search.nearest(rows, 9)).get();
      }
    assertArrayEquals(found[0], found[1]);
  }

  @Test
  void aPointFindsTheSameAloneAndAmongOthers() {
    SplittableRandom random = new SplittableRandom(9);
    int n = 2000;
    int d = 6;
    int k = 25;
    boolean[] text = {false, true, false, false, false, true};
    double[] x = rows(0, n, text, random);
    double[] scales = {1, 2, 0.3, 1, 5, 1};
    NeighbourSearch search = NeighbourSearch.of(x, text, scales, permutation(n, random));
    int count = 1500; // more than one piece
    double[] points = rows(0, count, text, random);
    int[] found = search.nearestTo(points, count, k);
    for (int i = 0; i < count; i++)
      assertArrayEquals(
          search.nearestTo(Arrays.copyOfRange(points, i * d, (i + 1) * d), 1, k),
          Arrays.copyOfRange(found, i * k, (i + 1) * k),
          "point " + i);
  }

  /// 3,000 rows in 12 columns, where most boxes are near: with an effort of some of them most of
  /// the nearest rows are found, and the part that is found is as stated.
  @Test
  void limitedEffortFindsMostAndSaysHowMany() {
    SplittableRandom random = new SplittableRandom(10);
    int n = 3000;
    int d = 12;
    int k = 20;
    double[] x = random.doubles((long) n * d).toArray();
    double[] scales = new double[d];
    Arrays.fill(scales, 1);
    int[] ranks = permutation(n, random);
    int[] rows = IntStream.range(0, n).toArray();
    NeighbourSearch exact = NeighbourSearch.of(x, new boolean[d], scales, ranks);
    NeighbourSearch limited = NeighbourSearch.of(x, new boolean[d], scales, ranks, 2000);
    int[] all = exact.nearest(rows, k);
    int[] found = limited.nearest(rows, k);
    int hits = 0;
    int whole = 0;
    for (int i = 0; i < n; i++) {
      Set<Integer> own = new HashSet<>();
      for (int j = 0; j < k; j++) {
        int row = found[i * k + j];
        if (row >= 0) assertTrue(ranks[row] < ranks[i] && own.add(row), "row " + i);
      }
      assertEquals(Math.min(k, ranks[i]), own.size(), "row " + i);
      for (int j = 0; j < own.size(); j++, whole++) if (own.contains(all[i * k + j])) hits++;
    }
    double recall = (double) hits / whole;
    assertTrue(recall > 0.5 && recall < 0.999, "recall " + recall);
    assertEquals(recall, limited.recall(k), 0.03); // 256 rows of 20 neighbours: ± 0.01
    assertEquals(1, exact.recall(k));
  }

  @Test
  void columnsOfTextAreThoseOfTheData() {
    Dataset data =
        Dataset.of(
            new double[] {0, 1, 2, 7},
            List.of(Column.of("kind", List.of("a", "b", "c", "d", "e", "f", "g", "h"))),
            new double[4],
            Column.of("y"));
    NeighbourSearch search = NeighbourSearch.of(data, new double[] {1}, new int[] {3, 2, 1, 0});
    assertArrayEquals(new int[] {3, 2, 1, 0}, search.nearestTo(new double[] {-1}, 1, 4));
    assertArrayEquals(new int[] {1, 3, 2, 0}, search.nearestTo(new double[] {1}, 1, 4));
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
        NeighbourSearch.of(new double[2 * n], new boolean[2], new double[] {1, 1}, ranks)
            .nearest(rows, 3);
    int[] first = {rowOf[0], rowOf[1], rowOf[2]};
    for (int i = 0; i < n; i++)
      if (ranks[i] > 2) assertArrayEquals(first, Arrays.copyOfRange(found, 3 * i, 3 * i + 3));
  }

  @Test
  void aScaleMustBePositive() {
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                NeighbourSearch.of(
                    new double[2], new boolean[1], new double[] {0}, new int[] {0, 1}));
    assertTrue(String.valueOf(e.getMessage()).contains("column 1"), e.getMessage());
  }
}
