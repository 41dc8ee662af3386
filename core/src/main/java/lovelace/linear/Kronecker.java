package lovelace.linear;

/// The Kronecker product `A₁ ⊗ … ⊗ A_d` of square matrices, as an operator on row-major arrays with
/// one axis per factor (the last axis runs fastest). A product costs O(m Σ nⱼ) for m = Π nⱼ.
public final class Kronecker implements LinearOperator {

  private final int[] sizes;
  private final double[][] factors;
  private final int size;

  private Kronecker(double[][] factors) {
    if (factors.length == 0) throw new IllegalArgumentException("at least one factor is needed");
    this.factors = factors;
    sizes = new int[factors.length];
    long product = 1;
    for (int j = 0; j < sizes.length; j++) {
      sizes[j] = (int) Math.round(Math.sqrt(factors[j].length));
      if (sizes[j] < 1 || sizes[j] * sizes[j] != factors[j].length)
        throw new IllegalArgumentException(
            "factor " + j + " must hold n² entries, got " + factors[j].length);
      product *= sizes[j];
    }
    size = Math.toIntExact(product);
  }

  /// The product of these square row-major factors. Keeps the arrays, which must not be modified
  /// afterwards.
  public static Kronecker of(double[]... factors) {
    return new Kronecker(factors.clone());
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void apply(double[] x, double[] y) {
    applyBlock(1, x, y);
  }

  @Override
  public void applyBlock(int count, double[] x, double[] y) {
    double[] result = multiply(false, count, sizes, sizes, factors, x);
    System.arraycopy(result, 0, y, 0, count * size);
  }

  /// `(A₁ ⊗ … ⊗ A_d) x`, or the same with every factor transposed. Factors are `rows[j] ×
  /// columns[j]`, and x holds `count` arrays one after another. Returns a new array.
  public static double[] multiply(
      boolean transposed, int count, int[] rows, int[] columns, double[][] factors, double[] x) {
    int[] from = transposed ? rows : columns;
    int[] to = transposed ? columns : rows;
    int outer = count;
    int inner = 1;
    for (int n : from) inner *= n;
    double[] current = x;
    for (int j = 0; j < factors.length; j++) {
      inner /= from[j];
      double[] next = new double[outer * to[j] * inner];
      axis(transposed, outer, from[j], to[j], inner, factors[j], columns[j], current, next);
      outer *= to[j];
      current = next;
    }
    return current;
  }

  /// Y[o, ·, ·] ← op(A) X[o, ·, ·] for `outer` matrices of size n × inner.
  private static void axis(
      boolean transposed,
      int outer,
      int from,
      int to,
      int inner,
      double[] a,
      int lda,
      double[] x,
      double[] y) {
    if (inner == 1) {
      Blas.gemm(false, !transposed, outer, to, from, 1, x, 0, from, a, 0, lda, 0, y, 0, to);
      return;
    }
    int group = Math.max(1, (1 << 16) / (from * inner));
    Parallel.chunks(
        outer,
        group,
        (index, first, last) -> {
          for (int o = first; o < last; o++) {
            int at = o * from * inner;
            int into = o * to * inner;
            Blas.gemm(
                transposed, false, to, inner, from, 1, a, 0, lda, x, at, inner, 0, y, into, inner);
          }
        });
  }
}
