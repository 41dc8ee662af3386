package lovelace.neighbours;

import java.util.List;
import lovelace.kernel.Kernel;
import lovelace.kernel.Radial;
import lovelace.kernel.Term;
import org.jspecify.annotations.Nullable;

/// Covariances under one radial kernel with a lengthscale per column, which tables of many columns
/// use. Coordinates are stored by columns, and every inner loop goes through arrays by one index,
/// so that the compiler vectorises it (docs/decisions/small-systems.md).
final class RadialPairs implements Pairs {

  /// A smaller squared distance counts as zero. This keeps the slope of Matérn-1/2 finite.
  private static final double TINY = 1e-300;

  private final Radial.Shape shape;
  private final double amplitude;
  private final double peak; // of the diagonal, including the nugget
  private final double alpha; // of the rational quadratic
  private final Term term;
  private final double[] values; // of the kernel's parameters
  private final int[] columns; // those of numbers first
  private final int[] places; // of their lengthscales among the parameters
  private final int numbers;
  private final double[] inverse; // of the lengthscales
  private final double[] centre; // the place around which the points lie
  private final double[][] x; // by column: scaled for numbers, codes for words
  private final double[] s; // of each pair: r², then k
  private final double[] root; // of each pair: √r², times a constant
  private final double[] work;
  private final boolean sloped;
  private final double[] slope; // of each pair: dk/dr²
  private final double[] column; // sums of one column
  private final double[][] weights; // of each pair, by rows; 0 up to the diagonal
  private final double[] sums;
  private double byAmplitude;
  private double byAlpha;

  private RadialPairs(Kernel latent, Term term, Radial leaf, int m, boolean sloped, double nugget) {
    this.peak = (1 + nugget) * term.amplitude();
    this.term = term;
    this.shape = leaf.shape();
    this.amplitude = term.amplitude();
    this.values = latent.values();
    double[] lengths = leaf.lengthscales();
    int d = lengths.length;
    int[] all = leaf.columns();
    boolean[] words = new boolean[latent.dimensions()];
    for (int c : leaf.categories()) words[c] = true;
    this.columns = new int[d];
    this.places = new int[d];
    this.inverse = new double[d];
    int at = 0;
    int first = 0;
    for (int kind = 0; kind < 2; kind++) {
      for (int i = 0; i < d; i++)
        if (words[all[i]] == (kind == 1)) {
          columns[at] = all[i];
          places[at] = term.offset(0) + i;
          inverse[at++] = 1 / lengths[i];
        }
      if (kind == 0) first = at;
    }
    this.numbers = first;
    this.alpha = shape == Radial.Shape.RATIONAL_QUADRATIC ? values[term.offset(0) + d] : Double.NaN;
    this.centre = new double[d];
    int stride = Math.ceilDiv(m, 4) * 4;
    this.x = new double[d][stride];
    this.s = new double[m * (m - 1) / 2];
    this.root = new double[s.length];
    this.work = new double[s.length];
    this.sloped = sloped;
    this.slope = new double[sloped ? s.length : 0];
    this.column = new double[m];
    this.weights = new double[sloped ? stride : 0][m];
    this.sums = new double[latent.parameterCount()];
  }

  /// Makes the pairs; null if the kernel is not a single radial term.
  static @Nullable RadialPairs of(Kernel latent, int m, boolean sloped, double nugget) {
    List<Term> terms = latent.terms();
    return terms.size() == 1
            && terms.getFirst().factors().size() == 1
            && terms.getFirst().factors().getFirst() instanceof Radial leaf
        ? new RadialPairs(latent, terms.getFirst(), leaf, m, sloped, nugget)
        : null;
  }

  @Override
  public void around(double[] points, int at) {
    for (int c = 0; c < columns.length; c++) centre[c] = points[at + columns[c]];
  }

  /// Differences to the centre are exact if points are near it, even if the numbers are large.
  @Override
  public void place(int a, double[] points, int at) {
    for (int c = 0; c < numbers; c++) x[c][a] = (points[at + columns[c]] - centre[c]) * inverse[c];
    for (int c = numbers; c < columns.length; c++) x[c][a] = points[at + columns[c]];
  }

