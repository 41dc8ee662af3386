package lovelace.cli;

import java.util.List;
import lovelace.forecast.Anomaly;
import lovelace.forecast.Coefficient;
import lovelace.forecast.Component;
import lovelace.forecast.FittedValues;

/// The reasons for one forecast; empty where it is not asked for.
record ExplanationRows(
    List<Component> components,
    List<FittedValues> fitted,
    List<Anomaly> anomalies,
    List<Coefficient> coefficients) {

  /// Nothing.
  static final ExplanationRows NONE =
      new ExplanationRows(List.of(), List.of(), List.of(), List.of());
}
