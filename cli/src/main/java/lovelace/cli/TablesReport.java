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

/// What `bench tables` has found: a table, a picture, and what follows from the numbers.
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

  /// A model that was not measured.
  private record Without(String set, TableModel model, String why) {}

  private final List<Map<String, @Nullable Object>> results = new ArrayList<>();
  private final List<Without> without = new ArrayList<>();

  void add(Map<String, @Nullable Object> result) {
    results.add(result);
  }

  /// Notes that a model was not measured, and why.
  void leaveOut(String set, TableModel model, String why) {
    without.add(new Without(set, model, why));
  }

  /// One for each set and model, in the order they were measured.
  List<Map<String, @Nullable Object>> results() {
    return results;
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
      for (Map<String, @Nullable Object> result : of(set)) {
        List<String> row = new ArrayList<>();
        row.add(set);
        row.add(cell(result.get("n"), "%,.0f"));
        row.add(cell(result.get("d"), "%.0f"));
        row.add(text(result, "model"));
        for (Column column : SCORES) row.add(cell(result.get(column.key), column.format));
        row.add(text(result, "kernel"));
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

  /// What predictions from neighbours cost.
  private void times(PrintWriter out) {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("set", "model"));
    TIMES.forEach(column -> head.add(column.heading));
    rows.add(head);
    for (Map<String, @Nullable Object> result : results)
      if (result.containsKey("one_50_us")) {
        List<String> row = new ArrayList<>(List.of(text(result, "set"), text(result, "model")));
        for (Column column : TIMES) row.add(cell(result.get(column.key), column.format));
        rows.add(row);
      }
    if (rows.size() == 1) return;
    out.println();
    out.println(
        "Microseconds of a prediction from the 50 and 200 nearest rows by the same parameters: one"
            + " on one core, and a row of a batch");
    Bench.align(out, rows);
  }

  /// What follows from the numbers, a line each.
  List<String> conclusions() {
    List<String> all = new ArrayList<>();
    for (String set : sets()) {
      Optional<Map<String, @Nullable Object>> auto = one(set, TableModel.AUTO);
      auto.ifPresent(ours -> all.addAll(beside(set, ours)));
      for (Map<String, @Nullable Object> result : of(set))
        coverage(set, result).ifPresent(all::add);
      for (Map<String, @Nullable Object> result : of(set))
        if (Boolean.FALSE.equals(result.get("ended")))
          all.add(
              set
                  + ", "
                  + text(result, "model")
                  + ": learning did not come to its end in time; --time allows more");
    }
    long known = results.stream().filter(r -> Double.isFinite(number(r, "coverage"))).count();
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

  /// How the default stands beside the other models of a set.
  private List<String> beside(String set, Map<String, @Nullable Object> ours) {
    List<String> all = new ArrayList<>();
    one(set, TableModel.EXACT)
        .ifPresent(
            exact -> {
              double ratio = number(ours, "rmse") / number(exact, "rmse");
              all.add(
                  String.format(
                      Locale.ROOT,
                      "%s: auto's RMSE is %.3f times that of the exact process learned to the end,"
                          + " %s 5 %%; NLPD %+.3f.",
                      set,
                      ratio,
                      ratio <= 1.05 ? "within" : "not within",
                      number(ours, "nlpd") - number(exact, "nlpd")));
            });
    of(set).stream()
        .filter(r -> r != ours && !TableModel.EXACT.toString().equals(r.get("model")))
        .min(Comparator.comparingDouble(r -> number(r, "rmse")))
        .ifPresent(
            next ->
                all.add(
                    String.format(
                        Locale.ROOT,
                        "%s: auto's RMSE is %.3f times that of the best other model, %s; NLPD"
                            + " %+.3f.",
                        set,
                        number(ours, "rmse") / number(next, "rmse"),
                        text(next, "model"),
                        number(ours, "nlpd") - number(next, "nlpd"))));
    if (ours.containsKey("noise_rmse"))
      all.add(
          String.format(
              Locale.ROOT,
              "%s: the noise alone has an RMSE of %.4f.",
              set,
              number(ours, "noise_rmse")));
    return all;
  }

  /// By how much the coverage lies outside its bounds; 0 inside them.
  private static double miss(Map<String, @Nullable Object> result) {
    double coverage = number(result, "coverage");
    double tolerance = TableBenchmark.tolerance(number(result, "test_rows"));
    return Math.abs(coverage - 0.95) > tolerance ? coverage - 0.95 : 0;
  }

  private static Optional<String> coverage(String set, Map<String, @Nullable Object> result) {
    double miss = miss(result);
    if (miss == 0) return Optional.empty();
    return Optional.of(
        String.format(
            Locale.ROOT,
            "%s, %s: 95 %% intervals hold %.1f %% of the targets, %s: they are too %s.",
            set,
            text(result, "model"),
            100 * number(result, "coverage"),
            miss > 0 ? "over-coverage" : "too few",
            miss > 0 ? "wide" : "narrow"));
  }

  /// RMSE and NLPD of every set and model.
  Ranking picture() {
    List<String> names =
        results.stream().map(r -> text(r, "set") + ", " + text(r, "model")).toList();
    double[] none = new double[names.size()];
    return Ranking.titled("How well tables are predicted", names)
        .subtitle("rows held out, target standardised by the training rows; less is better")
        .measure("RMSE", results.stream().mapToDouble(r -> number(r, "rmse")).toArray(), none)
        .measure("NLPD", results.stream().mapToDouble(r -> number(r, "nlpd")).toArray(), none);
  }

  /// The sets in the order they came.
  private List<String> sets() {
    return Stream.concat(
            results.stream().map(result -> text(result, "set")), without.stream().map(Without::set))
        .distinct()
        .toList();
  }

  private List<Map<String, @Nullable Object>> of(String set) {
    return results.stream().filter(result -> set.equals(result.get("set"))).toList();
  }

  private Optional<Map<String, @Nullable Object>> one(String set, TableModel model) {
    return of(set).stream().filter(r -> model.toString().equals(r.get("model"))).findFirst();
  }

  private static String engine(Map<String, @Nullable Object> result) {
    return result.get("neighbours") == null
        ? text(result, "engine")
        : result.get("neighbours") + " " + text(result, "engine");
  }

  private static String text(Map<String, @Nullable Object> result, String key) {
    return String.valueOf(result.get(key));
  }

  private static double number(Map<String, @Nullable Object> result, String key) {
    return result.get(key) instanceof Number n ? n.doubleValue() : Double.NaN;
  }

  private static String cell(@Nullable Object value, String format) {
    if (!(value instanceof Number n) || Double.isNaN(n.doubleValue())) return "–";
    return String.format(Locale.ROOT, format, n.doubleValue());
  }
}
