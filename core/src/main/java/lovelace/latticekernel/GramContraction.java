package lovelace.latticekernel;

import java.util.Arrays;
import java.util.stream.IntStream;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.linear.Blas;
import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;

/// Computes `H = XᵀGX`, the information of the data on the columns of X.
///
/// If X is a selection of the columns of a product `L₁ ⊗ … ⊗ L_d` of axis factors, G is contracted
/// axis by axis, for one or two axes. The last axis comes first: `T[i, o] = L₂ᵀ G[i, i+o] L₂` for
/// lines i and i + o, o = 0 … 3. Then `H = Y + Yᵀ`, `Y[(a, s), (b, t)] = Σ L₁[i+o, a] L₁[i, b] T[i,
/// o][t, s]`, where a line with itself counts half. Otherwise G is applied to the columns.
public final class GramContraction {

  /// The most numbers in the sums over pairs of lines at a time.
  private static final int LARGEST = 1 << 26;

  private static final int BATCH = 32; // columns at a time
  private static final int LINES = 8; // in one task
  private static final int ROWS = 512;

  private GramContraction() {}

  /// Columns from ≤ j < to of X, one after another.
  public interface Columns {
    double[] of(int from, int to);
  }

  /// `Xᵀv` for `count` lattice vectors v one after another.
  public interface Analysis {
    double[] of(int count, double[] v);
  }

  /// H for all columns of the product.
  public static double[] of(StencilMatrix gram, ThinKernelRoot factors) {
    return of(gram, factors, IntStream.range(0, factors.rank()).toArray());
  }

  /// H for the columns `kept` of the product, in this order.
  public static double[] of(StencilMatrix gram, ThinKernelRoot factors, int[] kept) {
    if (!contracts(gram.grid(), factors))
      return of(
          gram,
          kept.length,
          (from, to) -> factors.columns(Arrays.copyOfRange(kept, from, to)),
          (count, v) -> select(count, factors.rank(), kept, factors.contract(count, v)));
    return gram.grid().dimensions() == 1
        ? line(gram, factors, kept)
        : plane(gram, factors, kept, LARGEST);
  }

  /// H for any columns, by products with G.
  public static double[] of(LinearOperator gram, int rank, Columns columns, Analysis analysis) {
    double[] h = new double[Math.multiplyExact(rank, rank)];
    int m = gram.size();
    Parallel.chunks(
        rank,
        BATCH,
        (chunk, from, to) -> {
          double[] image = new double[(to - from) * m];
          gram.applyBlock(to - from, columns.of(from, to), image);
          double[] rows = analysis.of(to - from, image);
          System.arraycopy(rows, 0, h, from * rank, (to - from) * rank);
        });
    return symmetric(rank, h, 0.5);
  }

  /// Whether G is contracted axis by axis. This needs one or two axes, and memory for the sums of
  /// some lines.
  static boolean contracts(Grid grid, ThinKernelRoot factors) {
    if (grid.dimensions() != 2) return grid.dimensions() == 1;
    double square = (double) factors.rank(1) * factors.rank(1);
    return square * Math.max(4 * LINES, factors.rank(0)) <= LARGEST;
  }

  /// The entries `kept` of rows of `wide` numbers.
  private static double[] select(int count, int wide, int[] kept, double[] rows) {
    double[] x = new double[count * kept.length];
    for (int c = 0, at = 0; c < count; c++) for (int k : kept) x[at++] = rows[c * wide + k];
    return x;
  }

  /// `scale (A + Aᵀ)`, written over A.
  private static double[] symmetric(int n, double[] a, double scale) {
    Parallel.forEach(
        n,
        i -> {
          for (int j = 0; j <= i; j++) a[i * n + j] = scale * (a[i * n + j] + a[j * n + i]);
        });
    Blas.mirror(n, a);
    return a;
  }

  private static double[] line(StencilMatrix gram, ThinKernelRoot factors, int[] kept) {
    int n = gram.size();
    int r = factors.rank();
    double[] l = factors.factor(0);
    double[] h = new double[r * r];
    int most = Math.max(ROWS, LARGEST / r);
    for (int start = 0; start < n; start += most) {
      int first = start;
      int count = Math.min(most, n - start);
      double[][] rows = padded(l, r, first, first + count);
      double[] product = new double[count * r];
      Parallel.chunks(
          count, ROWS, (chunk, from, to) -> products(gram, 0, first, from, to, rows, product));
      Blas.gemm(true, false, r, r, count, 1, l, first * r, r, product, 0, r, 1, h, 0, r);
    }
    double[] some = new double[kept.length * r];
    for (int i = 0; i < kept.length; i++) System.arraycopy(h, kept[i] * r, some, i * r, r);
    return symmetric(kept.length, select(kept.length, r, kept, some), 0.5);
  }

