package lovelace.forecast;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The forecasts of several series, in their order.
///
/// @param model by which they were made; it forecasts other series of the same kind
/// @param all one forecast a series
public record Forecasts(ForecastModel model, List<Forecast> all) {

  public Forecasts {
    all = List.copyOf(all);
  }

  /// Forecasts again after more values. Weights and calibration stay, so this equals forecasts of
  /// the longer series by the same model. Series with new ids are added at the end.
  ///
  /// @param more values that follow the last one of the series with the same id, oldest first
  public Forecasts update(List<TimeSeries> more) {
    Map<String, TimeSeries> series = new LinkedHashMap<>();
    for (Forecast each : all) series.put(each.id(), each.series());
    Map<String, TimeSeries> added = new LinkedHashMap<>();
    for (TimeSeries each : more) added.merge(each.id(), each, TimeSeries::then);
    added.forEach((id, values) -> series.merge(id, values, TimeSeries::then));
    List<TimeSeries> changed =
        series.values().stream().filter(s -> added.containsKey(s.id())).toList();
    Map<String, Forecast> next = new LinkedHashMap<>();
    for (Forecast each : all) next.put(each.id(), each);
    for (Forecast each : model.forecast(changed)) next.put(each.id(), each);
    return new Forecasts(model, List.copyOf(next.values()));
  }

  /// Writes the model and the series into a file. It replaces the file when all is written.
  public void save(Path file) throws IOException {
    ForecastFile.write(file, this);
  }

  /// Reads a file that [#save] wrote.
  public static Forecasts load(Path file) throws IOException {
    return ForecastFile.read(file);
  }

  /// The forecast of the series with an id.
  public Forecast of(String id) {
    for (Forecast each : all) if (each.id().equals(id)) return each;
    throw new IllegalArgumentException("there is no series '%s'".formatted(id));
  }
}
