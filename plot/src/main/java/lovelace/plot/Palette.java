package lovelace.plot;

import java.awt.Color;

/// Colours that colour-blind people can tell apart: Okabe and Ito's for lines, and scales of even
/// lightness for maps.
public final class Palette {

  public static final Color BLUE = new Color(0x0072B2);
  public static final Color ORANGE = new Color(0xE69F00);
  public static final Color GREEN = new Color(0x009E73);
  public static final Color VERMILION = new Color(0xD55E00);
  public static final Color PURPLE = new Color(0xCC79A7);
  public static final Color SKY = new Color(0x56B4E9);
  public static final Color BLACK = new Color(0x222222);

  static final Color GREY = new Color(0x5F6368);
  static final Color AXIS = new Color(0x9AA0A6);
  static final Color GRID = new Color(0xE8EAED);

  /// A histogram behind the main content.
  static final Color HEAP = new Color(0xD3D7DC);

  /// A place of a map without a value.
  static final Color GAP = new Color(0xC4C7CA);

  private static final int[] VIRIDIS = {
    0x440154, 0x482878, 0x3E4989, 0x31688E, 0x26828E, 0x1F9E89, 0x35B779, 0x6ECE58, 0xB5DE2B,
    0xFDE725
  };
  private static final int[] DOUBT = {
    0xFCFCFD, 0xE3E6F2, 0xC0C6E0, 0x9AA1CB, 0x777BB3, 0x595796, 0x40366F, 0x2A1B45
  };
  private static final int[] DIFFERENCE = {
    0x053061, 0x2166AC, 0x4393C3, 0x92C5DE, 0xD1E5F0, 0xF7F7F7, 0xFDDBC7, 0xF4A582, 0xD6604D,
    0xB2182B, 0x67001F
  };

  private Palette() {}

  /// The i-th colour of a series of lines, beginning again after six.
  public static Color series(int i) {
    Color[] all = {BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY};
    return all[Math.floorMod(i, all.length)];
  }

  /// A colour that looks like a translucent one on white.
  static Color pale(Color color, double alpha) {
    float[] part = color.getRGBColorComponents(null);
    for (int i = 0; i < part.length; i++) part[i] = (float) (1 - alpha * (1 - part[i]));
    return new Color(part[0], part[1], part[2]);
  }

  static Color translucent(Color color, double alpha) {
    return new Color(color.getRed(), color.getGreen(), color.getBlue(), (int) (255 * alpha + 0.5));
  }

  /// Dark violet to yellow (viridis): for values.
  static int value(double fraction) {
    return between(VIRIDIS, fraction);
  }

  /// Near white to dark violet: for uncertainty. Pale means certain.
  static int doubt(double fraction) {
    return between(DOUBT, fraction);
  }

  /// Blue below the middle, white at it, red above: for differences. White means no difference.
  static int difference(double fraction) {
    return between(DIFFERENCE, fraction);
  }

  private static int between(int[] stops, double fraction) {
    if (!(fraction >= 0)) return stops[0];
    double at = Math.min(fraction, 1) * (stops.length - 1);
    int i = Math.min((int) at, stops.length - 2);
    double w = at - i;
    int rgb = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
      double c = (1 - w) * (stops[i] >> shift & 255) + w * (stops[i + 1] >> shift & 255);
      rgb |= (int) (c + 0.5) << shift;
    }
    return rgb;
  }
}
