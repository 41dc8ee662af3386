package lovelace.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.csv.CsvRows;

/// A gzipped CSV file of numbers.
final class NumberTable {

  private final Path file;
  private final List<String> names;
  private final double[][] values;

  private NumberTable(Path file, List<String> names, double[][] values) {
    this.file = file;
    this.names = names;
    this.values = values;
  }

  /// Reads a file with a header. Every value is a number.
  static NumberTable read(Path file) throws IOException {
    return read(file, true, false);
  }

  /// Reads a file with a header. Values of the last column may be missing; they become NaN.
  static NumberTable readWithGaps(Path file) throws IOException {
    return read(file, true, true);
  }

  /// Reads a file without a header. Columns are named `1`, `2`, …
  static NumberTable readUnnamed(Path file) throws IOException {
    return read(file, false, false);
  }

  private static NumberTable read(Path file, boolean header, boolean gaps) throws IOException {
    try (CsvRows csv = CsvRows.ofGzip(file)) {
      List<String> names = header ? csv.header() : List.of();
      List<double[]> rows = new ArrayList<>();
      for (String[] texts = csv.next(); texts != null; texts = csv.next())
        rows.add(numbers(csv, texts, gaps));
      if (rows.isEmpty())
        throw new IllegalArgumentException(file + " has no rows; give it at least one");
      int columns = rows.getFirst().length;
      double[][] values = new double[columns][rows.size()];
      for (int i = 0; i < rows.size(); i++)
        for (int c = 0; c < columns; c++) values[c][i] = rows.get(i)[c];
      List<String> numbered =
          IntStream.rangeClosed(1, columns).mapToObj(Integer::toString).toList();
      return new NumberTable(file, header ? names : numbered, values);
    }
  }

  private static double[] numbers(CsvRows csv, String[] texts, boolean gaps) {
    double[] row = new double[texts.length];
    for (int c = 0; c < row.length; c++) {
      row[c] = CsvRows.number(texts[c]);
      boolean gap = gaps && c == row.length - 1 && CsvRows.isMissing(texts[c]);
      if (Double.isNaN(row[c]) && !gap)
        throw csv.wrong(c, texts[c], "not a number", "correct or drop the row");
    }
    return row;
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

  int rows() {
    return values[0].length;
  }

  /// The values of a column; not copied.
  double[] column(String name) {
    return values[place(name)];
  }

  /// The values of the column at a place; not copied.
  double[] column(int place) {
    return values[place];
  }
}
