package lovelace.plot;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.plot.Canvas.Anchor;
import org.jspecify.annotations.Nullable;

/// Shows values at the pixels of a map as colour, one panel for each quantity. A row has two
/// panels; with more than four panels it has three, and with more than nine it has four. A pixel is
/// a rectangle of one colour, without interpolation. A pixel without a value is grey.
///
/// ```java
/// PixelMap.titled("Land surface").labels("longitude (°)", "latitude (°)").grid(xs, ys)
///     .values("observed (°C)", observed).values("mean (°C)", mean)
///     .doubts("standard deviation (°C)", deviation).differences("error (°C)", errors)
///     .write(Path.of("land.png"));
/// ```
///
/// Values are row-major with y fastest: `values[i * ys.length + j]` at `(xs[i], ys[j])`; NaN means
/// no value. Panels of values share one scale of colours, and so do those of uncertainty. Each call
/// adds to this picture and returns it; arrays are copied.
public final class PixelMap extends Picture {

  private static final int MARGIN = 20;
  private static final int NAME = 28; // room for the name of a panel
  private static final int DOTS = 1000; // of a PNG along x, about
  private static final int FEWER_DOTS = 640; // with more than four panels

  /// Colours of differences end where this share of them lies within.
  private static final double WITHIN = 0.99;

  private enum Kind {
    VALUE,
    DOUBT,
    PROBABILITY,
    DIFFERENCE;

    int color(double fraction) {
      return switch (this) {
        case VALUE, PROBABILITY -> Palette.value(fraction);
        case DOUBT -> Palette.doubt(fraction);
        case DIFFERENCE -> Palette.difference(fraction);
      };
    }
  }

  /// One quantity at all pixels.
  private static final class Panel {
    final String name;
    final double[] values;
    final Kind kind;

    Panel(String name, double[] values, Kind kind) {
      this.name = name;
      this.values = values.clone();
      this.kind = kind;
    }
  }

  private final String title;
  private String subtitle = "";
  private String xLabel = "";
  private String yLabel = "";
  private double[] xs = {};
  private double[] ys = {};
  private double stretch = 1;
  private boolean shaped = false;
  private @Nullable ScaleBar bar;
  private final List<Panel> panels = new ArrayList<>();

  private PixelMap(String title) {
    this.title = title;
  }

  public static PixelMap titled(String title) {
    return new PixelMap(title);
  }

  /// A line of smaller text under the title.
  public PixelMap subtitle(String text) {
    subtitle = text;
    return this;
  }

  /// The labels of the axes, with units.
  public PixelMap labels(String x, String y) {
    xLabel = x;
    yLabel = y;
    return this;
  }

  /// The centres of the pixels, ascending, at least two each way.
  public PixelMap grid(double[] xs, double[] ys) {
    HeatMap.ascending("x", xs);
    HeatMap.ascending("y", ys);
    this.xs = xs.clone();
    this.ys = ys.clone();
    return this;
  }

  /// Adds a panel of values, darker for small and lighter for large ones. Call `grid` first.
  public PixelMap values(String name, double[] values) {
    return panel(name, values, Kind.VALUE);
  }

  /// Adds a panel of uncertainty, from pale at zero to dark. Call `grid` first.
  public PixelMap doubts(String name, double[] values) {
    return panel(name, values, Kind.DOUBT);
  }

  /// Adds a panel of differences, blue below zero and red above it. Call `grid` first. The colours
  /// end where 99 % of the differences lie within, and the bar is pointed there.
  public PixelMap differences(String name, double[] values) {
    return panel(name, values, Kind.DIFFERENCE);
  }

  /// Adds a panel of probabilities, whose colours run from 0 to 1. Call `grid` first.
  public PixelMap probabilities(String name, double[] values) {
    return panel(name, values, Kind.PROBABILITY);
  }

  /// Draws the map with its true shape: a unit of y is `ratio` times as long as a unit of x.
  /// Without it pixels are squares, unless the map is very flat or very high.
  public PixelMap stretch(double ratio) {
    if (!(ratio > 0 && Double.isFinite(ratio)))
      throw new IllegalArgumentException("the ratio must be > 0, got " + ratio);
    stretch = ratio;
    shaped = true;
    return this;
  }

