package lovelace.linear.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every routine of every version against loops written from its definition, on awkward sizes, with
/// offsets, gaps between rows, and guards that must stay untouched.
class RoutinesTest {

  private static final List<int[]> SIZES =
      List.of(
          new int[] {1, 1, 1},
          new int[] {3, 1, 2},
          new int[] {1, 13, 5},
          new int[] {13, 3, 1},
          new int[] {13, 13, 13},
          new int[] {25, 49, 24},
          new int[] {207, 13, 31},
          new int[] {130, 300, 67},
          new int[] {3, 5, 8200},
          new int[] {260, 258, 20},
          new int[] {260, 30, 515},
          new int[] {1031, 7, 13});

  private static final List<Integer> ORDERS = List.of(1, 2, 3, 13, 24, 25, 64, 127, 128, 207, 300);

  static Stream<Routines> versions() throws IOException {
    OpenBlas openBlas = OpenBlas.load();
    JavaRoutines java = new JavaRoutines();
    return Stream.of(openBlas, java, new Tiled(openBlas), new Tiled(java));
  }

  /// A matrix inside a larger array.
  private static final class Matrix {
    final int rows;
    final int columns;
    final int offset;
    final int ld;
    final double[] a;

    Matrix(int rows, int columns, SplittableRandom random) {
      this.rows = rows;
      this.columns = columns;
      this.offset = random.nextInt(5);
      this.ld = columns + random.nextInt(4);
      this.a = random.doubles(offset + rows * ld + 3, -1, 1).toArray();
    }

    Matrix(Matrix other) {
      rows = other.rows;
      columns = other.columns;
      offset = other.offset;
      ld = other.ld;
      a = other.a.clone();
    }

    double get(int i, int j) {
      return a[offset + i * ld + j];
    }

    double get(boolean trans, int i, int j) {
      return trans ? get(j, i) : get(i, j);
    }

    void set(int i, int j, double value) {
      a[offset + i * ld + j] = value;
    }
  }

