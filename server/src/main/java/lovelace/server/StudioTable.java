package lovelace.server;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.TimeScale;
import org.jspecify.annotations.Nullable;

/// A table that was uploaded: comma, semicolon or tab between values, quotes around them where
/// needed, the columns' names in the first row. Columns are numbers or times; others are kept by
/// name only.
final class StudioTable {

  static final int MOST_COLUMNS = 100;

  private static final Set<String> MISSING = Set.of("", "na", "n/a", "nan", "null", "none", "?");
  private static final int PREVIEW = 5;

  private final List<Reading> columns;
  private final List<List<String>> preview;
  private final int rows;

  private StudioTable(List<Reading> columns, List<List<String>> preview, int rows) {
    this.columns = columns;
    this.preview = preview;
    this.rows = rows;
  }

  /// A column as it is read.
  private static final class Reading {
    final String name;
    double[] values = new double[64];
    @Nullable List<String> texts; // where the first value is no number
    @Nullable String wrong; // the first value that fits nothing
    int wrongRow;
    boolean begun;
    @Nullable TimeScale time;

    Reading(String name) {
      this.name = name;
    }

    void add(String raw, int row, boolean decimalComma) {
      if (row == values.length) values = Arrays.copyOf(values, 2 * row);
      String text = raw.strip();
      values[row] = Double.NaN;
      if (missing(text)) {
        if (texts != null) texts.add("");
        return;
      }
      double number = number(text, decimalComma);
      if (!begun) {
        begun = true;
        if (Double.isNaN(number) && TimeScale.recognizes(text)) {
          texts = new ArrayList<>();
          for (int i = 0; i < row; i++) texts.add("");
        }
      }
      if (texts != null) texts.add(text);
      else if (Double.isNaN(number)) fail(text, row);
      else values[row] = number;
    }

    void fail(String text, int row) {
      if (wrong != null) return;
      wrong = text.length() <= 40 ? text : text.substring(0, 40) + "…";
      wrongRow = row;
    }

    /// Times become numbers.
    void finish(int rows) {
      values = Arrays.copyOf(values, rows);
      if (texts == null) return;
      List<String> present = texts.stream().filter(text -> !text.isEmpty()).toList();
      try {
        TimeScale scale = TimeScale.of(name, present);
        double[] numbers = scale.parse(name, present);
        for (int i = 0, next = 0; i < rows; i++)
          if (!texts.get(i).isEmpty()) values[i] = numbers[next++];
        time = scale;
      } catch (IllegalArgumentException e) {
        for (int i = 0; i < rows && wrong == null; i++)
          if (!texts.get(i).isEmpty() && !TimeScale.recognizes(texts.get(i))) fail(texts.get(i), i);
        if (wrong == null) fail(present.getFirst(), 0);
      }
      texts = null;
    }

    String kind() {
      return wrong != null || !begun ? "text" : time != null ? "time" : "number";
    }
  }

  private static boolean missing(String text) {
    return text.length() <= 4 && MISSING.contains(text.toLowerCase(java.util.Locale.ROOT));
  }

