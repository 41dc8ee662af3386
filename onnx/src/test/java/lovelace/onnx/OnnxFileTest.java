package lovelace.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxFileTest {

  @TempDir private Path folder;

  private static Model model() {
    return GridExportTest.fit("2*rbf(lengthscale=3)", 20)
        .withEngine(Engine.SPECTRAL)
        .to(GridExportTest.data(1, 50, 1));
  }

  @Test
  void aByteMoreOrLessOrOtherIsNoticed() throws IOException {
    Path file = folder.resolve("m.onnx");
    OnnxExport.DEFAULT.write(model(), file);
    byte[] whole = Files.readAllBytes(file);
    int seed = 2;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 500; i++) {
      int at = i == 0 ? 0 : i == 1 ? whole.length - 1 : random.nextInt(whole.length);
      byte[] altered = whole.clone();
      altered[at] ^= (byte) (1 + random.nextInt(255));
      refused(file, altered, "byte " + at + ", seed " + seed);
      refused(file, Arrays.copyOf(whole, at), "cut at " + at + ", seed " + seed);
    }
    refused(file, Arrays.copyOf(whole, whole.length + 2), "longer");
    refused(file, "not a graph".getBytes(java.nio.charset.StandardCharsets.UTF_8), "text");
    Files.write(file, whole);
    OnnxFile.read(file);
  }

  private static void refused(Path file, byte[] bytes, String what) throws IOException {
    Files.write(file, bytes);
    Exception e = assertThrows(IllegalArgumentException.class, () -> OnnxFile.read(file), what);
    assertTrue(String.valueOf(e.getMessage()).contains("m.onnx"), what);
  }

  @Test
  void theSameModelMakesTheSameBytes() throws IOException {
    Path first = folder.resolve("a.onnx");
    Path second = folder.resolve("b.onnx");
    Model model = model();
    OnnxFile written = OnnxExport.DEFAULT.write(model, first);
    OnnxExport.DEFAULT.write(model, second);
    assertEquals(-1, Files.mismatch(first, second));
    assertEquals(written.bytes(), Files.size(first));
    assertEquals(50, written.facts().get("rows"));
  }
}
