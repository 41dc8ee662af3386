package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// From a table to a model, predictions, scores and pictures on real processes: compressed CSV,
/// Parquet and standard input.
class PipelineIT {

  @TempDir private Path folder;

  private int run(String in, String out, String... args) throws IOException, InterruptedException {
    Path target = Path.of("target").toAbsolutePath();
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*",
                "lovelace.cli.Main"));
    command.addAll(List.of(args));
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    if (!in.isEmpty()) builder.redirectInput(folder.resolve(in).toFile());
    return builder
        .redirectOutput(folder.resolve(out).toFile())
        .redirectError(folder.resolve("err").toFile())
        .start()
        .waitFor();
  }

  private String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  @Test
  void tableBecomesModelBecomesPredictions() throws Exception {
    var random = new SplittableRandom(4);
    StringBuilder csv = new StringBuilder("day,sales\n");
    for (int i = 0; i < 90; i++)
      csv.append(
          String.format(
              Locale.ROOT,
              "2024-%02d-%02d,%s%n",
              1 + i / 28,
              1 + i % 28,
              50 + 10 * Math.sin(i / 9.0) + random.nextGaussian()));
    Files.writeString(folder.resolve("sales.csv"), csv);
    assertEquals(
        0,
        run("sales.csv", "report", "fit", "-", "--target", "sales", "--model", "m.lvl"),
        this::errors);
    String report = Files.readString(folder.resolve("report"));
    assertTrue(report.contains("day (days)") && report.contains("90"), report);
    assertEquals(
        0, run("", "none", "predict", "m.lvl", "sales.csv", "--out", "p.parquet"), this::errors);
    Files.writeString(folder.resolve("new.csv"), "day\n2024-02-05\n");
    assertEquals(0, run("new.csv", "p.csv", "predict", "m.lvl", "-"), this::errors);
    List<String> lines = Files.readAllLines(folder.resolve("p.csv"));
    assertEquals("day,mean,variance,lower,upper,outside", lines.get(0));
    double mean = Double.parseDouble(lines.get(1).split(",", -1)[1]);
    assertEquals(50 + 10 * Math.sin(32 / 9.0), mean, 2.5);
    assertEquals(0, run("", "json", "inspect", "m.lvl", "--json"), this::errors);
    assertTrue(Files.readString(folder.resolve("json")).contains("\"log_marginal_likelihood\": -"));
  }

  /// The same rows in every form give the same model, predictions and pictures.
  @Test
  void fromTableToModelToPredictionsToPicture() throws Exception {
    var random = new SplittableRandom(9);
    StringBuilder csv = new StringBuilder("depth,warmth\n");
    for (int i = 0; i < 80; i++)
      csv.append("%s,%s%n".formatted(i / 8.0, Math.sin(i / 10.0) + 0.1 * random.nextGaussian()));
    Files.writeString(folder.resolve("rows.csv"), csv);
    try (var zip = new GZIPOutputStream(Files.newOutputStream(folder.resolve("rows.csv.gz")))) {
      zip.write(csv.toString().getBytes(StandardCharsets.UTF_8));
    }
    try (var duck = DriverManager.getConnection("jdbc:duckdb:");
        var statement = duck.createStatement()) {
      statement.execute(
          "copy (from read_csv('%1$s/rows.csv')) to '%1$s/rows.parquet' (format parquet)"
              .formatted(folder));
    }
    String fit =
        "--target warmth --kernel matern52 --no-train --set lengthscale=2 --set outputscale=1"
            + " --set noise=0.01 --set mean=0 --model m.lvl";
    done("", "none", "fit rows.csv " + fit.replace("m.lvl", "plain.lvl"));
    done("", "plain.csv", "predict plain.lvl rows.csv");
    List<String> plain = Files.readAllLines(folder.resolve("plain.csv"));
    Map<String, String> pictures =
        Map.of("rows.csv.gz", "p.png", "rows.parquet", "p.svg", "-", "p.html");
    for (String table : pictures.keySet()) {
      String in = table.equals("-") ? "rows.csv" : "";
      done(in, "report", "fit " + table + " " + fit);
      done(in, "p.csv", "predict m.lvl " + table);
      List<String> lines = Files.readAllLines(folder.resolve("p.csv"));
      assertEquals("depth,warmth,mean,variance,lower,upper,outside", lines.getFirst());
      for (int i = 1; i <= 80; i++) // to the bit; CSV text of the table's own columns may differ
      assertEquals(
            plain.get(i).split(",", -1)[2] + plain.get(i).split(",", -1)[3],
            lines.get(i).split(",", -1)[2] + lines.get(i).split(",", -1)[3],
            table);
      done(in, "scores", "evaluate m.lvl " + table + " --json --plot c.svg");
      assertTrue(Files.readString(folder.resolve("scores")).contains("\"rmse\": 0.0"), table);
      String picture = pictures.get(table);
      done(in, "none", "plot m.lvl " + table + " --out " + picture);
      assertTrue(Files.size(folder.resolve(picture)) > 10_000, picture);
      done(in, "none", "update m.lvl " + table + " --model twice.lvl");
    }
    done("", "none", "merge m.lvl plain.lvl --model both.lvl");
    done("", "json", "inspect both.lvl --json");
    assertTrue(Files.readString(folder.resolve("json")).contains("\"rows\": 160"));
  }

  private void done(String in, String out, String line) throws IOException, InterruptedException {
    assertEquals(0, run(in, out, line.split(" ", -1)), () -> line + "\n" + errors());
  }

  @Test
  void failureLeavesNoFileAndSaysWhy() throws Exception {
    Files.writeString(folder.resolve("bad.csv"), "x,y\n1,2\n2,oops\n3,4\n4,5\n");
    assertEquals(
        2, run("", "none", "fit", "bad.csv", "--target", "y", "--model", "m.lvl"), this::errors);
    assertTrue(!err().isBlank());
    Files.writeString(folder.resolve("m.lvl"), "not a model");
    assertEquals(2, run("", "none", "predict", "m.lvl", "bad.csv"));
    assertTrue(err().contains("is not a Lovelace model"), err());
    try (var files = Files.list(folder)) {
      assertEquals(
          List.of("bad.csv", "err", "m.lvl", "none"),
          files.map(f -> f.getFileName().toString()).sorted().toList());
    }
  }

  private String errors() {
    try {
      return err();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
