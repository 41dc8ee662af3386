package lovelace.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OperatorsTest {

  /// An operator and its dense matrix, written from the definition.
  static final class Case {
    final String name;
    final LinearOperator operator;
    final double[] matrix;

    Case(String name, LinearOperator operator, double[] matrix) {
      this.name = name;
      this.operator = operator;
      this.matrix = matrix;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> market() {
    SplittableRandom random = new SplittableRandom(11);
    Stream.Builder<Case> cases = Stream.builder();
    for (int n : new int[] {1, 3, 13, 207}) {
      double[] a = random.doubles((long) n * n, -1, 1).toArray();
      cases.add(new Case("dense " + n, Dense.of(a, n), a));
    }
    for (int m : new int[] {1, 2, 3, 13, 160, 161, 207, 500}) {
      double[] column = random.doubles(m, -1, 1).toArray();
      double[] a = new double[m * m];
      for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) a[i * m + j] = column[Math.abs(i - j)];
      cases.add(new Case("toeplitz " + m, Toeplitz.of(column), a));
    }
    for (int[] shape : SHAPES) {
      cases.add(even(shape, random));
      cases.add(symmetric(shape));
      cases.add(kronecker(shape, random));
    }
    return cases.build();
  }

  private static final List<int[]> SHAPES =
      List.of(
          new int[] {7},
          new int[] {1, 5},
          new int[] {5, 1},
          new int[] {13, 8},
          new int[] {4, 1, 6},
          new int[] {5, 7, 3},
          new int[] {3, 2, 4, 5});

  private static int[] index(int[] shape, int i) {
    int[] index = new int[shape.length];
    for (int j = shape.length - 1; j >= 0; j--) {
      index[j] = i % shape[j];
      i /= shape[j];
    }
    return index;
  }

  private static Case even(int[] shape, SplittableRandom random) {
    int m = Arrays.stream(shape).reduce(1, (p, q) -> p * q);
    double[] values = random.doubles(m, -1, 1).toArray();
    double[] a = new double[m * m];
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        int at = 0;
        for (int k = 0; k < shape.length; k++)
          at = at * shape[k] + Math.abs(index(shape, i)[k] - index(shape, j)[k]);
        a[i * m + j] = values[at];
      }
    String name = "even block Toeplitz " + Arrays.toString(shape);
    return new Case(name, BlockToeplitz.even(shape, values), a);
  }

  private static double skewed(int[] o) {
    double square = 0;
    double mixed = 0;
    for (int k = 0; k < o.length; k++) {
      square += o[k] * o[k];
      mixed += (k + 1) * o[k];
    }
    return Math.exp(-0.05 * square) * Math.cos(0.3 * mixed);
  }

  private static Case symmetric(int[] shape) {
    int m = Arrays.stream(shape).reduce(1, (p, q) -> p * q);
    double[] a = new double[m * m];
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        int[] o = index(shape, i);
        for (int k = 0; k < o.length; k++) o[k] -= index(shape, j)[k];
        a[i * m + j] = skewed(o);
      }
    String name = "symmetric block Toeplitz " + Arrays.toString(shape);
    return new Case(name, BlockToeplitz.symmetric(shape, OperatorsTest::skewed), a);
  }

  private static Case kronecker(int[] shape, SplittableRandom random) {
    int m = Arrays.stream(shape).reduce(1, (p, q) -> p * q);
    double[][] factors = new double[shape.length][];
    for (int k = 0; k < shape.length; k++)
      factors[k] = random.doubles((long) shape[k] * shape[k], -1, 1).toArray();
    double[] a = new double[m * m];
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++) {
        a[i * m + j] = 1;
        for (int k = 0; k < shape.length; k++)
          a[i * m + j] *= factors[k][index(shape, i)[k] * shape[k] + index(shape, j)[k]];
      }
    return new Case("kronecker " + Arrays.toString(shape), Kronecker.of(factors), a);
  }

  @ParameterizedTest
  @MethodSource("market")
  void productEqualsTheDenseMatrix(Case c) {
    int n = c.operator.size();
    assertEquals(c.matrix.length, n * n);
    int count = 5;
    double[] x = new SplittableRandom(n).doubles((long) count * n, -1, 1).toArray();
    double[] kept = x.clone();
    double[] expected = new double[count * n];
    for (int v = 0; v < count; v++)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) expected[v * n + i] += c.matrix[i * n + j] * x[v * n + j];
    double[] y = new double[count * n];
    Arrays.fill(y, Double.NaN);
    c.operator.applyBlock(count, x, y);
    assertArrayEquals(expected, y, 1e-13 * n + 1e-14);
    double[] single = new double[n];
    c.operator.apply(Arrays.copyOf(x, n), single);
    assertArrayEquals(Arrays.copyOf(expected, n), single, 1e-13 * n + 1e-14);
    assertArrayEquals(kept, x);
  }

  @Test
  void rectangularKroneckerAndItsTransposeAreAdjoint() {
    SplittableRandom random = new SplittableRandom(12);
    int[] rows = {3, 1, 4};
    int[] columns = {2, 5, 3};
    double[][] factors = new double[3][];
    for (int j = 0; j < 3; j++) factors[j] = random.doubles(rows[j] * columns[j]).toArray();
    double[] x = random.doubles(2 * 30).toArray();
    double[] u = random.doubles(2 * 12).toArray();
    double[] ax = Kronecker.multiply(false, 2, rows, columns, factors, x);
    double[] atu = Kronecker.multiply(true, 2, rows, columns, factors, u);
    assertEquals(24, ax.length);
    assertEquals(60, atu.length);
    for (int c = 0; c < 2; c++)
      assertEquals(
          Blas.dot(12, ax, 12 * c, u, 12 * c), Blas.dot(30, x, 30 * c, atu, 30 * c), 1e-12);
    double first = 0;
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 5; j++)
        for (int k = 0; k < 3; k++)
          first += factors[0][i] * factors[1][j] * factors[2][k] * x[(i * 5 + j) * 3 + k];
    assertEquals(first, ax[0], 1e-13);
  }

  @Test
  void threadsDoNotChangeABit() {
    int[] shape = {60, 50, 20};
    LinearOperator a = BlockToeplitz.symmetric(shape, OperatorsTest::skewed);
    double[] x = new SplittableRandom(13).doubles(a.size(), -1, 1).toArray();
    double[] one = new double[a.size()];
    double[] four = new double[a.size()];
    try (ForkJoinPool single = new ForkJoinPool(1);
        ForkJoinPool several = new ForkJoinPool(4)) {
      single.submit(() -> a.apply(x, one)).join();
      several.submit(() -> a.apply(x, four)).join();
    }
    assertArrayEquals(one, four);
  }

  @Test
  void wrongShapesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Toeplitz.of());
    assertThrows(
        IllegalArgumentException.class, () -> BlockToeplitz.even(new int[] {2, 2}, new double[3]));
    assertThrows(IllegalArgumentException.class, () -> Kronecker.of(new double[3]));
    assertThrows(IllegalArgumentException.class, () -> Dense.of(new double[3], 2));
  }
}
