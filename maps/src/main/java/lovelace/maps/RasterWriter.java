package lovelace.maps;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.Deflater;
import lovelace.io.AtomicFile;
import lovelace.linear.Parallel;

/// Writes a GeoTIFF tile by tile, with overviews, in memory that depends only on its width. Pixels
/// are 32-bit numbers, NaN for no value; each band has a description. The file appears when
/// [#close] returns, and only if all tiles were written.
///
/// A file of more than 4 GiB is a BigTIFF. The bytes do not depend on the number of threads.
///
/// Level 0 is the raster, each further level has half as many pixels each way, up to one that fits
/// in a tile. A pixel of an overview is the mean of its four pixels, without those that have no
/// value.
public final class RasterWriter implements AutoCloseable {

  /// Pixels along a side of a tile.
  public static final int TILE = 256;

  private static final int PIXELS = TILE * TILE;

  /// The number of tiles of a band that are compressed at the same time.
  static final int BATCH = 64;

  private static final int DEFLATE = 8;
  private static final int FLOAT = 3; // the sample format, and the predictor
  private static final long MOST_CLASSIC = 0xffff_ffffL;

  /// The form of a file.
  ///
  /// @param big whether a small file is also a BigTIFF
  /// @param effort of the compression, 1 to 9
  record Form(boolean big, int effort) {
    static final Form DEFAULT = new Form(false, 1);
  }

  /// A tile of a band on its way to the file. It is reused for others, so that a file of any size
  /// leaves little garbage.
  private static final class Block {
    final float[] pixels = new float[PIXELS];
    final byte[] sorted = new byte[4 * PIXELS];
    final byte[] packed = new byte[4 * PIXELS + 4 * PIXELS / 1000 + 64];
    int size;
    Level level;
    int index;

    Block(Level level) {
      this.level = level;
    }
  }

  /// One resolution.
  private static final class Level {
    final int width;
    final int height;
    final int across;
    final int down;
    final long[] offsets;
    final long[] sizes;
    float[][][] row = {}; // of unfinished tiles: column, band, pixel

    Level(int width, int height, int bands) {
      this.width = width;
      this.height = height;
      across = Parallel.pieces(width, TILE);
      down = Parallel.pieces(height, TILE);
      offsets = new long[Math.multiplyExact(Math.multiplyExact(across, down), bands)];
      sizes = new long[offsets.length];
    }
  }

  private final Frame frame;
  private final List<String> bands;
  private final Form form;
  private final AtomicFile file;
  private final FileChannel out;
  private final List<Level> levels = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private int pending; // number of waiting blocks
  private long end = TiffDirectory.HEADER;
  private int next; // tile of level 0
  private boolean closed;

