package lovelace.linear.sparse;

import java.util.Arrays;
import lovelace.budget.Budget;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;

/// The entries of A⁻¹ at the positions where the factor L has entries (Takahashi 1973), front by
/// front from the roots down. Let `G = L₂₁ L₁₁⁻¹` for a front, and Z₂₂ the inverse among its later
/// rows, which the parent has:
///
///     Z₂₁ = −Z₂₂ G      Z₁₁ = (L₁₁ L₁₁ᵀ)⁻¹ − Gᵀ Z₂₁
///
/// They are exact: A⁻¹ is not approximated, but most of it is not computed. Immutable.
public final class SelectedInverse {

  private static final double[] NONE = {};

  /// The number of rows of a symmetric product that are computed at a time.
  private static final int BAND = 256;

  private final Fronts fronts;
  private final int[] place;
  private final double[][] panels;

  private SelectedInverse(Fronts fronts) {
    this.fronts = fronts;
    place = new int[fronts.order().size()];
    for (int p = 0; p < place.length; p++) place[fronts.order().point(p)] = p;
    panels = new double[fronts.count()][];
  }

  /// All entries at which the factor has one. They take as much memory as the factor.
  public static SelectedInverse of(SparseCholesky factor) {
    Budget.require(8 * factor.fronts().numbers(), "a sparse inverse", "use fewer grid points");
    var inverse = new SelectedInverse(factor.fronts());
    new Sweep(factor, (b, panel) -> inverse.panels[b] = panel).run();
    return inverse;
  }

  /// The entries on the pattern of A, in its order. They take much less memory than [#of].
  public static double[] onPattern(SparseCholesky factor) {
    double[] values = new double[factor.fronts().pattern().entries()];
    new Sweep(factor, (b, panel) -> factor.fronts().fromPanel(b, panel, values)).run();
    return values;
  }

  /// Entry (i, j) of A⁻¹. Throws if the factor has no entry for the two points.
  public double entry(int i, int j) {
    int row = Math.max(place[i], place[j]);
    int column = Math.min(place[i], place[j]);
    int b = fronts.frontOf(column);
    int w = fronts.width(b);
    int from = fronts.order().start(b);
    int local = row - from;
    if (local >= w) {
      int at = Arrays.binarySearch(fronts.rows(b), row);
      if (at < 0)
        throw new IllegalArgumentException(
            "the factor has no entry for points "
                + i
                + " and "
                + j
                + ", so the inverse is not known there; add the pair to the pattern");
      local = w + at;
    }
    return panels[b][local * w + column - from];
  }

  /// The diagonal of A⁻¹, by points.
  public double[] diagonal() {
    double[] diagonal = new double[place.length];
    for (int i = 0; i < diagonal.length; i++) diagonal[i] = entry(i, i);
    return diagonal;
  }

  /// Receives the columns of the inverse that belong to one front: its own rows, of which only the
  /// lower triangle is valid, then the later ones.
  @FunctionalInterface
  private interface Sink {
    void take(int b, double[] panel);
  }

  private record Sweep(SparseCholesky factor, Sink sink) {

    void run() {
      factor.fronts().forRoots(root -> visit(root, new double[][] {NONE}, 0));
    }

    /// Visits front b, given the inverse among its later rows, both triangles. It is removed from
    /// `given`, so that its memory is free before the children are visited.
    private void visit(int b, double[][] given, int at) {
      double[][] parts = invert(b, taken(given, at));
      int[] children = factor.fronts().children(b);
      factor.fronts().forChildren(b, i -> visit(children[i], parts, i));
    }

    private static double[] taken(double[][] given, int at) {
      double[] matrix = given[at];
      given[at] = NONE;
      return matrix;
    }

    /// Computes front b. Returns the inverse among its later rows for every child.
    private double[][] invert(int b, double[] later) {
      Fronts fronts = factor.fronts();
      int w = fronts.width(b);
      int h = fronts.height(b);
      double[] l = factor.panel(b);
      double[] panel = new double[(w + h) * w];
      System.arraycopy(l, 0, panel, 0, w * w);
      Blas.potri(w, panel, 0, w);
      if (h > 0) {
        double[] g = Arrays.copyOfRange(l, w * w, (w + h) * w);
        Blas.trsm(true, false, h, w, 1, l, 0, w, g, 0, w);
        Blas.gemm(false, false, h, w, h, -1, later, 0, h, g, 0, w, 0, panel, w * w, w);
        for (int i = 0; i < w; i += BAND) { // the lower triangle, in bands
          int rows = Math.min(BAND, w - i);
          int at = i * w;
          Blas.gemm(true, false, rows, i + rows, h, -1, g, i, w, panel, w * w, w, 1, panel, at, w);
        }
      }
      sink.take(b, panel);
      int[] children = fronts.children(b);
      double[][] parts = new double[children.length][];
      for (int i = 0; i < parts.length; i++) parts[i] = part(children[i], w, h, panel, later);
      return parts;
    }

    /// The inverse among the later rows of a child, read from the front of its parent.
    private double[] part(int child, int w, int h, double[] panel, double[] later) {
      int[] from = factor.fronts().inParent(child);
      int n = from.length;
      int own = factor.fronts().eliminatedByParent(child, w);
      double[] part = new double[n * n];
      Parallel.chunks(
          n,
          Math.max(Fronts.ROWS, 65_536 / n),
          (index, first, last) -> {
            for (int i = first; i < last; i++) {
              int row = i * n;
              int p = from[i] * w;
              for (int j = 0; j < Math.min(own, i + 1); j++) part[row + j] = panel[p + from[j]];
              int u = (from[i] - w) * h - w;
              for (int j = own; j <= i; j++) part[row + j] = later[u + from[j]];
            }
          });
      Blas.mirror(n, part);
      return part;
    }
  }
}
