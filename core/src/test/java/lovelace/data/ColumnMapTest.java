package lovelace.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.FeatureMap.Change;
import lovelace.linear.Gaussian;
import org.junit.jupiter.api.Test;

class ColumnMapTest {

  private static final List<Column> COLUMNS =
      List.of(
          Column.of("time"),
          Column.of("rainfall", "mm"),
          Column.of("x3"),
          Column.of("colour", List.of("red", "green", "blue")));

  private static final List<Change> CHANGES =
      List.of(Change.SAME, Change.LOG, Change.RANKS, Change.INDICATORS);

  private static Dataset rows(int n) {
    var random = new SplittableRandom(17);
    double[] x = new double[4 * n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[4 * i] = random.nextGaussian();
      x[4 * i + 1] = Math.exp(2 * random.nextGaussian());
      x[4 * i + 2] = random.nextGaussian() / Math.abs(random.nextGaussian()); // Cauchy
      x[4 * i + 3] = i % 4 == 0 ? 1 : 0;
      y[i] = random.nextGaussian();
    }
    return Dataset.of(x, COLUMNS, y, Column.of("y"));
  }

  private static double[] apply(FeatureMap map, double... point) {
    double[] out = new double[map.outputs()];
    map.apply(point, 1, out);
    return out;
  }

  @Test
  void everyColumnIsChangedByItself() {
    Dataset rows = rows(1000);
    FeatureMap map = FeatureMap.columns(rows, CHANGES);
    assertEquals(4, map.inputs());
    assertEquals(6, map.outputs());
    assertEquals(CHANGES, map.changes());
    assertEquals(
        List.of(
            "time",
            "log rainfall",
            "ranks of x3",
            "colour = red",
            "colour = green",
            "colour = blue"),
        map.features(COLUMNS).stream().map(Column::name).toList());
    double[] z = apply(map, 0.3, 5, 0, 1);
    assertEquals(0.3, z[0]);
    assertEquals(Math.log(5), z[1], 1e-15);
    assertArrayEquals(new double[] {0, 1, 0}, Arrays.copyOfRange(z, 3, 6));
    // a word that was not seen is the mean of the words
    assertArrayEquals(
        new double[] {0.75, 0.25, 0},
        Arrays.copyOfRange(apply(map, 0.3, 5, 0, Column.UNSEEN), 3, 6),
        1e-12);
    double[] all = new double[6000];
    map.apply(rows.inputs(), 1000, all);
    for (int i = 0; i < 1000; i++)
      assertArrayEquals(
          apply(map, Arrays.copyOfRange(rows.inputs(), 4 * i, 4 * i + 4)),
          Arrays.copyOfRange(all, 6 * i, 6 * i + 6));
  }

  @Test
  void ranksAreNormalScores() {
    Dataset rows = rows(2000);
    FeatureMap map = FeatureMap.columns(rows, CHANGES);
    double[] column = new double[2000];
    for (int i = 0; i < 2000; i++) column[i] = rows.inputs()[4 * i + 2];
    Arrays.sort(column);
    for (int i = 0; i < 2000; i++)
      assertEquals(
          Gaussian.quantile((i + 0.5) / 2000), apply(map, 0, 1, column[i], 0)[2], 0.1, "row " + i);
  }

  @Test
  void featuresRiseForEveryNumber() {
    FeatureMap map = FeatureMap.columns(rows(500), CHANGES);
    double[] values = {-1e6, -10, -1, -1e-3, 0, 1e-9, 1e-3, 0.1, 1, 10, 1e3, 1e6, 1e12};
    for (int i = 1; i < values.length; i++) {
      double[] low = apply(map, 0, values[i - 1], values[i - 1], 0);
      double[] high = apply(map, 0, values[i], values[i], 0);
      for (int f = 1; f <= 2; f++) {
        assertTrue(Double.isFinite(low[f]), "feature of " + values[i - 1]);
        assertTrue(low[f] < high[f], "feature " + f + " of " + values[i]);
      }
    }
  }

  @Test
  void gradientsAreThoseOfFiniteDifferences() {
    FeatureMap map = FeatureMap.columns(rows(500), CHANGES);
    var random = new SplittableRandom(2);
    for (int t = 0; t < 50; t++) {
      double[] x = {random.nextGaussian(), 3 * random.nextGaussian(), 4 * random.nextGaussian(), 1};
      double[] g = random.doubles(6).toArray();
      double[] out = new double[5];
      map.pullBack(x, 0, g, 0, out, 1);
      for (int j = 0; j < 3; j++) {
        double h = 1e-6;
        double[] up = x.clone();
        double[] down = x.clone();
        up[j] += h;
        down[j] -= h;
        double[] a = apply(map, up);
        double[] b = apply(map, down);
        double slope = 0;
        for (int f = 0; f < 6; f++) slope += g[f] * (a[f] - b[f]) / (2 * h);
        assertEquals(slope, out[1 + j], 1e-5 * (1 + Math.abs(slope)), "case " + t + " column " + j);
      }
      assertEquals(0, out[4]);
    }
  }

  @Test
  void aLogarithmOfZeroCountsFromASmallValue() {
    double[] x = new double[100];
    for (int i = 0; i < 100; i++) x[i] = i < 20 ? 0 : Math.pow(10, (i - 20) / 20.0);
    FeatureMap map = FeatureMap.columns(Dataset.of(x, 1, new double[100]), List.of(Change.LOG));
    double zero = apply(map, 0)[0];
    double small = apply(map, x[20])[0];
    double large = apply(map, x[99])[0];
    assertTrue(zero < small && small - zero < 1, zero + " " + small);
    assertTrue(large - small > 7, "the decades stay apart: " + large);
  }

