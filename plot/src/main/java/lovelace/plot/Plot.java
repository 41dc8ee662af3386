package lovelace.plot;

import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleConsumer;
import lovelace.data.TimeScale;
import lovelace.plot.Canvas.Anchor;
import lovelace.plot.Canvas.Ink;
import org.jspecify.annotations.Nullable;

/// Bands, lines and points over one input, drawn in the order they were added.
///
/// ```java
/// Plot.titled("Airline passengers").labels("year", "passengers (thousands)")
///     .band("95 % interval", x, lower, upper, Palette.BLUE, 0.15)
///     .line("mean", x, mean, Palette.BLUE, 2)
///     .points("observed", t, y, Palette.BLACK, Plot.Mark.DOT)
///     .boundary(1957, "forecast")
///     .write(Path.of("airline.png"));
/// ```
///
/// Each call adds to this plot and returns it; arrays are copied. Values that are not finite, or
/// not positive on a logarithmic axis, leave a gap. A layer with an empty name is not in the
/// legend.
public final class Plot extends Picture {

  /// The shape of a point.
  public enum Mark {
    DOT,
    CIRCLE
  }

  /// Points in their order.
  private static final class Curve {
    final double[] x;
    final double[] y;

    Curve(double[] x, double[] y) {
      this.x = x.clone();
      this.y = y.clone();
    }
  }

  private sealed interface Layer {
    String name();

    Curve curve();
  }

  private record Band(String name, Curve curve, Curve upper, Color color) implements Layer {}

  private record Line(String name, Curve curve, Color color, double width, boolean dashed)
      implements Layer {}

  private record Points(String name, Curve curve, Color color, Mark mark) implements Layer {}

  /// The number of rows in cells of equal width, at the foot.
  private record Heap(String name, Curve curve, Color color) implements Layer {}

  /// A short text at each point.
  private record Notes(String name, Curve curve, List<String> texts) implements Layer {}

  private record Boundary(double x, String label) {}

  /// The number of cells of a heap, and the share of the height of the fullest one.
  private static final int CELLS = 40;

  private static final double HEAP = 0.16;

  private static final Ink LEGEND = new Ink(13.5, false, Palette.BLACK);

  private static final Ink NOTE = new Ink(12, false, Palette.GREY);

  private final String title;
  private String subtitle = "";
  private String xLabel = "";
  private String yLabel = "";
  private boolean xLog;
  private boolean yLog;
  private Scale.@Nullable Clock clock;
  private List<String> words = List.of();
  private boolean compact;
  private double least = Double.POSITIVE_INFINITY;
  private double most = Double.NEGATIVE_INFINITY;
  private int width = 960;
  private int height = 540;
  private final List<Layer> layers = new ArrayList<>();
  private final List<Boundary> boundaries = new ArrayList<>();

  private Plot(String title) {
    this.title = title;
  }

  public static Plot titled(String title) {
    return new Plot(title);
  }

  /// A line of smaller text under the title.
  public Plot subtitle(String text) {
    subtitle = text;
    return this;
  }

  /// The labels of the axes, with units.
  public Plot labels(String x, String y) {
    xLabel = x;
    yLabel = y;
    return this;
  }

