package lovelace.data;

import lovelace.linear.Gaussian;

/// The distribution of y if the normal scores z of its ranks are Gaussian. It is computed by sums
/// over the segments between [Knots]; y is linear in z on each segment.
///
/// With `u = (z − m)/σ` a segment from α to β has `y = a + b u`, and
///
///     ∫ φ = P = Φ(β) − Φ(α),   ∫ u φ = φ(α) − φ(β),   ∫ u² φ = P + α φ(α) − β φ(β)
///
/// Segments more than [#FAR] deviations away hold less than rounding error. So the outermost
/// segments within that distance are extended to infinity.
final class RankMoments {

  private static final double FAR = 9;
  private static final int TERMS = 24;
  private static final double ROOT_PI = Math.sqrt(Math.PI);

  final Knots knots;

  RankMoments(Knots knots) {
    this.knots = knots;
  }

  /// Adds one segment to a sum.
  private interface Segment {
    /// On this segment, y is `a + b u` from α to β.
    void add(double alpha, double beta, double a, double b);
  }

  /// Visits the segments that matter for N(mean, deviation²). y is measured from `origin`.
  private void visit(double mean, double deviation, double origin, Segment segment) {
    int last = knots.count() - 2;
    int from = 0;
    int to = last;
    while (from < last && knots.z(from + 1) < mean - FAR * deviation) from++;
    while (to > from && knots.z(to) > mean + FAR * deviation) to--;
    for (int i = from; i <= to; i++) {
      double alpha = i == from ? Double.NEGATIVE_INFINITY : (knots.z(i) - mean) / deviation;
      double beta = i == to ? Double.POSITIVE_INFINITY : (knots.z(i + 1) - mean) / deviation;
      double slope = 1 / knots.slope(i); // dy/dz
      double a = knots.x(i) - origin + (mean - knots.z(i)) * slope;
      segment.add(alpha, beta, a, slope * deviation);
    }
  }

  /// Φ(β) − Φ(α), without losing digits far above 0.
  private static double between(double alpha, double beta) {
    return alpha > 0
        ? Gaussian.cdf(-alpha) - Gaussian.cdf(-beta)
        : Gaussian.cdf(beta) - Gaussian.cdf(alpha);
  }

  /// u φ(u), which is 0 at infinity.
  private static double weighted(double u) {
    return Double.isInfinite(u) ? 0 : u * Gaussian.density(u);
  }

  /// The mean and variance of y − y(m).
  private double[] moments(double mean, double variance) {
    double origin = knots.invert(mean);
    double[] sums = new double[2];
    visit(
        mean,
        Math.sqrt(variance),
        origin,
        (alpha, beta, a, b) -> {
          double p = between(alpha, beta);
          double first = Gaussian.density(alpha) - Gaussian.density(beta);
          double second = p + weighted(alpha) - weighted(beta);
          sums[0] += a * p + b * first;
          sums[1] += a * a * p + 2 * a * b * first + b * b * second;
        });
    return new double[] {origin + sums[0], Math.max(0, sums[1] - sums[0] * sums[0])};
  }

  double mean(double mean, double variance) {
    return variance == 0 ? knots.invert(mean) : moments(mean, variance)[0];
  }

  double variance(double mean, double variance) {
    return variance == 0 ? 0 : moments(mean, variance)[1];
  }

  /// The coefficients `E[y hₖ(u)]`, k = 1 … TERMS, of the Hermite functions `hₖ = Heₖ/√k!`, which
  /// are orthonormal under φ: `∫ hₖ φ = −hₖ₋₁ φ/√k` and `u hₖ = √(k+1) hₖ₊₁ + √k hₖ₋₁`.
  private double[] coefficients(double mean, double variance) {
    double[] c = new double[TERMS + 1];
    visit(
        mean,
        Math.sqrt(variance),
        knots.invert(mean),
        (alpha, beta, a, b) -> {
          double[] low = integrals(alpha);
          double[] high = integrals(beta);
          double p = between(alpha, beta);
          for (int k = 1; k <= TERMS; k++) {
            double own = high[k] - low[k];
            double below = k == 1 ? p : high[k - 1] - low[k - 1];
            double above = high[k + 1] - low[k + 1];
            c[k] += a * own + b * (Math.sqrt(k + 1) * above + Math.sqrt(k) * below);
          }
        });
    return c;
  }

  /// `∫ hₖ φ` up to u for k = 1 … TERMS + 1.
  private static double[] integrals(double u) {
    double[] all = new double[TERMS + 2];
    if (Double.isInfinite(u)) return all;
    double density = Gaussian.density(u);
    double before = 0;
    double h = 1; // h₀
    for (int k = 1; k <= TERMS + 1; k++) {
      all[k] = -h * density / Math.sqrt(k);
      double next = (u * h - Math.sqrt(k - 1) * before) / Math.sqrt(k);
      before = h;
      h = next;
    }
    return all;
  }

  double covariance(double mean1, double variance1, double mean2, double variance2, double c) {
    if (variance1 == 0 || variance2 == 0) return 0;
    double rho = Math.clamp(c / Math.sqrt(variance1 * variance2), -1, 1);
    double[] a = coefficients(mean1, variance1);
    double[] b = coefficients(mean2, variance2);
    double left1 = variance(mean1, variance1);
    double left2 = variance(mean2, variance2);
    double sum = 0;
    double power = 1;
    for (int k = 1; k <= TERMS; k++) {
      power *= rho;
      sum += power * a[k] * b[k];
      left1 -= a[k] * a[k];
      left2 -= b[k] * b[k];
    }
    return sum + power * rho * Math.sqrt(Math.max(0, left1) * Math.max(0, left2));
  }

  // ---- the continuous ranked probability score ----

  /// `∫ (Φ(u) − [u ≥ u₀])² dy`, where z₀ is the score of the observation.
  double crps(double z0, double mean, double variance) {
    double deviation = Math.sqrt(variance);
    double u0 = (z0 - mean) / deviation;
    double sum = 0;
    // z₀ may lie far out in a tail, so all segments count
    for (int i = 0; i <= knots.count() - 2; i++) {
      double alpha = i == 0 ? Double.NEGATIVE_INFINITY : (knots.z(i) - mean) / deviation;
      double beta =
          i == knots.count() - 2 ? Double.POSITIVE_INFINITY : (knots.z(i + 1) - mean) / deviation;
      double b = deviation / knots.slope(i);
      if (alpha < u0) sum += b * (squares(Math.min(beta, u0)) - squares(alpha));
      if (beta > u0) sum += b * (squares(-Math.max(alpha, u0)) - squares(-beta));
    }
    return sum;
  }

  /// `∫ Φ²` up to u: `u Φ² + 2 Φ φ − Φ(√2 u)/√π`.
  private static double squares(double u) {
    if (u < -38) return 0; // Φ² underflows
    double p = Gaussian.cdf(u);
    return u * p * p + 2 * p * Gaussian.density(u) - Gaussian.cdf(Math.sqrt(2) * u) / ROOT_PI;
  }
}
