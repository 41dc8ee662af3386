package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.experiments.reproduce.Report.Entry;
import lovelace.experiments.reproduce.Report.Tone;
import lovelace.plot.Palette;
import lovelace.plot.Plot;
import lovelace.plot.Sheet;

/// Table 1: how times grow with n, m, t and k, as exponents fitted to measurements.
final class ComplexityTable implements Experiment {

  @Override
  public String name() {
    return "complexity";
  }

  private static String key(String cell) {
    return "complexity-" + cell.toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  @Override
  public List<Cell> cells(Bench bench) {
    Map<String, List<Growth>> together = new LinkedHashMap<>();
    for (Growth growth : Growths.all())
      together.computeIfAbsent(growth.cell(), name -> new ArrayList<>()).add(growth);
    List<Cell> cells = new ArrayList<>();
    together.forEach((name, growths) -> cells.add(cell(bench, name, growths)));
    return cells;
  }

  private static Cell cell(Bench bench, String name, List<Growth> growths) {
    return new Cell(
        key(name),
        "complexity of " + name,
        (bench.size().full() ? 12 : 1) * growths.size(),
        (result, remark) -> {
          for (Growth growth : growths) growth.measure(bench, result.putObject(growth.key()));
        });
  }

  @Override
  public void report(Bench bench, Report report) {
    report.heading("Table 1: complexity");
    report.words(
        "Exponents of growth, one size varied at a time, fitted by least squares to the logarithms of"
            + String.format(
                Locale.ROOT,
                " %d measurements, each size twice the one before. One input, RBF kernel with lengthscale",
                bench.size().ladder())
            + " 0.05 of the range, noise 0.1. The paper's exponent is that of its bound without"
            + String.format(
                Locale.ROOT,
                " logarithms. Green is within %.1f of it. Red is more than that above it. An exponent further",
                Growth.Line.SLACK)
            + " below it has no colour: it is smaller than the bound, or the sizes are too small to tell."
            + " They are too small if times bend upwards (the exponent of the larger half of the sizes exceeds the other's"
            + String.format(
                Locale.ROOT,
                " by %.1f), if times do not even double, or if there are fewer than three sizes.",
                Growth.Line.BEND));
    List<List<Entry>> rows = new ArrayList<>();
    Map<String, Plot> plots = new LinkedHashMap<>();
    Map<String, Integer> colors = new LinkedHashMap<>();
    for (Growth growth : ordered()) {
      JsonNode measured = bench.result(key(growth.cell())).path(growth.key());
      rows.add(row(growth, measured));
      Plot plot =
          plots.computeIfAbsent(
              growth.phase().title() + " against " + growth.variable(),
              title ->
                  Plot.titled(title)
                      .labels(growth.variable(), "milliseconds")
                      .log(true, true)
                      .size(560, 380));
      int color = colors.computeIfAbsent(growth.method(), m -> colors.size());
      draw(plot, growth, measured, Palette.series(color));
    }
    report.table(
        "",
        3,
        List.of("method", "what", "in", "exponent", "paper", "verdict", "sizes", "milliseconds"),
        rows);
    Sheet sheet =
        Sheet.titled("How times grow")
            .subtitle("measurements and the fitted lines, with their exponents");
    plots.values().forEach(sheet::add);
    report.figure("complexity", "Measured times and fitted exponents", sheet);
    report.point(
        "KISS-GP without LOVE has nothing to precompute. Its draws factor the covariance of the points,"
            + " which costs t³, as do those of the exact process and SGPR. Its k is the number of steps of"
            + " conjugate gradients. Algorithm 1 gives no draws: its covariance need not be positive definite.");
    for (Growth.Verdict verdict : Growth.Verdict.values()) {
      List<String> those =
          ordered().stream()
              .filter(g -> line(bench, g).verdict(g.paper()) == verdict)
              .map(g -> "%s, %s in %s".formatted(g.method(), g.phase().title(), g.variable()))
              .toList();
      report.point(
          "%s: %s%s.%s"
              .formatted(
                  Findings.capital(verdict.words),
                  Findings.of(those.size(), rows.size()),
                  those.isEmpty() || verdict == Growth.Verdict.AS_THE_BOUND
                      ? ""
                      : " (" + String.join("; ", those) + ")",
                  those.isEmpty() ? "" : reason(verdict)));
    }
    for (Growth growth : ordered())
      if (growth.method().equals(Growths.DEFAULT) && growth.paper() == 0)
        report.point(
            "The default posterior's %s takes %s times as long at the largest %s as at the smallest. By construction it does not depend on it."
                .formatted(
                    growth.phase().title(),
                    Verdict.fixed(line(bench, growth).ratio(), 2),
                    growth.variable()));
  }

  /// The possible reason for a verdict.
  private static String reason(Growth.Verdict verdict) {
    return switch (verdict) {
      case AS_THE_BOUND, SMALLER -> "";
      case LARGER ->
          " The reason may be the logarithm of a Fourier transform, which the bound leaves out, a cache that"
              + " has become too small for the work, or a shared machine.";
      case CANNOT_TELL ->
          " At small sizes the fixed cost of a call dominates, which flattens a line.";
    };
  }

  private static Growth.Line line(Bench bench, Growth growth) {
    return Growth.Line.through(bench.result(key(growth.cell())).path(growth.key()));
  }

  /// Ordered by method, then by phase.
  private static List<Growth> ordered() {
    List<Growth> all = Growths.all();
    List<String> methods = all.stream().map(Growth::method).distinct().toList();
    return all.stream()
        .sorted(
            Comparator.comparingInt((Growth growth) -> methods.indexOf(growth.method()))
                .thenComparing(Growth::phase))
        .toList();
  }

  private static List<Entry> row(Growth growth, JsonNode measured) {
    Growth.Line line = Growth.Line.through(measured);
    Growth.Verdict verdict = line.verdict(growth.paper());
    Tone tone =
        switch (verdict) {
          case AS_THE_BOUND -> Tone.GOOD;
          case LARGER -> Tone.BAD;
          case SMALLER, CANNOT_TELL -> Tone.NONE;
        };
    double[] sizes = Bench.numbers(measured.path("sizes"));
    double[] times = Bench.numbers(measured.path("ms"));
    int last = sizes.length - 1;
    String whose = growth.method().equals(Growths.DEFAULT) ? "%.0f (LOVE's)" : "%.0f";
    return List.of(
        Entry.of(growth.method()),
        Entry.of(growth.phase().title()),
        Entry.of(growth.variable()),
        new Entry(Verdict.fixed(line.exponent(), 2), tone),
        Entry.of(whose.formatted(growth.paper())),
        Entry.of(verdict.words),
        Entry.of(String.format(Locale.ROOT, "%,.0f to %,.0f", sizes[0], sizes[last])),
        Entry.of(Verdict.milliseconds(times[0]) + " to " + Verdict.milliseconds(times[last])));
  }

  private static void draw(Plot plot, Growth growth, JsonNode measured, Color color) {
    Growth.Line line = Growth.Line.through(measured);
    double[] sizes = Bench.numbers(measured.path("sizes"));
    plot.points("", sizes, Bench.numbers(measured.path("ms")), color, Plot.Mark.DOT);
    String name = String.format(Locale.ROOT, "%s, %.2f", growth.method(), line.exponent());
    plot.dashed(name, sizes, line.at(sizes), color, 1.5);
  }
}
