package lovelace.forecast;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The forecasts of several series, in their order. After [#load] and [#update], a series is
/// forecast when its forecast is first asked for.
///
/// Immutable, and safe for threads.
public final class Forecasts {

  /// How many series a block has. An update copies the blocks that it changes.
  private static final int BLOCK = 256;

  private final ForecastModel model;
  private final StoredTable table;
  private final Entry[][] blocks;
  private final int size;

  /// The places of series by their ids. Updates without new ids share it.
  private final Map<String, Integer> places;

  /// A series, and its forecast if somebody asked for it. Versions share those that are the same.
  private static final class Entry {
    private final StoredSeries series;
    private volatile @Nullable Forecast forecast;

    Entry(StoredSeries series, @Nullable Forecast forecast) {
      this.series = series;
      this.forecast = forecast;
    }
  }

  private Forecasts(
      ForecastModel model,
      StoredTable table,
      Entry[][] blocks,
      int size,
      Map<String, Integer> places) {
    this.model = model;
    this.table = table;
    this.blocks = blocks;
    this.size = size;
    this.places = places;
  }

  private Forecasts(ForecastModel model, StoredTable table, List<Entry> entries) {
    this(model, table, blocks(entries), entries.size(), new HashMap<>());
    for (int i = 0; i < size; i++) places.putIfAbsent(entries.get(i).series.values().id(), i);
  }

  /// Forecasts that were made.
  ///
  /// @param model by which they were made; it forecasts other series of the same kind
  /// @param all one forecast a series
  public Forecasts(ForecastModel model, List<Forecast> all) {
    this(
        model,
        StoredTable.PLAIN,
        all.stream().map(each -> new Entry(StoredSeries.plain(each.series()), each)).toList());
  }

  /// Forecasts that are made when they are asked for.
  static Forecasts later(ForecastModel model, StoredTable table, List<StoredSeries> series) {
    return new Forecasts(model, table, series.stream().map(each -> new Entry(each, null)).toList());
  }

  private static Entry[][] blocks(List<Entry> entries) {
    Entry[][] blocks = new Entry[(entries.size() + BLOCK - 1) / BLOCK][];
    for (int b = 0; b < blocks.length; b++)
      blocks[b] =
          entries
              .subList(b * BLOCK, Math.min((b + 1) * BLOCK, entries.size()))
              .toArray(new Entry[0]);
    return blocks;
  }

  private Entry entry(int place) {
    return blocks[place / BLOCK][place % BLOCK];
  }

  /// By which they were made; it forecasts other series of the same kind.
  public ForecastModel model() {
    return model;
  }

  /// The ids of the series in their order.
  public List<String> ids() {
    return entries().stream().map(each -> each.series.values().id()).toList();
  }

  private List<Entry> entries() {
    return Arrays.stream(blocks).flatMap(Arrays::stream).toList();
  }

  /// One forecast a series. Those that nobody asked for before are made now, together.
  public List<Forecast> all() {
    List<Entry> entries = entries();
    List<Entry> missing = entries.stream().filter(each -> each.forecast == null).toList();
    if (!missing.isEmpty()) {
      List<Forecast> made =
          model.forecast(missing.stream().map(each -> each.series.values()).toList());
      for (int m = 0; m < made.size(); m++) missing.get(m).forecast = made.get(m);
    }
    return entries.stream().map(each -> Objects.requireNonNull(each.forecast)).toList();
  }

  /// The forecast of the series with an id. If it is not known yet, it alone is made.
  public Forecast of(String id) {
    Integer at = places.get(id);
    if (at == null) throw new IllegalArgumentException("there is no series '%s'".formatted(id));
    Entry entry = entry(at);
    Forecast known = entry.forecast;
    if (known != null) return known;
    Forecast made = model.forecast(List.of(entry.series.values())).getFirst();
    entry.forecast = made;
    return made;
  }

  /// Goes on after more values. Weights and calibration stay, so the forecasts equal those of the
  /// longer series by the same model. They are made when they are asked for: the update itself only
  /// keeps the values. Series with new ids are added at the end.
  ///
  /// @param more values that follow the last one of the series with the same id, oldest first
  public Forecasts update(List<TimeSeries> more) {
    Map<String, TimeSeries> added = new LinkedHashMap<>();
    for (TimeSeries each : more) added.merge(each.id(), each, TimeSeries::then);
    Entry[][] next = blocks.clone();
    Set<Integer> copied = new HashSet<>();
    List<Entry> fresh = new ArrayList<>();
    for (TimeSeries values : added.values()) {
      Integer at = places.get(values.id());
      if (at == null) {
        fresh.add(new Entry(StoredSeries.plain(values), null));
        continue;
      }
      int b = at / BLOCK;
      if (copied.add(b)) next[b] = blocks[b].clone();
      next[b][at % BLOCK] = new Entry(entry(at).series.then(values), null);
    }
    Forecasts longer = new Forecasts(model, table, next, size, places);
    if (fresh.isEmpty()) return longer;
    List<Entry> all = new ArrayList<>(longer.entries());
    all.addAll(fresh);
    return new Forecasts(model, table, all);
  }

  /// Writes the model and the series into a file. It replaces the file when all is written.
  public void save(Path file) throws IOException {
    try (ForecastFile.Writer out = ForecastFile.create(file, model, table)) {
      for (Entry each : entries()) out.add(each.series);
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
