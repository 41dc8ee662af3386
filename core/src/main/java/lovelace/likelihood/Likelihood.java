package lovelace.likelihood;

import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// How an observation y depends on the value f of the latent function at its place: log p(y | f),
/// with its derivatives, and what follows from it for predictions. Immutable; safe to share between
/// threads.
///
/// An observation is three numbers: its value y, its *size* (what the second column of a row counts
/// for: a weight, an exposure or a number of trials; 1 where there is none), and what of log p
/// depends on neither f nor a parameter in a way of its own ([#extra]). Observations at one place
/// under a likelihood that [#adds] are one whose three numbers are the sums of theirs.
///
/// Text form, as [#parse] reads and [#toString] writes it: `gaussian`, `gaussian(noise=known)`,
/// `gaussian(noise=varying)`, `student-t`, `poisson`, `negative-binomial`, `bernoulli`,
/// `bernoulli(link=probit)`, `binomial`, `binomial(link=probit)`, `gamma`. Values of parameters are
/// not part of the text.
public abstract class Likelihood {

  /// What the second number of a row is.
  public enum Size {
    /// A row has none.
    NONE,
    /// An observation of weight w has noise variance σ²/w.
    WEIGHT,
    /// What a count is a count over: hours, kilometres, people. The rate is per unit of it.
    EXPOSURE,
    /// How many trials the successes are out of.
    TRIALS,
    /// The inverse of the known noise variance.
    PRECISION;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// What a prediction is of.
  public enum Of {
    /// The latent function.
    FUNCTION,
    /// The expected observation of size one: counts per unit of exposure, a mean amount.
    RATE,
    /// The probability of 1, or of a success.
    PROBABILITY,
    /// What a row may hold.
    OBSERVATION;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// A distribution that follows from a Gaussian f of mean m and variance v: of f, of what a link
  /// makes of it, or of an observation.
  public interface Law {

    double mean(double m, double v);

    double variance(double m, double v);

    /// The smallest value with at least probability p at or below it; a whole number for counts.
    double quantile(double m, double v, double p);

    /// P(Y ≤ y).
    double cumulative(double y, double m, double v);

    /// The log density of y, of counts and classes the log probability.
    double logDensity(double y, double m, double v);

    /// A draw given the value of f.
    double draw(double f, RandomGenerator random);

    /// Whether values are whole numbers.
    boolean discrete();
  }

  /// The name, `poisson` say.
  public abstract String name();

  /// What a row has besides its value.
  public abstract Size size();

  /// Whether the noise is Gaussian with a variance that is one number, or known of each row: then
  /// nothing is approximated.
  public boolean isGaussian() {
    return false;
  }

  /// Whether the noise has a process of its own.
  public boolean isVarying() {
    return false;
  }

  /// The names of its parameters in order; all are positive.
  public List<String> parameterNames() {
    return List.of();
  }

  /// Their values, NaN where not set. A new array.
  public double[] values() {
    return new double[0];
  }

  /// Bounds of a parameter that learning keeps to: lower and upper.
  public double[] bounds(int parameter) {
    throw new IndexOutOfBoundsException(parameter);
  }

  /// Where learning starts, given the variance of what [#start] makes of the rows.
  public double[] startValues(double variance) {
    return new double[0];
  }

  /// The same with other values of its parameters.
  public Likelihood with(double... values) {
    if (values.length != parameterNames().size())
      throw new IllegalArgumentException(
          "%s has %s parameters, got %s".formatted(name(), parameterNames().size(), values.length));
    return this;
  }

  /// Whether observations at one place add up.
  public boolean adds() {
    return false;
  }

  /// Why a row cannot be an observation, as rule and remedy: `a count must be a whole number >= 0;
  /// round it, or use likelihood gamma`. Null where it can.
  public @Nullable String refusal(double y, double size) {
    return null;
  }

  /// The third number of an observation.
  public double extra(double y, double size) {
    return 0;
  }

  /// A value of f that one observation suggests, finite: for start values of learning.
  public abstract double start(double y, double size);

  /// log p(y | f).
  public abstract double log(double y, double size, double extra, double f);

  /// Fills `out` with log p, its slope in f, the curvature W ≥ 0 (the negative second derivative,
  /// or its expectation over y where that can be negative), and the slope of W in f.
  public abstract void at(double y, double size, double extra, double f, double[] out);

  /// Fills `out` with three numbers for every parameter φ: ∂ log p/∂φ, ∂² log p/∂f∂φ and ∂W/∂φ.
  public void parameters(double y, double size, double extra, double f, double[] out) {}

  /// Whether there is such a prediction.
  public boolean has(Of of) {
    return of == Of.FUNCTION || of == Of.OBSERVATION;
  }

  /// The distribution of what is asked for at a point where an observation would have some size.
  public abstract Law law(Of of, double size);

  /// The distribution of an observation whose log noise deviation is Gaussian too
  /// ([#isVarying]).
  public Law law(Of of, double size, double noiseMean, double noiseVariance) {
    return law(of, size);
  }

  /// The text form.
  @Override
  public String toString() {
    return name();
  }
}
