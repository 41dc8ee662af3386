package lovelace.grid;

import java.util.Locale;

/// The interpolation weights of several points, each a sparse vector over the lattice.
public final class Stencils {

  private final int count;
  private final int width;
  private final int[] index;
  private final double[] weight;

  private Stencils(int count, int width, int[] index, double[] weight) {
    this.count = count;
    this.width = width;
    this.index = index;
    this.weight = weight;
  }

  /// The weights of points, row-major, which must lie inside the lattice.
  public static Stencils of(Lattice lattice, double[] points) {
    int d = lattice.dimensions();
    int width = lattice.stencilSize();
    int count = points.length / d;
    int[] index = new int[count * width];
    double[] weight = new double[count * width];
    int[] i = new int[width];
    double[] w = new double[width];
    for (int p = 0; p < count; p++) {
      if (!lattice.stencil(points, p * d, i, w))
        throw new IllegalArgumentException("point " + p + " lies outside the " + lattice);
      System.arraycopy(i, 0, index, p * width, width);
      System.arraycopy(w, 0, weight, p * width, width);
    }
    return new Stencils(count, width, index, weight);
  }

  /// Sparse vectors of `width` entries each, one after another. Takes over the arrays.
  public static Stencils adopt(int width, int[] index, double[] weight) {
    if (index.length != weight.length || weight.length % width != 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "vectors of %d entries do not fill arrays of %d and %d",
              width,
              index.length,
              weight.length));
    return new Stencils(weight.length / width, width, index, weight);
  }

  /// One sparse vector. Keeps the arrays.
  public static Stencils single(int[] index, double[] weight) {
    return new Stencils(1, weight.length, index, weight);
  }

  /// The number of points.
  public int count() {
    return count;
  }

  /// The number of weights per point.
  public int width() {
    return width;
  }

  /// The lattice point of weight k of point p.
  public int index(int p, int k) {
    return index[p * width + k];
  }

  /// Weight k of point p.
  public double weight(int p, int k) {
    return weight[p * width + k];
  }

  /// Copies the indices and weights of point p.
  public void copy(int p, int[] index, double[] weight) {
    System.arraycopy(this.index, p * width, index, 0, width);
    System.arraycopy(this.weight, p * width, weight, 0, width);
  }

  /// `wₚᵀv` for the vector v that starts at `v[vo]`.
  public double dot(int p, double[] v, int vo) {
    double sum = 0;
    for (int k = p * width; k < (p + 1) * width; k++) sum += weight[k] * v[vo + index[k]];
    return sum;
  }

  /// Adds `Rᵀwₚ` to the numbers that start at `out[oo]`. R has a row of `rank` numbers for every
  /// lattice point.
  public void contract(int p, int rank, double[] rows, double[] out, int oo) {
    int k = p * width;
    int end = k + width;
    for (; k + 3 < end; k += 4) { // four rows at a time, to read and write out less often
      double w0 = weight[k];
      double w1 = weight[k + 1];
      double w2 = weight[k + 2];
      double w3 = weight[k + 3];
      int r0 = index[k] * rank;
      int r1 = index[k + 1] * rank;
      int r2 = index[k + 2] * rank;
      int r3 = index[k + 3] * rank;
      for (int j = 0; j < rank; j++)
        out[oo + j] +=
            w0 * rows[r0 + j] + w1 * rows[r1 + j] + w2 * rows[r2 + j] + w3 * rows[r3 + j];
    }
    for (; k < end; k++) {
      double w = weight[k];
      int row = index[k] * rank;
      for (int j = 0; j < rank; j++) out[oo + j] += w * rows[row + j];
    }
  }

  /// Adds `scale · wₚ` to the vector that starts at `v[vo]`.
  public void scatter(int p, double scale, double[] v, int vo) {
    for (int k = p * width; k < (p + 1) * width; k++) v[vo + index[k]] += scale * weight[k];
  }
}
