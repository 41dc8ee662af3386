package lovelace.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import lovelace.budget.Budget;
import lovelace.csv.CsvRows;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TimeScale;
import org.jspecify.annotations.Nullable;

/// Reads an uploaded table: comma, semicolon or tab between values, quotes if needed, the columns'
/// names in the first row. Columns are numbers or times. Of other columns it keeps only the names.
/// If there are times, it also keeps the text of the table, for forecasts.
final class StudioTable {

  static final int MOST_COLUMNS = 100;

  /// Rows that are read between two checks of the time.
  private static final int CHECKED = 1024;

  private static final int PREVIEW = 5;

  /// About how many bytes a missing time takes.
  private static final int BLANK = 24;

  private final List<Reading> columns;
  private final List<List<String>> preview;
  private final int rows;
  private final byte[] source; // empty without times
  private final boolean headed;

  private StudioTable(
      List<Reading> columns, List<List<String>> preview, int rows, boolean headed, byte[] source) {
    this.headed = headed;
    this.source = source;
    this.columns = columns;
    this.preview = preview;
    this.rows = rows;
  }

  /// A column while it is being read.
  private static final class Reading {
    final String name;
    double[] values = new double[64];
    @Nullable List<String> texts; // null if the first value is a number
    @Nullable String wrong; // the first value that is neither number nor time
    int wrongRow;
    String wrongIs = "neither a number nor a time like 2020-01-31 or 2020Q1";
    boolean begun;
    @Nullable TimeScale time;

    Reading(String name) {
      this.name = name;
    }

    void add(String text, int row, boolean decimalComma, Room room) {
      if (row == values.length) {
        room.take(16L * row);
        values = Arrays.copyOf(values, 2 * row);
        room.give(8L * row);
      }
      values[row] = Double.NaN;
      if (CsvRows.isMissing(text)) {
        if (texts != null) add(texts, "", room);
        return;
      }
      double number = number(text, decimalComma);
      if (!begun) {
        begun = true;
        if (Double.isNaN(number) && TimeScale.recognizes(text)) {
          texts = new ArrayList<>();
          for (int i = 0; i < row; i++) add(texts, "", room);
        }
      }
      if (texts != null) add(texts, text, room);
      else if (Double.isNaN(number)) fail(text, row);
      else values[row] = number;
    }

    /// Keeps a text. It becomes a time when the table is complete.
    private static void add(List<String> texts, String text, Room room) {
      room.take(text.isEmpty() ? BLANK : Elements.TEXT + 2L * text.length());
      texts.add(text);
    }

    void fail(String text, int row) {
      if (wrong != null) return;
      wrong = text.length() <= 40 ? text : text.substring(0, 40) + "…";
      wrongRow = row;
    }

    /// Turns times into numbers.
    void finish(int rows) {
      values = Arrays.copyOf(values, rows);
      if (texts == null) return;
      check(texts);
      if (wrong == null) {
        List<String> present = texts.stream().filter(text -> !text.isEmpty()).toList();
        TimeScale scale = TimeScale.of(name, present);
        double[] numbers = scale.parse(name, present);
        for (int i = 0, next = 0; i < rows; i++)
          if (!texts.get(i).isEmpty()) values[i] = numbers[next++];
        time = scale;
      }
      texts = null;
    }

    /// Finds the first text that is not a time, or not of the same kind as those before.
    private void check(List<String> of) {
      TimeScale first = null;
      for (int i = 0; i < of.size() && wrong == null; i++) {
        String text = of.get(i);
        if (text.isEmpty()) continue;
        boolean isTime = TimeScale.recognizes(text);
        if (!isTime || (first != null && first.refusal(text).isPresent())) fail(text, i);
        if (isTime && first != null) first.refusal(text).ifPresent(why -> wrongIs = why);
        if (isTime && first == null) first = TimeScale.of(name, List.of(text));
      }
    }

    String kind() {
      return wrong != null || !begun ? "text" : time != null ? "time" : "number";
    }
  }

  private static double number(String text, boolean decimalComma) {
    return CsvRows.number(decimalComma ? text.replace(',', '.') : text);
  }

