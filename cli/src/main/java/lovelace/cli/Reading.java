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

/// Turns columns of a table into numbers, and counts the values that were replaced. Threads may
/// share it.
///
/// A value that is missing or cannot be read becomes the column's [Column#fill]. A column without
/// one gets NaN, and [#refusal] says whether that is an error or a row to skip. A target is never
/// replaced, and an invalid size of a row is always an error.
final class Reading {

  /// How to treat a missing value.
  enum Missing {
    ERROR,
    SKIP,
    MEAN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// How to treat a word that the model has not seen.
  enum Unseen {
    MEAN,
    ERROR;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String NO_TIME = "not a date or timestamp (%s)".formatted(TimeScale.FORMS);

  /// The most words that a note lists.
  private static final int LISTED = 5;

  private final List<Column> columns;
  private final int inputs;
  private final @Nullable RowSize size;
  private @Nullable Likelihood likelihood; // null if any target is allowed
  private final boolean skip;
  private final Unseen unseen;
  private final List<Map<String, Integer>> codes = new ArrayList<>();
  private final double[] reach; // the largest allowed absolute value of each column
  private final LongAdder[] filled;
  private final LongAdder[] strange;
  private final List<TreeSet<String>> strangers = new ArrayList<>();

  /// @param missing how to treat missing values without a [Column#fill]: `ERROR` refuses them,
  ///   others skip the row
  Reading(List<Column> columns, Missing missing, Unseen unseen) {
    this(columns, columns.size(), null, missing, unseen);
  }

  /// @param inputs the number of columns that are inputs; the others are a target and a size
  /// @param size the kind of the last column; null if it is not a size
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

  /// A reading of columns for which no word is unseen.
  static Reading of(Missing missing, Column... columns) {
    return new Reading(List.of(columns), missing, Unseen.MEAN);
  }

  private static LongAdder[] adders(int count) {
    return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
  }

  /// The same reading, which refuses targets that a likelihood cannot have.
  Reading under(Likelihood value) {
    likelihood = value.isGaussian() || inputs == columns.size() ? null : value;
    return this;
  }

  /// Why the target of a row of numbers is impossible, with its name and value; null if it is
  /// possible.
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

  /// The same reading, which refuses numbers that are not valid longitudes and latitudes.
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

  /// Whether rows with a missing value may be left out.
  boolean skips() {
    return skip;
  }

  /// Whether a column is read as text.
  boolean isText(int column) {
    return columns.get(column).time().isPresent() || columns.get(column).isText();
  }

  /// The number for a value of a column of numbers. A missing value is NaN.
  double number(int column, double value) {
    if (!(Math.abs(value) < Double.POSITIVE_INFINITY)) return absent(column, value);
    if (Math.abs(value) > reach[column]) return Double.NaN;
    return size != null && column == columns.size() - 1 ? size.of(value) : value;
  }

  /// The number for a value of a column of times or words. A missing value is null.
  double text(int column, @Nullable String value) {
    if (value == null) return absent(column, Double.NaN);
    TimeScale time = columns.get(column).time().orElse(null);
    if (time != null) {
      double number = time.find(value);
      return Double.isNaN(number) && !TimeScale.recognizes(value)
          ? absent(column, Double.NaN)
          : number; // NaN for a time with a zone among times without
    }
    Integer code = codes.get(column).get(value);
    if (code != null) return code;
    if (column >= inputs) return number(columns.get(column).values(), value);
    if (unseen == Unseen.ERROR) return Double.NaN;
    strange[column].increment();
    synchronized (strangers) {
      TreeSet<String> some = strangers.get(column);
      some.add(value);
      if (some.size() > LISTED + 1) some.pollLast(); // keeps the first in their order
    }
    return Column.UNSEEN;
  }

  /// The position of a number in a list whose entries may be written differently; NaN if it is not
  /// there.
  private static double number(List<String> values, String value) {
    for (int i = 0; i < values.size(); i++) if (Classes.same(values.get(i), value)) return i;
    return Double.NaN;
  }

  private double absent(int column, double value) {
    if (columns.get(column).fill().isEmpty()) return value;
    filled[column].increment();
    return columns.get(column).fill().getAsDouble();
  }

  /// Why a row cannot be read if a value is not a finite number. The text follows the column's
  /// name. Null if the row is to be skipped.
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

  /// The number of values of a column that were missing and filled.
  long filled(int column) {
    return filled[column].sum();
  }

  /// The number of values of a column that are words unknown to the model.
  long unseen(int column) {
    return strange[column].sum();
  }

  /// Remarks on replaced values, a line for each column and kind.
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

  /// The same as JSON: a count for each column that has one.
  Map<String, Object> json(boolean ofUnseen) {
    Map<String, Object> counts = new LinkedHashMap<>();
    for (int j = 0; j < columns.size(); j++) {
      long count = ofUnseen ? unseen(j) : filled(j);
      if (count > 0) counts.put(columns.get(j).name(), count);
    }
    return counts;
  }

  /// Says in words how a missing value of a column is filled.
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

  /// The first `most` words, followed by dots if there are more.
  static String words(List<String> words, int most) {
    return words.stream().limit(most).collect(Collectors.joining(", "))
        + (words.size() > most ? ", …" : "");
  }

  /// The same columns, without their fill for missing values unless it is to be used.
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
