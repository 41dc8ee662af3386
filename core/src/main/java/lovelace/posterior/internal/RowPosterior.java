package lovelace.posterior.internal;

import java.util.Optional;
import java.util.OptionalInt;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.plan.Engine;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;

/// A posterior that holds its rows.
public interface RowPosterior extends Posterior {

  /// `exact`, `chain`, `sites` or `neighbours`.
  Engine engine();

  /// Says in a few words which rows a prediction uses and how, such as `of the 30 nearest rows`.
  String summary();

  /// Whether a prediction is exact, given the parameters, Gaussian noise and the rows it uses.
  default boolean isExact() {
    return true;
  }

  /// Whether each prediction multiplies with a dense matrix of all rows, and joint draws factor the
  /// covariance of their points.
  default boolean isDense() {
    return false;
  }

  /// The most rows of such a posterior.
  int mostRows();

  /// The number of rows that each prediction uses; empty if it uses all.
  default OptionalInt nearestRows() {
    return OptionalInt.empty();
  }

  /// The rows that it is conditioned on.
  Dataset data();

  /// The parameters that it is conditioned with.
  Hyperparameters hyperparameters();

  /// A posterior of the same kind for other rows, or for other parameters of the same kernel.
  RowPosterior with(Dataset rows, Hyperparameters hyperparameters);

  /// The posterior over the features if this one wraps it with a map ([MappedRows]); otherwise
  /// itself.
  default RowPosterior inner() {
    return this;
  }

  /// log p(y).
  double logMarginalLikelihood();

  /// The gradient of [#logMarginalLikelihood] in every parameter, natural scale, in the order of
  /// [Hyperparameters#values].
  double[] likelihoodGradient();

  /// About how many bytes it needs beside its rows.
  long bytes();

  /// About how many bytes [#sample] needs at this number of points, beside the draws themselves.
  long jointBytes(int points);

  /// About how many bytes [#predict] needs if it works on this number of points at a time, beside
  /// the prediction itself.
  long panelBytes(int points);

  /// About how many multiplications [#predict] needs at this number of points, wherever they are.
  double operations(int points);

  /// The distribution of the observation of each row given all others, in the order of [#data];
  /// empty if computing it would take predictions.
  default Optional<Prediction> leftOut() {
    return Optional.empty();
  }
}
