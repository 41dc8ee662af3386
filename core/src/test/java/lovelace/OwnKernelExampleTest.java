package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import lovelace.data.Airline;
import lovelace.data.Dataset;
import lovelace.data.Trust;
import lovelace.kernel.Kernel;
import lovelace.kernel.KernelFunction;
import lovelace.kernel.KernelFunction.Slot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnKernelExampleTest {

  // spotless:off
  // begin kernel
  /// `exp(−r^γ)`, `r² = Σᵢ τᵢ²/ℓᵢ²`: the γ-exponential kernel, GPML eq. (4.18).
  public static final class GammaExponential implements KernelFunction.Stationary {
    @Override
    public String name() {
      return "gammaexp";
    }

    @Override
    public List<Slot> parameters() {
      return List.of(Slot.lengthscale(), Slot.positive("gamma", 1.5).within(0.1, 2));
    }

    @Override
    public double value(double[] distance, double[][] p) {
      double s = 0;
      for (int i = 0; i < distance.length; i++) {
        double t = distance[i] / p[0][i]; // p[0]: a lengthscale per column
        s += t * t;
      }
      return Math.exp(-Math.pow(s, p[1][0] / 2)); // p[1]: gamma
    }
  }

  // end kernel
  // spotless:on

  @Test
  void exampleOfThePageRuns(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("air.lvl");
    Dataset passengers = Airline.dataset().rows(0, 72);
    // spotless:off
    // begin use
    Kernel kernel = Kernel.of(new GammaExponential()).plus(Kernel.linear());
    Model model = Fit.DEFAULT.withKernel(kernel).to(passengers);
    model.save(file);
    Model back = Model.load(file, Trust.DATA, new GammaExponential());
    // end use
    // spotless:on
    assertEquals(model.hyperparameters(), back.hyperparameters());
    assertEquals(
        model.hyperparameters().kernel(),
        Kernel.parse(back.hyperparameters().kernel().toString(), new GammaExponential()).attach(1));
  }

  @Test
  void pageShowsTheProgramThatRuns() throws IOException {
    String source = Files.readString(Path.of("src/test/java/lovelace/OwnKernelExampleTest.java"));
    String page = Files.readString(Path.of("../docs/own-kernel.md"));
    for (String part : List.of("kernel", "use")) {
      String begin = "// begin " + part + "\n";
      int end = source.indexOf("// end " + part + "\n");
      String body =
          source.substring(source.indexOf(begin) + begin.length(), source.lastIndexOf('\n', end));
      assertTrue(page.contains(body.stripTrailing().stripIndent().strip()), body);
    }
  }
}
