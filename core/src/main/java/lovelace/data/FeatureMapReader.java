package lovelace.data;

/// A service that makes one kind of [FeatureMap] from its bytes, so that a model file can hold maps
/// that this module does not know.
public interface FeatureMapReader {

  /// The kind it reads, [FeatureMap#type].
  String type();

  /// The map.
  ///
  /// @throws IllegalArgumentException if the bytes are not those of such a map
  FeatureMap read(byte[] bytes);
}
