package lovelace.deep;

import ai.djl.nn.Block;
import ai.djl.nn.LambdaBlock;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.Dropout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The computation of a network, layer by layer, for code that exports it. With columns `s = (x −
/// centre)/scale`, the first layer reads `s/√(1 + (s/8)²)`. The features are `u/√(1 + u²)`, where u
/// is the output of the last layer. Computation is in float32 from the first layer on. Immutable.
public final class NetworkLayers {

  /// A layer.
  public sealed interface Layer permits Dense, Activation {}

  /// `Wx + b`.
  public static final class Dense implements Layer {
    private final int inputs;
    private final int outputs;
    private final float[] weights;
    private final float[] biases;

    private Dense(int inputs, int outputs, float[] weights, float[] biases) {
      this.inputs = inputs;
      this.outputs = outputs;
      this.weights = weights;
      this.biases = biases;
    }

    public int inputs() {
      return inputs;
    }

    public int outputs() {
      return outputs;
    }

    public float weight(int output, int input) {
      return weights[output * inputs + input];
    }

    public float bias(int output) {
      return biases.length == 0 ? 0 : biases[output];
    }
  }

  /// A function of each number, by its name in DJL: `ReLU`, `Tanh`, `GELU` and so on.
  public record Activation(String name) implements Layer {}

  private final double[] centre;
  private final double[] scale;
  private final List<Layer> layers;

  private NetworkLayers(double[] centre, double[] scale, List<Layer> layers) {
    this.centre = centre;
    this.scale = scale;
    this.layers = List.copyOf(layers);
  }

  /// The layers of a block, unless it is code.
  static Optional<NetworkLayers> of(Block block, double[] centre, double[] scale) {
    List<Layer> layers = new ArrayList<>();
    return add(block, layers)
        ? Optional.of(new NetworkLayers(centre.clone(), scale.clone(), layers))
        : Optional.empty();
  }

  private static boolean add(Block block, List<Layer> layers) {
    if (block instanceof SequentialBlock)
      return block.getChildren().values().stream().allMatch(child -> add(child, layers));
    if (block instanceof LambdaBlock lambda && Layers.ACTIVATIONS.contains(lambda.getName()))
      return layers.add(new Activation(lambda.getName()));
    if (block.getClass() == Dropout.class) return true; // used only in training
    if (block.getClass() != Linear.class) return false;
    Parameter weight = block.getDirectParameters().get("weight");
    Parameter bias = block.getDirectParameters().get("bias");
    int outputs = (int) weight.getShape().get(0);
    int inputs = (int) weight.getShape().get(1);
    float[] biases = bias == null ? new float[0] : bias.getArray().toFloatArray();
    return layers.add(new Dense(inputs, outputs, weight.getArray().toFloatArray(), biases));
  }

  /// The value of a column that is subtracted before scaling.
  public double centre(int column) {
    return centre[column];
  }

  /// The spread of a column.
  public double scale(int column) {
    return scale[column];
  }

  public List<Layer> layers() {
    return layers;
  }
}
