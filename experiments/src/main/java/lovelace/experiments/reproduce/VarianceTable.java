package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import lovelace.experiments.reproduce.Report.Entry;
import lovelace.kernel.Kernel;
import lovelace.plot.Palette;
import lovelace.plot.Plot;

/// Table 2: variances on seven sets, their errors and the time they take.
final class VarianceTable implements Experiment {

  /// One of our posteriors.
  enum Own {
    ALGORITHM1("Algorithm 1", "algorithm1"),
    LOVE("LOVE", "love"),
    DEFAULT("default", "default");

    final String title;
    final String key;

    Own(String title, String key) {
      this.title = title;
      this.key = key;
    }
  }

  /// A column of times.
  private enum Time {
    ALGORITHM1("Algorithm 1", "algorithm1_scratch_ms"),
    LOVE("LOVE", "love_scratch_ms"),
    DEFAULT("default", "default_scratch_ms"),
    ALGORITHM1_AFTER("Algorithm 1 after", "algorithm1_after_ms"),
    LOVE_AFTER("LOVE after", "love_after_ms"),
    DEFAULT_AFTER("default after", "default_after_ms"),
    KISS("KISS-GP as published", "kiss_ms"),
    THIN("KISS-GP, fewest coordinates", "thin_scratch_ms"),
    SGPR100("SGPR 100", "sgpr100_scratch_ms"),
    SGPR1000("SGPR 1,000", "sgpr1000_scratch_ms"),
    SGPR100_AFTER("SGPR 100 after", "sgpr100_after_ms"),
    SGPR1000_AFTER("SGPR 1,000 after", "sgpr1000_after_ms"),
    EXACT("exact", "exact_ms");

    final String title;
    final String key;

    Time(String title, String key) {
      this.title = title;
      this.key = key;
    }
  }

  @Override
  public String name() {
    return "variances";
  }

  @Override
  public boolean overNetworks() {
    return true;
  }

  static String key(Sets set) {
    return "variances-" + set.folder;
  }

  @Override
  public List<Cell> cells(Bench bench) {
    List<Cell> cells = new ArrayList<>();
    for (Sets set : Sets.values()) {
      cells.add(Features.cell(bench, set));
      cells.add(
          new Cell(
              key(set),
              "variances of " + set.label(bench),
              bench.size().full() ? 20 + 0.002 * set.n : 3,
              (result, remark) ->
                  new VarianceMeasurement(bench, Features.of(bench, set), set).run(result)));
    }
    return cells;
  }

  @Override
  public void report(Bench bench, Report report) {
    report.heading("Table 2: variances");
    report.words(
        String.format(
            Locale.ROOT,
            "A deep RBF kernel is learned once for each set and then kept: every method has the same"
                + " two features of every row and the same hyperparameters. m = %d × %d grid points,"
                + " k = %d. Columns of ours: Algorithm 1 to the letter (Lanczos on the n × n matrix, the"
                + " kernel itself as prior term), LOVE in the coordinates of the grid with the same k,"
                + " and the default posterior (the engine chosen by cost, to a tolerance of 1 %%, mean and"
                + " variance as polynomials of a cell).",
            bench.size().axis(),
            bench.size().axis(),
            VarianceMeasurement.RANK));
    accuracy(bench, report);
    report.words(
        "Speedup over KISS-GP without LOVE as published: one solve of the n × n system for every test"
            + " point by conjugate gradients, to the loosest power of ten at which its variances are as"
            + String.format(
                Locale.ROOT,
                " close to their limit as the paper's LOVE is, or as ours with k = 50 is if that is less close. It is timed at %d test points and multiplied, because the solve of a point does",
                VarianceMeasurement.solved(bench))
            + " not depend on the others.");
    speedups(bench, report, "over KISS-GP as published", "kiss_ms", "kiss_ms");
    report.words(
        "Speedup over the same solves in the fewest coordinates we know (a thin root of the grid's"
            + " kernel: no cost depends on n). This is our fastest KISS-GP without LOVE. It already uses what"
            + " makes LOVE fast here. The paper had no such baseline; its figures are shown for"
            + " reference.");
    speedups(
        bench,
        report,
        "over KISS-GP in the fewest coordinates",
        "thin_scratch_ms",
        "thin_after_ms");
    sgpr(bench, report);
    times(bench, report);
    figure(bench, report);
    networks(bench, report);
    VarianceNotes.put(bench, report);
  }

