package lovelace.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import lovelace.Fit;
import lovelace.data.Dataset;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The rows are not in a file.
class ExportSizeTest {

  @TempDir private Path folder;

  private byte[] export(Dataset data) throws Exception {
    Fit fit = GridExportTest.fit("2*rbf(lengthscale=3)", 40).withEngine(Engine.SPECTRAL);
    Path file = folder.resolve("model.onnx");
    OnnxExport.DEFAULT.write(fit.to(data), file);
    return Files.readAllBytes(file);
  }

  /// How many of the numbers stand somewhere in a file, in either order of their bytes.
  private static long present(byte[] file, double[]... numbers) {
    Set<Long> words = new HashSet<>();
    for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
      ByteBuffer all = ByteBuffer.wrap(file).order(order);
      for (int i = 0; i + Long.BYTES <= file.length; i++) words.add(all.getLong(i));
    }
    return Arrays.stream(numbers)
        .flatMapToDouble(Arrays::stream)
        .filter(x -> words.contains(Double.doubleToLongBits(x)))
        .count();
  }

  @Test
  void aMillionRowsLeaveNoRowInTheFile() throws Exception {
    byte[] few = export(GridExportTest.data(1, 1_000, 1));
    Dataset million = GridExportTest.data(1, 1_000_000, 1);
    byte[] many = export(million);
    int texts = 200; // numbers in the metadata have more or fewer digits
    assertTrue(Math.abs(many.length - few.length) < texts, few.length + " and " + many.length);
    assertEquals(0, present(many, million.inputs(), million.target()));
    // a row would be seen
    ByteBuffer.wrap(many).order(ByteOrder.LITTLE_ENDIAN).putDouble(1001, million.inputs()[777]);
    assertEquals(1, present(many, million.inputs(), million.target()));
  }
}
