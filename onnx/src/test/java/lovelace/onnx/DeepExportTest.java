package lovelace.onnx;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.deep.Architecture;
import lovelace.deep.DeepKernel;
import lovelace.options.GridChoice;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Models whose features are a network's.
class DeepExportTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ReLU",
        "ReLU6",
        "Tanh",
        "sigmoid",
        "softPlus",
        "softSign",
        "SELU",
        "GELU",
        "Mish"
      })
  void networksAreInTheGraph(String activation) throws Exception {
    Dataset data = GridExportTest.data(4, 120, 3);
    Model model = deep(Architecture.layers(6, 2).withActivation(activation), data);
    double[] x = new SplittableRandom(4).doubles(40_000, -2, 12).toArray();
    Exported.of(model, OnnxExport.DEFAULT, x).compare(x, 1e-5, activation + ", seed 4");
    if (!activation.equals("ReLU")) return;
    OnnxExport narrow = OnnxExport.DEFAULT.withFloat32(true);
    Float32Error stated = Float32Error.of(model, narrow);
    assertTrue(stated.rows() > 500 && stated.mean() < 0.1, stated.toString());
  }

  private static Model deep(Architecture network, Dataset data) {
    Fit fit = Fit.DEFAULT.withKernel("rbf").withGrid(GridChoice.DEFAULT.withPoints(20));
    DeepKernel kernel = DeepKernel.of(network).withFit(fit);
    return kernel.withSettings(kernel.settings().withWarmUp(20, 64, 5e-3).withSteps(2)).to(data);
  }
}
