package lovelace.maps;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.LongConsumer;
import lovelace.linear.Parallel;

/// Computes a map tile by tile: some tiles at the same time, which are then passed on one after
/// another, in rows from the north-west. Memory does not grow with the map.
public final class MapRun {

  private static final int TILE = RasterWriter.TILE;

  /// The most bands of tiles that are computed before they are passed on.
  private static final int AHEAD = 64;

  /// If a batch of tiles takes less than this many nanoseconds, the next one is larger.
  private static final long SHORT = 200_000_000;

  /// Receives finished tiles.
  @FunctionalInterface
  public interface Sink {
    /// Takes the tile at a column and row of tiles: `TILE` rows of `TILE` pixels for each band, NaN
    /// for a pixel without a value or beyond the map. The tile may be used until the call returns.
    void take(int column, int row, float[][] bands) throws IOException;
  }

  private MapRun() {}

  /// Computes all tiles. `done` receives the number of finished pixels.
  public static void run(MapJob job, List<? extends Sink> sinks, LongConsumer done)
      throws IOException {
    Frame frame = job.frame();
    int across = Parallel.pieces(frame.width(), TILE);
    int down = Parallel.pieces(frame.height(), TILE);
    long all = (long) across * down;
    int most = most(job);
    float[][][] tiles = new float[most][job.bands()][TILE * TILE];
    long pixels = 0;
    int batch = 1;
    for (long first = 0; first < all; ) {
      int count = (int) Math.min(batch, all - first);
      long from = first;
      long start = System.nanoTime();
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
      }
      done.accept(pixels);
      first += count;
      if (System.nanoTime() - start < SHORT || batch < threads()) batch = Math.min(most, 2 * batch);
    }
  }

  /// The number of tiles that are computed at the same time.
  public static int threads() {
    ForkJoinPool pool = ForkJoinTask.getPool();
    return pool == null ? Runtime.getRuntime().availableProcessors() : pool.getParallelism();
  }

  private static int most(MapJob job) {
    return Math.clamp(AHEAD / job.bands(), Math.max(1, Math.min(8, threads())), 32);
  }

  /// About how many bytes of memory a map needs beside its model, its overview and its draws.
  public static long bytes(MapJob job) {
    long across = Parallel.pieces(job.frame().width(), TILE);
    long tile = 4L * TILE * TILE * job.bands();
    long down = Parallel.pieces(job.frame().height(), TILE);
    // the tiles ahead, the rows of tiles of the overviews, the positions of tiles in the file, the
    // tiles being packed, and the collector's share
    return tile * (most(job) + 1 + across)
        + 16L * across * down * job.bands() * 4 / 3
        + RasterWriter.BATCH * 3L * 4 * TILE * TILE
        + (128L << 20);
  }
}
