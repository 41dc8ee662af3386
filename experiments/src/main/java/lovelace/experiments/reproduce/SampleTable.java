package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lovelace.experiments.reproduce.Report.Entry;
import lovelace.experiments.reproduce.Report.Tone;
import lovelace.experiments.reproduce.SampleMeasurement.Method;

/// Table 3: joint samples, with the error of their covariance and their time.
final class SampleTable implements Experiment {

  /// Draws miss the covariance if their error exceeds that of exact draws by this factor.
  private static final double MISSED = 1.1;

  private static final List<Method> AFTER =
      List.of(Method.LOVE, Method.PATHWISE, Method.SPECTRAL, Method.DEFAULT);

  @Override
  public String name() {
    return "samples";
  }

  @Override
  public boolean overNetworks() {
    return true;
  }

  @Override
  public List<Cell> cells(Bench bench) {
    List<Cell> cells = new ArrayList<>();
    for (SampleProblem problem : SampleProblem.values()) {
      if (problem.set != null) cells.add(Features.cell(bench, problem.set));
      if (problem.search != null) cells.add(Searched.cell(bench, problem.search));
      cells.add(
          new Cell(
              problem.key(),
              "samples of " + problem.label(bench),
              bench.size().full() ? 150 : 4,
              (result, remark) -> SampleMeasurement.run(bench, problem, result, remark)));
    }
    return cells;
  }

  @Override
  public void report(Bench bench, Report report) {
    report.heading("Table 3: samples");
    report.words(
        String.format(
            Locale.ROOT,
            ("%,d joint draws at %,d points drawn evenly from the box of the data. PoleTele and Elevators are on"
                + " their deep features, Eggholder and Styblinski–Tang after %d queries of max-value"
                + " entropy search (one RBF kernel; a sum of ten, on ten grids of 100 points). There are %,d"
                + " Fourier features. The error"
                + " is the mean absolute error of the elements of the draws' covariance compared with the exact"
                + " posterior covariance, at %,d of the points, averaged over %d sets of draws"
                + " (two if draws take over two seconds)."),
            bench.size().samples(),
            bench.size().samplePoints(),
            bench.size().queries(),
            SampleMeasurement.features(bench),
            SampleMeasurement.checked(bench),
            bench.size().repeats()));
    List<String> head = new ArrayList<>(List.of("problem"));
    for (Method method : Method.values()) {
      head.add(method.title);
      if (method.error >= 0) head.add("paper");
    }
    head.add("default over exact");
    List<List<Entry>> rows = new ArrayList<>();
    for (SampleProblem problem : SampleProblem.values()) {
      JsonNode methods = bench.result(problem.key()).path("methods");
      List<Entry> row = new ArrayList<>(List.of(Entry.of(problem.label(bench))));
      double exact = value(methods, Method.EXACT, "error");
      for (Method method : Method.values()) {
        row.add(
            entry(methods, method, Entry.of(Verdict.scientific(value(methods, method, "error")))));
        if (method.error >= 0)
          row.add(Verdict.paper(Verdict.scientific(method.paperError(problem))));
      }
      double ratio = value(methods, Method.DEFAULT, "error") / exact;
      row.add(
          beside(
              methods,
              Method.DEFAULT,
              new Entry(Verdict.fixed(ratio, 3), ratio <= MISSED ? Tone.GOOD : Tone.BAD)));
      rows.add(row);
    }
    report.words("Error of the sample covariance:");
    report.table("error", 1, head, rows);
    speedups(bench, report);
    times(bench, report);
    report.point(
        "Errors are in the units of the posterior covariance, which depends on the features and"
            + " hyperparameters; the paper's are for other ones. Compare a method only with the"
            + " exact sampler in the same row. Draws of any exact method have its error, which comes from"
            + String.format(
                Locale.ROOT, " chance. “Default over exact” is green up to %.1f.", MISSED));
    report.point(
        "SGPR has no more inducing points than rows, so there is one column of it for the searches, as"
            + " in the paper. A dash in a speedup is a method that was not run.");
    refusals(bench, report);
    conclude(bench, report);
  }

  private static void conclude(Bench bench, Report report) {
    int judged = 0;
    int good = 0;
    for (SampleProblem problem : SampleProblem.values()) {
      JsonNode methods = bench.result(problem.key()).path("methods");
      double[] papers = {Method.LOVE.paperSpeedup(problem), problem.speedups()[4]};
      String[] stages = {"scratch_ms", "after_ms"};
      for (int i = 0; i < 2; i++) {
        if (!methods.has(Method.EXACT.title) || methods.path(Method.LOVE.title).has("refused"))
          continue;
        judged++;
        if (value(methods, Method.EXACT, stages[i]) / value(methods, Method.LOVE, stages[i])
            >= papers[i]) good++;
      }
    }
    report.point(
        "“After” is the time to prepare the points and draw, after everything that does not depend on the points. The"
            + " exact method still factors the covariance of the points then. Speedups are over the exact"
            + " sampler at the same stage. LOVE's are at least the paper's in %s cells.%s"
                .formatted(
                    Findings.of(good, judged),
                    good == judged
                        ? ""
                        : " Our exact sampler is dense algebra at the speed of the BLAS on the same cores,"
                            + " not on a GPU of the paper's time."
                            + (bench.size().full()
                                ? ""
                                : String.format(
                                    Locale.ROOT,
                                    " At %,d points instead of the paper's 10,000, its factorisation of t³ costs little.",
                                    bench.size().samplePoints()))));
    for (Method method : List.of(Method.LOVE, Method.PATHWISE, Method.SPECTRAL, Method.DEFAULT)) {
      List<String> missed = new ArrayList<>();
      for (SampleProblem problem : SampleProblem.values()) {
        JsonNode methods = bench.result(problem.key()).path("methods");
        if (!methods.has(Method.EXACT.title) || methods.path(method.title).has("refused")) continue;
        double ratio = value(methods, method, "error") / value(methods, Method.EXACT, "error");
        if (!(ratio <= MISSED))
          missed.add("%s (%s times)".formatted(problem.title(), Verdict.fixed(ratio, 2)));
      }
      if (!missed.isEmpty())
        report.point(
            "The error of exact draws comes from chance alone. %s misses it on %s.%s"
                .formatted(
                    method.title,
                    Findings.list(missed),
                    method == Method.LOVE
                        ? " LOVE keeps as many vectors as capture 99 % of the variance at check points, but"
                            + " no more than 400. The missing variance adds to its error."
                        : ""));
    }
  }

