package lovelace.series;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Columns that are known for the past and the horizon of series, such as prices or holidays. Many
/// series may share one: each knows the row of its first step.
///
/// A coefficient is normal with mean 0 and `10 (1 + level)` times the variance of the noise, for
/// columns in units of their standard deviation; columns of zeros and ones stay as they are. The
/// coefficients are integrated out: they add `10 (1 + level) X Xᵀ` to the covariance of a shape.
/// [KnownEffects] does so without a factor of its own.
public final class Covariates {

  private static final double PRIOR = 10;

  private final List<String> names;
  private final double[][] columns; // scaled
  private final double[] scales;
  private final Covariates whole;
  private final int first;
  private final List<Integer> used; // columns of the whole

  private Covariates(
      List<String> names,
      double[][] columns,
      double[] scales,
      @Nullable Covariates whole,
      int first) {
    this(names, columns, scales, whole, first, IntStream.range(0, columns.length).boxed().toList());
  }

  private Covariates(
      List<String> names,
      double[][] columns,
      double[] scales,
      @Nullable Covariates whole,
      int first,
      List<Integer> used) {
    this.used = used;
    this.names = names;
    this.columns = columns;
    this.scales = scales;
    this.whole = whole == null ? this : whole;
    this.first = first;
  }

  /// Columns of one length.
  ///
  /// @param columns by name, then row; each is finite
  public static Covariates of(List<String> names, double[][] columns) {
    if (names.size() != columns.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "there are %d names for %d columns", names.size(), columns.length));
    double[][] scaled = new double[columns.length][];
    double[] scales = new double[columns.length];
    for (int c = 0; c < columns.length; c++) {
      double[] column = columns[c];
      if (column.length != columns[0].length)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "column '%s' has %d rows, column '%s' has %d",
                names.get(c),
                column.length,
                names.get(0),
                columns[0].length));
      for (int t = 0; t < column.length; t++)
        if (!Double.isFinite(column[t]))
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "row %d: column '%s' is %s; it must be a number in the past and the horizon",
                  t + 1,
                  names.get(c),
                  column[t]));
      scales[c] = scale(column);
      double factor = 1 / scales[c];
      scaled[c] = Arrays.stream(column).map(x -> x * factor).toArray();
    }
    return new Covariates(List.copyOf(names), scaled, scales, null, 0);
  }

  /// The standard deviation, or 1 for zeros and ones and for constants.
  private static double scale(double[] column) {
    if (isBinary(column)) return 1;
    double mean = Arrays.stream(column).average().orElse(0);
    double squares = Arrays.stream(column).map(x -> (x - mean) * (x - mean)).sum();
    double deviation = Math.sqrt(squares / column.length);
    return deviation > 0 ? deviation : 1;
  }

  /// Whether a column of zeros and ones is 1 at a row, and at no more than one row of five.
  boolean isRare(int row) {
    for (double[] column : columns)
      if (column[first + row] == 1
          && isBinary(column)
          && 5 * Arrays.stream(column).sum() <= column.length) return true;
    return false;
  }

  private static boolean isBinary(double[] column) {
    return Arrays.stream(column).allMatch(x -> x == 0 || x == 1);
  }

  /// The same columns from some row on.
  public Covariates from(int row) {
    if (row == 0) return this;
    return new Covariates(names, columns, scales, whole, first + row, used);
  }

  /// The columns that change within the first rows. Nothing can be learned of the others there.
  Covariates varying(int rows) {
    int[] kept = IntStream.range(0, columns.length).filter(c -> changes(c, rows)).toArray();
    if (kept.length == columns.length) return this;
    return new Covariates(
        Arrays.stream(kept).mapToObj(names::get).toList(),
        Arrays.stream(kept).mapToObj(c -> columns[c]).toArray(double[][]::new),
        Arrays.stream(kept).mapToDouble(c -> scales[c]).toArray(),
        whole,
        first,
        Arrays.stream(kept).mapToObj(used::get).toList());
  }

  private boolean changes(int column, int rows) {
    for (int t = 1; t < rows; t++)
      if (columns[column][first + t] != columns[column][first]) return true;
    return false;
  }

  /// The number of last rows, among the first ones, in which every column leaves its usual value
  /// twice, as far as it does. Fewer rows would forget holidays that come once a year.
  public int reach(int rows) {
    int reach = 0;
    for (double[] column : columns) {
      Map<Double, Integer> count = new HashMap<>();
      for (int t = 0; t < rows; t++) count.merge(column[first + t], 1, Integer::sum);
      double usual =
          count.entrySet().stream()
              .max(Map.Entry.<Double, Integer>comparingByValue().thenComparing(Map.Entry::getKey))
              .map(Map.Entry::getKey)
              .orElse(0.);
      int left = 2;
      int own = 0;
      for (int t = rows - 1; t >= 0 && left > 0; t--)
        if (column[first + t] != usual && (t == 0 || column[first + t - 1] == usual)) {
          own = rows - t;
          left--;
        }
      reach = Math.max(reach, own);
    }
    return reach;
  }

  /// The number of columns.
  int size() {
    return columns.length;
  }

  public List<String> names() {
    return names;
  }

  /// The number of rows from the first one on.
  public int rows() {
    return columns.length == 0 ? Integer.MAX_VALUE : columns[0].length - first;
  }

  /// The unit of a column, in which its coefficient has the prior.
  double scale(int column) {
    return scales[column];
  }

  double at(int column, int row) {
    return columns[column][first + row];
  }

  /// The prior variance of a coefficient under a shape.
  static double prior(Shape shape) {
    return PRIOR * (1 + shape.level());
  }

  /// The same rows, with columns that count from their mean over some of them. Columns of zeros and
  /// ones stay. A flat level takes the means up, so a posterior stays as it is.
  Covariates centred(int[] steps) {
    double[][] moved = new double[columns.length][];
    for (int c = 0; c < moved.length; c++) {
      double[] column = columns[c];
      double mean = 0;
      if (!isBinary(column))
        for (int step : steps) mean += column[first + step] / Math.max(steps.length, 1);
      double from = mean;
      moved[c] = Arrays.stream(column).map(x -> x - from).toArray();
    }
    return new Covariates(names, moved, scales, null, first);
  }

  /// The lower triangle of the covariance of the summed effects of some columns at steps 0, …, n −
  /// 1.
  double[] effects(Shape shape, int[] some, int n) {
    double prior = prior(shape);
    double[] k = new double[n * n];
    for (int c : some)
      for (int i = 0; i < n; i++) {
        double x = prior * at(c, i);
        if (x == 0) continue;
        for (int j = 0; j <= i; j++) k[i * n + j] += x * at(c, j);
      }
    return k;
  }

  /// Adds the covariance of the effects to the lower triangle of that of a shape.
  void addTo(Shape shape, int[] steps, double[] k) {
    int n = steps.length;
    double prior = prior(shape);
    for (double[] column : columns)
      for (int i = 0; i < n; i++) {
        double x = prior * column[first + steps[i]];
        if (x == 0) continue;
        for (int j = 0; j <= i; j++) k[i * n + j] += x * column[first + steps[j]];
      }
  }

  /// Two are equal if they are the same rows of the same columns.
  @Override
  public boolean equals(Object other) {
    return other instanceof Covariates c
        && c.whole == whole
        && c.first == first
        && c.used.equals(used);
  }

  @Override
  public int hashCode() {
    return Objects.hash(System.identityHashCode(whole), first, used);
  }
}
