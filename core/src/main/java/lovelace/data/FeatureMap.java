package lovelace.data;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.IntStream;

/// Turns the input columns into features, which are the inputs of the process. A map is a linear
/// projection, a network from another module, or a change of single columns ([#columns]). A model
/// applies it first. Features outside a grid are treated like any point outside it. Immutable; safe
/// to share between threads.
///
/// A model file holds a map as its [#type] and [#bytes]. Maps from other modules are found through
/// [Reader] services.
public interface FeatureMap {

  /// A change of one column.
  enum Change {
    /// Nothing.
    SAME("as it is"),
    /// A logarithm.
    LOG("log"),
    /// Normal scores of the ranks.
    RANKS("ranks"),
    /// One feature for each word of a text column: 1 for the word of the row, 0 for the others.
    INDICATORS("indicators");

    private final String words;

    Change(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /// Returns the map that changes columns one by one, with one change for each. Logarithms and
  /// ranks take their parameters from these rows.
  static FeatureMap columns(Dataset rows, List<Change> changes) {
    return ColumnMap.of(rows, changes);
  }

  /// Suggests a change for each column of some rows: `LOG` or `RANKS` for numbers with a heavy
  /// tail, otherwise `SAME`. Compare predictions of held-out rows to see whether it helps.
  static List<Change> candidates(Dataset rows) {
    return ColumnMap.candidates(rows);
  }

  /// The change of each column, if the map changes columns one by one; empty for other maps.
  default List<Change> changes() {
    return List.of();
  }

  /// Returns the features as columns, given the columns of the inputs.
  default List<Column> features(List<Column> inputs) {
    return IntStream.rangeClosed(1, outputs()).mapToObj(f -> Column.of("feature " + f)).toList();
  }

  /// The number of input columns.
  int inputs();

  /// The number of features.
  int outputs();

  /// Writes the features of the first `rows` points of x, row-major, to `out`. The features of a
  /// row do not depend on the other rows.
  void apply(double[] x, int rows, double[] out);

  /// `out ← Jᵀg`: turns a gradient in the features of the point that starts at `x[xo]` into a
  /// gradient in its columns. Reads [#outputs] numbers from `g[go]` and overwrites [#inputs]
  /// numbers from `out[oo]`.
  void pullBack(double[] x, int xo, double[] g, int go, double[] out, int oo);

  /// Says why the point that starts at `x[from]` has no features, naming column, value, rule and
  /// remedy. Empty if there is no such reason.
  default Optional<String> refusal(double[] x, int from) {
    return Optional.empty();
  }

  /// The name of the kind of map, such as `linear`. Its reader is found by this name.
  String type();

  /// Everything that [#read] needs to make the same map, exact to the bit.
  byte[] bytes();

  /// Reads a map of this kind from bytes that anyone may have written.
  ///
  /// @throws Trust.UntrustedCodeException if the map is code
  /// @throws IllegalArgumentException if the kind is unknown or the bytes do not fit it
  static FeatureMap read(String type, byte[] bytes) {
    return read(type, bytes, Trust.DATA);
  }

  /// Reads a map of this kind from its bytes. A map that is code requires [Trust#CODE].
  static FeatureMap read(String type, byte[] bytes, Trust trust) {
    if (type.equals(LinearMap.TYPE)) return LinearMap.read(bytes);
    if (type.equals(ColumnMap.TYPE)) return ColumnMap.read(bytes);
    if (type.equals(PlaceMap.TYPE)) return PlaceMapBytes.read(bytes);
    for (Reader reader : ServiceLoader.load(Reader.class))
      if (reader.type().equals(type)) return reader.read(bytes, trust);
    if (type.equals("djl"))
      throw new IllegalArgumentException(
          "it holds a network, and networks are not installed; add lovelace-deep, as docs/install.md says");
    throw new IllegalArgumentException(
        "its feature map is of the kind '%s', which no module here reads; add the module that does"
            .formatted(type));
  }

  /// A service that makes one kind of [FeatureMap] from its bytes, so that a model file can hold
  /// maps that this module does not know.
  interface Reader {

    /// The kind of map that it reads; see [FeatureMap#type].
    String type();

    /// Reads the map. With [Trust#DATA] the bytes may come from anyone. Nothing that they contain
    /// or name may run, and a length in them must be checked against the number of bytes before it
    /// is used.
    ///
    /// @throws Trust.UntrustedCodeException if the map is code and trust is [Trust#DATA]
    /// @throws IllegalArgumentException if the bytes are not those of this kind of map
    FeatureMap read(byte[] bytes, Trust trust);
  }
}
