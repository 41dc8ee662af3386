package lovelace.linear.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.linear.Cholesky;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Everything against dense algebra on the same matrix.
class SparseCholeskyTest {

  /// A sparse positive definite matrix whose rows are points.
  static final class Case {
    private final String name;
    private final SparsePattern pattern;
    private final double[] values;
    private final double[][] points;

    Case(String name, SparsePattern pattern, double[] values, double[][] points) {
      this.name = name;
      this.pattern = pattern;
      this.values = values;
      this.points = points;
    }

    SparsePattern pattern() {
      return pattern;
    }

    double[] values() {
      return values;
    }

    double[][] points() {
      return points;
    }

    @Override
    public String toString() {
      return name;
    }

    int size() {
      return pattern.size();
    }

    /// Written from the definition, both triangles.
    double[] dense() {
      int n = size();
      double[] a = new double[n * n];
      for (int i = 0; i < n; i++)
        for (int e = pattern.start(i); e < pattern.start(i + 1); e++)
          a[i * n + pattern.column(e)] = a[pattern.column(e) * n + i] = values[e];
      return a;
    }

    Fronts fronts() {
      return Fronts.of(pattern, NestedDissection.of(pattern, points));
    }
  }

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (int[] shape :
        new int[][] {{1}, {7}, {300}, {1, 1}, {13, 17}, {40, 25}, {3, 200}, {9, 8, 7}, {5, 5, 30}})
      for (int reach : new int[] {1, 2, 3}) cases.add(grid(shape, reach));
    for (int n : new int[] {2, 50, 207, 700}) cases.add(scattered(n, 12, n));
    cases.add(levels(36, 28));
    return cases;
  }

  /// A Laplacian of a grid with random weights, and a little on the diagonal.
  static Case grid(int[] shape, int reach) {
    String name = Arrays.toString(shape) + " reach " + reach;
    SparsePattern pattern = SparsePattern.grid(shape, reach);
    return laplacian(name, pattern, SparsePattern.coordinates(shape), 7 * reach);
  }

  /// Random points in a square, each coupled with some points near it and one anywhere; a tenth of
  /// them are on their own.
  static Case scattered(int n, int neighbours, long seed) {
    var random = new SplittableRandom(seed);
    double[][] points = {random.doubles(n).toArray(), random.doubles(n).toArray()};
    int[] starts = new int[n + 1];
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      int here = i;
      var near =
          IntStream.range(0, i)
              .boxed()
              .sorted(
                  Comparator.comparingDouble(
                      j ->
                          Math.hypot(
                              points[0][here] - points[0][j], points[1][here] - points[1][j])))
              .limit(neighbours)
              .collect(Collectors.toCollection(TreeSet::new));
      if (i > 0 && random.nextInt(20) == 0) near.add(random.nextInt(i));
      if (random.nextInt(10) == 0) near.clear();
      columns.addAll(near);
      columns.add(i);
      starts[i + 1] = columns.size();
    }
    var pattern =
        SparsePattern.adopt(starts, columns.stream().mapToInt(Integer::intValue).toArray());
    return laplacian(n + " scattered points, seed " + seed, pattern, points, seed);
  }

  /// Couplings that reach as far as the powers of two that divide both coordinates.
  static Case levels(int rows, int columns) {
    var random = new SplittableRandom(3);
    int n = rows * columns;
    double[][] points = SparsePattern.coordinates(rows, columns);
    int[] starts = new int[n + 1];
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        int a = (int) (points[0][i] - points[0][j]);
        int b = (int) (points[1][i] - points[1][j]);
        int x = (int) points[0][i] | (int) points[1][i] | (int) points[0][j] | (int) points[1][j];
        int level = x == 0 ? 64 : Integer.lowestOneBit(x);
        if (a * a + b * b <= 5 * level * level && (i == j || random.nextInt(3) > 0)) found.add(j);
      }
      starts[i + 1] = found.size();
    }
    var pattern = SparsePattern.adopt(starts, found.stream().mapToInt(k -> k).toArray());
    return laplacian("levels", pattern, points, 5);
  }

  private static Case laplacian(String name, SparsePattern pattern, double[][] points, long seed) {
    var random = new SplittableRandom(seed);
    int n = pattern.size();
    double[] values = new double[pattern.entries()];
    double[] sums = new double[n];
    for (int i = 0; i < n; i++)
      for (int e = pattern.start(i); e < pattern.start(i + 1) - 1; e++) {
        values[e] = random.nextDouble(-1, 0.3);
        sums[i] += Math.abs(values[e]);
        sums[pattern.column(e)] += Math.abs(values[e]);
      }
    for (int i = 0; i < n; i++)
      values[pattern.start(i + 1) - 1] = sums[i] + random.nextDouble(0.01, 0.1);
    return new Case(name, pattern, values, points);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void solvesAndDeterminantEqualDenseOnes(Case a) {
    int n = a.size();
    SparseCholesky sparse = SparseCholesky.of(a.fronts(), a.values());
    Cholesky dense = Cholesky.of(a.dense(), n);
    assertEquals(dense.logDeterminant(), sparse.logDeterminant(), 1e-11 * n);
    for (int columns : new int[] {1, 3}) {
      double[] b = new SplittableRandom(n).doubles((long) n * columns, -1, 1).toArray();
      double[] expected = b.clone();
      dense.solveBlock(columns, expected);
      double[] x = b.clone();
      if (columns == 1) sparse.solve(x);
      else sparse.solveBlock(columns, x);
      assertArrayEquals(expected, x, 1e-9);
      // L⁻ᵀ is a root of the inverse, so bᵀA⁻¹b is the square of L⁻¹b
      double[] half = b.clone();
      sparse.solveLower(columns, half);
      for (int c = 0; c < columns; c++) {
        double square = 0;
        double product = 0;
        for (int i = 0; i < n; i++) {
          square += half[i * columns + c] * half[i * columns + c];
          product += b[i * columns + c] * expected[i * columns + c];
        }
        assertEquals(product, square, 1e-9 * product);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void entriesOfTheInverseEqualDenseOnes(Case a) {
    int n = a.size();
    SparseCholesky factor = SparseCholesky.of(a.fronts(), a.values());
    double[] dense = Cholesky.of(a.dense(), n).inverse();
    double scale = Arrays.stream(dense).map(Math::abs).max().orElseThrow();
    double[] onPattern = SelectedInverse.onPattern(factor);
    SelectedInverse inverse = SelectedInverse.of(factor);
    double[] diagonal = inverse.diagonal();
    for (int i = 0; i < n; i++) {
      assertEquals(dense[i * n + i], diagonal[i], 1e-12 * scale);
      for (int e = a.pattern().start(i); e < a.pattern().start(i + 1); e++) {
        int j = a.pattern().column(e);
        assertEquals(dense[i * n + j], onPattern[e], 1e-12 * scale);
        assertEquals(onPattern[e], inverse.entry(i, j), 0);
        assertEquals(onPattern[e], inverse.entry(j, i), 0);
      }
    }
  }

  /// Whether the factor has an entry is decided by the pattern, so all others are refused.
  @Test
  void inverseIsKnownWhereTheFactorHasEntriesAndRefusedElsewhere() {
    Case a = grid(new int[] {40, 25}, 1);
    int n = a.size();
    SelectedInverse inverse = SelectedInverse.of(SparseCholesky.of(a.fronts(), a.values()));
    double[] dense = Cholesky.of(a.dense(), n).inverse();
    int known = 0;
    int refused = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        try {
          assertEquals(dense[i * n + j], inverse.entry(i, j), 1e-11);
          known++;
        } catch (IllegalArgumentException e) {
          assertTrue(e.toString().contains(i + " and " + j), e.toString());
          refused++;
        }
    assertTrue(known > 2 * a.pattern().entries(), () -> "known " + a.pattern().entries());
    assertTrue(refused > n * n / 4, "refused " + refused);
  }

  @Test
  void threadsChangeNoBit() throws Exception {
    Case a = grid(new int[] {90, 70}, 3);
    double[][] results = new double[3][];
    for (int threads = 1; threads <= 3; threads++)
      try (var pool = new ForkJoinPool(threads)) {
        results[threads - 1] =
            pool.submit(
                    () -> {
                      SparseCholesky factor = SparseCholesky.of(a.fronts(), a.values());
                      double[] x = new SplittableRandom(1).doubles(2L * a.size()).toArray();
                      factor.solveBlock(2, x);
                      double[] z = SelectedInverse.onPattern(factor);
                      double[] all = Arrays.copyOf(x, x.length + z.length + 1);
                      System.arraycopy(z, 0, all, x.length, z.length);
                      all[all.length - 1] = factor.logDeterminant();
                      return all;
                    })
                .get();
      }
    assertArrayEquals(results[0], results[1], 0);
    assertArrayEquals(results[0], results[2], 0);
  }

  @Test
  void failingPivotIsReportedWithItsPlaceAndValue() {
    Case a = grid(new int[] {40, 25}, 2);
    Fronts fronts = a.fronts();
    NestedDissection order = fronts.order();
    for (int place : new int[] {0, 17, 500, a.size() - 1}) {
      int point = order.point(place);
      // the pivot is 1 / (inverse of the leading block) there; take it away, and a bit more
      int n = place + 1;
      double[] leading = new double[n * n];
      for (int p = 0; p < n; p++)
        for (int q = 0; q < n; q++) {
          int e = a.pattern().entry(order.point(p), order.point(q));
          leading[p * n + q] = e < 0 ? 0 : a.values()[e];
        }
      double pivot = 1 / Cholesky.of(leading, n).inverse()[n * n - 1];
      double[] values = a.values().clone();
      values[a.pattern().entry(point, point)] -= pivot + 0.25;
      var e =
          assertThrows(
              SparseCholesky.PivotException.class, () -> SparseCholesky.of(fronts, values));
      assertEquals(point, e.point());
      assertEquals(-0.25, e.value(), 1e-9);
      assertTrue(e.toString().contains("row " + point + " "), e.toString());
      assertTrue(e.toString().contains("-0.25"), e.toString());
    }
    double[] broken = a.values().clone();
    broken[a.pattern().entry(70, 70)] = Double.NaN;
    var e =
        assertThrows(SparseCholesky.PivotException.class, () -> SparseCholesky.of(fronts, broken));
    assertEquals(70, e.point());
    assertTrue(Double.isNaN(e.value()));
  }

  @Test
  void oneAnalysisServesManyMatrices() {
    Case a = grid(new int[] {20, 20}, 1);
    Fronts fronts = a.fronts();
    SparseCholesky first = SparseCholesky.of(fronts, a.values());
    double before = first.logDeterminant();
    double[] doubled = Arrays.stream(a.values()).map(v -> 2 * v).toArray();
    assertEquals(
        before + 400 * Math.log(2), SparseCholesky.of(fronts, doubled).logDeterminant(), 1e-9);
    assertEquals(before, first.logDeterminant(), 0);
    assertThrows(IllegalArgumentException.class, () -> SparseCholesky.of(fronts, new double[3]));
    assertThrows(IllegalArgumentException.class, () -> first.solve(new double[3]));
  }
}
