package lovelace.experiments;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import lovelace.kernel.Kernel;
import org.junit.jupiter.api.Test;

class DrawnRowsTest {

  private static final Kernel KERNEL = Kernel.parse("1*matern32(lengthscale=0.2)").bind(2);

  private static double[] all(DrawnRows rows) {
    double[] found = new double[3 * Math.toIntExact(rows.count())];
    int[] at = {0};
    rows.read(
        (count, x, y, weights) -> {
          for (int i = 0; i < count; i++) {
            found[at[0]++] = x[2 * i];
            found[at[0]++] = x[2 * i + 1];
            found[at[0]++] = y[i];
          }
        });
    assertEquals(found.length, at[0]);
    return found;
  }

  /// Values at two places, over many draws, vary together as the kernel says.
  @Test
  void functionsAreDrawsOfTheProcess() {
    int draws = 3000;
    double[] places = {0.25, 0.5, 0.375, 0.625, 0.875, 0.25}; // nodes of the table
    double[] sums = new double[9];
    for (int s = 0; s < draws; s++) {
      DrawnRows rows = DrawnRows.of(KERNEL, 1, 0.1, 16, s);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          sums[3 * i + j] += rows.value(places, 2 * i) * rows.value(places, 2 * j) / draws;
    }
    double[] wanted = new double[9];
    KERNEL.matrix(places, 3, places, 3, wanted);
    for (int i = 0; i < 9; i++)
      assertEquals(
          wanted[i],
          sums[i],
          4.5 * Math.sqrt((1 + wanted[i] * wanted[i]) / draws),
          "entry " + i + " of " + Arrays.toString(sums));
  }

  @Test
  void rowsAreTheSameWhateverTheThreadsAndHaveTheNoiseAskedFor() throws Exception {
    DrawnRows rows = DrawnRows.of(KERNEL, 300_001, 0.1, 32, 5);
    double[] found = all(rows);
    try (var alone = new ForkJoinPool(1)) {
      assertArrayEquals(found, alone.submit(() -> all(rows)).get());
    }
    double[] few = all(rows.withRows(1000));
    assertArrayEquals(Arrays.copyOf(found, 3000), few);
    double squares = 0;
    for (int i = 0; i < found.length; i += 3) {
      assertTrue(found[i] >= 0 && found[i] < 1);
      squares += Math.pow(found[i + 2] - rows.value(found, i), 2);
    }
    assertEquals(0.01, squares / rows.count(), 2e-4);
  }

  /// Linear along each axis between nodes, in three dimensions.
  @Test
  void functionsAreLinearBetweenNodes() {
    DrawnRows rows = DrawnRows.of(Kernel.parse("1*matern12(lengthscale=0.3)").bind(3), 1, 0, 8, 2);
    double[] ends = {0.25, 0.5, 0.125, 0.375, 0.5, 0.125, 0.28125, 0.5, 0.125};
    assertEquals(
        0.75 * rows.value(ends, 0) + 0.25 * rows.value(ends, 3), rows.value(ends, 6), 1e-12);
    double[] corner = {1, 1, 1};
    assertTrue(Double.isFinite(rows.value(corner, 0)));
  }
}