  @Override
  public void covariances(int m, double[][] rows) {
    int pairs = m * (m - 1) / 2;
    int at = 0;
    for (int a = 0; a < m - 1; a++) {
      double[] row = rows[a];
      squares(a, m, row);
      System.arraycopy(row, a + 1, s, at, m - a - 1);
      at += m - a - 1;
    }
    values(pairs);
    at = 0;
    for (int a = 0; a < m; a++) {
      rows[a][a] = peak;
      System.arraycopy(s, at, rows[a], a + 1, m - a - 1);
      at += m - a - 1;
    }
  }

  /// `row[b] ← r²` between the points a and b, for b > a.
  private void squares(int a, int m, double[] row) {
    for (int b = a + 1; b < m; b++) row[b] = 0;
    int c = 0;
    for (; c + 3 < numbers; c += 4) add(row, x[c], x[c + 1], x[c + 2], x[c + 3], a, m);
    for (; c < numbers; c++) add(row, x[c], a, m);
    for (; c < columns.length; c++) addWords(row, x[c], inverse[c] * inverse[c], a, m);
  }

  private static void add(
      double[] row, double[] x0, double[] x1, double[] x2, double[] x3, int a, int m) {
    double c0 = x0[a];
    double c1 = x1[a];
    double c2 = x2[a];
    double c3 = x3[a];
    for (int b = a + 1; b < m; b++) {
      double t0 = c0 - x0[b];
      double t1 = c1 - x1[b];
      double t2 = c2 - x2[b];
      double t3 = c3 - x3[b];
      row[b] += t0 * t0 + t1 * t1 + (t2 * t2 + t3 * t3);
    }
  }

  private static void add(double[] row, double[] x, int a, int m) {
    double centre = x[a];
    for (int b = a + 1; b < m; b++) {
      double t = centre - x[b];
      row[b] += t * t;
    }
  }

  private static void addWords(double[] row, double[] x, double apart, int a, int m) {
    double own = x[a];
    for (int b = a + 1; b < m; b++) row[b] += apart * differ(own, x[b]);
  }

  /// 1 if two codes differ and 0 if they are equal, in operations that can be vectorised.
  private static double differ(double a, double b) {
    return Math.min(Math.ceil(Math.abs(a - b)), 1);
  }

  /// Turns r² into k for all pairs, and into its slope if slopes are needed. `work` holds the extra
  /// numbers for an exponential.
  private void values(int n) {
    double[] t = work;
    switch (shape) {
      case RBF -> {
        for (int j = 0; j < n; j++) t[j] = -0.5 * s[j];
        Exponentials.negative(t, s, n);
        for (int j = 0; j < n; j++) s[j] = amplitude * t[j];
        if (sloped) for (int j = 0; j < n; j++) slope[j] = -0.5 * s[j];
      }
      case MATERN12 -> {
        for (int j = 0; j < n; j++) root[j] = Math.sqrt(s[j] + TINY);
        for (int j = 0; j < n; j++) t[j] = -root[j];
        Exponentials.negative(t, s, n);
        for (int j = 0; j < n; j++) s[j] = amplitude * t[j];
        if (sloped) for (int j = 0; j < n; j++) slope[j] = -0.5 * s[j] / root[j];
      }
      case MATERN32 -> {
        for (int j = 0; j < n; j++) root[j] = Math.sqrt(3 * s[j]);
        for (int j = 0; j < n; j++) t[j] = -root[j];
        Exponentials.negative(t, s, n);
        for (int j = 0; j < n; j++) s[j] = amplitude * (1 + root[j]) * t[j];
        if (sloped) for (int j = 0; j < n; j++) slope[j] = -1.5 * amplitude * t[j];
      }
      case MATERN52 -> {
        for (int j = 0; j < n; j++) root[j] = Math.sqrt(5 * s[j]);
        for (int j = 0; j < n; j++) t[j] = -root[j];
        Exponentials.negative(t, s, n);
        for (int j = 0; j < n; j++) s[j] = amplitude * (1 + root[j] + root[j] * root[j] / 3) * t[j];
        if (sloped)
          for (int j = 0; j < n; j++) slope[j] = -5.0 / 6 * amplitude * (1 + root[j]) * t[j];
      }
      case RATIONAL_QUADRATIC -> {
        for (int j = 0; j < n; j++) {
          t[j] = s[j] / (2 * alpha);
          s[j] = amplitude * Math.exp(-alpha * Math.log1p(t[j]));
        }
        if (sloped) for (int j = 0; j < n; j++) slope[j] = -0.5 * s[j] / (1 + t[j]);
      }
    }
  }

