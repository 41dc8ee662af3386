package lovelace.deep;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import lovelace.data.FeatureMap;
import lovelace.data.Trust;

/// A trained network as the [FeatureMap] of a model. Features lie strictly inside (−1, 1).
///
/// Rows go through the network in blocks of one fixed size, and the last block is filled up with
/// zeros. So every block is computed the same way, and the features of a row are the same bits
/// whatever other rows are asked for.
public final class NetworkMap implements FeatureMap {

  /// The kind of map in a model file.
  public static final String TYPE = "djl";

  private static final int BLOCK = 128;
  private static final Cleaner CLEANER = Cleaner.create();

  private final byte[] bytes;
  private final Network network;

  private NetworkMap(byte[] bytes, Trust trust) {
    this.bytes = bytes;
    Network own = Network.read(bytes, trust);
    network = own;
    CLEANER.register(this, own::close);
  }

  /// A copy of the current network.
  static NetworkMap of(Network network) {
    return new NetworkMap(network.bytes(), Trust.CODE);
  }

  /// The network layer by layer. Empty if it is code, which means a TorchScript module or a class
  /// of your own.
  public Optional<NetworkLayers> layers() {
    return network.layers();
  }

  @Override
  public int inputs() {
    return network.inputs();
  }

  @Override
  public int outputs() {
    return network.outputs();
  }

  @Override
  public void apply(double[] x, int rows, double[] out) {
    int d = inputs();
    int k = outputs();
    for (int from = 0; from < rows; from += BLOCK) {
      int count = Math.min(BLOCK, rows - from);
      float[] block = Arrays.copyOf(network.standard(x, from, count), BLOCK * d);
      try (NDManager sub = network.manager().newSubManager()) {
        float[] z = network.features(sub.create(block, new Shape(BLOCK, d)), false).toFloatArray();
        for (int i = 0; i < count * k; i++) out[from * k + i] = z[i];
      }
    }
  }

  @Override
  public void pullBack(double[] x, int xo, double[] g, int go, double[] out, int oo) {
    int d = inputs();
    int k = outputs();
    float[] row = network.standard(Arrays.copyOfRange(x, xo, xo + d), 0, 1);
    float[] slope = new float[k];
    for (int f = 0; f < k; f++) slope[f] = (float) g[go + f];
    Torch.GRADIENTS.lock();
    try (NDManager sub = network.manager().newSubManager()) {
      NDArray at = sub.create(row, new Shape(1, d));
      at.setRequiresGradient(true);
      try (GradientCollector collector = Torch.engine().newGradientCollector()) {
        NDArray z = network.features(at, false);
        collector.backward(z.mul(sub.create(slope, new Shape(1, k))).sum());
      }
      float[] back = at.getGradient().toFloatArray();
      for (int j = 0; j < d; j++) out[oo + j] = back[j] * network.slope(j, x[xo + j]);
    } finally {
      Torch.GRADIENTS.unlock();
    }
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NetworkMap map && Arrays.equals(bytes, map.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "a network of %d columns with %d features", inputs(), outputs());
  }

  /// Reads networks from model files.
  public static final class Reader implements FeatureMap.Reader {

    @Override
    public String type() {
      return TYPE;
    }

    @Override
    public FeatureMap read(byte[] bytes, Trust trust) {
      return new NetworkMap(bytes.clone(), trust);
    }
  }
}
