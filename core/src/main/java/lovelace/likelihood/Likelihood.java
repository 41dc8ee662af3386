package lovelace.likelihood;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import lovelace.linear.Gaussian;
import org.jspecify.annotations.Nullable;

/// Says how an observation y depends on the value f of the latent function at the same inputs: log
/// p(y | f), its derivatives, and the distributions for predictions. Immutable; safe to share
/// between threads.
///
/// An observation is three numbers: its value y, its *size*, and [#extra]. The size is a weight, an
/// exposure or a number of trials, and 1 if there is none. The extra is another number that log p
/// needs, such as `log y!`; it depends neither on f nor on a parameter. If the likelihood [#adds],
/// several observations with the same inputs are the same as one whose three numbers are the sums
/// of theirs.
///
/// [#parse] reads and [#toString] writes the text form: `gaussian`, `gaussian(noise=known)`,
/// `gaussian(noise=varying)`, `student-t`, `poisson`, `negative-binomial`, `bernoulli`,
/// `bernoulli(link=probit)`, `binomial`, `binomial(link=probit)`, `gamma`. The text does not
/// contain the values of parameters.
public abstract class Likelihood {

  /// Above this, doubles cannot represent every whole number.
  static final double LARGEST = 0x1p53;

  static final String NOT_FINITE = "the target must be a finite number; leave the row out";
  static final String WRONG_WEIGHT =
      "a weight must be finite and > 0; leave the row out, or correct its weight";

  Likelihood() {}

  /// Gaussian noise with one variance, the parameter `noise`. A row of weight w has variance
  /// noise/w.
  public static Likelihood gaussian() {
    return new GaussianNoise(GaussianNoise.Variance.LEARNED, Double.NaN);
  }

  /// Gaussian noise with a variance that is known for each row.
  public static Likelihood gaussianKnown() {
    return new GaussianNoise(GaussianNoise.Variance.KNOWN, Double.NaN);
  }

  /// Gaussian noise whose log standard deviation is a process over the same inputs.
  public static Likelihood varying() {
    return new GaussianNoise(GaussianNoise.Variance.VARYING, Double.NaN);
  }

  /// Noise with Student's t distribution, for data with outliers. The parameters are `noise`, the
  /// square of its scale, and `df`, the degrees of freedom.
  public static Likelihood studentT() {
    return new StudentT(Double.NaN, Double.NaN);
  }

  /// Poisson counts; the log of the rate is the latent function.
  public static Likelihood poisson() {
    return new Poisson();
  }

  /// Counts with mean μ and variance `μ + a μ²`, where a is the parameter `dispersion`.
  public static Likelihood negativeBinomial() {
    return new NegativeBinomial(Double.NaN);
  }

  /// Two classes, 0 and 1, with the logistic link.
  public static Likelihood bernoulli() {
    return bernoulli(Link.LOGIT);
  }

  /// Two classes, 0 and 1.
  public static Likelihood bernoulli(Link link) {
    return new Binomial(link, true);
  }

  /// Successes in several trials, with the logistic link.
  public static Likelihood binomial() {
    return binomial(Link.LOGIT);
  }

  /// Successes in several trials.
  public static Likelihood binomial(Link link) {
    return new Binomial(link, false);
  }

  /// Positive amounts with mean μ and variance `μ²/k`, where k is the parameter `shape`. The latent
  /// function is log μ.
  public static Likelihood gamma() {
    return new Gamma(Double.NaN);
  }

  /// Reads the text form. An error message lists the known likelihoods.
  public static Likelihood parse(String text) {
    return LikelihoodText.parse(text);
  }

  /// The names that [#parse] knows, without arguments.
  public static List<String> names() {
    return LikelihoodText.names();
  }

  /// The meaning of the size of a row.
  public enum Size {
    /// A row has no size.
    NONE,
    /// An observation of weight w has noise variance σ²/w.
    WEIGHT,
    /// The exposure of a count: hours, kilometres, people. The rate is per unit of exposure.
    EXPOSURE,
    /// The number of trials.
    TRIALS,
    /// The inverse of the known noise variance.
    PRECISION;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// The quantity that a prediction describes.
  public enum Of {
    /// The latent function.
    FUNCTION,
    /// The expected observation of size one: counts per unit of exposure, a mean amount.
    RATE,
    /// The probability of 1, or of a success.
    PROBABILITY,
    /// The value of a row.
    OBSERVATION;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// The function that turns f into a probability. Both links are symmetric: `link(−f) = 1 −
  /// link(f)`.
  public enum Link {
    /// `1/(1 + exp(−f))`.
    LOGIT,
    /// `Φ(f)`.
    PROBIT;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    double probability(double f) {
      return this == LOGIT ? Binomial.logistic(f) : Gaussian.cdf(f);
    }

    /// The f for a given probability.
    double inverse(double p) {
      return this == LOGIT ? Math.log(p / (1 - p)) : Gaussian.quantile(p);
    }

    /// `log link(f)`.
    double log(double f) {
      return this == LOGIT ? -Binomial.softplus(-f) : Gaussian.logCdf(f);
    }
  }

  /// A distribution that follows from a Gaussian f with mean m and variance v: the distribution of
  /// f itself, of a function of f such as a rate or probability, or of an observation.
  public interface Law {

    double mean(double m, double v);

    double variance(double m, double v);

    /// The smallest value with at least probability p at or below it; a whole number for counts.
    double quantile(double m, double v, double p);

    /// The quantile of probability Φ(deviations). This is cheap if the value rises with f.
    default double quantileAt(double m, double v, double deviations) {
      return quantile(m, v, Math.clamp(Gaussian.cdf(deviations), 1e-300, 1 - 0x1p-53));
    }

