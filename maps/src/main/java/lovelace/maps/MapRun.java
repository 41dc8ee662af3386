package lovelace.maps;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import lovelace.linear.Parallel;

/// Computes a map tile by tile: some tiles at the same time, then handed over one after another, in
/// rows from the north-west. Memory does not grow with the map.
public final class MapRun {

  private static final int TILE = RasterWriter.TILE;

  /// Bands of tiles that are computed before they are handed over.
  private static final int AHEAD = 128;

  /// Takes finished tiles.
  @FunctionalInterface
  public interface Sink {
    /// A tile of a column and row of tiles: `TILE` rows of `TILE` pixels for each band, NaN where a
    /// pixel has no value or lies beyond the map. It may be used until the call returns.
    void take(int column, int row, float[][] bands) throws IOException;
  }

  private MapRun() {}

  /// Computes all tiles. `done` is told how many pixels are finished.
  public static void run(MapJob job, List<? extends Sink> sinks, LongConsumer done)
      throws IOException {
    Frame frame = job.frame();
    int across = Parallel.pieces(frame.width(), TILE);
    int down = Parallel.pieces(frame.height(), TILE);
    long all = (long) across * down;
    int batch = (int) Math.min(all, Math.clamp(AHEAD / job.bands(), 1, 64));
    float[][][] tiles = new float[batch][job.bands()][TILE * TILE];
    long pixels = 0;
    for (long first = 0; first < all; first += batch) {
      int count = (int) Math.min(batch, all - first);
      long from = first;
      Parallel.forEach(
          count,
          i -> {
            int column = (int) ((from + i) % across) * TILE;
            int row = (int) ((from + i) / across) * TILE;
            for (float[] band : tiles[i]) Arrays.fill(band, Float.NaN);
            job.tile(
                column,
                row,
                Math.min(TILE, frame.width() - column),
                Math.min(TILE, frame.height() - row),
                TILE,
                tiles[i]);
          });
      for (int i = 0; i < count; i++) {
        int column = (int) ((first + i) % across);
        int row = (int) ((first + i) / across);
        for (Sink sink : sinks) sink.take(column, row, tiles[i]);
        pixels +=
            (long) Math.min(TILE, frame.width() - column * TILE)
                * Math.min(TILE, frame.height() - row * TILE);
        done.accept(pixels);
      }
    }
  }

  /// About how many bytes of memory a map takes beside its model, its overview and its draws.
  public static long bytes(MapJob job) {
    long across = Parallel.pieces(job.frame().width(), TILE);
    long tile = 4L * TILE * TILE * job.bands();
    // the tiles ahead, those being packed, and the rows of tiles of the overviews
    return tile * (Math.clamp(AHEAD / job.bands(), 1, 64) + 64L / job.bands() + 1 + across);
  }
}
