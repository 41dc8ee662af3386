package lovelace.plot;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.posterior.Prediction;
import lovelace.tables.ColumnShare;

/// Draws a slice along each column of a model, with all others at their medians.
final class Slices {

  private static final int STEPS = 201;

  /// The most panels in one file.
  private static final int MOST = 12;

  /// The most words of a column that are shown.
  private static final int WORDS = 8;

  /// From this many columns on, those that matter come first, three side by side.
  private static final int MANY = 4;

  private final Model model;
  private final Shown shown;
  private final Asked asked;
  private final Pictures.Options options;
  private final int d;
  private final double[] middles;

  private Slices(Model model, Shown shown, Pictures.Options options) {
    this.model = model;
    this.shown = shown;
    this.options = options;
    this.asked = Asked.of(model, options);
    this.d = model.columns().size();
    this.middles = IntStream.range(0, d).mapToDouble(shown::middle).toArray();
  }

  static Sheet of(Model model, Shown shown, Pictures.Options options) {
    return new Slices(model, shown, options).sheet();
  }

  /// The predictions along a column.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Slice(int column, double[] at, Prediction p) {}

  private Sheet sheet() {
    boolean many = d >= MANY;
    boolean sorted = many && shown.data() != null && shown.data().size() > 1;
    List<Slice> all = order(sorted).stream().map(this::slice).toList();
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (Slice slice : all)
      for (int i = 0; i < slice.p.size(); i++) {
        low = Math.min(low, slice.p.quantile(i, 0.025));
        high = Math.max(high, slice.p.quantile(i, 0.975));
      }
    boolean words = model.columns().stream().anyMatch(Column::isText);
    Sheet sheet =
        Sheet.titled(asked.subject() + " along each input")
            .subtitle(
                "Each panel varies one input and holds the others at their medians (dashed)"
                    + (words ? ", words at the most frequent one" : "")
                    + (sorted ? "; those that matter most come first" : ""))
            .across(many ? 3 : 2)
            .sharingLegend()
            .atMost(
                MOST,
                String.format(
                    Locale.ROOT, "; the other %d are in an .html page", all.size() - MOST));
    for (Slice slice : all) sheet.add(plot(slice, many).within(low, high));
    return sheet;
  }

  /// The columns in the order of the panels.
  private List<Integer> order(boolean sorted) {
    Dataset data = shown.data();
    if (!sorted || data == null) return IntStream.range(0, d).boxed().toList();
    return ColumnShare.of(model::sample, data, options.seed()).stream()
        .sorted(Comparator.comparingDouble(share -> -share.value()))
        .map(ColumnShare::column)
        .toList();
  }

  private Slice slice(int j) {
    double[] at =
        model.columns().get(j).isText()
            ? shown.words(j).stream().limit(WORDS).mapToDouble(code -> code).toArray()
            : Pictures.spread(shown.mostOfRange(j), STEPS);
    double[] points = new double[at.length * d];
    for (int i = 0; i < at.length; i++) {
      System.arraycopy(middles, 0, points, i * d, d);
      points[i * d + j] = at[i];
    }
    return new Slice(j, at, asked.predict(points));
  }

  private Plot plot(Slice slice, boolean small) {
    Column input = model.columns().get(slice.column);
    Plot plot =
        Plot.titled("")
            .size(small ? 380 : 520, small ? 280 : 340)
            .labels(label(input), asked.label())
            .time(input.time().orElse(null));
    if (input.isText()) return words(plot, slice, input);
    Dataset data = shown.data();
    if (data != null) plot.heap(shown.name(), Shown.column(data, slice.column));
    double middle = middles[slice.column];
    if (middle > slice.at[0] && middle < slice.at[STEPS - 1]) plot.boundary(middle, "");
    return Pictures.bands(plot, slice.at, slice.p)
        .line("mean", slice.at, slice.p.means(), Palette.BLUE, 2);
  }

  private static String label(Column input) {
    int words = input.values().size();
    if (words <= WORDS) return input.label();
    return String.format(
        Locale.ROOT, "%s (the %d most frequent of %d words)", input.name(), WORDS, words);
  }

  /// Draws a dot for each word, with lines for the intervals.
  private static Plot words(Plot plot, Slice slice, Column input) {
    int n = slice.at.length;
    plot.words(IntStream.range(0, n).mapToObj(i -> input.format(slice.at[i])).toList());
    double[][] ends = {{0.025, 0.975, 2}, {0.25, 0.75, 5}};
    for (double[] end : ends)
      for (int i = 0; i < n; i++)
        plot.line(
            "",
            new double[] {i, i},
            new double[] {slice.p.quantile(i, end[0]), slice.p.quantile(i, end[1])},
            Palette.translucent(Palette.BLUE, 0.45),
            end[2]);
    return plot.points(
        "mean",
        IntStream.range(0, n).asDoubleStream().toArray(),
        slice.p.means(),
        Palette.BLUE,
        Plot.Mark.DOT);
  }
}
