package lovelace.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lovelace.data.Column;
import lovelace.data.Place;
import lovelace.data.TimeScale;
import lovelace.likelihood.Likelihood;
import org.jspecify.annotations.Nullable;

/// How columns of a table become numbers, and a count of the values for which something else had to
/// stand. Threads may share it.
///
/// A value that is missing or cannot be read is the column's [Column#fill]; without one it is NaN,
/// and [#refusal] says whether that is an error or a row to skip. Nothing stands for a target, and
/// what is no size of a row is always an error.
final class Reading {

  /// What to do with a missing value.
  enum Missing {
    ERROR,
    SKIP,
    MEAN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// What to do with a word that the model has not seen.
  enum Unseen {
    MEAN,
    ERROR;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String NO_TIME = "not a date or timestamp (%s)".formatted(TimeScale.FORMS);

  /// Words that a note lists.
  private static final int LISTED = 5;

  private final List<Column> columns;
  private final int inputs;
  private final @Nullable RowSize size;
  private @Nullable Likelihood likelihood; // null where any target may be
  private final boolean skip;
  private final Unseen unseen;
  private final List<Map<String, Integer>> codes = new ArrayList<>();
  private final double[] reach; // the largest value of each column, whatever its sign
  private final LongAdder[] filled;
  private final LongAdder[] strange;
  private final List<TreeSet<String>> strangers = new ArrayList<>();

  /// @param missing of values without a [Column#fill]: `ERROR` refuses them, others skip the row
  Reading(List<Column> columns, Missing missing, Unseen unseen) {
    this(columns, columns.size(), null, missing, unseen);
  }

  /// @param inputs how many of the columns are inputs; the others are a target and a size
  /// @param size what the last column is, null where it is no size
  Reading(
      List<Column> columns, int inputs, @Nullable RowSize size, Missing missing, Unseen unseen) {
    this.columns = List.copyOf(columns);
    this.inputs = inputs;
    this.size = size;
    this.skip = missing != Missing.ERROR;
    this.unseen = unseen;
    reach = new double[columns.size()];
    Arrays.fill(reach, Double.POSITIVE_INFINITY);
    filled = adders(columns.size());
    strange = adders(columns.size());
    for (Column column : columns) {
      Map<String, Integer> known = new HashMap<>();
      for (String word : column.values()) known.put(word, known.size());
      codes.add(known);
      strangers.add(new TreeSet<>());
    }
  }

  /// Columns of which no word is unseen.
  static Reading of(Missing missing, Column... columns) {
    return new Reading(List.of(columns), missing, Unseen.MEAN);
  }

  private static LongAdder[] adders(int count) {
    return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
  }

  /// The same, which refuses targets that a likelihood cannot have.
  Reading under(Likelihood value) {
    likelihood = value.isGaussian() || inputs == columns.size() ? null : value;
    return this;
  }

  /// Why the target of a row of numbers cannot be, with its name and value; null where it can.
  @Nullable String refusal(double[][] values, int row) {
    if (likelihood == null) return null;
    double y = values[inputs][row];
    double many = size == null ? 1 : values[inputs + 1][row];
    String rule = likelihood.refusal(y, many);
    if (rule == null) return null;
    return "target '%s' is %s%s; %s"
        .formatted(
            columns.get(inputs).name(),
            RowSize.text(y),
            size != null && size.kind() == RowSize.Kind.TRIALS
                ? " with trials " + RowSize.text(many)
                : "",
            rule);
  }

  /// The same, which refuses longitudes and latitudes that are none.
  Reading at(Optional<Place> place) {
    if (place.isEmpty() || !place.get().isGeographic()) return this;
    for (int j = 0; j < inputs; j++) {
      String name = columns.get(j).name();
      if (name.equals(place.get().north())) reach[j] = 90;
      if (name.equals(place.get().east())) reach[j] = 360;
    }
    return this;
  }

  List<Column> columns() {
    return columns;
  }

  /// Whether rows that lack a value may be left out.
  boolean skips() {
    return skip;
  }

  /// Whether a column is read as text.
  boolean isText(int column) {
    return columns.get(column).time().isPresent() || columns.get(column).isText();
  }

  /// A value of a column of numbers, NaN where it is missing.
  double number(int column, double value) {
    if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) return absent(column, value);
    if (Math.abs(value) > reach[column]) return Double.NaN;
    return size != null && column == columns.size() - 1 ? size.of(value) : value;
  }

  /// A value of a column of times or words, null where it is missing.
  double text(int column, @Nullable String value) {
    if (value == null) return absent(column, Double.NaN);
    TimeScale time = columns.get(column).time().orElse(null);
    if (time != null) {
      double number = time.find(value);
      return Double.isNaN(number) && !TimeScale.recognizes(value)
          ? absent(column, Double.NaN)
          : number; // NaN of a time with a zone among times without
    }
    Integer code = codes.get(column).get(value);
    if (code != null) return code;
    if (column >= inputs) return number(columns.get(column).values(), value);
    if (unseen == Unseen.ERROR) return Double.NaN;
    strange[column].increment();
    synchronized (strangers) {
      TreeSet<String> some = strangers.get(column);
      some.add(value);
      if (some.size() > LISTED + 1) some.pollLast(); // the first ones, whatever the order of rows
    }
    return Column.UNSEEN;
  }

