package lovelace.plot;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.grid.Lattice;
import lovelace.laplace.Window;
import org.jspecify.annotations.Nullable;

/// Data to draw, and the box that holds the picture.
record Shown(String name, @Nullable Dataset data, List<double[]> ranges) {

  /// With fewer rows, the picture includes all of them.
  private static final int MANY = 200;

  static Shown of(Model model, @Nullable Dataset given) {
    Window window = model.window().orElse(null);
    if (window != null)
      return new Shown(
          "events",
          given,
          IntStream.range(0, window.dimensions())
              .mapToObj(j -> new double[] {window.low(j), window.high(j)})
              .toList());
    Dataset data = given == null ? model.observed().orElse(null) : given;
    String name = "data";
    if (data == null) {
      data = averages(model);
      if (data != null) name = "averages of grid cells";
    }
    double[][] ranges = new double[model.columns().size()][];
    int process = model.processColumns().size();
    Lattice lattice =
        model.map().isEmpty()
            ? model.lattice().map(grid -> grid.statistics().lattice()).orElse(null)
            : null;
    for (int j = 0; j < ranges.length; j++) {
      if (j >= process) ranges[j] = model.driftRange(j);
      else if (lattice != null) ranges[j] = new double[] {lattice.low(j), lattice.high(j)};
      else if (data != null) ranges[j] = range(data, j);
      else
        throw new IllegalArgumentException(
            "the model keeps neither its rows nor the ranges of its inputs; give a table of rows to draw");
    }
    return new Shown(name, data, List.of(ranges));
  }

  /// The rows to draw: those given, those that the model holds, or the averages of its grid's
  /// cells; null if there are none. Cells of events do not count as rows.
  static @Nullable Dataset rows(Model model, @Nullable Dataset given) {
    if (given != null || model.window().isPresent()) return given;
    Dataset observed = model.observed().orElse(null);
    return observed != null ? observed : averages(model);
  }

  private static @Nullable Dataset averages(Model model) {
    Dataset cells = model.averages().orElse(null);
    if (cells == null) return null;
    double[] y = Arrays.stream(cells.target()).map(model.transform()::invert).toArray();
    return Dataset.of(cells.inputs(), model.columns(), y, model.target());
  }

  private static double[] range(Dataset data, int j) {
    double[] column = column(data, j);
    double low = Arrays.stream(column).min().orElse(0);
    double high = Arrays.stream(column).max().orElse(1);
    double margin = high > low ? 0.03 * (high - low) : 0.5;
    return new double[] {low - margin, high + margin};
  }

  /// The range of the data along a column with a margin, cut at the box.
  double[] dataRange(int j) {
    double[] box = ranges.get(j);
    if (data == null) return box;
    double[] own = range(data, j);
    return new double[] {Math.max(own[0], box[0]), Math.min(own[1], box[1])};
  }

  /// The same data in a box that is no larger than needed.
  Shown nearData() {
    return new Shown(
        name, data, IntStream.range(0, ranges.size()).mapToObj(this::dataRange).toList());
  }

  /// The middle of the data along a column, or of the box. For words, the most frequent one.
  double middle(int j) {
    if (data == null) return 0.5 * (ranges.get(j)[0] + ranges.get(j)[1]);
    if (data.columns().get(j).isText()) return words(j).getFirst();
    double[] column = column(data, j);
    Arrays.sort(column);
    return column[column.length / 2];
  }

  /// The range of most of the data along a column, cut at the box. If there are many rows, one in a
  /// hundred may lie outside.
  double[] mostOfRange(int j) {
    if (data == null || data.size() < MANY) return dataRange(j);
    double[] column = column(data, j);
    Arrays.sort(column);
    int tail = column.length / 200;
    double low = column[tail];
    double high = column[column.length - 1 - tail];
    double[] box = ranges.get(j);
    return low < high ? new double[] {Math.max(low, box[0]), Math.min(high, box[1])} : dataRange(j);
  }

  /// The codes of the words of a column, the most frequent first.
  List<Integer> words(int j) {
    int[] counts = new int[data == null ? 0 : data.columns().get(j).values().size()];
    if (data != null)
      for (double code : column(data, j))
        if (code >= 0 && code < counts.length) counts[(int) code]++;
    return IntStream.range(0, counts.length)
        .boxed()
        .sorted(Comparator.comparingInt(code -> -counts[code]))
        .toList();
  }

  /// A column of some rows.
  static double[] column(Dataset data, int j) {
    int d = data.dimensions();
    double[] column = new double[data.size()];
    for (int i = 0; i < column.length; i++) column[i] = data.inputs()[i * d + j];
    return column;
  }
}
