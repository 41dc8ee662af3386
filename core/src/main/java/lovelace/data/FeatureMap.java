package lovelace.data;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.IntStream;

/// What turns the input columns into the features that a process is over: a linear projection, a
/// network from another module, or a map that changes columns one by one ([#columns]). A model
/// applies it first; what falls outside a grid of features is treated as any point there.
/// Immutable; safe to share between threads.
///
/// A map travels in a model file as its [#type] and [#bytes]; maps that other modules bring are
/// found again through [Reader] services.
public interface FeatureMap {

  /// What is done to one column.
  enum Change {
    /// Nothing.
    SAME("as it is"),
    /// A logarithm.
    LOG("log"),
    /// Normal scores of the ranks.
    RANKS("ranks"),
    /// One feature for each word of a column of text: 1 where it holds, else 0.
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

  /// The map that changes the columns of some rows one by one: a change for each. What a logarithm
  /// or ranks need is taken from these rows.
  static FeatureMap columns(Dataset rows, List<Change> changes) {
    return ColumnMap.of(rows, changes);
  }

  /// The change that may help each column of some rows: `LOG` or `RANKS` for numbers with a heavy
  /// tail, else `SAME`. Whether it does, held-out rows tell.
  static List<Change> candidates(Dataset rows) {
    return ColumnMap.candidates(rows);
  }

  /// What is done to each column, for a map that changes them one by one; empty for others.
  default List<Change> changes() {
    return List.of();
  }

  /// The features as columns, where these are the inputs.
  default List<Column> features(List<Column> inputs) {
    return IntStream.rangeClosed(1, outputs()).mapToObj(f -> Column.of("feature " + f)).toList();
  }

  /// The number of input columns.
  int inputs();

  /// The number of features.
  int outputs();

  /// Writes the features of the first `rows` points of x, row-major, to `out`. A row's features do
  /// not depend on the other rows.
  void apply(double[] x, int rows, double[] out);

  /// `out ← Jᵀg`: takes a gradient in the features of the point that starts at `x[xo]` back to one
  /// in its columns. Reads [#outputs] numbers from `g[go]`, overwrites [#inputs] from `out[oo]`.
  void pullBack(double[] x, int xo, double[] g, int go, double[] out, int oo);

  /// Why the point that starts at `x[from]` has no features, in words that name its column, value,
  /// rule and remedy; empty where nothing is known against it.
  default Optional<String> refusal(double[] x, int from) {
    return Optional.empty();
  }

  /// The name of the kind of map, `linear` say, by which its reader is found.
  String type();

  /// All that [#read] needs to make the same map, to the bit.
  byte[] bytes();

  /// The map of a kind from bytes that anyone may have written.
  ///
  /// @throws Trust.UntrustedCodeException if the map is code
  /// @throws IllegalArgumentException if the kind is not known or the bytes are not of one
  static FeatureMap read(String type, byte[] bytes) {
    return read(type, bytes, Trust.DATA);
  }

  /// The map of a kind from its bytes; those of maps that are code need [Trust#CODE].
  static FeatureMap read(String type, byte[] bytes, Trust trust) {
    if (type.equals(LinearMap.TYPE)) return LinearMap.read(bytes);
    if (type.equals(ColumnMap.TYPE)) return ColumnMap.read(bytes);
    if (type.equals(PlaceMap.TYPE)) return PlaceMap.read(bytes);
    for (Reader reader : ServiceLoader.load(Reader.class))
      if (reader.type().equals(type)) return reader.read(bytes, trust);
    if (type.equals("djl"))
      throw new IllegalArgumentException(
          "it holds a network, and networks are not installed; add lovelace-deep, as docs/install.md says");
    throw new IllegalArgumentException(
        "its feature map is of the kind '%s', which no module here reads; add the one that does"
            .formatted(type));
  }

  /// A service that makes one kind of [FeatureMap] from its bytes, so that a model file can hold
  /// maps that this module does not know.
  interface Reader {

    /// The kind it reads, [FeatureMap#type].
    String type();

    /// The map. With [Trust#DATA] the bytes may come from anyone: nothing that they bring or name
    /// may run, and no length in them may be believed before it fits their number.
    ///
    /// @throws Trust.UntrustedCodeException if the map is code and trust is [Trust#DATA]
    /// @throws IllegalArgumentException if the bytes are not those of such a map
    FeatureMap read(byte[] bytes, Trust trust);
  }
}
