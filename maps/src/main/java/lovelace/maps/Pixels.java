package lovelace.maps;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The pixels of a raster file, in blocks. May be read by several threads.
interface Pixels extends AutoCloseable {

  /// Where the pixels lie.
  Frame frame();

  /// What the file says of its coordinate system, for messages; empty if nothing.
  String system();

  int bands();

  /// The description of a band, empty if it has none.
  String description(int band);

  int blockWidth();

  int blockHeight();

  /// The values of a block, row by row, NaN where there is none. What lies outside the raster has
  /// any value.
  ///
  /// @param spare an array of a block that is not needed any more, which may be used for this one
  double[] block(int band, int column, int row, double @Nullable [] spare) throws IOException;

  @Override
  void close() throws IOException;
}
