package lovelace.spectral;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import lovelace.inference.PosteriorRoot;
import lovelace.linear.Blas;

/// `F Λ^½ σL⁻ᵀ`: exact draws by the r × r factor.
final class SpectralRoot implements PosteriorRoot {

  private final SpectralCovariance covariance;
  private final SpectralFactor factor;

  SpectralRoot(SpectralCovariance covariance, SpectralFactor factor) {
    this.covariance = covariance;
    this.factor = factor;
  }

  @Override
  public int size() {
    return covariance.size();
  }

  @Override
  public int normals() {
    return factor.active.length;
  }

  @Override
  public void apply(int count, double[] xi, double[] u) {
    int k = factor.active.length;
    double[] back = Arrays.copyOf(xi, count * k);
    if (k > 0) Blas.trmm(true, false, count, k, 1, factor.lower, 0, k, back, 0, k);
    factor.system.synthesise(count, factor.unpacked(count, Math.sqrt(factor.noise), back), u);
  }

  @Override
  public int[] leading(int most) {
    int k = factor.active.length;
    double[] weight = new double[k];
    for (int i = 0; i < k; i++)
      for (int j = 0; j <= i; j++) {
        double entry = factor.scale[factor.active[j]] * factor.lower[i * k + j];
        weight[i] += entry * entry;
      }
    return IntStream.range(0, k)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer i) -> -weight[i]))
        .limit(most)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  @Override
  public String describe() {
    return covariance.describe();
  }
}
