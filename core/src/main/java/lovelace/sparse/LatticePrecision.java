package lovelace.sparse;

import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;
import lovelace.linear.sparse.SparsePattern;

/// The precision of the prior on a grid, `K⁻¹ ≈ Q = Rᵀ D⁻¹ R` with `R = I − B` from
/// [LocalRegressions]. It is a sparse symmetric matrix, with its products, its determinant, and
/// quadratic forms. Q is positive definite, and the best in Kullback–Leibler divergence with these
/// conditioning sets. [Gradient] has derivatives. Rows are the points of the grid in its order.
/// Immutable.
public final class LatticePrecision implements LinearOperator {

  private final LocalRegressions regressions;
  private final Couplings couplings;
  private final ConditioningSets sets;

  private LatticePrecision(LocalRegressions regressions, Couplings couplings) {
    this.regressions = regressions;
    this.couplings = couplings;
    sets = couplings.sets();
  }

  /// The precision, with the pattern that its entries need.
  public static LatticePrecision of(LocalRegressions regressions) {
    return new LatticePrecision(regressions, Couplings.of(regressions.sets()));
  }

  /// The precision for other parameters with the same conditioning sets, and so with the same
  /// pattern.
  public LatticePrecision with(LocalRegressions other) {
    if (other.sets() != regressions.sets())
      throw new IllegalArgumentException("the regressions have other conditioning sets");
    return new LatticePrecision(other, couplings);
  }

  public LocalRegressions regressions() {
    return regressions;
  }

  /// The positions of Q's entries. They do not depend on the kernel's parameters.
  public SparsePattern pattern() {
    return couplings.pattern();
  }

  /// A new array with the entries of Q on a pattern whose first rows include its own. Entries at
  /// further positions are 0.
  public double[] values(SparsePattern on) {
    requireOwn(on);
    double[][] rows = rows();
    double[] values = new double[on.entries()];
    Parallel.chunks(
        size(),
        Couplings.CHUNK,
        (piece, from, to) -> {
          for (int r = from; r < to; r++) {
            double[] row = rows[couplings.kindNumber(r)];
            int[] columns = couplings.kindOf(r).columns;
            int e = on.start(r);
            for (int q = 0; q < row.length; q++) {
              while (on.column(e) != r + columns[q]) e++;
              values[e++] = row[q];
            }
          }
        });
    return values;
  }

  /// The entries of Q in a row of each kind, in the order of its columns.
  private double[][] rows() {
    double[][] rows = new double[couplings.kinds().size()][];
    Parallel.chunks(
        rows.length,
        64,
        (piece, from, to) -> {
          double[] sums = new double[size()];
          for (int k = from; k < to; k++) {
            Couplings.Kind kind = couplings.kinds().get(k);
            for (int e = 0; e < kind.nodes.length; e++) {
              int s = kind.shapes[e];
              int p = kind.places[e];
              int i = kind.row + kind.nodes[e];
              int[] jumps = sets.jumps(s);
              double[] v = regressions.row(s);
              double scale = v[p] / regressions.variance(s);
              for (int q = 0; q <= p; q++) sums[i + jumps[q]] += scale * v[q];
            }
            double[] row = new double[kind.columns.length];
            for (int q = 0; q < row.length; q++) {
              row[q] = sums[kind.row + kind.columns[q]];
              sums[kind.row + kind.columns[q]] = 0;
            }
            rows[k] = row;
          }
        });
    return rows;
  }

  /// Throws unless the first rows of a pattern include all entries of Q.
  private void requireOwn(SparsePattern on) {
    SparsePattern pattern = pattern();
    if (on == pattern) return;
    boolean good = on.size() >= size();
    for (int r = 0; good && r < size(); r++) {
      int e = on.start(r);
      for (int own = pattern.start(r); good && own < pattern.start(r + 1); own++) {
        while (on.column(e) < pattern.column(own)) e++; // ends at the diagonal, which both have
        good = on.column(e) == pattern.column(own);
      }
    }
    if (!good)
      throw new IllegalArgumentException(
          "the pattern does not hold all entries of the precision; join the two by union");
  }

  /// A new array with the entries of Q in the order of [#pattern].
  public double[] values() {
    return values(pattern());
  }

  @Override
  public int size() {
    return sets.grid().size();
  }

  /// `y ← Q x`, by R.
  @Override
  public void apply(double[] x, double[] y) {
    double[] t = new double[size()];
    residuals(x, t);
    double[][] columns = new double[couplings.kinds().size()][]; // of D⁻¹R, kind by kind
    for (int k = 0; k < columns.length; k++) {
      Couplings.Kind kind = couplings.kinds().get(k);
      columns[k] = new double[kind.nodes.length];
      for (int e = 0; e < columns[k].length; e++) {
        int s = kind.shapes[e];
        columns[k][e] = regressions.row(s)[kind.places[e]] / regressions.variance(s);
      }
    }
    Parallel.chunks(
        size(),
        Couplings.CHUNK,
        (piece, from, to) -> {
          for (int r = from; r < to; r++) {
            int[] nodes = couplings.kindOf(r).nodes;
            double[] column = columns[couplings.kindNumber(r)];
            double sum = 0;
            for (int e = 0; e < nodes.length; e++) sum += column[e] * t[r + nodes[e]];
            y[r] = sum;
          }
        });
  }

