package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `lovelace export` and what `inspect` reads of it; what graphs compute is tested with them.
class ExportCommandTest {

  @TempDir private Path folder;

  private Trial trial = new Trial(Path.of("."));

  @BeforeEach
  void fit() throws IOException {
    trial = new Trial(folder);
    SplittableRandom random = new SplittableRandom(1);
    StringBuilder table = new StringBuilder("day,depth [m],heat\n");
    for (int i = 0; i < 40; i++)
      table.append(
          String.format(
              Locale.ROOT,
              "2020-01-%02d,%s,%s%n",
              1 + random.nextInt(31),
              random.nextDouble(),
              random.nextDouble()));
    trial.write("t.csv", table.toString());
    trial.ok(
        "fit @t.csv --target heat --no-train --grid 8x8 --model @m.lvl --set lengthscale=5,1 --set outputscale=1 --set noise=0.1 --set mean=0");
  }

  @Test
  void inspectShowsWhatAnExportedModelIs() throws IOException {
    String said = trial.ok("export @m.lvl --out @m.onnx --of observation --interval 0.9");
    assertTrue(said.contains("float64, of the observation"), said);
    String text = trial.ok("inspect @m.onnx");
    for (String part :
        new String[] {
          "rows        40",
          "day (days since 2020-01-01T00:00), depth",
          "target      heat",
          "interval    0.9",
          "of          observation",
          "rbf(",
          "certificate variances",
          "fit " + folder,
          "without training rows",
        }) assertTrue(text.contains(part), () -> part + " is not in\n" + text);
    String json = trial.ok("export @m.lvl --out @m.onnx --interval 0.9 --json");
    assertTrue(json.contains("\"rows\": 40,"), json);
    assertTrue(json.contains("\"interval\": 0.9,"), json);
    json = trial.ok("inspect @m.onnx --json");
    assertTrue(json.contains("\"rows\": 40,"), json);
    assertTrue(json.contains("\"number\": \"days since 2020-01-01T00:00\""), json);
    assertTrue(json.contains("\"bytes\": " + Files.size(trial.file("m.onnx"))), json);
  }

  @Test
  void aFileThatWasCutOrAlteredIsRefused() throws IOException {
    trial.ok("export @m.lvl --out @m.onnx");
    byte[] whole = Files.readAllBytes(trial.file("m.onnx"));
    byte[] altered = whole.clone();
    altered[whole.length / 2]++;
    Files.write(trial.file("a.onnx"), altered);
    assertTrue(trial.refused("inspect @a.onnx").contains("'@a.onnx' was altered"));
    Files.write(trial.file("a.onnx"), Arrays.copyOf(whole, whole.length / 2));
    assertTrue(trial.refused("inspect @a.onnx").contains("was cut"));
    trial.write("a.onnx", "not a graph");
    assertTrue(trial.refused("inspect @a.onnx").contains("is not an ONNX file"));
    assertTrue(trial.refused("inspect @none.onnx").contains("lovelace export"));
  }

  @Test
  void whatAGraphCannotSayIsRefusedAndNothingIsWritten() throws IOException {
    trial.ok(
        "fit @t.csv --target heat --engine exact --no-train --model @e.lvl --set lengthscale=5,1 --set outputscale=1 --set noise=0.1 --set mean=0");
    String said = trial.refused("export @e.lvl --out @e.onnx");
    assertTrue(said.contains("answers from its rows") && said.contains("--engine"), said);
    assertFalse(Files.exists(trial.file("e.onnx")));
    trial.write("kept.onnx", "as it was");
    trial.refused("export @e.lvl --out @kept.onnx");
    assertEquals("as it was", Files.readString(trial.file("kept.onnx")));
    assertTrue(trial.refused("export @m.lvl --out @m.pdf").contains("must end in .onnx"));
  }
}