  /// The size in points; a PNG has twice as many pixels each way.
  public Plot size(int width, int height) {
    if (!(width >= 200 && width <= 10_000 && height >= 150 && height <= 10_000))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a plot must be 200 to 10000 wide and 150 to 10000 high, got %d × %d",
              width,
              height));
    this.width = width;
    this.height = height;
    return this;
  }

  /// Extends the y axis to these values too, so that plots side by side can be compared.
  public Plot within(double low, double high) {
    least = Math.min(least, low);
    most = Math.max(most, high);
    return this;
  }

  /// Makes the axes logarithmic.
  public Plot log(boolean x, boolean y) {
    xLog = x;
    yLog = y;
    return this;
  }

  /// Labels x as dates and times, with numbers on this scale; null for plain numbers.
  public Plot time(@Nullable TimeScale scale) {
    return clock(Calendar.of(scale));
  }

  /// Labels x as dates and times by a clock; null for plain numbers.
  Plot clock(Scale.@Nullable Clock times) {
    clock = times;
    return this;
  }

  /// Labels the whole numbers from 0 on x with words.
  public Plot words(List<String> names) {
    words = List.copyOf(names);
    return this;
  }

  /// Leaves no room for labels of the axes.
  Plot compact() {
    compact = true;
    return this;
  }

  /// Adds the area between two curves, as opaque as `opacity` from 0 to 1.
  public Plot band(
      String name, double[] x, double[] low, double[] high, Color color, double opacity) {
    check(name, x, low);
    check(name, x, high);
    Color shade = Palette.translucent(color, opacity);
    layers.add(new Band(name, new Curve(x, low), new Curve(x, high), shade));
    return this;
  }

  /// Adds a curve through the points in their order.
  public Plot line(String name, double[] x, double[] y, Color color, double width) {
    return line(name, x, y, color, width, false);
  }

  /// Adds a dashed curve through the points in their order.
  public Plot dashed(String name, double[] x, double[] y, Color color, double width) {
    return line(name, x, y, color, width, true);
  }

  private Plot line(
      String name, double[] x, double[] y, Color color, double width, boolean dashed) {
    check(name, x, y);
    layers.add(new Line(name, new Curve(x, y), color, width, dashed));
    return this;
  }

  /// Adds thin curves over the same x, row-major in `y`, under one name in the legend.
  public Plot draws(String name, double[] x, double[] y, Color color) {
    if (x.length == 0 || y.length % x.length != 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' must have a whole number of curves over %d x, got %d values",
              name,
              x.length,
              y.length));
    for (int from = 0; from < y.length; from += x.length) {
      double[] curve = Arrays.copyOfRange(y, from, from + x.length);
      line(from == 0 ? name : "", x, curve, Palette.translucent(color, 0.8), 1);
    }
    return this;
  }

  /// Adds single observations.
  public Plot points(String name, double[] x, double[] y, Color color, Mark mark) {
    check(name, x, y);
    layers.add(new Points(name, new Curve(x, y), color, mark));
    return this;
  }

  /// Adds short texts, centred at points. They are not in the legend; a page shows `name` beside
  /// the text of the nearest.
  public Plot notes(String name, double[] x, double[] y, List<String> texts) {
    check(name, x, y);
    if (texts.size() != x.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' must have one text for each x, got %d x and %d texts",
              name,
              x.length,
              texts.size()));
    layers.add(new Notes(name, new Curve(x, y), List.copyOf(texts)));
    return this;
  }

  /// Adds a pale histogram of the places of rows along x at the foot. Values beyond the other
  /// layers are not shown.
  public Plot heap(String name, double[] x) {
    double[] values = Arrays.stream(x).filter(Double::isFinite).toArray();
    layers.add(new Heap(name, new Curve(values, new double[values.length]), Palette.HEAP));
    return this;
  }

  /// Adds a vertical line, with a word at its top right such as `forecast`.
  public Plot boundary(double x, String label) {
    boundaries.add(new Boundary(x, label));
    return this;
  }

  private static void check(String name, double[] x, double[] y) {
    if (x.length != y.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' must have one y for each x, got %d x and %d y",
              name,
              x.length,
              y.length));
  }

  @Override
  String title() {
    return title;
  }

  @Override
  int width() {
    return width;
  }

  @Override
  int height() {
    return height;
  }

  @Override
  void draw(Canvas canvas) {
    draw(canvas, true);
  }

  /// Draws the plot, with its legend or without.
  void draw(Canvas canvas, boolean legend) {
    canvas.fill(new Rectangle2D.Double(0, 0, width, height), Color.WHITE);
    double top = Axes.header(canvas, width, title, subtitle);
    if (legend) top = legend(canvas, top, width);
    top += 12;
    var outer =
        new Rectangle2D.Double(16, top, width - 16 - 28, height - top - (compact ? -14 : 10));
    var axes = new Axes(outer, xScale(), yScale(), words);
    axes.grid(canvas);
    canvas.clip(axes.area());
    boundaries.forEach(b -> draw(canvas, b, axes));
    layers.forEach(layer -> draw(canvas, layer, axes, words.isEmpty() ? 1 : 1.8));
    canvas.unclip();
    axes.labels(canvas, xLabel, yLabel);
    if (layers.stream().allMatch(layer -> layer.curve().x.length == 0))
      canvas.text(
          "no data",
          axes.area().getCenterX(),
          axes.area().getCenterY(),
          Axes.SUBTITLE,
          Anchor.MIDDLE,
          true);
  }

  @Override
  List<Map<String, Object>> panels() {
    List<Object> shown = new ArrayList<>();
    String last = "";
    for (Layer layer : layers) {
      if (!layer.name().isEmpty()) last = layer.name();
      if (layer instanceof Heap) {
        shown.add(heap(layer, last));
        continue;
      }
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", last); // the curves of one set of draws are switched together
      one.put("x", moments(layer.curve().x));
      one.put("y", layer.curve().y);
      switch (layer) {
        case Band b -> {
          one.put("kind", "band");
          one.put("upper", b.upper.y);
          one.put("color", Page.color(b.color));
        }
        case Line l -> {
          one.put("kind", layer.name().isEmpty() || l.width <= 1 ? "draw" : "line");
          one.put("width", l.width);
          one.put("dashed", l.dashed);
          one.put("color", Page.color(l.color));
        }
        case Points p -> {
          one.put("kind", "points");
          one.put("filled", p.mark == Mark.DOT);
          one.put("color", Page.color(p.color));
        }
        case Notes n -> {
          one.put("kind", "notes");
          one.put("texts", n.texts);
          one.put("color", Page.color(Palette.GREY));
        }
        case Heap h -> throw new IllegalStateException(h.name);
      }
      shown.add(one);
    }
    List<Object> lines = new ArrayList<>();
    for (Boundary b : boundaries)
      lines.add(Page.ordered("x", moments(new double[] {b.x})[0], "label", b.label));
    Scale y = yScale();
    return List.of(
        Page.ordered(
            "kind", "plot",
            "title", title,
            "subtitle", subtitle,
            "x",
                Page.ordered(
                    "label", xLabel, "time", clock != null && !xLog, "log", xLog, "words", words),
            "y", Page.ordered("label", yLabel, "log", yLog, "low", y.low(), "high", y.high()),
            "layers", shown,
            "boundaries", lines));
  }

  /// A heap in the form that a page draws: a step function in units of the y axis.
  private Map<String, Object> heap(Layer layer, String name) {
    Scale x = xScale();
    Scale y = yScale();
    double[] counts = counts(layer.curve(), x.laid(0, CELLS));
    double[] at = new double[2 * CELLS];
    double[] foot = new double[2 * CELLS];
    double[] top = new double[2 * CELLS];
    for (int c = 0; c < 2 * CELLS; c++) {
      at[c] = x.low() + (x.high() - x.low()) * ((c + 1) / 2) / CELLS;
      foot[c] = y.low();
      top[c] = y.low() + HEAP * (y.high() - y.low()) * counts[c / 2];
    }
    return Page.ordered(
        "name",
        name,
        "x",
        moments(at),
        "y",
        foot,
        "kind",
        "heap",
        "upper",
        top,
        "color",
        Page.color(Palette.HEAP));
  }

  /// The number of rows in each cell, as a share of the largest.
  private static double[] counts(Curve curve, Scale cells) {
    double[] counts = new double[CELLS];
    for (double v : curve.x) {
      double at = cells.at(v);
      if (at >= 0 && at <= CELLS) counts[Math.min(CELLS - 1, (int) at)]++;
    }
    double most = Math.max(1, Arrays.stream(counts).max().orElse(1));
    return Arrays.stream(counts).map(c -> c / most).toArray();
  }

  /// x in the form that a page reads: times in milliseconds since 1970.
  private double[] moments(double[] x) {
    Scale.Clock times = xLog ? null : clock;
    if (times == null) return x;
    return Arrays.stream(x).map(v -> Page.milliseconds(times.time(v))).toArray();
  }

  private Scale xScale() {
    var range = new Range(xLog);
    for (Layer layer : layers)
      if (!(layer instanceof Heap)) for (double v : layer.curve().x) range.accept(v);
    for (Boundary b : boundaries) range.accept(b.x());
    if (!words.isEmpty()) return Scale.exact(-0.5, words.size() - 0.5, false, null);
    boolean dots = layers.stream().anyMatch(layer -> layer instanceof Points);
    return range.scale(dots ? 0.01 : 0, xLog ? null : clock);
  }

  private Scale yScale() {
    var range = new Range(yLog);
    range.accept(least);
    range.accept(most);
    for (Layer layer : layers) {
      if (layer instanceof Heap) continue;
      for (double v : layer.curve().y) range.accept(v);
      if (layer instanceof Band b) for (double v : b.upper.y) range.accept(v);
    }
    return range.scale(0.04, null);
  }

  private static final class Range implements DoubleConsumer {
    private final boolean log;
    private double low = Double.POSITIVE_INFINITY;
    private double high = Double.NEGATIVE_INFINITY;

    Range(boolean log) {
      this.log = log;
    }

    @Override
    public void accept(double value) {
      if (!Double.isFinite(value) || (log && value <= 0)) return;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }

    Scale scale(double margin, Scale.@Nullable Clock clock) {
      return Scale.around(low, high, margin, log, clock);
    }
  }

  private static void draw(Canvas canvas, Layer layer, Axes axes, double size) {
    switch (layer) {
      case Band b -> band(canvas, b, axes);
      case Line l -> {
        var path = new Path2D.Double();
        trace(path, l.curve, axes);
        if (path.getCurrentPoint() != null) canvas.stroke(path, l.color, l.width, dash(l));
      }
      case Points p -> points(canvas, p, axes, size);
      case Heap h -> heap(canvas, h, axes);
      case Notes n -> notes(canvas, n, axes);
    }
  }

  private static void notes(Canvas canvas, Notes notes, Axes axes) {
    for (int i = 0; i < notes.texts.size(); i++) {
      double x = axes.x().at(notes.curve.x[i]);
      double y = axes.y().at(notes.curve.y[i]);
      if (!Double.isNaN(x + y))
        canvas.text(notes.texts.get(i), x, y + 4.5, NOTE, Anchor.MIDDLE, true);
    }
  }

  private static void heap(Canvas canvas, Heap heap, Axes axes) {
    Rectangle2D area = axes.area();
    double[] counts = counts(heap.curve, axes.x().laid(0, CELLS));
    var path = new Path2D.Double();
    path.moveTo(area.getMinX(), area.getMaxY());
    for (int c = 0; c < CELLS; c++) {
      double y = area.getMaxY() - HEAP * area.getHeight() * counts[c];
      path.lineTo(area.getMinX() + area.getWidth() * c / CELLS, y);
      path.lineTo(area.getMinX() + area.getWidth() * (c + 1) / CELLS, y);
    }
    path.lineTo(area.getMaxX(), area.getMaxY());
    path.closePath();
    canvas.fill(path, heap.color);
  }

  /// Appends the curve, with a gap where it has no place. Steps too short to see are skipped.
  private static void trace(Path2D path, Curve curve, Axes axes) {
    boolean pen = false;
    double lastX = 0;
    double lastY = 0;
    for (int i = 0; i < curve.x.length; i++) {
      double px = axes.x().at(curve.x[i]);
      double py = axes.y().at(curve.y[i]);
      boolean place = !Double.isNaN(px + py);
      if (place && pen && i + 1 < curve.x.length && Math.hypot(px - lastX, py - lastY) < 0.1)
        continue;
      if (place && pen) path.lineTo(px, py);
      else if (place) path.moveTo(px, py);
      pen = place;
      lastX = px;
      lastY = py;
    }
  }

  private static void band(Canvas canvas, Band band, Axes axes) {
    var path = new Path2D.Double();
    int n = band.curve.x.length;
    for (int from = 0; from < n; from++) {
      int to = from;
      while (to < n && placed(band, to, axes)) to++;
      if (to == from) continue;
      for (int i = from; i < to; i++) append(path, i > from, band.curve, i, axes);
      for (int i = to - 1; i >= from; i--) append(path, true, band.upper, i, axes);
      path.closePath();
      from = to;
    }
    if (path.getCurrentPoint() != null) canvas.fill(path, band.color);
  }

  private static boolean placed(Band band, int i, Axes axes) {
    double lower = axes.y().at(band.curve.y[i]);
    return !Double.isNaN(axes.x().at(band.curve.x[i]) + lower + axes.y().at(band.upper.y[i]));
  }

  private static void append(Path2D path, boolean pen, Curve curve, int i, Axes axes) {
    double x = axes.x().at(curve.x[i]);
    double y = axes.y().at(curve.y[i]);
    if (pen) path.lineTo(x, y);
    else path.moveTo(x, y);
  }

  private static float[] dash(Line line) {
    return line.dashed ? new float[] {6, 4} : new float[0];
  }

  /// Draws the points. Of points within half a point of one another, it draws only the first.
  private static void points(Canvas canvas, Points p, Axes axes, double size) {
    var seen = new HashSet<Long>();
    int n = p.curve.x.length;
    double radius = size * (n > 2000 ? 1.6 : n > 400 ? 2.2 : 2.8);
    for (int i = 0; i < n; i++) {
      double x = axes.x().at(p.curve.x[i]);
      double y = axes.y().at(p.curve.y[i]);
      if (Double.isNaN(x + y) || !seen.add(Math.round(2 * x) * 1_000_000 + Math.round(2 * y)))
        continue;
      mark(canvas, x, y, radius, p.color, p.mark);
    }
  }

  private static void mark(Canvas canvas, double x, double y, double r, Color color, Mark mark) {
    var dot = new Ellipse2D.Double(x - r, y - r, 2 * r, 2 * r);
    if (mark == Mark.DOT) {
      canvas.fill(dot, color);
    } else {
      canvas.fill(dot, Color.WHITE);
      canvas.stroke(dot, color, Math.min(1.5, r / 2));
    }
  }

  private static void draw(Canvas canvas, Boundary b, Axes axes) {
    double x = Math.rint(axes.x().at(b.x));
    Rectangle2D area = axes.area();
    canvas.stroke(new Line2D.Double(x, area.getMinY(), x, area.getMaxY()), Palette.GREY, 1, 5, 4);
    canvas.text(b.label, x + 8, area.getMinY() + 17, Axes.SUBTITLE, Anchor.START, true);
  }

  /// The layers in the legend.
  long named() {
    return layers.stream()
        .filter(layer -> !layer.name().isEmpty() && !(layer instanceof Notes))
        .count();
  }

  /// Draws the legend of the named layers, points before lines before bands, wrapped. Returns the y
  /// below it.
  double legend(Canvas canvas, double top, double width) {
    double x = 24;
    double y = top + 16;
    boolean any = false;
    for (Class<?> kind : List.of(Points.class, Line.class, Band.class, Heap.class))
      for (Layer layer : layers) {
        if (layer.getClass() != kind || layer.name().isEmpty()) continue;
        String name = LEGEND.fit(layer.name(), width - 48 - 34);
        double need = 34 + LEGEND.width(name) * 1.03;
        if (any && x + need > width - 24) {
          x = 24;
          y += 21;
        }
        sample(canvas, layer, x, y - 4.5);
        canvas.text(name, x + 34, y, LEGEND, Anchor.START, true);
        x += need + 22;
        any = true;
      }
    return any ? y + 4 : top;
  }

  private static void sample(Canvas canvas, Layer layer, double x, double y) {
    switch (layer) {
      case Band b -> canvas.fill(new Rectangle2D.Double(x, y - 6, 26, 12), b.color);
      case Heap h -> canvas.fill(new Rectangle2D.Double(x, y - 6, 26, 12), h.color);
      case Line l -> canvas.stroke(new Line2D.Double(x, y, x + 26, y), l.color, l.width, dash(l));
      case Points p -> {
        mark(canvas, x + 6, y + 1.5, 2.8, p.color, p.mark);
        mark(canvas, x + 14, y - 2, 2.8, p.color, p.mark);
        mark(canvas, x + 22, y + 0.5, 2.8, p.color, p.mark);
      }
      case Notes n -> throw new IllegalStateException(n.name);
    }
  }
}