  /// One row per set, which begins with its name.
  private static List<List<Entry>> rows(Bench bench, Function<Sets, List<Entry>> cells) {
    List<List<Entry>> rows = new ArrayList<>();
    for (Sets set : Sets.values()) {
      List<Entry> row = new ArrayList<>();
      row.add(Entry.of(set.label(bench)));
      row.addAll(cells.apply(set));
      rows.add(row);
    }
    return rows;
  }

  private static void accuracy(Bench bench, Report report) {
    List<String> head = new ArrayList<>(List.of("set", "rows", "d"));
    for (String than : List.of("KISS-GP", "exact")) {
      for (Own own : Own.values()) head.add("SMAE to " + than + ": " + own.title);
      head.add("paper");
    }
    head.add("default, largest relative error to exact");
    report.table(
        head,
        rows(
            bench,
            set -> {
              JsonNode r = bench.result(key(set));
              List<Entry> row = new ArrayList<>();
              row.add(
                  Entry.of(
                      String.format(
                          Locale.ROOT, "%,d", r.path("n").asInt() + r.path("t").asInt())));
              row.add(Entry.of(String.format(Locale.ROOT, "%d", set.d)));
              row.addAll(errors(r, "_smae_kiss", set.smaeKiss));
              if (exact(bench, r)) {
                row.addAll(errors(r, "_smae_exact", set.smaeExact));
                row.add(Entry.of(Verdict.scientific(Bench.number(r, "default_largest_relative"))));
              } else {
                row.addAll(Collections.nCopies(Own.values().length, Entry.of(Verdict.NONE)));
                row.add(Verdict.paper(Verdict.scientific(set.smaeExact)));
                row.add(Entry.of(Verdict.NONE));
              }
              return row;
            }));
    report.words(
        "SMAE is the mean absolute error of the variances, divided by the variance of the target, compared with KISS-GP"
            + String.format(
                Locale.ROOT,
                " solved to 1e-10 and with the exact process if it has at most %,d rows. A dash means that the",
                bench.size().exactRows())
            + " exact process is too large, or the paper gives none.");
  }

  /// Whether there are results of the exact process.
  private static boolean exact(Bench bench, JsonNode r) {
    return r.path("n").asInt() <= bench.size().exactRows();
  }

  /// Our errors, then the paper's.
  private static List<Entry> errors(JsonNode r, String than, double paper) {
    List<Entry> row = new ArrayList<>();
    for (Own own : Own.values()) row.add(Verdict.error(Bench.number(r, own.key + than), paper));
    row.add(Verdict.paper(Verdict.scientific(paper)));
    return row;
  }

  private static void speedups(
      Bench bench, Report report, String name, String scratch, String after) {
    List<String> head = new ArrayList<>(List.of("set"));
    for (String when : List.of("from scratch: ", "after: ")) {
      for (Own own : Own.values()) head.add(when + own.title);
      head.add("paper");
    }
    List<Own> owns = List.of(Own.values());
    report.table(
        name,
        1,
        head,
        rows(
            bench,
            set -> {
              JsonNode r = bench.result(key(set));
              List<Entry> row = new ArrayList<>();
              row.addAll(speedups(r, owns, scratch, "_scratch_ms", set.kissScratch));
              row.addAll(speedups(r, owns, after, "_after_ms", set.kissAfter));
              return row;
            }));
  }

  /// Speedups of some of our methods over another, then the paper's.
  private static List<Entry> speedups(
      JsonNode r, List<Own> owns, String other, String when, double paper) {
    List<Entry> row = new ArrayList<>();
    for (Own own : owns)
      row.add(Verdict.speedup(Bench.number(r, other) / Bench.number(r, own.key + when), paper));
    row.add(Verdict.paper(Verdict.printed(paper)));
    return row;
  }

  private static void sgpr(Bench bench, Report report) {
    report.words(
        "Speedup over SGPR on the same features. Inducing points come from k-means and are given, as the"
            + " hyperparameters are. There are at most half as many as training rows%s. From scratch means conditioning"
                .formatted(fewer(bench))
            + " and prediction.");
    List<String> head = new ArrayList<>(List.of("set"));
    for (int m : new int[] {100, 1000})
      for (String when : List.of("from scratch", "after")) {
        for (Own own : Own.values())
          head.add(String.format(Locale.ROOT, "m = %,d, %s: %s", m, when, own.title));
        head.add("paper");
      }
    List<Own> owns = List.of(Own.values());
    report.table(
        "over SGPR",
        1,
        head,
        rows(
            bench,
            set -> {
              JsonNode r = bench.result(key(set));
              List<Entry> row = new ArrayList<>();
              String scratch = "_scratch_ms";
              String after = "_after_ms";
              row.addAll(speedups(r, owns, "sgpr100" + scratch, scratch, set.sgpr100Scratch));
              row.addAll(speedups(r, owns, "sgpr100" + after, after, set.sgpr100After));
              row.addAll(speedups(r, owns, "sgpr1000" + scratch, scratch, set.sgpr1000Scratch));
              row.addAll(speedups(r, owns, "sgpr1000" + after, after, set.sgpr1000After));
              return row;
            }));
  }

