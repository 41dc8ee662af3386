package lovelace.plot;

import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import lovelace.diagnostics.Variogram.Lag;

/// Pictures that are usual in kriging for checking a model.
public final class Checks {

  private static final Color[] LEVELS = {Palette.GREEN, Palette.ORANGE, Palette.BLUE};

  /// The ends of the classes of standardised residuals, and their colours, from blue to red.
  private static final double[] ENDS = {-3, -2, -1, 1, 2, 3};

  private static final Color[] COLORS = {
    new Color(0x053061),
    new Color(0x2F7AB8),
    new Color(0x9CC9E2),
    new Color(0xC9CDD2),
    new Color(0xF4A582),
    new Color(0xD0443E),
    new Color(0x67001F)
  };

  private static final int WIDTH = 880;

  private Checks() {}

  /// How many targets lie inside their intervals, for rows at about the same distance from the
  /// nearest observation.
  ///
  /// @param distance the mean of the class
  /// @param inside the share inside the interval of each level
  @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
  public record Coverage(double distance, int rows, double[] inside) {}

  /// The empirical variogram, and the model's expectation for the same pairs.
  ///
  /// @param distance the label of distances, such as `distance (km)`
  /// @param nugget the noise variance, at which the fitted curve starts
  public static Plot variogram(String target, List<Lag> lags, String distance, double nugget) {
    double[] h = lags.stream().mapToDouble(Lag::distance).toArray();
    double[] from = new double[h.length + 1];
    double[] fitted = new double[h.length + 1];
    fitted[0] = nugget;
    for (int i = 0; i < h.length; i++) {
      from[i + 1] = h[i];
      fitted[i + 1] = lags.get(i).fitted();
    }
    long least = lags.stream().mapToLong(Lag::pairs).min().orElse(0);
    long most = lags.stream().mapToLong(Lag::pairs).max().orElse(0);
    return Plot.titled("Variogram of " + target)
        .subtitle(
            String.format(
                Locale.ROOT,
                "Residuals from the mean; %,d to %,d pairs per class, and what the model expects",
                least,
                most))
        .labels(distance, "half the mean squared difference")
        .within(0, 0)
        .line("model", from, fitted, Palette.BLUE, 2.4)
        .points(
            "robust (Cressie and Hawkins)",
            h,
            lags.stream().mapToDouble(Lag::robust).toArray(),
            Palette.VERMILION,
            Plot.Mark.CIRCLE)
        .points(
            "rows (Matheron)",
            h,
            lags.stream().mapToDouble(Lag::empirical).toArray(),
            Palette.BLACK,
            Plot.Mark.DOT);
  }

  /// Residuals in standard deviations at the places of rows, in classes of colour. Large ones are
  /// on top.
  ///
  /// @param aspect the length of one unit of y over that of x; NaN if not known, and then 1 if x
  ///   and y have about the same range
  public static Plot residualMap(
      String target,
      String xLabel,
      String yLabel,
      double[] x,
      double[] y,
      double[] residuals,
      double aspect) {
    double w = span(x);
    double h = span(y) * (Double.isNaN(aspect) ? 1 : aspect);
    if (Double.isNaN(aspect) && (h > 4 * w || w > 4 * h)) h = 0;
    int height = w > 0 && h > 0 ? (int) Math.clamp(150 + (WIDTH - 110) * h / w, 420, 1100) : 640;
    int width =
        w > 0 && h > 0 && height == 1100 ? (int) Math.clamp(110 + 950 * w / h, 420, WIDTH) : WIDTH;
    Plot plot =
        Plot.titled("Residuals of " + target + ", each row left out")
            .subtitle(
                "In standard deviations. Patches of one colour are structure that the model misses")
            .labels(xLabel, yLabel)
            .size(width, height);
    for (int rank = 0; rank < COLORS.length; rank++) // the legend in the order of values
    plot.points(name(rank), new double[0], new double[0], COLORS[rank], Plot.Mark.DOT);
    for (int rank : new int[] {3, 2, 4, 1, 5, 0, 6}) {
      int[] own = IntStream.range(0, x.length).filter(i -> classOf(residuals[i]) == rank).toArray();
      plot.points(
          "",
          IntStream.of(own).mapToDouble(i -> x[i]).toArray(),
          IntStream.of(own).mapToDouble(i -> y[i]).toArray(),
          COLORS[rank],
          Plot.Mark.DOT);
    }
    return plot;
  }

