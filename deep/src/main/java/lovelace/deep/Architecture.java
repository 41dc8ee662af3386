package lovelace.deep;

import ai.djl.nn.Block;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// Describes a network before it learns: the sizes of its layers, or a block of your own, which may
/// be trained already.
///
/// ```java
/// Architecture.layers(1000, 500, 50, 2)
/// ```
public final class Architecture {

  private final List<Integer> sizes;
  private final double dropout;
  private final String activation;
  private final Supplier<Block> maker;

  private Architecture(
      List<Integer> sizes, double dropout, String activation, Supplier<Block> maker) {
    this.sizes = sizes;
    this.dropout = dropout;
    this.activation = activation;
    this.maker = maker;
  }

  /// Makes fully connected layers with ReLU between them. The last size is the number of features.
  public static Architecture layers(int... sizes) {
    return layers(Arrays.stream(sizes).boxed().toList(), 0, "ReLU");
  }

  private static Architecture layers(List<Integer> sizes, double dropout, String activation) {
    if (sizes.isEmpty())
      throw new IllegalArgumentException(
          "a network needs at least one layer; give sizes such as 1000, 500, 50, 2");
    for (int size : sizes)
      if (size < 1) throw new IllegalArgumentException("a layer's size must be >= 1, got " + size);
    return new Architecture(
        sizes, dropout, activation, () -> Layers.block(sizes, dropout, activation));
  }

  /// Uses a block with one input and one output, `rows × columns` to `rows × features`. A block
  /// that is initialized starts from its parameters; training changes them in place.
  ///
  /// A model file can hold only these blocks: DJL's sequences of fully connected layers,
  /// activations and dropout; a TorchScript module; or a block of a public class with a public
  /// constructor without arguments. Reading the file requires that class. The last two are code,
  /// and files with code are only read with [lovelace.data.Trust#CODE].
  ///
  /// @throws IllegalArgumentException if it is another block
  public static Architecture of(Block block) {
    BlockFile.requireWritable(block);
    return new Architecture(List.of(), 0, "", () -> block);
  }

  /// The sizes that were given to [#layers]; empty for a block.
  public List<Integer> sizes() {
    return sizes;
  }

  /// Sets the fraction of the outputs of every hidden layer that is left out at random in training.
  public Architecture withDropout(double share) {
    if (!(share >= 0 && share < 1))
      throw new IllegalArgumentException("dropout must lie in [0, 1), got " + share);
    requireLayers("dropout");
    return layers(sizes, share, activation);
  }

  /// Sets the function between layers: ReLU, Tanh, sigmoid, softPlus, SELU, GELU or Mish.
  public Architecture withActivation(String name) {
    requireLayers("activation");
    Layers.activation(name);
    return layers(sizes, dropout, name);
  }

  private void requireLayers(String what) {
    if (sizes.isEmpty())
      throw new IllegalArgumentException(
          what + " is for layers given by sizes; a block has its own, change it there");
  }

  /// The share of outputs left out during training.
  double dropout() {
    return dropout;
  }

  Block block() {
    return maker.get();
  }

  @Override
  public String toString() {
    if (sizes.isEmpty()) return "a network of " + block().getClass().getSimpleName();
    StringBuilder text = new StringBuilder("a network ");
    for (int i = 0; i < sizes.size(); i++) text.append(i == 0 ? "" : "-").append(sizes.get(i));
    text.append(", ").append(activation);
    if (dropout > 0) text.append(String.format(Locale.ROOT, ", dropout %s", dropout));
    return text.toString();
  }
}