  @Override
  public void addSlopes(
      int m, double[] v, double[] u, double alpha, double beta, double own, double whole) {
    byAmplitude += whole;
    if (shape == Radial.Shape.RATIONAL_QUADRATIC) addAlpha(m, v, u, alpha, beta);
    int at = 0;
    for (int a = 0; a < m - 1; a++) {
      double[] row = weights[a];
      System.arraycopy(slope, at, row, a + 1, m - a - 1);
      weigh(row, v, 2 * alpha * v[a] + beta * u[a], u, beta * v[a], a, m);
      at += m - a - 1;
    }
    for (int c = 0; c < numbers; c++) sums[places[c]] += contracted(x[c], m);
    for (int c = numbers; c < columns.length; c++)
      sums[places[c]] += inverse[c] * inverse[c] * contractedWords(x[c], m);
  }

  private static void weigh(
      double[] row, double[] v, double byV, double[] u, double byU, int a, int m) {
    for (int b = a + 1; b < m; b++) row[b] *= byV * v[b] + byU * u[b];
  }

  /// `Σ w (xₐ − x_b)²` over the pairs, four rows of weights at a time.
  private double contracted(double[] x, int m) {
    double[] sum = column;
    for (int b = 0; b < m; b++) sum[b] = 0;
    for (int a = 0; a < m - 1; a += 4)
      contract(sum, weights[a], weights[a + 1], weights[a + 2], weights[a + 3], x, a, m);
    return total(sum, m);
  }

  private static void contract(
      double[] sum, double[] w0, double[] w1, double[] w2, double[] w3, double[] x, int a, int m) {
    double c0 = x[a];
    double c1 = x[a + 1];
    double c2 = x[a + 2];
    double c3 = x[a + 3];
    for (int b = a + 1; b < m; b++) {
      double t0 = c0 - x[b];
      double t1 = c1 - x[b];
      double t2 = c2 - x[b];
      double t3 = c3 - x[b];
      sum[b] += w0[b] * (t0 * t0) + w1[b] * (t1 * t1) + (w2[b] * (t2 * t2) + w3[b] * (t3 * t3));
    }
  }

  /// The sum of the weights of pairs whose codes differ.
  private double contractedWords(double[] x, int m) {
    double[] sum = column;
    for (int b = 0; b < m; b++) sum[b] = 0;
    for (int a = 0; a < m - 1; a++) {
      double[] w = weights[a];
      double own = x[a];
      for (int b = a + 1; b < m; b++) sum[b] += w[b] * differ(own, x[b]);
    }
    return total(sum, m);
  }

  private static double total(double[] sum, int m) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int b = 0;
    for (; b + 3 < m; b += 4) {
      s0 += sum[b];
      s1 += sum[b + 1];
      s2 += sum[b + 2];
      s3 += sum[b + 3];
    }
    for (; b < m; b++) s0 += sum[b];
    return s0 + s1 + (s2 + s3);
  }

  private void addAlpha(int m, double[] v, double[] u, double weightV, double weightU) {
    int at = 0;
    for (int a = 0; a < m; a++) {
      double byV = 2 * weightV * v[a] + weightU * u[a];
      double byU = weightU * v[a];
      for (int b = a + 1; b < m; b++, at++) {
        double t = work[at];
        byAlpha += (byV * v[b] + byU * u[b]) * s[at] * (t / (1 + t) - Math.log1p(t));
      }
    }
  }

  @Override
  public double[] slopes() {
    double[] slopes = sums.clone();
    for (int c = 0; c < columns.length; c++) slopes[places[c]] *= -2 * inverse[c];
    for (int p : term.amplitudeParameters()) slopes[p] += byAmplitude / values[p];
    if (shape == Radial.Shape.RATIONAL_QUADRATIC)
      slopes[term.offset(0) + columns.length] += byAlpha;
    return slopes;
  }
}
