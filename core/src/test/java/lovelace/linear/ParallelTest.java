package lovelace.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class ParallelTest {

  /// Pools throw copies of what other threads threw, and the message of a copy names a class.
  @Test
  void failureOfAPieceIsThrownAsItIs() {
    IllegalArgumentException own = new IllegalArgumentException("row 3 is wrong");
    for (int failing = 0; failing < 4; failing++) {
      int at = failing;
      try (ForkJoinPool pool = new ForkJoinPool(4)) {
        var outer =
            pool.submit(
                () -> {
                  CountDownLatch begun = new CountDownLatch(4); // of four threads
                  return assertThrows(
                      IllegalArgumentException.class,
                      () ->
                          Parallel.forEach(
                              4,
                              i -> {
                                begun.countDown();
                                await(begun);
                                if (i == at) throw own;
                              }));
                });
        assertSame(own, outer.join());
        assertEquals("row 3 is wrong", outer.join().getMessage());
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
