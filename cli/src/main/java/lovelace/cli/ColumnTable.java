package lovelace.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.FeatureMap;
import lovelace.data.FeatureMap.Change;
import lovelace.kernel.Parameter;

/// Describes the inputs of a model one by one: their content, their transforms, and the length over
/// which the function varies along each.
final class ColumnTable {

  /// A model with at most this many columns of plain numbers and dates needs no table.
  private static final int FEW = 3;

  /// The most words that are listed.
  private static final int WORDS = 4;

  private final List<Column> columns;
  private final List<Change> changes;
  private final double[] lengthscales;
  private final double[] errors;

  ColumnTable(Model model) {
    columns = model.columns();
    int process = model.processColumns().size();
    FeatureMap map = model.map().orElse(null);
    changes = map == null ? List.of() : map.changes();
    boolean own = (map == null || !changes.isEmpty()) && !changes.contains(Change.INDICATORS);
    List<Double> known = model.provenance().standardErrors();
    double[] lengths = {};
    double[] around = {};
    int at = 0;
    int found = 0;
    for (Parameter p : model.hyperparameters().parameters()) {
      if (own && p.role() == Parameter.Role.LENGTHSCALE) {
        found++;
        if (p.size() == process) lengths = p.values();
        if (p.size() == process && known.size() >= at + p.size())
          around =
              known.subList(at, at + p.size()).stream().mapToDouble(Double::doubleValue).toArray();
      }
      at += p.size();
    }
    lengthscales = found == 1 ? lengths : new double[0]; // several terms: no single lengthscale
    errors = found == 1 ? around : new double[0];
  }

  /// Whether the table says more than the names.
  boolean isWorthwhile() {
    return columns.size() > FEW
        || !changes.isEmpty()
        || columns.stream().anyMatch(c -> c.isText() || c.fill().isPresent());
  }

  /// Whether the table includes the lengthscales.
  boolean hasLengthscales() {
    return lengthscales.length > 0;
  }

  /// Prints a line for each column. Leaves out facts that no column has.
  void print(PrintWriter out) {
    List<List<String>> parts = new ArrayList<>();
    parts.add(part("name", j -> ModelReport.label(columns.get(j))));
    parts.add(part("holds", j -> holds(columns.get(j))));
    parts.add(part("as", j -> change(j) == Change.SAME ? "" : change(j).toString()));
    parts.add(part("if missing", j -> missing(columns.get(j))));
    parts.add(part("lengthscale", this::lengthscale));
    parts.removeIf(part -> part.stream().skip(1).allMatch(String::isEmpty));
    out.println("by column");
    for (int i = 0; i <= columns.size(); i++) {
      StringBuilder line = new StringBuilder();
      for (List<String> part : parts) {
        int width = part.stream().mapToInt(String::length).max().orElse(0);
        line.append("  ").append(part.get(i)).repeat(' ', width - part.get(i).length());
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private List<String> part(String name, IntFunction<String> text) {
    return Stream.concat(Stream.of(name), IntStream.range(0, columns.size()).mapToObj(text))
        .toList();
  }

  private static String holds(Column column) {
    if (column.isText())
      return String.format(
          Locale.ROOT,
          "%d words: %s",
          column.values().size(),
          Reading.words(column.values(), WORDS));
    return column.time().isPresent() ? "dates" : "numbers";
  }

  private Change change(int column) {
    return changes.isEmpty() ? Change.SAME : changes.get(column);
  }

  private static String missing(Column column) {
    return column.fill().isPresent() ? Reading.fill(column) : "";
  }

  private String lengthscale(int column) {
    if (column >= lengthscales.length) return ""; // a column of the drift only
    String value = String.format(Locale.ROOT, "%.6g", lengthscales[column]);
    return errors.length > 0 && errors[column] > 0
        ? value + String.format(Locale.ROOT, " ± %.2g", errors[column])
        : value;
  }

  /// The same as JSON, an entry for each column. Unknown values are left out.
  List<Map<String, Object>> json() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (int j = 0; j < columns.size(); j++) {
      Column column = columns.get(j);
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", column.name());
      one.put("unit", column.unit());
      one.put("holds", column.isText() ? "words" : column.time().isPresent() ? "dates" : "numbers");
      if (column.isText()) one.put("words", column.values());
      one.put("change", change(j) == Change.SAME ? "none" : change(j).toString());
      if (column.fill().isPresent())
        one.put(
            "missing",
            column.isText() || column.time().isPresent()
                ? column.format(column.fill().getAsDouble())
                : (Object) column.fill().getAsDouble());
      if (j < lengthscales.length) one.put("lengthscale", lengthscales[j]);
      if (j < errors.length) one.put("lengthscale_error", errors[j]);
      all.add(one);
    }
    return all;
  }
}
