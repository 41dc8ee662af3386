package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import lovelace.cli.Table.Field;
import lovelace.cli.Table.Kind;

/// The parts that columns of a table play for its series.
///
/// @param ids the columns that tell series apart; none if the table is one series
/// @param time the column of times
/// @param values the column of values, or a column for each series of a wide table
/// @param wide whether each column of values is a series
/// @param unused the columns that no series uses
/// @param guessed whether a part was found by the kinds of columns alone
record SeriesColumns(
    List<String> ids,
    String time,
    List<String> values,
    boolean wide,
    List<String> unused,
    boolean guessed) {

  /// The names that tools for series expect.
  private static final String ID = "unique_id";

  private static final String TIME = "ds";
  private static final String VALUE = "y";

  /// The names of a column of times that holds plain numbers.
  private static final Set<String> TIMES =
      Set.of("time", "date", "datetime", "timestamp", "period", "year", "t", "step");

  SeriesColumns {
    ids = List.copyOf(ids);
    values = List.copyOf(values);
    unused = List.copyOf(unused);
  }

  /// The names of the columns that name a series in results.
  List<String> idNames() {
    return wide ? List.of(ID) : ids;
  }

  /// Finds the columns of a table in which no column plays another part.
  static SeriesColumns find(Table table, SeriesOptions options) throws IOException {
    return find(table, options, Set.of());
  }

  /// Finds the columns: those that options name, then those with the usual names, then the only
  /// ones of their kind.
  ///
  /// @param taken columns that play another part; they are not found by their kind
  static SeriesColumns find(Table table, SeriesOptions options, Set<String> taken)
      throws IOException {
    table.requireRows();
    String time = time(table, options);
    if (options.wide()) return wide(table, time, taken);
    boolean guessed = options.time().isEmpty() && !time.equals(TIME);
    Optional<List<String>> known = ids(table, options, time);
    Set<String> others = new HashSet<>(taken);
    others.addAll(known.orElse(List.of()));
    String value = value(table, options, time, others);
    guessed |= options.target().isEmpty() && !value.equals(VALUE);
    List<String> ids = known.isPresent() ? known.get() : onlyText(table, time, value, taken);
    List<String> all = new ArrayList<>(ids);
    all.add(time);
    if (all.contains(value) || ids.contains(time) || ids.stream().distinct().count() < ids.size())
      throw new IllegalArgumentException(
          "a column plays two parts: --id %s, --time %s, --target %s; name different columns"
              .formatted(String.join(",", ids), time, value));
    all.add(value);
    guessed |= options.ids().isEmpty() && !ids.isEmpty() && !ids.equals(List.of(ID));
    return new SeriesColumns(ids, time, List.of(value), false, others(table, all), guessed);
  }

  private static SeriesColumns wide(Table table, String time, Set<String> taken) {
    List<String> values = new ArrayList<>();
    List<String> unused = new ArrayList<>();
    for (Field field : table.fields()) {
      if (field.name().equals(time)) continue;
      boolean number = field.kind() == Kind.NUMBER && !taken.contains(field.name());
      (number ? values : unused).add(field.name());
    }
    if (values.isEmpty())
      throw new IllegalArgumentException(
          "--series-in-columns: '%s' has no column of numbers beside '%s'; its columns are %s"
              .formatted(table.name(), time, table.listing()));
    return new SeriesColumns(List.of(), time, values, true, unused, false);
  }

  private static List<String> others(Table table, List<String> used) {
    return table.fields().stream().map(Field::name).filter(name -> !used.contains(name)).toList();
  }

  private static String time(Table table, SeriesOptions options) {
    if (options.time().isPresent()) {
      String named = options.time().get();
      return Named.of("--time", () -> table.field(named)).name();
    }
    if (has(table, TIME)) return TIME;
    List<String> times = of(table, Kind.TIME);
    if (times.size() > 1)
      throw new IllegalArgumentException(
          "'%s' has %s columns of times: %s; name one with --time"
              .formatted(table.name(), times.size(), String.join(", ", times)));
    if (times.size() == 1) return times.getFirst();
    List<String> numbers =
        of(table, Kind.NUMBER).stream()
            .filter(name -> TIMES.contains(name.toLowerCase(Locale.ROOT)))
            .toList();
    if (numbers.size() == 1) return numbers.getFirst();
    throw new IllegalArgumentException(
        "'%s' has no column of times; its columns are %s; name the one that orders the rows with --time"
            .formatted(table.name(), table.listing()));
  }

  /// The columns of ids; empty if they must be found by their kind.
  private static Optional<List<String>> ids(Table table, SeriesOptions options, String time) {
    if (options.isOne()) return Optional.of(List.of());
    if (options.ids().isEmpty())
      return has(table, ID) && !time.equals(ID) ? Optional.of(List.of(ID)) : Optional.empty();
    List<String> found = new ArrayList<>();
    for (String id : options.ids())
      found.add(Named.of("--id", () -> table.field(id.strip())).name());
    return Optional.of(found);
  }

  private static String value(Table table, SeriesOptions options, String time, Set<String> ids)
      throws IOException {
    if (options.target().isPresent()) {
      String named = options.target().get();
      return number(table, Named.of("--target", () -> table.field(named)));
    }
    if (has(table, VALUE) && !time.equals(VALUE) && !ids.contains(VALUE))
      return number(table, table.field(VALUE));
    List<String> numbers =
        of(table, Kind.NUMBER).stream()
            .filter(name -> !name.equals(time) && !ids.contains(name))
            .toList();
    if (numbers.size() == 1) return numbers.getFirst();
    List<String> left =
        table.fields().stream()
            .map(Field::name)
            .filter(name -> !name.equals(time) && !ids.contains(name))
            .toList();
    if (numbers.isEmpty() && left.size() == 1) return number(table, table.field(left.getFirst()));
    if (numbers.isEmpty())
      throw new IllegalArgumentException(
          "'%s' has no column of numbers to forecast; its columns are %s"
              .formatted(table.name(), table.listing()));
    throw new IllegalArgumentException(
        "'%s' has %s columns of numbers: %s; name the one to forecast with --target, or pass --series-in-columns if each is a series"
            .formatted(table.name(), numbers.size(), String.join(", ", numbers)));
  }

  private static String number(Table table, Field field) throws IOException {
    if (field.kind() == Kind.NUMBER) return field.name();
    String example = field.kind() == Kind.TEXT ? table.firstText(field.name()) : "";
    if (field.kind() == Kind.TEXT && example.isEmpty())
      throw new IllegalArgumentException(
          "column '%s' of '%s' has no values to forecast; choose another with --target, or fill it"
              .formatted(field.name(), table.name()));
    throw new IllegalArgumentException(
        "column '%s' of '%s' holds %s%s, and only numbers can be forecast; choose another with --target, or correct it"
            .formatted(
                field.name(),
                table.name(),
                field.kind() == Kind.TIME ? "times" : "text",
                example.isEmpty() ? "" : " (" + example + ")"));
  }

  /// The only column of text that is left. Of several, somebody must say which tell series apart.
  private static List<String> onlyText(Table table, String time, String value, Set<String> taken) {
    List<String> texts =
        table.fields().stream()
            .filter(field -> field.kind() == Kind.TEXT)
            .map(Field::name)
            .filter(name -> !name.equals(time) && !name.equals(value) && !taken.contains(name))
            .toList();
    if (texts.size() <= 1) return texts;
    throw new IllegalArgumentException(
        "'%s' has %s columns of text: %s; name those that tell series apart with --id, or pass --id none for one series"
            .formatted(table.name(), texts.size(), String.join(", ", texts)));
  }

  private static boolean has(Table table, String name) {
    return table.fields().stream().anyMatch(field -> field.name().equals(name));
  }

  private static List<String> of(Table table, Kind kind) {
    return table.fields().stream().filter(field -> field.kind() == kind).map(Field::name).toList();
  }

  /// The same parts, with columns that something else uses.
  SeriesColumns besides(Set<String> used) {
    List<String> left = unused.stream().filter(name -> !used.contains(name)).toList();
    return new SeriesColumns(ids, time, values, wide, left, guessed);
  }

  /// The columns in words.
  String words() {
    if (wide)
      return String.format(
          Locale.ROOT, "time %s, a series in each of %,d columns", time, values.size());
    return "%stime %s, target %s"
        .formatted(
            ids.isEmpty() ? "one series, " : "id %s, ".formatted(String.join(", ", ids)),
            time,
            values.getFirst());
  }
}
