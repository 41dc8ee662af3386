package lovelace.maps;

import java.util.Arrays;

/// A smaller raster of the same area for pictures, pages and contours of rasters of any size. Its
/// pixels are means of blocks of pixels. Blocks without a value have none.
public final class Overview {

  private final Frame whole;
  private final Frame frame;
  private final int factor;
  private final double[][] sums;
  private final int[][] counts;

  /// An overview of `bands` bands, with at most `most` pixels along a side.
  public Overview(Frame whole, int bands, int most) {
    this.whole = whole;
    factor = Math.ceilDiv(Math.max(whole.width(), whole.height()), Math.max(1, most));
    frame =
        new Frame(
            whole.west(),
            whole.north(),
            whole.dx() * factor,
            whole.dy() * factor,
            Math.ceilDiv(whole.width(), factor),
            Math.ceilDiv(whole.height(), factor),
            whole.crs());
    sums = new double[bands][frame.width() * frame.height()];
    counts = new int[bands][frame.width() * frame.height()];
  }

  /// Its own pixels.
  public Frame frame() {
    return frame;
  }

  /// The number of pixels along a side that become one.
  public int factor() {
    return factor;
  }

  /// Adds the pixels of a tile whose rows are `stride` apart. Pixels beyond the raster are left
  /// out. Tiles in the same order give the same bits.
  public void add(int column, int row, int stride, float[][] bands) {
    for (int b = 0; b < sums.length; b++) {
      int height = Math.min(bands[b].length / stride, whole.height() - row);
      int width = Math.min(stride, whole.width() - column);
      for (int j = 0; j < height; j++) {
        int start = (row + j) / factor * frame.width();
        for (int i = 0; i < width; i++) {
          float value = bands[b][j * stride + i];
          if (!Float.isFinite(value)) continue;
          int at = start + (column + i) / factor;
          sums[b][at] += value;
          counts[b][at]++;
        }
      }
    }
  }

  /// The values of a band, row-major from the north. NaN means no value.
  public double[] band(int band) {
    double[] values = new double[sums[band].length];
    Arrays.setAll(values, i -> counts[band][i] == 0 ? Double.NaN : sums[band][i] / counts[band][i]);
    return values;
  }
}
