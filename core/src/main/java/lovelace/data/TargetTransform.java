package lovelace.data;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.linear.Gaussian;
import org.jspecify.annotations.Nullable;

/// Turns the target y into z, which is modelled as Gaussian. Either `z = y`; or `z = log y`, for
/// positive targets whose changes are proportional; or z is the normal score of the rank of y, for
/// targets with heavy tails. Immutable.
///
/// Ranks are an increasing, piecewise linear function through at most 64 points of the targets they
/// were made from. It continues with its end slopes, so every y has a z and every z a y.
///
/// The transform is undone in every output: medians and quantiles by [#invert], means and variances
/// by the moments of the distribution of y, likelihoods by the Jacobian.
public final class TargetTransform {

  private enum Kind {
    NONE,
    LOG,
    RANKS
  }

  /// `z = y`.
  public static final TargetTransform NONE = new TargetTransform(Kind.NONE, null);

  /// `z = log y`, for y > 0.
  public static final TargetTransform LOG = new TargetTransform(Kind.LOG, null);

  /// The ranks of targets that are not known yet: a fit replaces it by [#ranks].
  public static final TargetTransform RANKS = new TargetTransform(Kind.RANKS, null);

  private static final String WORDS = "target transform must be none, log or ranks";

  private final Kind kind;
  private final @Nullable RankMoments ranks;

  private TargetTransform(Kind kind, @Nullable RankMoments ranks) {
    this.kind = kind;
    this.ranks = ranks;
  }

  /// The normal scores of these targets. At least two of them must differ.
  public static TargetTransform ranks(double[] target) {
    return new TargetTransform(Kind.RANKS, new RankMoments(Knots.ranks(target, "the target")));
  }

  /// Whether this is [#RANKS], whose targets are not known yet.
  public boolean isOpen() {
    return kind == Kind.RANKS && ranks == null;
  }

  /// Returns the ranks of these targets if this is [#RANKS]; otherwise returns this transform.
  public TargetTransform of(double[] target) {
    return isOpen() ? ranks(target) : this;
  }

  private RankMoments known() {
    if (ranks == null)
      throw new IllegalStateException("these ranks have no targets yet; use TargetTransform.ranks");
    return ranks;
  }

  /// Whether y has a z. Only [#LOG] does not take every number.
  public boolean takes(double y) {
    return kind != Kind.LOG || y > 0;
  }

  /// Returns z for y. The transform must take y ([#takes]).
  public double apply(double y) {
    if (!takes(y))
      throw new IllegalArgumentException(
          "target is %s, the log transform needs values > 0; use transform none or shift the target"
              .formatted(y));
    return switch (kind) {
      case NONE -> y;
      case LOG -> Math.log(y);
      case RANKS -> known().knots.apply(y);
    };
  }

