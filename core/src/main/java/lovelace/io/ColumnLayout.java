package lovelace.io;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.Place;
import lovelace.data.TimeScale;

/// Writes and reads the columns of a model: their names, units, words, times and coordinates.
final class ColumnLayout {

  private static final String WORDS = "words";
  private static final String FILLED = "filled";

  private ColumnLayout() {}

  static void put(Text about, ModelState model) {
    for (Column column : model.inputs()) putColumn(about, "input", column);
    for (LeftOut out : model.leftOut()) {
      about.put("left-out", out.place(), out.value());
      putColumn(about, "left-out-column", out.column());
    }
    putColumn(about, "target", model.target());
  }

  static List<Column> inputs(Text about) {
    return about.all("input").stream().map(ColumnLayout::column).toList();
  }

  static Column target(Text about) {
    return column(about.fields("target", 2));
  }

  private static void putColumn(Text about, String key, Column column) {
    List<Object> fields = new ArrayList<>(List.of(column.name(), column.unit()));
    if (column.isText()) fields.add(WORDS);
    if (column.isText() || column.fill().isPresent()) {
      if (!column.isText()) fields.add(FILLED);
      fields.add(column.fill().isPresent() ? column.fill().getAsDouble() : "");
    }
    column
        .time()
        .ifPresent(
            time ->
                fields.addAll(
                    List.of(
                        time.origin(),
                        time.unit().name(),
                        time.resolution().name(),
                        time.offset().map(ZoneOffset::getId).orElse(""))));
    fields.addAll(column.values());
    about.put(key, fields.toArray());
  }

  /// Name and unit; then the mark of a column of words, or of one of numbers or times that has a
  /// value for missing ones; then the four fields of a time scale, or the words.
  private static Column column(List<String> fields) {
    if (fields.size() < 2) throw new IllegalArgumentException("a column has " + fields);
    String name = fields.get(0);
    String unit = fields.get(1);
    List<String> rest = fields.subList(2, fields.size());
    boolean words = !rest.isEmpty() && rest.getFirst().equals(WORDS);
    boolean filled = !rest.isEmpty() && rest.getFirst().equals(FILLED);
    OptionalDouble fill = OptionalDouble.empty();
    if (words || filled) {
      if (rest.size() < 2) throw new IllegalArgumentException("a column has " + fields);
      String value = rest.get(1);
      if (!value.isEmpty()) fill = OptionalDouble.of(Text.toNumber(value));
      rest = rest.subList(2, rest.size());
    }
    if (fill.isPresent() && !(Math.abs(fill.getAsDouble()) < Double.POSITIVE_INFINITY))
      throw new IllegalArgumentException("the number for missing values is " + fill);
    if (words) {
      if (rest.isEmpty()) throw new IllegalArgumentException("a text column has no words");
      return new Column(name, unit, Optional.empty(), rest, fill);
    }
    return new Column(name, unit, time(rest), List.of(), fill);
  }

  private static Optional<TimeScale> time(List<String> fields) {
    if (fields.isEmpty()) return Optional.empty();
    if (fields.size() != 4) throw new IllegalArgumentException("a time scale has " + fields);
    try {
      return Optional.of(
          new TimeScale(
              LocalDateTime.parse(fields.get(0)),
              TimeScale.Unit.valueOf(fields.get(1)),
              TimeScale.Resolution.valueOf(fields.get(2)),
              Optional.of(fields.get(3)).filter(id -> !id.isEmpty()).map(ZoneOffset::of)));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("a time scale has " + fields, e);
    }
  }

  static List<LeftOut> leftOut(Text about) {
    List<List<String>> places = about.all("left-out");
    List<List<String>> columns = about.all("left-out-column");
    if (places.size() != columns.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "it leaves out %d columns, but gives %d positions",
              columns.size(),
              places.size()));
    List<LeftOut> all = new ArrayList<>();
    for (int i = 0; i < places.size(); i++) {
      double[] numbers = Text.toNumbers(places.get(i));
      if (numbers.length != 2)
        throw new IllegalArgumentException("a column that is left out has " + places.get(i));
      all.add(new LeftOut(column(columns.get(i)), (int) numbers[0], numbers[1]));
    }
    return all;
  }

  /// Both columns, the system, radius and inverse flattening of a geographic one (0 0 else), and
  /// the metres of a unit.
  static void putPlace(Text about, Place place) {
    about.put(
        "place",
        place.east(),
        place.north(),
        place.system(),
        place.ellipsoid().map(Place.Ellipsoid::semiMajor).orElse(0.0),
        place.ellipsoid().map(Place.Ellipsoid::inverseFlattening).orElse(0.0),
        place.metres());
  }

  static Optional<Place> place(Text about, List<Column> inputs) {
    if (about.all("place").isEmpty()) return Optional.empty();
    List<String> fields = about.fields("place", 6);
    for (String name : fields.subList(0, 2))
      if (inputs.stream().noneMatch(column -> column.name().equals(name)))
        throw new IllegalArgumentException(
            "its coordinates are in a column '%s', which it does not have".formatted(name));
    double radius = Text.toNumber(fields.get(3));
    return Optional.of(
        new Place(
            fields.get(0),
            fields.get(1),
            fields.get(2),
            radius == 0
                ? Optional.empty()
                : Optional.of(new Place.Ellipsoid(radius, Text.toNumber(fields.get(4)))),
            Text.toNumber(fields.get(5))));
  }
}
