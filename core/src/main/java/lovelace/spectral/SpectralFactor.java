package lovelace.spectral;

import lovelace.grid.Stencils;
import lovelace.linear.Blas;
import lovelace.modes.ModeStatistics;

/// The factor of a posterior in the coordinates of the kernel's modes: `Λ^½` and `L⁻¹`, with `B =
/// σ²I + Λ^½HΛ^½ = LLᵀ` over the modes kept. Immutable.
final class SpectralFactor {

  static final int COLUMNS = 256; // of Z at a time

  final ModeStatistics system;
  final double noise;
  final double[] scale; // Λ^½, 0 for modes left out
  final int[] active;
  final double[] lower; // L⁻¹ over the active modes, row-major

  SpectralFactor(
      ModeStatistics system, double noise, double[] scale, int[] active, double[] lower) {
    this.system = system;
    this.noise = noise;
    this.scale = scale;
    this.active = active;
    this.lower = lower;
  }

  /// `σ²B⁻¹` over the active modes, by products of the part of L⁻¹ that is not zero.
  double[] inverse() {
    int k = active.length;
    double[] inverse = new double[k * k];
    for (int at = 0; at < k; at += COLUMNS) {
      int to = Math.min(k, at + COLUMNS);
      int row = at * k;
      int corner = row + at;
      Blas.gemm(
          true, false, to - at, to, k - at, noise, lower, corner, k, lower, row, k, 0, inverse, row,
          k);
    }
    Blas.mirror(k, inverse);
    return inverse;
  }

  /// Columns from ≤ c < to of `σ Λ^½L⁻ᵀ`.
  double[][] columns(int from, int to) {
    int k = active.length;
    int count = to - from;
    double[] x = new double[system.rank() * count];
    double sigma = Math.sqrt(noise);
    for (int c = 0; c < count; c++)
      for (int j = 0; j <= from + c; j++)
        x[active[j] * count + c] = sigma * scale[active[j]] * lower[(from + c) * k + j];
    return system.spread(count, x);
  }

  /// `Zw` for a stencil.
  double[] root(Stencils points, int p) {
    double[] phi = new double[system.rank()];
    system.features(points, p, phi, 0);
    return project(phi);
  }

  /// `σ L⁻¹ Λ^½ φ` for coefficients of all modes.
  private double[] project(double[] phi) {
    int k = active.length;
    double[] out = new double[k];
    Blas.gemv(false, k, k, 1, lower, 0, k, packed(1, phi), 0, 0, out, 0);
    return out;
  }

  /// `σΛ^½φ` over the active modes, for `count` rows of coefficients of all modes.
  double[] packed(int count, double[] phi) {
    int k = active.length;
    int r = system.rank();
    double sigma = Math.sqrt(noise);
    double[] x = new double[count * k];
    for (int c = 0; c < count; c++)
      for (int i = 0; i < k; i++) x[c * k + i] = sigma * scale[active[i]] * phi[c * r + active[i]];
    return x;
  }

  /// `factor Λ^½x` as coefficients of all modes, for `count` rows over the active ones.
  double[] unpacked(int count, double factor, double[] x) {
    int k = active.length;
    int r = system.rank();
    double[] phi = new double[count * r];
    for (int c = 0; c < count; c++)
      for (int i = 0; i < k; i++) phi[c * r + active[i]] = factor * scale[active[i]] * x[c * k + i];
    return phi;
  }
}
