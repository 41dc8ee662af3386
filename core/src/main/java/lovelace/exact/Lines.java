package lovelace.exact;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Term;
import org.jspecify.annotations.Nullable;

/// The terms of a kernel that are straight lines, products of lines, or constants next to them, in
/// a form that loses no digits far from zero.
///
/// Such a term is a sum of `w p(x) p(x′)` over polynomials p, one for every choice of a column in
/// each of its factors. In coordinates `(x − m)/s` centred on the rows, the polynomials are a few
/// basis functions f times the columns of a matrix T, and the terms together are `fᵀTTᵀf`. The
/// matrix is rotated to `T = LQᵀ` with L lower triangular and Q orthogonal, so that the process is
/// exactly `fᵀL w` with standard normal w. One entry of w carries the part that all lines share:
/// the level at m, which may be 1e12 times the rest. The differences have entries of their own;
/// otherwise large numbers would have to cancel. Immutable.
final class Lines {

  /// The largest number of polynomials, and of basis functions.
  private static final int MOST = 100;

  /// The largest number of lines in a product.
  private static final int FACTORS = 6;

  private final int dimensions;
  private final double[] centres; // m of every column
  private final double[] perScale; // 1/s
  private final List<int[]> powers; // of every column; one per basis function
  private final List<Choice> choices;
  private final double[] l; // basis functions × polynomials
  private final double[] q; // polynomials × polynomials
  private final @Nullable Kernel rest;
  private final List<Term> others; // the terms of the rest

  /// A polynomial: one column of every factor of a term.
  private static final class Choice {
    final Term term;
    final int[] columns; // one input column per factor
    final int[] variances; // positions in the kernel's values
    final int[] means; // positions of the factors' centres
    final double[] offsets; // m minus the factor's centre
    final double weight;

    Choice(
        Term term, int[] columns, int[] variances, int[] means, double[] offsets, double weight) {
      this.term = term;
      this.columns = columns;
      this.variances = variances;
      this.means = means;
      this.offsets = offsets;
      this.weight = weight;
    }
  }

  private Lines(
      int dimensions,
      double[] centres,
      double[] perScale,
      List<int[]> powers,
      List<Choice> choices,
      @Nullable Kernel rest,
      List<Term> others) {
    this.dimensions = dimensions;
    this.centres = centres;
    this.perScale = perScale;
    this.powers = powers;
    this.choices = choices;
    this.rest = rest;
    this.others = others;
    int r = choices.size();
    l = new double[powers.size() * r];
    for (int t = 0; t < r; t++) {
      double[] p = polynomial(choices.get(t), -1);
      double root = Math.sqrt(choices.get(t).weight);
      for (int j = 0; j < p.length; j++) l[j * r + t] = root * p[j];
    }
    q = new double[r * r];
    for (int t = 0; t < r; t++) q[t * r + t] = 1;
    triangulate();
  }

  /// The lines of a kernel without white noise, or null if it has none.
  ///
  /// @param x the rows, row-major
  static @Nullable Lines of(Kernel kernel, double[] x) {
    int d = kernel.dimensions();
    List<Term> lines = new ArrayList<>();
    List<Term> others = new ArrayList<>();
    boolean any = false;
    for (Term term : kernel.terms()) {
      int factors = term.factors().size();
      boolean line = factors <= FACTORS && term.factors().stream().allMatch(Leaf::isLinear);
      any |= line && factors > 0;
      (line ? lines : others).add(term);
    }
    if (!any || x.length == 0) return null;
    double[] centres = new double[d];
    double[] scales = new double[d];
    centre(x, d, centres, scales);
    List<Choice> choices = new ArrayList<>();
    for (Term term : lines) {
      choose(term, centres, new int[term.factors().size()], 0, choices);
      if (choices.size() > MOST) return null;
    }
    List<int[]> powers = powers(choices, d);
    if (powers.size() > MOST) return null;
    double[] perScale = Arrays.stream(scales).map(s -> 1 / s).toArray();
    Kernel rest =
        others.stream().map(term -> term.kernel(d)).reduce((a, b) -> a.plus(b)).orElse(null);
    return new Lines(d, centres, perScale, powers, choices, rest, others);
  }

