package lovelace.sparse;

import java.util.Arrays;
import lovelace.linear.LinearOperator;
import lovelace.linear.Parallel;

/// The precision of the prior on a grid, `K⁻¹ ≈ Q = Rᵀ D⁻¹ R` with `R = I − B` from
/// [LocalRegressions]: a sparse symmetric matrix, its products, its determinant, and quadratic
/// forms. Q is positive definite, and the best in Kullback–Leibler divergence with these
/// conditioning sets. [PrecisionGradient] has derivatives. Rows are the points of the grid in its
/// order. Immutable.
public final class LatticePrecision implements LinearOperator {

  private static final int CHUNK = 4096;

  private final LocalRegressions regressions;
  private final Couplings couplings;
  private final SparsePattern pattern;

  private LatticePrecision(
      LocalRegressions regressions, Couplings couplings, SparsePattern pattern) {
    this.regressions = regressions;
    this.couplings = couplings;
    this.pattern = pattern;
  }

  /// The precision, with the pattern that its entries need.
  public static LatticePrecision of(LocalRegressions regressions) {
    Couplings couplings = new Couplings(regressions.sets());
    return new LatticePrecision(regressions, couplings, couplings.pattern());
  }

  /// The precision for other parameters with the same conditioning sets, so with the same pattern.
  public LatticePrecision with(LocalRegressions other) {
    if (other.sets() != regressions.sets())
      throw new IllegalArgumentException("the regressions have other conditioning sets");
    return new LatticePrecision(other, couplings, pattern);
  }

  /// Which nodes are regressed on a node: the columns of R, node by node.
  private static final class Couplings {
    final ConditioningSets sets;
    final int[] starts;
    final int[] nodes; // i with R[i, column] ≠ 0, ascending
    final short[] places; // where the column stands among the members of node i's shape

    Couplings(ConditioningSets sets) {
      this.sets = sets;
      int m = sets.grid().size();
      starts = new int[m + 1];
      for (int i = 0; i < m; i++)
        for (int jump : sets.jumps(sets.shapeOf(i))) starts[i + jump + 1]++;
      for (int r = 0; r < m; r++) starts[r + 1] = Math.addExact(starts[r + 1], starts[r]);
      nodes = new int[starts[m]];
      places = new short[starts[m]];
      int[] next = starts.clone();
      for (int i = 0; i < m; i++) {
        int[] jumps = sets.jumps(sets.shapeOf(i));
        for (int p = 0; p < jumps.length; p++) {
          int at = next[i + jumps[p]]++;
          nodes[at] = i;
          places[at] = (short) p;
        }
      }
    }

    /// Two nodes are coupled where both are in the set of a third, or of one of them.
    SparsePattern pattern() {
      int m = sets.grid().size();
      int[] starts = new int[m + 1];
      int[][] pieces = new int[Parallel.pieces(m, CHUNK)][];
      Parallel.chunks(
          m,
          CHUNK,
          (piece, from, to) -> {
            int[] seen = new int[to]; // the last row, counted from 1, that has the column
            int[] columns = new int[64 * (to - from)];
            int count = 0;
            for (int r = from; r < to; r++) {
              int begin = count;
              for (int e = this.starts[r]; e < this.starts[r + 1]; e++) {
                int[] jumps = sets.jumps(sets.shapeOf(nodes[e]));
                if (count + jumps.length > columns.length)
                  columns = Arrays.copyOf(columns, 2 * columns.length + jumps.length);
                for (int q = 0; q <= places[e]; q++) { // members ascend, so these are at most r
                  int column = nodes[e] + jumps[q];
                  if (seen[column] == r + 1) continue;
                  seen[column] = r + 1;
                  columns[count++] = column;
                }
              }
              Arrays.sort(columns, begin, count);
              starts[r + 1] = count - begin;
            }
            pieces[piece] = Arrays.copyOf(columns, count);
          });
      for (int r = 0; r < m; r++) starts[r + 1] = Math.addExact(starts[r + 1], starts[r]);
      int[] columns = new int[starts[m]];
      for (int p = 0; p < pieces.length; p++)
        System.arraycopy(pieces[p], 0, columns, starts[p * CHUNK], pieces[p].length);
      return SparsePattern.adopt(starts, columns);
    }
  }

  public LocalRegressions regressions() {
    return regressions;
  }

  /// The places of Q's entries. They do not depend on the kernel's parameters.
  public SparsePattern pattern() {
    return pattern;
  }

  /// The entries of Q on a pattern that holds its own, as a new array: more places are 0.
  public double[] values(SparsePattern on) {
    requireOwn(on);
    double[] values = new double[on.entries()];
    Parallel.chunks(
        size(),
        CHUNK,
        (piece, from, to) -> {
          double[] row = new double[to];
          for (int r = from; r < to; r++) {
            for (int e = couplings.starts[r]; e < couplings.starts[r + 1]; e++) {
              int i = couplings.nodes[e];
              int s = couplings.sets.shapeOf(i);
              int[] jumps = couplings.sets.jumps(s);
              double[] v = regressions.row(s);
              int p = couplings.places[e];
              double scale = v[p] / regressions.variance(s);
              for (int q = 0; q <= p; q++) row[i + jumps[q]] += scale * v[q];
            }
            for (int e = on.start(r); e < on.start(r + 1); e++) {
              int column = on.column(e);
              values[e] = row[column];
              row[column] = 0;
            }
          }
        });
    return values;
  }

