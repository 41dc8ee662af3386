package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import lovelace.forecast.Forecast;
import lovelace.forecast.ForecastFile;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.StoredSeries;
import lovelace.forecast.StoredTable;
import lovelace.forecast.TimeSeries;
import lovelace.forecast.time.Moment;
import lovelace.io.Fingerprint;
import lovelace.options.Options;
import org.jspecify.annotations.Nullable;

/// Forecasts of series. A series is forecast when somebody asks for it, from all values that it has
/// then.
///
/// A row of a journal, little-endian:
///
/// ```
/// bytes
/// 4      length of the id in UTF-8
/// …      the id
/// 8      the number of the step of the value; [#NEXT] is the one after the last value
/// 8      the value
/// ```
final class ForecastContent implements Content {

  /// The step after the last value.
  static final long NEXT = Long.MIN_VALUE;

  /// The most steps that a value may lie after the last one.
  private static final int FAR = 10_000;

  private final ForecastModel model;
  private final StoredTable table;
  private final Map<String, StoredSeries> first; // those of the file
  private final Map<String, StoredSeries> later; // those with more values
  private final long count;
  private final long fingerprint;
  private final ForecastCache cache;

  private ForecastContent(
      ForecastModel model,
      StoredTable table,
      Map<String, StoredSeries> first,
      Map<String, StoredSeries> later,
      long count,
      long fingerprint,
      ForecastCache cache) {
    this.model = model;
    this.table = table;
    this.first = first;
    this.later = later;
    this.count = count;
    this.fingerprint = fingerprint;
    this.cache = cache;
  }

  /// Reads a file.
  static ForecastContent load(Path path) throws IOException {
    ForecastFile file = ForecastFile.open(path);
    ForecastModel model = file.model();
    StoredTable table = file.table();
    List<StoredSeries> series = new ArrayList<>();
    file.forEach(
        each -> {
          requireTimes(path, table, each, model.options().horizon());
          series.add(each);
        });
    return of(model, table, series);
  }

  /// Forecasts of series that come from no file.
  static ForecastContent of(ForecastModel model, StoredTable table, List<StoredSeries> series) {
    Map<String, StoredSeries> all = new LinkedHashMap<>();
    for (StoredSeries each : series) all.put(each.values().id(), each);
    Fingerprint sum = new Fingerprint();
    long count = 0;
    for (StoredSeries each : all.values()) {
      TimeSeries values = each.values();
      double[] key = key(values.id());
      for (int t = 0; t < values.size(); t++) {
        if (Double.isNaN(values.value(t))) continue;
        add(sum, key, each.first() + t, values.value(t));
        count++;
      }
    }
    return new ForecastContent(
        model, table, all, Map.of(), count, sum.value(), new ForecastCache(model));
  }

  /// Refuses a series whose times cannot be written.
  private static void requireTimes(Path path, StoredTable table, StoredSeries each, int horizon)
      throws IOException {
    try {
      for (long step : new long[] {each.first(), Math.addExact(each.end(), (long) horizon)})
        table.form().format(each.steps().at(step));
    } catch (ArithmeticException | DateTimeException | IllegalArgumentException e) {
      throw new IOException(
          "'%s': the times of series '%s' cannot be written: %s; forecast its table again"
              .formatted(path, shown(each.values().id()), e.getMessage()),
          e);
    }
  }

  /// The first numbers of a row for its fingerprint; the third is the step.
  private static double[] key(String id) {
    long hash = 0xcbf29ce484222325L; // FNV-1a
    for (byte b : id.getBytes(UTF_8)) hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    return new double[] {hash >>> 32, hash & 0xffffffffL, 0};
  }

  private static void add(Fingerprint sum, double[] key, long step, double value) {
    key[2] = step;
    sum.add(key, 0, key.length, value, 1);
  }

