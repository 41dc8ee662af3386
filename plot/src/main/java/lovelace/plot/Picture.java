package lovelace.plot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.io.AtomicFile;

/// Something that can be drawn. The same drawing is written as PNG, at twice its size in points so
/// that it is sharp on any screen, and as SVG. An interactive page of the same data is written as
/// HTML. The bytes depend only on the data.
public abstract sealed class Picture permits Plot, HeatMap, PixelMap, Sheet, Board, Ranking {

  private static final int SCALE = 2;

  Picture() {}

  abstract String title();

  abstract int width();

  abstract int height();

  abstract void draw(Canvas canvas);

  /// The content of a page: a list of panels as [Page] describes them.
  abstract List<Map<String, Object>> panels();

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

  /// The picture as the text of one self-contained HTML file, with zoom, values under the pointer,
  /// and layers that can be switched off.
  public final String html() {
    return Page.of(title(), panels());
  }

  /// Fails if the file's extension is not known. Called before any work is done.
  public static void check(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    if (!name.endsWith(".png") && !name.endsWith(".svg") && !name.endsWith(".html"))
      throw new IllegalArgumentException(
          "picture '" + file + "' must end in .png, .svg or .html, which says what to write");
  }

  /// Writes the picture in the format of the file's extension: `.png`, `.svg` or `.html`. No reader
  /// ever sees half a picture.
  public final void write(Path file) throws IOException {
    check(file);
    String name = file.toString().toLowerCase(Locale.ROOT);
    byte[] bytes =
        name.endsWith(".png")
            ? png()
            : (name.endsWith(".svg") ? svg() : html()).getBytes(StandardCharsets.UTF_8);
    AtomicFile.write(file, bytes);
  }
}
