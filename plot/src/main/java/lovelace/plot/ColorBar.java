package lovelace.plot;

import java.awt.Color;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.function.DoubleToIntFunction;
import lovelace.plot.Canvas.Anchor;

/// The bar beside a map that shows which colour means which value.
final class ColorBar {

  /// The room it takes to the right of the map.
  static final int ROOM = 78;

  private static final int STEPS = 256;
  private static final int WIDTH = 14;

  private ColorBar() {}

  /// Draws the colours of a scale, laid from 0 to 1, along the right side of an area. An open bar
  /// is pointed at both ends: values beyond them have the same colours.
  static void draw(
      Canvas canvas, DoubleToIntFunction colors, Scale scale, Rectangle2D area, boolean open) {
    double left = area.getMaxX() + 14;
    double point = open ? 10 : 0;
    var box =
        new Rectangle2D.Double(left, area.getMinY() + point, WIDTH, area.getHeight() - 2 * point);
    var image = new BufferedImage(1, STEPS, BufferedImage.TYPE_INT_ARGB);
    for (int k = 0; k < STEPS; k++)
      image.setRGB(0, k, 0xff000000 | colors.applyAsInt(1 - (k + 0.5) / STEPS));
    canvas.image(image, box);
    if (open) {
      tip(canvas, box.getMinX(), box.getMinY(), -point, colors.applyAsInt(1));
      tip(canvas, box.getMinX(), box.getMaxY(), point, colors.applyAsInt(0));
    }
    canvas.stroke(box, Palette.AXIS, 0.5);
    for (Scale.Tick tick : scale.ticks(7)) {
      double y = box.getMaxY() - scale.at(tick.value()) * box.getHeight();
      canvas.stroke(new Line2D.Double(left + WIDTH, y, left + WIDTH + 4, y), Palette.AXIS, 1);
      canvas.text(
          Axes.TICK.fit(tick.label(), 50),
          left + WIDTH + 8,
          y + 4.5,
          Axes.TICK,
          Anchor.START,
          true);
    }
    if (scale.exponent() != 0)
      canvas.text(
          "×" + Scale.power(scale.exponent()),
          left,
          area.getMinY() - 8,
          Axes.TICK,
          Anchor.START,
          true);
  }

  private static void tip(Canvas canvas, double x, double y, double height, int color) {
    var triangle = new Path2D.Double();
    triangle.moveTo(x, y);
    triangle.lineTo(x + WIDTH / 2.0, y + height);
    triangle.lineTo(x + WIDTH, y);
    triangle.closePath();
    canvas.fill(triangle, new Color(color));
    canvas.stroke(triangle, Palette.AXIS, 0.5);
  }
}
