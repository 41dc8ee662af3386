package lovelace.deep;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import ai.djl.engine.Engine;
import ai.djl.engine.EngineException;
import java.lang.foreign.SymbolLookup;
import java.util.concurrent.locks.ReentrantLock;

/// The engine that runs networks, and the lock that its gradients need: only one gradient at a time
/// can be collected in a process.
final class Torch {

  /// The level of c10's log that shows only errors.
  private static final int ERROR = 2;

  private static final String OFFLINE = "ai.djl.offline";

  static final ReentrantLock GRADIENTS = new ReentrantLock();

  private Torch() {}

  /// The engine. Everything that it needs is on the class path. Nothing is downloaded unless
  /// `ai.djl.offline` allows it.
  static Engine engine() {
    return Holder.ENGINE;
  }

  private static final class Holder {
    static final Engine ENGINE = load();

    private static Engine load() {
      if (System.getProperty(OFFLINE) == null) System.setProperty(OFFLINE, "true");
      try {
        Engine engine = Engine.getEngine("PyTorch");
        quieten();
        return engine;
      } catch (EngineException | UnsatisfiedLinkError e) {
        throw new IllegalStateException(
            "PyTorch does not load on this machine: %s; put ai.djl.pytorch:pytorch-native-cpu of its platform on the class path"
                .formatted(e.getMessage()),
            e);
      }
    }

    /// Keeps libtorch's own warnings off standard error. DJL calls a function that libtorch calls
    /// deprecated, and a user cannot do anything about it. Errors still appear.
    @SuppressWarnings("restricted")
    private static void quieten() {
      SymbolLookup.loaderLookup()
          .find("FLAGS_caffe2_log_level")
          .ifPresent(level -> level.reinterpret(JAVA_INT.byteSize()).set(JAVA_INT, 0, ERROR));
    }
  }
}
