package lovelace.latticekernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Term;
import lovelace.linear.BlockToeplitz;
import lovelace.linear.Fft;
import lovelace.linear.Kronecker;
import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;
import lovelace.linear.Toeplitz;
import org.jspecify.annotations.Nullable;

/// A stationary kernel over a grid, even in every axis: `K[i, j] = k(|i − j|)`. Products use small
/// dense factors if it is a product over the axes, and FFTs otherwise.
public final class StationaryPart implements LatticeKernel.Part {

  private static final int KRONECKER = 600;
  private static final int DENSE = 12_000;

  private final Grid grid;
  private final Kernel kernel;
  private final int[] columns;
  private volatile @Nullable Matrix matrix;
  private volatile @Nullable ThinKernelRoot thinRoot;
  private volatile boolean thick; // there is no thin root
  private final int[] shape;
  private final List<Place> places;

  /// Local parameter `from` and the next `count` are at `to` in the whole kernel. If scale is not
  /// 0, the parameter is an amplitude shared by a product, and its derivative is multiplied by
  /// scale.
  private record Place(int from, int count, int to, double scale) {}

  private StationaryPart(Grid grid, int[] columns, Kernel kernel, List<Place> places) {
    this.grid = grid;
    this.kernel = kernel;
    this.places = places;
    this.columns = columns;
    shape = new int[grid.dimensions()];
    for (int a = 0; a < shape.length; a++) shape[a] = grid.axis(a).points();
  }

  /// The kernel's values at the offsets, and the operator made from them. A product needs them; a
  /// likelihood that works with Fourier modes does not.
  private static final class Matrix {
    final double[] points; // the offsets as points of all input columns
    final double[] values;
    private volatile @Nullable LinearOperator operator;

    Matrix(double[] points, double[] values) {
      this.points = points;
      this.values = values;
    }
  }

  private Matrix matrix() {
    Matrix known = matrix;
    if (known != null) return known;
    int d = kernel.dimensions();
    int m = grid.size();
    double[] points = new double[m * d];
    for (int i = 0; i < m; i++)
      for (int a = 0; a < shape.length; a++)
        points[i * d + columns[a]] = i / grid.stride(a) % shape[a] * grid.axis(a).step();
    double[] values = new double[m];
    kernel.matrix(new double[d], 1, points, m, values);
    known = new Matrix(points, values);
    matrix = known;
    return known;
  }

  private LinearOperator operator() {
    Matrix own = matrix();
    LinearOperator known = own.operator;
    if (known == null) own.operator = known = operator(own.values);
    return known;
  }

  private LinearOperator operator(double[] values) {
    if (shape.length == 1) return Toeplitz.of(values);
    int longest = 0;
    for (int points : shape) longest = Math.max(longest, points);
    if (!kernel.isSeparable() || longest > KRONECKER) return BlockToeplitz.even(shape, values);
    return Kronecker.of(factors(values));
  }

  private double[][] factors(double[] values) {
    double[][] factors = new double[shape.length][];
    for (int a = 0; a < shape.length; a++) {
      int n = shape[a];
      factors[a] = new double[n * n];
      // the output scale counts once: it stays in the first factor
      double scale = a == 0 ? 1 : 1 / values[0];
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          factors[a][i * n + j] = scale * values[Math.abs(i - j) * grid.stride(a)];
    }
    return factors;
  }

  /// A root of this part: factors if it is a product of small factors, otherwise a circulant, and a
  /// dense factor if no circulant suffices.
  KernelRoot.Part root() {
    if (shape.length > 1 && operator() instanceof Kronecker)
      return DenseKernelRoot.of(shape, factors(matrix().values));
    CirculantKernelRoot circulant = CirculantKernelRoot.of(grid, columns, kernel);
    if (circulant != null) return circulant;
    int m = grid.size();
    if (m > DENSE)
      throw new ArithmeticException(
          String.format(
              Locale.ROOT,
              "%s has no non-negative circulant embedding near the %s, and %,d points are too many for a dense factor; draw samples by the love method, or use a smaller grid",
              kernel,
              grid,
              m));
    double[] dense = new double[m * m];
    Parallel.forEach(
        m,
        i -> {
          for (int j = 0; j < m; j++) dense[i * m + j] = entry(i, j);
        });
    return DenseKernelRoot.of(new int[] {m}, new double[][] {dense});
  }

