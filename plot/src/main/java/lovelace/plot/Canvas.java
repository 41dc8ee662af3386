package lovelace.plot;

import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;

/// The surface of a picture: pixels or SVG. Coordinates are in points, y downwards; colours may be
/// translucent.
sealed interface Canvas permits PixelCanvas, SvgCanvas {

  /// The position of text relative to its point.
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  /// Size, weight and colour of text.
  record Ink(double size, boolean bold, Color color) {
    double width(String text) {
      return face().width(text, size);
    }

    Typeface face() {
      return bold ? Typeface.BOLD : Typeface.REGULAR;
    }

    /// The text. If it is wider than `room`, it is cut and ends with an ellipsis.
    String fit(String text, double room) {
      if (width(text) <= room) return text;
      double left = room - width("…");
      int end = 0;
      while (end < text.length()) {
        int next = text.offsetByCodePoints(end, 1);
        left -= width(text.substring(end, next));
        if (left < 0) break;
        end = next;
      }
      return end == 0 ? "" : text.substring(0, end).strip() + "…";
    }
  }

  void fill(Shape shape, Color color);

  /// Draws the outline. An empty dash gives a solid line.
  void stroke(Shape shape, Color color, double width, float... dash);

  /// Writes text with its baseline at (x, y), turned a quarter to the left when `upright` is false.
  void text(String text, double x, double y, Ink ink, Anchor anchor, boolean upright);

  /// Stretches the image, smoothed, over a rectangle.
  void image(BufferedImage image, Rectangle2D area);

  /// Shifts all drawing right and down by this much until [#unshift].
  void shift(double x, double y);

  void unshift();

  /// Draws only inside the rectangle until [#unclip].
  void clip(Rectangle2D area);

  void unclip();
}
