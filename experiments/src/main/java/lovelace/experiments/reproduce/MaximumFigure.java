package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.experiments.MaximumDistribution;
import lovelace.experiments.Search;
import lovelace.experiments.reproduce.Report.Entry;
import lovelace.experiments.reproduce.Report.Tone;
import lovelace.plot.Palette;
import lovelace.plot.Plot;

/// Figure 3: the distribution of the maximum of Eggholder after the queries, by every sampler.
final class MaximumFigure implements Experiment {

  private static final String KEY = "maxvalue";
  private static final int PLACES = 200;
  private static final double DIFFERS = 0.001; // smaller p-values are not chance

  @Override
  public String name() {
    return "maxvalue";
  }

  @Override
  public List<Cell> cells(Bench bench) {
    return List.of(
        Searched.cell(bench, Search.EGGHOLDER),
        new Cell(
            KEY,
            "maxima of Eggholder",
            bench.size().full() ? 60 : 8,
            (result, remark) -> run(bench, result)));
  }

  private static int side(Bench bench) {
    return bench.size().full() ? 40 : 20;
  }

  private static int axis(Bench bench) {
    return bench.size().full() ? 150 : bench.size().axis();
  }

  private static void run(Bench bench, ObjectNode result) {
    Searched searched = Searched.of(bench, Search.EGGHOLDER);
    int draws = bench.size().maxima();
    var maxima =
        MaximumDistribution.maxima(
            searched.data(),
            searched.hyperparameters(),
            MaximumDistribution.square(side(bench)),
            draws,
            axis(bench),
            text -> result.put("love", text));
    double[] exact = maxima.get("exact");
    if (exact == null) throw new IllegalStateException("no exact draws");
    ObjectNode methods = result.putObject("methods");
    maxima.forEach(
        (name, values) -> {
          ObjectNode node = methods.putObject(name);
          double distance = MaximumDistribution.distance(exact, values);
          node.put("mean", MaximumDistribution.mean(values));
          node.put("deviation", MaximumDistribution.deviation(values));
          node.put("distance", distance);
          node.put("p", MaximumDistribution.pValue(distance, draws, draws));
          Bench.put(node, "maxima", values);
        });
  }

  @Override
  public void report(Bench bench, Report report) {
    report.heading("Figure 3: the distribution of the maximum");
    report.words(
        String.format(
            Locale.ROOT,
            ("p(y*) of the negated, standardised Eggholder function after %d queries of max-value entropy"
                + " search: the largest value of each of %,d joint draws over %d × %d points. The exact"
                + " process is drawn twice, with different seeds, to show the effect of chance. Distance is"
                + " that of Kolmogorov and Smirnov to the first. Its p-value is small if the"
                + " distributions differ; below 0.001 the verdict is that they do. The paper prints curves,"
                + " not numbers: LOVE's curve lies on the exact one, and that of Fourier features does not."),
            bench.size().queries(),
            bench.size().maxima(),
            side(bench),
            side(bench)));
    JsonNode methods = bench.result(KEY).path("methods");
    List<List<Entry>> rows = new ArrayList<>();
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (var method : methods.properties()) {
      JsonNode m = method.getValue();
      boolean own = List.of("love", "pathwise", "spectral").contains(method.getKey());
      double p = Bench.number(m, "p");
      rows.add(
          List.of(
              Entry.of(title(method.getKey())),
              Entry.of(Verdict.fixed(Bench.number(m, "mean"), 4)),
              Entry.of(Verdict.fixed(Bench.number(m, "deviation"), 4)),
              Entry.of(Verdict.fixed(Bench.number(m, "distance"), 4)),
              Entry.of(p < 1e-4 ? "< 1e-4" : Verdict.fixed(p, 4)),
              verdict(method.getKey(), own, p)));
      if (method.getKey().startsWith("exact") || own) {
        double[] values = Bench.numbers(m.path("maxima"));
        low = Math.min(low, Arrays.stream(values).min().orElse(low));
        high = Math.max(high, Arrays.stream(values).max().orElse(high));
      }
    }
    report.table(
        List.of("draws by", "mean", "standard deviation", "distance", "p-value", "verdict"), rows);
    report.figure("maxvalue", "Densities of the maximum by each sampler", plot(methods, low, high));
    conclude(methods, report);
    if (!(Bench.number(methods.path("love"), "p") >= DIFFERS))
      report.words(
          String.format(
              Locale.ROOT,
              ("LOVE's draws lack the variance that its vectors leave out, and the largest of many values shows it: %s."
                  + " We asked for 99.999 %% and allowed at most %,d vectors."),
              bench.result(KEY).path("love").asText(),
              MaximumDistribution.LOVE_VECTORS));
    if (!methods.has("spectral"))
      report.words(
          "Spectral draws are left out: the kernel learned from these queries needs more Fourier modes on"
              + " this grid than the engine takes.");
  }

