package lovelace.plot;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/// Glyph outlines and advance widths of one TrueType font, read from its tables.
///
/// `java.awt.Font` throws if the machine has no fontconfig, even for a font given as a file, and
/// its shapes depend on the machine. This reader is independent of the machine. Kerning is not
/// applied. The format is the OpenType specification's: tables `head`, `maxp`, `cmap` (format 4),
/// `hhea`, `hmtx`, `loca` and `glyf`.
final class Typeface {

  static final Typeface REGULAR = load("Roboto-Regular.ttf");
  static final Typeface BOLD = load("Roboto-Medium.ttf");

  private final ByteBuffer data;
  private final Map<String, Integer> tables = new HashMap<>();
  private final Map<Integer, Path2D> outlines = new HashMap<>();
  private final double unitsPerEm;
  private final boolean longOffsets;
  private final int metrics;
  private final int characters;

  private Typeface(byte[] bytes) {
    data = ByteBuffer.wrap(bytes);
    int count = u16(4);
    for (int i = 0; i < count; i++) {
      int entry = 12 + 16 * i;
      tables.put(
          new String(bytes, entry, 4, java.nio.charset.StandardCharsets.US_ASCII),
          data.getInt(entry + 8));
    }
    unitsPerEm = u16(table("head") + 18);
    longOffsets = u16(table("head") + 50) == 1;
    metrics = u16(table("hhea") + 34);
    characters = characterMap();
  }