  /// Adds a bar in the corner of the first panel that shows a distance, and that north is up.
  ///
  /// @param metres the length of one unit of x, in the middle of the map
  public PixelMap scaleBar(double metres) {
    if (!(metres > 0 && Double.isFinite(metres)))
      throw new IllegalArgumentException("a unit must be > 0 m long, got " + metres);
    bar = new ScaleBar(metres);
    return this;
  }

  private PixelMap panel(String name, double[] values, Kind kind) {
    if (xs.length == 0 || values.length != xs.length * ys.length)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "'%s' must have one value at each of %d × %d pixels, got %d",
              name,
              xs.length,
              ys.length,
              values.length));
    panels.add(new Panel(name, values, kind));
    return this;
  }

  @Override
  String title() {
    return title;
  }

  /// The number of dots of a PNG that the map has each way. If the shape is free, a pixel has a
  /// whole number of them, so that all pixels are alike.
  private int[] dots() {
    int most = panels.size() <= 4 ? DOTS : FEWER_DOTS;
    if (shaped) return shape(most);
    int x = Math.max(1, Math.round((float) most / Math.max(1, xs.length)));
    int y = x; // square, unless the map is very flat or very high
    if (y * ys.length < most / 4) y = Math.ceilDiv(most / 4, Math.max(1, ys.length));
    if (y * ys.length > 2 * most) y = Math.max(1, 2 * most / ys.length);
    return new int[] {x * xs.length, y * ys.length};
  }

  /// Width and height in dots of a map with its true shape.
  private int[] shape(int most) {
    Scale x = edges(xs);
    Scale y = edges(ys);
    double ratio = (y.high() - y.low()) / (x.high() - x.low()) * stretch;
    double width = ratio <= 1.2 ? most : most * 1.2 / ratio;
    return new int[] {
      (int) Math.max(most / 5.0, width), (int) Math.max(most / 5.0, Math.rint(width * ratio))
    };
  }

  /// The axes of a panel in its cell. Its map has a whole number of dots per pixel.
  private Axes axes(double left, double top) {
    Scale x = edges(xs);
    Scale y = edges(ys);
    int[] dots = dots();
    double w = dots[0] / 2.0;
    double h = dots[1] / 2.0;
    double foot = Axes.FOOT;
    double before = new Axes(new Rectangle2D.Double(0, 0, w + 200, h + foot), x, y).area().getX();
    return new Axes(new Rectangle2D.Double(left, top, before + w, h + foot), x, y);
  }

  /// A scale from the first edge of the first pixel to the last edge of the last one.
  private static Scale edges(double[] at) {
    int n = at.length;
    return Scale.exact(
        at[0] - (at[1] - at[0]) / 2, at[n - 1] + (at[n - 1] - at[n - 2]) / 2, false, null);
  }

  private int columns() {
    int n = panels.size();
    return n <= 4 ? Math.clamp(n, 1, 2) : n <= 9 ? 3 : 4;
  }

  private int cellWidth() {
    if (panels.isEmpty()) return 540;
    return (int) Math.ceil(axes(0, 0).area().getMaxX()) + ColorBar.ROOM + 2 * MARGIN;
  }

  private int cellHeight() {
    if (panels.isEmpty()) return 400;
    return NAME + (int) Math.ceil(axes(0, 0).area().getMaxY() + Axes.FOOT) + 14;
  }

  private int head() {
    return subtitle.isEmpty() ? 52 : 74;
  }

  @Override
  int width() {
    return columns() * cellWidth();
  }

  @Override
  int height() {
    return head() + Math.ceilDiv(Math.max(1, panels.size()), columns()) * cellHeight();
  }

  @Override
  void draw(Canvas canvas) {
    canvas.fill(new Rectangle2D.Double(0, 0, width(), height()), Color.WHITE);
    Axes.header(canvas, width(), title, subtitle);
    for (int i = 0; i < panels.size(); i++)
      draw(
          canvas,
          panels.get(i),
          i % columns() * (double) cellWidth() + MARGIN,
          head() + i / columns() * (double) cellHeight());
    if (panels.isEmpty())
      canvas.text("no data", width() / 2.0, height() / 2.0, Axes.SUBTITLE, Anchor.MIDDLE, true);
  }

  private void draw(Canvas canvas, Panel panel, double left, double top) {
    Axes axes = axes(left, top + NAME);
    Rectangle2D area = axes.area();
    canvas.text(
        Axes.LABEL.fit(panel.name, area.getWidth() + ColorBar.ROOM),
        area.getMinX(),
        top + 18,
        Axes.LABEL,
        Anchor.START,
        true);
    Scale scale = scale(panel);
    canvas.image(image(panel, scale), area);
    axes.labels(canvas, xLabel, yLabel);
    ColorBar.draw(canvas, panel.kind::color, scale, area, cut(panel, scale));
    if (bar != null && panel.equals(panels.getFirst())) bar.draw(canvas, axes);
  }

  /// An image with one dot for each dot of the PNG.
  private BufferedImage image(Panel panel, Scale scale) {
    int[] dots = dots();
    int w = dots[0];
    int h = dots[1];
    int[] columns = nearest(xs, w);
    int[] rows = nearest(ys, h);
    var image = new BufferedImage(w, h, BufferedImage.TYPE_INT_RGB);
    for (int row = 0; row < h; row++)
      for (int column = 0; column < w; column++) {
        double value = panel.values[columns[column] * ys.length + rows[h - 1 - row]];
        image.setRGB(
            column,
            row,
            Double.isFinite(value) ? panel.kind.color(scale.at(value)) : Palette.GAP.getRGB());
      }
    return image;
  }

  /// For each of `count` dots along an axis, the pixel with the nearest centre.
  private static int[] nearest(double[] at, int count) {
    Scale edges = edges(at);
    int[] found = new int[count];
    int i = 0;
    for (int k = 0; k < count; k++) {
      double place = edges.low() + (k + 0.5) / count * (edges.high() - edges.low());
      while (i + 1 < at.length && place > (at[i] + at[i + 1]) / 2) i++;
      found[k] = i;
    }
    return found;
  }

  private Scale scale(Panel panel) {
    return switch (panel.kind) {
      case VALUE -> between(all(Kind.VALUE));
      case DOUBT -> between(0, Arrays.stream(all(Kind.DOUBT)).max().orElse(1));
      case PROBABILITY -> between(0, 1);
      case DIFFERENCE -> {
        double[] sizes = Arrays.stream(finite(panel)).map(Math::abs).sorted().toArray();
        int last = Math.max(0, (int) Math.ceil(WITHIN * sizes.length) - 1);
        double limit = sizes.length == 0 || sizes[last] == 0 ? 1 : sizes[last];
        yield between(-limit, limit);
      }
    };
  }

  /// The values of all panels of a kind.
  private double[] all(Kind kind) {
    return panels.stream()
        .filter(p -> p.kind == kind)
        .flatMapToDouble(p -> Arrays.stream(p.values))
        .filter(Double::isFinite)
        .toArray();
  }

  private static Scale between(double... values) {
    double low = Arrays.stream(values).min().orElse(0);
    double high = Arrays.stream(values).max().orElse(1);
    return Scale.around(low, high, 0, false, null).laid(0, 1);
  }

  private static double[] finite(Panel panel) {
    return Arrays.stream(panel.values).filter(Double::isFinite).toArray();
  }

  /// Whether values lie beyond the ends of the scale.
  private static boolean cut(Panel panel, Scale scale) {
    return Arrays.stream(finite(panel)).anyMatch(v -> v < scale.low() || v > scale.high());
  }

  @Override
  List<Map<String, Object>> panels() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Panel panel : panels) {
      Scale scale = scale(panel);
      List<Object> colors = new ArrayList<>();
      for (int k = 0; k <= 16; k++) colors.add(Page.color(new Color(panel.kind.color(k / 16.0))));
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
              axis(xLabel, xs),
              "y",
              axis(yLabel, ys),
              "values",
              panel.values,
              "low",
              scale.low(),
              "high",
              scale.high(),
              "gap",
              Page.color(Palette.GAP),
              "colors",
              colors,
              "contours",
              List.of(),
              "px",
              new double[0],
              "py",
              new double[0]));
    }
    return all;
  }

  private static Map<String, Object> axis(String label, double[] at) {
    Scale edges = edges(at);
    return Page.ordered(
        "label", label, "time", false, "at", at, "low", edges.low(), "high", edges.high());
  }
}
