package lovelace.plot;

import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.plot.Canvas.Anchor;

/// Shows numbers of several named things, one panel for each measure. Each name has a row with a
/// dot or a bar, its error bar, its value, and words beside it.
public final class Ranking extends Picture {

  private static final int ROW = 34;
  private static final int WIDTH = 960;

  /// The width of a column of words.
  private static final int WORDS = 150;

  /// One measure, with the ends of its error bars. Shares are in per cent, as bars.
  private static final class Measure {
    final String label;
    final double[] values;
    final double[] low;
    final double[] high;
    final boolean share;

    Measure(String label, double[] values, double[] low, double[] high, boolean share) {
      this.label = label;
      this.values = values.clone();
      this.low = low.clone();
      this.high = high.clone();
      this.share = share;
    }

    String text(int i) {
      if (!share) return String.format(Locale.ROOT, "%.5g", values[i]).replace('-', '−');
      return String.format(Locale.ROOT, values[i] < 9.95 ? "%.1f %%" : "%.0f %%", values[i]);
    }
  }

  private final String title;
  private String subtitle = "";
  private final List<String> names;
  private final List<Measure> measures = new ArrayList<>();
  private String wordsLabel = "";
  private List<String> words = List.of();

  private Ranking(String title, List<String> names) {
    this.title = title;
    this.names = List.copyOf(names);
  }

  /// A ranking of these names, the first on top.
  public static Ranking titled(String title, List<String> names) {
    return new Ranking(title, names);
  }

  /// A line of smaller text under the title.
  public Ranking subtitle(String text) {
    subtitle = text;
    return this;
  }

  /// Adds a measure: a value for each name, and half the length of its error bar, 0 for none.
  public Ranking measure(String label, double[] values, double[] errors) {
    double[] low = values.clone();
    double[] high = values.clone();
    for (int i = 0; i < Math.min(values.length, errors.length); i++) {
      low[i] -= errors[i];
      high[i] += errors[i];
    }
    check(label, values, errors);
    measures.add(new Measure(label, values, low, high, false));
    return this;
  }

  /// Adds shares as bars from zero, in per cent, with the ends of their error bars.
  public Ranking shares(String label, double[] percent, double[] low, double[] high) {
    check(label, percent, low);
    check(label, percent, high);
    measures.add(new Measure(label, percent, low, high, true));
    return this;
  }