  private static Matrix triangle(int n, SplittableRandom random) {
    Matrix l = new Matrix(n, n, random);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) l.set(i, j, l.get(i, j) / Math.sqrt(n));
      l.set(i, i, 1 + random.nextDouble());
    }
    return l;
  }

  @ParameterizedTest
  @MethodSource("versions")
  void gemmIsTheDefinition(Routines routines) {
    SplittableRandom random = new SplittableRandom(1);
    for (int[] size : SIZES) {
      int m = size[0];
      int n = size[1];
      int k = size[2];
      for (int flags = 0; flags < 4; flags++) {
        boolean ta = (flags & 1) != 0;
        boolean tb = (flags & 2) != 0;
        Matrix a = new Matrix(ta ? k : m, ta ? m : k, random);
        Matrix b = new Matrix(tb ? n : k, tb ? k : n, random);
        Matrix c = new Matrix(m, n, random);
        double beta = List.of(0.0, 1.0, -0.7, 0.0).get(flags);
        if (beta == 0) c.set(m - 1, n - 1, Double.NaN);
        Matrix expected = new Matrix(c);
        for (int i = 0; i < m; i++) {
          for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++) sum += a.get(ta, i, p) * b.get(tb, p, j);
            expected.set(i, j, 1.3 * sum + (beta == 0 ? 0 : beta * c.get(i, j)));
          }
        }
        routines.gemm(
            ta, tb, m, n, k, 1.3, a.a, a.offset, a.ld, b.a, b.offset, b.ld, beta, c.a, c.offset,
            c.ld);
        assertArrayEquals(expected.a, c.a, 1e-15 * (10 + k), m + "×" + n + "×" + k + "/" + flags);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void gemvIsTheDefinition(Routines routines) {
    SplittableRandom random = new SplittableRandom(2);
    for (int[] size : List.of(new int[] {1, 1}, new int[] {13, 207}, new int[] {1031, 300})) {
      int m = size[0];
      int n = size[1];
      for (boolean trans : new boolean[] {false, true}) {
        for (double beta : new double[] {0, 0.5}) {
          Matrix a = new Matrix(m, n, random);
          Matrix x = new Matrix(1, trans ? m : n, random);
          Matrix y = new Matrix(1, trans ? n : m, random);
          if (beta == 0) y.set(0, 0, Double.NaN);
          Matrix expected = new Matrix(y);
          for (int i = 0; i < y.columns; i++) {
            double sum = 0;
            for (int p = 0; p < x.columns; p++) sum += a.get(trans, i, p) * x.get(0, p);
            expected.set(0, i, -2 * sum + (beta == 0 ? 0 : beta * y.get(0, i)));
          }
          routines.gemv(trans, m, n, -2, a.a, a.offset, a.ld, x.a, x.offset, beta, y.a, y.offset);
          assertArrayEquals(expected.a, y.a, 1e-12, m + "×" + n + " " + trans);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void syrkIsTheLowerTriangleOfTheDefinition(Routines routines) {
    SplittableRandom random = new SplittableRandom(3);
    for (int[] size : SIZES) {
      int n = size[0];
      int k = size[2];
      for (boolean trans : new boolean[] {false, true}) {
        Matrix a = new Matrix(trans ? k : n, trans ? n : k, random);
        Matrix c = new Matrix(n, n, random);
        double beta = trans ? 0 : -1;
        if (trans) c.set(n - 1, 0, Double.NaN);
        Matrix expected = new Matrix(c);
        for (int i = 0; i < n; i++) {
          for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++) sum += a.get(trans, i, p) * a.get(trans, j, p);
            expected.set(i, j, 0.5 * sum + (trans ? 0 : beta * c.get(i, j)));
          }
        }
        routines.syrk(trans, n, k, 0.5, a.a, a.offset, a.ld, beta, c.a, c.offset, c.ld);
        assertArrayEquals(expected.a, c.a, 1e-15 * (10 + k), n + "×" + k + " " + trans);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void trmmIsTheDefinitionAndTrsmUndoesIt(Routines routines) {
    SplittableRandom random = new SplittableRandom(4);
    for (int order : ORDERS) {
      for (int count : order == 300 ? new int[] {7} : new int[] {1, 5, 150}) {
        for (int flags = 0; flags < 4; flags++) {
          boolean right = (flags & 1) != 0;
          boolean trans = (flags & 2) != 0;
          int m = right ? count : order;
          int n = right ? order : count;
          Matrix l = triangle(order, random);
          Matrix b = new Matrix(m, n, random);
          Matrix product = new Matrix(b);
          for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
              double sum = 0;
              for (int p = 0; p < order; p++) {
                int row = right ? p : i;
                int column = right ? j : p;
                if (trans ? column < row : row < column) continue;
                sum += l.get(trans, row, column) * (right ? b.get(i, p) : b.get(p, j));
              }
              product.set(i, j, 2 * sum);
            }
          }
          String which = order + ", " + count + "/" + flags;
          Matrix x = new Matrix(b);
          routines.trmm(right, trans, m, n, 2, l.a, l.offset, l.ld, x.a, x.offset, x.ld);
          assertArrayEquals(product.a, x.a, 1e-12, which);
          routines.trsm(right, trans, m, n, 0.5, l.a, l.offset, l.ld, x.a, x.offset, x.ld);
          assertArrayEquals(b.a, x.a, 1e-10, which);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void potrfFindsTheFactorAndTheFailingPivot(Routines routines) {
    SplittableRandom random = new SplittableRandom(5);
    for (int n : ORDERS) {
      Matrix l = triangle(n, random);
      Matrix a = new Matrix(l);
      Matrix expected = new Matrix(l);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
          double sum = 0;
          for (int p = 0; p <= j; p++) sum += l.get(i, p) * l.get(j, p);
          a.set(i, j, sum);
        }
      }
      Matrix broken = new Matrix(a);
      assertEquals(0, routines.potrf(n, a.a, a.offset, a.ld));
      assertArrayEquals(expected.a, a.a, 1e-11, "n = " + n);
      int pivot = random.nextInt(n);
      broken.set(pivot, pivot, -1);
      assertEquals(pivot + 1, routines.potrf(n, broken.a, broken.offset, broken.ld));
      broken.set(0, 0, Double.NaN);
      assertEquals(1, routines.potrf(n, broken.a, broken.offset, broken.ld));
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void eigenvectorsReproduceTheMatrix(Routines routines) {
    SplittableRandom random = new SplittableRandom(6);
    for (int n : new int[] {1, 2, 3, 13, 60}) {
      double[] a = random.doubles((long) n * n, -1, 1).toArray();
      double[] v = a.clone();
      double[] values = new double[n];
      routines.eigen(n, v, values);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          double entry = 0;
          double gram = 0;
          for (int p = 0; p < n; p++) {
            entry += v[p * n + i] * values[p] * v[p * n + j];
            gram += v[i * n + p] * v[j * n + p];
          }
          assertEquals(a[Math.max(i, j) * n + Math.min(i, j)], entry, 1e-12 * n);
          assertEquals(i == j ? 1 : 0, gram, 1e-13 * n);
        }
        if (i > 0) assertEquals(true, values[i - 1] <= values[i]);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void threadsDoNotChangeABit(Routines routines) {
    if (!(routines instanceof Tiled tiled)) return;
    int n = 700;
    double[] a = new SplittableRandom(7).doubles((long) n * n, -1, 1).toArray();
    double[] one = new double[n * n];
    double[] four = new double[n * n];
    try (ForkJoinPool single = new ForkJoinPool(1);
        ForkJoinPool several = new ForkJoinPool(4)) {
      single.submit(() -> factorAndInvert(tiled, n, a, one)).join();
      several.submit(() -> factorAndInvert(tiled, n, a, four)).join();
    }
    assertArrayEquals(one, four);
    for (int i : new int[] {0, 350, 699}) {
      // row i of the inverse times column i of AAᵀ + nI is 1
      double sum = 0;
      for (int j = 0; j < n; j++) {
        double entry = i == j ? n : 0;
        for (int p = 0; p < n; p++) entry += a[i * n + p] * a[j * n + p];
        sum += entry * one[Math.max(i, j) * n + Math.min(i, j)];
      }
      assertEquals(1, sum, 1e-11);
    }
  }

  private static void factorAndInvert(Tiled routines, int n, double[] a, double[] out) {
    for (int i = 0; i < n; i++) out[i * n + i] = n;
    routines.gemm(false, true, n, n, n, 1, a, 0, n, a, 0, n, 1, out, 0, n);
    routines.potrf(n, out, 0, n);
    routines.potri(n, out, 0, n);
  }
}