  /// A root with few columns, if there is one. The kernel must be separable and smooth.
  @Nullable ThinKernelRoot thinRoot() {
    ThinKernelRoot known = thinRoot;
    if (known != null || thick || !kernel.isSeparable()) return known;
    double[] values = matrix().values;
    double[][] rows = new double[shape.length][];
    for (int a = 0; a < shape.length; a++) {
      rows[a] = new double[shape[a]];
      for (int i = 0; i < shape[a]; i++)
        rows[a][i] = values[i * grid.stride(a)] / (a == 0 ? 1 : values[0]);
    }
    known = ThinKernelRoot.of(shape, rows);
    thick = known == null;
    thinRoot = known;
    return known;
  }

  /// Whether `k(τ) = k(0) ρ₁(τ₁) … ρ_d(τ_d)`, so that K is a product of [#factor]s.
  public boolean isSeparable() {
    return kernel.isSeparable();
  }

  /// ρ along an axis, at 0, 1, … steps, for a separable kernel.
  public double[] factor(int axis) {
    double[] row = new double[shape[axis]];
    kernel.matrix(new double[kernel.dimensions()], 1, line(axis), row.length, row);
    double variance = row[0];
    for (int i = 0; i < row.length; i++) row[i] /= variance;
    return row;
  }

  /// Adds `Σₒ weightsₒ ∂k(o steps along the axis)/∂θ` to g, in the order of the whole kernel's
  /// values.
  public void gradient(int axis, double[] weights, double[] g) {
    double[] local = new double[kernel.parameterCount()];
    kernel.gradientSum(
        new double[kernel.dimensions()], 1, line(axis), weights.length, weights, local);
    place(local, g);
  }

  private double[] line(int axis) {
    int d = kernel.dimensions();
    double[] points = new double[shape[axis] * d];
    for (int i = 0; i < shape[axis]; i++)
      points[i * d + columns[axis]] = i * grid.axis(axis).step();
    return points;
  }

