package lovelace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// Forecasts by methods of R, each in a process of `Rscript`: ETS and Theta of the package
/// `forecast` (Hyndman and Khandakar 2008), and `prophet` (Taylor and Letham 2018).
final class BenchPeers {

  /// A method of R, by its name on the command line.
  enum Method {
    ets,
    theta,
    prophet
  }

  /// The forecast of one series.
  ///
  /// @param quantiles by step, then level
  /// @param milliseconds of processor time
  @SuppressWarnings("ArrayRecordComponent")
  record Found(double[] levels, double[][] quantiles, double milliseconds) {

    /// The quantiles at a step; the levels asked for are among those that there are.
    double[] at(int step, double... asked) {
      double[] found = new double[asked.length];
      for (int i = 0; i < found.length; i++) {
        int nearest = 0;
        for (int l = 1; l < levels.length; l++)
          if (Math.abs(levels[l] - asked[i]) < Math.abs(levels[nearest] - asked[i])) nearest = l;
        found[i] = quantiles[step][nearest];
      }
      return found;
    }
  }

  /// R is not there, or lacks a package, or failed.
  static final class Missing extends Exception {
    private static final long serialVersionUID = 1;

    Missing(String message) {
      super(message);
    }
  }

  private final String program;

  /// @param program that runs an R script
  BenchPeers(String program) {
    this.program = program;
  }

  /// The forecasts of series by their places. A series that the method cannot forecast has none.
  ///
  /// @param period the number of steps in a season, 1 for none
  Map<Integer, Found> forecast(Method method, List<double[]> series, int horizon, int period)
      throws IOException, Missing {
    Path folder = Files.createTempDirectory("lovelace-peers");
    try {
      Path script = folder.resolve("peers.R");
      try (InputStream own =
          Objects.requireNonNull(BenchPeers.class.getResourceAsStream("peers.R"))) {
        Files.copy(own, script);
      }
      StringBuilder table = new StringBuilder("series,y\n");
      for (int i = 0; i < series.size(); i++)
        for (double y : series.get(i)) table.append(i).append(',').append(y).append('\n');
      Path in = Files.writeString(folder.resolve("in.csv"), table);
      Path out = folder.resolve("out.csv");
      Path log = folder.resolve("log.txt");
      run(
          log,
          program,
          script.toString(),
          in.toString(),
          out.toString(),
          String.valueOf(horizon),
          String.valueOf(period),
          method.name());
      return read(out, horizon);
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
      }
    }
  }

  private void run(Path log, String... command) throws IOException, Missing {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      throw new Missing(
          "'"
              + program
              + "' did not start, so nothing of R is compared; install R with its packages forecast and prophet");
    }
    try {
      if (process.waitFor() == 0) return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while R works", e);
    } finally {
      process.destroy();
    }
    List<String> said = Files.readAllLines(log, StandardCharsets.UTF_8);
    throw new Missing(
        "R failed: "
            + String.join(" ", said.subList(Math.max(0, said.size() - 4), said.size())).strip());
  }

  private static Map<Integer, Found> read(Path file, int horizon) throws IOException {
    List<String> lines = Files.readAllLines(file);
    double[] levels = numbers(lines.getFirst(), 3);
    Map<Integer, Found> found = new LinkedHashMap<>();
    List<double[]> steps = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      steps.add(numbers(line, 3));
      if (steps.size() < horizon) continue;
      found.put(
          Integer.parseInt(cells[0]),
          new Found(levels, steps.toArray(double[][]::new), Double.parseDouble(cells[2])));
      steps.clear();
    }
    return found;
  }

  private static double[] numbers(String line, int from) {
    return Stream.of(line.toLowerCase(Locale.ROOT).split(",", -1))
        .skip(from)
        .mapToDouble(Double::parseDouble)
        .toArray();
  }
}
