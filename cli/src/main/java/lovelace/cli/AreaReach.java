package lovelace.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.grid.Lattice;
import lovelace.posterior.internal.RowPosterior;
import org.jspecify.annotations.Nullable;

/// Tells which parts of areas lie where a model has seen data. Only the columns of the process
/// count: the mean is linear in the others, and they may have any values.
final class AreaReach {

  private AreaReach() {}

  /// Counts the cells of each area that lie beyond the model's grid. Refuses areas if all of them
  /// are far from the model's data.
  static int[] outside(Model model, AreaCells areas) {
    int[] counts = new int[areas.count()];
    Lattice lattice = model.lattice().map(l -> l.statistics().lattice()).orElse(null);
    double[][] range = range(model, lattice);
    boolean near = false;
    for (int a = 0; a < counts.length; a++) {
      boolean[] in = within(model, lattice, range, areas.points(a));
      for (boolean own : in) {
        near |= own;
        if (!own && lattice != null) counts[a]++;
      }
    }
    if (near) return counts;
    throw new IllegalArgumentException(
        "no cell of any area lies %s%s; check the order of coordinates and their system"
            .formatted(
                lattice == null ? "in the range of the model's rows" : "on the model's grid",
                text(model, range, areas)));
  }

  /// Tells which points lie on the grid of a model, or in the range of the rows that it holds.
  private static boolean[] within(
      Model model, @Nullable Lattice lattice, double[][] range, double[] points) {
    int d = model.columns().size();
    boolean[] in = new boolean[points.length / d];
    double[] features = lattice == null ? points : model.features(points);
    for (int i = 0; i < in.length; i++) {
      if (lattice != null) {
        in[i] = lattice.outsideColumn(features, i * lattice.dimensions()) < 0;
        continue;
      }
      int at = i * d;
      in[i] =
          IntStream.range(0, range.length)
              .allMatch(j -> points[at + j] >= range[j][0] && points[at + j] <= range[j][1]);
    }
    return in;
  }

  /// The smallest and largest value of each column of the process that the model has seen or that
  /// its grid covers; empty for a grid of features.
  private static double[][] range(Model model, @Nullable Lattice lattice) {
    int d = model.processColumns().size();
    if (lattice != null) {
      if (model.map().isPresent()) return new double[0][];
      double[][] range = new double[d][];
      Arrays.setAll(range, j -> new double[] {lattice.low(j), lattice.high(j)});
      return range;
    }
    Dataset rows = model.held().map(RowPosterior::data).orElseThrow();
    double[][] range = new double[d][];
    for (int j = 0; j < d; j++) {
      int column = j;
      var values =
          IntStream.range(0, rows.size())
              .mapToDouble(i -> rows.inputs()[i * rows.dimensions() + column])
              .summaryStatistics();
      range[j] = new double[] {values.getMin(), values.getMax()};
    }
    return range;
  }

  /// Says which ranges the model has seen, and where the first cell is.
  private static String text(Model model, double[][] range, AreaCells areas) {
    if (range.length == 0) return "";
    StringBuilder text = new StringBuilder(", which has");
    for (int j = 0; j < range.length; j++)
      text.append(
          String.format(
              Locale.ROOT,
              "%s '%s' from %.6g to %.6g",
              j == 0 ? "" : ",",
              model.columns().get(j).name(),
              range[j][0],
              range[j][1]));
    text.append("; the first cell has ");
    for (int j = 0; j < range.length; j++)
      text.append(String.format(Locale.ROOT, "%s%.6g", j == 0 ? "" : ", ", areas.points()[j]));
    return text.toString();
  }
}