  /// Says how m = 1,000 is reduced for sets that are too small for it.
  private static String fewer(Bench bench) {
    int[] points =
        Arrays.stream(ofSets(bench, "sgpr1000_points")).mapToInt(m -> (int) m).sorted().toArray();
    int most = points[points.length - 1];
    if (points[0] >= 1000) return "";
    return String.format(Locale.ROOT, " (%,d to %,d in place of 1,000)", points[0], most);
  }

  private static void times(Bench bench, Report report) {
    report.words(
        "Milliseconds on this machine, for the variances of all test rows. The exact process is timed"
            + " once, and has a dash if it is too large.");
    List<String> head = new ArrayList<>(List.of("set", "test rows"));
    for (Time time : Time.values()) head.add(time.title);
    report.table(
        head,
        rows(
            bench,
            set -> {
              JsonNode r = bench.result(key(set));
              List<Entry> row = new ArrayList<>();
              row.add(Entry.of(String.format(Locale.ROOT, "%,d", r.path("t").asInt())));
              for (Time time : Time.values())
                row.add(
                    time == Time.EXACT && !exact(bench, r)
                        ? Entry.of(Verdict.NONE)
                        : Entry.of(Verdict.milliseconds(Bench.number(r, time.key))));
              return row;
            }));
  }

  private static void figure(Bench bench, Report report) {
    Plot plot =
        Plot.titled("Variances of all test rows, from scratch")
            .labels("training rows", "milliseconds")
            .log(true, true)
            .size(860, 460);
    double[] n = ofSets(bench, "n");
    int color = 0;
    for (Time time :
        List.of(
            Time.LOVE,
            Time.DEFAULT,
            Time.ALGORITHM1,
            Time.THIN,
            Time.KISS,
            Time.SGPR100,
            Time.SGPR1000)) {
      double[] ms = ofSets(bench, time.key);
      Color ink = color == 6 ? Palette.BLACK : Palette.series(color);
      plot.line(time.title, n, ms, ink, 1.5);
      plot.points("", n, ms, ink, Plot.Mark.DOT);
      color++;
    }
    report.figure("variances", "Time for all test variances against the size of the set", plot);
  }

  private static double[] ofSets(Bench bench, String name) {
    return Arrays.stream(Sets.values()).mapToDouble(set -> bench.number(key(set), name)).toArray();
  }

  private static void networks(Bench bench, Report report) {
    report.words(
        String.format(
            Locale.ROOT,
            ("The networks have at most %,d steps of warm-up and %d joint steps on layers %s. This is a"
                + " shorter training than the default of `lovelace fit --deep`, because this table is not"
                + " about the accuracy of predictions."),
            bench.size().networkSteps(),
            bench.size().jointSteps(),
            Arrays.toString(bench.size().network().layers())));
    report.table(
        List.of(
            "set",
            "training rows",
            "columns",
            "steps",
            "seconds",
            "RMSE",
            "NLPD",
            "output scale, lengthscales",
            "noise variance"),
        rows(
            bench,
            set -> {
              JsonNode r = bench.result(Features.key(set));
              return List.of(
                  Entry.of(String.format(Locale.ROOT, "%,d", r.path("n").asInt())),
                  Entry.of(String.format(Locale.ROOT, "%d", r.path("columns").asInt())),
                  Entry.of(
                      String.format(
                          Locale.ROOT,
                          "%d + %d",
                          r.path("warm_up_steps").asInt(),
                          r.path("joint_steps").asInt())),
                  Entry.of(Verdict.fixed(Bench.number(r, "seconds"), 0)),
                  Entry.of(Verdict.fixed(Bench.number(r, "rmse"), 3)),
                  Entry.of(Verdict.fixed(Bench.number(r, "nlpd"), 3)),
                  Entry.of(kernel(r)),
                  Entry.of(Verdict.fixed(Bench.number(r, "noise"), 4)));
            }));
  }

  private static String kernel(JsonNode r) {
    return Arrays.stream(Kernel.parse(r.path("kernel").asText()).attach(2).values())
        .mapToObj(v -> String.format(Locale.ROOT, "%.3g", v))
        .collect(Collectors.joining(", "));
  }
}