  private static void conclude(JsonNode methods, Report report) {
    List<String> same = new ArrayList<>();
    List<String> other = new ArrayList<>();
    for (var method : methods.properties())
      if (!method.getKey().startsWith("exact"))
        (Bench.number(method.getValue(), "p") >= DIFFERS ? same : other)
            .add(title(method.getKey()));
    report.words(
        "Maxima that cannot be told from the exact ones: %s. Those that differ from the exact ones: %s.%s"
            .formatted(
                same.isEmpty() ? "none" : Findings.list(same),
                other.isEmpty() ? "none" : Findings.list(other),
                Bench.number(methods.path("exact, other seed"), "p") >= DIFFERS
                    ? ""
                    : " The exact process with another seed differs too: do not trust this test here."));
  }

  private static String title(String name) {
    return name.replace("love", "LOVE").replace("fourier", "Fourier").replace("000 f", ",000 f");
  }

  private static Entry verdict(String name, boolean own, double p) {
    if (name.equals("exact")) return Entry.of("the reference");
    String text = p >= DIFFERS ? "like the exact one" : "differs from the exact one";
    return own ? new Entry(text, p >= DIFFERS ? Tone.GOOD : Tone.BAD) : Entry.of(text);
  }

  private static Plot plot(JsonNode methods, double low, double high) {
    Plot plot =
        Plot.titled("p(y*) for Eggholder, by each sampler")
            .subtitle("densities by Gaussian kernels, bandwidth by Silverman's rule")
            .labels("largest value, standardised", "density")
            .size(900, 480);
    double pad = 0.15 * (high - low);
    double[] x = new double[PLACES];
    for (int i = 0; i < PLACES; i++) x[i] = low - pad + i * (high - low + 2 * pad) / (PLACES - 1);
    int next = 0;
    for (var method : methods.properties()) {
      double[] y = density(Bench.numbers(method.getValue().path("maxima")), x);
      if (method.getKey().equals("exact")) plot.line("exact", x, y, Palette.BLACK, 3);
      else if (method.getKey().startsWith("exact"))
        plot.dashed(title(method.getKey()), x, y, Palette.BLACK, 1.2);
      else {
        Color color = Palette.series(next);
        if (next < 6) plot.line(title(method.getKey()), x, y, color, 1.6);
        else plot.dashed(title(method.getKey()), x, y, color, 1.6);
        next++;
      }
    }
    return plot;
  }

  private static double[] density(double[] values, double[] at) {
    double width =
        1.06 * MaximumDistribution.deviation(values) * Math.pow(values.length, -0.2) + 1e-12;
    double[] out = new double[at.length];
    for (int i = 0; i < at.length; i++) {
      for (double v : values) {
        double u = (at[i] - v) / width;
        out[i] += Math.exp(-0.5 * u * u);
      }
      out[i] /= values.length * width * Math.sqrt(2 * Math.PI);
    }
    return out;
  }
}
