package lovelace.maps;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.sis.storage.Aggregate;
import org.apache.sis.storage.DataStore;
import org.apache.sis.storage.DataStoreException;
import org.apache.sis.storage.DataStores;
import org.apache.sis.storage.GridCoverageResource;
import org.jspecify.annotations.Nullable;

/// The pixels of a GeoTIFF, read by the rules of TIFF 6, BigTIFF, GeoTIFF 1.1 and GDAL's tags:
/// whole and real numbers of 8 to 64 bits, in strips or tiles, plain or packed by deflate, LZW or
/// PackBits, with any predictor. Scale, offset, description and no-data are those that GDAL writes.
final class GeoTiff implements Pixels {

  private static final long MOST = 1 << 27; // values of a block

  private final FileChannel channel;
  private final TiffDirectory directory;
  private final TiffSamples samples;
  private final Frame frame;
  private final String system;
  private final int blockWidth;
  private final int blockHeight;
  private final int perBlock; // samples of a pixel that are stored together
  private final long[] offsets;
  private final long[] sizes;
  private final double none;
  private final String[] descriptions;
  private final double[] scales;
  private final double[] shifts;

  private GeoTiff(Path file, FileChannel channel, Optional<Crs> known) throws IOException {
    this.channel = channel;
    directory = TiffDirectory.read(channel);
    int width = size(TiffDirectory.WIDTH, "width");
    int height = size(TiffDirectory.HEIGHT, "height");
    int bands = (int) directory.number(TiffDirectory.SAMPLES, 1);
    boolean planar = directory.number(TiffDirectory.PLANAR, 1) == 2;
    perBlock = planar ? 1 : bands;
    boolean tiled = directory.has(TiffDirectory.TILE_OFFSETS);
    blockWidth = tiled ? size(TiffDirectory.TILE_WIDTH, "width of tiles") : width;
    blockHeight =
        tiled
            ? size(TiffDirectory.TILE_HEIGHT, "height of tiles")
            : (int) Math.min(directory.number(TiffDirectory.STRIP_ROWS, height), height);
    if (blockHeight < 1 || (long) blockWidth * blockHeight * perBlock > MOST)
      throw new IllegalArgumentException(
          "its blocks have %s by %s pixels; cut it into tiles (gdal_translate -co TILED=YES)"
              .formatted(blockWidth, blockHeight));
    offsets = directory.numbers(tiled ? TiffDirectory.TILE_OFFSETS : TiffDirectory.STRIP_OFFSETS);
    sizes = directory.numbers(tiled ? TiffDirectory.TILE_SIZES : TiffDirectory.STRIP_SIZES);
    long blocks =
        (long) across(width) * ((height + blockHeight - 1) / blockHeight) * (planar ? bands : 1);
    if (offsets.length != blocks || sizes.length != blocks)
      throw new IllegalArgumentException(
          "it lists %s blocks, but its size needs %s; the file is damaged, fetch it again"
              .formatted(offsets.length != blocks ? offsets.length : sizes.length, blocks));
    samples = TiffSamples.of(directory, blockWidth, blockHeight, perBlock);
    none = none();
    descriptions = new String[bands];
    Arrays.fill(descriptions, "");
    scales = new double[bands];
    Arrays.fill(scales, 1);
    shifts = new double[bands];
    readMetadata(directory.text(TiffDirectory.GDAL_METADATA));
    OptionalInt code = GeoKeys.code(directory);
    system =
        code.isPresent()
            ? "EPSG:" + code.getAsInt()
            : GeoKeys.named(directory) ? GeoKeys.citation(directory) : "";
    frame = frame(width, height, crs(file, code, known));
    checkEnd();
  }

