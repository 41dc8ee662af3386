package lovelace.chain;

import java.math.BigDecimal;
import java.math.MathContext;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.markov.MaternTerm;
import lovelace.plan.Engine;

/// The exact process of few rows with a Matérn kernel, written from the definition in forty digits.
final class ManyDigits {

  private static final MathContext DIGITS = new MathContext(40);

  private final Dataset data;
  private final Hyperparameters h;
  private final MaternTerm term;
  private final BigDecimal[][] factor;
  private final BigDecimal[] dual; // L⁻¹ (y − μ)

  final double logLikelihood;

  ManyDigits(Dataset data, Hyperparameters h) {
    this.data = data;
    this.h = h;
    term = MaternTerm.require(h.kernel(), Engine.CHAIN);
    int n = data.size();
    double noise = h.noise() + h.kernel().whiteVariance();
    factor = new BigDecimal[n][n];
    double log = n * Math.log(2 * Math.PI);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        BigDecimal sum = kernel(data.inputs()[i], data.inputs()[j]);
        if (i == j) sum = sum.add(exact(noise).divide(exact(data.weight(i)), DIGITS), DIGITS);
        for (int k = 0; k < j; k++)
          sum = sum.subtract(factor[i][k].multiply(factor[j][k], DIGITS), DIGITS);
        factor[i][j] = i == j ? sum.sqrt(DIGITS) : sum.divide(factor[j][j], DIGITS);
        if (i == j) log += 2 * Math.log(factor[i][i].doubleValue());
      }
    BigDecimal[] residual = new BigDecimal[n];
    for (int i = 0; i < n; i++)
      residual[i] = exact(data.target()[i]).subtract(mean(data.inputs()[i]));
    dual = solved(residual);
    BigDecimal squares = BigDecimal.ZERO;
    for (BigDecimal v : dual) squares = squares.add(v.multiply(v, DIGITS), DIGITS);
    logLikelihood = -0.5 * (squares.doubleValue() + log);
  }

  private static BigDecimal exact(double value) {
    return new BigDecimal(value);
  }

  private BigDecimal mean(double x) {
    double[] c = h.mean().coefficients();
    BigDecimal mean = c.length == 0 ? BigDecimal.ZERO : exact(c[0]);
    return c.length < 2 ? mean : mean.add(exact(c[1]).multiply(exact(x)));
  }

  private BigDecimal[] solved(BigDecimal[] b) {
    BigDecimal[] v = new BigDecimal[b.length];
    for (int i = 0; i < v.length; i++) {
      BigDecimal sum = b[i];
      for (int k = 0; k < i; k++) sum = sum.subtract(factor[i][k].multiply(v[k], DIGITS), DIGITS);
      v[i] = sum.divide(factor[i][i], DIGITS);
    }
    return v;
  }

  /// GPML eq. (4.17): a polynomial in `s = √(2ν) r/ℓ` times `exp(−s)`.
  private BigDecimal kernel(double a, double b) {
    BigDecimal s =
        exact(a)
            .subtract(exact(b))
            .abs()
            .multiply(new BigDecimal(term.order()).sqrt(DIGITS), DIGITS)
            .divide(exact(term.lengthscale()), DIGITS);
    BigDecimal polynomial = BigDecimal.ONE;
    if (term.order() >= 3) polynomial = polynomial.add(s);
    if (term.order() == 5)
      polynomial = polynomial.add(s.multiply(s, DIGITS).divide(new BigDecimal(3), DIGITS));
    return exact(term.amplitude()).multiply(polynomial, DIGITS).multiply(decay(s), DIGITS);
  }

  /// exp(−s): that of s/2ᵏ by its series, squared k times.
  private static BigDecimal decay(BigDecimal s) {
    if (s.doubleValue() > 200) return BigDecimal.ZERO;
    MathContext more = new MathContext(60);
    int halvings = 20;
    BigDecimal x = s.divide(new BigDecimal(2).pow(halvings), more);
    BigDecimal sum = BigDecimal.ONE;
    BigDecimal one = BigDecimal.ONE;
    for (int k = 1; k < 25; k++) {
      one = one.multiply(x, more).divide(new BigDecimal(k), more);
      sum = sum.add(one, more);
    }
    for (int k = 0; k < halvings; k++) sum = sum.multiply(sum, more);
    return BigDecimal.ONE.divide(sum, DIGITS);
  }

  /// Mean and variance of f at a point.
  double[] predict(double x) {
    int n = data.size();
    BigDecimal[] k = new BigDecimal[n];
    for (int i = 0; i < n; i++) k[i] = kernel(x, data.inputs()[i]);
    BigDecimal[] v = solved(k);
    BigDecimal mean = mean(x);
    BigDecimal variance = kernel(x, x);
    for (int i = 0; i < n; i++) {
      mean = mean.add(v[i].multiply(dual[i], DIGITS), DIGITS);
      variance = variance.subtract(v[i].multiply(v[i], DIGITS), DIGITS);
    }
    return new double[] {mean.doubleValue(), variance.doubleValue()};
  }
}
