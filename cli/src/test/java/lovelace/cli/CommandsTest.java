package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `fit`, `predict` and `inspect` together, in one process.
class CommandsTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String line, String... more) {
    List<String> args = new ArrayList<>();
    for (String word : line.trim().split(" +", -1)) args.add(word.replace("@", folder + "/"));
    args.addAll(Arrays.asList(more));
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Main.run(
        new PrintWriter(out, true), new PrintWriter(err, true), args.toArray(String[]::new));
  }

  private void ok(String line, String... more) {
    assertEquals(0, run(line, more), () -> line + "\n" + err);
  }

  private static final int ROWS = 300;
  private final double[] x = new double[2 * ROWS];
  private final double[] y = new double[ROWS];

  private static final String GIVEN =
      " --no-train --set lengthscale=0.6,0.5 --set outputscale=1.2 --set noise=0.1 --set mean=0.3";
  private static final String FIT =
      "fit @train.csv.gz --target y --inputs z0,z1 --kernel rbf --grid 90x90 --bounds z0=-1:1"
          + " --bounds z1=-1:1 --tolerance 1e-4 --model @m.lvl"
          + GIVEN;

  @BeforeEach
  void writeTables() throws IOException {
    var random = new SplittableRandom(3);
    StringBuilder train = new StringBuilder("z0,z1,name,y\n");
    for (int i = 0; i < ROWS; i++) {
      x[2 * i] = 2 * random.nextDouble() - 1;
      x[2 * i + 1] = 2 * random.nextDouble() - 1;
      y[i] = Math.sin(3 * x[2 * i]) * x[2 * i + 1] + 0.3 * random.nextGaussian();
      train.append(String.format(Locale.ROOT, "%s,%s,n%d,%s%n", x[2 * i], x[2 * i + 1], i, y[i]));
    }
    try (var zip = new GZIPOutputStream(Files.newOutputStream(folder.resolve("train.csv.gz")))) {
      zip.write(train.toString().getBytes(StandardCharsets.UTF_8));
    }
    Files.writeString(folder.resolve("train.csv"), train);
    Files.writeString(
        folder.resolve("test.csv"),
        "id,z1,z0\nfirst,0.25,-0.5\n\"se,cond\",0,0.125\nbeyond,0.5,1.5\n");
  }

  private ExactGp exact() {
    Hyperparameters h =
        Hyperparameters.of(Kernel.rbf(0.6, 0.5).times(1.2).bind(2), 0.1, PriorMean.constant(0.3));
    return ExactGp.of(Dataset.of(x, 2, y), h);
  }

  @Test
  void predictionsOfGivenParametersAreThoseOfTheExactProcess() {
    ok(FIT);
    ok("predict @m.lvl @test.csv --interval 0.9");
    List<String> lines = out.toString().lines().toList();
    assertEquals("id,z1,z0,mean,variance,lower,upper,outside", lines.get(0));
    assertTrue(lines.get(2).startsWith("\"se,cond\",0,0.125,"), lines.get(2));
    Prediction p = exact().predict(new double[] {-0.5, 0.25, 0.125, 0, 1.5, 0.5});
    for (int i = 0; i < 3; i++) {
      String[] f = lines.get(i + 1).replace("se,cond", "second").split(",", -1);
      double tolerance = i == 2 ? 3e-2 : 1e-4;
      assertEquals(p.mean(i), Double.parseDouble(f[3]), tolerance);
      assertEquals(p.variance(i), Double.parseDouble(f[4]), tolerance * p.variance(i));
      assertEquals(p.lower(i, 0.9), Double.parseDouble(f[5]), tolerance);
      assertEquals(p.upper(i, 0.9), Double.parseDouble(f[6]), tolerance);
      assertEquals(i == 2 ? "true" : "false", f[7]);
    }
  }

  @Test
  void noiseGoesIntoTheVariance() throws IOException {
    ok(FIT + " --no-covariance");
    ok("predict @m.lvl @test.csv --out @latent.csv");
    ok("predict @m.lvl @test.csv --of observation --out @observed.csv");
    double latent = column(folder.resolve("latent.csv"), 4);
    double observed = column(folder.resolve("observed.csv"), 4);
    assertEquals(latent + 0.1, observed, 1e-15);
  }

  private static double column(Path csv, int index) throws IOException {
    return Double.parseDouble(Files.readAllLines(csv).get(1).split(",", -1)[index]);
  }

  @Test
  void otherFormatsPredictTheSame() throws IOException {
    ok(FIT);
    ok("predict @m.lvl @test.csv --out @p.parquet");
    ok("predict @m.lvl @test.csv --out @p.json");
    ok("predict @m.lvl @test.csv --out @p.csv.gz");
    ok("predict @m.lvl @test.csv");
    String mean = out.toString().lines().toList().get(1).split(",", -1)[3];
    assertTrue(Files.readString(folder.resolve("p.json")).contains(mean));
    assertTrue(Files.size(folder.resolve("p.parquet")) > 0);
  }

  @Test
  void inspectTellsWhatWasFitted() {
    ok(FIT);
    assertTrue(out.toString().contains("of the exact process"), out::toString);
    ok("inspect @m.lvl");
    assertTrue(out.toString().contains("rbf.lengthscale"), out::toString);
    ok("inspect @m.lvl --json");
    String json = out.toString();
    for (String part :
        List.of(
            "\"log_marginal_likelihood\": ",
            "\"noise\": 0.1",
            "\"rbf.lengthscale\": [0.6, 0.5]",
            "\"command\": \"lovelace fit ",
            "\"met\": true",
            "\"kind\": \"certified\"",
            "\"points\": 7744",
            "\"not_covered\": [",
            "\"mean\": ",
            "\"measured\": true",
            "\"rows\": 300")) assertTrue(json.contains(part), () -> part + " in " + json);
    ok(FIT.replaceAll(" --(grid|bounds) \\S+", "") + " --json --engine exact");
    String exact = out.toString();
    assertTrue(exact.contains("\"holds_training_rows\": true"), exact);
    String likelihood =
        "\"log_marginal_likelihood\": "
            + String.format(Locale.ROOT, "%.6f", exact().logMarginalLikelihood());
    assertTrue(exact.contains(likelihood.substring(0, likelihood.length() - 2)), exact);
  }

  @Test
  void learningFindsSensibleParameters() {
    ok("fit @train.csv --target y --inputs z0,z1 --fix noise=0.09 --model @m.lvl");
    ok("inspect @m.lvl --json");
    assertTrue(out.toString().contains("\"noise\": 0.09"), out::toString);
    for (String part : List.of("\"trace\"", "\"gradient_norm\"", "\"rbf.lengthscale[1]\""))
      assertTrue(out.toString().contains(part), out::toString);
    ok("predict @m.lvl @test.csv");
    String[] f = out.toString().lines().toList().get(1).split(",", -1);
    assertEquals(Math.sin(-1.5) * 0.25, Double.parseDouble(f[3]), 0.25);
  }

  @Test
  void aValueOfTheKernelsTextIsAStartUnlessItIsHeld() throws IOException {
    StringBuilder csv = new StringBuilder("t,y\n");
    for (int i = 0; i < 40; i++)
      csv.append("%s,%s%n".formatted(i / 10.0, Math.sin(6 * i / 10.0) + i % 3 / 10.0));
    Files.writeString(folder.resolve("wave.csv"), csv);
    String fit = "fit @wave.csv --target y --model @m.lvl --kernel ";
    ok(fit + "rbf*periodic(period=1)");
    assertTrue(
        out.toString()
            .contains(
                "learning started at periodic.period = 1.0 from the kernel's text and changed it; to keep"
                    + " a value write period=fixed(1.0) or --fix periodic.period=1.0"),
        out::toString);
    ok(fit + "2*rbf");
    assertTrue(
        out.toString().contains("write fixed(2.0)* or --fix outputscale=2.0"), out::toString);
    ok(fit + "rbf*periodic(period=1) --json");
    assertTrue(
        Pattern.compile("\"started_from_kernel\": \\[\\s*\"periodic.period\"")
            .matcher(out.toString())
            .find(),
        out::toString);
    for (String held :
        List.of(
            "rbf*periodic(period=fixed(1))", "rbf*periodic(period=1) --fix periodic.period=1")) {
      ok(fit + held);
      assertFalse(out.toString().contains("began at"), out::toString);
      assertTrue(out.toString().contains("period=fixed(1.0)"), out::toString);
      assertTrue(
          Pattern.compile("periodic.period +1.00000 \\(fixed\\)").matcher(out.toString()).find(),
          out::toString);
      ok("inspect @m.lvl");
      assertTrue(out.toString().contains("period=fixed(1.0)"), out::toString);
    }
  }

  @Test
  void datesAreInputsAndComeBackInTheirScale() throws IOException {
    StringBuilder csv = new StringBuilder("month,passengers\n");
    for (int i = 0; i < 48; i++)
      csv.append(
          String.format(Locale.ROOT, "%d-%02d,%d%n", 2000 + i / 12, 1 + i % 12, 100 + 3 * i));
    Files.writeString(folder.resolve("dates.csv"), csv);
    ok(
        "fit @dates.csv --target passengers --transform log --extend month=2000-01:2006-01"
            + " --no-train --set lengthscale=2 --set outputscale=1 --set noise=0.001 --set mean=5"
            + " --model @d.lvl");
    Files.writeString(folder.resolve("new.csv"), "month\n2001-07\n2005-06\n");
    ok("predict @d.lvl @new.csv");
    String[] f = out.toString().lines().toList().get(1).split(",", -1);
    assertEquals(154, Double.parseDouble(f[1]), 2);
    assertEquals("false", out.toString().lines().toList().get(2).split(",", -1)[5]);
    Files.writeString(folder.resolve("wrong.csv"), "month\n7.5\n");
    assertEquals(2, run("predict @d.lvl @wrong.csv"));
    assertTrue(err.toString().contains("the model learned from dates"), err::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --grid 3x3          | points per axis must lie between 4 and
          --grid 10xa         | grid
          --bounds z0         | --bounds needs COLUMN=LO:HI with one of the inputs z0, z1, got 'z0'
          --bounds q=0:1      | with one of the inputs z0, z1
          --extend z0=1:0     | the range must be LO:HI with LO < HI
          --bounds z0=0:1     | outside the grid, which covers
          --bounds z0=-1:1 --bounds z0=-2:2 | --bounds names 'z0' twice
          --bounds z0=-1:1 --extend z0=-2:2 | --extend z0=-2:2: --bounds fixes the range of 'z0'
          --outside never     | --outside
          --transform sqrt    | target transform must be none, log or ranks, got 'sqrt'
          --transform log     | the log transform needs values > 0
          --mean quadratic    | mean must be zero, constant or linear, got 'quadratic'
          --engine magic      | --engine
          --tolerance 2       | --tolerance must lie between 0 and 1, got 2.0
          --tolerance x       | --tolerance
          --set noise         | --set needs NAME=VALUE, got 'noise'
          --set noise=a       | 'a' is not a number
          --set noise=-1      | noise must be > 0
          --set lenghtscale=1 | no parameter is called 'lenghtscale'; there are
          --set lengthscale=1,2,3 | lengthscale has 2 values
          --kernel rbff       | rbff
          --starts 0          | --starts must lie between 1 and 1,000, got 0
          --starts 2000000000 | --starts must lie between 1 and 1,000, got 2000000000
          --inputs z0,y       | names the target 'y'
          --inputs z0,z0      | names 'z0' twice
          --inputs z0,zz      | has no column 'zz'
          --inputs name       | holds text
          --weights name      | --weights must be a column of numbers
          --target name       | must be a column of numbers
          --target yy         | has no column 'yy'
          --model @no/m.lvl   | there is no folder
          --modle q           | unknown option '--modle'
          """)
  void wrongUseIsAnsweredInWords(String option, String message) {
    String base = FIT;
    String name = option.split(" ", -1)[0];
    for (String single :
        List.of("--grid", "--tolerance", "--target", "--model", "--kernel", "--inputs"))
      if (name.equals(single)) base = base.replaceAll(single + " \\S+ ?", "");
    if (name.equals("--bounds") && option.contains("z0="))
      base = base.replace("--bounds z0=-1:1 ", "");
    assertEquals(2, run(base + " " + option), () -> option + ": " + err);
    assertTrue(err.toString().contains(message), err::toString);
    assertFalse(err.toString().contains("Exception"), err::toString);
  }

  @Test
  void badTablesAndModelsAreRefused() throws IOException {
    Files.writeString(folder.resolve("nan.csv"), "z0,z1,y\n0.1,0.2,1\n0.3,NaN,2\n0.2,0.5,3\n");
    Files.writeString(folder.resolve("empty.csv"), "");
    Files.writeString(folder.resolve("names.csv"), "z0,z1,y\n");
    Files.writeString(folder.resolve("constant.csv"), "z0,z1,y\n0.1,0.2,4\n0.3,0.1,4\n");
    for (String[] c :
        new String[][] {
          {"nan.csv", "row 2 of", "column 'z1'"},
          {"empty.csv", "is empty", ""},
          {"missing.csv", "there is no file", ""}
        }) {
      assertEquals(2, run(FIT.replace("train.csv.gz", c[0])), () -> c[0] + ": " + err);
      assertTrue(err.toString().contains(c[1]) && err.toString().contains(c[2]), err::toString);
    }
    String learned = FIT.replace("train.csv.gz", "constant.csv").replace(GIVEN, "");
    assertEquals(2, run(learned), () -> "constant.csv: " + err);
    assertTrue(
        err.toString().contains("target 'y' is constant (4.0 in all 2 rows)"), err::toString);
    assertEquals(2, run(FIT.replace("train.csv.gz", "names.csv")), err::toString);
    ok(FIT.replace("train.csv.gz", "nan.csv") + " --missing skip");
    assertTrue(out.toString().contains("1 rows that lack a value"), out::toString);
    assertEquals(2, run("inspect @test.csv"));
    assertTrue(err.toString().contains("is not a Lovelace model"), err::toString);
    assertEquals(2, run("predict @no.lvl @test.csv"));
    assertTrue(err.toString().contains("there is no model"), err::toString);
    assertEquals(2, run("predict @m.lvl @train.csv --interval 1.5"));
    assertEquals(2, run("predict @m.lvl @test.csv --out @p.txt"));
    assertTrue(err.toString().contains(".parquet"), err::toString);
    Files.writeString(folder.resolve("short.csv"), "z0\n0.1\n");
    assertEquals(2, run("predict @m.lvl @short.csv"));
    assertTrue(err.toString().contains("has no column 'z1'"), err::toString);
    assertEquals(2, run(FIT.replaceAll("--set noise=0.1", "")));
    assertTrue(err.toString().contains("not set: noise"), err::toString);
  }

  @Test
  void skippedRowsHaveNoPrediction() throws IOException {
    ok(FIT);
    Files.writeString(folder.resolve("gaps.csv"), "z0,z1\n0.1,0.2\n,0.2\n");
    assertEquals(2, run("predict @m.lvl @gaps.csv"));
    ok("predict @m.lvl @gaps.csv --missing skip");
    assertEquals(",0.2,,,,,", out.toString().lines().toList().get(2));
  }
}
