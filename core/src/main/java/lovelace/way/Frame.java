package lovelace.way;

import java.util.List;
import java.util.Optional;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.PlaceMap;
import lovelace.data.TargetTransform;
import lovelace.drift.Terms;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.likelihood.Likelihood;
import lovelace.posterior.Posterior;
import lovelace.posterior.internal.MappedRows;
import lovelace.posterior.internal.RowPosterior;
import lovelace.source.Source;
import lovelace.source.internal.Features;

/// The wrappers between a table and the process of a model, in one normal form. From the outside
/// in: the likelihood, then a drift, then features.
///
/// @param columns the inputs of the model, unchanged from the table
/// @param transform of the target, before everything else
/// @param drift how the columns of a linear mean are standardised; empty without a drift
/// @param map from the columns of the process to its features
public record Frame(
    List<Column> columns,
    Column target,
    TargetTransform transform,
    Likelihood likelihood,
    Optional<Terms> drift,
    Optional<FeatureMap> map) {

  /// The same with a drift.
  public Frame drifted(Terms terms) {
    return new Frame(columns, target, transform, likelihood, Optional.of(terms), map);
  }

  /// The features of rows, which the process sees.
  public Source features(Source rows) {
    return map.isEmpty() ? rows : new Features(rows, map.get());
  }

  /// The features of rows, which the process sees.
  public Dataset features(Dataset rows) {
    return map.isEmpty() ? rows : MappedRows.features(map.get(), rows);
  }

  /// Wraps the posterior of features as one of rows.
  RowPosterior over(Dataset rows, RowPosterior gp) {
    return map.isEmpty() ? gp : MappedRows.of(map.get(), rows, gp);
  }

  /// Why an engine on rows cannot carry these wrappers; empty if it can. A fit asks before rows are
  /// read for the engine.
  ///
  /// @param drifts whether the rows are, or will be, the residuals of a drift
  Optional<String> refusal(RowLeaf leaf, boolean drifts) {
    if (drifts && !leaf.isLinear())
      return Optional.of(
          "the %s engine takes no drift; leave the drift out, or use another engine"
              .formatted(leaf.engine()));
    boolean columns = map.isEmpty() || map.get() instanceof PlaceMap;
    if (columns || likelihood.isGaussian()) return Optional.empty();
    return Optional.of(
        "the %s engine under the %s likelihood cannot read features of columns, because rows are kept at their features; use an engine on a grid"
            .formatted(leaf.engine(), likelihood.name()));
  }

  /// Wraps the posterior of observations at the features of their places. Only a plane can be
  /// inverted, so that a model can hold its rows. [#refusal] refuses other maps.
  RowPosterior over(RowPosterior gp) {
    if (map.isEmpty()) return gp;
    if (map.get() instanceof PlaceMap plane) return MappedRows.ofFeatures(plane, columns, gp);
    throw new IllegalStateException("rows cannot be kept at their features under " + map.get());
  }

  /// Wraps the posterior of features on a lattice as one of rows.
  Posterior over(LatticePosterior inner) {
    return map.isEmpty() ? inner : MappedPosterior.of(map.get(), inner);
  }
}
