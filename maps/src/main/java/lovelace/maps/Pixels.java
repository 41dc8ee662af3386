package lovelace.maps;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The pixels of a raster file, in blocks. Several threads may read it.
interface Pixels extends AutoCloseable {

  /// The places of the pixels.
  Frame frame();

  /// The name of the coordinate system in the file, for messages; empty if there is none.
  String system();

  int bands();

  /// The description of a band, empty if it has none.
  String description(int band);

  int blockWidth();

  int blockHeight();

  /// The values of a block, row by row. NaN means no value. Values outside the raster are
  /// arbitrary.
  ///
  /// @param spare an array of a block that is not needed any more, which may be reused for this one
  double[] block(int band, int column, int row, double @Nullable [] spare) throws IOException;

  @Override
  void close() throws IOException;
}
