package lovelace.plot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/// Something that can be drawn: the same drawing as PNG, at twice its size in points so that it is
/// crisp on any screen, and as SVG. The bytes depend on nothing but the data.
public abstract sealed class Picture permits Plot, HeatMap {

  private static final int SCALE = 2;

  Picture() {}

  abstract String title();

  abstract int width();

  abstract int height();

  abstract void draw(Canvas canvas);

  /// The picture as the bytes of a PNG file.
  public final byte[] png() {
    var canvas = new PixelCanvas(width(), height(), SCALE);
    draw(canvas);
    return canvas.png();
  }

  /// The picture as the text of an SVG file.
  public final String svg() {
    var canvas = new SvgCanvas(width(), height(), title());
    draw(canvas);
    return canvas.svg();
  }

  /// Writes the picture as its file's extension says, `.png` or `.svg`, under a temporary name that
  /// is then renamed, so that no reader ever sees half a picture.
  public final void write(Path file) throws IOException {
    String name = file.toString().toLowerCase(Locale.ROOT);
    byte[] bytes;
    if (name.endsWith(".png")) bytes = png();
    else if (name.endsWith(".svg")) bytes = svg().getBytes(StandardCharsets.UTF_8);
    else
      throw new IllegalArgumentException(
          "picture '" + file + "' must end in .png or .svg, which says what to write");
    Path temporary =
        file.resolveSibling("." + file.getFileName() + "." + ProcessHandle.current().pid());
    try {
      Files.write(temporary, bytes);
      Files.move(
          temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
