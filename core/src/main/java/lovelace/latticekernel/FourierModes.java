package lovelace.latticekernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import lovelace.budget.Budget;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.linear.Fft;
import lovelace.linear.Kronecker;

/// The real Fourier modes that represent a stationary kernel on a grid: `K = F Λ Fᵀ`.
///
/// Each axis is embedded in a circle of N points, long enough that the kernel has died out where it
/// wraps around. The modes at the grid points are `1`, `√2 cos(2πqi/N)`, `√2 sin(2πqi/N)` per axis
/// and their products; they do not depend on the hyperparameters. The weight of a mode is the
/// cosine transform of the kernel's values at the circle's distances, even in every axis. Modes
/// whose weight is below the tolerance, relative to the largest, are left out. Immutable.
public final class FourierModes {

  private final Grid grid;
  private final int[] columns;
  private final double tolerance;
  private final int[] period;
  private final int[][] frequency; // per axis, the distinct frequencies kept
  private final int[][] axisFrequency; // per axis and axis mode, index into frequency
  private final int[] selected; // rank × d, axis mode of each mode
  private final double[][]
      cosines; // per axis, frequencies × distances, for kernels that are not products
  private final int[] distances; // per axis, the number of distances that the transform reads
  private final ModeProducts products;

  private FourierModes(
      Grid grid, int[] columns, double tolerance, ModeChoice choice, boolean whole) {
    this.grid = grid;
    this.columns = columns;
    this.tolerance = tolerance;
    period = choice.period;
    int d = grid.dimensions();
    frequency = new int[d][];
    axisFrequency = new int[d][];
    double[][] axisModes = new double[d][];
    cosines = new double[d][];
    distances = choice.reach;
    int[][] firstMode = new int[d][];
    for (int a = 0; a < d; a++) {
      int axis = a;
      frequency[a] = choice.kept.stream().mapToInt(q -> q[axis]).distinct().sorted().toArray();
      firstMode[a] = new int[period[a] / 2 + 1];
      axisModes[a] = axisModes(a, firstMode[a]);
      cosines[a] =
          whole
              ? KernelSpectrum.cosineMatrix(period[a], frequency[a], distances[a])
              : new double[0];
    }
    List<int[]> all = new ArrayList<>();
    for (int[] q : choice.kept) expand(q, 0, new int[d], firstMode, all);
    if (d == 1) all.sort(Comparator.comparingInt(mode -> mode[0]));
    selected = new int[all.size() * d];
    for (int j = 0; j < all.size(); j++) System.arraycopy(all.get(j), 0, selected, j * d, d);
    int[] points = new int[d];
    int[] counts = new int[d];
    for (int a = 0; a < d; a++) {
      points[a] = grid.axis(a).points();
      counts[a] = axisFrequency[a].length;
    }
    int[] kept = new int[rank()];
    for (int j = 0; j < kept.length; j++)
      for (int a = 0; a < d; a++) kept[j] = kept[j] * counts[a] + axisMode(j, a);
    products = new ModeProducts(ThinKernelRoot.of(points, counts, axisModes), kept);
  }

  private double[] axisModes(int a, int[] first) {
    int points = grid.axis(a).points();
    int n = period[a];
    int count = 0;
    for (int q : frequency[a]) {
      first[q] = count;
      count += q == 0 || 2 * q == n ? 1 : 2;
    }
    axisFrequency[a] = new int[count];
    double[] f = new double[points * count];
    for (int s = 0, at = 0; s < frequency[a].length; s++) {
      int q = frequency[a][s];
      boolean single = q == 0 || 2 * q == n;
      double scale = single ? 1 : Math.sqrt(2);
      axisFrequency[a][at] = s;
      if (!single) axisFrequency[a][at + 1] = s;
      for (int i = 0; i < points; i++) {
        double angle = 2 * Math.PI * ((long) q * i % n) / n;
        f[i * count + at] = scale * Math.cos(angle);
        if (!single) f[i * count + at + 1] = scale * Math.sin(angle);
      }
      at += single ? 1 : 2;
    }
    return f;
  }

