package lovelace.deep;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Block;
import ai.djl.nn.LambdaBlock;
import ai.djl.nn.Parameter;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.Dropout;
import java.util.List;
import java.util.SplittableRandom;

/// Fully connected layers.
final class Layers {

  static final List<String> ACTIVATIONS =
      List.of("ReLU", "ReLU6", "Tanh", "sigmoid", "softPlus", "softSign", "SELU", "GELU", "Mish");

  private Layers() {}

  static Block block(List<Integer> sizes, double dropout, String activation) {
    SequentialBlock block = new SequentialBlock();
    for (int i = 0; i < sizes.size(); i++) {
      block.add(Linear.builder().setUnits(sizes.get(i)).build());
      if (i == sizes.size() - 1) continue;
      block.add(activation(activation));
      if (dropout > 0) block.add(Dropout.builder().optRate((float) dropout).build());
    }
    return block;
  }

  /// A function without parameters, by its name in DJL.
  static LambdaBlock activation(String name) {
    return (LambdaBlock)
        switch (name) {
          case "ReLU" -> Activation.reluBlock();
          case "ReLU6" -> Activation.relu6Block();
          case "Tanh" -> Activation.tanhBlock();
          case "sigmoid" -> Activation.sigmoidBlock();
          case "softPlus" -> Activation.softPlusBlock();
          case "softSign" -> Activation.softSignBlock();
          case "SELU" -> Activation.seluBlock();
          case "GELU" -> Activation.geluBlock();
          case "Mish" -> Activation.mishBlock();
          default ->
              throw new IllegalArgumentException(
                  "activation must be one of %s, got '%s'"
                      .formatted(String.join(", ", ACTIVATIONS), name));
        };
  }

  /// Starts weights with variance `2/inputs` (He et al. 2015), `1/inputs` in the last layer,
  /// without biases. They come from a stream of our own, because the engine has only one for the
  /// whole process.
  static void start(NDManager manager, Block block, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Parameter> all = block.getParameters().values();
    int last = 0;
    for (int i = 0; i < all.size(); i++) if (all.get(i).getShape().dimension() == 2) last = i;
    for (int i = 0; i < all.size(); i++) {
      Shape shape = all.get(i).getShape();
      float[] values = new float[(int) shape.size()];
      if (shape.dimension() == 2) {
        double scale = Math.sqrt((i == last ? 1.0 : 2.0) / shape.get(1));
        for (int j = 0; j < values.length; j++) values[j] = (float) (scale * random.nextGaussian());
      }
      try (NDArray start = manager.create(values, shape)) {
        start.copyTo(all.get(i).getArray());
      }
    }
  }
}
