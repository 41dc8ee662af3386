package lovelace.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Observations: n rows of d inputs, a target, and optional weights (an observation of weight w has
/// noise variance σ²/w).
///
/// Every value is finite and every weight is > 0. Repeated rows and constant columns are fine.
/// Messages count data rows from 1. Arrays are copied neither on the way in nor on the way out, so
/// nobody may write to them.
public final class Dataset {

  /// The name of the target of events.
  public static final String EVENTS = "events";

  private final double[] inputs;
  private final double[] target;
  private final double @Nullable [] weights;
  private final List<Column> columns;
  private final Column targetColumn;

  private Dataset(
      double[] inputs,
      double[] target,
      double @Nullable [] weights,
      List<Column> columns,
      Column targetColumn) {
    this.inputs = inputs;
    this.target = target;
    this.weights = weights;
    this.columns = columns;
    this.targetColumn = targetColumn;
  }

  /// Makes a dataset of inputs, row-major n × dimensions. The columns are named x1, x2, …, and the
  /// target y.
  public static Dataset of(double[] inputs, int dimensions, double[] target) {
    return of(inputs, numbered(dimensions), target, Column.of("y"));
  }

  /// As [#of(double[], int, double[])], with one weight per row.
  public static Dataset of(double[] inputs, int dimensions, double[] target, double[] weights) {
    return of(inputs, numbered(dimensions), target, Column.of("y"), weights);
  }

  /// Makes a dataset of inputs, row-major, with the given columns.
  public static Dataset of(
      double[] inputs, List<Column> columns, double[] target, Column targetColumn) {
    return make(inputs, columns, target, targetColumn, null);
  }

  /// As [#of(double[], List, double[], Column)], with one weight per row.
  public static Dataset of(
      double[] inputs,
      List<Column> columns,
      double[] target,
      Column targetColumn,
      double[] weights) {
    return make(inputs, columns, target, targetColumn, weights);
  }

  /// Makes a dataset of events at places, row-major, with the given columns. Each event counts as
  /// one.
  public static Dataset events(double[] places, List<Column> columns) {
    double[] ones = new double[places.length / Math.max(1, columns.size())];
    Arrays.fill(ones, 1);
    return of(places, columns, ones, Column.of(EVENTS));
  }

  /// As [#events(double[], List)], with columns named x1, x2, ….
  public static Dataset events(double[] places, int dimensions) {
    return events(places, numbered(dimensions));
  }

  private static Dataset make(
      double[] inputs,
      List<Column> columns,
      double[] target,
      Column targetColumn,
      double @Nullable [] weights) {
    Dataset data = new Dataset(inputs, target, weights, List.copyOf(columns), targetColumn);
    data.requireShape();
    data.requireFinite();
    return data;
  }

  /// The number of rows.
  public int size() {
    return target.length;
  }

  /// The number of input columns.
  public int dimensions() {
    return columns.size();
  }

  /// The inputs, row-major. Not copied: read only.
  public double[] inputs() {
    return inputs;
  }

  /// The target. Not copied: read only.
  public double[] target() {
    return target;
  }

  /// The weight of row i; 1 if there are no weights.
  public double weight(int i) {
    return weights == null ? 1 : weights[i];
  }

  /// The weights of all rows, 1 if there are none, in a new array.
  public double[] weights() {
    return IntStream.range(0, size()).mapToDouble(this::weight).toArray();
  }

  /// Whether weights were given.
  public boolean weighted() {
    return weights != null;
  }

  /// `Σ log wᵢ`, which weighted observations add to a log-likelihood.
  public double logWeights() {
    double sum = 0;
    for (int i = 0; i < size(); i++) sum += Math.log(weight(i));
    return sum;
  }

  /// The input columns.
  public List<Column> columns() {
    return columns;
  }

  /// The target's column.
  public Column targetColumn() {
    return targetColumn;
  }

  /// Returns the same rows with these weights, one per row.
  public Dataset withWeights(double[] values) {
    return make(inputs, columns, target, targetColumn, values);
  }

  /// Returns the same rows and weights with another target.
  public Dataset withTarget(double[] values) {
    return make(inputs, columns, values, targetColumn, weights);
  }

  /// Returns the same target and weights with other inputs, row-major, in the given columns.
  public Dataset withInputs(double[] values, List<Column> newColumns) {
    return make(values, newColumns, target, targetColumn, weights);
  }

  /// Returns the same numbers under other names.
  public Dataset named(List<Column> columns, Column targetColumn) {
    return make(inputs, columns, target, targetColumn, weights);
  }

  /// Returns rows `from` (counted from 0) up to but not including `to`.
  public Dataset rows(int from, int to) {
    if (!(0 <= from && from < to && to <= size()))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "rows must satisfy 0 <= from < to <= %d, got from = %d, to = %d",
              size(),
              from,
              to));
    int[] index = new int[to - from];
    for (int i = 0; i < index.length; i++) index[i] = from + i;
    return select(index);
  }

  /// Returns at most this many rows, evenly spaced in their order.
  public Dataset thinned(int most) {
    if (!(most >= 1)) throw new IllegalArgumentException("most must be >= 1, got " + most);
    if (size() <= most) return this;
    int[] index = new int[most];
    for (int i = 0; i < most; i++) index[i] = (int) ((long) i * size() / most);
    return select(index);
  }

  /// Returns the rows with these indices (counted from 0), in the order of the indices. Repeats are
  /// fine.
  public Dataset select(int[] index) {
    int d = dimensions();
    double[] x = new double[index.length * d];
    double[] y = new double[index.length];
    double[] w = weights == null ? null : new double[index.length];
    for (int i = 0; i < index.length; i++) {
      System.arraycopy(inputs, index[i] * d, x, i * d, d);
      y[i] = target[index[i]];
      if (weights != null && w != null) w[i] = weights[index[i]];
    }
    return make(x, columns, y, targetColumn, w);
  }

  /// Returns the same rows with some of the columns, by their positions from 0.
  public Dataset keeping(int... places) {
    int d = dimensions();
    int k = places.length;
    double[] x = new double[size() * k];
    for (int i = 0; i < size(); i++)
      for (int j = 0; j < k; j++) x[i * k + j] = inputs[i * d + places[j]];
    return make(
        x, Arrays.stream(places).mapToObj(columns::get).toList(), target, targetColumn, weights);
  }

  /// The positions of the columns that vary. If there is only one row, these are all columns.
  public int[] varying() {
    int d = dimensions();
    return IntStream.range(0, d)
        .filter(
            j ->
                size() == 1
                    || IntStream.range(1, size()).anyMatch(i -> inputs[i * d + j] != inputs[j]))
        .toArray();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "n = %,d, d = %d, target '%s'%s",
        size(),
        dimensions(),
        targetColumn.name(),
        weighted() ? ", weighted" : "");
  }

  private static List<Column> numbered(int dimensions) {
    List<Column> columns = new ArrayList<>();
    for (int j = 1; j <= dimensions; j++) columns.add(Column.of("x" + j));
    return columns;
  }

  private void requireShape() {
    int d = dimensions();
    int n = size();
    if (d == 0)
      throw new IllegalArgumentException(
          "data has 0 input columns, at least one is needed; name the columns to learn from");
    if (n == 0)
      throw new IllegalArgumentException(
          "data has 0 rows, at least one observation is needed; check filters and missing values");
    if (inputs.length != (long) n * d)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "inputs hold %,d numbers, but %,d target values × %d columns need %,d; pass one row of inputs per target value",
              inputs.length,
              n,
              d,
              (long) n * d));
    if (weights != null && weights.length != n)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%,d weights for %,d rows; pass one weight per row, or none",
              weights.length,
              n));
  }

  private void requireFinite() {
    int d = dimensions();
    for (int i = 0; i < size(); i++) {
      for (int j = 0; j < d; j++) {
        double x = inputs[i * d + j];
        if (!Double.isFinite(x)) throw badValue(i, "column '" + columns.get(j).name() + "'", x);
      }
      if (!Double.isFinite(target[i]))
        throw badValue(i, "target '" + targetColumn.name() + "'", target[i]);
      if (weights != null && !(weights[i] > 0 && Double.isFinite(weights[i])))
        throw badWeight(i + 1, weights[i]);
    }
  }

  /// Makes the exception for a weight that is not finite and positive.
  ///
  /// @param row the number of the row, from 1
  public static IllegalArgumentException badWeight(long row, double weight) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "row %,d (data rows count from 1): the weight is %s, a weight must be finite and > 0; drop the row instead of giving it weight 0",
            row,
            weight));
  }

  private static IllegalArgumentException badValue(int row, String where, double value) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "row %,d (data rows count from 1): %s is %s, values must be finite; drop the row or fill in the value",
            row + 1,
            where,
            value));
  }
}
