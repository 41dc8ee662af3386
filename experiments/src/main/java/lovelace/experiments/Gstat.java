package lovelace.experiments;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Ordinary kriging by the R package gstat, in a process of its own: empirical variogram, a model
/// fitted to it, and predictions. Its variances are those of an observation.
///
/// @param models the families of variograms it may choose from, or `Mat32` for Matérn with ν = 3/2
/// @param neighbours the number of rows for each prediction; 0 for all
public record Gstat(String name, List<String> models, int neighbours) {

  private static final int NO_GSTAT = 3;

  /// Rscript or gstat are not installed.
  public static final class MissingException extends IOException {

    private static final long serialVersionUID = 1;

    MissingException(String what) {
      super(
          what
              + "; install R with the package gstat (on Debian and Ubuntu: apt-get install"
              + " r-cran-gstat)");
    }
  }

  public Gstat {
    models = List.copyOf(models);
  }

  /// Learns, predicts, scores.
  ///
  /// @param program the command that runs R scripts, `Rscript`
  public KrigingBenchmark.Result run(KrigingBenchmark problem, String program)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("lovelace-gstat");
    try {
      Path script = folder.resolve("gstat.R");
      try (InputStream in = Gstat.class.getResourceAsStream("gstat.R")) {
        if (in == null) throw new IllegalStateException("gstat.R is missing");
        Files.copy(in, script);
      }
      double[] x = problem.train().inputs();
      Files.writeString(
          folder.resolve("train.csv"), table("a,b,y", x, problem.train().target()), UTF_8);
      Files.writeString(
          folder.resolve("test.csv"), table("a,b", problem.places(), new double[0]), UTF_8);
      execute(program, folder, script);
      return result(problem, folder);
    } finally {
      delete(folder);
    }
  }

  private static String table(String names, double[] x, double[] y) {
    StringBuilder csv = new StringBuilder(names).append('\n');
    for (int i = 0; i < x.length / 2; i++) {
      csv.append(x[2 * i]).append(',').append(x[2 * i + 1]);
      if (y.length > 0) csv.append(',').append(y[i]);
      csv.append('\n');
    }
    return csv.toString();
  }

  private void execute(String program, Path folder, Path script)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(program, script.toString(), folder.toString(), Integer.toString(neighbours)));
    command.addAll(models);
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      MissingException missing = new MissingException("there is no program '" + program + "'");
      missing.initCause(e);
      throw missing;
    }
    Thread hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      int code = process.waitFor();
      if (code == NO_GSTAT) throw new MissingException("R has no package 'gstat'");
      if (code != 0) throw new IOException("gstat ended with " + code + ": " + said.strip());
    } finally {
      process.destroyForcibly();
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  private KrigingBenchmark.Result result(KrigingBenchmark problem, Path folder) throws IOException {
    NumberTable table = NumberTable.readWithGaps(folder.resolve("predictions.csv.gz"));
    double[] means = table.column("mean");
    double[] variances = table.column("variance");
    int failed = 0;
    for (int i = 0; i < means.length; i++)
      if (!(Double.isFinite(means[i]) && variances[i] >= 0)) failed++;
    if (failed > 0)
      throw new IOException(
          String.format(
              Locale.ROOT, "gstat has no prediction at %,d of %,d places", failed, means.length));
    JsonNode said = new ObjectMapper().readTree(folder.resolve("result.json").toFile());
    return new KrigingBenchmark.Result(
        name,
        said.get("model").asText() + ", gstat " + said.get("version").asText(),
        problem.scores(means, variances),
        said.get("learn_s").asDouble(),
        said.get("predict_s").asDouble());
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(each);
    }
  }
}
