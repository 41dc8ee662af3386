package lovelace.deep;

import ai.djl.MalformedModelException;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import ai.djl.nn.LambdaBlock;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.Dropout;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Modifier;
import lovelace.data.Trust;
import lovelace.data.Trust.UntrustedCodeException;

/// Writes and reads a block: a tree of layers, a TorchScript module, or the name of a class. Each
/// is followed by its parameters in DJL's own form.
final class BlockFile {

  private static final int DEEPEST = 32;

  private BlockFile() {}

  static void requireWritable(Block block) {
    if (block instanceof PtSymbolBlock || isTree(block)) return;
    Class<?> type = block.getClass();
    try {
      if (!type.getName().startsWith("ai.djl.")
          && Modifier.isPublic(type.getModifiers())
          && Modifier.isPublic(type.getConstructor().getModifiers())) return;
    } catch (NoSuchMethodException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        "a network of %s cannot be written to a file: use a SequentialBlock of Linear, activations %s and Dropout, a TorchScript module, or a public class with a public constructor without arguments"
            .formatted(type.getName(), String.join(", ", Layers.ACTIVATIONS)));
  }

  private static boolean isTree(Block block) {
    if (block instanceof LambdaBlock lambda) return Layers.ACTIVATIONS.contains(lambda.getName());
    if (block instanceof SequentialBlock)
      return block.getChildren().values().stream().allMatch(BlockFile::isTree);
    return block.getClass() == Linear.class || block.getClass() == Dropout.class;
  }

  static void write(Block block, DataOutputStream out) throws IOException {
    requireWritable(block);
    if (block instanceof PtSymbolBlock) {
      out.writeUTF("torchscript");
    } else if (isTree(block)) {
      out.writeUTF("layers");
      writeTree(block, out);
    } else {
      out.writeUTF("class");
      out.writeUTF(block.getClass().getName());
    }
    block.saveParameters(out);
  }

  private static void writeTree(Block block, DataOutputStream out) throws IOException {
    switch (block) {
      case SequentialBlock sequence -> {
        out.writeUTF("sequence");
        out.writeInt(sequence.getChildren().size());
        for (Block child : sequence.getChildren().values()) writeTree(child, out);
      }
      case Linear linear -> {
        out.writeUTF("linear");
        out.writeInt((int) linear.getDirectParameters().valueAt(0).getShape().get(0));
        out.writeBoolean(linear.getDirectParameters().size() > 1);
      }
      case LambdaBlock lambda -> out.writeUTF(lambda.getName());
      default -> out.writeUTF("dropout"); // its rate matters only in training
    }
  }

  /// Reads the block with its parameters. Layers are numbers; a TorchScript module and a class are
  /// code, and need trust.
  static Block read(NDManager manager, int inputs, DataInputStream in, Trust trust)
      throws IOException, MalformedModelException {
    String kind = in.readUTF();
    Block block =
        switch (kind) {
          case "layers" -> readTree(in, 0);
          case "torchscript" -> {
            requireTrust(trust, "a TorchScript module");
            yield new PtSymbolBlock((PtNDManager) manager);
          }
          case "class" -> {
            String name = in.readUTF();
            requireTrust(trust, "of the class " + name);
            yield make(name);
          }
          default ->
              throw new IllegalArgumentException(
                  "its network is of the unknown kind '" + kind + "'");
        };
    if (kind.equals("class")) block.initialize(manager, DataType.FLOAT32, new Shape(1, inputs));
    if (kind.equals("layers")) LayerBytes.check(block, in);
    block.loadParameters(manager, in);
    return block;
  }

  private static void requireTrust(Trust trust, String code) {
    if (trust != Trust.CODE) throw new UntrustedCodeException(code);
  }

  private static Block readTree(DataInputStream in, int depth) throws IOException {
    if (depth > DEEPEST) throw new IllegalArgumentException("its network is nested too deeply");
    String kind = in.readUTF();
    return switch (kind) {
      case "sequence" -> {
        SequentialBlock block = new SequentialBlock();
        int count = in.readInt();
        for (int i = 0; i < count; i++) block.add(readTree(in, depth + 1));
        yield block;
      }
      case "linear" -> {
        int units = in.readInt();
        yield Linear.builder().setUnits(units).optBias(in.readBoolean()).build();
      }
      case "dropout" -> Dropout.builder().build();
      default -> Layers.activation(kind);
    };
  }

  /// Makes a block from the name of a class. It checks that the class is a block before any of its
  /// code runs.
  private static Block make(String name) {
    try {
      return Class.forName(name, false, BlockFile.class.getClassLoader())
          .asSubclass(Block.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
      throw new IllegalArgumentException(
          "its network is a " + name + ", which is not on the class path as a DJL block", e);
    }
  }
}
