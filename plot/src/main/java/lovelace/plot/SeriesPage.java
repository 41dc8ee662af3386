package lovelace.plot;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongToDoubleFunction;
import lovelace.plot.SeriesPicture.Drawn;
import lovelace.plot.SeriesPicture.Fan;

/// The page of a [SeriesPicture]. Values and quantiles are floats, relative to a level and a size
/// of each series, so that values around 1e9 which differ by 1 stay apart. Steps that series share
/// are written once.
final class SeriesPage {

  private final SeriesPicture picture;

  SeriesPage(SeriesPicture picture) {
    this.picture = picture;
  }

  /// The steps from the first to the last that any series uses.
  private static final class Steps {
    final int number;
    final LongToDoubleFunction at;
    long first = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;

    Steps(int number, LongToDoubleFunction at) {
      this.number = number;
      this.at = at;
    }
  }

  String html() {
    IdentityHashMap<LongToDoubleFunction, Steps> calendars = new IdentityHashMap<>();
    List<Steps> order = new ArrayList<>();
    List<Object> ids = new ArrayList<>();
    List<Object> series = new ArrayList<>();
    List<float[]> data = new ArrayList<>();
    for (Drawn each : picture.series) {
      Steps steps =
          calendars.computeIfAbsent(
              each.steps(),
              function -> {
                Steps next = new Steps(order.size(), function);
                order.add(next);
                return next;
              });
      steps.first = Math.min(steps.first, each.first());
      steps.end = Math.max(steps.end, each.end());
      ids.add(each.id());
      Numbers numbers = Numbers.of(each);
      data.add(numbers.floats);
      series.add(
          Page.ordered(
              "steps", steps.number,
              "first", each.first(),
              "count", each.values().length,
              "shown", SeriesPicture.shown(each),
              "fans",
                  each.fans().stream().map(f -> List.of(f.from(), f.quantiles().length)).toList(),
              "level", Double.toString(numbers.level),
              "size", Double.toString(numbers.size),
              "facts", each.facts()));
    }
    List<Object> steps = new ArrayList<>();
    for (Steps each : order) steps.add(steps(each.at, each));
    Map<String, Object> all =
        Page.ordered(
            "title",
            picture.title,
            "subtitle",
            picture.subtitle,
            "note",
            picture.note,
            "time",
            picture.timeLabel,
            "value",
            picture.valueLabel,
            "form",
            picture.times.name().toLowerCase(Locale.ROOT),
            "zone",
            picture.zone.map(SeriesPage::zone).orElse(""),
            "facts",
            picture.facts.stream()
                .map(
                    f ->
                        Page.ordered(
                            "name",
                            f.name(),
                            "about",
                            f.about(),
                            "unit",
                            f.unit().name().toLowerCase(Locale.ROOT)))
                .toList(),
            "panels",
            picture.panels.stream()
                .map(
                    p ->
                        Page.ordered(
                            "title",
                            p.title(),
                            "label",
                            p.label(),
                            "curves",
                            p.curves().stream()
                                .map(
                                    c ->
                                        Page.ordered(
                                            "name", c.name(), "y", c.values(), "ours", c.ours()))
                                .toList()))
                .toList(),
            "table",
            picture.table,
            "steps",
            steps,
            "ids",
            ids,
            "series",
            series,
            "data",
            packed(data));
    return Page.of(
        picture.title,
        "series.css",
        "series.html",
        "forecasts",
        all,
        "map-data.js",
        "series-data.js",
        "series-time.js",
        "series-chart.js",
        "series.js");
  }

  /// A region, or minutes east of Greenwich.
  private static String zone(ZoneId zone) {
    ZoneId plain = zone.normalized();
    return plain instanceof ZoneOffset offset
        ? Integer.toString(offset.getTotalSeconds() / 60)
        : plain.getId();
  }

  /// Values and quantiles as floats from −1 to 1.
  private static final class Numbers {
    final double level;
    final double size;
    final float[] floats;

    private Numbers(double level, double size, float[] floats) {
      this.level = level;
      this.size = size;
      this.floats = floats;
    }

    static Numbers of(Drawn one) {
      int fans = one.fans().stream().mapToInt(f -> f.quantiles().length).sum();
      double[] all = Arrays.copyOf(one.values(), one.values().length + fans * levels());
      int at = one.values().length;
      for (Fan fan : one.fans())
        for (double[] step : fan.quantiles()) for (double quantile : step) all[at++] = quantile;
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (double v : all)
        if (Double.isFinite(v)) {
          low = Math.min(low, v);
          high = Math.max(high, v);
        }
      double level = low <= high ? low / 2 + high / 2 : 0;
      double size = low < high ? Math.max(high / 2 - low / 2, Double.MIN_NORMAL) : 1;
      float[] floats = new float[all.length];
      for (int i = 0; i < all.length; i++)
        floats[i] = Double.isFinite(all[i]) ? (float) ((all[i] - level) / size) : Float.NaN;
      return new Numbers(level, size, floats);
    }
  }

  private static int levels() {
    return SeriesPicture.levels().length;
  }

  private static String packed(List<float[]> all) {
    int count = all.stream().mapToInt(each -> each.length).sum();
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(4, count)).order(ByteOrder.LITTLE_ENDIAN);
    for (float[] each : all) for (float v : each) bytes.putFloat(v);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  /// The places of steps: the first and the distance if they are equally far apart, and all
  /// otherwise.
  private static Map<String, Object> steps(LongToDoubleFunction at, Steps range) {
    int count = Math.toIntExact(Math.max(0, range.end - range.first));
    double start = count == 0 ? 0 : at.applyAsDouble(range.first);
    double length = count < 2 ? 1 : at.applyAsDouble(range.first + 1) - start;
    boolean equal = true;
    for (int i = 2; i < count && equal; i++)
      equal =
          Math.abs(at.applyAsDouble(range.first + i) - start - length * i)
              <= 1e-9 * Math.abs(length) * i;
    String places = "";
    if (!equal) {
      ByteBuffer bytes =
          ByteBuffer.allocate(Math.multiplyExact(8, count)).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < count; i++) bytes.putDouble(at.applyAsDouble(range.first + i));
      places = Base64.getEncoder().encodeToString(bytes.array());
    }
    return Page.ordered(
        "first",
        range.first,
        "start",
        Double.toString(start),
        "length",
        Double.toString(length),
        "places",
        places);
  }
}
