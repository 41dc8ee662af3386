package lovelace.lattice;

import java.util.Arrays;
import lovelace.budget.Budget;
import lovelace.grid.Lattice;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeCovariance;
import lovelace.kernel.Kernel;
import lovelace.latticekernel.LocalKriging;

/// The covariances of points with points, inside the lattice and beyond it.
final class LatticePairs {

  private final LatticePosterior posterior;
  private final LatticeCovariance covariance;

  LatticePairs(LatticePosterior posterior) {
    this.posterior = posterior;
    covariance = posterior.covariance();
  }

  /// The covariances of points `a` with points `b`. All were checked.
  @SuppressWarnings("ReferenceEquality")
  double[] between(double[] a, double[] b) {
    int d = posterior.dimensions();
    Split left = new Split(a);
    Split right = a == b ? left : new Split(b);
    int columns = right.count;
    double[] out = new double[Budget.covariance(left.count, columns)];
    double[] inner = covariance.between(left.inside, right.inside);
    LocalKriging kriging = posterior.tables().kriging();
    if (kriging != null) {
      double[] more = kriging.residuals(left.points, right.points);
      for (int i = 0; i < inner.length; i++) inner[i] += more[i];
    }
    for (int i = 0; i < left.insideRows.length; i++)
      for (int j = 0; j < right.insideRows.length; j++)
        out[left.insideRows[i] * columns + right.insideRows[j]] =
            inner[i * right.insideRows.length + j];
    for (int i = 0; i < left.outsideRows.length; i++) {
      double[] cross = covariance.cross(left.columns[i], right.inside);
      for (int j = 0; j < cross.length; j++)
        out[left.outsideRows[i] * columns + right.insideRows[j]] = cross[j];
    }
    for (int j = 0; j < right.outsideRows.length; j++) {
      double[] cross = covariance.cross(right.columns[j], left.inside);
      for (int i = 0; i < cross.length; i++)
        out[left.insideRows[i] * columns + right.outsideRows[j]] = cross[i];
    }
    Kernel kernel = posterior.hyperparameters().kernel().withoutWhite();
    for (int i = 0; i < left.outsideRows.length; i++)
      for (int j = 0; j < right.outsideRows.length; j++)
        out[left.outsideRows[i] * columns + right.outsideRows[j]] =
            kernel.value(a, left.outsideRows[i] * d, b, right.outsideRows[j] * d)
                - covariance.explained(left.columns[i], right.columns[j]);
    return out;
  }

  /// See [LatticePosterior#jointBytes].
  static long jointBytes(LatticePosterior posterior, double[] points, long count) {
    int d = posterior.dimensions();
    Lattice lattice = posterior.statistics().lattice();
    LocalKriging kriging = posterior.tables().kriging();
    long beyond = 0;
    long off = 0;
    for (int i = 0; i < count; i++)
      if (lattice.outsideColumn(points, i * d) >= 0) beyond++;
      else if (kriging != null && !kriging.onPoint(points, i * d)) off++;
    return beyond == 0 ? 16 * off * off : 32 * count * count + 8 * beyond * lattice.size();
  }

  /// Divides points into those inside the lattice and those outside it.
  private final class Split {
    final int count;
    final int[] insideRows;
    final int[] outsideRows;
    final double[] points; // those inside
    final Stencils inside;
    final double[][] columns;

    Split(double[] points) {
      Lattice lattice = posterior.statistics().lattice();
      int d = lattice.dimensions();
      count = points.length / d;
      int[] in = new int[count];
      int[] out = new int[count];
      int ins = 0;
      int outs = 0;
      for (int i = 0; i < count; i++)
        if (lattice.outsideColumn(points, i * d) < 0) in[ins++] = i;
        else out[outs++] = i;
      insideRows = Arrays.copyOf(in, ins);
      outsideRows = Arrays.copyOf(out, outs);
      double[] kept = new double[ins * d];
      for (int i = 0; i < ins; i++) System.arraycopy(points, in[i] * d, kept, i * d, d);
      this.points = kept;
      inside = posterior.tables().stencils(kept);
      columns = new double[outs][];
      for (int i = 0; i < outs; i++)
        columns[i] = posterior.problem().kernel().column(points, out[i] * d);
    }
  }
}
