package lovelace.experiments;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.deep.Architecture;
import lovelace.deep.DeepKernel;
import lovelace.plan.Engine;

/// What is compared on a table.
public enum TableModel {
  /// What a fit does when nothing else is said.
  AUTO,
  /// Predictions from the nearest rows.
  NEIGHBOURS,
  /// The exact process, learned by its own likelihood of all rows ([ExactBest]).
  EXACT,
  /// A sum of functions of one column each, on grids.
  ADDITIVE,
  /// A function of two learned directions, on a grid.
  PROJECTION,
  /// A network d-1000-500-50-2 under a grid, its settings as they come.
  DEEP;

  /// The model called `auto`, `neighbours`, `exact`, `additive`, `projection` or `deep`.
  public static TableModel parse(String name) {
    for (TableModel model : values()) if (model.toString().equals(name)) return model;
    throw new IllegalArgumentException(
        "a model must be one of %s, got '%s'"
            .formatted(
                Arrays.stream(values()).map(TableModel::toString).collect(Collectors.joining(", ")),
                name));
  }

  /// The model of some rows.
  ///
  /// @param fit limits and who is told of the plan; all else as it comes
  Model fit(Fit fit, Dataset rows) {
    return switch (this) {
      case AUTO -> fit.to(rows);
      case NEIGHBOURS -> fit.withEngine(Engine.NEIGHBOURS).to(rows);
      case ADDITIVE -> fit.withShape(Fit.Shape.ADDITIVE).to(rows);
      case PROJECTION -> fit.withShape(Fit.Shape.PROJECTION).to(rows);
      case DEEP -> DeepKernel.of(Architecture.layers(1000, 500, 50, 2)).withFit(fit).to(rows);
      case EXACT -> throw new IllegalArgumentException("ExactBest learns the exact process");
    };
  }

  /// The name as [#parse] reads it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
