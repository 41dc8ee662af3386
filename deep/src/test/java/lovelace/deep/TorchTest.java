package lovelace.deep;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import org.junit.jupiter.api.Test;

/// The output of the engine itself.
class TorchTest {

  /// libtorch would warn of a function that DJL calls, on standard error and past the JVM.
  @Test
  void libtorchLogsErrorsOnly() {
    assertEquals("PyTorch", Torch.engine().getEngineName());
    MemorySegment level =
        SymbolLookup.loaderLookup()
            .find("FLAGS_caffe2_log_level")
            .orElseThrow(() -> new AssertionError("libtorch has another switch for its log now"))
            .reinterpret(JAVA_INT.byteSize());
    assertEquals(2, level.get(JAVA_INT, 0));
  }
}
