package lovelace.experiments;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import lovelace.csv.CsvRows;
import lovelace.plot.Palette;
import lovelace.plot.Plot;

/// Draws the results that [RegretTable] appended to its file: the median regret of every function
/// after each evaluation, as a share of the regret that random search has in the end.
///
/// Usage: `RegretPicture traces.csv acquisition picture.svg`.
public final class RegretPicture {

  private static final List<Color> COLORS =
      List.of(
          Palette.BLUE,
          Palette.ORANGE,
          Palette.GREEN,
          Palette.VERMILION,
          Palette.PURPLE,
          Palette.SKY,
          Palette.BLACK);

  private RegretPicture() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 3)
      throw new IllegalArgumentException(
          "pass traces.csv, an acquisition and a picture, got " + Arrays.toString(arguments));
    Map<List<String>, double[]> traces = new LinkedHashMap<>(); // by function and acquisition
    try (CsvRows csv = CsvRows.of(Files.readString(Path.of(arguments[0])), ',')) {
      for (String[] row = csv.next(); row != null; row = csv.next()) {
        double[] trace = new double[Math.max(0, row.length - 2)];
        for (int c = 2; c < row.length; c++) {
          trace[c - 2] = CsvRows.number(row[c]);
          if (Double.isNaN(trace[c - 2]))
            throw csv.wrong(c, row[c], "not a number", "measure again with RegretTable");
        }
        if (trace.length > 0) traces.put(List.of(row[0], row[1]), trace);
      }
    }
    Plot plot =
        Plot.titled("Median regret over 20 seeds, " + arguments[1])
            .subtitle("as a share of the final regret of random search")
            .labels("evaluation", "share of random search's regret")
            .log(false, true);
    int next = 0;
    for (var entry : traces.entrySet()) {
      String function = entry.getKey().get(0);
      double[] own = entry.getValue();
      double[] random = traces.get(List.of(function, "random"));
      if (!entry.getKey().get(1).equals(arguments[1]) || random == null) continue;
      double[] x = new double[own.length];
      double[] y = new double[own.length];
      for (int i = 0; i < x.length; i++) {
        x[i] = i + 1;
        y[i] = own[i] / random[random.length - 1];
      }
      plot.line(function, x, y, COLORS.get(next++ % COLORS.size()), 2);
    }
    plot.write(Path.of(arguments[2]));
  }
}