  /// A row of a journal.
  static byte[] row(String id, long step, double value) {
    byte[] utf = id.getBytes(UTF_8);
    return ByteBuffer.allocate(20 + utf.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(utf.length)
        .put(utf)
        .putLong(step)
        .putDouble(value)
        .array();
  }

  /// The model that forecasts.
  ForecastModel model() {
    return model;
  }

  /// How the table was written that the series come from.
  StoredTable table() {
    return table;
  }

  /// Whether the series come from no table, so that their times only count steps.
  boolean isPlain() {
    return table.equals(StoredTable.PLAIN);
  }

  /// The number of series.
  int size() {
    AtomicInteger size = new AtomicInteger(first.size());
    later.keySet().forEach(id -> size.addAndGet(first.containsKey(id) ? 0 : 1));
    return size.get();
  }

  /// The ids, those of the file first.
  List<String> ids() {
    List<String> ids = new ArrayList<>(first.keySet());
    for (String id : later.keySet()) if (!first.containsKey(id)) ids.add(id);
    return ids;
  }

  /// The series with an id; null if there is none.
  @Nullable StoredSeries series(String id) {
    StoredSeries now = later.get(id);
    return now == null ? first.get(id) : now;
  }

  /// The series with an id. Refuses with 404 if there is none.
  StoredSeries require(String id) {
    StoredSeries series = series(id);
    if (series != null) return series;
    List<String> some = new ArrayList<>();
    for (String each : first.keySet()) if (some.size() < 3) some.add("'" + shown(each) + "'");
    throw new Refusal(
        404,
        String.format(
            Locale.ROOT,
            "there is no series '%s'; there are %,d, such as %s",
            shown(id),
            size(),
            String.join(", ", some)));
  }

  private static String shown(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  /// The time of a step after the last value of a series, counted from 0. Steps of the series
  /// itself are negative.
  String time(StoredSeries series, int step) {
    return table.form().format(moment(series, step));
  }

  /// Like [#time], as a moment.
  Moment moment(StoredSeries series, int step) {
    return series.steps().at(series.end() + step);
  }

  /// The forecasts of some series, in their order.
  List<Forecast> forecast(List<StoredSeries> series) {
    return cache.forecast(series.stream().map(StoredSeries::values).toList());
  }

  /// Whether these forecasts have been made.
  boolean has(List<StoredSeries> series) {
    return series.stream().allMatch(each -> cache.has(each.values()));
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public long fingerprint() {
    return fingerprint;
  }

  @Override
  public int form() {
    return -1;
  }

  @Override
  public int rowEnd(ByteBuffer in, int at, int end) {
    if (end - at < 20) return -1;
    int length = in.getInt(at);
    return length < 0 || length > end - at - 20 ? -1 : at + 20 + length;
  }

  @Override
  public boolean fits(int bytes) {
    return bytes == 0 || bytes >= 20;
  }

  @Override
  public boolean addsInParts() {
    return true;
  }

  @Override
  public ForecastContent with(List<byte[]> rows, Options.Maker maker) {
    Map<String, Longer> longer = new LinkedHashMap<>();
    Fingerprint sum = new Fingerprint();
    for (byte[] row : rows) {
      ByteBuffer in = ByteBuffer.wrap(row).order(ByteOrder.LITTLE_ENDIAN);
      String id = new String(row, 4, in.getInt(), UTF_8);
      in.position(row.length - 16);
      long step = in.getLong();
      double value = in.getDouble();
      Longer series = longer.computeIfAbsent(id, Longer::new);
      add(sum, key(id), series.add(step, value), value);
    }
    Map<String, StoredSeries> next = new LinkedHashMap<>(later);
    for (Longer each : longer.values()) next.put(each.id, each.series());
    return new ForecastContent(
        model, table, first, next, count + rows.size(), fingerprint + sum.value(), cache);
  }

  /// The step of a time in a series. The series may be new.
  long step(String id, Moment moment) {
    StoredSeries series = series(id);
    return (series == null ? table.frequency() : series.steps()).index(moment);
  }

  /// A series that takes more values.
  private final class Longer {
    final String id;
    private final @Nullable StoredSeries old; // null for a new series
    private long from; // the step of the first of the new values
    private double[] values = new double[4];
    private int size = 0;

    Longer(String id) {
      this.id = id;
      old = ForecastContent.this.series(id);
      if (old == null && table.ids().size() != 1)
        throw new IllegalArgumentException(
            "there is no series '%s', and new ones need their words in %s columns of ids; correct the id, or add the series with 'lovelace forecast --update'"
                .formatted(shown(id), table.ids().size()));
      from = old == null ? 0 : old.end();
    }

    private boolean isEmpty() {
      return size == 0 && (old == null || old.values().size() == 0);
    }

    /// Adds a value, and returns its step.
    long add(long wanted, double value) {
      long end = from + size;
      long step = wanted == NEXT ? end : wanted;
      if (isEmpty()) from = step;
      else if (step < end || step - end > FAR)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "series '%s' has values up to %s; the next one must be later, by %,d steps at most, not at %s; for others forecast the table again",
                shown(id),
                written(end - 1),
                FAR,
                written(step)));
      double[] bounds = model().options().bounds();
      if (bounds.length == 2 && !(value >= bounds[0] && value <= bounds[1]))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "series '%s': the value %s does not lie between %s and %s, the bounds of all values; correct it",
                shown(id),
                value,
                bounds[0],
                bounds[1]));
      int place = (int) (step - from);
      if (place >= values.length) values = Arrays.copyOf(values, place + place / 8 + 8);
      Arrays.fill(values, size, place, Double.NaN);
      values[place] = value;
      size = place + 1;
      return step;
    }

    private String written(long step) {
      return table.form().format((old == null ? table.frequency() : old.steps()).at(step));
    }

    StoredSeries series() {
      int gap = 0; // a series begins with a value
      while (Double.isNaN(values[gap])) gap++;
      TimeSeries more = TimeSeries.of(id, Arrays.copyOfRange(values, gap, size));
      return old == null
          ? new StoredSeries(List.of(id), table.frequency(), from, more)
          : old.then(from + gap, more);
    }
  }

  @Override
  public long save(Path path, boolean covariance) throws IOException {
    try (ForecastFile.Writer out = ForecastFile.create(path, model, table)) {
      for (String id : ids()) out.add(require(id));
      out.finish();
    }
    return Files.size(path);
  }
}