  private static void centre(double[] x, int d, double[] centres, double[] scales) {
    int n = x.length / d;
    for (int c = 0; c < d; c++) {
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < n; i++) {
        low = Math.min(low, x[i * d + c]);
        high = Math.max(high, x[i * d + c]);
      }
      double sum = 0;
      for (int i = 0; i < n; i++) sum += x[i * d + c] - low;
      centres[c] = low + sum / n;
      scales[c] = high > low ? high - low : 1;
    }
  }

  private static void choose(
      Term term, double[] centres, int[] chosen, int at, List<Choice> choices) {
    int factors = chosen.length;
    if (at < factors) {
      int count = term.factors().get(at).columns().length;
      for (int c = 0; c < count && choices.size() <= MOST; c++) {
        chosen[at] = c;
        choose(term, centres, chosen, at + 1, choices);
      }
      return;
    }
    int[] columns = new int[factors];
    int[] variances = new int[factors];
    int[] means = new int[factors];
    double[] offsets = new double[factors];
    double weight = term.amplitude();
    for (int f = 0; f < factors; f++) {
      Leaf leaf = term.factors().get(f);
      double[] values = leaf.values(); // variances, then centres
      int read = leaf.columns().length;
      int c = chosen[f];
      columns[f] = leaf.columns()[c];
      variances[f] = term.offset(f) + c;
      means[f] = variances[f] + read;
      offsets[f] = centres[columns[f]] - values[read + c];
      weight *= values[c];
    }
    choices.add(new Choice(term, columns, variances, means, offsets, weight));
  }

  /// All products of the columns of a polynomial, and 1, sorted by degree.
  private static List<int[]> powers(List<Choice> choices, int d) {
    List<int[]> all = new ArrayList<>();
    all.add(new int[d]);
    for (Choice choice : choices) {
      int factors = choice.columns.length;
      for (int some = 1; some < 1 << factors; some++) {
        int[] power = new int[d];
        for (int f = 0; f < factors; f++) if ((some >> f & 1) != 0) power[choice.columns[f]]++;
        if (all.stream().noneMatch(known -> Arrays.equals(known, power))) all.add(power);
      }
    }
    all.sort(Comparator.comparingInt(power -> Arrays.stream(power).sum()));
    return all;
  }

  /// The coefficients of a polynomial in the basis functions. Leaves out factor `without` if it is
  /// not −1.
  private double[] polynomial(Choice choice, int without) {
    double[] p = new double[powers.size()];
    p[0] = 1;
    for (int f = 0; f < choice.columns.length; f++) {
      if (f == without) continue;
      int column = choice.columns[f];
      double[] next = new double[p.length];
      for (int j = 0; j < p.length; j++) {
        if (p[j] == 0) continue;
        next[j] += p[j] * choice.offsets[f];
        int[] raised = powers.get(j).clone();
        raised[column]++;
        next[place(raised)] += p[j] / perScale[column];
      }
      p = next;
    }
    return p;
  }

  private int place(int[] power) {
    for (int j = 0; j < powers.size(); j++) if (Arrays.equals(powers.get(j), power)) return j;
    throw new IllegalStateException("no such product of columns");
  }

  /// Rotates pairs of columns of T until everything right of the diagonal is zero. A rotation keeps
  /// the digits of each entry if the polynomials have different columns or degrees.
  private void triangulate() {
    int r = choices.size();
    int rows = powers.size();
    for (int j = 0; j < Math.min(rows, r); j++)
      for (int t = j + 1; t < r; t++) {
        double a = l[j * r + j];
        double b = l[j * r + t];
        if (b == 0) continue;
        double h = Math.hypot(a, b);
        turn(l, rows, j, t, a / h, b / h);
        turn(q, r, j, t, a / h, b / h);
        l[j * r + t] = 0;
      }
  }

  private static void turn(double[] m, int rows, int j, int t, double c, double s) {
    int r = m.length / rows;
    for (int i = 0; i < rows; i++) {
      double a = m[i * r + j];
      double b = m[i * r + t];
      m[i * r + j] = c * a + s * b;
      m[i * r + t] = c * b - s * a;
    }
  }

  /// The kernel without these terms, or null if nothing is left. It has its own parameters;
  /// [#addRest] maps them back.
  @Nullable Kernel rest() {
    return rest;
  }

  /// The number of basis functions.
  int functions() {
    return powers.size();
  }

  /// The number of polynomials, which is the number of coefficients w.
  int size() {
    return choices.size();
  }

  /// L, basis functions × coefficients, row-major. A copy.
  double[] root() {
    return l.clone();
  }

  /// Writes f at a point.
  void basis(double[] x, int xo, double[] out, int oo) {
    for (int j = 0; j < powers.size(); j++) {
      int[] power = powers.get(j);
      double product = 1;
      for (int c = 0; c < dimensions; c++)
        for (int k = 0; k < power[c]; k++) product *= (x[xo + c] - centres[c]) * perScale[c];
      out[oo + j] = product;
    }
  }

  /// f at several points, row-major.
  double[] basis(double[] points) {
    int count = points.length / dimensions;
    double[] out = new double[count * functions()];
    for (int i = 0; i < count; i++) basis(points, i * dimensions, out, i * functions());
    return out;
  }

  /// Adds the slopes in the parameters of [#rest] to those of the kernel that these lines come
  /// from.
  ///
  /// @param slopes in the order of the values of [#rest]
  /// @param values the values of the kernel that these lines come from, in the order of g
  void addRest(double[] slopes, double[] values, double[] g) {
    int at = 0;
    for (Term term : others) {
      double amplitude = slopes[at++] * term.amplitude();
      for (int p : term.amplitudeParameters()) g[p] += amplitude / values[p];
      for (int f = 0; f < term.factors().size(); f++)
        for (int k = 0; k < term.factors().get(f).parameterCount(); k++)
          g[term.offset(f) + k] += slopes[at++];
    }
  }

  /// Adds the slopes in the parameters of the lines.
  ///
  /// @param covariance the covariance of w given the data minus the identity, row-major
  /// @param means the mean of w given the data, then those for other targets whose slopes count too
  /// @param duals `Fᵀα` for each of these; it multiplies a change of the polynomials
  /// @param met `M L (covariance of w)`, basis functions × coefficients
  void addSlopes(
      double[] covariance,
      double[][] means,
      double[][] duals,
      double[] met,
      double[] values,
      double[] g) {
    int r = size();
    int m = functions();
    for (int t = 0; t < r; t++) {
      Choice choice = choices.get(t);
      double more = 0; // E z² − 1, where z belongs to the polynomial
      for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++) more += q[t * r + i] * covariance[i * r + j] * q[t * r + j];
      double[] meets = new double[m];
      for (int j = 0; j < m; j++)
        for (int i = 0; i < r; i++) meets[j] -= met[j * r + i] * q[t * r + i];
      for (int k = 0; k < means.length; k++) {
        double z = 0;
        for (int i = 0; i < r; i++) z += q[t * r + i] * means[k][i];
        more += z * z;
        for (int j = 0; j < m; j++) meets[j] += z * duals[k][j];
      }
      for (int p : choice.term.amplitudeParameters()) g[p] += 0.5 * more / values[p];
      for (int p : choice.variances) g[p] += 0.5 * more / values[p];
      double root = Math.sqrt(choice.weight);
      for (int f = 0; f < choice.means.length; f++) {
        double[] lowered = polynomial(choice, f);
        double slope = 0;
        for (int j = 0; j < m; j++) slope += lowered[j] * meets[j];
        g[choice.means[f]] -= root * slope;
      }
    }
  }
}
