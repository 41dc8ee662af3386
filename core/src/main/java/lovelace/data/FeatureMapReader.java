package lovelace.data;

/// A service that makes one kind of [FeatureMap] from its bytes, so that a model file can hold maps
/// that this module does not know.
public interface FeatureMapReader {

  /// The kind it reads, [FeatureMap#type].
  String type();

  /// The map. With [Trust#DATA] the bytes may come from anyone: nothing that they bring or name may
  /// run, and no length in them may be believed before it fits their number.
  ///
  /// @throws UntrustedCodeException if the map is code and trust is [Trust#DATA]
  /// @throws IllegalArgumentException if the bytes are not those of such a map
  FeatureMap read(byte[] bytes, Trust trust);
}
