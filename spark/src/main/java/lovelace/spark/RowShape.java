package lovelace.spark;

import java.io.Serializable;

/// What stands where in a row: inputs by name, as one vector or as columns, then the target, then
/// perhaps a weight.
final class RowShape implements Serializable {

  private static final long serialVersionUID = 1;
  private final String[] names;
  private final String features;
  private final boolean vector;
  private final String label;
  private final boolean weighted;
  private final boolean skipInvalid;

  RowShape(
      String[] names,
      String features,
      boolean vector,
      String label,
      boolean weighted,
      boolean skipInvalid) {
    this.names = names.clone();
    this.features = features;
    this.vector = vector;
    this.label = label;
    this.weighted = weighted;
    this.skipInvalid = skipInvalid;
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
