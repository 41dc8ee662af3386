package lovelace.deep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import lovelace.data.FeatureMap;
import org.junit.jupiter.api.Test;

/// A network in a file of unknown origin is read as numbers, or refused.
class StrangersFileTest {

  private static final AtomicBoolean RAN = new AtomicBoolean();

  /// A class that is no block, and would tell if it were initialised.
  public static final class NoBlock {
    static {
      RAN.set(true);
    }
  }

  /// A block that would tell if it were initialised.
  public static final class OwnBlock extends DeepKernelTest.Jump {
    static {
      RAN.set(true);
    }
  }

  private interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  /// A network of four columns with what follows its columns.
  private static byte[] network(Body body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(0x4c4f_4e31);
      out.writeInt(4);
      for (int j = 0; j < 4; j++) out.writeDouble(0);
      for (int j = 0; j < 4; j++) out.writeDouble(1);
      body.write(out);
    }
    return bytes.toByteArray();
  }

  private static byte[] named(String type) throws IOException {
    return network(
        out -> {
          out.writeUTF("class");
          out.writeUTF(type);
        });
  }

  private static String refusal(byte[] bytes) {
    var e = assertThrows(IllegalArgumentException.class, () -> FeatureMap.read("djl", bytes));
    return String.valueOf(e.getMessage());
  }

  @Test
  void classThatAFileNamesIsNotInitialised() throws IOException {
    for (Class<?> type : new Class<?>[] {NoBlock.class, OwnBlock.class}) {
      String message = refusal(named(type.getName()));
      assertFalse(RAN.get(), type.getName());
      assertTrue(message.contains(type.getName()), message);
    }
  }

  @Test
  void torchScriptIsNotLoaded() throws IOException {
    byte[] script;
    try (InputStream in =
        Objects.requireNonNull(StrangersFileTest.class.getResourceAsStream("tanh.pt"))) {
      script = in.readAllBytes();
    }
    byte[] bytes =
        network(
            out -> {
              out.writeUTF("torchscript");
              out.writeByte(3);
              out.writeInt(0);
              out.write(script);
            });
    assertTrue(refusal(bytes).contains("TorchScript"), refusal(bytes));
  }

  private static void linear(DataOutputStream out) throws IOException {
    out.writeUTF("layers");
    out.writeUTF("linear");
    out.writeInt(2);
    out.writeBoolean(false);
    out.writeByte(4);
    out.writeLong(2);
    out.writeLong(4);
  }

  private static void shape(DataOutputStream out, long... sizes) throws IOException {
    out.writeInt(sizes.length);
    for (long size : sizes) out.writeLong(size);
    out.writeInt(sizes.length);
    for (int i = 0; i < sizes.length; i++) out.writeChar('?');
  }

  @Test
  void lengthsBeyondTheFileAreRefusedBeforeAnythingIsAllocated() throws IOException {
    Body[] bodies = {
      out -> {
        linear(out);
        out.writeInt(Integer.MAX_VALUE); // axes of a shape
      },
      out -> {
        linear(out);
        out.writeInt(0);
        out.writeInt(Integer.MAX_VALUE); // letters of a shape
      },
      out -> {
        linear(out);
        shape(out, 1, 4);
        out.writeChar('P');
        out.writeByte(1);
        out.writeUTF("weight");
        out.writeUTF("NDAR");
        out.writeInt(3);
        out.writeByte(0);
        out.writeUTF("default");
        out.writeUTF("FLOAT32");
        shape(out, 1L << 40, 1L << 40);
        out.writeByte('>');
        out.writeInt(Integer.MAX_VALUE); // bytes of an array
      },
      out -> {
        out.writeUTF("layers");
        out.writeUTF("sequence");
        out.writeInt(0);
        out.writeByte(3);
        out.writeInt(Integer.MAX_VALUE); // shapes
      }
    };
    for (int i = 0; i < bodies.length; i++) {
      String message = refusal(network(bodies[i]));
      assertTrue(message.contains("network"), "case " + i + ": " + message);
    }
  }

  @Test
  void everyDamageOfANetworkIsRefusedInWords() {
    byte[] good;
    double[] zeros = new double[4];
    double[] ones = {1, 1, 1, 1};
    try (Network network = Network.of(Architecture.layers(5, 2), zeros, ones, 1)) {
      good = network.bytes();
    }
    assertEquals(2, FeatureMap.read("djl", good).outputs());
    long seed = 31;
    var random = new SplittableRandom(seed);
    int refused = 0;
    for (int round = 0; round < 400; round++) {
      byte[] bytes = good.clone();
      for (int k = random.nextInt(1, 4); k > 0; k--)
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      try {
        FeatureMap.read("djl", bytes);
      } catch (IllegalArgumentException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ", round " + round, e);
      }
    }
    assertTrue(refused > 100, "refused " + refused);
  }
}
