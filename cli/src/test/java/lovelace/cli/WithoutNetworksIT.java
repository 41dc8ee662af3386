package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command as its archive holds it, without networks: the jars of `target/lib` in a class
/// loader of their own.
class WithoutNetworksIT {

  private static final String REMEDY = "unpack lovelace-deep-";

  @TempDir private static Path folder;

  private static URLClassLoader loader = new URLClassLoader(new URL[0]);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void load() throws Exception {
    Path target = Path.of("target").toAbsolutePath();
    List<URL> urls = new ArrayList<>(List.of(target.resolve("classes").toUri().toURL()));
    try (var jars = Files.newDirectoryStream(target.resolve("lib"), "*.jar")) {
      for (Path jar : jars) urls.add(jar.toUri().toURL());
    }
    loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    // JDBC has looked for drivers before, in another loader
    Class.forName("org.duckdb.DuckDBDriver", true, loader);
    Files.writeString(folder.resolve("t.csv"), Trial.wave(0, 60));
    StringBuilder map = new StringBuilder("lon,lat,z\n");
    for (int i = 0; i < 60; i++)
      map.append(i % 10).append(',').append(i / 10).append(',').append(i * i % 7).append('\n');
    Files.writeString(folder.resolve("map.csv"), map);
  }

  @AfterAll
  static void close() throws Exception {
    loader.close();
  }

  private int run(String line) throws Exception {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      Method run =
          loader
              .loadClass(Main.class.getName())
              .getDeclaredMethod("run", PrintWriter.class, PrintWriter.class, String[].class);
      run.setAccessible(true);
      return (int)
          run.invoke(
              null,
              new PrintWriter(out, true),
              new PrintWriter(err, true),
              line.replace("@", folder + "/").split(" ", -1));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private void ok(String line) throws Exception {
    assertEquals(0, run(line), () -> line + "\n" + err);
  }

  private void refused(String line, String reason) throws Exception {
    assertEquals(Errors.WRONG_USE, run(line), () -> line + "\n" + out + err);
    assertTrue(err.toString().contains(reason), () -> line + "\n" + err);
    assertEquals(1, err.toString().strip().lines().count(), err::toString);
  }

  @Test
  void noNetworkIsOnTheClassPath() {
    for (String name : List.of("lovelace.deep.DeepKernel", "ai.djl.Model"))
      assertFalse(there(name), name);
  }

  private static boolean there(String name) {
    try {
      loader.loadClass(name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Test
  void whatNeedsNetworksSaysHowToAddThem() throws Exception {
    refused("fit @t.csv --target y --deep 8,2 --model @no.lvl", "--deep needs networks");
    refused("fit @t.csv --target y --deep 8,2 --model @no.lvl", REMEDY);
    refused("bench tables --rows 100 --method deep", REMEDY);
    refused("reproduce variances --quick --out @none", "reproduce variances needs networks");
    assertFalse(Files.exists(folder.resolve("none")));
    refused("fit @t.csv --target y --held-out 0.2 --model @no.lvl", "pass --deep");
  }

  @Test
  void aModelThatHoldsANetworkSaysHowToAddThem() throws Exception {
    Trial with = new Trial(folder);
    with.ok("fit @t.csv --target y --deep 4,1 --deep-steps 2,1 --grid 16 --model @deep.lvl");
    for (String command : List.of("inspect @deep.lvl", "predict @deep.lvl @t.csv"))
      refused(command, "it holds a network, and networks are not installed; add lovelace-deep");
    with.ok("export @deep.lvl --out @deep.onnx");
    ok("inspect @deep.onnx");
  }

  @Test
  void everythingElseWorks() throws Exception {
    for (String engine : List.of("exact", "spectral")) {
      ok("fit @t.csv --target y --engine " + engine + " --model @m.lvl");
      ok("predict @m.lvl @t.csv --out @p.csv");
      ok("evaluate @m.lvl @t.csv");
      ok("inspect @m.lvl");
      ok("plot @m.lvl @t.csv --out @p.html");
      ok("plot @m.lvl @t.csv --out @p.png");
    }
    ok("export @m.lvl --out @m.onnx");
    ok("export @m.lvl --out @narrow.onnx --float32");
    ok("inspect @m.onnx");
    ok("update @m.lvl @t.csv --model @m2.lvl");
    ok("compare @t.csv --target y --kernels rbf,matern52");
    ok("bench tables --rows 100 --columns 2 --warmup 0");
  }

  @Test
  void mapsOfPlacesAndExportsOfTheirFeaturesWork() throws Exception {
    ok("map @map.csv --target z --inputs lon,lat --resolution 1 --out @map.tif --out @map.html");
    ok("fit @map.csv --target z --inputs lon,lat --grid 12x12 --model @map.lvl");
    ok("export @map.lvl --out @map.onnx --float32");
  }
}
