package lovelace.lattice;

import java.util.Arrays;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeCovariance;
import lovelace.kernel.Kernel;
import lovelace.latticekernel.LocalKriging;
import lovelace.linear.Parallel;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.KernelSums;
import org.jspecify.annotations.Nullable;

/// Weighted means over areas of a posterior on a lattice. Let `a = Σᵢ cᵢwᵢ` be the sum of the
/// weights of the points inside the lattice, and `k = Σᵢ cᵢk(xᵢ)` the sum of the covariances of
/// those beyond it with the lattice points:
///
/// ```
/// variance = aᵀPa + 2 (aᵀk − aᵀPGk/σ²) + Σᵢⱼ cᵢcⱼk(xᵢ, xⱼ) − kᵀWA⁻¹Wᵀk
/// ```
///
/// If f is kriged, the variance of the residuals `Σᵢ cᵢe(xᵢ)` is added, which is the prior variance
/// of `Σᵢ cᵢf(xᵢ) − aᵀu`. Pairs of points are needed only for that, and beyond the lattice.
final class LatticeAverages {

  /// The number of areas whose sums are held at a time.
  private static final int BATCH = 256;

  private final LatticePosterior posterior;
  private final Lattice lattice;
  private final Kernel kernel;
  private final Areas areas;
  private final double[] means;
  private final double[] variances;
  private final byte[] marks;

  LatticeAverages(LatticePosterior posterior, Areas areas) {
    this.posterior = posterior;
    this.areas = areas;
    lattice = posterior.statistics().lattice();
    kernel = posterior.hyperparameters().kernel().withoutWhite();
    means = new double[areas.count()];
    variances = new double[areas.count()];
    marks = new byte[areas.count()];
  }

  /// The sums of an area's points on the lattice.
  ///
  /// @param index the lattice points with a weight, each once
  /// @param loss the variance of the residuals of kriging; 0 if f is interpolated
  /// @param beyond the sum of the covariances of points beyond the lattice, null if there are none
  /// @param own the prior variance of the points beyond
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  private record Sum(
      int[] index, double[] weight, double loss, double @Nullable [] beyond, double own) {}

  Prediction all() {
    LatticeCovariance covariance = posterior.covariance(); // made before the threads start
    for (int from = 0; from < areas.count(); from += BATCH) {
      int first = from;
      Sum[] sums = new Sum[Math.min(BATCH, areas.count() - from)];
      Parallel.forEach(sums.length, i -> sums[i] = sum(first + i));
      double[] inside = covariance.quadratics(padded(sums));
      for (int i = 0; i < sums.length; i++) finish(first + i, sums[i], inside[i]);
    }
    return Prediction.adopt(means, variances, marks);
  }

  /// Sums the points of an area, and fills in its mean.
  private Sum sum(int area) {
    double[] x = areas.points(area);
    double[] c = areas.weights(area);
    int d = lattice.dimensions();
    int s = lattice.stencilSize();
    int[] index = new int[s];
    double[] weight = new double[s];
    LocalKriging kriging = posterior.tables().kriging();
    var all = new Scatter(Math.min(Math.multiplyExact(c.length, s), lattice.size()));
    var between = new Scatter(kriging == null ? 0 : all.room()); // of points between grid points
    double[] places = new double[kriging == null ? 0 : x.length];
    double[] shares = new double[kriging == null ? 0 : c.length];
    int off = 0;
    double mean = 0;
    double[] beyond = null;
    double[] far = new double[0];
    double[] farShares = new double[0];
    for (int i = 0; i < c.length; i++) {
      if (c[i] == 0) continue;
      if (!Double.isNaN(posterior.tables().weights(x, i * d, index, weight))) {
        mean += c[i] * posterior.tables().mean(x, i * d, index, weight);
        all.add(c[i], index, weight);
        if (kriging == null || kriging.onPoint(x, i * d)) continue;
        between.add(c[i], index, weight);
        System.arraycopy(x, i * d, places, off * d, d);
        shares[off++] = c[i];
        continue;
      }
      double[] k = posterior.problem().kernel().column(x, i * d);
      if (beyond == null) beyond = new double[k.length];
      for (int j = 0; j < k.length; j++) beyond[j] += c[i] * k[j];
      mean += c[i] * posterior.hyperparameters().mean().at(x, i * d);
      far = Arrays.copyOf(far, far.length + d);
      System.arraycopy(x, i * d, far, far.length - d, d);
      farShares = Arrays.copyOf(farShares, farShares.length + 1);
      farShares[farShares.length - 1] = c[i];
    }
    if (beyond != null) mean += posterior.beyond(beyond);
    means[area] = mean;
    double loss = off == 0 ? 0 : loss(places, shares, off, between);
    double own = beyond == null ? 0 : KernelSums.variance(kernel, far, farShares);
    return new Sum(all.index(), all.weight(), loss, beyond, own);
  }

