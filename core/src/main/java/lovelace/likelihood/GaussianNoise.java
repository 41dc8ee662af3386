package lovelace.likelihood;

import java.util.List;
import lovelace.linear.Gaussian;
import org.jspecify.annotations.Nullable;

/// Gaussian noise. Its variance is learned, known for each row, or varies with the inputs.
final class GaussianNoise extends Likelihood {

  /// How the noise variance is known.
  enum Variance {
    LEARNED,
    KNOWN,
    VARYING
  }

  private final Variance variance;
  private final double noise;

  GaussianNoise(Variance variance, double noise) {
    this.variance = variance;
    this.noise = noise;
  }

  @Override
  public String name() {
    return "gaussian";
  }

  @Override
  public Size size() {
    return variance == Variance.KNOWN ? Size.PRECISION : Size.WEIGHT;
  }

  @Override
  public boolean isGaussian() {
    return variance != Variance.VARYING;
  }

  @Override
  public boolean isVarying() {
    return variance == Variance.VARYING;
  }

  @Override
  public List<String> parameterNames() {
    return variance == Variance.LEARNED ? List.of("noise") : List.of();
  }

  @Override
  public double[] values() {
    return variance == Variance.LEARNED ? new double[] {noise} : new double[0];
  }

  @Override
  public double[] bounds(int parameter) {
    return noiseBounds();
  }

  @Override
  public double[] startValues(double variance) {
    return values().length == 0 ? new double[0] : new double[] {0.1 * variance};
  }

  @Override
  Likelihood made(double[] values) {
    return values.length == 0 ? this : new GaussianNoise(variance, values[0]);
  }

  @Override
  public @Nullable String refusal(double y, double size) {
    if (!Double.isFinite(y)) return NOT_FINITE;
    if (positive(size)) return null;
    return variance == Variance.KNOWN
        ? "a known noise variance must be finite and > 0; give the row its noise, or leave it out"
        : WRONG_WEIGHT;
  }

  @Override
  public double start(double y, double size) {
    return y;
  }

  /// The noise variance of an observation.
  private double variance(double size) {
    return variance == Variance.LEARNED ? noise / size : 1 / size;
  }

  @Override
  public double log(double y, double size, double extra, double f) {
    return Gaussian.logDensity(y, f, variance(size));
  }

  @Override
  public void at(double y, double size, double extra, double f, double[] out) {
    out[0] = log(y, size, extra, f);
    out[2] = 1 / variance(size);
    out[1] = (y - f) * out[2];
    out[3] = 0;
  }

  @Override
  public void parameters(double y, double size, double extra, double f, double[] out) {
    if (variance != Variance.LEARNED) return;
    double w = 1 / variance(size);
    double slope = (y - f) * w;
    out[0] = 0.5 * ((y - f) * slope - 1) / noise;
    out[1] = -slope / noise;
    out[2] = -w / noise;
  }

  @Override
  public String toString() {
    return switch (variance) {
      case LEARNED -> name();
      case KNOWN -> "gaussian(noise=known)";
      case VARYING -> "gaussian(noise=varying)";
    };
  }

  @Override
  Law made(Of of, double size) {
    return new GaussianLaw(of == Of.FUNCTION ? 0 : variance(size));
  }
}
