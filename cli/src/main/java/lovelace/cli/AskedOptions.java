package lovelace.cli;

import java.util.Arrays;
import java.util.stream.Collectors;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The option that says which quantity to predict: the function, the rate or probability that the
/// likelihood makes of it, or an observation.
final class AskedOptions {

  @Option(
      names = "--of",
      paramLabel = "function|rate|probability|observation",
      description =
          "What to predict: the function itself, the rate of counts or amounts, the probability of"
              + " class 1 or of a success, or an observation, which includes noise. The default is"
              + " rate or probability if the likelihood has one, otherwise function.")
  private @Nullable Of of;

  /// The quantity that was asked for. The likelihood must have it.
  Of of(Likelihood likelihood) {
    Of asked = of == null ? likelihood.usual() : of;
    if (!likelihood.has(asked))
      throw new IllegalArgumentException(
          "--of %s: a model with likelihood %s can predict only %s; pass one of these"
              .formatted(
                  asked,
                  likelihood,
                  Arrays.stream(Of.values())
                      .filter(likelihood::has)
                      .map(Of::toString)
                      .collect(Collectors.joining(", "))));
    return asked;
  }
}
