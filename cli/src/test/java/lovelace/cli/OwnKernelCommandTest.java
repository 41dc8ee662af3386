package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import lovelace.kernel.KernelFunction;
import lovelace.kernel.KernelFunction.Slot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands with a kernel of the user's own, which a jar on the class path registers as a service.
class OwnKernelCommandTest {

  /// `1/(1 + r²)`, the rational quadratic of α = 1 up to the unit of ℓ.
  public static final class Cauchy implements KernelFunction.Stationary {
    @Override
    public String name() {
      return "cauchy";
    }

    @Override
    public List<Slot> parameters() {
      return List.of(Slot.lengthscale());
    }

    @Override
    public double value(double[] distance, double[][] p) {
      double s = 0;
      for (int i = 0; i < distance.length; i++) s += Math.pow(distance[i] / p[0][i], 2);
      return 1 / (1 + s);
    }
  }

  @Test
  void commandsFindTheServiceAndRefuseWithoutIt(@TempDir Path folder) throws IOException {
    Trial trial = new Trial(folder);
    StringBuilder rows = new StringBuilder("x,y\n");
    for (int i = 0; i < 60; i++)
      rows.append(i).append(',').append(Math.sin(0.2 * i) + 0.01 * (i * 7 % 11)).append('\n');
    trial.write("t.csv", rows.toString());
    String unknown = trial.refused("fit @t.csv --target y --kernel 'cauchy + rbf' --model @m.lvl");
    assertTrue(unknown.contains("no kernel is called 'cauchy'"), unknown);
    Path jar = folder.resolve("jar");
    Path services = Files.createDirectories(jar.resolve("META-INF/services"));
    Files.writeString(services.resolve(KernelFunction.class.getName()), Cauchy.class.getName());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      trial.ok("fit @t.csv --target y --kernel cauchy --model @m.lvl");
      trial.ok("fit @t.csv --target y --kernel cauchy --grid 60 --model @g.lvl");
      String report = trial.ok("inspect @g.lvl");
      assertTrue(report.contains("loading the model requires its class"), report);
      trial.ok("predict @m.lvl @t.csv --out @p.csv");
      trial.ok("sample @g.lvl @t.csv --draws 2 --out @s.csv");
      trial.ok("update @g.lvl @t.csv --model @u.lvl");
      trial.ok("merge @g.lvl @u.lvl --model @v.lvl");
      trial.ok("plot @m.lvl @t.csv --out @p.svg");
      trial.ok("compare @t.csv --target y --kernels cauchy,rbf --folds 2");
    } finally {
      thread.setContextClassLoader(before);
    }
    String refused = trial.refused("predict @m.lvl @t.csv --out @p.csv");
    assertTrue(refused.contains("its kernel 'cauchy' is not known here"), refused);
    assertTrue(refused.contains("LOVELACE_CLASSPATH"), refused);
  }
}
