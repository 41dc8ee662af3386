package lovelace.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import lovelace.forecast.Anomaly;
import lovelace.forecast.Coefficient;
import lovelace.forecast.Component;
import lovelace.forecast.FittedValues;
import lovelace.forecast.Forecast;
import lovelace.forecast.Outlier;
import lovelace.forecast.time.TimeForm;

/// The tables that explain forecasts, filled series by series.
final class ExplanationTables implements AutoCloseable {

  /// How many series are in memory at once.
  static final int BATCH = 200;

  /// How many outliers a remark names.
  private static final int NAMED = 3;

  private final ForecastColumns columns;
  private final double[] levels;
  private final Map<ExplanationKind, String> files;
  private final UnaryOperator<String> group;
  private final Map<ExplanationKind, SeriesResult> tables = new EnumMap<>(ExplanationKind.class);

  /// @param group the name of the part that a known column belongs to
  /// @param files by what they explain
  ExplanationTables(
      SeriesTable table,
      String time,
      ForecastColumns columns,
      UnaryOperator<String> group,
      Map<ExplanationKind, String> files)
      throws IOException {
    this.group = group;
    this.columns = columns;
    this.files = files;
    levels =
        columns.probabilities().values().stream()
            .mapToDouble(Double::doubleValue)
            .distinct()
            .sorted()
            .toArray();
    List<String> ends = List.copyOf(columns.probabilities().keySet());
    for (ExplanationKind each : files.keySet())
      tables.put(
          each,
          switch (each) {
            case COMPONENTS ->
                table(table, each, List.of(time), List.of("component"), List.of("value"), ends);
            case FITTED ->
                table(
                    table,
                    each,
                    List.of(time),
                    List.of(),
                    List.of("value", "median", "residual"),
                    ends);
            case ANOMALIES ->
                table(
                    table,
                    each,
                    List.of(time),
                    List.of("kind", "left_out"),
                    List.of("period", "size", "lo-95", "hi-95", "t"),
                    List.of());
            case COEFFICIENTS ->
                table(
                    table,
                    each,
                    List.of(),
                    List.of("column"),
                    List.of("estimate", "error", "percent"),
                    ends);
          });
  }

  private static SeriesResult table(
      SeriesTable table,
      ExplanationKind each,
      List<String> times,
      List<String> texts,
      List<String> numbers,
      List<String> ends)
      throws IOException {
    List<String> all = new ArrayList<>(numbers);
    all.addAll(ends);
    return new SeriesResult(table, each.table(), times, texts, all);
  }

  /// Whether nothing is asked for.
  boolean isEmpty() {
    return tables.isEmpty();
  }

  private SeriesResult table(ExplanationKind each) {
    return Objects.requireNonNull(tables.get(each), "no such table was asked for");
  }

  private boolean has(ExplanationKind each) {
    return tables.containsKey(each);
  }

  /// The rows that explain a forecast.
  ExplanationRows of(Forecast forecast) {
    return new ExplanationRows(
        has(ExplanationKind.COMPONENTS) ? forecast.components(group, levels) : List.of(),
        has(ExplanationKind.FITTED) ? List.of(forecast.fitted(levels)) : List.of(),
        has(ExplanationKind.ANOMALIES) ? forecast.anomalies() : List.of(),
        has(ExplanationKind.COEFFICIENTS) ? forecast.coefficients(levels) : List.of());
  }

  /// Adds the rows of one series.
  ///
  /// @param ahead how many steps after the last value have rows
  void add(PlacedSeries series, ExplanationRows rows, int ahead) throws IOException {
    for (Component each : rows.components()) add(series, each, ahead);
    for (FittedValues each : rows.fitted()) add(series, each);
    for (Anomaly each : rows.anomalies())
      table(ExplanationKind.ANOMALIES)
          .add(
              series.number(),
              List.of(series.steps().at(series.first() + each.step())),
              List.of(each.kind().toString(), Boolean.toString(each.leftOut())),
              each.period() == 0 ? Double.NaN : each.period(),
              each.size(),
              each.low(),
              each.high(),
              each.t());
    for (Coefficient each : rows.coefficients())
      table(ExplanationKind.COEFFICIENTS)
          .add(
              series.number(),
              List.of(),
              List.of(each.column()),
              row(each.quantiles(), each.estimate(), each.error(), each.percent()));
  }

  private void add(PlacedSeries series, Component each, int ahead) throws IOException {
    int steps = Math.min(each.estimate().length, series.values().size() + ahead - each.first());
    for (int s = 0; s < steps; s++)
      table(ExplanationKind.COMPONENTS)
          .add(
              series.number(),
              List.of(series.steps().at(series.first() + each.first() + s)),
              List.of(each.name()),
              row(each.quantiles()[s], each.estimate()[s]));
  }

  private void add(PlacedSeries series, FittedValues fitted) throws IOException {
    for (int r = 0; r < fitted.steps().length; r++) {
      int step = fitted.steps()[r];
      double value = series.values().value(step);
      double median = fitted.median()[r];
      table(ExplanationKind.FITTED)
          .add(
              series.number(),
              List.of(series.steps().at(series.first() + step)),
              row(fitted.quantiles()[r], value, median, value - median));
    }
  }

  /// Numbers, then quantiles in the order of the columns.
  private double[] row(double[] quantiles, double... numbers) {
    List<Double> wanted = List.copyOf(columns.probabilities().values());
    double[] row = Arrays.copyOf(numbers, numbers.length + wanted.size());
    for (int i = 0; i < wanted.size(); i++)
      row[numbers.length + i] = quantiles[Arrays.binarySearch(levels, wanted.get(i))];
    return row;
  }

  /// Ends the rows that were added, so that any thread can write them.
  void end() throws IOException {
    for (SeriesResult each : tables.values()) each.end();
  }

  /// Writes the tables to their files.
  void write(OutputStream stream) throws IOException {
    for (Map.Entry<ExplanationKind, SeriesResult> each : tables.entrySet())
      each.getValue().write(files.getOrDefault(each.getKey(), ""), stream);
  }

  /// A series with a remark on the outliers that its forecast leaves out.
  static PlacedSeries remarked(PlacedSeries series, Forecast forecast, SeriesTable table) {
    List<Outlier> outliers = forecast.outliers();
    if (outliers.isEmpty()) return series;
    TimeForm form = table.times().form();
    String named =
        outliers.stream()
            .limit(NAMED)
            .map(
                each ->
                    String.format(
                        Locale.ROOT,
                        "%s (%s where %s was expected)",
                        form.format(series.steps().at(series.first() + each.step())),
                        SeriesResult.number(each.value()),
                        SeriesResult.number(each.expected())))
            .collect(Collectors.joining(", "));
    return series.with(
        outliers.size() == 1
            ? "an outlier in the history was left out: " + named
            : outliers.size()
                + " outliers in the history were left out: "
                + named
                + (outliers.size() > NAMED ? ", …" : ""));
  }

  @Override
  public void close() throws IOException {
    for (SeriesResult each : tables.values()) each.close();
  }
}
