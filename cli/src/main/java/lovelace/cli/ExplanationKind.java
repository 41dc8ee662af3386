package lovelace.cli;

import java.util.Locale;

/// A table that explains forecasts.
enum ExplanationKind {
  COMPONENTS,
  FITTED,
  ANOMALIES,
  COEFFICIENTS;

  /// The option that asks for it.
  String option() {
    return "--" + name().toLowerCase(Locale.ROOT);
  }

  /// The name of its table in the database.
  String table() {
    return "lovelace_" + name().toLowerCase(Locale.ROOT);
  }
}
