package lovelace.plot;

import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.PathIterator;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Base64;
import java.util.Locale;

/// Writes SVG 1.1. Text stays text, so it can be searched, read aloud and edited.
final class SvgCanvas implements Canvas {

  private final StringBuilder out = new StringBuilder();
  private int clips;

  SvgCanvas(int width, int height, String title) {
    out.append(
        String.format(
            Locale.ROOT,
            """
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
        width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" role="img" \
        font-family="Roboto, Inter, 'Helvetica Neue', Arial, sans-serif">
        <title>%3$s</title>
        """,
            width,
            height,
            escape(title)));
  }

  @Override
  public void fill(Shape shape, Color color) {
    out.append('<').append(element(shape)).append(" fill=\"").append(hex(color)).append('"');
    opacity("fill-opacity", color);
    out.append(geometry(shape)).append("/>\n");
  }

  @Override
  public void stroke(Shape shape, Color color, double width, float... dash) {
    out.append('<').append(element(shape)).append(" fill=\"none\" stroke-linejoin=\"round\"");
    out.append(" stroke=\"")
        .append(hex(color))
        .append("\" stroke-width=\"")
        .append(number(width))
        .append('"');
    opacity("stroke-opacity", color);
    if (dash.length > 0) {
      out.append(" stroke-dasharray=\"");
      for (float d : dash) out.append(number(d)).append(' ');
      out.setCharAt(out.length() - 1, '"');
    }
    out.append(geometry(shape)).append("/>\n");
  }

  @Override
  public void text(String text, double x, double y, Ink ink, Anchor anchor, boolean upright) {
    out.append("<text font-size=\"").append(number(ink.size())).append('"');
    if (ink.bold()) out.append(" font-weight=\"500\"");
    if (anchor != Anchor.START)
      out.append(" text-anchor=\"").append(anchor.name().toLowerCase(Locale.ROOT)).append('"');
    out.append(" fill=\"").append(hex(ink.color())).append('"');
    if (upright) out.append(" x=\"%s\" y=\"%s\">".formatted(number(x), number(y)));
    else out.append(" transform=\"translate(%s %s) rotate(-90)\">".formatted(number(x), number(y)));
    out.append(escape(text)).append("</text>\n");
  }

  @Override
  public void image(BufferedImage image, Rectangle2D area) {
    String box =
        "x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\""
            .formatted(
                number(area.getX()),
                number(area.getY()),
                number(area.getWidth()),
                number(area.getHeight()));
    String data = Base64.getEncoder().encodeToString(PixelCanvas.png(image));
    out.append("<image ").append(box).append(" preserveAspectRatio=\"none\"");
    out.append(" xlink:href=\"data:image/png;base64,").append(data).append("\"/>\n");
  }

  @Override
  public void shift(double x, double y) {
    out.append("<g transform=\"translate(%s %s)\">\n".formatted(number(x), number(y)));
  }

  @Override
  public void unshift() {
    out.append("</g>\n");
  }

  @Override
  public void clip(Rectangle2D area) {
    clips++;
    out.append(String.format(Locale.ROOT, "<clipPath id=\"clip%d\"><path", clips))
        .append(geometry(area));
    out.append(
        String.format(Locale.ROOT, "/></clipPath>\n<g clip-path=\"url(#clip%d)\">\n", clips));
  }

  @Override
  public void unclip() {
    out.append("</g>\n");
  }

  String svg() {
    return out + "</svg>\n";
  }

  private void opacity(String name, Color color) {
    if (color.getAlpha() < 255)
      out.append(" %s=\"%s\"".formatted(name, number(color.getAlpha() / 255.0)));
  }

  private static String hex(Color color) {
    return String.format(Locale.ROOT, "#%06x", color.getRGB() & 0xffffff);
  }

  private static String element(Shape shape) {
    return shape instanceof Ellipse2D ? "ellipse" : "path";
  }

  private static String geometry(Shape shape) {
    if (shape instanceof Ellipse2D e)
      return " cx=\"%s\" cy=\"%s\" rx=\"%s\" ry=\"%s\""
          .formatted(
              number(e.getCenterX()),
              number(e.getCenterY()),
              number(e.getWidth() / 2),
              number(e.getHeight() / 2));
    var d = new StringBuilder(" d=\"");
    double[] c = new double[6];
    for (PathIterator i = shape.getPathIterator(null); !i.isDone(); i.next()) {
      int type = i.currentSegment(c);
      d.append("MLQCZ".charAt(type));
      int numbers = type == PathIterator.SEG_CLOSE ? 0 : type < 2 ? 2 : 2 * type;
      for (int k = 0; k < numbers; k++) d.append(k == 0 ? "" : " ").append(number(c[k]));
    }
    return d.append('"').toString();
  }

  /// A number with two decimals, which are finer than any screen shows.
  private static String number(double value) {
    var rounded = new BigDecimal(value).setScale(2, RoundingMode.HALF_EVEN).stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }

  /// Text as XML character data. Control characters that XML forbids become a replacement mark.
  private static String escape(String text) {
    var safe = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                default -> safe.appendCodePoint(allowed(c) ? c : 0xfffd);
              }
            });
    return safe.toString();
  }

  private static boolean allowed(int c) {
    if (c < 32) return c == '\t' || c == '\n';
    return c < 0xd800 || (c >= 0xe000 && c != 0xfffe && c != 0xffff);
  }
}
