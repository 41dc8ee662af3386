package lovelace.lattice;

/// The method of drawing posterior samples, with its settings.
///
/// @param method the root of the posterior covariance from which draws come
/// @param rank LOVE's rank, or 0 to take the number of vectors that the tolerance needs
/// @param tolerance the share of the variance that LOVE may miss at its check points
/// @param limit the most vectors LOVE takes for the tolerance
/// @param antithetic whether draws come in pairs `mean ± deviation`, so that a pair's mean is exact
/// @param quasi whether the normals with most of the variance (up to 21) come from a randomly
///   shifted Sobol' sequence, which spreads the draws more evenly than chance; the draws of one
///   call are then not independent of each other
public record Sampling(
    Method method, int rank, double tolerance, int limit, boolean antithetic, boolean quasi) {

  /// The source of the draws.
  public enum Method {
    /// The cheapest exact one: that of the posterior's engine if its variances are known within 2
    /// %, otherwise pathwise.
    AUTO,
    /// LOVE's root of low rank: fast for many draws, under-dispersed if the rank is too small.
    LOVE,
    /// Matheron's rule: exact, any kernel.
    PATHWISE,
    /// Fourier modes: exact, for kernels that few modes represent.
    SPECTRAL,
    /// A pass along the axis: exact, for a Matérn kernel in one dimension.
    MARKOV
  }

  /// The cheapest exact method with independent normals; LOVE at 1 %, at most 400 vectors.
  public static final Sampling DEFAULT = new Sampling(Method.AUTO, 0, 0.01, 400, false, false);

  public Sampling {
    if (rank < 0) throw new IllegalArgumentException("rank must be >= 0, got " + rank);
    if (!(tolerance > 0 && tolerance < 1))
      throw new IllegalArgumentException("tolerance must lie between 0 and 1, got " + tolerance);
    if (limit < 1) throw new IllegalArgumentException("limit must be >= 1, got " + limit);
  }

  public Sampling withMethod(Method value) {
    return new Sampling(value, rank, tolerance, limit, antithetic, quasi);
  }

  /// LOVE with this many vectors.
  public Sampling withRank(int value) {
    return new Sampling(method, value, tolerance, limit, antithetic, quasi);
  }

  public Sampling withTolerance(double value) {
    return new Sampling(method, rank, value, limit, antithetic, quasi);
  }

  public Sampling withLimit(int value) {
    return new Sampling(method, rank, tolerance, value, antithetic, quasi);
  }

  public Sampling withAntithetic(boolean value) {
    return new Sampling(method, rank, tolerance, limit, value, quasi);
  }

  public Sampling withQuasi(boolean value) {
    return new Sampling(method, rank, tolerance, limit, antithetic, value);
  }
}
