package lovelace.experiments;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// A gzipped CSV file of numbers under a line of names.
final class NumberTable {

  private static final Set<String> MISSING = Set.of("", "na", "nan", "null");

  private final Path file;
  private final List<String> names;
  private final double[][] values;

  private NumberTable(Path file, List<String> names, double[][] values) {
    this.file = file;
    this.names = names;
    this.values = values;
  }

  /// Every value is a number.
  static NumberTable read(Path file) throws IOException {
    return read(file, false);
  }

  /// The last column may lack values: nothing, `NA`, `NaN` or `null`, which become NaN.
  static NumberTable readWithGaps(Path file) throws IOException {
    return read(file, true);
  }

  private static NumberTable read(Path file, boolean gaps) throws IOException {
    try (var reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      String header = reader.readLine();
      if (header == null) throw new IllegalArgumentException(file + " is empty");
      List<String> names = Arrays.stream(header.split(",", -1)).map(NumberTable::plain).toList();
      List<double[]> rows = new ArrayList<>();
      for (String line = reader.readLine(); line != null; line = reader.readLine())
        if (!line.isBlank()) rows.add(row(file, names, line, rows.size() + 1, gaps));
      if (rows.isEmpty()) throw new IllegalArgumentException(file + " has no rows");
      double[][] values = new double[names.size()][rows.size()];
      for (int i = 0; i < rows.size(); i++)
        for (int c = 0; c < values.length; c++) values[c][i] = rows.get(i)[c];
      return new NumberTable(file, names, values);
    } catch (ZipException e) {
      throw new IllegalArgumentException(
          "%s is not compressed by gzip (%s); run gzip on the CSV file"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  /// A cell without spaces around it and without quotes.
  private static String plain(String cell) {
    String text = cell.strip();
    return text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"")
        ? text.substring(1, text.length() - 1)
        : text;
  }

  private static double[] row(
      Path file, List<String> names, String line, int number, boolean gaps) {
    String[] cells = line.split(",", -1);
    if (cells.length != names.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s, row %,d has %d values, not %d",
              file,
              number,
              cells.length,
              names.size()));
    double[] row = new double[cells.length];
    for (int c = 0; c < row.length; c++) {
      String cell = plain(cells[c]);
      boolean missing = MISSING.contains(cell.toLowerCase(Locale.ROOT));
      row[c] = missing ? Double.NaN : number(cell);
      if (Double.isFinite(row[c]) || (missing && gaps && c == row.length - 1)) continue;
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s, row %,d: column '%s' is '%s', not a number; correct or drop the row",
              file,
              number,
              names.get(c),
              cells[c]));
    }
    return row;
  }

  private static double number(String cell) {
    try {
      return Double.parseDouble(cell);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  Path file() {
    return file;
  }

  /// The names of the columns in their order.
  List<String> names() {
    return names;
  }

  int place(String name) {
    int place = names.indexOf(name);
    if (place < 0)
      throw new IllegalArgumentException(
          "%s has no column '%s'; it has %s".formatted(file, name, String.join(", ", names)));
    return place;
  }

  /// The values of a column; not copied.
  double[] column(String name) {
    return values[place(name)];
  }
}
