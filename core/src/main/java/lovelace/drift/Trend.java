package lovelace.drift;

import java.util.Locale;
import java.util.random.RandomGenerator;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.PredictionArrays;

/// The coefficients of a mean given the data, under a flat prior. They are normal around their
/// generalised least squares estimate `β = A⁻¹FᵀV⁻¹y` with covariance A⁻¹, where `A = FᵀV⁻¹F`, V is
/// the covariance of the observations and F holds the [Terms] of every row. GPML section 2.7, eq.
/// (2.42) in the limit of a vague prior. Immutable.
public final class Trend {

  private static final double LOG_2PI = Math.log(2 * Math.PI);

  /// A pivot this small beside its diagonal entry is rounding.
  private static final double ROUNDING = 1e-13;

  private final Terms terms;
  private final double[] beta;
  private final double[] system;
  private final double[] factor; // L, LLᵀ = A
  private final double[] root; // L⁻¹
  private final int[] places; // of the terms, and how they are standardised
  private final double[] centres;
  private final double[] perScale;

  private Trend(Terms terms, double[] beta, double[] system, double[] factor) {
    this.terms = terms;
    this.beta = beta;
    this.system = system;
    this.factor = factor;
    int q = beta.length;
    places = new int[q];
    centres = new double[q];
    perScale = new double[q];
    for (int j = 1; j < q; j++) {
      places[j] = terms.place(j);
      centres[j] = terms.centre(j);
      perScale[j] = 1 / terms.scale(j);
    }
    root = new double[q * q];
    for (int j = 0; j < q; j++) {
      double[] column = new double[q];
      column[j] = 1;
      whiten(column, 0);
      for (int i = 0; i < q; i++) root[i * q + j] = column[i];
    }
  }