  private void expand(int[] q, int a, int[] mode, int[][] first, List<int[]> all) {
    if (a == q.length) {
      all.add(mode.clone());
      return;
    }
    mode[a] = first[a][q[a]];
    expand(q, a + 1, mode, first, all);
    if (q[a] != 0 && 2 * q[a] != period[a]) {
      mode[a]++;
      expand(q, a + 1, mode, first, all);
    }
  }

  /// The modes of a sum of stationary kernels of the given input columns, at the frequencies chosen
  /// for it.
  public static FourierModes of(
      Grid grid, int[] columns, List<Kernel> kernels, double tolerance, ModeChoice choice) {
    boolean whole = !kernels.stream().allMatch(KernelSpectrum::separable);
    return new FourierModes(grid, columns, tolerance, choice, whole);
  }

  /// Whether the modes of every axis at its points fit into an array and the allowed memory, with
  /// the same amount of work space.
  public static boolean fits(Grid grid, ModeChoice choice) {
    for (int a = 0; a < grid.dimensions(); a++) {
      int axis = a;
      long modes = 2 * choice.kept.stream().mapToInt(q -> q[axis]).distinct().count();
      long numbers = modes * grid.axis(a).points();
      if (numbers > Integer.MAX_VALUE - 8 || 16 * numbers > Budget.current().memory()) return false;
    }
    return true;
  }

  /// The number of modes, r.
  int rank() {
    return selected.length / grid.dimensions();
  }

  /// The axis mode of mode j along axis a.
  int axisMode(int j, int a) {
    return selected[j * grid.dimensions() + a];
  }

  /// Whether this basis represents the kernel: it dies out before it wraps, and the frequencies
  /// left out have little weight.
  public boolean fits(Kernel kernel) {
    int d = grid.dimensions();
    for (int a = 0; a < d; a++) {
      Axis axis = grid.axis(a);
      int from = period[a] - axis.points() + 1;
      int all = kernel.dimensions();
      double[] points = new double[4 * all];
      for (int i = 0; i < 3; i++) points[i * all + columns[a]] = (from + i) * axis.step();
      points[3 * all + columns[a]] = ModeChoice.WELL * axis.points() * axis.step();
      double[] k = new double[4];
      kernel.matrix(new double[all], 1, points, 4, k);
      double peak = KernelSpectrum.variance(kernel);
      for (int i = 0; i < 3; i++) if (Math.abs(k[i]) > 10 * tolerance * peak) return false;
      // there may be no basis for it, so learning must not end there
      if (Math.abs(k[3]) > tolerance * peak) return false;
      double[] weights = spectrum(a, kernel);
      double light = 10 * tolerance * Arrays.stream(weights).max().orElseThrow();
      int known = 0;
      for (int q = 0; q < weights.length; q++)
        if (known < frequency[a].length && frequency[a][known] == q) known++;
        else if (Math.abs(weights[q]) > light) return false;
    }
    return true;
  }

  /// λ, the weight of every mode. Negative values, due to rounding, become zero.
  public double[] weights(Kernel kernel) {
    int d = grid.dimensions();
    int r = rank();
    double[] lambda = new double[r];
    if (KernelSpectrum.separable(kernel)) {
      double[][] w = new double[d][];
      for (int a = 0; a < d; a++) w[a] = axisWeights(a, kernel);
      double scale = Math.pow(KernelSpectrum.variance(kernel), 1 - d);
      for (int j = 0; j < r; j++) {
        double product = scale;
        for (int a = 0; a < d; a++) product *= w[a][axisFrequency[a][axisMode(j, a)]];
        lambda[j] = Math.max(product, 0);
      }
    } else {
      double[] values = KernelSpectrum.values(grid, columns, kernel, distances);
      double[] w = Kronecker.multiply(false, 1, counts(), distances, cosines, values);
      for (int j = 0; j < r; j++) lambda[j] = Math.max(w[flat(j)], 0);
    }
    return lambda;
  }

