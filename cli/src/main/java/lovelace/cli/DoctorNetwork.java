package lovelace.cli;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDManager;

/// Tries PyTorch. This class is only loaded if its jars are present.
final class DoctorNetwork {

  private DoctorNetwork() {}

  /// Multiplies two matrices and returns the version of the engine that did it.
  static String product() {
    if (System.getProperty("ai.djl.offline") == null) System.setProperty("ai.djl.offline", "true");
    Engine engine = Engine.getEngine("PyTorch");
    try (NDManager manager = engine.newBaseManager()) {
      float[] product =
          manager
              .create(new float[][] {{1, 2}, {3, 4}})
              .matMul(manager.create(new float[][] {{5, 6}, {7, 8}}))
              .toFloatArray();
      if (product[0] != 19 || product[3] != 50)
        throw new IllegalStateException("PyTorch multiplies two matrices wrongly");
    }
    return engine.getVersion();
  }
}
