package lovelace.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import lovelace.Model;
import lovelace.plan.Engine;
import lovelace.testing.Needs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Graphs outside of Java. [Exported] runs the graphs of all other tests in these places too, where
/// the machine has them; here are the tests that cannot do without.
class ElsewhereTest {

  @TempDir private Path folder;

  private final Model model =
      GridExportTest.fit("2*rbf(lengthscale=3)", 40)
          .withEngine(Engine.SPECTRAL)
          .to(GridExportTest.data(1, 100, 1));

  private Path write() throws Exception {
    Path file = folder.resolve("model.onnx");
    OnnxExport.DEFAULT.write(model, file);
    return file;
  }

  private void meansAreEqual(Elsewhere.Kind kind) throws Exception {
    double[][] x = {{1.5}, {7.25}};
    try (OnnxTensor rows = OnnxTensor.createTensor(OrtEnvironment.getEnvironment(), x)) {
      double[] means = Elsewhere.evaluate(kind, write(), Map.of("x", rows)).get("mean");
      double[] flat = Arrays.stream(x).flatMapToDouble(Arrays::stream).toArray();
      assertArrayEquals(model.predict(flat).means(), means, 1e-12);
    }
  }

  @Test
  @Needs(packages = "onnxruntime")
  void graphsAnswerInNode() throws Exception {
    meansAreEqual(Elsewhere.Kind.NODE);
  }

  @Test
  @Needs(value = "chromium", packages = "onnxruntime")
  void graphsAnswerInABrowser() throws Exception {
    meansAreEqual(Elsewhere.Kind.BROWSER);
  }

  @Test
  @Needs("onnx")
  void thePythonCheckerAcceptsAFile() throws Exception {
    Path file = write();
    assertEquals(Optional.empty(), Checker.complaint(file));
    byte[] bytes = Files.readAllBytes(file);
    // another operator in place of the first Floor
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("\"\u0005Floor");
    bytes[at + 2] = 'G';
    Files.write(file, bytes);
    String complaint = Checker.complaint(file).orElseThrow();
    assertTrue(complaint.contains("No Op registered for Gloor"), complaint);
    assertEquals(Optional.empty(), Checker.complaint(write()));
  }
}
