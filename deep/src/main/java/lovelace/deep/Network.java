package lovelace.deep;

import ai.djl.MalformedModelException;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.nn.Parameter;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.training.ParameterStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.data.Trust;

/// A block with its input and output transforms. Before the block, columns are standardised to `s`,
/// and outlying values are pulled in, `s/√(1 + (s/8)²)`; otherwise a single value a hundred spreads
/// away would dominate the gradient. After the block, outputs u are bounded, `z = u/√(1 + u²)`,
/// smoothly and strictly inside (−1, 1). It owns native memory until it is closed.
final class Network implements AutoCloseable {

  private static final int MAGIC = 0x4c4f_4e31; // LON1
  private static final int MOST_COLUMNS = 1 << 20;
  private static final double REACH = 8; // of a column, in spreads

  private final NDManager manager;
  private final Block block;
  private final int inputs;
  private final int outputs;
  private final double[] centre;
  private final double[] scale;

  private Network(NDManager manager, Block block, double[] centre, double[] scale) {
    this.manager = manager;
    this.block = block;
    this.centre = centre;
    this.scale = scale;
    inputs = centre.length;
    try (NDManager sub = manager.newSubManager()) {
      Shape shape = raw(sub.zeros(new Shape(2, inputs)), false).getShape();
      if (shape.dimension() != 2 || shape.get(0) != 2)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "a network must turn rows × %d columns into rows × features; this one turns two rows into %s",
                inputs,
                shape));
      outputs = (int) shape.get(1);
    }
  }

  /// A network for columns with this centre and scale. Its parameters start from the seed unless it
  /// has some already.
  static Network of(Architecture architecture, double[] centre, double[] scale, long seed) {
    NDManager manager = Torch.engine().newBaseManager();
    Block block = architecture.block();
    // a TorchScript module has parameters but reports that it has none
    if (!block.isInitialized() && !(block instanceof PtSymbolBlock)) {
      Torch.engine().setRandomSeed((int) seed);
      block.initialize(manager, DataType.FLOAT32, new Shape(1, centre.length));
      if (!architecture.sizes().isEmpty()) Layers.start(manager, block, seed);
    }
    if (block instanceof PtSymbolBlock) requireChangeable(block);
    return new Network(manager, block, centre, scale);
  }

  /// Refuses a TorchScript module that DJL has loaded only for predictions, as it does by default.
  private static void requireChangeable(Block block) {
    for (Parameter p : block.getParameters().values()) {
      NDArray array = p.getArray();
      boolean learns = array.hasGradient();
      try {
        if (learns) array.setRequiresGradient(false);
        array.addi(0);
        if (learns) array.setRequiresGradient(true);
      } catch (EngineException e) {
        throw new IllegalArgumentException(
            "the parameters of the TorchScript module cannot change: load it with the option trainParam=true",
            e);
      }
    }
  }

  int inputs() {
    return inputs;
  }

  int outputs() {
    return outputs;
  }

  NDManager manager() {
    return manager;
  }

  Block block() {
    return block;
  }

  Optional<NetworkLayers> layers() {
    return NetworkLayers.of(block, centre, scale);
  }

  /// Parameters that learn.
  List<NDArray> learning() {
    return block.getParameters().values().stream()
        .filter(Parameter::requiresGradient)
        .map(Parameter::getArray)
        .toList();
  }

  /// All parameters, including those that only count.
  List<NDArray> all() {
    return block.getParameters().values().stream().map(Parameter::getArray).toList();
  }

  /// Standardised columns of some rows, in the form that the block takes.
  float[] standard(double[] x, int from, int rows) {
    float[] standard = new float[rows * inputs];
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < inputs; j++) {
        double s = (x[(from + i) * inputs + j] - centre[j]) / scale[j];
        standard[i * inputs + j] = (float) (s / Math.hypot(1, s / REACH));
      }
    return standard;
  }

  /// The derivative of the block's input in a value of a column.
  double slope(int column, double x) {
    double far = Math.hypot(1, (x - centre[column]) / scale[column] / REACH);
    return 1 / (far * far * far * scale[column]);
  }

  private NDArray raw(NDArray x, boolean training) {
    return block
        .forward(new ParameterStore(x.getManager(), false), new NDList(x), training)
        .singletonOrThrow();
  }

  /// Features of standardised rows. All new arrays belong to x's manager.
  NDArray features(NDArray x, boolean training) {
    NDArray u = raw(x, training);
    return u.div(u.square().add(1).sqrt());
  }

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(MAGIC);
      out.writeInt(inputs);
      for (double value : centre) out.writeDouble(value);
      for (double value : scale) out.writeDouble(value);
      BlockFile.write(block, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static Network read(byte[] bytes, Trust trust) {
    NDManager manager = Torch.engine().newBaseManager();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readInt() != MAGIC)
        throw new IllegalArgumentException("its network is damaged: the first bytes are wrong");
      int inputs = in.readInt();
      if (inputs < 1 || inputs > MOST_COLUMNS)
        throw new IllegalArgumentException("its network takes " + inputs + " columns");
      double[] centre = new double[inputs];
      double[] scale = new double[inputs];
      for (int j = 0; j < inputs; j++) centre[j] = in.readDouble();
      for (int j = 0; j < inputs; j++) scale[j] = in.readDouble();
      return new Network(manager, BlockFile.read(manager, inputs, in, trust), centre, scale);
    } catch (IOException | MalformedModelException | EngineException e) {
      manager.close();
      throw new IllegalArgumentException("its network cannot be read: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      manager.close();
      throw e;
    }
  }

  @Override
  public void close() {
    manager.close();
  }
}
