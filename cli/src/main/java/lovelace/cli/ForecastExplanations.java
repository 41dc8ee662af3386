package lovelace.cli;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that ask for the reasons of forecasts: parts, fitted values, anomalies and
/// coefficients.
final class ForecastExplanations {

  /// The name of the part that holds all holidays.
  private static final String HOLIDAYS = "holidays";

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
  ///
  /// @param sums whether sums of series are forecast
  void check(boolean sums) {
    files().forEach((each, file) -> ForecastOutputs.check(each.option(), file));
    if (sums && !files().isEmpty())
      throw new IllegalArgumentException(
          "%s explains forecasts of single series, and --sums makes others of them; leave out one of the two"
              .formatted(files().keySet().iterator().next().option()));
  }

  /// Tables for what is asked for.
  ///
  /// @param known the columns that are known ahead; empty without
  ExplanationTables open(
      SeriesTable table, String time, ForecastColumns columns, Optional<SeriesKnown> known)
      throws IOException {
    if (coefficients != null && known.filter(SeriesKnown::any).isEmpty())
      throw new IllegalArgumentException(
          "--coefficients tells the effects of columns that are known ahead, and there are none; add --future, --covariates or --holidays, or leave it out");
    UnaryOperator<String> group =
        name -> known.filter(each -> each.isHoliday(name)).isPresent() ? HOLIDAYS : name;
    return new ExplanationTables(table, time, columns, group, files());
  }
}
