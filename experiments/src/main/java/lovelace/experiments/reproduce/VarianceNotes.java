package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.ToDoubleFunction;
import lovelace.experiments.reproduce.VarianceTable.Own;

/// Describes the results of [VarianceTable] in words. Every sentence is computed from its numbers.
final class VarianceNotes {

  private VarianceNotes() {}

  /// The sets that satisfy a condition.
  private static List<String> sets(Bench bench, BiPredicate<Sets, JsonNode> holds) {
    return Arrays.stream(Sets.values())
        .filter(set -> holds.test(set, bench.result(VarianceTable.key(set))))
        .map(set -> set.title)
        .toList();
  }

  /// A time divided by that of one of our methods, with the paper's figure.
  private record Speedup(String over, String when, ToDoubleFunction<Sets> paper) {

    boolean reached(Bench bench, Sets set, Own own) {
      JsonNode r = bench.result(VarianceTable.key(set));
      return Bench.number(r, over) / Bench.number(r, own.key + when) >= paper.applyAsDouble(set);
    }
  }

  /// Reports in how many cells speedups are at least the paper's, and a possible reason for the
  /// others.
  private static void speedups(
      Bench bench, Report report, String over, String reason, Speedup... all) {
    int reached = 0;
    int cells = 0;
    for (Speedup speedup : all)
      for (Sets set : Sets.values())
        for (Own own : Own.values()) {
          cells++;
          if (speedup.reached(bench, set, own)) reached++;
        }
    report.point(
        "Speedups over %s: at least the paper's in %s cells.%s"
            .formatted(over, Findings.of(reached, cells), reached == cells ? "" : " " + reason));
  }

  static void put(Bench bench, Report report) {
    int all = Sets.values().length;
    for (Own own : Own.values()) {
      List<String> worse =
          sets(bench, (set, r) -> !(Bench.number(r, own.key + "_smae_kiss") <= set.smaeKiss));
      String title = own == Own.DEFAULT ? "The default posterior" : own.title + " with k = 50";
      String reason =
          own == Own.DEFAULT
              ? ""
              : " There, 50 iterations are too few for the lengthscales and noise learned here, or the"
                  + " remaining error is that of the prior term. The paper does not print its hyperparameters.";
      report.point(
          "%s is at least as close to KISS-GP as the paper's LOVE on %s sets%s"
              .formatted(
                  title,
                  Findings.of(all - worse.size(), all),
                  worse.isEmpty() ? "." : ", not on " + Findings.list(worse) + "." + reason));
    }
    List<String> farther =
        sets(
            bench,
            (set, r) ->
                Bench.number(r, "algorithm1_smae_kiss") > Bench.number(r, "love_smae_kiss"));
    report.point(
        "Algorithm 1 is farther from KISS-GP than LOVE with as many iterations on %s sets. It takes the"
                .formatted(Findings.of(farther.size(), all))
            + " kernel itself as prior term, and the grid interpolates it.");
    speedups(
        bench,
        report,
        "KISS-GP as published",
        bench.size().full()
            ? ""
            : "Sets this small make the published KISS-GP cheap: its time grows with the training and the"
                + " test rows, and that of LOVE hardly depends on either.",
        new Speedup("kiss_ms", "_scratch_ms", set -> set.kissScratch),
        new Speedup("kiss_ms", "_after_ms", set -> set.kissAfter));
    speedups(
        bench,
        report,
        "KISS-GP in the fewest coordinates",
        "That baseline does no work that depends on n: it has the statistics and the kernel's thin root,"
            + " which cost LOVE most from scratch, and each of its solves is a few products with"
            + " a small matrix instead of n × n ones. The paper's KISS-GP is the one above it.",
        new Speedup("thin_scratch_ms", "_scratch_ms", set -> set.kissScratch),
        new Speedup("thin_after_ms", "_after_ms", set -> set.kissAfter));
    speedups(
        bench,
        report,
        "SGPR",
        "Conditioning SGPR is one pass of dense algebra at the speed of the BLAS, and on few rows there"
            + " is little to save. The paper's SGPR ran in another framework on a GPU.",
        new Speedup("sgpr100_scratch_ms", "_scratch_ms", set -> set.sgpr100Scratch),
        new Speedup("sgpr100_after_ms", "_after_ms", set -> set.sgpr100After),
        new Speedup("sgpr1000_scratch_ms", "_scratch_ms", set -> set.sgpr1000Scratch),
        new Speedup("sgpr1000_after_ms", "_after_ms", set -> set.sgpr1000After));
    List<String> slower =
        sets(
            bench,
            (set, r) -> Bench.number(r, "default_scratch_ms") > Bench.number(r, "love_scratch_ms"));
    if (!slower.isEmpty())
      report.point(
          "The default posterior takes longer from scratch than LOVE with k = 50 on %s sets. It also solves"
                  .formatted(Findings.of(slower.size(), all))
              + " the mean, keeps modes until variances are within 1 % wherever they are checked, and writes the polynomials"
              + " of every cell. This makes it constant in time afterwards.");
    if (bench.data() == null)
      report.point(
          "The sets are synthetic. They have the shapes of the paper's sets and nothing else in common.");
  }
}
