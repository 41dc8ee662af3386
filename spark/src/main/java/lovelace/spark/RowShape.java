package lovelace.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.data.Column;
import org.jspecify.annotations.Nullable;

/// The layout of rows to learn from: the inputs, as a vector or as columns, then the target, then
/// perhaps a size. A word is given by its number in the list of its column's words.
final class RowShape implements Serializable {

  private static final long serialVersionUID = 2;
  private final String[] names;
  private final String features;
  private final boolean vector;
  private final String label;
  private final @Nullable String weight;
  private final boolean error;
  private final int[] places; // of the inputs in a vector
  private final int width; // of a vector
  private final String[][] words; // of each input; empty for one of numbers
  private final double[] fills; // the value for a missing input; NaN for none

  RowShape(
      String[] names,
      String features,
      boolean vector,
      String label,
      @Nullable String weight,
      boolean error,
      String[][] words,
      double[] fills) {
    this(
        names,
        features,
        vector,
        label,
        weight,
        error,
        IntStream.range(0, names.length).toArray(),
        names.length,
        words,
        fills);
  }

  private RowShape(
      String[] names,
      String features,
      boolean vector,
      String label,
      @Nullable String weight,
      boolean error,
      int[] places,
      int width,
      String[][] words,
      double[] fills) {
    this.names = names.clone();
    this.features = features;
    this.vector = vector;
    this.label = label;
    this.weight = weight;
    this.error = error;
    this.places = places;
    this.width = width;
    this.words = words;
    this.fills = fills;
  }

  /// The same layout with some of the inputs, by their positions.
  RowShape keeping(int[] kept) {
    return new RowShape(
        Arrays.stream(kept).mapToObj(j -> names[j]).toArray(String[]::new),
        features,
        vector,
        label,
        weight,
        error,
        Arrays.stream(kept).map(j -> places[j]).toArray(),
        width,
        Arrays.stream(kept).mapToObj(j -> words[j]).toArray(String[][]::new),
        Arrays.stream(kept).mapToDouble(j -> fills[j]).toArray());
  }

  /// The same layout with values for missing inputs; NaN for none.
  RowShape filledBy(double[] values) {
    return new RowShape(
        names, features, vector, label, weight, error, places, width, words, values);
  }

  /// The inputs as columns.
  List<Column> columns() {
    return IntStream.range(0, names.length)
        .mapToObj(
            j ->
                words[j].length == 0 ? Column.of(names[j]) : Column.of(names[j], List.of(words[j])))
        .toList();
  }

  /// The position of input j in a row.
  int place(int j) {
    return vector ? places[j] : j;
  }

  /// The position of the target in a row. The size follows.
  int labelPlace() {
    return vector ? width : names.length;
  }

  /// The value for a missing input j; NaN for none.
  double fill(int j) {
    return fills[j];
  }

  int dimensions() {
    return names.length;
  }

  /// The names of the inputs, not copied.
  String[] names() {
    return names;
  }

  String features() {
    return features;
  }

  boolean vector() {
    return vector;
  }

  String label() {
    return label;
  }

  /// The column of sizes; null if all are 1.
  @Nullable String weight() {
    return weight;
  }

  boolean weighted() {
    return weight != null;
  }

  /// Whether a row with a missing value is an error; otherwise it is left out.
  boolean error() {
    return error;
  }
}
