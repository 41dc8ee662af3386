package lovelace.plot;

import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleToIntFunction;
import java.util.stream.DoubleStream;
import lovelace.data.TimeScale;
import lovelace.plot.Canvas.Anchor;
import org.jspecify.annotations.Nullable;

/// Shows values over two inputs as colour with contours, one panel for each quantity, with data
/// points on top.
///
/// ```java
/// HeatMap.titled("Sea temperature").labels("east (km)", "north (km)").grid(xs, ys)
///     .values("mean (°C)", mean).doubts("standard deviation (°C)", deviation)
///     .points(px, py).write(Path.of("sea.png"));
/// ```
///
/// Values are on a grid, row-major with y fastest: `values[i * ys.length + j]` at `(xs[i], ys[j])`.
/// Between grid points they are interpolated linearly. A cell with a corner that is not finite
/// stays empty. Each call adds to this picture and returns it; arrays are copied.
public final class HeatMap extends Picture {

  private static final int MARGIN = 20;

  /// One quantity with its colours.
  private static final class Panel {
    final String name;
    final double[] values;
    final DoubleToIntFunction colors;
    final Color contour;
    final boolean doubt;

    Panel(String name, double[] values, DoubleToIntFunction colors, Color contour, boolean doubt) {
      this.name = name;
      this.values = values.clone();
      this.colors = colors;
      this.contour = contour;
      this.doubt = doubt;
    }
  }

  private final String title;
  private String subtitle = "";
  private String xLabel = "";
  private String yLabel = "";
  private Scale.@Nullable Clock xClock;
  private Scale.@Nullable Clock yClock;
  private double[] xs = {};
  private double[] ys = {};
  private double[] px = {};
  private double[] py = {};
  private double[] cx = {};
  private double[] cy = {};
  private double boundary = Double.NaN;
  private final List<Panel> panels = new ArrayList<>();

  private HeatMap(String title) {
    this.title = title;
  }

  public static HeatMap titled(String title) {
    return new HeatMap(title);
  }

  /// A line of smaller text under the title.
  public HeatMap subtitle(String text) {
    subtitle = text;
    return this;
  }

  /// The labels of the axes, with units.
  public HeatMap labels(String x, String y) {
    xLabel = x;
    yLabel = y;
    return this;
  }

  /// Labels x and y as dates and times, with numbers on these scales; null for plain numbers.
  public HeatMap time(@Nullable TimeScale x, @Nullable TimeScale y) {
    xClock = Calendar.of(x);
    yClock = Calendar.of(y);
    return this;
  }

  /// The grid of the values, ascending, with at least two places each way.
  public HeatMap grid(double[] xs, double[] ys) {
    ascending("x", xs);
    ascending("y", ys);
    this.xs = xs.clone();
    this.ys = ys.clone();
    return this;
  }

  /// Adds a panel of values, darker for small and lighter for large ones. Call `grid` first.
  public HeatMap values(String name, double[] values) {
    return panel(name, values, Palette::value, new Color(255, 255, 255, 150), false);
  }

  /// Adds a panel of uncertainty, from pale to dark as it grows. Call `grid` first.
  public HeatMap doubts(String name, double[] values) {
    return panel(name, values, Palette::doubt, new Color(34, 34, 34, 110), true);
  }