  /// The prior variance of `Σᵢ cᵢf(xᵢ) − aᵀu`.
  private double loss(double[] places, double[] shares, int count, Scatter between) {
    int d = lattice.dimensions();
    int[] index = between.index();
    double[] weight = between.weight();
    double[] x = Arrays.copyOf(places, (count + index.length) * d);
    double[] c = Arrays.copyOf(shares, count + index.length);
    for (int n = 0; n < index.length; n++) {
      System.arraycopy(((Grid) lattice).point(index[n]), 0, x, (count + n) * d, d);
      c[count + n] = -weight[n];
    }
    return KernelSums.variance(kernel, x, c);
  }

  private void finish(int area, Sum sum, double inside) {
    LatticeCovariance covariance = posterior.covariance();
    double variance = inside + sum.loss;
    double floor = posterior.floor();
    if (sum.loss != 0)
      floor = Math.max(floor, 64 * Math.ulp(kernel.variance(areas.points(area), 0)));
    double[] k = sum.beyond;
    if (k != null) {
      double cross = covariance.cross(k, Stencils.single(sum.index, sum.weight))[0];
      variance += 2 * cross + sum.own - covariance.explained(k, k);
      floor = Math.max(floor, covariance.outsideFloor(k) + 64 * Math.ulp(sum.own));
    }
    boolean known =
        sum.loss == 0 && k == null && variance == 0; // grid points whose values are known
    double[] out = {means[area], variance};
    marks[area] = LatticePosterior.floored(out, known ? 0 : floor, k != null);
    variances[area] = out[1];
  }

  /// The sums as vectors of one width.
  private static Stencils padded(Sum[] sums) {
    int width = 1;
    for (Sum sum : sums) width = Math.max(width, sum.index.length);
    int[] index = new int[Math.multiplyExact(width, sums.length)];
    double[] weight = new double[index.length];
    for (int i = 0; i < sums.length; i++) {
      System.arraycopy(sums[i].index, 0, index, i * width, sums[i].index.length);
      System.arraycopy(sums[i].weight, 0, weight, i * width, sums[i].weight.length);
    }
    return Stencils.adopt(width, index, weight);
  }

  /// A sum of stencils. Lattice points are stored in the order of their first use, and found again
  /// by a hash table.
  private static final class Scatter {
    private final int[] table; // 1 + the position in `index`
    private final int mask;
    private int[] index = new int[64];
    private double[] weight = new double[64];
    private int count;

    Scatter(int most) {
      table = new int[Integer.highestOneBit(Math.max(16, 2 * most)) << 1];
      mask = table.length - 1;
    }

    int room() {
      return table.length / 4;
    }

    void add(double share, int[] stencil, double[] values) {
      for (int k = 0; k < stencil.length; k++) {
        if (values[k] == 0) continue;
        int at = place(stencil[k]); // may enlarge the arrays
        weight[at] += share * values[k];
      }
    }

    private int place(int point) {
      int at = ((point * 0x9E3779B9) >>> 7) & mask;
      for (; table[at] != 0; at = (at + 1) & mask)
        if (index[table[at] - 1] == point) return table[at] - 1;
      if (count == index.length) {
        index = Arrays.copyOf(index, 2 * count);
        weight = Arrays.copyOf(weight, 2 * count);
      }
      index[count] = point;
      table[at] = ++count;
      return count - 1;
    }

    int[] index() {
      return Arrays.copyOf(index, count);
    }

    double[] weight() {
      return Arrays.copyOf(weight, count);
    }
  }
}
