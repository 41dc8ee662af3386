package lovelace.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lovelace.data.Column;
import lovelace.data.Dataset;

/// A regression set with fixed splits. It is a folder with
///
/// - `data.csv.gz`: numbers without a header, the target last;
/// - `test_mask.csv.gz`: for the same rows, a column of 0 and 1 for each split; 1 is a test row.
///
/// [#read] returns the rows unchanged.
public final class RegressionSet {

  private static final String DATA = "data.csv.gz";
  private static final String MASK = "test_mask.csv.gz";

  private final String name;
  private final Dataset train;
  private final Dataset test;

  RegressionSet(String name, Dataset train, Dataset test) {
    this.name = name;
    this.train = train;
    this.test = test;
  }

  /// The files of a set that a folder lacks; empty if it is complete.
  public static List<String> missing(Path folder) {
    return Stream.of(DATA, MASK)
        .filter(name -> !Files.isRegularFile(folder.resolve(name)))
        .toList();
  }

  /// Whether the folder contains such a set.
  public static boolean describes(Path folder) {
    return missing(folder).isEmpty();
  }

  /// Reads the rows unchanged, with all columns. They are named `x1`, `x2`, …, and the target `y`.
  public static RegressionSet read(Path folder, int split) throws IOException {
    if (!describes(folder))
      throw new IllegalArgumentException(
          "'%s' has no %s; a set is a folder with %s (rows of numbers without a header, the target last) and %s (a column of 0 and 1 for each split, 1 for a test row)"
              .formatted(folder, String.join(" and no ", missing(folder)), DATA, MASK));
    NumberTable rows = NumberTable.readUnnamed(folder.resolve(DATA));
    NumberTable masks = NumberTable.readUnnamed(folder.resolve(MASK));
    if (masks.rows() != rows.rows())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s has %,d rows, %s has %,d; they must have the same rows",
              rows.file(),
              rows.rows(),
              MASK,
              masks.rows()));
    if (rows.names().size() < 2)
      throw new IllegalArgumentException(
          "%s has one column; a set needs inputs and then the target".formatted(rows.file()));
    int splits = masks.names().size();
    if (split < 0 || split >= splits)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "split must be 0 to %d, got %d: %s has %d columns",
              splits - 1,
              split,
              masks.file(),
              splits));
    double[] mask = masks.column(split);
    for (int i = 0; i < mask.length; i++)
      if (mask[i] != 0 && mask[i] != 1)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s, row %,d: column %d is %s; it must be 0, or 1 for a test row",
                masks.file(),
                i + 1,
                split + 1,
                mask[i]));
    int[] train = IntStream.range(0, mask.length).filter(i -> mask[i] == 0).toArray();
    int[] test = IntStream.range(0, mask.length).filter(i -> mask[i] == 1).toArray();
    if (train.length == 0 || test.length == 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "split %d of '%s' has no rows to %s; choose another split",
              split,
              folder,
              train.length == 0 ? "learn from" : "score"));
    return new RegressionSet(
        String.valueOf(folder.toAbsolutePath().normalize().getFileName()),
        dataset(rows, train),
        dataset(rows, test));
  }

  /// The same set with every input and the target standardised by the training rows. An input that
  /// is constant there is left out.
  public RegressionSet standardised() {
    int[] columns = train.varying();
    if (columns.length == 0)
      throw new IllegalArgumentException(
          "no input of set '%s' varies; there is nothing to learn from".formatted(name));
    Dataset raw = train.keeping(columns);
    return new RegressionSet(
        name, standardised(raw, raw), standardised(test.keeping(columns), raw));
  }

  /// The standard deviation of the target over the training rows, with n and not n − 1 in the
  /// denominator; 1 if it does not vary.
  public double targetDeviation() {
    return moments(train.target(), 0, 1)[1];
  }

  /// The rows in units in which every column and the target of `train` have mean 0 and deviation 1.
  private static Dataset standardised(Dataset rows, Dataset train) {
    int d = rows.dimensions();
    double[] x = rows.inputs().clone();
    for (int j = 0; j < d; j++) standardise(x, train.inputs(), j, d);
    double[] y = rows.target().clone();
    standardise(y, train.target(), 0, 1);
    return Dataset.of(x, rows.columns(), y, rows.targetColumn());
  }

  /// Overwrites every `stride`-th value from `from` on, using mean and deviation of those values of
  /// `train`.
  private static void standardise(double[] values, double[] train, int from, int stride) {
    double[] moments = moments(train, from, stride);
    for (int i = from; i < values.length; i += stride)
      values[i] = (values[i] - moments[0]) / moments[1];
  }

  /// Mean and standard deviation of every `stride`-th value from `from` on. The deviation is 1 if
  /// they do not vary.
  private static double[] moments(double[] train, int from, int stride) {
    int n = train.length / stride;
    double first = train[from];
    double spread = 0; // of the distances to the first value, so that squares do not overflow
    double sum = 0;
    for (int i = from; i < train.length; i += stride) {
      spread = Math.max(spread, Math.abs(train[i] - first));
      sum += (train[i] - first) / n;
    }
    if (spread == 0) return new double[] {first, 1};
    double mean = first + sum;
    double squares = 0;
    for (int i = from; i < train.length; i += stride) {
      double r = (train[i] - mean) / spread;
      squares += r * r;
    }
    return new double[] {mean, spread * Math.sqrt(squares / n)};
  }

  private static Dataset dataset(NumberTable table, int[] rows) {
    int d = table.names().size() - 1;
    double[] x = new double[rows.length * d];
    double[] y = new double[rows.length];
    List<Column> names = new ArrayList<>();
    for (int c = 0; c < d; c++) {
      double[] from = table.column(c);
      for (int i = 0; i < rows.length; i++) x[i * d + c] = from[rows[i]];
      names.add(Column.of("x" + (c + 1)));
    }
    double[] target = table.column(d);
    for (int i = 0; i < rows.length; i++) y[i] = target[rows[i]];
    return Dataset.of(x, names, y, Column.of("y"));
  }

  /// The name of its folder.
  public String name() {
    return name;
  }

  /// The rows to learn from.
  public Dataset train() {
    return train;
  }

  /// The rows to score.
  public Dataset test() {
    return test;
  }
}
