package lovelace.maps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BlocksTest {

  private static final int SIZE = 50;

  /// Blocks whose values say which they are.
  private static final class Numbered implements Pixels {
    final AtomicInteger made = new AtomicInteger();
    final AtomicInteger read = new AtomicInteger();

    @Override
    public Frame frame() {
      return new Frame(0, 0, 1, 1, 500, 500, Optional.empty());
    }

    @Override
    public String system() {
      return "";
    }

    @Override
    public int bands() {
      return 2;
    }

    @Override
    public String description(int band) {
      return "";
    }

    @Override
    public int blockWidth() {
      return SIZE;
    }

    @Override
    public int blockHeight() {
      return 1;
    }

    static double value(int band, int column, int row, int i) {
      return ((band * 100.0 + column) * 1000 + row) * 100 + i;
    }

    @Override
    public double[] block(int band, int column, int row, double @Nullable [] spare) {
      read.incrementAndGet();
      if (spare == null) made.incrementAndGet();
      double[] values = spare == null ? new double[SIZE] : spare;
      for (int i = 0; i < SIZE; i++) values[i] = value(band, column, row, i);
      return values;
    }

    @Override
    public void close() {}
  }

  @Test
  void blocksInUseStayAsTheyAreAndTheMemoryOfOthersIsUsedAgain() throws Exception {
    var pixels = new Numbered();
    var blocks = new Blocks(pixels, 8 * SIZE);
    var wrong = new AtomicInteger();
    int threads = 4;
    try (var pool = new ForkJoinPool(threads)) {
      pool.submit(() -> Parallel.forEach(64, seed -> use(blocks, seed, wrong))).get();
    }
    assertEquals(0, wrong.get(), "values of another block");
    assertTrue(pixels.read.get() > 10_000, pixels.read + " blocks read");
    // those kept, those in four hands, and one on its way into each
    assertTrue(pixels.made.get() <= 8 + threads * 5, pixels.made + " arrays made");
  }

  private static void use(Blocks blocks, int seed, AtomicInteger wrong) {
    var random = new SplittableRandom(seed);
    try (Blocks.Hand hand = blocks.hand()) {
      for (int k = 0; k < 400; k++) {
        int band = random.nextInt(2);
        int column = random.nextInt(4);
        int row = random.nextInt(20);
        double[] values = hand.of(band, column, row);
        if (k % 8 == 0) LockSupport.parkNanos(1_000); // others go on
        for (int i = 0; i < SIZE; i++)
          if (values[i] != Numbered.value(band, column, row, i)) wrong.incrementAndGet();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aBlockIsReadOnceWhileItIsKept() throws Exception {
    var pixels = new Numbered();
    var blocks = new Blocks(pixels, 8 * SIZE);
    for (int k = 0; k < 100; k++)
      try (Blocks.Hand hand = blocks.hand()) {
        for (int row = 0; row < 8; row++) hand.of(0, 1, row);
      }
    assertEquals(8, pixels.read.get());
  }
}
