package lovelace.experiments;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import lovelace.data.Column;
import lovelace.data.Dataset;

/// A regression set with frozen splits: a folder with
///
/// - `data.csv.gz`: numbers without a header, the target last;
/// - `test_mask.csv.gz`: for the same rows, a column of 0 and 1 for each split; 1 is a test row.
///
/// Inputs and target are standardised by the training rows; a column that is constant there is left
/// out.
public final class RegressionSet {

  private final String name;
  private final Dataset train;
  private final Dataset test;

  private RegressionSet(String name, Dataset train, Dataset test) {
    this.name = name;
    this.train = train;
    this.test = test;
  }

  /// Whether the folder holds such a set.
  public static boolean describes(Path folder) {
    return Files.exists(folder.resolve("data.csv.gz"))
        && Files.exists(folder.resolve("test_mask.csv.gz"));
  }

  public static RegressionSet read(Path folder, int split) throws IOException {
    List<double[]> rows = numbers(folder.resolve("data.csv.gz"));
    List<double[]> masks = numbers(folder.resolve("test_mask.csv.gz"));
    if (masks.size() != rows.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s has %,d rows, its test_mask.csv.gz %,d",
              folder,
              rows.size(),
              masks.size()));
    if (split < 0 || split >= masks.getFirst().length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "split must be 0 to %d, got %d", masks.getFirst().length - 1, split));
    List<double[]> train = new ArrayList<>();
    List<double[]> test = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++)
      (masks.get(i)[split] == 1 ? test : train).add(rows.get(i));
    int[] columns = varying(train);
    Dataset raw = dataset(train, columns);
    return new RegressionSet(
        String.valueOf(folder.getFileName()),
        standardised(raw, raw),
        standardised(dataset(test, columns), raw));
  }

  /// The rows in units in which every column and the target of `train` has mean 0 and deviation 1.
  private static Dataset standardised(Dataset rows, Dataset train) {
    int d = rows.dimensions();
    double[] x = rows.inputs().clone();
    for (int j = 0; j < d; j++) standardise(x, train.inputs(), j, d);
    double[] y = rows.target().clone();
    standardise(y, train.target(), 0, 1);
    return Dataset.of(x, rows.columns(), y, rows.targetColumn());
  }

  /// Overwrites every `stride`-th value from `from` on, by mean and deviation of those of `train`.
  private static void standardise(double[] values, double[] train, int from, int stride) {
    int n = train.length / stride;
    double first = train[from];
    double spread = 0; // of the distances to the first value, so that squares do not overflow
    double sum = 0;
    for (int i = from; i < train.length; i += stride) {
      spread = Math.max(spread, Math.abs(train[i] - first));
      sum += (train[i] - first) / n;
    }
    double mean = spread == 0 ? first : first + sum;
    double squares = 0;
    for (int i = from; i < train.length && spread > 0; i += stride) {
      double r = (train[i] - mean) / spread;
      squares += r * r;
    }
    double deviation = spread == 0 ? 1 : spread * Math.sqrt(squares / n);
    for (int i = from; i < values.length; i += stride) values[i] = (values[i] - mean) / deviation;
  }

  private static int[] varying(List<double[]> rows) {
    List<Integer> kept = new ArrayList<>();
    for (int c = 0; c < rows.getFirst().length - 1; c++)
      for (double[] row : rows)
        if (row[c] != rows.getFirst()[c]) {
          kept.add(c);
          break;
        }
    return kept.stream().mapToInt(Integer::intValue).toArray();
  }

  private static Dataset dataset(List<double[]> rows, int[] columns) {
    int d = columns.length;
    double[] x = new double[rows.size() * d];
    double[] y = new double[rows.size()];
    for (int i = 0; i < y.length; i++) {
      double[] row = rows.get(i);
      for (int a = 0; a < d; a++) x[i * d + a] = row[columns[a]];
      y[i] = row[row.length - 1];
    }
    List<Column> names = new ArrayList<>();
    for (int c : columns) names.add(Column.of("x" + (c + 1)));
    return Dataset.of(x, names, y, Column.of("y"));
  }

  private static List<double[]> numbers(Path file) throws IOException {
    try (var reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      List<double[]> rows = new ArrayList<>();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.isBlank()) continue;
        String[] cells = line.split(",", -1);
        double[] row = new double[cells.length];
        for (int c = 0; c < row.length; c++) {
          try {
            row[c] = Double.parseDouble(cells[c]);
          } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                String.format(
                    Locale.ROOT,
                    "%s, row %,d, column %d is '%s', not a number",
                    file,
                    rows.size() + 1,
                    c + 1,
                    cells[c]),
                e);
          }
        }
        if (!rows.isEmpty() && row.length != rows.getFirst().length)
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "%s, row %,d has %d values, not %d",
                  file,
                  rows.size() + 1,
                  row.length,
                  rows.getFirst().length));
        rows.add(row);
      }
      if (rows.isEmpty()) throw new IllegalArgumentException(file + " has no rows");
      return rows;
    }
  }

  public String name() {
    return name;
  }

  public Dataset train() {
    return train;
  }

  public Dataset test() {
    return test;
  }
}
