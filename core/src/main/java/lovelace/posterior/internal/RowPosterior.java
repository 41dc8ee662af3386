package lovelace.posterior.internal;

import java.util.OptionalInt;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.posterior.Posterior;

/// The posterior of rows that it holds.
public interface RowPosterior extends Posterior {

  /// `exact`, `markov`, `sparse` or `neighbours`.
  String engine();

  /// Which rows a prediction uses and how, in a few words for people: `of the 30 nearest rows`.
  String summary();

  /// Whether a prediction is exact, given the parameters, Gaussian noise and the rows it uses.
  default boolean isExact() {
    return true;
  }

  /// The most rows of such a posterior.
  int mostRows();

  /// How many of the rows each prediction uses; empty where all take part.
  default OptionalInt nearestRows() {
    return OptionalInt.empty();
  }

  /// The rows it was conditioned on.
  Dataset data();

  /// The parameters it was conditioned with.
  Hyperparameters hyperparameters();

  /// The posterior of the same kind of other rows, or under other parameters of the same kernel.
  RowPosterior with(Dataset rows, Hyperparameters hyperparameters);

  /// The posterior over the features where a map stands before it ([MappedRows]); itself elsewhere.
  default RowPosterior inner() {
    return this;
  }

  /// log p(y).
  double logMarginalLikelihood();

  /// The gradient of [#logMarginalLikelihood] in every parameter, natural scale, in the order of
  /// [Hyperparameters#values].
  double[] likelihoodGradient();

  /// About how many bytes it takes beside its rows.
  long bytes();

  /// About how many bytes [#sample] takes at so many points beside the draws themselves.
  long jointBytes(int points);

  /// About how many bytes [#predict] takes at so many points worked on at once, beside the
  /// prediction itself.
  long panelBytes(int points);

  /// About how many multiplications [#predict] takes at so many points, wherever they are.
  double operations(int points);
}
