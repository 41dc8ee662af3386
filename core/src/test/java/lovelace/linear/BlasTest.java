package lovelace.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BlasTest {

  @Test
  void productOfKnownMatrices() {
    double[] c = new double[4];
    double[] one = {1, 2, 3, 4};
    double[] two = {5, 6, 7, 8};
    Blas.gemm(false, true, 2, 2, 2, 1, one, 0, 2, two, 0, 2, 0, c, 0, 2);
    assertArrayEquals(new double[] {17, 23, 39, 53}, c);
    assertTrue(Blas.provider().equals("openblas") || Blas.provider().equals("java"));
  }

  @Test
  void wholeMatricesNeedNoOffsets() {
    double[] a = {1, 2, 3, 4, 5, 6};
    double[] b = {1, 0, 2, -1, 3, 1};
    double[] c = new double[4];
    Blas.gemm(false, false, 2, 2, 3, a, b, c);
    assertArrayEquals(new double[] {14, 1, 32, 1}, c);
    Blas.gemm(true, false, 2, 2, 3, a, b, c);
    assertArrayEquals(new double[] {22, 2, 28, 2}, c);
    Blas.gemm(false, true, 2, 2, 3, a, b, c);
    assertArrayEquals(new double[] {7, 8, 16, 17}, c);
    Blas.gemm(true, true, 2, 2, 3, a, b, c);
    assertArrayEquals(new double[] {11, 13, 14, 16}, c);
    assertThrows(
        IllegalArgumentException.class,
        () -> Blas.gemm(false, false, 2, 3, 3, a, b, new double[6]));
  }

  @Test
  void matricesOutsideTheirArraysAreRefused() {
    double[] a = new double[12];
    assertThrows(
        IllegalArgumentException.class,
        () -> Blas.gemm(false, false, 3, 4, 1, 1, a, 0, 1, a, 0, 4, 0, a, 1, 4));
    assertThrows(IllegalArgumentException.class, () -> Blas.potrf(3, a, 4, 3));
    assertThrows(IllegalArgumentException.class, () -> Blas.potrf(3, a, -1, 3));
    assertThrows(IllegalArgumentException.class, () -> Blas.potrf(3, a, 0, 2));
    assertEquals(0, Blas.potrf(0, a, 0, 0));
  }

  @Test
  void emptyInnerSumScalesTheResult() {
    double[] c = {1, 2, 3, Double.NaN};
    Blas.gemm(false, false, 1, 3, 0, 1, c, 0, 0, c, 0, 3, 2, c, 0, 3);
    assertArrayEquals(new double[] {2, 4, 6, Double.NaN}, c);
    Blas.gemm(false, false, 1, 4, 0, 1, c, 0, 0, c, 0, 4, 0, c, 0, 4);
    assertArrayEquals(new double[4], c);
  }

  @Test
  void normNeitherOverflowsNorUnderflows() {
    assertEquals(5, Blas.nrm2(2, new double[] {9, 3, -4}, 1));
    assertEquals(5e200, Blas.nrm2(2, new double[] {3e200, 4e200}, 0), 1e186);
    assertEquals(5e-200, Blas.nrm2(2, new double[] {3e-200, 4e-200}, 0), 1e-214);
    assertTrue(Double.isNaN(Blas.nrm2(2, new double[] {1, Double.NaN}, 0)));
    assertEquals(0, Blas.nrm2(0, new double[0], 0));
  }

  @Test
  void dotAndAxpyAreTheDefinition() {
    for (int n : new int[] {0, 1, 3, 13, 207}) {
      double[] x = new SplittableRandom(n).doubles(n + 2, -1, 1).toArray();
      double[] y = new SplittableRandom(-n).doubles(n + 2, -1, 1).toArray();
      double sum = 0;
      for (int i = 0; i < n; i++) sum += x[i + 1] * y[i + 2];
      assertEquals(sum, Blas.dot(n, x, 1, y, 2), 1e-13);
      double[] z = y.clone();
      Blas.axpy(n, 3, x, 1, z, 2);
      for (int i = 0; i < n; i++) assertEquals(y[i + 2] + 3 * x[i + 1], z[i + 2], 1e-15);
    }
  }

  @Test
  void mirrorCopiesTheLowerTriangle() {
    int n = 130;
    double[] a = new SplittableRandom(3).doubles((long) n * n).toArray();
    double[] b = a.clone();
    Blas.mirror(n, b);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        assertEquals(a[Math.max(i, j) * n + Math.min(i, j)], b[i * n + j]);
  }

  @Test
  void parallelSumHasTheSameBitsForAnyPool() {
    double[] x = new SplittableRandom(4).doubles(10_007, -1, 1).toArray();
    Parallel.ChunkSum body = (from, to) -> Blas.dot(to - from, x, from, x, from);
    double expected = 0;
    for (int i = 0; i < x.length; i += 100) expected += body.over(i, Math.min(i + 100, x.length));
    for (int threads : new int[] {1, 3}) {
      try (ForkJoinPool pool = new ForkJoinPool(threads)) {
        assertEquals(expected, pool.submit(() -> Parallel.sum(x.length, 100, body)).join());
      }
    }
    assertEquals(expected, Parallel.sum(x.length, 100, body));
  }

  @Test
  void everyPieceRunsOnceAndExceptionsReachTheCaller() {
    AtomicInteger sum = new AtomicInteger();
    Parallel.forEach(1000, i -> sum.addAndGet(i));
    assertEquals(499_500, sum.get());
    Parallel.forEach(0, i -> sum.set(-1));
    assertEquals(499_500, sum.get());
    var e =
        assertThrows(
            IllegalStateException.class,
            () ->
                Parallel.forEach(
                    8,
                    i -> {
                      if (i == 5) throw new IllegalStateException("piece 5");
                    }));
    assertTrue(e.toString().contains("piece 5"), e.toString());
  }
}