  static GeoTiff open(Path file, Optional<Crs> known) throws IOException {
    FileChannel channel = FileChannel.open(file);
    try {
      return new GeoTiff(file, channel, known);
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  private int size(int tag, String name) {
    long size = directory.number(tag, 0);
    if (size < 1 || size > Integer.MAX_VALUE)
      throw new IllegalArgumentException(
          "its %s is %s and must lie between 1 and 2,147,483,647; the file is damaged, fetch it again"
              .formatted(name, size));
    return (int) size;
  }

  private int across(int width) {
    return (width + blockWidth - 1) / blockWidth;
  }

  /// Checks the end of the file. A file that was cut short lacks the block that is stored last.
  private void checkEnd() throws IOException {
    long size = channel.size();
    for (int i = 0; i < offsets.length; i++)
      if (offsets[i] < 0 || sizes[i] < 0 || offsets[i] > size - sizes[i])
        throw new IllegalArgumentException(
            "it is cut short: block %s of %s ends at byte %s, the file at %s; fetch it again"
                .formatted(i + 1, offsets.length, offsets[i] + sizes[i], size));
  }

  private double none() {
    String text = directory.text(TiffDirectory.GDAL_NODATA);
    if (text == null || text.isBlank()) return Double.NaN;
    try {
      return samples.rounded(Double.parseDouble(text.strip().replaceFirst("(?i)^nan$", "NaN")));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "its no-data value '%s' is not a number".formatted(text), e);
    }
  }

  private void readMetadata(@Nullable String xml) {
    if (xml == null) return;
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(xml));
      while (reader.hasNext())
        if (reader.next() == XMLStreamConstants.START_ELEMENT
            && reader.getLocalName().equals("Item")) {
          String sample = reader.getAttributeValue(null, "sample");
          String role = reader.getAttributeValue(null, "role");
          String text = reader.getElementText();
          if (sample != null && role != null) set(Integer.parseInt(sample), role, text);
        }
    } catch (XMLStreamException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "its GDAL metadata cannot be read: %s".formatted(e.getMessage()), e);
    }
  }

  private void set(int band, String role, String text) {
    if (band < 0 || band >= descriptions.length) return;
    switch (role) {
      case "description" -> // GDAL escapes it once more than XML requires
          descriptions[band] =
              text.replace("&lt;", "<")
                  .replace("&gt;", ">")
                  .replace("&quot;", "\"")
                  .replace("&apos;", "'")
                  .replace("&amp;", "&");
      case "scale" -> scales[band] = Double.parseDouble(text);
      case "offset" -> shifts[band] = Double.parseDouble(text);
      default -> {}
    }
  }

  private Optional<Crs> crs(Path file, OptionalInt code, Optional<Crs> known) throws IOException {
    if (!GeoKeys.named(directory)) return AsciiGrid.system(file);
    if (code.isPresent()) {
      try {
        return Optional.of(Crs.parse("EPSG:" + code.getAsInt()));
      } catch (IllegalArgumentException e) {
        if (known.isPresent() && known.get().epsg().equals(code)) return known;
        return AsciiGrid.system(file);
      }
    }
    try (DataStore store = DataStores.open(file)) {
      if (store instanceof Aggregate parts
          && parts.components().iterator().next() instanceof GridCoverageResource first)
        return Optional.of(Crs.of(first.getGridGeometry().getCoordinateReferenceSystem(), system));
      return Optional.empty();
    } catch (DataStoreException | RuntimeException e) {
      return AsciiGrid.system(file); // keys that cannot be understood
    }
  }

  private Frame frame(int width, int height, Optional<Crs> crs) {
    double[] scale = directory.reals(TiffDirectory.PIXEL_SCALE);
    double[] tie = directory.reals(TiffDirectory.TIE_POINT);
    double[] matrix = directory.reals(TiffDirectory.TRANSFORMATION);
    double dx;
    double dy;
    double west;
    double north;
    if (matrix.length == 16) {
      if (matrix[1] != 0 || matrix[4] != 0)
        throw new IllegalArgumentException(
            "its rows do not run east; turn it first (gdalwarp in.tif out.tif)");
      dx = matrix[0];
      dy = -matrix[5];
      west = matrix[3];
      north = matrix[7];
    } else if (scale.length >= 2 && tie.length == 6) {
      dx = scale[0];
      dy = scale[1];
      west = tie[3] - tie[0] * dx;
      north = tie[4] + tie[1] * dy;
    } else
      throw new IllegalArgumentException(
          "it does not say where it lies; give it corners (gdal_translate -a_ullr west north east south)");
    if (!(dx > 0 && dy > 0))
      throw new IllegalArgumentException(
          "its columns must run east and its rows south; turn it first (gdalwarp in.tif out.tif)");
    if (GeoKeys.isPoint(directory)) {
      west -= dx / 2;
      north += dy / 2;
    }
    return new Frame(west, north, dx, dy, width, height, crs);
  }

  @Override
  public Frame frame() {
    return frame;
  }

  @Override
  public String system() {
    return frame.crs().map(Crs::toString).orElse(system);
  }

  @Override
  public int bands() {
    return descriptions.length;
  }

  @Override
  public String description(int band) {
    return descriptions[band];
  }

  @Override
  public int blockWidth() {
    return blockWidth;
  }

  @Override
  public int blockHeight() {
    return blockHeight;
  }

  @Override
  public double[] block(int band, int column, int row, double @Nullable [] spare)
      throws IOException {
    int across = across(frame.width());
    int down = (frame.height() + blockHeight - 1) / blockHeight;
    int index = row * across + column;
    if (perBlock == 1) index += band * across * down;
    double[] values = spare != null ? spare : new double[blockWidth * blockHeight];
    if (sizes[index] == 0) { // GDAL's sparse files: a block that was never written
      Arrays.fill(values, Double.isNaN(none) ? 0 : Double.NaN);
      if (directory.has(TiffDirectory.GDAL_NODATA)) Arrays.fill(values, Double.NaN);
      return values;
    }
    ByteBuffer read = TiffDirectory.bytes(channel, offsets[index], sizes[index], directory.order());
    byte[] packed = new byte[read.remaining()];
    read.get(packed);
    int rows =
        directory.has(TiffDirectory.TILE_OFFSETS)
            ? blockHeight
            : Math.min(blockHeight, frame.height() - row * blockHeight);
    samples.unpack(packed, rows, perBlock == 1 ? 0 : band, values);
    double scale = scales[band];
    double shift = shifts[band];
    for (int i = 0; i < values.length; i++)
      values[i] = values[i] == none ? Double.NaN : values[i] * scale + shift;
    return values;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
