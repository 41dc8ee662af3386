package lovelace.inference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.kernel.Kernel;
import lovelace.linear.Blas;
import lovelace.linear.Fft;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// The real Fourier modes that carry a stationary kernel on a grid: `K = F Λ Fᵀ`.
///
/// Each axis is embedded in a circle of N points, long enough that the kernel has died out where it
/// wraps around. The modes at the grid points are `1`, `√2 cos(2πqi/N)`, `√2 sin(2πqi/N)` per axis
/// and their products; they do not depend on the hyperparameters. The weight of a mode is the
/// cosine transform of the kernel's values at the circle's distances, even in every axis. Modes
/// lighter than the tolerance beside the heaviest are left out. Immutable.
final class SpectralBasis {

  /// Kernels that have not died out within this many grids are not for this engine.
  private static final int LONGEST = 8;

  private final Grid grid;
  private final int[] columns;
  private final double tolerance;
  private final int[] period;
  private final int[][] frequency; // per axis, the distinct frequencies kept
  private final int[][] axisFrequency; // per axis and axis mode, index into frequency
  private final double[][] modes; // per axis, points × axis modes
  private final int[] selected; // rank × d, axis mode of each mode
  private final double[][]
      cosines; // per axis, frequencies × distances, for kernels that are no product
  private final int[] distances; // per axis, how many distances the transform reads

