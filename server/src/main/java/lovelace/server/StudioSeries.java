package lovelace.server;

import java.util.Map;

/// Answers the series page of the studio.
final class StudioSeries {

  private StudioSeries() {}

  /// What a file of forecasts holds, in a line.
  static Map<String, Object> about(String name, ForecastContent content) {
    return Answers.map(
        "name", name,
        "series", content.size(),
        "horizon", content.model().options().horizon(),
        "observations", content.count());
  }
}