  /// Contracts on two axes, over blocks of lines whose sums have at most `largest` numbers, or over
  /// one line.
  static double[] plane(StencilMatrix gram, ThinKernelRoot factors, int[] kept, int largest) {
    int p = factors.rank(0);
    int q = factors.rank(1);
    int r = kept.length;
    int[] first = Arrays.stream(kept).map(k -> k / q).toArray();
    int[] second = Arrays.stream(kept).map(k -> k % q).toArray();
    int[][] members = new int[p][]; // of the selection, by their index along the first axis
    for (int a = 0; a < p; a++) {
      int own = a;
      members[a] = IntStream.range(0, r).filter(j -> first[j] == own).toArray();
    }
    int[] lines = lines(gram);
    double[] l = factors.factor(0);
    double[] y = new double[Math.multiplyExact(r, r)];
    int together = Math.max(1, largest / (4 * q * q));
    for (int start = 0; start < lines.length; start += together) {
      int[] own = Arrays.copyOfRange(lines, start, Math.min(lines.length, start + together));
      double[] t = pairs(gram, factors, own);
      double[] near = new double[own.length * p];
      for (int i = 0; i < own.length; i++) System.arraycopy(l, own[i] * p, near, i * p, p);
      Parallel.forEach(
          p,
          a -> {
            int extent = Arrays.stream(members[a]).map(j -> second[j] + 1).max().orElse(0);
            if (extent == 0) return;
            int width = extent * q;
            double[] sums = sums(l, p, a, own, t, q * q, width);
            double[] part = new double[p * width];
            Blas.gemm(true, false, p, width, own.length, near, sums, part);
            for (int j : members[a])
              for (int k = 0; k < r; k++)
                y[j * r + k] += part[first[k] * width + second[j] * q + second[k]];
          });
    }
    return symmetric(r, y, 1);
  }

  /// The lines of a plane that have observations.
  private static int[] lines(StencilMatrix gram) {
    int n = gram.grid().axis(1).points();
    double[] own = gram.diagonal(0);
    return IntStream.range(0, gram.grid().axis(0).points())
        .filter(i -> IntStream.range(i * n, (i + 1) * n).anyMatch(at -> own[at] != 0))
        .toArray();
  }

  /// Row 4i + o: `T[i, o]` of some lines, transposed.
  private static double[] pairs(StencilMatrix gram, ThinKernelRoot factors, int[] lines) {
    int n = gram.grid().axis(1).points();
    int q = factors.rank(1);
    double[] l = factors.factor(1);
    double[][] rows = padded(l, q, 0, n);
    double[] t = new double[4 * lines.length * q * q];
    Parallel.chunks(
        lines.length,
        LINES,
        (chunk, from, to) -> {
          double[] product = new double[n * 4 * q];
          for (int i = from; i < to; i++) {
            products(gram, lines[i] * n, 0, 0, n, rows, product);
            int at = 4 * i * q * q;
            Blas.gemm(true, false, 4 * q, q, n, 1, product, 0, 4 * q, l, 0, q, 0, t, at, q);
          }
        });
    return t;
  }

  /// Row i: the first `width` numbers of `Σₒ L₁[i+o, a] T[i, o]`.
  private static double[] sums(
      double[] l, int p, int a, int[] lines, double[] t, int square, int width) {
    double[] sums = new double[lines.length * width];
    for (int i = 0; i < lines.length; i++) {
      int at = lines[i] * p + a;
      double c0 = 0.5 * l[at];
      double c1 = at + p < l.length ? l[at + p] : 0;
      double c2 = at + 2 * p < l.length ? l[at + 2 * p] : 0;
      double c3 = at + 3 * p < l.length ? l[at + 3 * p] : 0;
      int to = i * width;
      int from = 4 * i * square;
      for (int k = 0; k < width; k++)
        sums[to + k] =
            c0 * t[from + k]
                + c1 * t[from + square + k]
                + c2 * t[from + 2 * square + k]
                + c3 * t[from + 3 * square + k];
    }
    return sums;
  }

  /// Rows from ≤ i < to of L as arrays, with three more on each side; zero beyond L.
  private static double[][] padded(double[] l, int q, int from, int to) {
    double[][] rows = new double[to - from + 6][q];
    for (int i = Math.max(0, from - 3); i < Math.min(l.length / q, to + 3); i++)
      System.arraycopy(l, i * q, rows[i - from + 3], 0, q);
    return rows;
  }

  /// Rows from ≤ j < to of `G[line, line+o] L`, side by side for all offsets o ≥ 0, one on a line
  /// and four in a plane. The line starts at point `line`; rows are counted from its point `first`.
  private static void products(
      StencilMatrix gram,
      int line,
      int first,
      int from,
      int to,
      double[][] rows,
      double[] product) {
    int q = rows[0].length;
    int offsets = gram.grid().dimensions() == 1 ? 1 : 4;
    double[] own = gram.diagonal(0);
    double[] g = new double[7];
    double[] sum = new double[q];
    for (int j = from; j < to; j++) {
      int at = line + first + j;
      int into = j * offsets * q;
      if (own[at] == 0) {
        Arrays.fill(product, into, into + offsets * q, 0);
        continue;
      }
      for (int o = 0; o < offsets; o++) {
        for (int s = -3; s <= 3; s++)
          g[s + 3] =
              o > 0
                  ? gram.diagonal(7 * o + s)[at]
                  : s >= 0 ? gram.diagonal(s)[at] : at + s < line ? 0 : gram.diagonal(-s)[at + s];
        combine(g, rows, j, sum);
        System.arraycopy(sum, 0, product, into + o * q, q);
      }
    }
  }

  /// `sum ← Σ gₛ rowₛ`. All arrays share their index, so that the compiler can vectorise it.
  private static void combine(double[] g, double[][] rows, int first, double[] sum) {
    double g0 = g[0];
    double g1 = g[1];
    double g2 = g[2];
    double g3 = g[3];
    double g4 = g[4];
    double g5 = g[5];
    double g6 = g[6];
    double[] r0 = rows[first];
    double[] r1 = rows[first + 1];
    double[] r2 = rows[first + 2];
    double[] r3 = rows[first + 3];
    double[] r4 = rows[first + 4];
    double[] r5 = rows[first + 5];
    double[] r6 = rows[first + 6];
    for (int b = 0; b < sum.length; b++)
      sum[b] =
          g0 * r0[b] + g1 * r1[b] + g2 * r2[b] + g3 * r3[b] + g4 * r4[b] + g5 * r5[b] + g6 * r6[b];
  }
}
