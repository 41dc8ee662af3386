package lovelace.statistics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.data.Outside;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GridCodecTest {

  /// Statistics with a crowded cell, whose count takes three bytes, and rows outside the grid.
  private static GridStatistics statistics(int d, boolean weighted) {
    var random = new SplittableRandom(31);
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) axes[a] = Axis.covering(-1, 1 + a, 5 + a);
    int n = 20_000;
    double[] x = new double[n * d];
    for (int i = 300 * d; i < x.length; i++) x[i] = 0.01 * random.nextDouble();
    for (int i = 0; i < 300 * d; i++) x[i] = random.nextDouble(-1, 1);
    for (int i = 0; i < 7; i++) x[i * d] = 9;
    double[] y = random.doubles(n, 4, 6).toArray();
    double[] w = weighted ? random.doubles(n, 0.5, 2).toArray() : null;
    return GridStatistics.of(Grid.of(axes), x, y, w, Outside.SKIP);
  }

  private static byte[] bytes(GridStatistics s) throws IOException {
    var out = new ByteArrayOutputStream();
    s.write(new DataOutputStream(out));
    return out.toByteArray();
  }

  private static GridStatistics read(byte[] bytes) throws IOException {
    return GridStatistics.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private static void assertIdentical(GridStatistics a, GridStatistics b) {
    assertEquals(a.grid(), b.grid());
    assertEquals(7, b.skipped());
    assertEquals(a.count(), b.count());
    assertEquals(a.origin(), b.origin(), 0);
    assertArrayEquals(a.cellCounts(), b.cellCounts());
    assertEquals(a.occupiedCells(), b.occupiedCells());
    for (int c = 0; c < a.occupiedCells(); c++) {
      assertEquals(a.occupiedCell(c), b.occupiedCell(c));
      assertArrayEquals(a.occupiedMoments(c), b.occupiedMoments(c), 0);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, false", "1, true", "2, false", "2, true", "3, true", "4, false"})
  void readingGivesTheBitsThatWereWritten(int d, boolean weighted) throws Exception {
    GridStatistics s = statistics(d, weighted);
    assertIdentical(s, read(bytes(s)));
    var out = new ByteArrayOutputStream();
    try (var objects = new ObjectOutputStream(out)) {
      objects.writeObject(s);
    }
    try (var objects = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()))) {
      assertIdentical(s, (GridStatistics) objects.readObject());
    }
  }

  @Test
  void rowsOfWeightOneTakeOneNumberLessACell() throws IOException {
    GridStatistics plain = statistics(2, false);
    GridStatistics weighted = statistics(2, true);
    assertEquals(plain.occupiedCells(), weighted.occupiedCells());
    assertEquals(bytes(weighted).length, bytes(plain).length + 8 * plain.occupiedCells());
  }

  @Test
  void anotherVersionAndDamageAreRefused() throws IOException {
    byte[] good = bytes(statistics(1, false));
    byte[] next = good.clone();
    next[0]++;
    var version = assertThrows(IOException.class, () -> read(next));
    assertEquals(
        "statistics are of version 3, this is 2; use one version of Lovelace everywhere",
        version.getMessage());
    assertThrows(EOFException.class, () -> read(Arrays.copyOf(good, good.length - 1)));
    byte[] endless = good.clone();
    // after the version, the number of axes, an axis and the origin of the target
    Arrays.fill(endless, 1 + 1 + 20 + 8, endless.length, (byte) -1);
    var damage = assertThrows(IOException.class, () -> read(endless));
    assertEquals("statistics are damaged: a number does not end", damage.getMessage());
  }
}
