package lovelace.server;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.TimeSeries;

/// The forecasts that were asked for last. A forecast is made once, until its series has more
/// values.
final class ForecastCache {

  /// About how many bytes a step of a forecast takes.
  private static final long STEP = 3_000;

  /// The most series that are forecast at a time.
  private static final int TOGETHER = 64;

  private final ForecastModel model;
  private final Map<String, Forecast> made; // guarded by itself; the one used last is the last

  ForecastCache(ForecastModel model) {
    this.model = model;
    long room = Runtime.getRuntime().maxMemory() / 16 / (STEP * model.options().horizon());
    int most = Math.clamp(room, 1, 20_000);
    made =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Forecast> eldest) {
            return size() > most;
          }
        };
  }

  /// The forecasts of some series, in their order.
  List<Forecast> forecast(List<TimeSeries> series) {
    IdentityHashMap<TimeSeries, Forecast> found = new IdentityHashMap<>();
    IdentityHashMap<TimeSeries, Boolean> wanted = new IdentityHashMap<>();
    List<TimeSeries> missing = new ArrayList<>();
    synchronized (made) {
      for (TimeSeries each : series) {
        Forecast old = made.get(each.id());
        if (old != null && old.series() == each) found.put(each, old);
        else if (wanted.put(each, true) == null) missing.add(each);
      }
    }
    for (int from = 0; from < missing.size(); from += TOGETHER) {
      List<Forecast> some =
          model.forecast(missing.subList(from, Math.min(missing.size(), from + TOGETHER)));
      for (Forecast each : some) found.put(each.series(), each);
      synchronized (made) {
        for (Forecast each : some) made.put(each.id(), each);
      }
    }
    return series.stream().map(found::get).toList();
  }

  /// Whether the forecast of a series has been made.
  boolean has(TimeSeries series) {
    synchronized (made) {
      Forecast old = made.get(series.id());
      return old != null && old.series() == series;
    }
  }
}
