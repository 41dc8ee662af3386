package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

  static final class WithDerivatives implements KernelFunction.Stationary {
    private final GammaExponential same = new GammaExponential();

    @Override
    public String name() {
      return same.name();
    }

    @Override
    public List<Slot> parameters() {
      return same.parameters();
    }

    @Override
    public double value(double[] distance, double[][] p) {
      return same.value(distance, p);
    }

    // begin derivatives
    @Override
    public Optional<Derivatives> derivatives() {
      return Optional.of(
          (distance, p, g) -> {
            double s = 0;
            for (int i = 0; i < distance.length; i++) s += Math.pow(distance[i] / p[0][i], 2);
            if (s == 0) return; // g holds zeros, and k is 1 there whatever the parameters
            double gamma = p[1][0];
            double power = Math.pow(s, gamma / 2);
            double k = Math.exp(-power);
            for (int i = 0; i < distance.length; i++)
              g[0][i] = k * gamma * power / s * Math.pow(distance[i] / p[0][i], 2) / p[0][i];
            g[1][0] = -k * power * Math.log(s) / 2;
          });
    }

    // end derivatives
  }

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
  void derivativesOfThePageAreThoseOfTheKernel() {
    KernelFunction.Stationary kernel = new WithDerivatives();
    double[][] p = {{0.7, 1.9}, {1.3}};
    for (double[] distance : new double[][] {{0.4, 1.1}, {0, 2}, {0, 0}}) {
      double[][] g = {new double[2], new double[1]};
      kernel.derivatives().orElseThrow().at(distance, p, g);
      for (int s = 0; s < p.length; s++)
        for (int i = 0; i < p[s].length; i++) {
          double at = p[s][i];
          double h = 1e-5; // central differences: an error of h² and rounding of 1e-16 / h
          p[s][i] = at + h;
          double above = kernel.value(distance, p);
          p[s][i] = at - h;
          double below = kernel.value(distance, p);
          p[s][i] = at;
          assertEquals((above - below) / (2 * h), g[s][i], 1e-9);
        }
    }
  }

  @Test
  void pageShowsTheProgramThatRuns() throws IOException {
    String source = Files.readString(Path.of("src/test/java/lovelace/OwnKernelExampleTest.java"));
    String page = Files.readString(Path.of("../docs/own-kernel.md"));
    for (String part : List.of("kernel", "use", "derivatives")) {
      String begin = "// begin " + part + "\n";
      int end = source.indexOf("// end " + part + "\n");
      String body =
          source.substring(source.indexOf(begin) + begin.length(), source.lastIndexOf('\n', end));
      assertTrue(page.contains(body.stripTrailing().stripIndent().strip()), body);
    }
  }
}