  /// Reports why methods do not apply, in their own words.
  private static void refusals(Bench bench, Report report) {
    for (SampleProblem problem : SampleProblem.values())
      for (var method : bench.result(problem.key()).path("methods").properties())
        if (method.getValue().has("refused"))
          report.point(
              "“%s” does not apply to %s: %s."
                  .formatted(
                      method.getKey(),
                      problem.title(),
                      method.getValue().path("refused").asText()));
  }

  private static double value(JsonNode methods, Method method, String name) {
    return Bench.number(methods.path(method.title), name);
  }

  /// Returns `entry` if the method was run.
  private static Entry entry(JsonNode methods, Method method, Entry entry) {
    if (methods.path(method.title).has("refused")) return Entry.of("does not apply");
    return methods.has(method.title) ? entry : Entry.of(Verdict.NONE);
  }

  /// Returns `entry` if the method and the exact sampler were run.
  private static Entry beside(JsonNode methods, Method method, Entry entry) {
    return methods.has(Method.EXACT.title) ? entry(methods, method, entry) : Entry.of(Verdict.NONE);
  }

  private static void speedups(Bench bench, Report report) {
    report.words(
        "Speedup over the exact sampler, from the data to the draws and after precomputation:");
    List<String> head = new ArrayList<>(List.of("problem"));
    for (Method method : Method.values())
      if (method != Method.EXACT) {
        head.add(method.title);
        if (method.speedup >= 0) head.add("paper");
      }
    for (Method method : AFTER) {
      head.add("after: " + method.title);
      if (method == Method.LOVE) head.add("paper");
    }
    List<List<Entry>> rows = new ArrayList<>();
    for (SampleProblem problem : SampleProblem.values()) {
      JsonNode methods = bench.result(problem.key()).path("methods");
      List<Entry> row = new ArrayList<>(List.of(Entry.of(problem.label(bench))));
      double exact = value(methods, Method.EXACT, "scratch_ms");
      for (Method method : Method.values()) {
        if (method == Method.EXACT) continue;
        double paper = method.paperSpeedup(problem);
        // of the paper's methods, only LOVE is compared: the others are baselines
        double judged = method == Method.LOVE ? paper : Double.NaN;
        double speedup = exact / value(methods, method, "scratch_ms");
        row.add(beside(methods, method, Verdict.speedup(speedup, judged)));
        if (method.speedup >= 0) row.add(Verdict.paper(Verdict.printed(paper)));
      }
      double after = value(methods, Method.EXACT, "after_ms");
      for (Method method : AFTER) {
        double paper = method == Method.LOVE ? problem.speedups()[4] : Double.NaN;
        double speedup = after / value(methods, method, "after_ms");
        row.add(beside(methods, method, Verdict.speedup(speedup, paper)));
        if (method == Method.LOVE) row.add(Verdict.paper(Verdict.printed(paper)));
      }
      rows.add(row);
    }
    report.table("speedup", 1, head, rows);
  }

  /// The three times of a method; empty if one is missing.
  private static String times(JsonNode methods, Method method) {
    List<String> three =
        List.of("scratch_ms", "after_ms", "draws_ms").stream()
            .map(name -> Verdict.milliseconds(value(methods, method, name)))
            .toList();
    return three.contains("") ? "" : String.join(" / ", three);
  }

  private static void times(Bench bench, Report report) {
    report.words(
        "Milliseconds on this machine: from scratch / after precomputation / of the draws alone.");
    List<String> head = new ArrayList<>(List.of("problem", "n"));
    for (Method method : Method.values()) head.add(method.title);
    List<List<Entry>> rows = new ArrayList<>();
    for (SampleProblem problem : SampleProblem.values()) {
      JsonNode result = bench.result(problem.key());
      JsonNode methods = result.path("methods");
      List<Entry> row =
          new ArrayList<>(
              List.of(
                  Entry.of(problem.label(bench)),
                  Entry.of(String.format(Locale.ROOT, "%,d", result.path("n").asInt()))));
      for (Method method : Method.values())
        row.add(entry(methods, method, Entry.of(times(methods, method))));
      rows.add(row);
    }
    report.table(head, rows);
  }
}
