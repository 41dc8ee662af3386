package lovelace.plot;

import java.awt.Color;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.plot.Canvas.Anchor;
import lovelace.plot.Canvas.Ink;
import lovelace.plot.Scale.Tick;

/// A rectangle with a scale along its foot and another up its left side: grid, ticks and labels.
final class Axes {

  static final Ink TITLE = new Ink(20, true, Palette.BLACK);
  static final Ink SUBTITLE = new Ink(13.5, false, Palette.GREY);
  static final Ink LABEL = new Ink(14, false, Palette.BLACK);
  static final Ink TICK = new Ink(13, false, Palette.GREY);

  /// The room for ticks and label under the foot.
  static final int FOOT = 50;

  private final Rectangle2D area;
  private final Scale x;
  private final Scale y;
  private final List<Tick> xTicks;
  private final List<Tick> yTicks;

  /// Lays the axes inside `outer`, leaving room for ticks and labels.
  Axes(Rectangle2D outer, Scale x, Scale y) {
    this(outer, x, y, List.of());
  }

  /// As above. If `words` is not empty, they label the whole numbers from 0 on x.
  Axes(Rectangle2D outer, Scale x, Scale y, List<String> words) {
    double foot = FOOT;
    yTicks = y.ticks((int) Math.max(2, (outer.getHeight() - foot) / 60));
    double widest = yTicks.stream().mapToDouble(t -> TICK.width(t.label())).max().orElse(0);
    double left = Math.ceil(Math.min(widest, outer.getWidth() / 3) + 34);
    area =
        new Rectangle2D.Double(
            outer.getX() + left,
            outer.getY(),
            Math.max(1, outer.getWidth() - left),
            Math.max(1, outer.getHeight() - foot));
    this.x = x.laid(area.getMinX(), area.getMaxX());
    this.y = y.laid(area.getMaxY(), area.getMinY());
    xTicks = words.isEmpty() ? fitting(this.x, area.getWidth()) : named(words, area.getWidth());
  }

  private static List<Tick> named(List<String> words, double room) {
    double each = Math.max(10, room / words.size() - 6);
    return IntStream.range(0, words.size())
        .mapToObj(i -> new Tick(i, TICK.fit(words.get(i), each)))
        .toList();
  }

  /// The largest number of ticks whose labels fit.
  private static List<Tick> fitting(Scale scale, double room) {
    for (int count = (int) Math.max(2, room / 70); ; count--) {
      List<Tick> ticks = scale.ticks(count);
      double width = ticks.stream().mapToDouble(t -> TICK.width(t.label()) + 18).sum();
      if (width <= room || count <= 1) return ticks;
    }
  }

  Rectangle2D area() {
    return area;
  }

  Scale x() {
    return x;
  }

  Scale y() {
    return y;
  }

  void grid(Canvas canvas) {
    for (Tick t : yTicks) {
      double at = Math.rint(y.at(t.value()));
      canvas.stroke(new Line2D.Double(area.getMinX(), at, area.getMaxX(), at), Palette.GRID, 1);
    }
    for (Tick t : xTicks) {
      double at = Math.rint(x.at(t.value()));
      canvas.stroke(new Line2D.Double(at, area.getMinY(), at, area.getMaxY()), Palette.GRID, 1);
    }
  }

  void labels(Canvas canvas, String xLabel, String yLabel) {
    double foot = area.getMaxY();
    Color line = Palette.AXIS;
    canvas.stroke(new Line2D.Double(area.getMinX(), foot, area.getMaxX(), foot), line, 1);
    for (Tick t : xTicks) {
      double at = Math.rint(x.at(t.value()));
      canvas.stroke(new Line2D.Double(at, foot, at, foot + 5), line, 1);
      canvas.text(t.label(), at, foot + 19, TICK, Anchor.MIDDLE, true);
    }
    for (Tick t : yTicks)
      canvas.text(
          TICK.fit(t.label(), area.getMinX()),
          area.getMinX() - 8,
          y.at(t.value()) + 4.5,
          TICK,
          Anchor.END,
          true);
    canvas.text(
        LABEL.fit(scaled(xLabel, x), area.getWidth()),
        area.getCenterX(),
        foot + 43,
        LABEL,
        Anchor.MIDDLE,
        true);
    double widest = yTicks.stream().mapToDouble(t -> TICK.width(t.label())).max().orElse(0);
    canvas.text(
        LABEL.fit(scaled(yLabel, y), area.getHeight()),
        area.getMinX() - 8 - widest - 12,
        area.getCenterY(),
        LABEL,
        Anchor.MIDDLE,
        false);
  }

  private static String scaled(String label, Scale scale) {
    return scale.exponent() == 0 ? label : (label + "  ×" + Scale.power(scale.exponent())).strip();
  }

  /// The title and the line under it; returns the y below them.
  static double header(Canvas canvas, int width, String title, String subtitle) {
    double y = 14;
    if (!title.isEmpty()) {
      y += 22;
      canvas.text(TITLE.fit(title, width - 48.0), 24, y, TITLE, Anchor.START, true);
    }
    if (!subtitle.isEmpty()) {
      y += 21;
      canvas.text(SUBTITLE.fit(subtitle, width - 48.0), 24, y, SUBTITLE, Anchor.START, true);
    }
    return y + 9;
  }
}
