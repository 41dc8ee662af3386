package lovelace.deep;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import java.util.concurrent.locks.ReentrantLock;

/// The engine that runs networks, and the lock that its gradients need: it collects one at a time
/// in a process.
final class Torch {

  private static final String OFFLINE = "ai.djl.offline";

  static final ReentrantLock GRADIENTS = new ReentrantLock();

  private Torch() {}

  /// The engine. All it needs is on the class path. Nothing is downloaded unless `ai.djl.offline`
  /// allows it.
  static Engine engine() {
    return Holder.ENGINE;
  }

  private static final class Holder {
    static final Engine ENGINE = load();

    private static Engine load() {
      if (System.getProperty(OFFLINE) == null) System.setProperty(OFFLINE, "true");
      try {
        return Engine.getEngine("PyTorch");
      } catch (EngineException | UnsatisfiedLinkError e) {
        throw new IllegalStateException(
            "PyTorch does not load on this machine: %s; put ai.djl.pytorch:pytorch-native-cpu of its platform on the class path"
                .formatted(e.getMessage()),
            e);
      }
    }
  }
}