  private double[] spectrum(int a, Kernel kernel) {
    double[] k = KernelSpectrum.along(grid, columns, a, kernel, distances[a]);
    return KernelSpectrum.spectrum(k, period[a]);
  }

  private double[] axisWeights(int a, Kernel kernel) {
    double[] all = spectrum(a, kernel);
    return Arrays.stream(frequency[a]).mapToDouble(q -> all[q]).toArray();
  }

  /// The transpose of [#axisWeights]: turns slopes in the weights into slopes in the kernel's
  /// values.
  private double[] axisSlopes(int a, double[] slope) {
    int n = period[a];
    double[] circle = new double[n];
    for (int s = 0; s < slope.length; s++) {
      int q = frequency[a][s];
      circle[q] += 0.5 * slope[s];
      circle[(n - q) % n] += 0.5 * slope[s];
    }
    double[] all = Fft.of(n).evenSpectrum(circle);
    double[] k = new double[distances[a]];
    for (int j = 0; j < k.length; j++) {
      int folded = Math.min(j % n, n - j % n);
      k[j] = (j == 0 ? 1 : 2) * all[folded] / n;
    }
    return k;
  }

  private int[] counts() {
    return Arrays.stream(frequency).mapToInt(f -> f.length).toArray();
  }

  private int flat(int j) {
    int at = 0;
    for (int a = 0; a < grid.dimensions(); a++)
      at = at * frequency[a].length + axisFrequency[a][axisMode(j, a)];
    return at;
  }

  /// Adds `Σⱼ slopeⱼ ∂λⱼ/∂θ` to g, in the order of the kernel's values.
  public void pullBack(Kernel kernel, double[] slope, double[] g) {
    int d = grid.dimensions();
    int r = rank();
    if (!KernelSpectrum.separable(kernel)) {
      int[] counts = counts();
      double[] w = new double[Arrays.stream(counts).reduce(1, (x, y) -> x * y)];
      for (int j = 0; j < r; j++) w[flat(j)] += slope[j];
      addSlopes(kernel, distances, Kronecker.multiply(true, 1, counts, distances, cosines, w), g);
      return;
    }
    double[][] w = new double[d][];
    for (int a = 0; a < d; a++) w[a] = axisWeights(a, kernel);
    double variance = KernelSpectrum.variance(kernel);
    double scale = Math.pow(variance, 1 - d);
    double total = 0;
    double[][] push = new double[d][];
    for (int a = 0; a < d; a++) push[a] = new double[w[a].length];
    for (int j = 0; j < r; j++) {
      double product = slope[j] * scale;
      for (int a = 0; a < d; a++) product *= w[a][axisFrequency[a][axisMode(j, a)]];
      total += product;
      for (int a = 0; a < d; a++) {
        double others = slope[j] * scale;
        for (int o = 0; o < d; o++) if (o != a) others *= w[o][axisFrequency[o][axisMode(j, o)]];
        push[a][axisFrequency[a][axisMode(j, a)]] += others;
      }
    }
    for (int a = 0; a < d; a++) {
      int[] reach = KernelSpectrum.reach(grid, a, distances[a]);
      addSlopes(kernel, reach, axisSlopes(a, push[a]), g);
    }
    int all = kernel.dimensions();
    kernel.gradient(new double[all], 0, new double[all], 0, total * (1 - d) / variance, g, 0);
  }

  /// Adds `Σₒ slopeₒ ∂k(o)/∂θ` over the distances o to g.
  private void addSlopes(Kernel kernel, int[] reach, double[] slope, double[] g) {
    double[] points = KernelSpectrum.distancePoints(grid, columns, kernel, reach);
    kernel.gradientSum(new double[kernel.dimensions()], 1, points, slope.length, slope, g);
  }

  /// F, its products and `FᵀGF`.
  public ModeProducts products() {
    return products;
  }
}