  private static double span(double[] values) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double v : values) {
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
    return high - low;
  }

  private static int classOf(double residual) {
    if (!Double.isFinite(residual)) return -1;
    int rank = 0;
    while (rank < ENDS.length && residual >= ENDS[rank]) rank++;
    return rank;
  }

  private static String name(int rank) {
    if (rank == 0) return "below " + end(0);
    if (rank == ENDS.length) return "above " + end(rank - 1);
    return end(rank - 1) + " to " + end(rank);
  }

  private static String end(int i) {
    return String.format(Locale.ROOT, "%.0f", ENDS[i]).replace('-', '−');
  }

  /// Residuals in standard deviations along one input.
  public static Plot residuals(String target, String xLabel, double[] x, double[] residuals) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double v : x) {
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
    double[] ends = {low, high};
    return Plot.titled("Residuals of " + target + ", each row left out")
        .subtitle("In standard deviations; about 95 % lie in the band")
        .labels(xLabel, "standard deviations")
        .band("", ends, new double[] {-1.96, -1.96}, new double[] {1.96, 1.96}, Palette.SKY, 0.2)
        .points("", x, residuals, Palette.BLUE, Plot.Mark.DOT);
  }

  /// Coverage by the distance to the nearest observation.
  ///
  /// @param levels of the intervals, such as 0.95
  /// @param left of rows left out
  /// @param held of rows held out; empty if there are none
  public static Plot coverage(
      String target, String distance, double[] levels, List<Coverage> left, List<Coverage> held) {
    Plot plot =
        Plot.titled("Coverage of " + target + " by distance to the nearest observation")
            .subtitle(
                left.isEmpty() || held.isEmpty()
                    ? "Rows inside their intervals. Bands are what chance allows"
                    : "Rows inside their intervals. Bands are what chance allows; the pale ones are of rows held out")
            .labels(distance, "rows inside (%)")
            .within(0, 100);
    boolean both = !left.isEmpty() && !held.isEmpty();
    bands(plot, held, levels, both ? 0.08 : 0.14);
    bands(plot, left, levels, 0.14);
    for (int l = 0; l < levels.length; l++) {
      String name = String.format(Locale.ROOT, "%.0f %% interval", 100 * levels[l]);
      add(
          plot,
          name + (held.isEmpty() || left.isEmpty() ? "" : ", left out"),
          left,
          l,
          LEVELS[l],
          Plot.Mark.DOT);
      add(plot, name + ", held out", held, l, LEVELS[l], Plot.Mark.CIRCLE);
    }
    return plot;
  }

  /// Draws the range that chance allows in each class, given its number of rows.
  private static void bands(Plot plot, List<Coverage> classes, double[] levels, double opacity) {
    if (classes.isEmpty()) return;
    double[] h = classes.stream().mapToDouble(Coverage::distance).toArray();
    for (int l = 0; l < levels.length; l++) {
      double level = levels[l];
      double[] low = new double[h.length];
      double[] high = new double[h.length];
      for (int c = 0; c < h.length; c++) {
        double chance = 196 * Math.sqrt(level * (1 - level) / classes.get(c).rows());
        low[c] = Math.max(0, 100 * level - chance);
        high[c] = Math.min(100, 100 * level + chance);
      }
      plot.band("", h, low, high, LEVELS[l], opacity);
    }
  }

  private static void add(
      Plot plot, String name, List<Coverage> classes, int level, Color color, Plot.Mark mark) {
    if (classes.isEmpty()) return;
    List<Coverage> own = new ArrayList<>(classes);
    double[] h = own.stream().mapToDouble(Coverage::distance).toArray();
    double[] inside = own.stream().mapToDouble(c -> 100 * c.inside[level]).toArray();
    if (mark == Plot.Mark.DOT) plot.line("", h, inside, color, 1.6);
    else plot.dashed("", h, inside, color, 1.6);
    plot.points(name, h, inside, color, mark);
  }
}
