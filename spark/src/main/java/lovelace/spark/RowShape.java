package lovelace.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.data.Column;

/// What stands where in a row: inputs by name, as one vector or as columns, then the target, then
/// perhaps a weight. Inputs of words are known by these, and rows hold their numbers.
final class RowShape implements Serializable {

  private static final long serialVersionUID = 1;
  private final String[] names;
  private final String features;
  private final boolean vector;
  private final String label;
  private final boolean weighted;
  private final boolean skipInvalid;
  private final int[] places; // of the inputs in a vector
  private final int width; // of a vector
  private final String[][] words; // of each input; empty for one of numbers

  RowShape(
      String[] names,
      String features,
      boolean vector,
      String label,
      boolean weighted,
      boolean skipInvalid,
      String[][] words) {
    this(
        names,
        features,
        vector,
        label,
        weighted,
        skipInvalid,
        IntStream.range(0, names.length).toArray(),
        names.length,
        words);
  }

  private RowShape(
      String[] names,
      String features,
      boolean vector,
      String label,
      boolean weighted,
      boolean skipInvalid,
      int[] places,
      int width,
      String[][] words) {
    this.words = words;
    this.places = places;
    this.width = width;
    this.names = names.clone();
    this.features = features;
    this.vector = vector;
    this.label = label;
    this.weighted = weighted;
    this.skipInvalid = skipInvalid;
  }

  /// The same rows with some of the inputs, by their places.
  RowShape keeping(int[] kept) {
    return new RowShape(
        Arrays.stream(kept).mapToObj(j -> names[j]).toArray(String[]::new),
        features,
        vector,
        label,
        weighted,
        skipInvalid,
        Arrays.stream(kept).map(j -> places[j]).toArray(),
        width,
        Arrays.stream(kept).mapToObj(j -> words[j]).toArray(String[][]::new));
  }

  /// The inputs as columns.
  List<Column> columns() {
    return IntStream.range(0, names.length)
        .mapToObj(
            j ->
                words[j].length == 0 ? Column.of(names[j]) : Column.of(names[j], List.of(words[j])))
        .toList();
  }

  /// The place of input j in a vector.
  int place(int j) {
    return places[j];
  }

  /// The length of a vector.
  int width() {
    return width;
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

  boolean weighted() {
    return weighted;
  }

  boolean skipInvalid() {
    return skipInvalid;
  }
}