  /// Puts a few words beside each name.
  public Ranking words(String label, List<String> texts) {
    if (texts.size() != names.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' must have one text for each of %d names, got %d",
              label,
              names.size(),
              texts.size()));
    wordsLabel = label;
    words = List.copyOf(texts);
    return this;
  }

  private void check(String label, double[] values, double[] errors) {
    if (values.length != names.size() || errors.length != names.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' must have one value and one error for each of %d names, got %d and %d",
              label,
              names.size(),
              values.length,
              errors.length));
  }

  @Override
  String title() {
    return title;
  }

  @Override
  int width() {
    return WIDTH;
  }

  @Override
  int height() {
    return 150 + ROW * Math.max(1, names.size());
  }

  @Override
  void draw(Canvas canvas) {
    canvas.fill(new Rectangle2D.Double(0, 0, WIDTH, height()), Color.WHITE);
    double top = Axes.header(canvas, WIDTH, title, subtitle) + 34;
    double widest = names.stream().mapToDouble(Axes.LABEL::width).max().orElse(0);
    double left = 24 + Math.min(widest, 300) + 22;
    for (int i = 0; i < names.size(); i++)
      canvas.text(
          Axes.LABEL.fit(names.get(i), 300),
          24,
          top + ROW * (i + 0.5) + 5,
          Axes.LABEL,
          Anchor.START,
          true);
    double right = WIDTH - 28 - (words.isEmpty() ? 0 : WORDS);
    double room = (right - left) / Math.max(1, measures.size());
    for (int m = 0; m < measures.size(); m++)
      draw(
          canvas,
          measures.get(m),
          Palette.series(m),
          new Rectangle2D.Double(
              left + m * room, top, room - (m + 1 < measures.size() ? 36 : 0), ROW * names.size()));
    if (words.isEmpty()) return;
    canvas.text(
        Axes.LABEL.fit(wordsLabel, WORDS), WIDTH - 28, top - 12, Axes.LABEL, Anchor.END, true);
    for (int i = 0; i < words.size(); i++)
      canvas.text(
          Axes.TICK.fit(words.get(i), WORDS - 20),
          WIDTH - 28,
          top + ROW * (i + 0.5) + 5,
          Axes.TICK,
          Anchor.END,
          true);
  }

  private Scale scale(Measure measure) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < names.size(); i++) {
      if (!Double.isFinite(measure.values[i])) continue;
      low = Math.min(low, measure.low[i]);
      high = Math.max(high, measure.high[i]);
    }
    if (measure.share) return Scale.exact(0, high > 0 ? 1.18 * high : 100, false, null);
    if (!(low <= high)) return Scale.exact(0, 1, false, null);
    double margin = Math.max(0.14 * (high - low), 1e-9 * Math.max(1, Math.abs(high)));
    return Scale.exact(low - margin, high + margin, false, null);
  }

  private void draw(Canvas canvas, Measure measure, Color color, Rectangle2D area) {
    canvas.text(
        Axes.LABEL.fit(measure.label, area.getWidth()),
        area.getMinX(),
        area.getMinY() - 12,
        Axes.LABEL,
        Anchor.START,
        true);
    Scale scale = scale(measure).laid(area.getMinX(), area.getMaxX());
    for (Scale.Tick tick : scale.ticks(4)) {
      double x = Math.rint(scale.at(tick.value()));
      canvas.stroke(new Line2D.Double(x, area.getMinY(), x, area.getMaxY()), Palette.GRID, 1);
      canvas.text(tick.label(), x, area.getMaxY() + 19, Axes.TICK, Anchor.MIDDLE, true);
    }
    canvas.stroke(
        new Line2D.Double(area.getMinX(), area.getMaxY(), area.getMaxX(), area.getMaxY()),
        Palette.AXIS,
        1);
    for (int i = 0; i < names.size(); i++) {
      double y = area.getMinY() + ROW * (i + 0.5);
      if (!Double.isFinite(measure.values[i])) {
        canvas.text("–", area.getCenterX(), y + 5, Axes.TICK, Anchor.MIDDLE, true);
        continue;
      }
      double x = scale.at(measure.values[i]);
      if (measure.share) share(canvas, measure, i, scale, y, color);
      else dot(canvas, measure, i, scale, y, color);
      String text = measure.text(i);
      double end = measure.share ? Math.max(x, scale.at(measure.high[i])) : x;
      boolean right = end + 12 + Axes.TICK.width(text) < area.getMaxX();
      canvas.text(
          text,
          right ? end + 10 : x - 10,
          measure.share ? y + 4.5 : y - 7,
          Axes.TICK,
          right ? Anchor.START : Anchor.END,
          true);
    }
  }

  private static void dot(
      Canvas canvas, Measure measure, int i, Scale scale, double y, Color color) {
    double x = scale.at(measure.values[i]);
    if (measure.high[i] > measure.low[i])
      canvas.stroke(
          new Line2D.Double(scale.at(measure.low[i]), y, scale.at(measure.high[i]), y),
          Palette.translucent(color, 0.5),
          2.5);
    canvas.fill(new Ellipse2D.Double(x - 5, y - 5, 10, 10), color);
  }

  /// Draws a bar from zero, and across its end a line with caps.
  private static void share(
      Canvas canvas, Measure measure, int i, Scale scale, double y, Color color) {
    double zero = scale.at(0);
    double x = scale.at(measure.values[i]);
    canvas.fill(
        new Rectangle2D.Double(zero, y - 9, Math.max(1, x - zero), 18),
        Palette.translucent(color, 0.35));
    double a = scale.at(measure.low[i]);
    double b = scale.at(measure.high[i]);
    if (!(b > a)) return;
    canvas.stroke(new Line2D.Double(a, y, b, y), color, 2);
    for (double end : new double[] {a, b})
      canvas.stroke(new Line2D.Double(end, y - 5, end, y + 5), color, 2);
  }

  @Override
  List<Map<String, Object>> panels() {
    List<Map<String, Object>> all = new ArrayList<>();
    all.add(Page.ordered("kind", "head", "title", title, "subtitle", subtitle));
    for (int m = 0; m < measures.size(); m++) {
      Measure measure = measures.get(m);
      Scale scale = scale(measure);
      all.add(
          Page.ordered(
              "kind",
              "ranking",
              "title",
              "",
              "names",
              names,
              "x",
              Page.ordered("label", measure.label, "low", scale.low(), "high", scale.high()),
              "values",
              measure.values,
              "lower",
              measure.low,
              "upper",
              measure.high,
              "share",
              measure.share,
              "words",
              words.stream().map(text -> wordsLabel + " " + text).toList(),
              "color",
              Page.color(Palette.series(m))));
    }
    return all;
  }
}
