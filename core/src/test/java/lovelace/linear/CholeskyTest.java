package lovelace.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CholeskyTest {

  private static double[] positive(int n, long seed) {
    double[] g = new SplittableRandom(seed).doubles((long) n * n, -1, 1).toArray();
    double[] a = new double[n * n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        a[i * n + j] = i == j ? 1 : 0;
        for (int p = 0; p < n; p++) a[i * n + j] += g[i * n + p] * g[j * n + p];
      }
    return a;
  }

  @Test
  void factorOfAKnownMatrix() {
    Cholesky c = Cholesky.of(new double[] {4, 99, 99, 12, 37, 99, -16, -43, 98}, 3);
    assertArrayEquals(new double[] {2, 0, 0, 6, 1, 0, -8, 5, 3}, c.factor(), 1e-14);
    assertEquals(Math.log(36), c.logDeterminant(), 1e-14);
    assertEquals(0, c.jitter());
    assertEquals(3, c.size());
  }

  @Test
  void solvesInvertsAndKeepsTheInput() {
    for (int n : new int[] {1, 3, 13, 207, 300}) {
      double[] a = positive(n, n);
      double[] kept = a.clone();
      Cholesky c = Cholesky.of(a, n);
      assertArrayEquals(kept, a);
      int columns = 4;
      double[] x = new SplittableRandom(n).doubles((long) n * columns, -1, 1).toArray();
      double[] b = new double[n * columns];
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          for (int q = 0; q < columns; q++) b[i * columns + q] += a[i * n + j] * x[j * columns + q];
      double[] single = new double[n];
      for (int i = 0; i < n; i++) single[i] = b[i * columns];
      c.solveBlock(columns, b);
      assertArrayEquals(x, b, 1e-9);
      c.solve(single);
      for (int i = 0; i < n; i++) assertEquals(x[i * columns], single[i], 1e-9);
      double[] inverse = c.inverse();
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
          double entry = 0;
          for (int p = 0; p < n; p++) entry += inverse[i * n + p] * a[p * n + j];
          assertEquals(i == j ? 1 : 0, entry, 1e-9);
        }
      double[] half = c.inverseFactor();
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
          double entry = 0;
          for (int p = j; p <= i; p++) entry += half[i * n + p] * c.factor()[p * n + j];
          assertEquals(i == j ? 1 : 0, entry, 1e-9);
          if (j > i) assertEquals(0, half[i * n + j], 0);
        }
    }
  }

  @Test
  void rankOneUpdateAndDowndateEqualANewFactorisation() {
    for (int n : new int[] {1, 3, 13, 207}) {
      double[] a = positive(n, 10 + n);
      double[] v = new SplittableRandom(n).doubles(n, -1, 1).toArray();
      double[] sum = a.clone();
      for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) sum[i * n + j] += v[i] * v[j];
      Cholesky before = Cholesky.of(a, n);
      Cholesky after = Cholesky.of(sum, n);
      double[] kept = before.factor().clone();
      assertArrayEquals(after.factor(), before.update(v).factor(), 1e-10);
      assertArrayEquals(kept, before.factor());
      assertArrayEquals(before.factor(), after.downdate(v).factor(), 1e-9);
    }
    Cholesky identity = Cholesky.of(new double[] {1, 0, 0, 1}, 2);
    assertThrows(ArithmeticException.class, () -> identity.downdate(new double[] {0, 1}));
  }

  @Test
  void singularMatrixReportsItsJitter() {
    int n = 40;
    double[] a = new double[n * n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) a[i * n + j] = Math.exp(-1e-5 * (i - j) * (i - j));
    Cholesky c = Cholesky.of(a, n);
    assertTrue(c.jitter() >= 1e-12 && c.jitter() <= 1e-9, "jitter " + c.jitter());
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        double entry = 0;
        for (int p = 0; p <= j; p++) entry += c.factor()[i * n + p] * c.factor()[j * n + p];
        assertEquals(a[i * n + j] + (i == j ? c.jitter() : 0), entry, 1e-14);
      }
  }

  @Test
  void indefiniteAndNonFiniteMatricesFailClearly() {
    var e =
        assertThrows(ArithmeticException.class, () -> Cholesky.of(new double[] {1, 0, 2, 1}, 2));
    assertTrue(e.toString().contains("pivot 2"), e.toString());
    assertThrows(
        ArithmeticException.class, () -> Cholesky.of(new double[] {1, 0, Double.NaN, 1}, 2));
    assertThrows(IllegalArgumentException.class, () -> Cholesky.of(new double[3], 2));
  }
}
