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

  /// Growth that is within this of the paper's exponent counts as the paper's.
  private static final double SLACK = 0.3;

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
            + " %d measurements, each size twice the one before. One input, RBF kernel with lengthscale"
                .formatted(bench.size().ladder())
            + " 0.05 of the range, noise 0.1. The paper's exponent is that of its bound without"
            + " logarithms. Green: at most %.1f above it.".formatted(SLACK));
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
        List.of("method", "what", "in", "exponent", "paper", "sizes", "milliseconds"), rows);
    Sheet sheet =
        Sheet.titled("How times grow")
            .subtitle("measurements and the fitted lines, with their exponents");
    plots.values().forEach(sheet::add);
    report.figure("complexity", "Measured times and fitted exponents", sheet);
    report.point(
        "KISS-GP without LOVE has nothing to precompute; its draws factor the covariance of the points"
            + " as the exact process and SGPR do, t³, and its k is the number of steps of conjugate"
            + " gradients. Algorithm 1 gives no draws: its covariance need not be positive definite.");
    report.point(
        "Small sizes cost what a call costs, which flattens a line; one above its bound is the logarithm"
            + " of a Fourier transform, which the bound leaves out, a cache that no longer holds the"
            + " work, or a machine that others use.");
    report.point(
        "LOVE on the grid: the pass over the rows is all that depends on n. The default posterior's"
            + " variance depends on neither n, m nor k; points in random order on a larger grid miss the"
            + " caches more often.");
  }

  /// By method, then by what is done.
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
    double exponent = Growth.Line.through(measured).exponent();
    double[] sizes = Bench.numbers(measured.path("sizes"));
    double[] times = Bench.numbers(measured.path("ms"));
    int last = sizes.length - 1;
    String whose = growth.method().equals(Growths.DEFAULT) ? "%.0f (LOVE's)" : "%.0f";
    return List.of(
        Entry.of(growth.method()),
        Entry.of(growth.phase().title()),
        Entry.of(growth.variable()),
        new Entry(
            Verdict.fixed(exponent, 2), exponent <= growth.paper() + SLACK ? Tone.GOOD : Tone.BAD),
        Entry.of(whose.formatted(growth.paper())),
        Entry.of("%,.0f to %,.0f".formatted(sizes[0], sizes[last])),
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
