package lovelace.latticekernel;

import java.util.Arrays;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.linear.Fft;

/// A stationary kernel's values at the distances of a grid, and their cosine transforms over the
/// circles in which the axes are embedded.
final class KernelSpectrum {

  private KernelSpectrum() {}

  /// Whether the weights are products over the axes. On a single axis they always are.
  static boolean separable(Kernel kernel) {
    return kernel.activeColumns().length == 1 || kernel.isSeparable();
  }

  /// `k(j h e_a)` for j < count.
  static double[] along(Grid grid, int[] columns, int a, Kernel kernel, int count) {
    return values(grid, columns, kernel, reach(grid, a, count));
  }

  /// `count` distances along one axis, and only 0 along the others.
  static int[] reach(Grid grid, int axis, int count) {
    int[] reach = new int[grid.dimensions()];
    Arrays.fill(reach, 1);
    reach[axis] = count;
    return reach;
  }

  /// The kernel at all distances `(j₁h₁, …)`, row-major over `reach`.
  static double[] values(Grid grid, int[] columns, Kernel kernel, int[] reach) {
    double[] points = distancePoints(grid, columns, kernel, reach);
    int count = points.length / kernel.dimensions();
    double[] k = new double[count];
    kernel.matrix(new double[kernel.dimensions()], 1, points, count, k);
    return k;
  }

  static double[] distancePoints(Grid grid, int[] columns, Kernel kernel, int[] reach) {
    int d = kernel.dimensions();
    int count = 1;
    for (int r : reach) count = Math.multiplyExact(count, r);
    double[] points = new double[Math.multiplyExact(count, d)];
    for (int i = 0; i < count; i++)
      for (int a = reach.length - 1, rest = i; a >= 0; a--) {
        points[i * d + columns[a]] = rest % reach[a] * grid.axis(a).step();
        rest /= reach[a];
      }
    return points;
  }

  /// `(k₀ + 2 Σⱼ kⱼ cos(2πqj/N))/N` for q = 0 … N/2, by FFT.
  static double[] spectrum(double[] k, int n) {
    double[] circle = new double[n];
    circle[0] = k[0];
    for (int j = 1; j < k.length; j++) {
      circle[j % n] += k[j];
      circle[(n - j % n) % n] += k[j];
    }
    double[] all = Fft.of(n).evenSpectrum(circle);
    double[] weights = new double[n / 2 + 1];
    for (int q = 0; q < weights.length; q++) weights[q] = all[q] / n;
    return weights;
  }

  /// Row s: `multiplicity_j cos(2π q_s j/N)/N` for distances j. Distances beyond N/2 fold back: the
  /// circle has the kernel's sum over all windings, whose weights are never negative (Poisson).
  static double[] cosineMatrix(int n, int[] frequencies, int distances) {
    double[] c = new double[frequencies.length * distances];
    for (int s = 0; s < frequencies.length; s++)
      for (int j = 0; j < distances; j++) {
        double times = j == 0 ? 1 : 2;
        double angle = 2 * Math.PI * ((long) frequencies[s] * j % n) / n;
        c[s * distances + j] = times * Math.cos(angle) / n;
      }
    return c;
  }

  /// k(0).
  static double variance(Kernel kernel) {
    int all = kernel.dimensions();
    return kernel.value(new double[all], 0, new double[all], 0);
  }
}
