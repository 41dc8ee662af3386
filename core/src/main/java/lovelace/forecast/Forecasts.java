package lovelace.forecast;

import java.io.IOException;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// The forecasts of several series, in their order. After [#load] and [#update], a series is
/// forecast when its forecast is first asked for.
///
/// Immutable, and safe for threads.
public final class Forecasts {

  private final ForecastModel model;
  private final StoredTable table;
  private final List<StoredSeries> series;

  /// The places of series by their ids. Updates without new ids share it.
  private final Map<String, Integer> places;

  private final AtomicReferenceArray<Forecast> known;

  private Forecasts(
      ForecastModel model,
      StoredTable table,
      List<StoredSeries> series,
      Map<String, Integer> places,
      AtomicReferenceArray<Forecast> known) {
    this.model = model;
    this.table = table;
    this.series = series;
    this.places = places;
    this.known = known;
  }

  /// Forecasts that were made.
  ///
  /// @param model by which they were made; it forecasts other series of the same kind
  /// @param all one forecast a series
  public Forecasts(ForecastModel model, List<Forecast> all) {
    this(
        model,
        StoredTable.PLAIN,
        all.stream().map(each -> StoredSeries.plain(each.series())).toList(),
        places(all.stream().map(Forecast::id).toList()),
        new AtomicReferenceArray<>(all.toArray(new Forecast[0])));
  }

  /// Forecasts that are made when they are asked for.
  static Forecasts later(ForecastModel model, StoredTable table, List<StoredSeries> series) {
    return new Forecasts(
        model,
        table,
        List.copyOf(series),
        places(series.stream().map(each -> each.values().id()).toList()),
        new AtomicReferenceArray<>(series.size()));
  }

  private static Map<String, Integer> places(List<String> ids) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < ids.size(); i++) places.putIfAbsent(ids.get(i), i);
    return places;
  }

  /// By which they were made; it forecasts other series of the same kind.
  public ForecastModel model() {
    return model;
  }

  /// The ids of the series in their order.
  public List<String> ids() {
    return series.stream().map(each -> each.values().id()).toList();
  }

  /// One forecast a series. Those that nobody asked for before are made now, together.
  public List<Forecast> all() {
    List<Integer> missing = new ArrayList<>();
    for (int i = 0; i < series.size(); i++) if (known.get(i) == null) missing.add(i);
    if (!missing.isEmpty()) {
      List<Forecast> made =
          model.forecast(missing.stream().map(i -> series.get(i).values()).toList());
      for (int m = 0; m < made.size(); m++) known.compareAndSet(missing.get(m), null, made.get(m));
    }
    return new AbstractList<>() {
      @Override
      public Forecast get(int index) {
        return Objects.requireNonNull(known.get(index));
      }

      @Override
      public int size() {
        return series.size();
      }
    };
  }

  /// The forecast of the series with an id. If it is not known yet, it alone is made.
  public Forecast of(String id) {
    Integer at = places.get(id);
    if (at == null) throw new IllegalArgumentException("there is no series '%s'".formatted(id));
    Forecast forecast = known.get(at);
    if (forecast != null) return forecast;
    known.compareAndSet(at, null, model.forecast(List.of(series.get(at).values())).getFirst());
    return Objects.requireNonNull(known.get(at));
  }

  /// Goes on after more values. Weights and calibration stay, so the forecasts equal those of the
  /// longer series by the same model. They are made when they are asked for: the update itself only
  /// keeps the values. Series with new ids are added at the end.
  ///
  /// @param more values that follow the last one of the series with the same id, oldest first
  public Forecasts update(List<TimeSeries> more) {
    Map<String, TimeSeries> added = new LinkedHashMap<>();
    for (TimeSeries each : more) added.merge(each.id(), each, TimeSeries::then);
    StoredSeries[] next = series.toArray(new StoredSeries[0]);
    List<StoredSeries> fresh = new ArrayList<>();
    Forecast[] kept = new Forecast[next.length];
    for (int i = 0; i < kept.length; i++) kept[i] = known.get(i);
    added.forEach(
        (id, values) -> {
          Integer at = places.get(id);
          if (at == null) {
            fresh.add(StoredSeries.plain(values));
          } else {
            next[at] = next[at].then(values);
            kept[at] = null;
          }
        });
    List<StoredSeries> all = new ArrayList<>(List.of(next));
    all.addAll(fresh);
    Map<String, Integer> found = places;
    if (!fresh.isEmpty()) {
      found = new HashMap<>(places);
      for (int i = next.length; i < all.size(); i++) found.put(all.get(i).values().id(), i);
    }
    AtomicReferenceArray<Forecast> forecasts = new AtomicReferenceArray<>(all.size());
    for (int i = 0; i < kept.length; i++) forecasts.set(i, kept[i]);
    return new Forecasts(model, table, all, found, forecasts);
  }

  /// Writes the model and the series into a file. It replaces the file when all is written.
  public void save(Path file) throws IOException {
    try (ForecastFile.Writer out = ForecastFile.create(file, model, table)) {
      for (StoredSeries each : series) out.add(each);
      out.finish();
    }
  }

  /// Reads a file that [#save] or the command wrote. It makes no forecast yet.
  public static Forecasts load(Path file) throws IOException {
    ForecastFile found = ForecastFile.open(file);
    List<StoredSeries> series = new ArrayList<>();
    found.forEach(series::add);
    return later(found.model(), found.table(), series);
  }
}
