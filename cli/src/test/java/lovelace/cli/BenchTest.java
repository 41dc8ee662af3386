package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.posterior.Prediction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchTest {

  private static final List<String> KEYS =
      List.of(
          "case",
          "n",
          "t",
          "statistics_ms",
          "love_k50_ms",
          "love_tolerance_ms",
          "k",
          "predict_all_ms",
          "query_ns",
          "kissgp_ms",
          "algorithm1_ms",
          "mean_max_error",
          "variance_smae",
          "variance_mean_relative_error",
          "variance_max_relative_error",
          "variance_min",
          "likelihood_gradient_ms",
          "engine",
          "log_marginal_likelihood",
          "krylov_likelihood_gradient_ms",
          "fit_passes_s",
          "fit_s",
          "fit_log_marginal_likelihood",
          "quartiles");

  private static final String DESCRIPTION =
      """
      {"kernel": "rbf", "lengthscale": [0.9, 0.8], "outputscale": 1.3, "noise": 0.2, "mean": 0.1,
       "log_marginal_likelihood": -80}
      """;

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("bench", "cases", folder.toString()));
    all.addAll(List.of(args));
    if (!all.contains("--warmup")) all.addAll(List.of("--warmup", "0"));
    return Main.run(
        new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
  }

  private static void zip(Path file, String text) throws IOException {
    try (var stream = new GZIPOutputStream(Files.newOutputStream(file))) {
      stream.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /// A case whose exact columns come from the exact GP.
  private Path write() throws IOException {
    Path one = Files.createDirectory(folder.resolve("tiny"));
    SplittableRandom random = new SplittableRandom(1);
    double[] x = new double[80];
    double[] y = new double[40];
    StringBuilder train = new StringBuilder("z0,z1,y\n");
    for (int i = 0; i < 40; i++) {
      x[2 * i] = 2 * random.nextDouble() - 1;
      x[2 * i + 1] = 2 * random.nextDouble() - 1;
      y[i] = Math.sin(2 * x[2 * i]) + 0.4 * random.nextGaussian();
      train.append(x[2 * i] + "," + x[2 * i + 1] + "," + y[i] + "\n");
    }
    Kernel kernel = Kernel.parse("1.3*rbf(lengthscale=[0.9, 0.8])").bind(2);
    Prediction exact =
        ExactGp.of(Dataset.of(x, 2, y), Hyperparameters.of(kernel, 0.2, PriorMean.constant(0.1)))
            .predict(x);
    StringBuilder test = new StringBuilder("z0,z1,y,exact_mean,exact_variance\n");
    for (int i = 0; i < 40; i++)
      test.append(x[2 * i] + "," + x[2 * i + 1] + "," + y[i] + ",")
          .append(exact.mean(i) + "," + exact.variance(i) + "\n");
    zip(one.resolve("train.csv.gz"), train.toString());
    zip(one.resolve("test.csv.gz"), test.toString());
    Files.writeString(one.resolve("case.json"), DESCRIPTION);
    return one;
  }

  @Test
  void aCaseGivesEveryKeyAndSmallErrors() throws IOException {
    write();
    Files.createDirectory(folder.resolve("other"));
    Path json = folder.resolve("result.json");
    assertEquals(0, run("--out", json.toString()), err::toString);
    assertTrue(err.toString().contains("other"), err::toString);
    assertTrue(out.toString().contains("tiny"), out::toString);
    JsonNode all = new ObjectMapper().readTree(json.toFile());
    assertEquals(1, all.size());
    List<String> keys = new ArrayList<>();
    all.get(0).fieldNames().forEachRemaining(keys::add);
    assertEquals(KEYS, keys);
    assertEquals(40, all.get(0).get("n").asInt());
    assertTrue(all.get(0).get("variance_max_relative_error").asDouble() < 1e-3);
    assertTrue(all.get(0).get("mean_max_error").asDouble() < 1e-4);
    assertTrue(all.get(0).get("variance_min").asDouble() > 0);
  }

  /// Every time measured more than once has its quartiles in the file and their distance in the
  /// table.
  @Test
  void timesShowTheirSpread() throws IOException {
    Path one = Files.createDirectory(folder.resolve("line")); // one input: all is quick
    StringBuilder train = new StringBuilder("z0,y\n");
    for (int i = 0; i < 20; i++) train.append(i / 10.0 - 1).append(',').append(i % 3).append('\n');
    zip(one.resolve("train.csv.gz"), train.toString());
    zip(one.resolve("test.csv.gz"), "z0,y,exact_mean,exact_variance\n0.05,1,1,0.1\n");
    Files.writeString(one.resolve("case.json"), DESCRIPTION.replace("0.9, 0.8", "0.9"));
    Path json = folder.resolve("result.json");
    assertEquals(0, run("--warmup", "0.001", "--out", json.toString()), err::toString);
    JsonNode all = new ObjectMapper().readTree(json.toFile()).get(0);
    for (String key : List.of("statistics_ms", "love_k50_ms", "query_ns")) {
      JsonNode pair = all.path("quartiles").path(key);
      double median = all.path(key).asDouble();
      assertTrue(pair.path(0).asDouble() <= median && median <= pair.path(1).asDouble(), key);
      assertTrue(pair.path(0).asDouble() > 0, key);
    }
    assertTrue(out.toString().contains(" ±"), out::toString);
    boolean jumps = false;
    for (var time : all.path("quartiles").properties())
      jumps |=
          time.getValue().get(1).asDouble() - time.getValue().get(0).asDouble()
              > 0.3 * all.path(time.getKey()).asDouble();
    assertEquals(jumps, out.toString().contains("! These times jump"), out::toString);
  }

  @Test
  void samplersDrawThePosterior() throws IOException {
    write();
    assertEquals(0, run("--samples", "300", "--json"), err::toString);
    JsonNode samples = new ObjectMapper().readTree(out.toString()).get(0).get("samples");
    List<String> names = new ArrayList<>();
    for (JsonNode each : samples) {
      names.add(each.get("sampler").asText());
      assertTrue(each.get("scratch_ms").asDouble() > 0 && each.get("after_ms").asDouble() > 0);
      assertTrue(each.get("covariance_error").asDouble() < 1, each::toString); // of 30 draws
    }
    assertEquals(
        List.of("love", "pathwise", "spectral", "exact", "fourier", "sgpr100", "sgpr1000"), names);
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    Path one = write();
    zip(one.resolve("test.csv.gz"), "z0,z1,y,exact_mean\n0,0,1,1\n");
    assertEquals(2, run());
    assertTrue(err.toString().contains("exact_variance"), err::toString);
    zip(one.resolve("test.csv.gz"), "z0,z1,y,exact_mean,exact_variance\n0,0,1,1,1\n");
    Files.writeString(one.resolve("case.json"), DESCRIPTION.replace("noise", "nose"));
    assertEquals(2, run());
    assertTrue(err.toString().contains("'noise'"), err::toString);
    Files.writeString(one.resolve("case.json"), DESCRIPTION.replace("rbf", "rfb"));
    assertEquals(2, run());
    Files.delete(one.resolve("train.csv.gz"));
    Files.writeString(one.resolve("case.json"), DESCRIPTION);
    assertEquals(2, run());
    assertTrue(err.toString().contains("train.csv.gz"), err::toString);
  }

  @Test
  void aFolderWithoutCasesIsWrongUse() {
    assertEquals(2, run());
    assertTrue(err.toString().contains("case.json"), err::toString);
  }
}