    /// P(Y ≤ y).
    double cumulative(double y, double m, double v);

    /// The log density of y; for counts and classes, the log probability.
    double logDensity(double y, double m, double v);

    /// Draws a value for a given f.
    double draw(double f, RandomGenerator random);

    /// Whether values are whole numbers.
    boolean discrete();
  }

  /// The name, such as `poisson`.
  public abstract String name();

  /// The meaning of a row's size.
  public abstract Size size();

  /// Whether the noise is Gaussian with one variance, or with a known variance for each row. If so,
  /// nothing is approximated.
  public boolean isGaussian() {
    return false;
  }

  /// Whether the noise has its own process.
  public boolean isVarying() {
    return false;
  }

  /// The names of the parameters, in order. All parameters are positive.
  public List<String> parameterNames() {
    return List.of();
  }

  /// The values of the parameters, NaN if not set, in a new array.
  public double[] values() {
    return new double[0];
  }

  /// The lower and upper bound of a parameter during learning.
  public double[] bounds(int parameter) {
    throw new IndexOutOfBoundsException(parameter);
  }

  /// The starting values for learning, given the variance of the values of [#start] over the rows.
  public double[] startValues(double variance) {
    return new double[0];
  }

  /// Returns this likelihood with other parameter values; NaN for one that is not set.
  public final Likelihood with(double... values) {
    List<String> names = parameterNames();
    if (values.length != names.size())
      throw new IllegalArgumentException(
          "%s has %s parameters, got %s".formatted(this, names.size(), values.length));
    for (int i = 0; i < values.length; i++) {
      boolean none = values[i] == 0 && isGaussian(); // no noise at all
      if (!(Double.isNaN(values[i]) || positive(values[i]) || none))
        throw new IllegalArgumentException(
            "parameter %s of %s must be finite and > 0, got %s"
                .formatted(names.get(i), this, values[i]));
    }
    return made(values);
  }

  /// Returns this likelihood with values that have been checked.
  abstract Likelihood made(double[] values);

  /// Whether the curvature W is an expectation, because the second derivative can have either sign.
  /// Steps to the mode are then Fisher scoring.
  public boolean scores() {
    return false;
  }

  /// Whether observations with the same inputs can be added up.
  public boolean adds() {
    return false;
  }

  /// Says why a row cannot be an observation, as rule and remedy: `a count must be a whole number
  /// >= 0; round it, or use likelihood gamma`. Null if it can be one.
  public @Nullable String refusal(double y, double size) {
    return null;
  }

  /// The third number of an observation.
  public double extra(double y, double size) {
    return 0;
  }

  /// A finite value of f that one observation suggests, for starting values.
  public abstract double start(double y, double size);

  /// log p(y | f).
  public abstract double log(double y, double size, double extra, double f);

  /// Fills `out` with log p, its slope in f, the curvature W ≥ 0, and the slope of W in f. W is the
  /// negative second derivative, or its expectation over y if the derivative can be negative.
  public abstract void at(double y, double size, double extra, double f, double[] out);

  /// Fills `out` with three numbers for every parameter φ: ∂ log p/∂φ, ∂² log p/∂f∂φ and ∂W/∂φ.
  public void parameters(double y, double size, double extra, double f, double[] out) {}

  /// Whether this kind of prediction exists.
  public boolean has(Of of) {
    return of == Of.FUNCTION || of == Of.OBSERVATION;
  }

  /// The link that turns the function into a probability, if there is one.
  public Optional<Link> probabilityLink() {
    return Optional.empty();
  }

  /// The quantity that a prediction describes by default: the rate or the probability if there is
  /// one, otherwise the function.
  public final Of usual() {
    return has(Of.RATE) ? Of.RATE : has(Of.PROBABILITY) ? Of.PROBABILITY : Of.FUNCTION;
  }

  /// Returns the distribution of the quantity at a point. `size` is the size of an observation
  /// there.
  public final Law law(Of of, double size) {
    return made(asked(of), checked(size));
  }

  /// The law of a quantity that exists, for a valid size.
  abstract Law made(Of of, double size);

  private Of asked(Of of) {
    if (has(of)) return of;
    throw new IllegalArgumentException(
        "likelihood %s has no %s; ask for %s"
            .formatted(
                this,
                of,
                Arrays.stream(Of.values())
                    .filter(this::has)
                    .map(Of::toString)
                    .collect(Collectors.joining(" or "))));
  }

  private double checked(double size) {
    boolean whole = size() != Size.TRIALS || size == Math.rint(size);
    if (positive(size) && whole) return size;
    throw new IllegalArgumentException(
        "%s of an observation must be %s, got %s"
            .formatted(size(), whole ? "finite and > 0" : "a whole number >= 1", size));
  }

  /// Returns the distribution of an observation if the log standard deviation of its noise is
  /// Gaussian too ([#isVarying]).
  public final Law law(Of of, double size, double noiseMean, double noiseVariance) {
    if (!isVarying() || of != Of.OBSERVATION) return law(of, size);
    return ScaleMixtureLaw.varying(noiseMean, noiseVariance, checked(size));
  }

  static boolean positive(double size) {
    return size > 0 && size < Double.POSITIVE_INFINITY;
  }

  /// The bounds of a noise variance during learning.
  static double[] noiseBounds() {
    return new double[] {1e-10, 1e100};
  }

  /// The text form.
  @Override
  public String toString() {
    return name();
  }

  /// Likelihoods are equal if their form and values are.
  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof Likelihood that
        && toString().equals(that.toString())
        && Arrays.equals(values(), that.values());
  }

  @Override
  public final int hashCode() {
    return 31 * toString().hashCode() + Arrays.hashCode(values());
  }
}
