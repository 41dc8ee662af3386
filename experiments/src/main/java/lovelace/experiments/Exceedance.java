package lovelace.experiments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import lovelace.plot.Palette;
import lovelace.plot.Plot;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;

/// Measures how well predicted probabilities of exceeding a threshold hold at rows held out.
///
/// @param part about the share of the rows to learn from that lie at or below the threshold
/// @param brier the mean of `(p − [y > threshold])²`
/// @param baseBrier the same for a constant prediction: the share of the rows to learn from that
///   lie above the threshold
/// @param classes rows by their predicted probability; empty ones are left out
public record Exceedance(
    double part, double threshold, double brier, double baseBrier, List<Part> classes) {

  /// Rows whose predicted probability lies in a class. Neighbours exceed a threshold together, so
  /// the share of them that does varies far more than that of independent rows. Joint draws of the
  /// model show how far.
  ///
  /// @param predicted their mean probability
  /// @param observed the share of them that exceeds the threshold
  /// @param low in 2.5 % of joint draws, the share above the threshold is at most this; NaN without
  ///   draws
  /// @param high in 2.5 % of joint draws, the share above the threshold is at least this
  public record Part(
      double lower,
      double upper,
      int count,
      double predicted,
      double observed,
      double low,
      double high) {

    /// Whether the observed share lies in the range of joint draws; true without draws.
    public boolean allowed() {
      return !(observed < low || observed > high);
    }
  }

  /// The thresholds are quantiles of the rows to learn from at these shares.
  public static final List<Double> PARTS = List.of(0.1, 0.5, 0.9);

  /// The boundaries of the classes of probability. Most rows are near 0 or 1, and so are decisions.
  private static final double[] EDGES = {0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1};

  public Exceedance {
    classes = List.copyOf(classes);
  }

  /// Measures at thresholds that are quantiles of `learned`.
  ///
  /// @param prediction of an observation at each row held out
  /// @param draws joint draws of observations at the rows held out, row-major; may be empty
  public static List<Exceedance> of(
      double[] learned, Prediction prediction, double[] heldOut, double[] draws) {
    double[] sorted = learned.clone();
    Arrays.sort(sorted);
    return PARTS.stream()
        .map(
            part -> {
              int at = (int) Math.ceil(part * sorted.length) - 1;
              double threshold = sorted[Math.max(0, at)];
              return of(sorted, part, threshold, prediction, heldOut, draws);
            })
        .toList();
  }

  private static Exceedance of(
      double[] learned,
      double part,
      double threshold,
      Prediction prediction,
      double[] heldOut,
      double[] draws) {
    int n = heldOut.length;
    double[] probabilities = new double[n];
    double[] labels = new double[n];
    double base =
        Arrays.stream(learned).filter(y -> y > threshold).count() / (double) learned.length;
    double baseSquares = 0;
    for (int i = 0; i < n; i++) {
      probabilities[i] = 1 - prediction.cumulative(i, threshold);
      labels[i] = heldOut[i] > threshold ? 1 : 0;
      baseSquares += (base - labels[i]) * (base - labels[i]);
    }
    double brier =
        Scores.classes(Prediction.adopt(probabilities.clone(), new double[n]), labels).brier();
    List<Part> classes = new ArrayList<>();
    for (int k = 0; k + 1 < EDGES.length; k++) {
      int[] rows = rows(probabilities, k);
      if (rows.length == 0) continue;
      double[] drawn = new double[draws.length / n];
      for (int d = 0; d < drawn.length; d++) drawn[d] = above(draws, d * n, rows, threshold);
      Arrays.sort(drawn);
      int tail = (int) (0.025 * drawn.length);
      classes.add(
          new Part(
              EDGES[k],
              EDGES[k + 1],
              rows.length,
              Arrays.stream(rows).mapToDouble(i -> probabilities[i]).average().orElseThrow(),
              above(heldOut, 0, rows, threshold),
              drawn.length == 0 ? Double.NaN : drawn[tail],
              drawn.length == 0 ? Double.NaN : drawn[drawn.length - 1 - tail]));
    }
    return new Exceedance(part, threshold, brier, baseSquares / n, classes);
  }

  /// The rows of a class.
  private static int[] rows(double[] probabilities, int k) {
    boolean last = k == EDGES.length - 2;
    return IntStream.range(0, probabilities.length)
        .filter(i -> probabilities[i] >= EDGES[k] && (last || probabilities[i] < EDGES[k + 1]))
        .toArray();
  }

  /// The share of the rows that exceeds the threshold.
  private static double above(double[] values, int from, int[] rows, double threshold) {
    int count = 0;
    for (int i : rows) if (values[from + i] > threshold) count++;
    return (double) count / rows.length;
  }

  /// The mean distance between predicted and observed shares, over rows.
  public double calibrationError() {
    double sum = 0;
    int rows = 0;
    for (Part each : classes) {
      sum += each.count() * Math.abs(each.predicted() - each.observed());
      rows += each.count();
    }
    return sum / rows;
  }

  /// A picture of observed against predicted shares, a line per threshold.
  public static Plot picture(List<Exceedance> all, String title) {
    Plot plot =
        Plot.titled(title)
            .subtitle(
                "Pixels held out, by their predicted probability. Shaded: what 95 % of joint draws have")
            .labels("predicted probability (%)", "observed (%)")
            .size(640, 620)
            .within(0, 100)
            .dashed("calibrated", new double[] {0, 100}, new double[] {0, 100}, Palette.BLACK, 1.2);
    for (int i = 0; i < all.size(); i++) {
      Exceedance one = all.get(i);
      double[] x = one.classes.stream().mapToDouble(c -> 100 * c.predicted()).toArray();
      double[] y = one.classes.stream().mapToDouble(c -> 100 * c.observed()).toArray();
      double[] low = one.classes.stream().mapToDouble(c -> 100 * c.low()).toArray();
      double[] high = one.classes.stream().mapToDouble(c -> 100 * c.high()).toArray();
      String name = String.format(Locale.ROOT, "above %.4g", one.threshold);
      if (Arrays.stream(low).noneMatch(Double::isNaN))
        plot.band("", x, low, high, Palette.series(i), 0.12);
      plot.line(name, x, y, Palette.series(i), 2)
          .points("", x, y, Palette.series(i), Plot.Mark.DOT);
    }
    return plot;
  }
}
