package lovelace.cli;

import java.util.List;
import java.util.Locale;
import lovelace.Fit;
import lovelace.likelihood.Likelihood;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Options for the likelihood, which says how observations depend on the function.
final class LikelihoodOptions {

  /// Whether the noise has one variance or a process of its own.
  enum NoiseModel {
    CONSTANT,
    VARYING;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--likelihood",
      paramLabel = "NAME",
      description =
          "What the target is: gaussian (a number with noise), student-t (a number with outliers),"
              + " poisson or negative-binomial (counts), bernoulli (two classes, as numbers or"
              + " words), binomial (successes out of --trials) or gamma (positive amounts)."
              + " bernoulli(link=probit) uses another link. See docs/likelihoods.md (default: "
              + "gaussian).")
  private @Nullable String name;

  @Option(
      names = "--noise-model",
      paramLabel = "constant|varying",
      description =
          "constant: Gaussian noise with one variance. varying: a variance that is learned as a "
              + "function of the inputs (default: constant).")
  private @Nullable NoiseModel noise;

  @Option(
      names = "--positive",
      paramLabel = "VALUE",
      description =
          "With likelihood bernoulli: the value of the target that counts as 1 (default: the "
              + "larger number, or the later word in the alphabet).")
  private @Nullable String positive;

  @Mixin private final SizeOptions sizes = new SizeOptions();

  /// Whether the likelihood was chosen.
  boolean given() {
    return name != null || noise != null || likelihood().size() == Likelihood.Size.PRECISION;
  }

  Likelihood likelihood() {
    String text = name;
    Likelihood asked =
        text == null ? Likelihood.gaussian() : Named.of("--likelihood", () -> parse(text));
    boolean plain = asked.isGaussian() && asked.size() == Likelihood.Size.WEIGHT;
    RowSize size = sizes.given();
    boolean known = size != null && size.kind().size() == Likelihood.Size.PRECISION;
    boolean varying = noise == NoiseModel.VARYING;
    if (varying && !plain && !asked.isVarying())
      throw new IllegalArgumentException(
          "--noise-model varying needs Gaussian noise, and --likelihood is %s; leave out one of the two"
              .formatted(asked));
    if (noise == NoiseModel.CONSTANT && asked.isVarying())
      throw new IllegalArgumentException(
          "--noise-model constant contradicts --likelihood %s; leave out one of the two"
              .formatted(asked));
    if (size != null && known && (varying || asked.isVarying()))
      throw new IllegalArgumentException(
          "%s says that the noise is known, and --noise-model varying learns it; leave out one of the two"
              .formatted(size.kind().option()));
    if (varying) return Likelihood.varying();
    return known && plain ? Likelihood.gaussianKnown() : asked;
  }

  /// Reads a likelihood. For an unknown name, the error suggests the one that was probably meant.
  private static Likelihood parse(String text) {
    String word = text.replace(" ", "").toLowerCase(Locale.ROOT).replaceFirst("\\(.*", "");
    List<String> names = Likelihood.names();
    String nearest = names.contains(word) ? null : Nearest.of(word, names);
    if (nearest != null)
      throw new IllegalArgumentException(
          "no likelihood is called '%s', did you mean '%s'? There are %s"
              .formatted(word, nearest, String.join(", ", names)));
    return Likelihood.parse(text);
  }

  /// The column of sizes that was named, for any likelihood; null if none was.
  @Nullable RowSize givenSize() {
    return sizes.given();
  }

  /// The column of sizes that suits the likelihood.
  @Nullable RowSize size() {
    return sizes.of(likelihood());
  }

  /// The fit with this likelihood.
  ///
  /// @param transformed whether the target is to be transformed
  Fit on(Fit fit, boolean transformed) {
    Likelihood likelihood = likelihood();
    RowSize size = size();
    if (positive != null && !Classes.suit(likelihood))
      throw new IllegalArgumentException(
          "--positive says which of two classes is 1, and the likelihood is %s; leave it out, or pass --likelihood bernoulli"
              .formatted(likelihood));
    if (transformed && !likelihood.isGaussian())
      throw new IllegalArgumentException(
          "--transform makes the target Gaussian, and the likelihood is %s; leave out one of the two"
              .formatted(likelihood));
    if (transformed && size != null && likelihood.size() == Likelihood.Size.PRECISION)
      throw new IllegalArgumentException(
          "%s is in the target's units, and --transform changes them; leave out one of the two"
              .formatted(size.kind().option()));
    return fit.withLikelihood(likelihood);
  }

  /// The value of class 1 that was given; null if none was.
  @Nullable String positive() {
    return positive;
  }
}