  private static Typeface load(String name) {
    String path = "/com/formdev/flatlaf/fonts/roboto/" + name;
    try (InputStream in = Typeface.class.getResourceAsStream(path)) {
      if (in == null)
        throw new IllegalStateException(
            "typeface " + path + " is missing; put flatlaf-fonts-roboto on the class path");
      return new Typeface(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("typeface " + path + " cannot be read", e);
    }
  }

  /// The width of the text at a font size.
  double width(String text, double size) {
    return text.codePoints().mapToDouble(this::advance).sum() * size / unitsPerEm;
  }

  /// The outline of the text with its baseline starting at the origin, y downwards.
  Path2D outline(String text, double size) {
    var path = new Path2D.Double(Path2D.WIND_NON_ZERO);
    double scale = size / unitsPerEm;
    double x = 0;
    for (int c : text.codePoints().toArray()) {
      path.append(
          glyphOf(c).getPathIterator(new AffineTransform(scale, 0, 0, -scale, x, 0)), false);
      x += advance(c) * scale;
    }
    return path;
  }

  private double advance(int character) {
    int glyph = glyph(character);
    if (glyph == 0) return unitsPerEm * (Character.isIdeographic(character) ? 1.0 : 0.6);
    return u16(table("hmtx") + 4 * Math.min(glyph, metrics - 1));
  }

  private synchronized Path2D glyphOf(int character) {
    return outlines.computeIfAbsent(
        character,
        c -> {
          int glyph = glyph(c);
          var path = new Path2D.Double(Path2D.WIND_NON_ZERO);
          if (glyph != 0) append(glyph, new AffineTransform(), path);
          else path.append(borrowed(c), false);
          return path;
        });
  }

  /// Draws a character that this font lacks with the system's fonts, in font units; a box if there
  /// are none.
  private Path2D borrowed(int character) {
    var path = new Path2D.Double();
    try {
      var font = new Font(Font.SANS_SERIF, Font.PLAIN, 1).deriveFont((float) unitsPerEm);
      if (font.canDisplay(character)) {
        var context = new FontRenderContext(null, true, true);
        var glyphs = font.createGlyphVector(context, Character.toString(character));
        double fit = advance(character) / Math.max(1, glyphs.getGlyphMetrics(0).getAdvanceX());
        path.append(
            glyphs
                .getOutline()
                .getPathIterator(AffineTransform.getScaleInstance(Math.min(1, fit), -1)),
            false);
        return path;
      }
    } catch (RuntimeException | LinkageError | InternalError e) {
      // No fontconfig, no font library: the box below stands for the character.
    }
    double left = 0.08 * unitsPerEm;
    double right = advance(character) - left;
    double top = 0.7 * unitsPerEm;
    double line = 0.05 * unitsPerEm;
    path.append(new java.awt.geom.Rectangle2D.Double(left, 0, right - left, line), false);
    path.append(new java.awt.geom.Rectangle2D.Double(left, top - line, right - left, line), false);
    path.append(new java.awt.geom.Rectangle2D.Double(left, 0, line, top), false);
    path.append(new java.awt.geom.Rectangle2D.Double(right - line, 0, line, top), false);
    return path;
  }

  private int table(String tag) {
    Integer offset = tables.get(tag);
    if (offset == null) throw new IllegalStateException("the typeface has no table " + tag);
    return offset;
  }

  private int u16(int offset) {
    return data.getShort(offset) & 0xffff;
  }

  /// The offset of the Windows Unicode (3, 1) subtable.
  private int characterMap() {
    int cmap = table("cmap");
    for (int i = 0; i < u16(cmap + 2); i++) {
      int entry = cmap + 4 + 8 * i;
      int subtable = cmap + data.getInt(entry + 4);
      if (u16(entry) == 3 && u16(entry + 2) == 1 && u16(subtable) == 4) return subtable;
    }
    throw new IllegalStateException("the typeface has no Unicode character map");
  }

  /// The glyph of a character; 0 if the font has none.
  private int glyph(int character) {
    int doubled = u16(characters + 6);
    int ends = characters + 14;
    int starts = ends + doubled + 2;
    int deltas = starts + doubled;
    int ranges = deltas + doubled;
    for (int i = 0; i < doubled; i += 2) {
      if (character > u16(ends + i)) continue;
      int start = u16(starts + i);
      if (character < start) return 0;
      int range = u16(ranges + i);
      int found = range == 0 ? character : u16(ranges + i + range + 2 * (character - start));
      return found == 0 ? 0 : found + u16(deltas + i) & 0xffff;
    }
    return 0;
  }

  private int glyphOffset(int glyph) {
    int loca = table("loca");
    return longOffsets ? data.getInt(loca + 4 * glyph) : 2 * u16(loca + 2 * glyph);
  }

  private void append(int glyph, AffineTransform transform, Path2D path) {
    int offset = glyphOffset(glyph);
    if (offset == glyphOffset(glyph + 1)) return;
    int at = table("glyf") + offset;
    int contours = data.getShort(at);
    if (contours >= 0) appendSimple(at + 10, contours, transform, path);
    else appendParts(at + 10, transform, path);
  }

  private void appendParts(int start, AffineTransform transform, Path2D path) {
    int at = start;
    int flags;
    do {
      flags = u16(at);
      int part = u16(at + 2);
      at += 4;
      boolean words = (flags & 1) != 0;
      double dx = words ? data.getShort(at) : data.get(at);
      double dy = words ? data.getShort(at + 2) : data.get(at + 1);
      at += words ? 4 : 2;
      double[] m = {1, 0, 0, 1};
      if ((flags & 8) != 0) {
        m[0] = m[3] = fraction(at);
        at += 2;
      } else if ((flags & 0x40) != 0) {
        m[0] = fraction(at);
        m[3] = fraction(at + 2);
        at += 4;
      } else if ((flags & 0x80) != 0) {
        for (int k = 0; k < 4; k++) m[k] = fraction(at + 2 * k);
        at += 8;
      }
      var placed = new AffineTransform(transform);
      placed.concatenate(new AffineTransform(m[0], m[1], m[2], m[3], dx, dy));
      append(part, placed, path);
    } while ((flags & 0x20) != 0);
  }

  private double fraction(int offset) {
    return data.getShort(offset) / 16384.0;
  }

  private void appendSimple(int start, int contours, AffineTransform transform, Path2D path) {
    int points = contours == 0 ? 0 : u16(start + 2 * contours - 2) + 1;
    int at = start + 2 * contours;
    at += 2 + u16(at);
    byte[] flags = new byte[points];
    for (int i = 0; i < points; ) {
      byte flag = data.get(at++);
      int repeats = (flag & 8) != 0 ? data.get(at++) & 0xff : 0;
      for (int r = 0; r <= repeats; r++) flags[i++] = flag;
    }
    double[] xy = new double[2 * points];
    for (int axis = 0; axis < 2; axis++) {
      int shortBit = axis == 0 ? 2 : 4;
      int sameBit = axis == 0 ? 16 : 32;
      int value = 0;
      for (int i = 0; i < points; i++) {
        boolean same = (flags[i] & sameBit) != 0;
        if ((flags[i] & shortBit) != 0) {
          int step = data.get(at++) & 0xff;
          value += same ? step : -step;
        } else if (!same) {
          value += data.getShort(at);
          at += 2;
        }
        xy[2 * i + axis] = value;
      }
    }
    transform.transform(xy, 0, xy, 0, points);
    int first = 0;
    for (int c = 0; c < contours; c++) {
      int last = u16(start + 2 * c);
      appendContour(flags, xy, first, last, path);
      first = last + 1;
    }
  }

  /// Appends a closed contour of quadratic curves. Between two control points lies an implied
  /// point.
  private static void appendContour(byte[] flags, double[] xy, int first, int last, Path2D path) {
    int count = last - first + 1;
    if (count < 2) return;
    int start = first;
    while (start <= last && (flags[start] & 1) == 0) start++;
    double x0;
    double y0;
    if (start > last) {
      start = first;
      x0 = (xy[2 * first] + xy[2 * last]) / 2;
      y0 = (xy[2 * first + 1] + xy[2 * last + 1]) / 2;
      start--;
    } else {
      x0 = xy[2 * start];
      y0 = xy[2 * start + 1];
    }
    path.moveTo(x0, y0);
    boolean pending = false;
    double cx = 0;
    double cy = 0;
    for (int k = 1; k <= count; k++) {
      int i = first + Math.floorMod(start - first + k, count);
      double x = xy[2 * i];
      double y = xy[2 * i + 1];
      boolean on = (flags[i] & 1) != 0;
      if (on && pending) path.quadTo(cx, cy, x, y);
      else if (on) path.lineTo(x, y);
      else if (pending) path.quadTo(cx, cy, (cx + x) / 2, (cy + y) / 2);
      pending = !on;
      cx = x;
      cy = y;
    }
    if (pending) path.quadTo(cx, cy, x0, y0);
    path.closePath();
  }
}