  private HeatMap panel(
      String name, double[] values, DoubleToIntFunction colors, Color contour, boolean doubt) {
    if (xs.length == 0 || values.length != xs.length * ys.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' must have one value at each of %d × %d grid points, got %d",
              name,
              xs.length,
              ys.length,
              values.length));
    panels.add(new Panel(name, values, colors, contour, doubt));
    return this;
  }

  /// Adds places of observations as dots.
  public HeatMap points(double[] x, double[] y) {
    check(x, y);
    px = x.clone();
    py = y.clone();
    return this;
  }

  /// Adds places of observations of another kind as open circles.
  public HeatMap circles(double[] x, double[] y) {
    check(x, y);
    cx = x.clone();
    cy = y.clone();
    return this;
  }

  /// Draws a strong contour at this level in all panels of values, but not in those of uncertainty.
  public HeatMap boundary(double level) {
    boundary = level;
    return this;
  }

  private static void check(double[] x, double[] y) {
    if (x.length != y.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "points must have one y for each x, got %d x and %d y",
              x.length,
              y.length));
  }

  static void ascending(String axis, double[] places) {
    boolean fine = places.length >= 2;
    for (int i = 1; i < places.length; i++) fine &= places[i] > places[i - 1];
    if (!fine || !Double.isFinite(places[0]) || !Double.isFinite(places[places.length - 1]))
      throw new IllegalArgumentException(
          axis + " of a heat map must be at least two ascending numbers, got " + places.length);
  }

  @Override
  String title() {
    return title;
  }

  @Override
  int width() {
    return Math.max(1, panels.size()) * 540;
  }

  @Override
  int height() {
    return 500;
  }

  @Override
  void draw(Canvas canvas) {
    canvas.fill(new Rectangle2D.Double(0, 0, width(), height()), Color.WHITE);
    double top = Axes.header(canvas, width(), title, subtitle) + 6;
    for (int i = 0; i < panels.size(); i++) draw(canvas, panels.get(i), 540 * i, top);
    if (panels.isEmpty())
      canvas.text("no data", width() / 2.0, height() / 2.0, Axes.SUBTITLE, Anchor.MIDDLE, true);
  }

  private void draw(Canvas canvas, Panel panel, double left, double top) {
    double room = 540 - 2 * MARGIN - ColorBar.ROOM;
    var outer = new Rectangle2D.Double(left + MARGIN, top + 24, room, height() - top - 24 - 10);
    var axes =
        new Axes(
            outer,
            Scale.exact(xs[0], xs[xs.length - 1], false, xClock),
            Scale.exact(ys[0], ys[ys.length - 1], false, yClock));
    Rectangle2D area = axes.area();
    canvas.text(
        Axes.LABEL.fit(panel.name, area.getWidth() + ColorBar.ROOM),
        area.getMinX(),
        top + 14,
        Axes.LABEL,
        Anchor.START,
        true);
    Scale scale = scale(panel.values);
    canvas.image(image(panel, scale, axes), area);
    canvas.clip(area);
    for (Scale.Tick tick : scale.ticks(7))
      contour(canvas, panel, tick.value(), axes, panel.contour, 1);
    if (!panel.doubt && Double.isFinite(boundary)) {
      contour(canvas, panel, boundary, axes, Color.WHITE, 4.5);
      contour(canvas, panel, boundary, axes, Palette.VERMILION, 2.5);
    }
    dots(canvas, axes, px, py, Palette.BLACK, Color.WHITE);
    dots(canvas, axes, cx, cy, Color.WHITE, Palette.BLACK);
    canvas.unclip();
    axes.labels(canvas, xLabel, yLabel);
    ColorBar.draw(canvas, panel.colors, scale, area, false);
  }

  private static Scale scale(double[] values) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double v : values)
      if (Double.isFinite(v)) {
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
    return Scale.around(low, high, 0, false, null).laid(0, 1);
  }

  private BufferedImage image(Panel panel, Scale scale, Axes axes) {
    int w = (int) Math.ceil(axes.area().getWidth()) * 2;
    int h = (int) Math.ceil(axes.area().getHeight()) * 2;
    var image = new BufferedImage(w, h, BufferedImage.TYPE_INT_ARGB);
    int i = 0;
    for (int column = 0; column < w; column++) {
      double x = between(xs, (column + 0.5) / w);
      while (i < xs.length - 2 && x > xs[i + 1]) i++;
      double u = (x - xs[i]) / (xs[i + 1] - xs[i]);
      int j = 0;
      for (int row = h - 1; row >= 0; row--) {
        double y = between(ys, (h - row - 0.5) / h);
        while (j < ys.length - 2 && y > ys[j + 1]) j++;
        double v = (y - ys[j]) / (ys[j + 1] - ys[j]);
        double low = (1 - u) * at(panel, i, j) + u * at(panel, i + 1, j);
        double high = (1 - u) * at(panel, i, j + 1) + u * at(panel, i + 1, j + 1);
        double fraction = scale.at((1 - v) * low + v * high);
        if (Double.isFinite(fraction))
          image.setRGB(column, row, 0xff000000 | panel.colors.applyAsInt(fraction));
      }
    }
    return image;
  }

  private static double between(double[] places, double fraction) {
    return places[0] * (1 - fraction) + places[places.length - 1] * fraction;
  }

  private double at(Panel panel, int i, int j) {
    return panel.values[i * ys.length + j];
  }

  private void contour(
      Canvas canvas, Panel panel, double level, Axes axes, Color color, double width) {
    var path = new Path2D.Double();
    double[] c = contour(panel, level);
    for (int k = 0; k < c.length; k += 4) {
      path.moveTo(axes.x().at(c[k]), axes.y().at(c[k + 1]));
      path.lineTo(axes.x().at(c[k + 2]), axes.y().at(c[k + 3]));
    }
    if (path.getCurrentPoint() != null) canvas.stroke(path, color, width);
  }

  /// Marching squares: the crossings of the level with the edges of a cell are joined in pairs.
  /// Each piece has four numbers.
  private double[] contour(Panel panel, double level) {
    var all = DoubleStream.builder();
    double[] cross = new double[8];
    for (int i = 0; i + 1 < xs.length; i++)
      for (int j = 0; j + 1 < ys.length; j++) {
        int[][] corners = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
        int found = 0;
        for (int e = 0; e < 4; e++) {
          int[] a = corners[e];
          int[] b = corners[(e + 1) % 4];
          double va = at(panel, a[0], a[1]);
          double vb = at(panel, b[0], b[1]);
          if ((va < level) == (vb < level) || !Double.isFinite(va) || !Double.isFinite(vb))
            continue;
          double t = (level - va) / (vb - va);
          cross[found++] = xs[a[0]] + t * (xs[b[0]] - xs[a[0]]);
          cross[found++] = ys[a[1]] + t * (ys[b[1]] - ys[a[1]]);
        }
        for (int k = 0; k + 4 <= found; k += 4) for (int q = 0; q < 4; q++) all.add(cross[k + q]);
      }
    return all.build().toArray();
  }

  @Override
  List<Map<String, Object>> panels() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Panel panel : panels) {
      Scale scale = scale(panel.values);
      List<Object> contours = new ArrayList<>();
      for (Scale.Tick tick : scale.ticks(7)) {
        double[] c = contour(panel, tick.value());
        for (int k = 0; k < c.length; k++) c[k] = moment(c[k], k % 2 == 0 ? xClock : yClock);
        contours.add(Page.ordered("value", tick.value(), "pieces", c));
      }
      double[] strong =
          panel.doubt || Double.isNaN(boundary) ? new double[0] : contour(panel, boundary);
      for (int k = 0; k < strong.length; k++)
        strong[k] = moment(strong[k], k % 2 == 0 ? xClock : yClock);
      List<Object> colors = new ArrayList<>();
      for (int k = 0; k <= 16; k++)
        colors.add(Page.color(new Color(panel.colors.applyAsInt(k / 16.0))));
      all.add(
          Page.ordered(
              "kind",
              "heat",
              "title",
              all.isEmpty() ? title : "",
              "subtitle",
              all.isEmpty() ? subtitle : "",
              "name",
              panel.name,
              "x",
              Page.ordered("label", xLabel, "time", xClock != null, "at", moments(xs, xClock)),
              "y",
              Page.ordered("label", yLabel, "time", yClock != null, "at", moments(ys, yClock)),
              "values",
              panel.values,
              "low",
              scale.low(),
              "high",
              scale.high(),
              "colors",
              colors,
              "contour",
              Page.color(panel.contour),
              "contours",
              contours,
              "boundary",
              strong,
              "cx",
              moments(cx, xClock),
              "cy",
              moments(cy, yClock),
              "px",
              moments(px, xClock),
              "py",
              moments(py, yClock)));
    }
    return all;
  }

  private static double moment(double value, Scale.@Nullable Clock clock) {
    return clock == null ? value : Page.milliseconds(clock.time(value));
  }

  private static double[] moments(double[] values, Scale.@Nullable Clock clock) {
    return Arrays.stream(values).map(v -> moment(v, clock)).toArray();
  }

  private void dots(Canvas canvas, Axes axes, double[] u, double[] v, Color fill, Color edge) {
    var seen = new HashSet<Long>();
    int all = px.length + cx.length;
    double r = all > 2000 ? 0.8 : all > 300 ? 1.2 : 2;
    for (int i = 0; i < u.length; i++) {
      double x = axes.x().at(u[i]);
      double y = axes.y().at(v[i]);
      if (Double.isNaN(x + y) || !seen.add(Math.round(x) * 1_000_000 + Math.round(y))) continue;
      if (!axes.area().contains(x, y)) continue;
      var ring = new Ellipse2D.Double(x - r - 0.7, y - r - 0.7, 2 * r + 1.4, 2 * r + 1.4);
      canvas.fill(ring, edge);
      canvas.fill(new Ellipse2D.Double(x - r, y - r, 2 * r, 2 * r), fill);
    }
  }
}
