package lovelace.likelihood;

import java.util.List;
import lovelace.linear.GammaFunction;
import org.jspecify.annotations.Nullable;

/// Noise with heavy tails: `y = f + s t/√w`, where t has Student's distribution with ν degrees of
/// freedom and s² is the parameter `noise`. The farther out an outlier lies, the less it affects f.
///
/// The second derivative of log p changes its sign at r² = ν s²/w, so W is its expectation, the
/// Fisher information `(ν + 1) w/((ν + 3) s²)`, which does not depend on f.
final class StudentT extends Likelihood {

  private final double noise;
  private final double df;
  private final double constant; // of log p, without the weight

  StudentT(double noise, double df) {
    this.noise = noise;
    this.df = df;
    this.constant =
        GammaFunction.log(0.5 * (df + 1))
            - GammaFunction.log(0.5 * df)
            - 0.5 * Math.log(df * Math.PI * noise);
  }

  @Override
  public String name() {
    return "student-t";
  }

  @Override
  public boolean scores() {
    return true;
  }

  @Override
  public Size size() {
    return Size.WEIGHT;
  }

  @Override
  public List<String> parameterNames() {
    return List.of("noise", "df");
  }

  @Override
  public double[] values() {
    return new double[] {noise, df};
  }

  @Override
  public double[] bounds(int parameter) {
    return parameter == 0 ? noiseBounds() : new double[] {2.1, 200};
  }

  @Override
  public double[] startValues(double variance) {
    return new double[] {0.1 * variance, 4};
  }

  @Override
  Likelihood made(double[] values) {
    return new StudentT(values[0], values[1]);
  }

  @Override
  public @Nullable String refusal(double y, double size) {
    if (!Double.isFinite(y)) return NOT_FINITE;
    return positive(size) ? null : WRONG_WEIGHT;
  }

  @Override
  public double start(double y, double size) {
    return y;
  }

  @Override
  public double log(double y, double size, double extra, double f) {
    double r = y - f;
    double q = r * r * size / (df * noise);
    return constant + 0.5 * Math.log(size) - 0.5 * (df + 1) * Math.log1p(q);
  }

  @Override
  public void at(double y, double size, double extra, double f, double[] out) {
    double r = y - f;
    out[0] = log(y, size, extra, f);
    out[1] = (df + 1) * r / (df * noise / size + r * r);
    out[2] = (df + 1) * size / ((df + 3) * noise);
    out[3] = 0;
  }

  @Override
  public void parameters(double y, double size, double extra, double f, double[] out) {
    double r = y - f;
    double s = noise / size;
    double q = r * r / (df * s);
    double part = q / (1 + q);
    double d = df * s + r * r;
    double w = (df + 1) / ((df + 3) * s);
    out[0] = 0.5 * ((df + 1) * part - 1) / noise;
    out[1] = -(df + 1) * df * (r / d) / (d * size);
    out[2] = -w / noise;
    double digammas =
        Math.log1p(1 / df)
            - GammaFunction.logMinusDigamma(0.5 * (df + 1))
            + GammaFunction.logMinusDigamma(0.5 * df);
    out[3] = 0.5 * (digammas - 1 / df - Math.log1p(q) + (df + 1) * part / df);
    out[4] = r / d * ((r * r - s) / d);
    out[5] = 2 / (s * (df + 3) * (df + 3));
  }

  @Override
  Law made(Of of, double size) {
    return of == Of.FUNCTION ? new GaussianLaw(0) : ScaleMixtureLaw.studentT(noise / size, df);
  }
}
