package lovelace.posterior.internal;

import java.util.OptionalInt;
import lovelace.kernel.Hyperparameters;
import lovelace.plan.Engine;

/// The posterior of rows that wraps one of their features or residuals. Both have the same engine
/// and the same parameters.
public interface WrappedRows extends RowPosterior {

  @Override
  RowPosterior inner();

  @Override
  default Engine engine() {
    return inner().engine();
  }

  @Override
  default OptionalInt nearestRows() {
    return inner().nearestRows();
  }

  @Override
  default String summary() {
    return inner().summary();
  }

  @Override
  default boolean isExact() {
    return inner().isExact();
  }

  @Override
  default boolean isDense() {
    return inner().isDense();
  }

  @Override
  default int mostRows() {
    return inner().mostRows();
  }

  /// The parameters. Their kernel is over the inputs of the inner posterior.
  @Override
  default Hyperparameters hyperparameters() {
    return inner().hyperparameters();
  }
}
