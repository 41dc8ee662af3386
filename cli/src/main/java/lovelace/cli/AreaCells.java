package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.Model;
import lovelace.data.Column;
import org.jspecify.annotations.Nullable;

/// Areas as a model sees them: the points of their cells with weights, and columns that describe
/// each area.
///
/// @param names the names that messages use
/// @param about columns of the result that say which area a row is of
/// @param points of all areas, row-major in the model's columns
/// @param weights of the points
/// @param starts where each area starts, and the number of points
@SuppressWarnings("ArrayRecordComponent") // handed over, never compared
record AreaCells(
    List<String> names,
    Map<String, List<@Nullable Object>> about,
    double[] points,
    double[] weights,
    int[] starts) {

  int count() {
    return names.size();
  }

  int cells(int area) {
    return starts[area + 1] - starts[area];
  }

  /// A copy of the points of one area.
  double[] points(int area) {
    int d = points.length / starts[count()];
    return Arrays.copyOfRange(points, starts[area] * d, starts[area + 1] * d);
  }

  /// The areas from `from` to `to`, without the columns that describe them.
  AreaCells some(int from, int to) {
    int d = points.length / starts[count()];
    int[] own = Arrays.copyOfRange(starts, from, to + 1);
    for (int a = 0; a < own.length; a++) own[a] -= starts[from];
    return new AreaCells(
        names.subList(from, to),
        Map.of(),
        Arrays.copyOfRange(points, starts[from] * d, starts[to] * d),
        Arrays.copyOfRange(weights, starts[from], starts[to]),
        own);
  }

  /// Makes areas from a table: rows that share a value of a column are the cells of one area. A
  /// column may hold their weights.
  static AreaCells of(
      Table table, Model model, String by, @Nullable String weight, ReadingOptions options)
      throws IOException {
    table.requireRows();
    Named.check("--by", () -> table.field(by));
    List<TableScan.First> found = table.firstOf(by, Integer.MAX_VALUE);
    if (found.isEmpty())
      throw new IllegalArgumentException(
          "--by: column '%s' of '%s' has no values; name the column with each row's area"
              .formatted(by, table.name()));
    List<String> names = found.stream().map(TableScan.First::value).toList();
    List<Column> others = new ArrayList<>(List.of(Column.of(by, names)));
    if (weight != null) {
      Named.check("--weight", () -> table.field(weight));
      others.add(Column.of(weight));
    }
    int d = model.columns().size();
    List<double[]> rows = new ArrayList<>();
    int[] counts = new int[names.size() + 1];
    table.read(
        options.rows(model, table, others, null),
        (count, columns) -> {
          for (int i = 0; i < count; i++) {
            double[] row = new double[d + 2];
            for (int j = 0; j < d; j++) row[j] = columns[j][i];
            row[d] = columns[d][i];
            row[d + 1] = weight == null ? 1 : columns[d + 1][i];
            if (!(row[d + 1] >= 0))
              throw new IllegalArgumentException(
                  String.format(
                      Locale.ROOT,
                      "row %,d of '%s': weight '%s' is %s and must be >= 0; correct or drop the row",
                      rows.size() + 1,
                      table.name(),
                      weight,
                      row[d + 1]));
            counts[(int) row[d] + 1]++;
            rows.add(row);
          }
        });
    for (int a = 0; a < names.size(); a++) {
      if (counts[a + 1] == 0)
        throw new IllegalArgumentException(
            "area '%s' of '%s' has no rows that can be read; see --missing"
                .formatted(names.get(a), table.name()));
      counts[a + 1] += counts[a];
    }
    double[] points = new double[rows.size() * d];
    double[] weights = new double[rows.size()];
    int[] next = counts.clone();
    for (double[] row : rows) {
      int at = next[(int) row[d]]++;
      System.arraycopy(row, 0, points, at * d, d);
      weights[at] = row[d + 1];
    }
    for (int a = 0; a < names.size(); a++) {
      double sum = 0;
      for (int i = counts[a]; i < counts[a + 1]; i++) sum += weights[i];
      if (!(sum > 0 && Double.isFinite(sum)))
        throw new IllegalArgumentException(
            "--weight %s: the weights of %s '%s' sum to %s and must have a positive sum; correct them, or drop its rows"
                .formatted(weight, by, names.get(a), sum));
    }
    Map<String, List<@Nullable Object>> about = new LinkedHashMap<>();
    about.put(by, new ArrayList<>(names));
    return new AreaCells(
        names.stream().map(n -> "'" + n + "'").toList(), about, points, weights, counts);
  }
}