  /// Throws unless a pattern holds all entries of Q.
  private void requireOwn(SparsePattern on) {
    if (on == pattern) return;
    boolean good = on.size() == size();
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

  /// The entries of Q in the order of [#pattern], as a new array.
  public double[] values() {
    return values(pattern);
  }

  @Override
  public int size() {
    return couplings.sets.grid().size();
  }

  /// `y ← Q x`, through R.
  @Override
  public void apply(double[] x, double[] y) {
    double[] t = new double[size()];
    residuals(x, t);
    Parallel.chunks(
        size(),
        CHUNK,
        (piece, from, to) -> {
          for (int i = from; i < to; i++) t[i] /= regressions.variance(couplings.sets.shapeOf(i));
        });
    Parallel.chunks(
        size(),
        CHUNK,
        (piece, from, to) -> {
          for (int r = from; r < to; r++) {
            double sum = 0;
            for (int e = couplings.starts[r]; e < couplings.starts[r + 1]; e++) {
              int i = couplings.nodes[e];
              sum += regressions.row(couplings.sets.shapeOf(i))[couplings.places[e]] * t[i];
            }
            y[r] = sum;
          }
        });
  }

  /// `t ← R x`: each node less its regression on its set. Reads x, overwrites t.
  void residuals(double[] x, double[] t) {
    Parallel.chunks(
        size(),
        CHUNK,
        (piece, from, to) -> {
          for (int i = from; i < to; i++) t[i] = residual(x, i);
        });
  }

  private double residual(double[] x, int i) {
    int s = couplings.sets.shapeOf(i);
    int[] jumps = couplings.sets.jumps(s);
    double[] v = regressions.row(s);
    double sum = 0;
    for (int q = 0; q < v.length; q++) sum += v[q] * x[i + jumps[q]];
    return sum;
  }

  /// `xᵀQx`, a sum of squares.
  public double quadratic(double[] x) {
    return Parallel.sum(
        size(),
        CHUNK,
        (from, to) -> {
          double sum = 0;
          for (int i = from; i < to; i++) {
            double t = residual(x, i);
            sum += t * t / regressions.variance(couplings.sets.shapeOf(i));
          }
          return sum;
        });
  }

  /// `log|Q| = −Σ log Dᵢ`.
  public double logDeterminant() {
    return -regressions.logVariances();
  }

  /// `x ← R⁻¹ D^½ z`, which has the covariance Q⁻¹ where z is white: a draw of the process, node
  /// after node. Reads z, overwrites x; the two must be distinct arrays.
  public void draw(double[] z, double[] x) {
    for (int i : couplings.sets.order()) {
      int s = couplings.sets.shapeOf(i);
      x[i] = 0;
      x[i] = Math.sqrt(regressions.variance(s)) * z[i] - residual(x, i);
    }
  }

  /// Derivatives in the parameters of the kernel, to which terms are added.
  public PrecisionGradient gradient() {
    return new PrecisionGradient(this);
  }

  /// For each shape s adds `scale · Z[set, set] vₛ` over its nodes to `sums[s]`, Z given on a
  /// pattern that holds Q's.
  void contract(SparsePattern on, double[] z, double scale, double[][] sums) {
    requireOwn(on);
    int m = size();
    int chunk = Math.max(1, (m + 15) / 16); // bounds the memory for the sums
    double[][][] parts = new double[Parallel.pieces(m, chunk)][][];
    Parallel.chunks(
        m,
        chunk,
        (piece, from, to) -> {
          double[][] part = new double[sums.length][];
          for (int s = 0; s < part.length; s++) part[s] = new double[sums[s].length];
          double[] row = new double[to];
          for (int r = from; r < to; r++) {
            for (int e = on.start(r); e < on.start(r + 1); e++) row[on.column(e)] = scale * z[e];
            for (int e = couplings.starts[r]; e < couplings.starts[r + 1]; e++) {
              int i = couplings.nodes[e];
              int p = couplings.places[e];
              int s = couplings.sets.shapeOf(i);
              int[] jumps = couplings.sets.jumps(s);
              double[] v = regressions.row(s);
              double[] sum = part[s];
              double mine = v[p];
              double own = row[r] * mine;
              for (int q = 0; q < p; q++) {
                double entry = row[i + jumps[q]];
                own += entry * v[q];
                sum[q] += entry * mine; // the same entry above the diagonal
              }
              sum[p] += own;
            }
          }
          parts[piece] = part;
        });
    for (double[][] part : parts)
      for (int s = 0; s < sums.length; s++)
        for (int q = 0; q < sums[s].length; q++) sums[s][q] += part[s][q];
  }
}