  private SpectralBasis(
      Grid grid,
      int[] columns,
      double tolerance,
      int[] period,
      int[] reach,
      List<int[]> kept,
      boolean whole) {
    this.grid = grid;
    this.columns = columns;
    this.tolerance = tolerance;
    this.period = period;
    int d = grid.dimensions();
    frequency = new int[d][];
    axisFrequency = new int[d][];
    modes = new double[d][];
    cosines = new double[d][];
    distances = reach;
    int[][] firstMode = new int[d][];
    for (int a = 0; a < d; a++) {
      int axis = a;
      frequency[a] = kept.stream().mapToInt(q -> q[axis]).distinct().sorted().toArray();
      firstMode[a] = new int[period[a] / 2 + 1];
      modes[a] = axisModes(a, firstMode[a]);
      cosines[a] = whole ? cosineMatrix(period[a], frequency[a], distances[a]) : new double[0];
    }
    List<int[]> all = new ArrayList<>();
    for (int[] q : kept) expand(q, 0, new int[d], firstMode, all);
    if (d == 1) all.sort(Comparator.comparingInt(mode -> mode[0]));
    selected = new int[all.size() * d];
    for (int j = 0; j < all.size(); j++) System.arraycopy(all.get(j), 0, selected, j * d, d);
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

  /// Row s: `multiplicity_j cos(2π q_s j/N)/N` for distances j. Distances beyond N/2 fold back: the
  /// circle carries the kernel's sum over all windings, whose weights are never negative (Poisson).
  private static double[] cosineMatrix(int n, int[] frequencies, int distances) {
    double[] c = new double[frequencies.length * distances];
    for (int s = 0; s < frequencies.length; s++)
      for (int j = 0; j < distances; j++) {
        double times = j == 0 ? 1 : 2;
        double angle = 2 * Math.PI * ((long) frequencies[s] * j % n) / n;
        c[s * distances + j] = times * Math.cos(angle) / n;
      }
    return c;
  }

  /// The modes of a sum of stationary kernels of the given input columns, or null where one does
  /// not die out or more than `most` frequencies are needed.
  static @Nullable SpectralBasis of(
      Grid grid, int[] columns, List<Kernel> kernels, double tolerance, int most) {
    int d = grid.dimensions();
    int[] period = new int[d];
    int[] reach = new int[d];
    for (int a = 0; a < d; a++) {
      int points = grid.axis(a).points();
      int dead = 0;
      for (Kernel kernel : kernels) {
        int at = deadAt(grid, columns, a, kernel, tolerance, LONGEST * points);
        if (at < 0) return null;
        dead = Math.max(dead, at);
      }
      int n = points + dead + dead / 8;
      period[a] = 2 * Fft.smooth((n + 1) / 2);
      reach[a] = period[a] - points + 1;
    }
    Set<List<Integer>> seen = new HashSet<>();
    List<int[]> kept = new ArrayList<>();
    for (Kernel kernel : kernels) {
      List<int[]> own =
          separable(kernel)
              ? tensor(grid, columns, kernel, tolerance, period, reach, most)
              : heavy(grid, columns, kernel, tolerance, period, reach, most);
      if (own.isEmpty()) return null;
      for (int[] q : own) if (seen.add(Arrays.stream(q).boxed().toList())) kept.add(q);
    }
    if (kept.size() > most) return null;
    boolean whole = !kernels.stream().allMatch(SpectralBasis::separable);
    return new SpectralBasis(grid, columns, tolerance, period, reach, kept, whole);
  }

  /// Whether the weights are products over the axes, as on a single axis they always are.
  private static boolean separable(Kernel kernel) {
    return kernel.activeColumns().length == 1
        || (kernel.whiteVariance() > 0 ? kernel.withoutWhite() : kernel).isSeparable();
  }

  /// The distance in steps along an axis from which on the kernel stays below the tolerance; −1 if
  /// beyond `most`.
  private static int deadAt(
      Grid grid, int[] columns, int a, Kernel kernel, double tolerance, int most) {
    double[] k = along(grid, columns, a, kernel, most + 1);
    for (int j = most; j >= 0; j--)
      if (Math.abs(k[j]) > tolerance * k[0]) return j == most ? -1 : j + 1;
    return 1;
  }

  /// `k(j h e_a)` for j < count.
  private static double[] along(Grid grid, int[] columns, int a, Kernel kernel, int count) {
    double[] k = new double[count];
    double[] points = alongPoints(grid, columns, a, kernel, count);
    kernel.matrix(new double[kernel.dimensions()], 1, points, count, k);
    return k;
  }

  private static double[] alongPoints(Grid grid, int[] columns, int a, Kernel kernel, int count) {
    int d = kernel.dimensions();
    double[] points = new double[count * d];
    for (int j = 0; j < count; j++) points[j * d + columns[a]] = j * grid.axis(a).step();
    return points;
  }

  /// Frequencies whose weight, a product over the axes, is above the tolerance.
  private static List<int[]> tensor(
      Grid grid,
      int[] columns,
      Kernel kernel,
      double tolerance,
      int[] period,
      int[] reach,
      int most) {
    int d = grid.dimensions();
    double[][] weights = new double[d][];
    for (int a = 0; a < d; a++) {
      double[] k = along(grid, columns, a, kernel, reach[a]);
      weights[a] = heaviest(k, period[a], tolerance, most);
      if (weights[a].length == 0) return List.of();
    }
    List<int[]> kept = new ArrayList<>();
    double peak = 1;
    for (double[] w : weights) peak *= Arrays.stream(w).max().orElseThrow();
    collect(weights, 0, 1, tolerance * peak, new int[d], period, kept, most);
    return kept.size() > most ? List.of() : kept;
  }

  /// The weights of frequencies 0, 1, … up to the last above the tolerance; empty if more than
  /// `most` are needed.
  private static double[] heaviest(double[] k, int n, double tolerance, int most) {
    double[] weights = spectrum(k, n);
    double peak = Arrays.stream(weights).max().orElseThrow();
    int last = weights.length - 1;
    while (last > 0 && !(weights[last] > tolerance * peak)) last--;
    return last > most ? new double[0] : Arrays.copyOf(weights, last + 1);
  }

  /// `(k₀ + 2 Σⱼ kⱼ cos(2πqj/N))/N` for q = 0 … N/2, by FFT.
  private static double[] spectrum(double[] k, int n) {
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

  private static void collect(
      double[][] weights,
      int a,
      double product,
      double least,
      int[] q,
      int[] period,
      List<int[]> kept,
      int most) {
    if (kept.size() > most) return;
    if (a == weights.length) {
      if (product > least) kept.add(q.clone());
      return;
    }
    double rest = 1;
    for (int i = a + 1; i < weights.length; i++)
      rest *= Arrays.stream(weights[i]).max().orElseThrow();
    for (int i = 0; i < weights[a].length; i++) {
      double next = product * weights[a][i];
      if (!(next * rest > least)) continue;
      q[a] = i;
      collect(weights, a + 1, next, least, q, period, kept, most);
    }
  }

  /// Frequencies above the tolerance, from the full transform.
  private static List<int[]> heavy(
      Grid grid,
      int[] columns,
      Kernel kernel,
      double tolerance,
      int[] period,
      int[] reach,
      int most) {
    int d = grid.dimensions();
    int[] counts = new int[d];
    double[][] c = new double[d][];
    long size = 1;
    for (int a = 0; a < d; a++) {
      counts[a] = period[a] / 2 + 1;
      size *= counts[a];
      if (size > 1 << 24) return List.of();
      int[] q = new int[counts[a]];
      for (int i = 0; i < q.length; i++) q[i] = i;
      c[a] = cosineMatrix(period[a], q, reach[a]);
    }
    double[] w = transform(values(grid, columns, kernel, reach), reach, c, counts);
    double peak = Arrays.stream(w).max().orElseThrow();
    List<int[]> kept = new ArrayList<>();
    for (int i = 0; i < w.length && kept.size() <= most; i++) {
      if (!(w[i] > tolerance * peak)) continue;
      int[] q = new int[d];
      for (int a = d - 1, rest = i; a >= 0; a--) {
        q[a] = rest % counts[a];
        rest /= counts[a];
      }
      kept.add(q);
    }
    return kept.size() > most ? List.of() : kept;
  }

  /// The kernel at all distances `(j₁h₁, …)`, row-major over `reach`.
  private static double[] values(Grid grid, int[] columns, Kernel kernel, int[] reach) {
    double[] points = distancePoints(grid, columns, kernel, reach);
    int count = points.length / kernel.dimensions();
    double[] k = new double[count];
    kernel.matrix(new double[kernel.dimensions()], 1, points, count, k);
    return k;
  }

  private static double[] distancePoints(Grid grid, int[] columns, Kernel kernel, int[] reach) {
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

  /// Applies a matrix (`counts[a]` × `reach[a]`) along every axis of an array.
  private static double[] transform(double[] values, int[] reach, double[][] c, int[] counts) {
    double[] x = values;
    int[] shape = reach.clone();
    for (int a = 0; a < shape.length; a++) {
      int outer = 1;
      int inner = 1;
      for (int i = 0; i < a; i++) outer *= shape[i];
      for (int i = a + 1; i < shape.length; i++) inner *= shape[i];
      double[] y = new double[outer * counts[a] * inner];
      for (int o = 0; o < outer; o++)
        Blas.gemm(
            false,
            false,
            counts[a],
            inner,
            shape[a],
            1,
            c[a],
            0,
            shape[a],
            x,
            o * shape[a] * inner,
            inner,
            0,
            y,
            o * counts[a] * inner,
            inner);
      shape[a] = counts[a];
      x = y;
    }
    return x;
  }

  private static double[] transposed(double[] values, int[] counts, double[][] c, int[] reach) {
    double[] x = values;
    int[] shape = counts.clone();
    for (int a = 0; a < shape.length; a++) {
      int outer = 1;
      int inner = 1;
      for (int i = 0; i < a; i++) outer *= shape[i];
      for (int i = a + 1; i < shape.length; i++) inner *= shape[i];
      double[] y = new double[outer * reach[a] * inner];
      for (int o = 0; o < outer; o++)
        Blas.gemm(
            true,
            false,
            reach[a],
            inner,
            shape[a],
            1,
            c[a],
            0,
            reach[a],
            x,
            o * shape[a] * inner,
            inner,
            0,
            y,
            o * reach[a] * inner,
            inner);
      shape[a] = reach[a];
      x = y;
    }
    return x;
  }

  /// The number of modes, r.
  int rank() {
    return selected.length / grid.dimensions();
  }

  int axisModeCount(int a) {
    return axisFrequency[a].length;
  }

  /// The axis mode of mode j along axis a.
  int axisMode(int j, int a) {
    return selected[j * grid.dimensions() + a];
  }

  /// Whether the kernel fits this basis: it dies out before it wraps, and the first frequencies
  /// left out are light.
  boolean fits(Kernel kernel) {
    int d = grid.dimensions();
    for (int a = 0; a < d; a++) {
      Axis axis = grid.axis(a);
      int from = period[a] - axis.points() + 1;
      int all = kernel.dimensions();
      double[] points = new double[3 * all];
      for (int i = 0; i < 3; i++) points[i * all + columns[a]] = (from + i) * axis.step();
      double[] k = new double[3];
      kernel.matrix(new double[all], 1, points, 3, k);
      double peak = variance(kernel);
      for (double v : k) if (Math.abs(v) > 10 * tolerance * peak) return false;
      int next = frequency[a][frequency[a].length - 1] + 1;
      if (next > period[a] / 2) continue;
      double[] weights = spectrum(along(grid, columns, a, kernel, distances[a]), period[a]);
      double high = weights[next];
      double heaviest = Arrays.stream(weights).max().orElseThrow();
      if (Math.abs(high) > 10 * tolerance * heaviest) return false;
    }
    return true;
  }

  /// λ, the weight of every mode; rounding below zero is cut off at zero.
  double[] weights(Kernel kernel) {
    int d = grid.dimensions();
    int r = rank();
    double[] lambda = new double[r];
    if (separable(kernel)) {
      double[][] w = new double[d][];
      for (int a = 0; a < d; a++)
        w[a] = axisWeights(a, along(grid, columns, a, kernel, distances[a]));
      double scale = Math.pow(variance(kernel), 1 - d);
      for (int j = 0; j < r; j++) {
        double product = scale;
        for (int a = 0; a < d; a++) product *= w[a][axisFrequency[a][axisMode(j, a)]];
        lambda[j] = Math.max(product, 0);
      }
    } else {
      double[] w =
          transform(values(grid, columns, kernel, distances), distances, cosines, counts());
      for (int j = 0; j < r; j++) lambda[j] = Math.max(w[flat(j)], 0);
    }
    return lambda;
  }

  private double[] axisWeights(int a, double[] column) {
    double[] all = spectrum(column, period[a]);
    return Arrays.stream(frequency[a]).mapToDouble(q -> all[q]).toArray();
  }

  /// The transpose of [#axisWeights]: slopes of the weights to slopes of the kernel's values.
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

  private double variance(Kernel kernel) {
    int all = kernel.dimensions();
    return kernel.value(new double[all], 0, new double[all], 0);
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
  void pullBack(Kernel kernel, double[] slope, double[] g) {
    int d = grid.dimensions();
    int r = rank();
    if (!separable(kernel)) {
      int[] counts = counts();
      double[] w = new double[Arrays.stream(counts).reduce(1, (x, y) -> x * y)];
      for (int j = 0; j < r; j++) w[flat(j)] += slope[j];
      double[] k = transposed(w, counts, cosines, distances);
      double[] points = distancePoints(grid, columns, kernel, distances);
      kernel.gradientSum(new double[kernel.dimensions()], 1, points, k.length, k, g);
      return;
    }
    double[][] w = new double[d][];
    for (int a = 0; a < d; a++) {
      w[a] = axisWeights(a, along(grid, columns, a, kernel, distances[a]));
    }
    double variance = variance(kernel);
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
      int reach = distances[a];
      double[] k = axisSlopes(a, push[a]);
      double[] points = alongPoints(grid, columns, a, kernel, reach);
      kernel.gradientSum(new double[kernel.dimensions()], 1, points, reach, k, g);
    }
    int all = kernel.dimensions();
    kernel.gradient(new double[all], 0, new double[all], 0, total * (1 - d) / variance, g, 0);
  }

  /// `FᵀGF` for one or two axes, by contracting G axis by axis.
  double[] contract(StencilMatrix g) {
    return grid.dimensions() == 1 ? contractLine(g) : contractPlane(g);
  }

  private double[] contractLine(StencilMatrix g) {
    int m = grid.size();
    int r = rank();
    double[] f = modes[0];
    double[] y = new double[m * r];
    Parallel.chunks(m, 256, (chunk, from, to) -> band(g, 0, from, to, m, r, f, y));
    double[] h = new double[r * r];
    Blas.gemm(true, false, r, r, m, 1, f, 0, r, y, 0, r, 0, h, 0, r);
    // modes come in the order of their frequencies, and so does the selection of a single axis
    return symmetric(h, r);
  }

  private static double[] symmetric(double[] h, int r) {
    for (int i = 0; i < r; i++)
      for (int j = 0; j < i; j++) {
        double mean = 0.5 * (h[i * r + j] + h[j * r + i]);
        h[i * r + j] = mean;
        h[j * r + i] = mean;
      }
    return h;
  }

  /// Rows from ≤ i < to of `G F` along one line of points that starts at `start`.
  private static void band(
      StencilMatrix g, int start, int from, int to, int m, int r, double[] f, double[] y) {
    for (int i = from; i < to; i++)
      for (int o = 0; o < 4; o++) {
        double[] d = g.diagonal(o);
        if (i + o < m) addRow(d[start + i], f, (i + o) * r, y, i * r, r);
        if (o > 0 && i >= o) addRow(d[start + i - o], f, (i - o) * r, y, i * r, r);
      }
  }

  private static void addRow(double scale, double[] x, int xo, double[] y, int yo, int count) {
    if (scale == 0) return;
    for (int k = 0; k < count; k++) y[yo + k] += scale * x[xo + k];
  }

  /// The last axis first: `T[i, o] = F₂ᵀ G[i, i+o] F₂` for lines i and i + o, o = 0 … 3; then `H =
  /// X + Xᵀ`, `X[(p, q), (p′, q′)] = Σ F₁[i, p] F₁[i+o, p′] T[i, o][q, q′]`, the line with itself
  /// counting half.
  private double[] contractPlane(StencilMatrix g) {
    int m1 = grid.axis(0).points();
    int m2 = grid.axis(1).points();
    int r1 = axisModeCount(0);
    int r2 = axisModeCount(1);
    double[] f1 = modes[0];
    double[] f2 = modes[1];
    int square = r2 * r2;
    double[] t = new double[Math.multiplyExact(4 * m1, square)];
    Parallel.forEach(
        m1,
        i -> {
          double[] y = new double[m2 * r2];
          for (int o = 0; o < 4 && i + o < m1; o++) {
            Arrays.fill(y, 0);
            if (o == 0) band(g, i * m2, 0, m2, m2, r2, f2, y);
            else
              for (int shift = -3; shift <= 3; shift++) {
                double[] d = g.diagonal(7 * o + shift);
                for (int k = Math.max(0, -shift); k < Math.min(m2, m2 - shift); k++)
                  addRow(d[i * m2 + k], f2, (k + shift) * r2, y, k * r2, r2);
              }
            Blas.gemm(
                true,
                false,
                r2,
                r2,
                m2,
                o == 0 ? 0.5 : 1,
                f2,
                0,
                r2,
                y,
                0,
                r2,
                0,
                t,
                (4 * i + o) * square,
                r2);
          }
        });
    int r = rank();
    int[][] members = new int[r1][]; // modes by their place along the first axis
    int[] extent = new int[r1];
    for (int p = 0; p < r1; p++) {
      int own = p;
      members[p] = IntStream.range(0, r).filter(j -> axisMode(j, 0) == own).toArray();
      for (int j : members[p]) extent[p] = Math.max(extent[p], axisMode(j, 1) + 1);
    }
    double[] x = new double[Math.multiplyExact(r, r)];
    Parallel.forEach(
        r1,
        p -> {
          int width = extent[p] * r2;
          double[] c = new double[4 * m1 * r1];
          for (int i = 0; i < m1; i++)
            for (int o = 0; o < 4 && i + o < m1; o++)
              addRow(f1[i * r1 + p], f1, (i + o) * r1, c, (4 * i + o) * r1, r1);
          double[] part = new double[r1 * width];
          Blas.gemm(true, false, r1, width, 4 * m1, 1, c, 0, r1, t, 0, square, 0, part, 0, width);
          for (int j : members[p])
            for (int k = 0; k < r; k++)
              x[j * r + k] = part[axisMode(k, 0) * width + axisMode(j, 1) * r2 + axisMode(k, 1)];
        });
    double[] h = new double[r * r];
    for (int i = 0; i < r; i++)
      for (int j = 0; j <= i; j++) {
        double sum = x[i * r + j] + x[j * r + i];
        h[i * r + j] = sum;
        h[j * r + i] = sum;
      }
    return h;
  }

  /// `x ← Fᵀv` for `count` grid vectors, the first at `v[vo]`, the next `vs` further on; likewise
  /// their coefficients.
  void analyse(int count, double[] v, int vo, int vs, double[] x, int xo, int xs) {
    if (grid.dimensions() == 1) {
      int m = grid.size();
      int r = rank();
      Blas.gemm(false, false, count, r, m, 1, v, vo, vs, modes[0], 0, r, 0, x, xo, xs);
      return;
    }
    for (int c = 0; c < count; c++) analyse(v, vo + c * vs, x, xo + c * xs);
  }

  private void analyse(double[] v, int vo, double[] x, int xo) {
    int d = grid.dimensions();
    double[] t = v;
    int at = vo;
    int outer = 1;
    int inner = grid.size();
    for (int a = 0; a < d; a++) {
      int points = grid.axis(a).points();
      int count = axisModeCount(a);
      inner /= points;
      double[] next = new double[outer * count * inner];
      for (int o = 0; o < outer; o++)
        Blas.gemm(
            true,
            false,
            count,
            inner,
            points,
            1,
            modes[a],
            0,
            count,
            t,
            at + o * points * inner,
            inner,
            0,
            next,
            o * count * inner,
            inner);
      outer *= count;
      t = next;
      at = 0;
    }
    for (int j = 0; j < rank(); j++) x[xo + j] = t[tensor(j)];
  }

  /// Adds `Fx` to `count` grid vectors, laid out as for [#analyse].
  void synthesise(int count, double[] x, int xo, int xs, double[] v, int vo, int vs) {
    if (grid.dimensions() == 1) {
      int m = grid.size();
      int r = rank();
      Blas.gemm(false, true, count, m, r, 1, x, xo, xs, modes[0], 0, r, 1, v, vo, vs);
      return;
    }
    for (int c = 0; c < count; c++) synthesise(x, xo + c * xs, v, vo + c * vs);
  }

  private void synthesise(double[] x, int xo, double[] v, int vo) {
    int d = grid.dimensions();
    int size = 1;
    for (int a = 0; a < d; a++) size *= axisModeCount(a);
    double[] t = new double[size];
    for (int j = 0; j < rank(); j++) t[tensor(j)] = x[xo + j];
    int outer = size;
    int inner = 1;
    for (int a = d - 1; a >= 0; a--) {
      int points = grid.axis(a).points();
      int count = axisModeCount(a);
      outer /= count;
      boolean last = a == 0;
      double[] next = last ? v : new double[outer * points * inner];
      for (int o = 0; o < outer; o++)
        Blas.gemm(
            false,
            false,
            points,
            inner,
            count,
            1,
            modes[a],
            0,
            count,
            t,
            o * count * inner,
            inner,
            last ? 1 : 0,
            next,
            (last ? vo : 0) + o * points * inner,
            inner);
      inner *= points;
      t = next;
    }
  }

  /// Where mode j stands in the tensor of all products of axis modes.
  private int tensor(int j) {
    int at = 0;
    for (int a = 0; a < grid.dimensions(); a++) at = at * axisModeCount(a) + axisMode(j, a);
    return at;
  }

  /// Adds w times row i of F.
  void addRow(int i, double w, double[] out, int oo) {
    int d = grid.dimensions();
    int r = rank();
    for (int j = 0; j < r; j++) {
      double product = w;
      for (int a = 0; a < d; a++) {
        int at = i / grid.stride(a) % grid.axis(a).points();
        product *= modes[a][at * axisModeCount(a) + axisMode(j, a)];
      }
      out[oo + j] += product;
    }
  }
}