  private static double number(String text, boolean decimalComma) {
    char c = text.charAt(0);
    if (!(c == '-' || c == '+' || c == '.' || c == ',' || (c >= '0' && c <= '9')))
      return Double.NaN;
    char last = text.charAt(text.length() - 1);
    if (!(last == '.' || (last >= '0' && last <= '9'))) return Double.NaN; // not 1d nor 0x1p3
    try {
      double value = Double.parseDouble(decimalComma ? text.replace(',', '.') : text);
      return Double.isFinite(value) ? value : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /// Reads a table of at most so many rows.
  static StudioTable read(byte[] body, int most) {
    String text = new String(body, StandardCharsets.UTF_8);
    if (text.startsWith("\uFEFF")) text = text.substring(1);
    if (text.isBlank()) throw Refusal.wrong("the table is empty; paste or choose a CSV file");
    if (text.indexOf('\0') >= 0)
      throw Refusal.wrong("this is no text; choose a CSV file, with a comma between values");
    char separator = separator(text);
    boolean comma = separator == ';';
    List<String> fields = new ArrayList<>();
    int at = record(text, 0, separator, fields);
    if (fields.size() > MOST_COLUMNS)
      throw Refusal.wrong(
          "the table has %,d columns, the most are %d; leave some out",
          fields.size(), MOST_COLUMNS);
    List<Reading> columns = new ArrayList<>();
    boolean header = fields.stream().anyMatch(f -> isName(f.strip(), comma));
    for (int c = 0; c < fields.size(); c++) {
      String name = header ? fields.get(c).strip() : "";
      columns.add(new Reading(unique(name.isEmpty() ? "column " + (c + 1) : name, columns)));
    }
    if (!header) at = 0;
    List<List<String>> preview = new ArrayList<>();
    int rows = 0;
    while (at < text.length()) {
      at = record(text, at, separator, fields);
      if (fields.size() == 1 && fields.getFirst().isBlank()) continue;
      if (fields.size() != columns.size())
        throw Refusal.wrong(
            "row %,d has %,d values, the first row has %,d; check its separators and quotes",
            rows + 1, fields.size(), columns.size());
      if (rows == most)
        throw new Refusal(
            413, String.format(Locale.ROOT, "the table has more than %,d rows; use fewer", most));
      for (int c = 0; c < fields.size(); c++) columns.get(c).add(fields.get(c), rows, comma);
      if (rows++ < PREVIEW) preview.add(List.copyOf(fields));
    }
    if (rows == 0) throw Refusal.wrong("the table has a heading and no rows");
    for (Reading column : columns) column.finish(rows);
    return new StudioTable(columns, preview, rows);
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
    return !missing(text) && Double.isNaN(number(text, comma)) && !TimeScale.recognizes(text);
  }

  /// Tab or semicolon where the first line has any, else comma.
  private static char separator(String text) {
    int end = text.indexOf('\n');
    String line = end < 0 ? text : text.substring(0, end);
    return line.indexOf('\t') >= 0 ? '\t' : line.indexOf(';') >= 0 ? ';' : ',';
  }

  /// Reads the values of one record; returns where the next begins.
  private static int record(String text, int from, char separator, List<String> fields) {
    fields.clear();
    int at = from;
    while (true) {
      if (at < text.length() && text.charAt(at) == '"') {
        StringBuilder value = new StringBuilder();
        at++;
        while (true) {
          int quote = text.indexOf('"', at);
          if (quote < 0)
            throw Refusal.wrong("a quote is not closed: %s", shown(text.substring(from)));
          value.append(text, at, quote);
          at = quote + 1;
          if (at >= text.length() || text.charAt(at) != '"') break;
          value.append('"');
          at++;
        }
        fields.add(value.toString());
      } else {
        int start = at;
        while (at < text.length()
            && text.charAt(at) != separator
            && text.charAt(at) != '\n'
            && text.charAt(at) != '\r') at++;
        fields.add(text.substring(start, at));
      }
      if (at >= text.length()) return at;
      char c = text.charAt(at);
      if (c == separator) {
        at++;
      } else if (c == '\n' || c == '\r') {
        return c == '\r' && at + 1 < text.length() && text.charAt(at + 1) == '\n' ? at + 2 : at + 1;
      } else {
        throw Refusal.wrong("text after a closing quote: %s", shown(text.substring(from)));
      }
    }
  }

  private static String shown(String text) {
    String line = text.lines().findFirst().orElse("");
    return "'" + (line.length() <= 60 ? line : line.substring(0, 60) + "…") + "'";
  }

  int rows() {
    return rows;
  }

  long bytes() {
    return 8L * rows * columns.size() + 4096;
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

  private Reading column(String name) {
    for (Reading column : columns)
      if (column.name.equals(name)) {
        if (column.wrong != null)
          throw Refusal.wrong(
              "row %,d: column '%s' is '%s', neither a number nor a time like 2020-01-31; choose another column",
              column.wrongRow + 1, name, column.wrong);
        if (!column.begun) throw Refusal.wrong("column '%s' is empty; choose another column", name);
        return column;
      }
    throw Refusal.wrong(
        "there is no column '%s'; there are %s", name, columns.stream().map(c -> c.name).toList());
  }

  /// The rows that have all the values asked for, with their sizes unless `size` is empty.
  Dataset dataset(List<String> inputs, String target, String size) {
    boolean sized = !size.isEmpty();
    if (sized && (inputs.contains(size) || size.equals(target)))
      throw Refusal.wrong(
          "'%s' says how large rows are, and is the target or an input too; it can be one of them",
          size);
    if (inputs.contains(target))
      throw Refusal.wrong("'%s' is the target and an input; it can be one of them", target);
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
      throw Refusal.wrong("%,d of %,d rows have all the values; a model needs two", kept, rows);
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