  /// `t ← R x`: each node minus its regression on its set. Reads x, overwrites t.
  void residuals(double[] x, double[] t) {
    Parallel.chunks(
        size(),
        Couplings.CHUNK,
        (piece, from, to) -> {
          for (int i = from; i < to; i++) t[i] = residual(x, i);
        });
  }

  private double residual(double[] x, int i) {
    int s = sets.shapeOf(i);
    int[] jumps = sets.jumps(s);
    double[] v = regressions.row(s);
    double sum = 0;
    for (int q = 0; q < v.length; q++) sum += v[q] * x[i + jumps[q]];
    return sum;
  }

  /// `xᵀQx`, a sum of squares.
  public double quadratic(double[] x) {
    return Parallel.sum(
        size(),
        Couplings.CHUNK,
        (from, to) -> {
          double sum = 0;
          for (int i = from; i < to; i++) {
            double t = residual(x, i);
            sum += t * t / regressions.variance(sets.shapeOf(i));
          }
          return sum;
        });
  }

  /// `log|Q| = −Σ log Dᵢ`.
  public double logDeterminant() {
    return -regressions.logVariances();
  }

  /// `x ← R⁻¹ D^½ z`: a draw of the process, node after node. If z is white, x has the covariance
  /// Q⁻¹. Reads z, overwrites x; the two must be distinct arrays.
  public void draw(double[] z, double[] x) {
    for (int i : sets.order()) {
      int s = sets.shapeOf(i);
      x[i] = 0;
      x[i] = Math.sqrt(regressions.variance(s)) * z[i] - residual(x, i);
    }
  }

  /// Derivatives in the parameters of the kernel. Add terms to it first.
  public Gradient gradient() {
    return new Gradient(this);
  }

  /// For each shape s, adds `scale · Z[set, set] vₛ` over its nodes to `sums[s]`. Z is given on a
  /// pattern that includes Q's.
  void contract(SparsePattern on, double[] z, double scale, double[][] sums) {
    requireOwn(on);
    double[][] rows = couplings.sums(on, z);
    double[] row = new double[size()];
    for (int k = 0; k < rows.length; k++) {
      Couplings.Kind kind = couplings.kinds().get(k);
      for (int q = 0; q < rows[k].length; q++) row[kind.row + kind.columns[q]] = scale * rows[k][q];
      for (int e = 0; e < kind.nodes.length; e++) {
        int s = kind.shapes[e];
        int p = kind.places[e];
        int i = kind.row + kind.nodes[e];
        int[] jumps = sets.jumps(s);
        double[] v = regressions.row(s);
        double[] sum = sums[s];
        double own = row[kind.row] * v[p];
        for (int q = 0; q < p; q++) {
          double entry = row[i + jumps[q]];
          own += entry * v[q];
          sum[q] += entry * v[p]; // the same entry above the diagonal
        }
        sum[p] += own;
      }
    }
  }

  /// The derivative of a sum of terms in Q, in all parameters of the kernel at once, with fixed
  /// conditioning sets. Terms are added first and become sums by shape. Then [#into] passes these
  /// through the regressions, for any number of terms at once.
  ///
  /// With M = xxᵀ or a given matrix: `tr(M ∂Q) = Σᵢ [2 ∂vᵢᵀ Mvᵢ/Dᵢ − vᵢᵀMvᵢ ∂Dᵢ/Dᵢ²]`.
  public static final class Gradient {

    private final LatticePrecision precision;
    private final LocalRegressions regressions;
    private final double[][] products; // Σ M v of each shape
    private double determinant;

    Gradient(LatticePrecision precision) {
      this.precision = precision;
      regressions = precision.regressions();
      products = new double[regressions.sets().shapes()][];
      for (int s = 0; s < products.length; s++) products[s] = new double[regressions.row(s).length];
    }

    /// Adds `weight · xᵀQx`.
    public Gradient quadratic(double weight, double[] x) {
      ConditioningSets sets = regressions.sets();
      double[] t = new double[x.length];
      precision.residuals(x, t);
      for (int i = 0; i < x.length; i++) {
        double[] sum = products[sets.shapeOf(i)];
        int[] jumps = sets.jumps(sets.shapeOf(i));
        double scale = weight * t[i];
        for (int q = 0; q < sum.length; q++) sum[q] += scale * x[i + jumps[q]];
      }
      return this;
    }

    /// Adds `weight · tr(Z Q)` for a fixed symmetric Z, given by its entries on a pattern that
    /// includes Q's. With the entries of an inverse Λ⁻¹, this gives the derivative of log|Λ|, where
    /// Λ = Q + a constant.
    public Gradient trace(double weight, SparsePattern on, double[] z) {
      precision.contract(on, z, weight, products);
      return this;
    }

    /// Adds `weight · log|Q|`.
    public Gradient logDeterminant(double weight) {
      determinant += weight;
      return this;
    }

    /// Adds the derivative of all terms to g, on the natural scale, in the order of the kernel's
    /// values.
    public void into(double[] g) {
      ConditioningSets sets = regressions.sets();
      double[][] w = new double[products.length][];
      double[] c = new double[products.length];
      for (int s = 0; s < w.length; s++) {
        double variance = regressions.variance(s);
        double[] v = regressions.row(s);
        w[s] = new double[v.length];
        double sum = 0;
        for (int q = 0; q < v.length; q++) {
          w[s][q] = 2 * products[s][q] / variance;
          sum += products[s][q] * v[q];
        }
        c[s] = -sum / (variance * variance) - determinant * sets.nodesOf(s) / variance;
      }
      regressions.gradient(w, c, g);
    }
  }
}
