package lovelace.maps;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A cache of the blocks of a raster that were read last. Several threads may use it, each through
/// a [Hand] of its own. The memory of a dropped block is reused for the next one. Otherwise a large
/// raster would leave so much garbage that the program's memory grows.
final class Blocks {

  private record Key(int band, int column, int row) {}

  private static final class Block {
    final double[] values;
    int users;
    boolean kept = true;

    Block(double[] values) {
      this.values = values;
    }
  }

  private final Pixels pixels;
  private final long most;
  private final Map<Key, Block> cache = new LinkedHashMap<>(16, 0.75f, true);
  private final ArrayDeque<double[]> spare = new ArrayDeque<>();
  private long kept;

  /// @param most the number of values to keep; a few blocks are kept in any case
  Blocks(Pixels pixels, long most) {
    this.pixels = pixels;
    this.most = most;
  }

  /// The last few blocks that one call uses. No other call changes them.
  final class Hand implements AutoCloseable {
    private static final int HELD = 4; // a place lies between at most four blocks

    private final @Nullable Block[] blocks = new @Nullable Block[HELD];
    private final int[] places = new int[3 * HELD];
    private int next;

    private Hand() {
      Arrays.fill(places, -1);
    }

    /// The values of a block. They may be used until the next call.
    double[] of(int band, int column, int row) throws IOException {
      for (int k = 0; k < HELD; k++) {
        Block block = blocks[k];
        if (block != null
            && places[3 * k] == band
            && places[3 * k + 1] == column
            && places[3 * k + 2] == row) return block.values;
      }
      Block taken = take(new Key(band, column, row));
      int k = next;
      next = (next + 1) % HELD;
      release(blocks[k]);
      blocks[k] = taken;
      places[3 * k] = band;
      places[3 * k + 1] = column;
      places[3 * k + 2] = row;
      return taken.values;
    }

    @Override
    public void close() {
      for (int k = 0; k < HELD; k++) {
        release(blocks[k]);
        blocks[k] = null;
      }
    }
  }

  Hand hand() {
    return new Hand();
  }

  /// Reads a block. If two threads read the same block at the same time, the first one is kept.
  @SuppressWarnings("ReferenceEquality") // a source may return the same array twice
  private Block take(Key key) throws IOException {
    double[] free;
    synchronized (cache) {
      Block found = cache.get(key);
      if (found != null) {
        found.users++;
        return found;
      }
      free = spare.poll();
    }
    double[] values = pixels.block(key.band, key.column, key.row, free);
    synchronized (cache) {
      Block found = cache.get(key);
      if (found != null) {
        if (values != found.values) spare.push(values);
        found.users++;
        return found;
      }
      Block block = new Block(values);
      block.users = 1;
      cache.put(key, block);
      kept += values.length;
      Iterator<Block> oldest = cache.values().iterator();
      while (kept > most && cache.size() > Hand.HELD) {
        Block out = oldest.next();
        oldest.remove();
        kept -= out.values.length;
        out.kept = false;
        if (out.users == 0) spare.push(out.values);
      }
      return block;
    }
  }

  private void release(@Nullable Block block) {
    if (block == null) return;
    synchronized (cache) {
      block.users--;
      if (block.users == 0 && !block.kept) spare.push(block.values);
    }
  }
}
