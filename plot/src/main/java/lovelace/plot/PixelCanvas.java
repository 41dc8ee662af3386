package lovelace.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/// Draws on an image. Text is filled as outlines, so no system font is used.
final class PixelCanvas implements Canvas {

  private final BufferedImage image;
  private final Graphics2D graphics;
  private AffineTransform origin = new AffineTransform();

  PixelCanvas(int width, int height, int scale) {
    image = new BufferedImage(width * scale, height * scale, BufferedImage.TYPE_INT_RGB);
    graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    graphics.setRenderingHint(
        RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
    graphics.scale(scale, scale);
  }

  @Override
  public void fill(Shape shape, Color color) {
    graphics.setColor(color);
    graphics.fill(shape);
  }

  @Override
  public void stroke(Shape shape, Color color, double width, float... dash) {
    graphics.setColor(color);
    graphics.setStroke(
        new BasicStroke(
            (float) width,
            BasicStroke.CAP_BUTT,
            BasicStroke.JOIN_ROUND,
            1,
            dash.length == 0 ? null : dash,
            0));
    graphics.draw(shape);
  }

  @Override
  public void text(String text, double x, double y, Ink ink, Anchor anchor, boolean upright) {
    double shift =
        switch (anchor) {
          case START -> 0;
          case MIDDLE -> -ink.width(text) / 2;
          case END -> -ink.width(text);
        };
    var place = AffineTransform.getTranslateInstance(x, y);
    if (!upright) place.rotate(-Math.PI / 2);
    place.translate(shift, 0);
    fill(ink.face().outline(text, ink.size()).createTransformedShape(place), ink.color());
  }

  @Override
  public void image(BufferedImage source, Rectangle2D area) {
    var place = AffineTransform.getTranslateInstance(area.getX(), area.getY());
    place.scale(area.getWidth() / source.getWidth(), area.getHeight() / source.getHeight());
    graphics.drawImage(source, place, null);
  }

  @Override
  public void shift(double x, double y) {
    origin = graphics.getTransform();
    graphics.translate(x, y);
  }

  @Override
  public void unshift() {
    graphics.setTransform(origin);
  }

  @Override
  public void clip(Rectangle2D area) {
    graphics.setClip(area);
  }

  @Override
  public void unclip() {
    graphics.setClip(null);
  }

  byte[] png() {
    graphics.dispose();
    return png(image);
  }

  static byte[] png(BufferedImage image) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new MemoryCacheImageOutputStream(bytes)) {
      ImageIO.write(image, "png", out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
