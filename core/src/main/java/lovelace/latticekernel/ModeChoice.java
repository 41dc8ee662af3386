package lovelace.latticekernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.linear.Fft;
import lovelace.linear.Kronecker;
import org.jspecify.annotations.Nullable;

/// The frequencies that represent a kernel on a grid: for every axis the length of the circle in
/// which it is embedded, and the frequencies whose weight is above the tolerance, relative to the
/// largest.
public final class ModeChoice {

  /// If a kernel does not die out within this many grids, the engine does not apply.
  public static final int LONGEST = 8;

  /// Learning stays within this many grids, so that another grid of about the same range can
  /// represent what was learned.
  static final double WELL = 0.9 * LONGEST;

  /// The most numbers of an axis' matrix of cosines.
  private static final int MATRIX = 1 << 27;

  /// The most frequencies that are tried for a kernel that is not a product over the axes.
  private static final long LARGEST = 1 << 22;

  /// Points of each axis' circle.
  final int[] period;

  /// The number of distances along each axis at which the kernel is read.
  final int[] reach;

  /// Frequencies, one per axis each.
  final List<int[]> kept;

  private ModeChoice(int[] period, int[] reach, List<int[]> kept) {
    this.period = period;
    this.reach = reach;
    this.kept = kept;
  }

  /// The choice for a sum of stationary kernels of the given input columns. Null if one of them
  /// does not die out, or more than `most` frequencies are needed.
  public static @Nullable ModeChoice of(
      Grid grid, int[] columns, List<Kernel> kernels, double tolerance, int most) {
    int d = grid.dimensions();
    int[] period = new int[d];
    int[] reach = new int[d];
    for (int a = 0; a < d; a++) {
      int points = grid.axis(a).points();
      int dead = deadAt(grid, columns, a, kernels, tolerance);
      if (dead < 0) return null;
      int n = points + dead + dead / 8;
      period[a] = 2 * Fft.smooth((n + 1) / 2);
      reach[a] = period[a] - points + 1;
    }
    Set<List<Integer>> seen = new HashSet<>();
    List<int[]> kept = new ArrayList<>();
    for (Kernel kernel : kernels) {
      List<int[]> own =
          KernelSpectrum.separable(kernel)
              ? tensor(grid, columns, kernel, tolerance, period, reach, most)
              : heavy(grid, columns, kernel, tolerance, period, reach, most);
      if (own.isEmpty()) return null;
      for (int[] q : own) if (seen.add(Arrays.stream(q).boxed().toList())) kept.add(q);
    }
    if (kept.size() > most) return null;
    return new ModeChoice(period, reach, kept);
  }

  /// The number of modes of the frequencies: a sine and a cosine along every axis, but only one of
  /// the two if the other vanishes.
  public int modes() {
    int modes = 0;
    for (int[] q : kept) {
      int own = 1;
      for (int a = 0; a < q.length; a++) if (q[a] != 0 && 2 * q[a] != period[a]) own *= 2;
      modes += own;
    }
    return modes;
  }

  /// Whether all kernels die out within [#LONGEST] grids along every axis.
  public static boolean diesOut(Grid grid, int[] columns, List<Kernel> kernels, double tolerance) {
    for (int a = 0; a < grid.dimensions(); a++)
      if (deadAt(grid, columns, a, kernels, tolerance) < 0) return false;
    return true;
  }

  /// Whether they die out soon enough for learning to go there.
  public static boolean diesOutWell(
      Grid grid, int[] columns, List<Kernel> kernels, double tolerance) {
    for (int a = 0; a < grid.dimensions(); a++) {
      int dead = deadAt(grid, columns, a, kernels, tolerance);
      if (dead < 0 || dead > WELL * grid.axis(a).points()) return false;
    }
    return true;
  }

  /// The distance in steps along an axis from which on the kernels stay below the tolerance; −1 if
  /// it is beyond [#LONGEST] grids.
  private static int deadAt(
      Grid grid, int[] columns, int a, List<Kernel> kernels, double tolerance) {
    int most = LONGEST * grid.axis(a).points();
    int dead = 0;
    for (Kernel kernel : kernels) {
      double[] k = KernelSpectrum.along(grid, columns, a, kernel, most + 1);
      int last = most;
      while (last > 0 && !(Math.abs(k[last]) > tolerance * k[0])) last--;
      if (last == most) return -1;
      dead = Math.max(dead, last + 1);
    }
    return dead;
  }

  /// The frequencies whose weight, a product over the axes, is above the tolerance.
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
      double[] k = KernelSpectrum.along(grid, columns, a, kernel, reach[a]);
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
  /// `most` are above it.
  private static double[] heaviest(double[] k, int n, double tolerance, int most) {
    double[] weights = KernelSpectrum.spectrum(k, n);
    double peak = Arrays.stream(weights).max().orElseThrow();
    int last = weights.length - 1;
    while (last > 0 && !(weights[last] > tolerance * peak)) last--;
    // the frequencies of a season are far apart, with no weight between them
    long heavy = Arrays.stream(weights).filter(w -> w > tolerance * peak).count();
    return heavy > most ? new double[0] : Arrays.copyOf(weights, last + 1);
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

  /// The frequencies above the tolerance, from the full transform.
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
      if (size > LARGEST || (long) counts[a] * reach[a] > MATRIX) return List.of();
      int[] q = new int[counts[a]];
      for (int i = 0; i < q.length; i++) q[i] = i;
      c[a] = KernelSpectrum.cosineMatrix(period[a], q, reach[a]);
    }
    double[] values = KernelSpectrum.values(grid, columns, kernel, reach);
    double[] w = Kronecker.multiply(false, 1, counts, reach, c, values);
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
}