  /// Makes a trend from the estimate and A, row-major, in the units of the standardised terms.
  public static Trend of(Terms terms, double[] beta, double[] system) {
    int q = terms.size();
    if (beta.length != q || system.length != q * q)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d coefficients need one value each and a square matrix of precisions, got %d and %d numbers",
              q,
              beta.length,
              system.length));
    for (double b : beta)
      if (!Double.isFinite(b)) throw new IllegalArgumentException("a coefficient is " + b);
    return new Trend(terms, beta.clone(), system.clone(), factor(system, q));
  }

  /// Fails if the rows do not determine the coefficients.
  private static double[] factor(double[] a, int q) {
    double[] l = new double[q * q];
    for (int i = 0; i < q; i++)
      for (int j = 0; j <= i; j++) {
        double sum = a[i * q + j];
        for (int k = 0; k < j; k++) sum -= l[i * q + k] * l[j * q + k];
        if (i == j && !(sum > ROUNDING * a[i * q + i] && sum < Double.POSITIVE_INFINITY))
          throw new IllegalArgumentException(
              "the rows do not determine the coefficients of the drift: a drift column is constant or a linear function of the others; give more rows, or fit without that column");
        l[i * q + j] = i == j ? Math.sqrt(sum) : sum / l[j * q + j];
      }
    return l;
  }

  public Terms terms() {
    return terms;
  }

  /// A copy of the estimates, for the standardised terms.
  public double[] beta() {
    return beta.clone();
  }

  /// A copy of A, row-major.
  public double[] system() {
    return system.clone();
  }

  /// `βᵀf` for the terms that start at `f[fo]`.
  public double mean(double[] f, int fo) {
    double sum = 0;
    for (int j = 0; j < beta.length; j++) sum += beta[j] * f[fo + j];
    return sum;
  }

  /// `b ← L⁻¹b` for the vector that starts at `b[bo]`: `rᵀA⁻¹s` is the product of two such vectors.
  public void whiten(double[] b, int bo) {
    int q = beta.length;
    for (int i = 0; i < q; i++) {
      double sum = b[bo + i];
      for (int k = 0; k < i; k++) sum -= factor[i * q + k] * b[bo + k];
      b[bo + i] = sum / factor[i * q + i];
    }
  }

  /// `b ← L⁻ᵀb`.
  private void unwhiten(double[] b) {
    int q = beta.length;
    for (int i = q - 1; i >= 0; i--) {
      double sum = b[i];
      for (int k = i + 1; k < q; k++) sum -= factor[k * q + i] * b[k];
      b[i] = sum / factor[i * q + i];
    }
  }

  /// `A⁻¹b`.
  double[] solve(double[] b) {
    double[] x = b.clone();
    whiten(x, 0);
    unwhiten(x);
    return x;
  }

  /// `X L⁻ᵀ` for X given by its columns, one array each. It whitens the columns of F.
  double[][] whitened(double[][] columns) {
    int q = beta.length;
    double[][] out = new double[q][];
    for (int j = 0; j < q; j++) {
      double[] sum = columns[j].clone();
      for (int k = 0; k < j; k++)
        for (int i = 0; i < sum.length; i++) sum[i] -= factor[j * q + k] * out[k][i];
      for (int i = 0; i < sum.length; i++) sum[i] /= factor[j * q + j];
      out[j] = sum;
    }
    return out;
  }

  /// Adds to a prediction of the process the mean from the coefficients, and the variance `rᵀA⁻¹r`
  /// from their uncertainty. Overwrites r.
  ///
  /// @param trends `βᵀf` and `r = f − m` of every point, one after another
  Prediction added(Prediction process, double[] trends) {
    int q = beta.length;
    var all = PredictionArrays.of(process);
    for (int i = 0; i < process.size(); i++) {
      int at = i * (q + 1);
      whiten(trends, at + 1);
      double more = 0;
      for (int j = 1; j <= q; j++) more += trends[at + j] * trends[at + j];
      all.means[i] += trends[at];
      all.variances[i] += more;
    }
    return all.done();
  }

  /// Adds `βᵀf` to the mean `out[0]` of the process at a point and `rᵀA⁻¹r` to its variance
  /// `out[1]`.
  ///
  /// @param x the point starts at `x[xo]`
  /// @param m the posterior means of the terms there, from `m[mo]` on
  /// @param r overwritten; its length is the number of terms
  void add(double[] x, int xo, double[] m, int mo, double[] r, double[] out) {
    int q = r.length;
    double mean = out[0] + beta[0];
    r[0] = 1 - m[mo];
    double own = root[0] * r[0];
    double more = own * own;
    for (int i = 1; i < q; i++) {
      double f = (x[xo + places[i]] - centres[i]) * perScale[i];
      mean += beta[i] * f;
      r[i] = f - m[mo + i];
      own = 0;
      for (int k = 0; k <= i; k++) own += root[i * q + k] * r[k];
      more += own * own;
    }
    out[0] = mean;
    out[1] += more;
  }

  /// `out ← out + rᵀA⁻¹s` for all pairs of points. Overwrites r and s, which may be the same array.
  @SuppressWarnings("ReferenceEquality")
  void addCovariance(double[] left, double[] right, double[] out) {
    int q = beta.length;
    int rows = left.length / (q + 1);
    int columns = right.length / (q + 1);
    for (int i = 0; i < rows; i++) whiten(left, i * (q + 1) + 1);
    if (left != right) for (int i = 0; i < columns; i++) whiten(right, i * (q + 1) + 1);
    for (int i = 0; i < rows; i++)
      for (int k = 0; k < columns; k++) {
        double sum = 0;
        for (int j = 1; j <= q; j++) sum += left[i * (q + 1) + j] * right[k * (q + 1) + j];
        out[i * columns + k] += sum;
      }
  }

  /// Adds to draws of the process the mean from the coefficients, and draws of their deviations.
  void addDraws(double[] trends, int count, RandomGenerator random, double[] draws) {
    int q = beta.length;
    int points = trends.length / (q + 1);
    for (int s = 0; s < count; s++) {
      double[] z = new double[q];
      for (int j = 0; j < q; j++) z[j] = random.nextGaussian();
      unwhiten(z);
      for (int i = 0; i < points; i++) {
        int at = i * (q + 1);
        double sum = trends[at];
        for (int j = 0; j < q; j++) sum += z[j] * trends[at + 1 + j];
        draws[s * points + i] += sum;
      }
    }
  }

  /// The log of the likelihood with the coefficients integrated out under a flat prior on those of
  /// the unstandardised columns: `log N(y − Fβ; 0, V) − ½ log|FᵀV⁻¹F| + (q/2) log 2π`, the
  /// restricted likelihood.
  ///
  /// @param density `log N(y − Fβ; 0, V)`
  public double restricted(double density) {
    int q = beta.length;
    double logs = 0;
    for (int j = 0; j < q; j++) logs += Math.log(factor[j * q + j]);
    for (int j = 1; j < q; j++) logs += Math.log(terms.scale(j));
    return density - logs + 0.5 * q * LOG_2PI;
  }

  /// The coefficients of the unstandardised columns, the intercept first.
  public double[] values() {
    double[] all = new double[beta.length];
    for (int j = 0; j < all.length; j++) all[j] = product(contrast(j), beta);
    return all;
  }

  /// Their standard errors.
  public double[] standardErrors() {
    double[] all = new double[beta.length];
    for (int j = 0; j < all.length; j++) {
      double[] c = contrast(j);
      whiten(c, 0);
      all[j] = Math.sqrt(product(c, c));
    }
    return all;
  }

  /// The combination of standardised coefficients that gives the j-th in the table's units.
  private double[] contrast(int j) {
    double[] c = new double[beta.length];
    if (j > 0) {
      c[j] = 1 / terms.scale(j);
      return c;
    }
    c[0] = 1;
    for (int k = 1; k < c.length; k++) c[k] = -terms.centre(k) / terms.scale(k);
    return c;
  }

  static double product(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }

  /// The distance of other coefficients from these, in standard deviations: `√((b − β)ᵀA(b − β))`.
  public double distance(double[] other) {
    int q = beta.length;
    double sum = 0;
    for (int k = 0; k < q; k++) {
      double part = 0;
      for (int i = k; i < q; i++) part += factor[i * q + k] * (other[i] - beta[i]);
      sum += part * part;
    }
    return Math.sqrt(sum);
  }
}