  /// The place of a number that may be written in another way; NaN where it is none of them.
  private static double number(List<String> values, String value) {
    for (int i = 0; i < values.size(); i++) if (Classes.same(values.get(i), value)) return i;
    return Double.NaN;
  }

  private double absent(int column, double value) {
    if (columns.get(column).fill().isEmpty()) return value;
    filled[column].increment();
    return columns.get(column).fill().getAsDouble();
  }

  /// Why a row cannot be read whose value is no finite number, to follow the column's name; null
  /// where the row is to be skipped.
  @Nullable String refusal(int column, @Nullable String text, double value) {
    Column of = columns.get(column);
    if (size != null && column == columns.size() - 1 && Double.isFinite(value))
      return size.refusal(value);
    if (Double.isFinite(value) && Math.abs(value) > reach[column])
      return String.format(
          Locale.ROOT,
          "is %s, and a %s lies from -%.0f to %.0f degrees; correct or drop the row, or check which column is which",
          value,
          reach[column] == 90 ? "latitude" : "longitude",
          reach[column],
          reach[column]);
    if (of.isText() && text != null && column >= inputs)
      return "is '%s', and the model's classes are '%s'; correct or drop the row"
          .formatted(text, String.join("' and '", of.values()));
    if (of.isText() && text != null)
      return "is '%s', a word that the model has not seen; it knows %s; correct the row, or pass --unseen mean"
          .formatted(text, words(of.values(), 12));
    if (of.time().isPresent() && text != null && TimeScale.recognizes(text))
      return "is '%s', %s".formatted(text, of.time().get().refusal(text).orElseThrow());
    if (skip) return null;
    String what =
        text != null
            ? "is '%s', %s".formatted(text, of.time().isEmpty() ? "not a number" : NO_TIME)
            : Double.isInfinite(value) ? "is infinite" : "has no value";
    return what + "; correct or drop the row, or pass --missing skip or mean";
  }

  /// How many values of a column were missing and filled.
  long filled(int column) {
    return filled[column].sum();
  }

  /// How many values of a column are words that the model has not seen.
  long unseen(int column) {
    return strange[column].sum();
  }

  /// What had to be done, a line for each column and kind.
  List<String> remarks() {
    List<String> notes = new ArrayList<>();
    for (int j = 0; j < columns.size(); j++) {
      Column column = columns.get(j);
      if (filled(j) > 0)
        notes.add(
            String.format(
                Locale.ROOT,
                "column '%s': %,d missing value%s read as %s",
                column.name(),
                filled(j),
                filled(j) == 1 ? " is" : "s are",
                fill(column)));
      if (unseen(j) > 0)
        notes.add(
            String.format(
                Locale.ROOT,
                "column '%s': %,d %s that the model has not seen (%s); the prediction uses the other columns",
                column.name(),
                unseen(j),
                unseen(j) == 1 ? "row has a word" : "rows have words",
                strangers(j)));
    }
    return notes;
  }

  /// The same for programs: a count for each column that has one.
  Map<String, Object> json(boolean ofUnseen) {
    Map<String, Object> counts = new LinkedHashMap<>();
    for (int j = 0; j < columns.size(); j++) {
      long count = ofUnseen ? unseen(j) : filled(j);
      if (count > 0) counts.put(columns.get(j).name(), count);
    }
    return counts;
  }

  /// What stands for a missing value of a column, in words.
  static String fill(Column column) {
    double value = column.fill().orElseThrow();
    if (column.isText())
      return value == Column.UNSEEN ? "a word of its own" : "'" + column.format(value) + "'";
    return column.time().isPresent()
        ? "mean " + column.format(value)
        : String.format(Locale.ROOT, "mean %.6g", value);
  }

  private String strangers(int column) {
    synchronized (strangers) {
      return words(List.copyOf(strangers.get(column)), LISTED);
    }
  }

  /// The first of some words, with dots where there are more.
  static String words(List<String> words, int most) {
    return words.stream().limit(most).collect(Collectors.joining(", "))
        + (words.size() > most ? ", …" : "");
  }

  /// The same columns with what a missing value is read as taken away, unless it is to be used.
  static List<Column> columns(List<Column> columns, @Nullable Missing missing) {
    if (missing == null) return columns;
    if (missing == Missing.MEAN) {
      List<String> without =
          columns.stream().filter(c -> c.fill().isEmpty()).map(Column::name).toList();
      if (without.isEmpty()) return columns;
      throw new IllegalArgumentException(
          "--missing mean: the model has no mean of %s; fit it with --missing mean, or pass --missing skip"
              .formatted(words(without, 5)));
    }
    Column[] strict = columns.toArray(Column[]::new);
    for (int j = 0; j < strict.length; j++) {
      Column c = strict[j];
      strict[j] = new Column(c.name(), c.unit(), c.time(), c.values(), OptionalDouble.empty());
    }
    return Arrays.asList(strict);
  }
}
