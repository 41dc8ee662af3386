package lovelace.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.options.Options;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Graphs of float32, and what graphs read.
class NarrowExportTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void theErrorOfFloat32IsStated(int kind) throws Exception {
    Dataset data = GridExportTest.data(kind == 4 ? 3 : kind == 5 ? 1 : kind, 200, 1);
    Fit fit =
        switch (kind) {
          case 1 -> GridExportTest.fit("2*matern52(lengthscale=3)", 60);
          case 2 -> GridExportTest.fit("2*rbf(lengthscale=[3,2])", 20, 20);
          case 3 -> GridExportTest.fit("2*rbf(lengthscale=[4,5,6])", 9, 9, 9);
          case 4 ->
              GridExportTest.fit("2*matern52(lengthscale=[4,5,6])", 14)
                  .withShape(Options.Shape.ADDITIVE)
                  .withKernel("matern52")
                  .set("lengthscale", 3)
                  .set("outputscale", 0.7);
          default ->
              GridExportTest.fit("0.5*matern52(lengthscale=3)", 60)
                  .withTransform(TargetTransform.LOG);
        };
    Model model = fit.withEngine(kind == 3 ? Engine.KRYLOV : Engine.AUTO).to(data);
    double[] x = Exported.points(model, 5000, new SplittableRandom(2));
    for (int i = 0; i < x.length; i++) x[i] = (float) x[i];
    OnnxExport narrow = OnnxExport.DEFAULT.withFloat32(true);
    Float32Error stated = Float32Error.of(model, narrow);
    Exported wide = Exported.of(model, OnnxExport.DEFAULT, x);
    Exported found = Exported.of(model, narrow, x);
    double mean = 0;
    double deviation = 0;
    double worst = 0;
    for (int i = 0; i < wide.outside.length; i++) {
      if (wide.outside[i] || found.outside[i]) continue;
      double sd = wide.get("stddev")[i];
      double off = Math.abs(found.get("mean")[i] - wide.get("mean")[i]);
      mean = Math.max(mean, off / sd);
      worst = Math.max(worst, off / Math.sqrt(wide.prior()));
      deviation = Math.max(deviation, Math.abs(found.get("stddev")[i] - sd) / sd);
    }
    String all = stated + "; found " + mean + " and " + deviation + ", of the prior " + worst;
    assertTrue(mean < 3 * stated.mean() && deviation < 3 * stated.deviation(), all);
    assertTrue(worst < 1e-5 * (kind == 5 ? 20 : 1), all);
    assertTrue(stated.mean() > 1e-9 && stated.rows() > 1000, all);
    Path file = folder.resolve("m.onnx");
    OnnxFile written = narrow.write(model, file);
    assertEquals(stated.toString(), written.facts().get("error"));
    if (kind == 3) // mostly tables
    assertTrue(Files.size(file) < 0.51 * Exported.size(model, OnnxExport.DEFAULT));
  }

  @Test
  void columnsAreInputsByName() throws Exception {
    Model model =
        GridExportTest.fit("2*rbf(lengthscale=[3,2])", 20, 20)
            .withEngine(Engine.SPECTRAL)
            .to(GridExportTest.data(2, 200, 1));
    double[] x = Exported.points(model, 2000, new SplittableRandom(2));
    Exported one = Exported.of(model, OnnxExport.DEFAULT, x);
    Exported each = Exported.of(model, OnnxExport.DEFAULT.withInputs(OnnxExport.Inputs.COLUMNS), x);
    for (String name : List.of("mean", "variance", "lower", "upper"))
      assertArrayEquals(one.get(name), each.get(name), name);
  }
}