  private RasterWriter(AtomicFile file, Frame frame, List<String> bands, Form form)
      throws IOException {
    this.frame = frame;
    this.bands = List.copyOf(bands);
    this.form = form;
    this.file = file;
    int width = frame.width();
    int height = frame.height();
    levels.add(new Level(width, height, bands.size()));
    while (width > TILE || height > TILE) {
      width = (width + 1) / 2;
      height = (height + 1) / 2;
      Level level = new Level(width, height, bands.size());
      level.row = new float[level.across][bands.size()][PIXELS];
      for (float[][] tile : level.row) for (float[] band : tile) Arrays.fill(band, Float.NaN);
      levels.add(level);
    }
    out =
        FileChannel.open(file.temporary(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /// Begins a raster.
  ///
  /// @param out the file that [#close] makes
  /// @param bands the description of each band
  public static RasterWriter create(Path out, Frame frame, List<String> bands) throws IOException {
    return create(out, frame, bands, Form.DEFAULT);
  }

  static RasterWriter create(Path out, Frame frame, List<String> bands, Form form)
      throws IOException {
    if (bands.isEmpty() || bands.size() > 65_535)
      throw new IllegalArgumentException(
          "a raster has 1 to 65,535 bands, got " + bands.size() + "; write several files");
    AtomicFile file = AtomicFile.begin(out);
    try {
      return new RasterWriter(file, frame, bands, form);
    } catch (IOException e) {
      file.close();
      throw file.explained(e);
    } catch (RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /// Writes a tile. Tiles must come from west to east, then from north to south. The arrays are
  /// copied.
  ///
  /// @param column of the tile, from 0
  /// @param row of the tile, from 0
  /// @param pixels for each band `TILE` rows of `TILE` pixels; those outside the raster are ignored
  public void write(int column, int row, float[][] pixels) throws IOException {
    Level first = levels.getFirst();
    if (next == first.across * first.down)
      throw new IllegalStateException("all tiles are written already");
    if (column != next % first.across || row != next / first.across)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "tile %d, %d is written out of order; write tile %d, %d now",
              column,
              row,
              next % first.across,
              next / first.across));
    if (pixels.length != bands.size())
      throw new IllegalArgumentException(
          "the raster has %s bands, got %s".formatted(bands.size(), pixels.length));
    for (float[] band : pixels)
      if (band.length != PIXELS)
        throw new IllegalArgumentException(
            "a tile has %s pixels, got %s".formatted(PIXELS, band.length));
    try {
      for (int band = 0; band < pixels.length; band++) add(0, column, row, band, pixels[band]);
    } catch (IOException e) {
      throw file.explained(e);
    }
    next++;
  }

  /// Removes the values of pixels outside the raster.
  private static void clear(float[] tile, int width, int height) {
    if (width >= TILE && height >= TILE) return;
    for (int y = 0; y < TILE; y++)
      Arrays.fill(
          tile, y * TILE + (y < height ? Math.min(width, TILE) : 0), (y + 1) * TILE, Float.NaN);
  }

  /// Adds a finished tile of a level and a band, and its part of the tile on the next level.
  private void add(int depth, int column, int row, int band, float[] tile) throws IOException {
    Level level = levels.get(depth);
    if (pending == BATCH) flush();
    if (pending == blocks.size()) blocks.add(new Block(level));
    Block block = blocks.get(pending++);
    block.level = level;
    block.index = (band * level.down + row) * level.across + column;
    System.arraycopy(tile, 0, block.pixels, 0, PIXELS);
    if (depth == 0) clear(block.pixels, level.width - column * TILE, level.height - row * TILE);
    if (depth + 1 == levels.size()) return;
    float[] part = levels.get(depth + 1).row[column / 2][band];
    halve(block.pixels, part, column % 2 * (TILE / 2), row % 2 * (TILE / 2));
    if ((column % 2 == 1 || column == level.across - 1)
        && (row % 2 == 1 || row == level.down - 1)) {
      add(depth + 1, column / 2, row / 2, band, part);
      Arrays.fill(part, Float.NaN);
    }
  }

  /// Puts the means of squares of 2 × 2 pixels into a quarter of another tile.
  private static void halve(float[] from, float[] to, int x0, int y0) {
    for (int y = 0; y < TILE / 2; y++) {
      int at = 2 * y * TILE;
      int put = (y0 + y) * TILE + x0;
      for (int x = 0; x < TILE / 2; x++, at += 2) {
        double sum = (double) from[at] + from[at + 1] + from[at + TILE] + from[at + TILE + 1];
        to[put + x] =
            Double.isNaN(sum)
                ? mean(from[at], from[at + 1], from[at + TILE], from[at + TILE + 1])
                : (float) (sum / 4);
      }
    }
  }

  private static float mean(float... values) {
    double sum = 0;
    int count = 0;
    for (float value : values)
      if (!Float.isNaN(value)) {
        sum += value;
        count++;
      }
    return count == 0 ? Float.NaN : (float) (sum / count);
  }

  private void flush() throws IOException {
    Parallel.forEach(pending, i -> pack(blocks.get(i), form.effort));
    for (int i = 0; i < pending; i++) {
      Block block = blocks.get(i);
      block.level.offsets[block.index] = end;
      block.level.sizes[block.index] = block.size;
      append(block.packed, block.size);
      if ((end & 1) == 1) append(new byte[1], 1);
    }
    pending = 0;
  }

  private void append(byte[] bytes, int size) throws IOException {
    put(end, bytes, size);
    end += size;
  }

  private void put(long at, byte[] bytes, int size) throws IOException {
    ByteBuffer b = ByteBuffer.wrap(bytes, 0, size);
    while (b.hasRemaining()) out.write(b, at + b.position());
  }

  /// A tile after the floating-point predictor (Adobe's TIFF Technical Note 3: the bytes of a row
  /// sorted by their significance, then differences), deflated.
  private static void pack(Block block, int effort) {
    float[] tile = block.pixels;
    byte[] bytes = block.sorted;
    for (int y = 0; y < TILE; y++) {
      int at = 4 * y * TILE;
      int before = 0;
      for (int x = 0; x < TILE; x++) {
        int bits = Float.floatToIntBits(tile[y * TILE + x]);
        bytes[at + x] = (byte) ((bits >>> 24) - (before >>> 24));
        bytes[at + TILE + x] = (byte) ((bits >>> 16) - (before >>> 16));
        bytes[at + 2 * TILE + x] = (byte) ((bits >>> 8) - (before >>> 8));
        bytes[at + 3 * TILE + x] = (byte) (bits - before);
        before = bits;
      }
      for (int k = 1; k < 4; k++) // takes differences across the ends of significances
      bytes[at + k * TILE] -= (byte) (before >>> (32 - 8 * k));
    }
    try (var deflater = new Deflater(effort)) {
      deflater.setInput(bytes);
      deflater.finish();
      byte[] packed = block.packed;
      block.size = 0;
      while (!deflater.finished())
        block.size += deflater.deflate(packed, block.size, packed.length - block.size);
    }
  }

  /// Finishes the file and moves it to its place if all tiles were written. Otherwise it leaves no
  /// file, and an earlier file there stays.
  @Override
  public void close() throws IOException {
    if (closed) return;
    closed = true;
    Level first = levels.getFirst();
    try (file;
        out) {
      if (next < first.across * first.down) return;
      try {
        flush();
        finish();
        out.close();
      } catch (IOException e) {
        throw file.explained(e);
      }
      file.finish();
    }
  }

  private void finish() throws IOException {
    end = (end + 7) / 8 * 8;
    boolean big = form.big;
    List<byte[]> directories = directories(big);
    if (!big && end + directories.stream().mapToLong(d -> d.length).sum() > MOST_CLASSIC) {
      big = true;
      directories = directories(big);
    }
    byte[] header = TiffDirectory.header(end, big);
    put(0, header, header.length);
    for (byte[] directory : directories) append(directory, directory.length);
  }

  private List<byte[]> directories(boolean big) throws IOException {
    List<byte[]> encoded = new ArrayList<>();
    long at = end;
    for (Level level : levels) {
      byte[] bytes = directory(level, big).encode(at, big, level == levels.getLast());
      encoded.add(bytes);
      at += bytes.length;
    }
    return encoded;
  }

  private TiffDirectory directory(Level level, boolean big) throws IOException {
    int[] each = new int[bands.size()];
    var directory =
        new TiffDirectory()
            .longs(TiffDirectory.SUBFILE, level == levels.getFirst() ? 0 : 1)
            .longs(TiffDirectory.WIDTH, level.width)
            .longs(TiffDirectory.HEIGHT, level.height)
            .shorts(TiffDirectory.BITS, filled(each, 32))
            .shorts(TiffDirectory.COMPRESSION, DEFLATE)
            .shorts(TiffDirectory.PHOTOMETRIC, 1)
            .shorts(TiffDirectory.SAMPLES, each.length)
            .shorts(TiffDirectory.PLANAR, 2)
            .shorts(TiffDirectory.PREDICTOR, FLOAT)
            .shorts(TiffDirectory.TILE_WIDTH, TILE)
            .shorts(TiffDirectory.TILE_HEIGHT, TILE)
            .offsets(TiffDirectory.TILE_OFFSETS, big, level.offsets)
            .longs(TiffDirectory.TILE_SIZES, level.sizes)
            .shorts(TiffDirectory.SAMPLE_FORMAT, filled(each, FLOAT))
            .text(TiffDirectory.GDAL_NODATA, "nan");
    if (each.length > 1) directory.shorts(TiffDirectory.EXTRA_SAMPLES, new int[each.length - 1]);
    if (level != levels.getFirst()) return directory;
    directory
        .text(TiffDirectory.SOFTWARE, "Lovelace")
        .doubles(TiffDirectory.PIXEL_SCALE, frame.dx(), frame.dy(), 0)
        .doubles(TiffDirectory.TIE_POINT, 0, 0, 0, frame.west(), frame.north(), 0)
        .text(TiffDirectory.GDAL_METADATA, metadata());
    if (frame.crs().isPresent()) GeoKeys.write(frame.crs().get(), directory);
    return directory;
  }

  private static int[] filled(int[] like, int value) {
    int[] filled = like.clone();
    Arrays.fill(filled, value);
    return filled;
  }

  private String metadata() {
    var xml = new StringBuilder("<GDALMetadata>\n");
    for (int band = 0; band < bands.size(); band++)
      xml.append("  <Item name=\"DESCRIPTION\" sample=\"")
          .append(band)
          .append("\" role=\"description\">")
          .append(escaped(escaped(bands.get(band)))) // GDAL removes both
          .append("</Item>\n");
    return xml.append("</GDALMetadata>\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
