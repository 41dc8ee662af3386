package lovelace.maps;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/// An ESRI ASCII grid: `ncols`, `nrows`, a corner or the centre of its pixel, `cellsize`, perhaps
/// `nodata_value`, then the numbers from north to south. Its coordinate system is the WKT in a file
/// of the same name that ends in `.prj` or `.wkt`.
final class AsciiGrid implements Pixels {

  private static final int MOST = 1 << 27; // values, 1 GiB

  private final Frame frame;
  private final double[] values;

  private AsciiGrid(Frame frame, double[] values) {
    this.frame = frame;
    this.values = values;
  }

  static AsciiGrid read(Path file) throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file)) {
      Map<String, Double> head = new HashMap<>();
      String line = in.readLine();
      for (;
          line != null && (line.isBlank() || Character.isLetter(line.strip().charAt(0)));
          line = in.readLine()) {
        if (line.isBlank()) continue;
        String[] words = line.strip().split("\\s+", -1);
        if (words.length != 2)
          throw new IllegalArgumentException(
              "line '%s' of its head is not a name and a number".formatted(line));
        head.put(words[0].toLowerCase(Locale.ROOT), number(words[1]));
      }
      int width = size(head, "ncols");
      int height = size(head, "nrows");
      if ((long) width * height > MOST)
        throw new IllegalArgumentException(
            "it has %s by %s pixels, at most %s are read from text; make it a GeoTIFF (gdal_translate)"
                .formatted(width, height, MOST));
      double dx = head.containsKey("dx") ? need(head, "dx") : need(head, "cellsize");
      double dy = head.containsKey("dy") ? need(head, "dy") : need(head, "cellsize");
      double west =
          head.containsKey("xllcenter")
              ? need(head, "xllcenter") - dx / 2
              : need(head, "xllcorner");
      double south =
          head.containsKey("yllcenter")
              ? need(head, "yllcenter") - dy / 2
              : need(head, "yllcorner");
      var frame = new Frame(west, south + height * dy, dx, dy, width, height, system(file));
      double[] values = new double[width * height];
      double none = head.getOrDefault("nodata_value", -9999.0);
      int count = 0;
      for (; line != null; line = in.readLine()) {
        var words = new StringTokenizer(line);
        while (words.hasMoreTokens()) {
          if (count == values.length)
            throw new IllegalArgumentException(
                "it has more numbers than ncols times nrows, %s; correct its head"
                    .formatted(count));
          double value = number(words.nextToken());
          values[count++] = value == none ? Double.NaN : value;
        }
      }
      if (count < values.length)
        throw new IllegalArgumentException(
            "it is cut short: it has %s of its %s numbers; fetch it again"
                .formatted(count, values.length));
      return new AsciiGrid(frame, values);
    } catch (java.nio.charset.CharacterCodingException e) {
      throw new IllegalArgumentException("it is not text", e);
    }
  }

  /// The system that a file beside a raster gives.
  static Optional<Crs> system(Path file) {
    for (String ending : new String[] {".prj", ".wkt"}) {
      Path beside = Raster.sidecar(file, ending);
      if (Files.isRegularFile(beside)) return Optional.of(Crs.parse(beside.toString()));
    }
    return Optional.empty();
  }

  private static double number(String word) {
    try {
      return Double.parseDouble(word);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'%s' is not a number".formatted(word), e);
    }
  }

  private static double need(Map<String, Double> head, String name) {
    Double value = head.get(name);
    if (value == null)
      throw new IllegalArgumentException("its head has no line '%s'".formatted(name));
    return value;
  }

  private static int size(Map<String, Double> head, String name) {
    double value = need(head, name);
    if (!(value >= 1 && value <= Integer.MAX_VALUE && value == Math.rint(value)))
      throw new IllegalArgumentException(
          "%s must be a whole number ≥ 1, got %s".formatted(name, value));
    return (int) value;
  }

  @Override
  public Frame frame() {
    return frame;
  }

  @Override
  public String system() {
    return frame.crs().map(Crs::toString).orElse("");
  }

  @Override
  public int bands() {
    return 1;
  }

  @Override
  public String description(int band) {
    return "";
  }

  @Override
  public int blockWidth() {
    return frame.width();
  }

  @Override
  public int blockHeight() {
    return frame.height();
  }

  @Override
  public double[] block(int band, int column, int row, double @Nullable [] spare) {
    return values;
  }

  @Override
  public void close() {}
}