  /// The whole kernel without its white terms, which belong to the noise.
  static StationaryPart of(Grid grid, int[] columns, Kernel kernel) {
    int[] latent = kernel.latentPlaces();
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < latent.length; i++) places.add(new Place(i, 1, latent[i], 0));
    return new StationaryPart(grid, columns, kernel.withoutWhite(), places);
  }

  /// One term of a kernel.
  static StationaryPart of(Grid grid, int[] columns, Kernel whole, Term term) {
    Kernel kernel = term.kernel(whole.dimensions());
    double[] all = whole.values();
    List<Place> places = new ArrayList<>();
    for (int p : term.amplitudeParameters())
      places.add(new Place(0, 1, p, term.amplitude() / all[p]));
    factorPlaces(term.factors(), term, 1, places);
    return new StationaryPart(grid, columns, kernel, places);
  }

  /// The stationary factors of a term alone, without its amplitude.
  static StationaryPart core(Grid grid, int[] columns, List<Leaf> factors, Term term) {
    Kernel product = factors.getFirst();
    for (Leaf leaf : factors.subList(1, factors.size())) product = product.times(leaf);
    List<Place> places = new ArrayList<>();
    factorPlaces(factors, term, 0, places);
    return new StationaryPart(grid, columns, product, places);
  }

  private static void factorPlaces(List<Leaf> factors, Term term, int from, List<Place> places) {
    for (int f = 0; f < term.factors().size(); f++) {
      Leaf leaf = term.factors().get(f);
      if (!factors.contains(leaf)) continue;
      places.add(new Place(from, leaf.parameterCount(), term.offset(f), 0));
      from += leaf.parameterCount();
    }
  }

  @Override
  public void add(int count, int stride, double[] x, double[] y, int offset) {
    int m = grid.size();
    boolean whole = stride == m;
    double[] from = whole ? x : new double[count * m];
    if (!whole)
      for (int c = 0; c < count; c++) System.arraycopy(x, c * stride + offset, from, c * m, m);
    double[] to = new double[count * m];
    if (count == 1) operator().apply(from, to);
    else operator().applyBlock(count, from, to);
    for (int c = 0; c < count; c++)
      for (int i = 0; i < m; i++) y[c * stride + offset + i] += to[c * m + i];
  }

  @Override
  public double entry(int i, int j) {
    int at = 0;
    for (int a = 0; a < shape.length; a++) {
      int stride = grid.stride(a);
      at += Math.abs(i / stride % shape[a] - j / stride % shape[a]) * stride;
    }
    return matrix().values[at];
  }

  @Override
  public void gradient(
      int count, int stride, double[] u, double[] v, int offset, double weight, double[] g) {
    double[] sums = correlation(count, stride, u, v, offset);
    for (int i = 0; i < sums.length; i++) sums[i] *= weight;
    lagGradient(sums, g);
  }

  /// The kernel at the index differences, in the order of the grid's points; not to be modified.
  public double[] lagValues() {
    return matrix().values;
  }

  /// Adds `Σₒ sumsₒ ∂k(o)/∂θ` over the index differences o to g, in the order of the whole kernel's
  /// values.
  public void lagGradient(double[] sums, double[] g) {
    double[] local = new double[kernel.parameterCount()];
    kernel.gradientSum(
        new double[kernel.dimensions()], 1, matrix().points, sums.length, sums, local);
    place(local, g);
  }

  /// k(0).
  public double variance() {
    int d = kernel.dimensions();
    return kernel.value(new double[d], 0, new double[d], 0);
  }

  /// This part's kernel, a function of all input columns.
  public Kernel kernel() {
    return kernel;
  }

  /// Adds a gradient in this part's own parameters to one in the whole kernel's.
  public void place(double[] local, double[] g) {
    for (Place place : places)
      for (int i = 0; i < place.count; i++)
        g[place.to + i] += local[place.from + i] * (place.scale == 0 ? 1 : place.scale);
  }

  /// `c[o] = Σ uᵢvⱼ` over all pairs of points with `|i − j| = o`, summed over the pairs of vectors,
  /// by FFT.
  private double[] correlation(int count, int stride, double[] u, double[] v, int offset) {
    int[] lengths = new int[shape.length];
    for (int a = 0; a < shape.length; a++) lengths[a] = Fft.smooth(2 * shape[a] - 1);
    Fft fft = Fft.of(lengths);
    int batch = 8;
    int pieces = Parallel.pieces(count, batch);
    double[][] parts = new double[pieces][];
    Parallel.chunks(
        count,
        batch,
        (piece, from, to) -> {
          double[] total = new double[fft.spectrumSize()];
          double[] a = new double[fft.spectrumSize()];
          double[] b = new double[fft.spectrumSize()];
          for (int c = from; c < to; c++) {
            fft.forward(shape, u, c * stride + offset, a);
            fft.forward(shape, v, c * stride + offset, b);
            for (int i = 0; i < total.length; i += 2) {
              total[i] += a[i] * b[i] + a[i + 1] * b[i + 1];
              total[i + 1] += a[i] * b[i + 1] - a[i + 1] * b[i];
            }
          }
          parts[piece] = total;
        });
    double[] total = parts[0];
    for (int p = 1; p < pieces; p++) for (int i = 0; i < total.length; i++) total[i] += parts[p][i];
    double[] circular = new double[fft.size()];
    fft.inverse(total, circular);
    double[] sums = new double[grid.size()];
    fold(circular, lengths, 0, 0, 0, sums);
    return sums;
  }

  /// Adds the entries at `±o` along every axis.
  private void fold(double[] circular, int[] lengths, int a, int from, int to, double[] sums) {
    if (a == shape.length) {
      sums[to] += circular[from];
      return;
    }
    for (int o = 0; o < shape[a]; o++) {
      fold(circular, lengths, a + 1, from * lengths[a] + o, to * shape[a] + o, sums);
      if (o > 0)
        fold(circular, lengths, a + 1, from * lengths[a] + lengths[a] - o, to * shape[a] + o, sums);
    }
  }
}
