package lovelace.cli;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that ask for the reasons of forecasts: parts, fitted values, anomalies and
/// coefficients.
final class ForecastExplanations {

  @Option(
      names = "--components",
      paramLabel = "FILE",
      description =
          "Write what the histories and the forecasts consist of: trend, each season, deviations, "
              + "each known column, and the remainder, with intervals.")
  private @Nullable String components;

  @Option(
      names = "--fitted",
      paramLabel = "FILE",
      description =
          "Write forecasts of the histories, each one step ahead from the values before it.")
  private @Nullable String fitted;

  @Option(
      names = "--anomalies",
      paramLabel = "FILE",
      description =
          "Write the outliers, shifts of the level and changed seasons of the histories, with size "
              + "and t-value.")
  private @Nullable String anomalies;

  @Option(
      names = "--coefficients",
      paramLabel = "FILE",
      description = "Write the effects of the columns that are known in the future.")
  private @Nullable String coefficients;

  /// The files by what they explain.
  private Map<ExplanationKind, String> files() {
    Map<ExplanationKind, String> files = new EnumMap<>(ExplanationKind.class);
    if (components != null) files.put(ExplanationKind.COMPONENTS, components);
    if (fitted != null) files.put(ExplanationKind.FITTED, fitted);
    if (anomalies != null) files.put(ExplanationKind.ANOMALIES, anomalies);
    if (coefficients != null) files.put(ExplanationKind.COEFFICIENTS, coefficients);
    return files;
  }

  /// Refuses wrong values before any work is done.
  void check() {
    files().forEach((each, file) -> ForecastOutputs.check(each.option(), file));
  }

  /// Whether the effects of known columns are asked for.
  boolean asksForCoefficients() {
    return coefficients != null;
  }

  /// Tables for what is asked for.
  ExplanationTables open(SeriesTable table, String time, ForecastColumns columns)
      throws IOException {
    return new ExplanationTables(table, time, columns, files());
  }
}
