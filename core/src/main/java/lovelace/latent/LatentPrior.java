package lovelace.latent;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Parallel;
import lovelace.neighbours.LocalSystem;
import lovelace.neighbours.NeighbourSearch;
import lovelace.neighbours.VecchiaLikelihood;
import org.jspecify.annotations.Nullable;

/// The prior of the latent function at the places of rows, each value given those at the k nearest
/// earlier places (Vecchia 1988, without noise):
///
///     g_j = Σᵢ B_ji g_i + √D_j z_j      f = μ + g      precision Q = LᵀD⁻¹L, L = I − B
///
/// The places are given in a random order, so the neighbours of place j have lower numbers. With k
/// = n − 1 it is the process itself. D is at least 1e-10 of a place's own variance, as in
/// [TermSums]. Immutable.
final class LatentPrior {

  /// The number of places that one task regresses.
  private static final int CHUNK = 256;

  /// The variance that is added to each place as its own, as a share of its variance. Without it,
  /// weights of smooth kernels among close places are so large that rounding spoils products with
  /// L⁻¹.
  static final double NUGGET = 1e-8;

  private final Dataset places;
  private final Hyperparameters h;
  private final int k;
  private final int[] neighbours;
  private final double[] weights; // B
  private final double[] variances; // D
  private final boolean[] guarded; // whether D has the smallest allowed value

  /// @param neighbours k of each place, nearest first; place j uses the first min(j, k)
  LatentPrior(Dataset places, int[] neighbours, int k, Hyperparameters h) {
    this.places = places;
    this.h = h;
    this.k = k;
    this.neighbours = neighbours;
    int n = places.size();
    this.weights = new double[neighbours.length];
    this.variances = new double[n];
    this.guarded = new boolean[n];
    Parallel.chunks(
        n,
        CHUNK,
        (piece, from, to) -> {
          LocalSystem system = new LocalSystem(places, h, k, false, NUGGET);
          for (int j = from; j < to; j++) {
            double own = place(system, j, null);
            double least = LocalSystem.ROUNDING * own;
            guarded[j] = !(system.rest() >= least);
            variances[j] = guarded[j] ? least : system.rest();
            system.solve();
            for (int a = 0; a < count(j); a++) weights[j * k + a] = -system.v[a];
          }
        });
  }

  /// The places in a random order.
  static int[] order(int count, long seed) {
    return VecchiaLikelihood.shuffled(count, new SplittableRandom(seed));
  }

  /// The neighbours of places, which are in their order.
  static int[] neighbours(Dataset places, int k, double[] scales) {
    int n = places.size();
    Budget.numbers(n, k, "the neighbours of the rows", "use fewer neighbours or rows");
    int[] order = IntStream.range(0, n).toArray();
    return NeighbourSearch.of(places, scales, order).nearest(order, k);
  }

  /// Fills and factors the system of place j. Returns its own variance.
  private double place(LocalSystem system, int j, double @Nullable [] residuals) {
    double[] x = places.inputs();
    int d = places.dimensions();
    int m = count(j);
    system.around(x, j * d);
    for (int a = 0; a < m; a++)
      system.point(a, x, neighbours[j * k + a] * d, residuals == null ? 0 : residuals[j * k + a]);
    system.point(m, x, j * d);
    return system.factor(m);
  }

  /// The number of neighbours of place j.
  private int count(int j) {
    return Math.min(j, k);
  }

  int size() {
    return variances.length;
  }

  /// The length of an array with one number per neighbour of each place.
  int couplings() {
    return weights.length;
  }

  /// D; not copied: read only.
  double[] variances() {
    return variances;
  }

  /// `y ← L x`.
  void residuals(double[] x, double[] y) {
    for (int j = 0; j < size(); j++) {
      double sum = x[j];
      for (int at = j * k, end = at + count(j); at < end; at++)
        sum -= weights[at] * x[neighbours[at]];
      y[j] = sum;
    }
  }

  /// `y ← Q x`.
  void precision(double[] x, double[] y) {
    double[] t = new double[size()];
    residuals(x, t);
    Arrays.fill(y, 0);
    for (int j = 0; j < size(); j++) {
      double v = t[j] / variances[j];
      y[j] += v;
      for (int at = j * k, end = at + count(j); at < end; at++)
        y[neighbours[at]] -= weights[at] * v;
    }
  }

  /// `x ← L⁻¹ x`.
  void solve(double[] x) {
    for (int j = 0; j < size(); j++) {
      double s0 = x[j];
      double s1 = 0;
      int at = j * k;
      int end = at + count(j);
      for (; at + 1 < end; at += 2) {
        s0 += weights[at] * x[neighbours[at]];
        s1 += weights[at + 1] * x[neighbours[at + 1]];
      }
      if (at < end) s0 += weights[at] * x[neighbours[at]];
      x[j] = s0 + s1;
    }
  }

  /// `x ← L⁻ᵀ x`.
  void solveTransposed(double[] x) {
    for (int j = size() - 1; j > 0; j--) {
      double v = x[j];
      for (int at = j * k, end = at + count(j); at < end; at++)
        x[neighbours[at]] += weights[at] * v;
    }
  }

  /// Adds the slopes in B of a form `uᵀ dB v`: `sums_ja += u_j v_a` over the neighbours a of each
  /// place.
  void addCouplings(double scale, double[] u, double[] v, double[] sums) {
    for (int j = 1; j < size(); j++) {
      double by = scale * u[j];
      for (int at = j * k, end = at + count(j); at < end; at++) sums[at] += by * v[neighbours[at]];
    }
  }

  /// The slopes in the kernel's parameters of a quantity that has slopes `byWeights` in B and
  /// `byVariances` in D. With `v = (−B_j, 1)` and C the covariance of the neighbours and the place,
  /// `∂D = vᵀ∂C v` and `∂B = Cₛ⁻¹ (∂C v)ₛ`.
  double[] slopes(double[] byWeights, double[] byVariances) {
    double[][] parts = new double[Parallel.pieces(size(), CHUNK)][];
    Parallel.chunks(
        size(),
        CHUNK,
        (piece, from, to) -> {
          LocalSystem system = new LocalSystem(places, h, k, true, NUGGET);
          for (int j = from; j < to; j++) {
            place(system, j, byWeights);
            system.solve();
            double own = LocalSystem.ROUNDING * byVariances[j];
            if (guarded[j]) system.addSlopes(0, 1, own);
            else system.addSlopes(byVariances[j], 1, 0);
          }
          parts[piece] = system.slopes();
        });
    double[] slopes = new double[h.kernel().parameterCount()];
    for (double[] part : parts) for (int i = 0; i < slopes.length; i++) slopes[i] += part[i];
    return slopes;
  }
}
