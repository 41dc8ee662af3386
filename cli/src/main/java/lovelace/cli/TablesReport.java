package lovelace.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import lovelace.experiments.TableBenchmark;
import lovelace.experiments.TableModel;
import lovelace.plot.Ranking;
import org.jspecify.annotations.Nullable;

/// Reports the results of `bench tables`: a table, a picture, and conclusions from the numbers.
final class TablesReport {

  /// A column of a table: heading, key, format.
  private record Column(String heading, String key, String format) {}

  private static final List<Column> SCORES =
      List.of(
          new Column("RMSE", "rmse", "%.4f"),
          new Column("NLPD", "nlpd", "%.3f"),
          new Column("coverage", "coverage", "%.3f"),
          new Column("fit s", "fit_s", "%.1f"),
          new Column("predict µs", "predict_us", "%.1f"),
          new Column("peak MB", "peak_mb", "%,.0f"));

  private static final List<Column> TIMES =
      List.of(
          new Column("one of 50", "one_50_us", "%.1f"),
          new Column("batch of 50", "batch_50_us", "%.1f"),
          new Column("one of 200", "one_200_us", "%.0f"),
          new Column("batch of 200", "batch_200_us", "%.0f"));

  /// The results for one set and model, by the keys of its JSON object.
  private record Result(Map<String, @Nullable Object> values) {

    String text(String key) {
      return String.valueOf(values.get(key));
    }

    double number(String key) {
      return values.get(key) instanceof Number n ? n.doubleValue() : Double.NaN;
    }

    /// A number as it is printed.
    String cell(String key, String format) {
      double value = number(key);
      return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, format, value);
    }

    boolean has(String key) {
      return values.get(key) != null;
    }

    boolean isFalse(String key) {
      return Boolean.FALSE.equals(values.get(key));
    }

