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

/// Numbers of several named things, one panel for each measure: a dot, its error bar and its value
/// in a row of the name's own.
public final class Ranking extends Picture {

  private static final int ROW = 34;
  private static final int WIDTH = 960;

  /// One measure.
  private static final class Measure {
    final String label;
    final double[] values;
    final double[] errors;

    Measure(String label, double[] values, double[] errors) {
      this.label = label;
      this.values = values.clone();
      this.errors = errors.clone();
    }
  }

  private final String title;
  private String subtitle = "";
  private final List<String> names;
  private final List<Measure> measures = new ArrayList<>();

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
    if (values.length != names.size() || errors.length != names.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' must have one value and one error for each of %d names, got %d and %d",
              label,
              names.size(),
              values.length,
              errors.length));
    measures.add(new Measure(label, values, errors));
    return this;
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
    double room = (WIDTH - 28 - left) / Math.max(1, measures.size());
    for (int m = 0; m < measures.size(); m++)
      draw(
          canvas,
          measures.get(m),
          Palette.series(m),
          new Rectangle2D.Double(
              left + m * room, top, room - (m + 1 < measures.size() ? 36 : 0), ROW * names.size()));
  }

  private Scale scale(Measure measure) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < names.size(); i++) {
      if (!Double.isFinite(measure.values[i])) continue;
      low = Math.min(low, measure.values[i] - measure.errors[i]);
      high = Math.max(high, measure.values[i] + measure.errors[i]);
    }
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
      double value = measure.values[i];
      double error = measure.errors[i];
      double y = area.getMinY() + ROW * (i + 0.5);
      if (!Double.isFinite(value)) {
        canvas.text("–", area.getCenterX(), y + 5, Axes.TICK, Anchor.MIDDLE, true);
        continue;
      }
      double x = scale.at(value);
      if (error > 0)
        canvas.stroke(
            new Line2D.Double(scale.at(value - error), y, scale.at(value + error), y),
            Palette.translucent(color, 0.5),
            2.5);
      canvas.fill(new Ellipse2D.Double(x - 5, y - 5, 10, 10), color);
      String text = String.format(Locale.ROOT, "%.5g", value).replace('-', '−');
      boolean right = x + 12 + Axes.TICK.width(text) < area.getMaxX();
      canvas.text(
          text, right ? x + 10 : x - 10, y - 7, Axes.TICK, right ? Anchor.START : Anchor.END, true);
    }
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
              "errors",
              measure.errors,
              "color",
              Page.color(Palette.series(m))));
    }
    return all;
  }
}
