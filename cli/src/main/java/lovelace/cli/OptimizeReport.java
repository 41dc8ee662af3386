package lovelace.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner;
import lovelace.bayesopt.Tuner.Best;
import lovelace.bayesopt.Tuner.Observation;
import lovelace.bayesopt.Tuning;
import lovelace.example.TestFunction;
import org.jspecify.annotations.Nullable;

/// Describes a search of `optimize`: its best point, why that one was chosen, and all evaluations.
final class OptimizeReport {

  private final Tuner tuner;
  private final Tuning tuning;
  private final @Nullable TestFunction test;
  private final String reason;
  private final @Nullable Best best;

  /// @param reason why the search has ended
  OptimizeReport(Tuner tuner, Tuning tuning, @Nullable TestFunction test, String reason) {
    this.tuner = tuner;
    this.tuning = tuning;
    this.test = test;
    this.reason = reason;
    best = tuner.choice().orElse(null);
  }

  /// The progress of the search.
  static String progress(Tuner tuner, int budget) {
    String best =
        tuner
            .best()
            .map(o -> String.format(Locale.ROOT, "best %.6g at %s", o.value(), brief(o.point())))
            .orElse("nothing feasible yet");
    return String.format(
        Locale.ROOT, "%d of %d evaluations, %s", tuner.history().size(), budget, best);
  }

  private static String brief(Point point) {
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, Object> entry : point.asMap().entrySet())
      parts.add(
          entry.getKey()
              + " = "
              + (entry.getValue() instanceof Double d
                  ? String.format(Locale.ROOT, "%.5g", d)
                  : entry.getValue()));
    return String.join(", ", parts.subList(0, Math.min(4, parts.size())))
        + (parts.size() > 4 ? ", …" : "");
  }

  void print(PrintWriter print, OptimizeRuns runs, List<Path> pictures) {
    if (best == null) print.println("No feasible point was found.");
    else {
      Observation chosen = best.chosen();
      print.printf(
          Locale.ROOT, "Best value:  %.8g, evaluation %d%n", chosen.value(), chosen.number());
      for (Map.Entry<String, Object> entry : chosen.point().asMap().entrySet())
        print.printf("  %s = %s%n", entry.getKey(), entry.getValue());
      if (test != null)
        print.printf(
            Locale.ROOT,
            "Regret:      %.4g (the least value is %.8g)%n",
            test.regret(chosen.value()),
            test.optimum());
      if (best.noise().isPresent()) noise(print, best);
    }
    long failed = tuner.history().stream().filter(Observation::failed).count();
    String failures = failed == 0 ? "" : String.format(Locale.ROOT, ", %d of them failed", failed);
    print.printf(Locale.ROOT, "Evaluations: %d%s; %s%n", tuner.history().size(), failures, reason);
    double each = runs.millisecondsEach();
    if (!Double.isNaN(each)) print.printf(Locale.ROOT, "Suggestions: %.1f ms each%n", each);
    print.println("Model:       " + tuner.model());
    for (Path picture : pictures) print.println("Picture:     " + picture);
  }

  /// Says why the best point is not the one with the best value.
  private void noise(PrintWriter print, Best of) {
    String evidence =
        switch (of.noise()) {
          case GIVEN -> "--noise-sd gives it";
          case REPEATED -> "runs at the same point differ";
          case LIKELY -> "the model is at least 20 times likelier with it";
          case NONE, UNSEEN -> throw new IllegalStateException("no noise: " + of);
        };
    double[][] model = tuner.predict(List.of(of.chosen().point(), of.observed().point()));
    print.printf(
        Locale.ROOT,
        "Noise:       yes (%s). The best point is the one whose modelled value is best, %.6g.%n",
        evidence,
        model[0][0]);
    if (!of.observed().equals(of.chosen()))
      print.printf(
          Locale.ROOT,
          "             The %s value of one run is %.8g, evaluation %d. Its modelled value is %.6g. If runs repeat exactly, pass --noise-sd 0.%n",
          tuning.maximize() ? "largest" : "smallest",
          of.observed().value(),
          of.observed().number(),
          model[1][0]);
  }

  /// The same as JSON, with every evaluation.
  Map<String, @Nullable Object> json(
      @Nullable String function,
      @Nullable String command,
      String acquisition,
      List<Path> pictures) {
    Map<String, @Nullable Object> result = new LinkedHashMap<>();
    Observation chosen = best == null ? null : best.chosen();
    result.put("best_value", chosen == null ? null : chosen.value());
    result.put("best_point", chosen == null ? null : chosen.point().asMap());
    result.put("best_evaluation", chosen == null ? null : chosen.number());
    result.put("best_observed_value", best == null ? null : best.observed().value());
    result.put("best_observed_evaluation", best == null ? null : best.observed().number());
    result.put("noise", best == null ? null : best.noise().name().toLowerCase(Locale.ROOT));
    result.put("regret", chosen == null || test == null ? null : test.regret(chosen.value()));
    result.put("evaluations", tuner.history().size());
    result.put("failures", tuner.history().stream().filter(Observation::failed).count());
    result.put("reason", reason);
    result.put("function", function);
    result.put("command", command);
    result.put("acquisition", acquisition);
    result.put("seed", tuning.seed());
    List<Map<String, @Nullable Object>> history = new ArrayList<>();
    for (Observation o : tuner.history()) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("evaluation", o.number());
      row.put("point", o.point().asMap());
      row.put("value", o.failed() ? null : o.value());
      if (tuning.constraints() > 0) row.put("constraints", o.constraints());
      row.put("feasible", o.feasible());
      history.add(row);
    }
    result.put("pictures", pictures.stream().map(Path::toString).toList());
    result.put("history", history);
    return result;
  }
}
