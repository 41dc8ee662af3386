package lovelace.io;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.bare.Bare;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.kernel.Hyperparameters;
import lovelace.laplace.Fitted;
import lovelace.model.Provenance;
import lovelace.plan.Plan;
import lovelace.posterior.Posterior;

/// The whole state of a model: the columns it reads, its posterior, how it is computed, and where
/// it comes from.
///
/// @param inputs the input columns
/// @param leftOut columns of the table that the model does not read
/// @param target the target's column
/// @param transform how the target was transformed before it was modelled
/// @param logJacobian `Σ log |dz/dy|` over the training rows
/// @param logLikelihood the log marginal likelihood of the transformed target; NaN if not computed
/// @param posterior the posterior of the transformed target
/// @param plan how the model is computed: what was asked for, and what was chosen
/// @param provenance where the model comes from
/// @param fitted Laplace's approximation under a likelihood that is not Gaussian
/// @param place which inputs are coordinates
public record ModelState(
    List<Column> inputs,
    List<LeftOut> leftOut,
    Column target,
    TargetTransform transform,
    double logJacobian,
    double logLikelihood,
    Posterior posterior,
    Plan plan,
    Provenance provenance,
    Optional<Fitted> fitted,
    Optional<Place> place) {

  /// A model under Gaussian noise.
  public ModelState(
      List<Column> inputs,
      List<LeftOut> leftOut,
      Column target,
      TargetTransform transform,
      double logJacobian,
      double logLikelihood,
      Posterior posterior,
      Plan plan,
      Provenance provenance) {
    this(
        inputs,
        leftOut,
        target,
        transform,
        logJacobian,
        logLikelihood,
        posterior,
        plan,
        provenance,
        Optional.empty(),
        Optional.empty());
  }

  /// Returns the same under another likelihood.
  public ModelState with(Fitted other) {
    return new ModelState(
        inputs,
        leftOut,
        target,
        transform,
        logJacobian,
        logLikelihood,
        posterior,
        plan,
        provenance,
        Optional.of(other),
        place);
  }

  /// Returns the same with other coordinates.
  public ModelState with(Optional<Place> other) {
    return new ModelState(
        inputs,
        leftOut,
        target,
        transform,
        logJacobian,
        logLikelihood,
        posterior,
        plan,
        provenance,
        fitted,
        other);
  }

  public ModelState {
    inputs = List.copyOf(inputs);
    leftOut = List.copyOf(leftOut);
    if (inputs.size() != posterior.dimensions())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a posterior over %d columns needs one name for each, got %d",
              posterior.dimensions(),
              inputs.size()));
    if (transform.isOpen())
      throw new IllegalArgumentException("the ranks of a model's target must be known");
    boolean rows = Bare.of(posterior).rows().isPresent();
    if (plan.asked().holdsRows() && !rows)
      throw new IllegalArgumentException(
          "engine %s keeps rows, but this posterior on a grid has none".formatted(plan.asked()));
  }

  /// The posterior without its wrappers.
  public Bare bare() {
    return Bare.of(posterior);
  }

  /// The parameters of the process, with those of the likelihood.
  public Hyperparameters hyperparameters() {
    return fitted.map(Fitted::hyperparameters).orElseGet(bare()::hyperparameters);
  }

  /// The number of observations that the model has learned.
  public long count() {
    return fitted.map(Fitted::tableRows).orElseGet(bare()::count);
  }
}