  /// Transforms the target of a dataset. An error names the row whose value cannot be transformed.
  public Dataset apply(Dataset data) {
    if (kind == Kind.NONE) return data;
    double[] y = data.target();
    double[] z = new double[y.length];
    Column column = data.targetColumn();
    for (int i = 0; i < z.length; i++) {
      if (!takes(y[i]))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "row %,d (data rows count from 1): target '%s' is %s, the log transform needs values > 0; use transform none, shift the target, or drop the row",
                i + 1,
                column.name(),
                y[i]));
      z[i] = apply(y[i]);
    }
    List<Column> columns = data.columns();
    String name = (kind == Kind.LOG ? "log " : "ranks of ") + column.name();
    return data.named(columns, Column.of(name)).withTarget(z);
  }

  /// Returns y for z. This also turns quantiles of z into quantiles of y.
  public double invert(double z) {
    return switch (kind) {
      case NONE -> z;
      case LOG -> Math.exp(z);
      case RANKS -> known().knots.invert(z);
    };
  }

  /// `log |dz/dy|` at y. Added to a log density of z, it gives that of y.
  public double logJacobian(double y) {
    return switch (kind) {
      case NONE -> 0;
      case LOG -> -Math.log(y);
      case RANKS -> Math.log(known().knots.slope(y));
    };
  }

  /// `Σ log |dz/dy|`. Added to a log-likelihood of all z, it gives that of all y.
  public double logJacobian(double[] y) {
    double sum = 0;
    for (double value : y) sum += logJacobian(value);
    return sum;
  }

  /// `E y` if z is Gaussian. For [#LOG] it is `exp(m + v/2)`, and for ranks a sum over their
  /// segments.
  public double mean(double mean, double variance) {
    return switch (kind) {
      case NONE -> mean;
      case LOG -> Math.exp(mean + 0.5 * variance);
      case RANKS -> known().mean(mean, variance);
    };
  }

  /// `Var y` if z is Gaussian. For [#LOG] it is `(exp v − 1) exp(2m + v)`, and for ranks a sum over
  /// their segments.
  public double variance(double mean, double variance) {
    return switch (kind) {
      case NONE -> variance;
      case LOG -> Math.expm1(variance) * Math.exp(2 * mean + variance);
      case RANKS -> known().variance(mean, variance);
    };
  }

  /// Returns `Cov(y₁, y₂)` if z₁ and z₂ are jointly Gaussian with covariance c. For [#LOG] it is
  /// `(exp c − 1) E y₁ E y₂`. For ranks it is Mehler's series `Σₖ ρᵏ aₖ bₖ` in the Hermite
  /// coefficients of the two, up to 24 terms. The rest of the variances is weighted with `ρ²⁵`, so
  /// that the result is exact for ρ = 0 and for a point with itself.
  public double covariance(
      double mean1, double variance1, double mean2, double variance2, double c) {
    return switch (kind) {
      case NONE -> c;
      case LOG -> Math.expm1(c) * Math.exp(mean1 + mean2 + 0.5 * (variance1 + variance2));
      case RANKS -> known().covariance(mean1, variance1, mean2, variance2, c);
    };
  }

  /// The quantile of y if z is Gaussian: `invert(m + √v q)`, where q is the standard normal
  /// quantile.
  public double quantile(double mean, double variance, double standardQuantile) {
    return invert(mean + Math.sqrt(variance) * standardQuantile);
  }

  /// The log density of y if z is Gaussian; −∞ if y has no z.
  public double logDensity(double y, double mean, double variance) {
    if (!takes(y)) return Double.NEGATIVE_INFINITY;
    double r = apply(y) - mean;
    return -0.5 * (r * r / variance + Math.log(2 * Math.PI * variance)) + logJacobian(y);
  }

  /// The continuous ranked probability score `∫ (F(u) − [u ≥ y])² du` of the distribution of y if z
  /// is Gaussian, in closed form. Sources: Gneiting and Raftery (2007), eq. (21); for the
  /// log-normal Baran and Lerch (2015). For ranks it is a sum over their segments.
  public double crps(double y, double mean, double variance) {
    if (variance == 0) return Math.abs(y - invert(mean));
    return switch (kind) {
      case NONE -> normalCrps(y - mean, variance);
      case LOG -> logNormalCrps(y, mean, variance);
      case RANKS -> known().crps(apply(y), mean, variance);
    };
  }

  private static double normalCrps(double r, double v) {
    double sd = Math.sqrt(v);
    double z = r / sd;
    return sd * (z * (2 * Gaussian.cdf(z) - 1) + 2 * Gaussian.density(z) - 1 / Math.sqrt(Math.PI));
  }

  private static double logNormalCrps(double y, double m, double v) {
    double sd = Math.sqrt(v);
    double z = (Math.log(y) - m) / sd;
    return y * (2 * Gaussian.cdf(z) - 1)
        - 2 * Math.exp(m + 0.5 * v) * (Gaussian.cdf(z - sd) + Gaussian.cdf(sd / Math.sqrt(2)) - 1);
  }

  /// The text from which [#parse] makes the same transform, exact to the bit: `none`, `log`, or
  /// `ranks` with the points `y:z`.
  public String text() {
    if (ranks == null) return toString();
    Knots knots = ranks.knots;
    return IntStream.range(0, knots.count())
        .mapToObj(i -> knots.x(i) + ":" + knots.z(i))
        .collect(Collectors.joining(",", "ranks(", ")"));
  }

  /// Reads `none`, `log`, `ranks`, or the text that [#text] writes.
  public static TargetTransform parse(String text) {
    for (TargetTransform t : List.of(NONE, LOG, RANKS)) if (t.toString().equals(text)) return t;
    if (!text.startsWith("ranks(") || !text.endsWith(")"))
      throw new IllegalArgumentException(WORDS + ", got '" + text + "'");
    String[] points = text.substring("ranks(".length(), text.length() - 1).split(",", -1);
    double[] x = new double[points.length];
    double[] z = new double[points.length];
    try {
      for (int i = 0; i < points.length; i++) {
        int colon = points[i].indexOf(':');
        x[i] = Double.parseDouble(points[i].substring(0, Math.max(0, colon)));
        z[i] = Double.parseDouble(points[i].substring(colon + 1));
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("ranks must be points y:z, got '" + text + "'", e);
    }
    return new TargetTransform(Kind.RANKS, new RankMoments(Knots.adopt(x, z)));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof TargetTransform that) || kind != that.kind) return false;
    RankMoments theirs = that.ranks;
    if (ranks == null || theirs == null) return isOpen() == that.isOpen();
    return ranks.knots.equals(theirs.knots);
  }

  @Override
  public int hashCode() {
    return ranks == null ? kind.name().hashCode() : ranks.knots.hashCode();
  }

  /// One of `none`, `log` and `ranks`.
  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
