package lovelace.plot;

import java.awt.Color;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.Locale;
import lovelace.plot.Canvas.Anchor;
import lovelace.plot.Canvas.Ink;

/// A bar in the corner of a map that shows a round distance, with an arrow to the north, which is
/// up.
///
/// @param metres the length of one unit of x
record ScaleBar(double metres) {

  private static final Ink TEXT = new Ink(12, false, Palette.BLACK);
  private static final double SHARE = 0.3; // of the map's width, at most

  /// The longest of 1, 2, 5, 10, 20, … metres that is at most `most`.
  static double round(double most) {
    double ten = Math.pow(10, Math.floor(Math.log10(most)));
    double leading = most / ten;
    return ten * (leading >= 5 ? 5 : leading >= 2 ? 2 : 1);
  }

  /// A distance in kilometres, metres or less.
  static String text(double length) {
    double shown = length >= 1000 ? length / 1000 : length >= 1 ? length : length * 1000;
    String unit = length >= 1000 ? " km" : length >= 1 ? " m" : " mm";
    return (shown >= 1000 ? String.format(Locale.ROOT, "%,.0f", shown) : number(shown)) + unit;
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : Double.toString(Math.round(value * 1e6) / 1e6);
  }

  void draw(Canvas canvas, Axes axes) {
    Rectangle2D area = axes.area();
    double unit = area.getWidth() / (axes.x().high() - axes.x().low()); // points
    double length = round(SHARE * area.getWidth() / unit * metres);
    double width = length / metres * unit;
    String text = text(length);
    double box = Math.max(width, TEXT.width(text)) + 40;
    double left = area.getMinX() + 10;
    double foot = area.getMaxY() - 10;
    canvas.fill(
        new Rectangle2D.Double(left, foot - 34, box, 34), Palette.translucent(Color.WHITE, 0.8));
    double from = left + 10;
    double y = foot - 9;
    canvas.text(text, from + width / 2, y - 8, TEXT, Anchor.MIDDLE, true);
    canvas.stroke(new Line2D.Double(from, y, from + width, y), Palette.BLACK, 2);
    for (double x : new double[] {from, from + width})
      canvas.stroke(new Line2D.Double(x, y - 4, x, y + 1), Palette.BLACK, 1.5);
    double arrow = left + box - 14;
    canvas.text("N", arrow, foot - 6, TEXT, Anchor.MIDDLE, true);
    var up = new Path2D.Double();
    up.moveTo(arrow, foot - 32);
    up.lineTo(arrow + 4.5, foot - 19);
    up.lineTo(arrow, foot - 22);
    up.lineTo(arrow - 4.5, foot - 19);
    up.closePath();
    canvas.fill(up, Palette.BLACK);
  }
}
