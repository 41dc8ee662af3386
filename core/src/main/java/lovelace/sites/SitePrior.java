package lovelace.sites;

import java.util.Arrays;
import java.util.Locale;
import lovelace.kernel.Kernel;
import lovelace.latticekernel.LatticeKernel;
import lovelace.linear.Parallel;
import lovelace.sparse.LatticePrecision;
import lovelace.sparse.LocalRegressions;

/// The prior of nodes and sites under one kernel: the precision of the nodes, and each site
/// regressed on its set. `Q = Rᵀ D⁻¹ R` as in [LatticePrecision], over all points. Immutable.
final class SitePrior {

  private static final int CHUNK = 256;

  final SiteSets sets;
  final Kernel kernel;
  private final LatticePrecision lattice;
  private final double[] v; // rows of R, in the order of the sets' members
  private final double[] variances; // D of the sites

  private SitePrior(
      SiteSets sets, Kernel kernel, LatticePrecision lattice, double[] v, double[] variances) {
    this.sets = sets;
    this.kernel = kernel;
    this.lattice = lattice;
    this.v = v;
    this.variances = variances;
  }

  /// The prior for a kernel without white terms. The sets may come from other parameters of it.
  ///
  /// @throws ArithmeticException if the kernel is too smooth for the grid
  static SitePrior of(SiteSets sets, Kernel kernel) {
    LatticeKernel.Block block = LatticeKernel.of(sets.sites.grid, kernel).blocks().getFirst();
    LatticePrecision lattice =
        sets.lattice.with(LocalRegressions.of(sets.lattice.regressions().sets(), block));
    int s = sets.starts.length - 1;
    double[] v = new double[sets.members.length];
    double[] variances = new double[s];
    Parallel.chunks(
        s,
        CHUNK,
        (piece, from, to) -> {
          var regression = new LocalRegressions.Point(kernel);
          for (int i = from; i < to; i++) {
            int n = fill(sets, i, regression);
            variances[i] = regression.solve(n);
            System.arraycopy(regression.row, 0, v, sets.starts[i], n);
          }
        });
    double least =
        0.1 * LocalRegressions.Point.NUGGET * kernel.variance(new double[kernel.dimensions()], 0);
    for (int i = 0; i < s; i++)
      if (!(variances[i] > least))
        throw new ArithmeticException(
            String.format(
                Locale.ROOT,
                "the kernel is too smooth for sites: given its %d neighbours, a site has the"
                    + " variance %.1e; use the spectral engine, a coarser grid or fewer neighbours",
                sets.starts[i + 1] - sets.starts[i] - 1,
                variances[i]));
    return new SitePrior(sets, kernel, lattice, v, variances);
  }

  /// Fills a regression with the points of a site's set. Returns their number.
  private static int fill(SiteSets sets, int site, LocalRegressions.Point regression) {
    int from = sets.starts[site];
    int n = sets.starts[site + 1] - from;
    regression.reserve(n);
    int d = sets.sites.grid.dimensions();
    for (int i = 0; i < n; i++) sets.sites.point(sets.members[from + i], regression.points, i * d);
    return n;
  }

  /// A new array with the entries of Q on the pattern of the sets.
  double[] values() {
    double[] values = lattice.values(sets.pattern);
    sets.addTo(v, variances, values);
    return values;
  }

  /// `Q x`, by R.
  double[] apply(double[] x) {
    double[] y = new double[x.length];
    lattice.apply(x, y);
    sets.addProduct(v, variances, x, y);
    return y;
  }

  /// `xᵀQx`, a sum of squares.
  double quadratic(double[] x) {
    double sum = lattice.quadratic(x);
    for (int s = 0; s < variances.length; s++) {
      double t = sets.dot(s, v, x);
      sum += t * t / variances[s];
    }
    return sum;
  }

  /// `Σ log Dᵢ` over all points.
  double logVariances() {
    double sum = lattice.regressions().logVariances();
    for (double variance : variances) sum += Math.log(variance);
    return sum;
  }

  /// The gradient of `−½ [xᵀQx + tr(ZQ) + Σ log Dᵢ]` in the kernel's parameters, with x, the sets
  /// and Z fixed. Z is given by its entries on the pattern.
  double[] gradient(double[] x, double[] z) {
    int p = kernel.parameterCount();
    double[] g = new double[p];
    lattice
        .gradient()
        .quadratic(-0.5, Arrays.copyOf(x, sets.sites.nodes()))
        .trace(-0.5, sets.pattern, z)
        .logDeterminant(0.5)
        .into(g);
    double[][] parts = new double[Parallel.pieces(variances.length, CHUNK)][p];
    Parallel.chunks(
        variances.length,
        CHUNK,
        (piece, from, to) -> {
          var regression = new LocalRegressions.Point(kernel);
          double[] w = new double[sets.k + 1];
          for (int s = from; s < to; s++) {
            int n = fill(sets, s, regression);
            regression.solve(n);
            int at = sets.starts[s];
            sets.product(z, sets.members, at, n, v, at, w);
            double t = sets.dot(s, v, x);
            double form = 0;
            for (int i = 0; i < n; i++) {
              w[i] += t * x[sets.members[at + i]];
              form += w[i] * v[at + i];
            }
            double d = variances[s];
            for (int i = 0; i < n; i++) w[i] *= -1 / d;
            regression.gradient(n, w, 0.5 * (form / d - 1) / d, parts[piece]);
          }
        });
    for (double[] part : parts) for (int i = 0; i < p; i++) g[i] += part[i];
    return g;
  }

  /// The bytes that it needs beside the sets.
  long bytes() {
    return 8L * v.length + 8L * variances.length;
  }
}