  /// Reads a table of at most `most` rows.
  static StudioTable read(byte[] body, int most, Room room) {
    String text = new String(body, StandardCharsets.UTF_8);
    if (text.indexOf('\0') >= 0)
      throw Refusal.wrong("this is not text; choose a CSV file with a comma between values");
    char separator = separator(text);
    try (CsvRows csv = CsvRows.of(text, separator)) {
      return read(csv, separator == ';', most, room, body);
    } catch (IllegalArgumentException e) {
      throw Refusal.wrong("%s", e.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // from memory
    }
  }

  private static StudioTable read(CsvRows csv, boolean comma, int most, Room room, byte[] body)
      throws IOException {
    String[] first = csv.next();
    if (first == null) throw Refusal.wrong("the table is empty; paste or choose a CSV file");
    if (first.length > MOST_COLUMNS)
      throw Refusal.wrong(
          "the table has %,d columns; the most is %d; leave some out", first.length, MOST_COLUMNS);
    List<Reading> columns = new ArrayList<>();
    boolean header = Arrays.stream(first).anyMatch(name -> isName(name, comma));
    for (int c = 0; c < first.length; c++) {
      String name = header ? first[c] : "";
      columns.add(new Reading(unique(name.isEmpty() ? "column " + (c + 1) : name, columns)));
    }
    List<List<String>> preview = new ArrayList<>();
    int rows = 0;
    if (header) csv.takeAsHeader();
    for (String[] fields = header ? csv.next() : first; fields != null; fields = csv.next()) {
      if (rows % CHECKED == 0) Budget.check();
      if (rows == most)
        throw new Refusal(
            413, String.format(Locale.ROOT, "the table has more than %,d rows; use fewer", most));
      for (int c = 0; c < fields.length; c++) columns.get(c).add(fields[c], rows, comma, room);
      if (rows++ < PREVIEW) preview.add(List.of(fields));
    }
    if (rows == 0) throw Refusal.wrong("the table has a heading and no rows; add some");
    room.take(8L * rows); // for one column after another
    for (Reading column : columns) column.finish(rows);
    boolean timed = columns.stream().anyMatch(column -> column.kind().equals("time"));
    return new StudioTable(columns, preview, rows, header, timed ? body : new byte[0]);
  }

  private static String unique(String name, List<Reading> before) {
    String result = name;
    for (int i = 2; ; i++) {
      String candidate = result;
      if (before.stream().noneMatch(other -> other.name.equals(candidate))) return result;
      result = name + " " + i;
    }
  }

  private static boolean isName(String text, boolean comma) {
    return !CsvRows.isMissing(text)
        && Double.isNaN(number(text, comma))
        && !TimeScale.recognizes(text);
  }

  /// The separator: tab or semicolon if the first line has any, otherwise comma.
  private static char separator(String text) {
    int end = text.indexOf('\n');
    String line = end < 0 ? text : text.substring(0, end);
    return line.indexOf('\t') >= 0 ? '\t' : line.indexOf(';') >= 0 ? ';' : ',';
  }

  int rows() {
    return rows;
  }

  long bytes() {
    return 8L * rows * columns.size() + source.length + 4096;
  }

  Map<String, Object> about() {
    List<Object> list = new ArrayList<>();
    for (Reading column : columns) {
      long missing =
          column.kind().equals("text")
              ? 0
              : Arrays.stream(column.values).filter(Double::isNaN).count();
      list.add(Answers.map("name", column.name, "kind", column.kind(), "missing", missing));
    }
    return Answers.map("rows", rows, "columns", list, "preview", preview);
  }

  /// A column of values: numbers, NaN where there is none.
  double[] numbers(String name) {
    Reading found = column(name);
    if (found.kind().equals("number")) return found.values;
    throw Refusal.wrong("column '%s' holds times, not numbers; choose another column", name);
  }

  /// The texts of some columns, row by row.
  List<String[]> texts(String... names) {
    if (source.length == 0)
      throw Refusal.wrong(
          "the table has no column of times; forecasts need one, such as 2020-01-31");
    int[] places = new int[names.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = columns.stream().map(c -> c.name).toList().indexOf(names[i]);
      if (places[i] < 0)
        throw Refusal.wrong(
            "there is no column '%s'; there are %s",
            names[i], columns.stream().map(c -> c.name).toList());
    }
    String text = new String(source, StandardCharsets.UTF_8);
    List<String[]> all = new ArrayList<>();
    try (CsvRows csv = CsvRows.of(text, separator(text))) {
      if (headed) csv.header();
      for (String[] fields = csv.next(); fields != null; fields = csv.next()) {
        if (all.size() % CHECKED == 0) Budget.check();
        String[] row = new String[places.length];
        for (int i = 0; i < row.length; i++) row[i] = fields[places[i]].strip();
        all.add(row);
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // from memory
    }
  }

  private Reading column(String name) {
    for (Reading column : columns)
      if (column.name.equals(name)) {
        if (column.wrong != null)
          throw Refusal.wrong(
              "row %,d: column '%s' is '%s', %s; or choose another column",
              column.wrongRow + 1, name, column.wrong, column.wrongIs);
        if (!column.begun) throw Refusal.wrong("column '%s' is empty; choose another column", name);
        return column;
      }
    throw Refusal.wrong(
        "there is no column '%s'; there are %s", name, columns.stream().map(c -> c.name).toList());
  }

  /// The rows that have all the requested values, with their sizes unless `size` is empty.
  Dataset dataset(List<String> inputs, String target, String size) {
    boolean sized = !size.isEmpty();
    if (sized && (inputs.contains(size) || size.equals(target)))
      throw Refusal.wrong(
          "'%s' is the column of sizes, and also the target or an input; choose another column",
          size);
    if (inputs.contains(target))
      throw Refusal.wrong("'%s' is both the target and an input; choose another column", target);
    if (Set.copyOf(inputs).size() < inputs.size())
      throw Refusal.wrong("an input is named twice in %s", inputs);
    List<Reading> read = new ArrayList<>();
    for (String input : inputs) read.add(column(input));
    Reading y = column(target);
    double[] all = sized ? column(size).values : new double[0];
    double[] sizes = new double[sized ? rows : 0];
    int d = read.size();
    double[] x = new double[Math.multiplyExact(rows, d)];
    double[] targets = new double[rows];
    int kept = 0;
    for (int i = 0; i < rows; i++) {
      boolean whole = !Double.isNaN(y.values[i]);
      for (int j = 0; j < d; j++) {
        x[kept * d + j] = read.get(j).values[i];
        whole &= !Double.isNaN(x[kept * d + j]);
      }
      targets[kept] = y.values[i];
      if (sized) {
        sizes[kept] = all[i];
        whole &= !Double.isNaN(all[i]);
      }
      if (whole) kept++;
    }
    if (kept < 2)
      throw Refusal.wrong(
          "only %,d of %,d rows have all the values; a model needs at least two", kept, rows);
    Dataset data =
        Dataset.of(
            Arrays.copyOf(x, kept * d),
            read.stream().map(StudioTable::described).toList(),
            Arrays.copyOf(targets, kept),
            described(y));
    return sized ? data.withWeights(Arrays.copyOf(sizes, kept)) : data;
  }

  private static Column described(Reading column) {
    TimeScale time = column.time;
    return time == null ? Column.of(column.name) : Column.of(column.name, time);
  }
}
