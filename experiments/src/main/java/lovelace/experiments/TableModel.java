package lovelace.experiments;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.deep.Architecture;
import lovelace.deep.DeepKernel;
import lovelace.options.Options;
import lovelace.plan.Engine;

/// The models that are compared on a table.
public enum TableModel {
  /// The default of a fit.
  AUTO,
  /// Predictions from the nearest rows.
  NEIGHBOURS,
  /// The exact process, learned by its own likelihood of all rows ([ExactBest]).
  EXACT,
  /// A sum of functions of one column each, on grids.
  ADDITIVE,
  /// A function of two learned directions, on a grid.
  PROJECTION,
  /// A network d-1000-500-50-2 under a grid, with its default settings.
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
  /// @param fit limits, and the receiver of the plan; all else is default
  Model fit(Fit fit, Dataset rows) {
    return switch (this) {
      case AUTO -> fit.to(rows);
      case NEIGHBOURS -> fit.withEngine(Engine.NEIGHBOURS).to(rows);
      case ADDITIVE -> fit.withShape(Options.Shape.ADDITIVE).to(rows);
      case PROJECTION -> fit.withShape(Options.Shape.PROJECTION).to(rows);
      case DEEP -> DeepKernel.of(Architecture.layers(1000, 500, 50, 2)).withFit(fit).to(rows);
      case EXACT -> throw new IllegalArgumentException("ExactBest learns the exact process");
    };
  }

  /// The name in the form that [#parse] reads.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