  @Test
  void tiesAndFewValuesHaveRanks() {
    double[] x = new double[1000];
    for (int i = 0; i < 600; i++) x[i] = 0; // most rows are equal
    for (int i = 600; i < 1000; i++) x[i] = 1e-12 * (i - 599) + (i > 800 ? i : 0);
    FeatureMap map = FeatureMap.columns(Dataset.of(x, 1, new double[1000]), List.of(Change.RANKS));
    assertEquals(Gaussian.quantile(0.3), apply(map, 0)[0], 1e-9);
    assertTrue(apply(map, 900)[0] > 1);
    FeatureMap two =
        FeatureMap.columns(
            Dataset.of(new double[] {3, 3, 3, 5}, 1, new double[4]), List.of(Change.RANKS));
    assertEquals(Gaussian.quantile(0.375), apply(two, 3)[0], 1e-12);
    assertEquals(Gaussian.quantile(0.875), apply(two, 5)[0], 1e-12);
    Dataset constant = Dataset.of(new double[] {3, 3}, 1, new double[2]);
    String message =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> FeatureMap.columns(constant, List.of(Change.RANKS)))
                .getMessage());
    assertTrue(message.contains("two different values"), message);
  }

  @Test
  void heavyTailsAreCandidates() {
    var random = new SplittableRandom(11);
    int n = 4000;
    double[][] columns = new double[10][n];
    for (int i = 0; i < n; i++) {
      columns[0][i] = random.nextGaussian();
      columns[1][i] = random.nextDouble();
      columns[2][i] = Math.exp(1.5 * random.nextGaussian());
      columns[3][i] = random.nextGaussian() / Math.abs(random.nextGaussian());
      columns[4][i] = random.nextInt(2);
      columns[5][i] = 7;
      columns[6][i] = i % 10 == 0 ? 1e6 : random.nextInt(5); // few values
      columns[7][i] = i % 3 == 0 ? Math.exp(2 * random.nextGaussian()) : 0;
      columns[8][i] = -Math.exp(1.5 * random.nextGaussian());
      columns[9][i] = Math.floor(Math.exp(1.5 * random.nextGaussian()));
    }
    Change[] expected = {
      Change.SAME,
      Change.SAME,
      Change.LOG,
      Change.RANKS,
      Change.SAME,
      Change.SAME,
      Change.SAME,
      Change.LOG,
      Change.RANKS,
      Change.RANKS
    };
    double[] x = new double[n * 10];
    for (int i = 0; i < n; i++) for (int j = 0; j < 10; j++) x[i * 10 + j] = columns[j][i];
    List<Change> found = FeatureMap.candidates(Dataset.of(x, 10, new double[n]));
    for (int j = 0; j < 9; j++) assertEquals(expected[j], found.get(j), "column " + j);
    assertTrue(found.get(9) != Change.SAME);
    assertEquals(Change.SAME, FeatureMap.candidates(rows(100)).get(3), "words");
  }

  @Test
  void wordsAndNumbersAreNotMixedUp() {
    Dataset rows = rows(20);
    for (Change change : List.of(Change.LOG, Change.RANKS))
      assertThrows(
          IllegalArgumentException.class,
          () -> FeatureMap.columns(rows, List.of(Change.SAME, Change.SAME, Change.SAME, change)));
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                FeatureMap.columns(
                    rows, List.of(Change.INDICATORS, Change.SAME, Change.SAME, Change.SAME)));
    assertTrue(String.valueOf(e.getMessage()).contains("'time' holds numbers"), e.getMessage());
    assertThrows(
        IllegalArgumentException.class, () -> FeatureMap.columns(rows, List.of(Change.SAME)));
    FeatureMap map = FeatureMap.columns(rows, CHANGES);
    List<Column> fewer = List.of(COLUMNS.get(0), COLUMNS.get(1), COLUMNS.get(2), Column.of("c"));
    assertThrows(IllegalArgumentException.class, () -> map.features(fewer));
  }

  @Test
  void comesBackFromItsBytes() {
    FeatureMap map = FeatureMap.columns(rows(300), CHANGES);
    FeatureMap same = FeatureMap.read(map.type(), map.bytes());
    assertEquals(map, same);
    assertEquals(map.hashCode(), same.hashCode());
    assertArrayEquals(apply(map, 1, -2, 3, 0), apply(same, 1, -2, 3, 0));
    assertArrayEquals(map.bytes(), same.bytes());
  }

  @Test
  void hostileBytesAreRefused() {
    byte[] bytes = FeatureMap.columns(rows(300), CHANGES).bytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertThrows(IllegalArgumentException.class, () -> FeatureMap.read("columns", part));
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThrows(IllegalArgumentException.class, () -> FeatureMap.read("columns", longer));
    // no byte that is changed makes anything but a map or a refusal
    var random = new SplittableRandom(5);
    for (int t = 0; t < 5000; t++) {
      byte[] wrong = bytes.clone();
      wrong[random.nextInt(wrong.length)] = (byte) random.nextInt(256);
      try {
        double[] z = apply(FeatureMap.read("columns", wrong), 0, 1, 2, 1);
        assertTrue(z.length >= 4, "case " + t);
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage() != null, "case " + t);
      }
    }
    ByteBuffer huge = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    huge.putInt(1).put((byte) 3).putInt(1 << 19);
    assertThrows(IllegalArgumentException.class, () -> FeatureMap.read("columns", huge.array()));
  }
}
