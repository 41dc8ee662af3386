package lovelace.neighbours;

import lovelace.kernel.Kernel;

/// The covariances between few points, and their derivatives, for one thread.
sealed interface Pairs permits RadialPairs, KernelPairs {

  /// The covariances of up to m points under the kernel of the latent function.
  ///
  /// @param sloped whether [#addSlopes] will be called
  /// @param nugget the variance that is added to each point as its own, as a share of its variance
  static Pairs of(Kernel latent, int m, boolean sloped, double nugget) {
    RadialPairs radial = RadialPairs.of(latent, m, sloped, nugget);
    return radial != null ? radial : new KernelPairs(latent, m, nugget);
  }

  /// Sets the place around which the points lie. Called before [#place].
  void around(double[] x, int at);

  /// Puts a point at index a.
  void place(int a, double[] x, int at);

  /// `rows[a][b] ← k(xₐ, x_b)` for a ≤ b < m, with the nugget on the diagonal.
  void covariances(int m, double[][] rows);

  /// Adds `Σ W ∘ ∂K` over the points of the last [#covariances], where `W = α vvᵀ + β(uvᵀ +
  /// vuᵀ)/2`, and `own` times the derivative of the last point's variance.
  ///
  /// @param whole `Σ W ∘ K`, and `own` times the last point's variance
  void addSlopes(
      int m, double[] v, double[] u, double alpha, double beta, double own, double whole);

  /// The sums of all [#addSlopes], in the order of the kernel's parameters.
  double[] slopes();
}
