package lovelace.plot;

import java.awt.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleToIntFunction;

/// A map as one self-contained HTML file: zoom and pan by mouse, fingers or keys, a choice of
/// quantities, a slider of times, and the value under the pointer. Values are kept in 65,535 steps
/// between the smallest and the largest of their quantity.
///
/// ```java
/// MapPage.titled("Rain").labels("east (m)", "north (m)").pixels(0, 5000, 10, 10, 500, 500)
///     .values("mean (mm)", List.of(mean)).doubts("standard deviation (mm)", List.of(deviation))
///     .html();
/// ```
///
/// Values are row-major from the north-west corner, rows running south; NaN means no value. Each
/// call adds to this page and returns it; arrays are used at once.
public final class MapPage {

  private static final int STEPS = 65_534;
  private static final int NONE = 65_535;

  private final String title;
  private String subtitle = "";
  private String xLabel = "";
  private String yLabel = "";
  private Map<String, Object> frame = Map.of();
  private int size = 0;
  private List<String> times = List.of("");
  private boolean geographic = false;
  private double metres = 0;
  private final List<Object> quantities = new ArrayList<>();
  private final List<Object> lines = new ArrayList<>();

  private MapPage(String title) {
    this.title = title;
  }

  public static MapPage titled(String title) {
    return new MapPage(title);
  }

  /// A line of smaller text under the title.
  public MapPage subtitle(String text) {
    subtitle = text;
    return this;
  }

  /// The labels of the axes, with units.
  public MapPage labels(String x, String y) {
    xLabel = x;
    yLabel = y;
    return this;
  }

  /// The places of the pixels: the north-west corner, the size of a pixel, and their numbers.
  public MapPage pixels(double west, double north, double dx, double dy, int width, int height) {
    frame =
        Page.ordered(
            "west",
            Double.toString(west),
            "north",
            Double.toString(north),
            "dx",
            Double.toString(dx),
            "dy",
            Double.toString(dy),
            "width",
            width,
            "height",
            height);
    size = width * height;
    return this;
  }

  /// The times of the slider, in order. Every quantity then needs values for each of them.
  public MapPage times(List<String> labels) {
    times = List.copyOf(labels);
    return this;
  }

  /// Declares coordinates as longitude and latitude in degrees. Distances then depend on the
  /// latitude.
  public MapPage geographic() {
    geographic = true;
    return this;
  }

  /// Declares coordinates as those of a plane whose unit has `unit` metres.
  public MapPage metres(double unit) {
    metres = unit;
    return this;
  }

  /// Adds a quantity, darker for small and lighter for large values: an array for each time.
  public MapPage values(String name, List<double[]> values) {
    double[] range = range(values);
    return quantity(name, values, range[0], range[1], Palette::value);
  }

  /// Adds an uncertainty, from pale at zero to dark.
  public MapPage doubts(String name, List<double[]> values) {
    return quantity(name, values, 0, range(values)[1], Palette::doubt);
  }

  /// Adds probabilities. Their colours run from 0 to 1.
  public MapPage probabilities(String name, List<double[]> values) {
    return quantity(name, values, 0, 1, Palette::value);
  }

  /// Adds a line of equal values at one of the times, as pairs of x and y.
  public MapPage line(int time, double level, double[] places) {
    lines.add(Page.ordered("time", time, "level", level, "places", places.clone()));
    return this;
  }

  private static double[] range(List<double[]> values) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double[] some : values)
      for (double v : some)
        if (Double.isFinite(v)) {
          low = Math.min(low, v);
          high = Math.max(high, v);
        }
    return low <= high ? new double[] {low, high} : new double[] {0, 1};
  }

  private MapPage quantity(
      String name, List<double[]> values, double low, double high, DoubleToIntFunction color) {
    if (values.size() != times.size())
      throw new IllegalArgumentException(
          "'%s' has values at %s times of %s".formatted(name, values.size(), times.size()));
    double top = high > low ? high : low + Math.max(1e-9, 1e-6 * Math.abs(low));
    List<Object> data = new ArrayList<>();
    for (double[] some : values) {
      if (some.length != size)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "'%s' must have one value at each of %,d pixels, got %,d",
                name,
                size,
                some.length));
      data.add(packed(some, low, top));
    }
    List<Object> colors = new ArrayList<>();
    for (int k = 0; k <= 64; k++) colors.add(Page.color(new Color(color.applyAsInt(k / 64.0))));
    quantities.add(
        Page.ordered(
            "name",
            name,
            "low",
            Double.toString(low),
            "high",
            Double.toString(top),
            "colors",
            colors,
            "data",
            data));
    return this;
  }

  /// Values as text, two bytes each, the low byte first.
  private static String packed(double[] values, double low, double high) {
    byte[] bytes = new byte[2 * values.length];
    for (int i = 0; i < values.length; i++) {
      double step = Math.rint((values[i] - low) / (high - low) * STEPS);
      int code = Double.isNaN(step) ? NONE : (int) Math.clamp(step, 0, STEPS);
      bytes[2 * i] = (byte) code;
      bytes[2 * i + 1] = (byte) (code >> 8);
    }
    return Base64.getEncoder().encodeToString(bytes);
  }

  /// The page as the text of an HTML file.
  public String html() {
    Map<String, Object> all =
        Page.ordered(
            "title",
            title,
            "subtitle",
            subtitle,
            "x",
            xLabel,
            "y",
            yLabel,
            "frame",
            frame,
            "geographic",
            geographic,
            "metres",
            metres,
            "times",
            times,
            "gap",
            Page.color(Palette.GAP),
            "quantities",
            quantities,
            "lines",
            lines);
    return Page.of(title, "map.css", "map.html", "map", all, "map-data.js", "map.js");
  }

  @Override
  public String toString() {
    return "page of " + quantities.size() + " quantities at " + Arrays.asList(times.toArray());
  }
}
