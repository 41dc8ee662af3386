package lovelace.latticekernel;

import java.util.Arrays;
import java.util.stream.Collectors;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.linear.Fft;
import org.jspecify.annotations.Nullable;

/// A root of a stationary kernel on a grid. The kernel matrix is a corner of a circulant matrix C
/// with no negative eigenvalue (Dietrich and Newsam 1997; Wood and Chan 1994): `C = HΛH` with the
/// Hartley matrix `H[k, x] = (cos θ + sin θ)/√N`, `θ = 2π Σ kⱼxⱼ/Nⱼ`, because λ is even. A draw is
/// the grid's corner of `HΛ^½ξ`, one real FFT.
///
/// The circulant starts at twice the grid and grows until its eigenvalues are non-negative to
/// rounding. Modes whose weight is below rounding, relative to the largest, are left out.
final class CirculantKernelRoot implements KernelRoot.Part {

  private static final double ROUNDING = 64 * 0x1p-52;

  private final int[] shape;
  private final Fft fft;
  private final int half;
  private final int[] index; // of the modes kept, in the whole array
  private final double[] scale; // √(λ/N)

  private CirculantKernelRoot(int[] shape, Fft fft, int[] index, double[] scale) {
    this.shape = shape;
    this.fft = fft;
    this.index = index;
    this.scale = scale;
    int[] lengths = fft.lengths();
    half = lengths[lengths.length - 1] / 2 + 1;
  }

  /// The root, or null if no circulant of up to 64 times the grid's points suffices.
  static @Nullable CirculantKernelRoot of(Grid grid, int[] columns, Kernel kernel) {
    int d = grid.dimensions();
    int[] shape = new int[d];
    for (int a = 0; a < d; a++) shape[a] = grid.axis(a).points();
    long most = Math.min(1L << 24, Math.max(1L << 16, 64L * grid.size()));
    double variance = kernel.value(new double[kernel.dimensions()], 0, origin(kernel), 0);
    if (!(variance > 0)) return null;
    for (double grow = 1; ; grow *= 1.4) {
      int[] lengths = new int[d];
      long total = 1;
      for (int a = 0; a < d; a++) {
        lengths[a] = shape[a] == 1 ? 1 : even((int) Math.ceil(grow * 2 * (shape[a] - 1)));
        total *= lengths[a];
      }
      if (total > most) return null;
      Fft fft = Fft.of(lengths);
      double[] lambda = fft.evenSpectrum(column(grid, columns, kernel, lengths));
      double largest = 0;
      double smallest = 0;
      for (double l : lambda) {
        largest = Math.max(largest, l);
        smallest = Math.min(smallest, l);
      }
      if (smallest >= -ROUNDING * largest) return keep(shape, fft, lambda, largest);
    }
  }

  private static double[] origin(Kernel kernel) {
    return new double[kernel.dimensions()];
  }

  private static int even(int n) {
    int s = Fft.smooth(n);
    while (s % 2 != 0) s = Fft.smooth(s + 1);
    return s;
  }

  /// `k` at offsets `min(j, N − j)` along every axis.
  private static double[] column(Grid grid, int[] columns, Kernel kernel, int[] lengths) {
    int d = lengths.length;
    int inputs = kernel.dimensions();
    int corner = 1;
    int total = 1;
    for (int n : lengths) {
      corner *= n / 2 + 1;
      total *= n;
    }
    double[] points = new double[corner * inputs];
    for (int i = 0; i < corner; i++)
      for (int a = d - 1, rest = i; a >= 0; rest /= lengths[a] / 2 + 1, a--)
        points[i * inputs + columns[a]] = rest % (lengths[a] / 2 + 1) * grid.axis(a).step();
    double[] values = new double[corner];
    kernel.matrix(origin(kernel), 1, points, corner, values);
    double[] column = new double[total];
    for (int i = 0; i < total; i++) {
      int at = 0;
      for (int a = d - 1, rest = i, stride = 1; a >= 0; rest /= lengths[a], a--) {
        int j = rest % lengths[a];
        at += Math.min(j, lengths[a] - j) * stride;
        stride *= lengths[a] / 2 + 1;
      }
      column[i] = values[at];
    }
    return column;
  }

  private static CirculantKernelRoot keep(int[] shape, Fft fft, double[] lambda, double largest) {
    int[] lengths = fft.lengths();
    int last = lengths[lengths.length - 1];
    int half = last / 2 + 1;
    int total = fft.size();
    int[] index = new int[total];
    double[] scale = new double[total];
    int kept = 0;
    for (int i = 0; i < total; i++) {
      int k = i % last;
      double l = lambda[i / last * half + Math.min(k, last - k)];
      if (l <= 0x1p-52 * largest) continue;
      index[kept] = i;
      scale[kept++] = Math.sqrt(l / total);
    }
    return new CirculantKernelRoot(
        shape, fft, Arrays.copyOf(index, kept), Arrays.copyOf(scale, kept));
  }

  @Override
  public int normals() {
    return index.length;
  }

  @Override
  public double weight(int j) {
    return scale[j] * scale[j] * gridSize();
  }

  private int gridSize() {
    int size = 1;
    for (int n : shape) size *= n;
    return size;
  }

  @Override
  public void apply(double[] xi, int xo, double[] v) {
    double[] modes = new double[fft.size()];
    for (int j = 0; j < index.length; j++) modes[index[j]] = scale[j] * xi[xo + j];
    double[] spectrum = new double[fft.spectrumSize()];
    fft.forward(modes, spectrum);
    int[] lengths = fft.lengths();
    int d = shape.length;
    int n = shape[d - 1];
    int rows = gridSize() / n;
    for (int r = 0; r < rows; r++) {
      int row = 0;
      for (int a = d - 2, rest = r, stride = 1; a >= 0; rest /= shape[a], stride *= lengths[a], a--)
        row += rest % shape[a] * stride;
      int from = 2 * row * half;
      for (int i = 0; i < n; i++)
        v[r * n + i] = spectrum[from + 2 * i] - spectrum[from + 2 * i + 1];
    }
  }

  @Override
  public String describe() {
    return "circulant "
        + Arrays.stream(fft.lengths()).mapToObj(String::valueOf).collect(Collectors.joining(" × "));
  }
}
