package lovelace.experiments;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lovelace.plot.Palette;
import lovelace.plot.Plot;

/// Draws what [RegretTable] appended to its file: the median regret of every function after each
/// evaluation, as a share of what random search is left with in the end.
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
    Map<String, double[]> traces = new HashMap<>();
    List<String> lines = Files.readAllLines(Path.of(arguments[0]));
    for (String line : lines) {
      String[] parts = line.split(",", -1);
      traces.put(
          parts[0] + "," + parts[1],
          Arrays.stream(parts).skip(2).mapToDouble(Double::parseDouble).toArray());
    }
    Plot plot =
        Plot.titled("Median regret over 20 seeds, " + arguments[1])
            .subtitle("as a share of what random search is left with in the end")
            .labels("evaluation", "share of random search's regret")
            .log(false, true);
    int next = 0;
    for (String line : lines) {
      String[] parts = line.split(",", 3);
      double[] random = traces.get(parts[0] + ",random");
      double[] own = traces.get(parts[0] + "," + arguments[1]);
      if (!parts[1].equals(arguments[1]) || random == null || own == null) continue;
      double[] x = new double[own.length];
      double[] y = new double[own.length];
      for (int i = 0; i < x.length; i++) {
        x[i] = i + 1;
        y[i] = own[i] / random[random.length - 1];
      }
      plot.line(parts[0], x, y, COLORS.get(next++ % COLORS.size()), 2);
    }
    plot.write(Path.of(arguments[2]));
  }
}