    boolean is(TableModel model) {
      return text("model").equals(model.toString());
    }
  }

  /// A model that was not measured.
  private record Without(String set, TableModel model, String why) {}

  private final List<Result> results = new ArrayList<>();
  private final List<Without> without = new ArrayList<>();

  void add(Map<String, @Nullable Object> result) {
    results.add(new Result(result));
  }

  /// Notes that a model was not measured, and why.
  void leaveOut(String set, TableModel model, String why) {
    without.add(new Without(set, model, why));
  }

  /// The results for each set and model, in the order they were measured.
  List<Map<String, @Nullable Object>> results() {
    List<Map<String, @Nullable Object>> all = new ArrayList<>();
    for (Result result : results) all.add(result.values);
    return all;
  }

  void print(PrintWriter out, int split, int cores) {
    if (results.isEmpty() && without.isEmpty()) return;
    out.printf(
        Locale.ROOT,
        "Split %d, %d cores. RMSE and NLPD are of the target standardised by the training rows; n"
            + " counts those.%n",
        split,
        cores);
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("set", "n", "d", "model"));
    SCORES.forEach(column -> head.add(column.heading));
    head.addAll(List.of("kernel", "engine"));
    rows.add(head);
    for (String set : sets()) {
      for (Result result : of(set)) {
        List<String> row = new ArrayList<>();
        row.add(set);
        row.add(result.cell("n", "%,.0f"));
        row.add(result.cell("d", "%.0f"));
        row.add(result.text("model"));
        for (Column column : SCORES) row.add(result.cell(column.key, column.format));
        row.add(result.text("kernel"));
        row.add(engine(result));
        rows.add(row);
      }
      for (Without each : without)
        if (each.set.equals(set)) {
          List<String> row = new ArrayList<>(List.of(set, "", "", each.model.toString()));
          while (row.size() < head.size()) row.add("–");
          rows.add(row);
        }
    }
    Bench.align(out, rows);
    for (Without each : without) out.println("– " + each.set + ", " + each.model + ": " + each.why);
    times(out);
    List<String> conclusions = conclusions();
    if (!conclusions.isEmpty()) out.println();
    conclusions.forEach(out::println);
  }

  /// Prints the cost of predictions from neighbours.
  private void times(PrintWriter out) {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("set", "model"));
    TIMES.forEach(column -> head.add(column.heading));
    rows.add(head);
    for (Result result : results)
      if (result.has("one_50_us")) {
        List<String> row = new ArrayList<>(List.of(result.text("set"), result.text("model")));
        for (Column column : TIMES) row.add(result.cell(column.key, column.format));
        rows.add(row);
      }
    if (rows.size() == 1) return;
    out.println();
    out.println(
        "Microseconds for a prediction from the 50 and 200 nearest rows, with the same parameters:"
            + " for one row on one core, and for each row of a batch");
    Bench.align(out, rows);
  }

  /// Conclusions from the numbers, a line each.
  List<String> conclusions() {
    List<String> all = new ArrayList<>();
    for (String set : sets()) {
      Optional<Result> auto = one(set, TableModel.AUTO);
      auto.ifPresent(ours -> all.addAll(beside(set, ours)));
      for (Result result : of(set)) coverage(set, result).ifPresent(all::add);
      for (Result result : of(set))
        if (result.isFalse("ended"))
          all.add(
              set + ", " + result.text("model") + ": learning ran out of time; --time allows more");
    }
    long known = results.stream().filter(r -> Double.isFinite(r.number("coverage"))).count();
    long far = results.stream().filter(r -> miss(r) != 0).count();
    if (known > 0)
      all.add(
          String.format(
              Locale.ROOT,
              "Share inside 95 %% intervals: %d of %d within 0.95 ± (0.03 + 2 √(0.0475/rows)).",
              known - far,
              known));
    return all;
  }

  /// Compares the default with the other models of a set.
  private List<String> beside(String set, Result ours) {
    List<String> all = new ArrayList<>();
    one(set, TableModel.EXACT)
        .ifPresent(
            exact -> {
              double ratio = ours.number("rmse") / exact.number("rmse");
              all.add(
                  String.format(
                      Locale.ROOT,
                      "%s: auto's RMSE is %.3f times that of the exact process learned to the end,"
                          + " %s 5 %%; NLPD %+.3f.",
                      set,
                      ratio,
                      ratio <= 1.05 ? "within" : "not within",
                      ours.number("nlpd") - exact.number("nlpd")));
            });
    of(set).stream()
        .filter(r -> !r.is(TableModel.AUTO) && !r.is(TableModel.EXACT))
        .min(Comparator.comparingDouble(r -> r.number("rmse")))
        .ifPresent(
            next ->
                all.add(
                    String.format(
                        Locale.ROOT,
                        "%s: auto's RMSE is %.3f times that of the best other model, %s; NLPD"
                            + " %+.3f.",
                        set,
                        ours.number("rmse") / next.number("rmse"),
                        next.text("model"),
                        ours.number("nlpd") - next.number("nlpd"))));
    if (ours.has("noise_rmse"))
      all.add(
          String.format(
              Locale.ROOT,
              "%s: the noise alone has an RMSE of %.4f.",
              set,
              ours.number("noise_rmse")));
    return all;
  }

  /// By how much the coverage lies outside its bounds; 0 inside them.
  private static double miss(Result result) {
    double coverage = result.number("coverage");
    double tolerance = TableBenchmark.tolerance(result.number("test_rows"));
    return Math.abs(coverage - 0.95) > tolerance ? coverage - 0.95 : 0;
  }

  private static Optional<String> coverage(String set, Result result) {
    double miss = miss(result);
    if (miss == 0) return Optional.empty();
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%s, %s: 95 %% intervals hold %.1f %% of the targets, %s: they are too %s.",
            set,
            result.text("model"),
            100 * result.number("coverage"),
            miss > 0 ? "over-coverage" : "too few",
            miss > 0 ? "wide" : "narrow"));
  }

  /// RMSE and NLPD of every set and model.
  Ranking picture() {
    List<String> names = results.stream().map(r -> r.text("set") + ", " + r.text("model")).toList();
    double[] none = new double[names.size()];
    return Ranking.titled("How well tables are predicted", names)
        .subtitle("rows held out, target standardised by the training rows; less is better")
        .measure("RMSE", results.stream().mapToDouble(r -> r.number("rmse")).toArray(), none)
        .measure("NLPD", results.stream().mapToDouble(r -> r.number("nlpd")).toArray(), none);
  }

  /// The sets in the order they came.
  private List<String> sets() {
    return Stream.concat(
            results.stream().map(result -> result.text("set")), without.stream().map(Without::set))
        .distinct()
        .toList();
  }

  private List<Result> of(String set) {
    return results.stream().filter(result -> set.equals(result.text("set"))).toList();
  }

  private Optional<Result> one(String set, TableModel model) {
    return of(set).stream().filter(r -> r.is(model)).findFirst();
  }

  private static String engine(Result result) {
    return !result.has("neighbours")
        ? result.text("engine")
        : result.text("neighbours") + " " + result.text("engine");
  }
}
