package lovelace.io;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.drift.DriftedPosterior;
import lovelace.laplace.Fitted;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.model.Provenance;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Posterior;
import lovelace.posterior.internal.RowPosterior;

/// All that a model is: what it reads, what it says, how it is computed and where it comes from.
///
/// @param inputs the input columns
/// @param leftOut columns of the table that the model does not read
/// @param target the target's column
/// @param transform what was done to the target before it was modelled
/// @param logJacobian `Σ log |dz/dy|` over the training rows
/// @param logLikelihood the log marginal likelihood of the transformed target; NaN if not computed
/// @param posterior of the transformed target
/// @param plan how it is computed: what was asked for, and what was chosen
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

  /// The same under another likelihood.
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

  /// The same with what is known of its coordinates.
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
    if (!(posterior instanceof LatticePosterior
        || posterior instanceof MappedPosterior
        || posterior instanceof DriftedPosterior
        || posterior instanceof RowPosterior))
      throw new IllegalArgumentException(
          "a model needs a posterior on a grid or one of its rows, got "
              + posterior.getClass().getSimpleName());
    boolean rows = plan.asked() == Engine.EXACT || plan.asked() == Engine.NEIGHBOURS;
    if (rows && !(posterior instanceof RowPosterior))
      throw new IllegalArgumentException(
          "engine %s keeps rows, but this posterior on a grid has none".formatted(plan.asked()));
  }
}
