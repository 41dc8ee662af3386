package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.source.Source;
import lovelace.source.Sums;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;

class SumsTest {

  private static final Grid GRID = Grid.of(new Axis(-0.2, 0.1, 15), new Axis(-0.2, 0.1, 15));

  private static Sums sums(int n, boolean weighted, long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    double[] x = random.doubles(2L * n).toArray();
    double[] y = random.doubles(n, 1, 2).toArray();
    Dataset data = Dataset.of(x, List.of(Column.of("a"), Column.of("b")), y, Column.of("y"));
    if (weighted) data = data.withWeights(random.doubles(n, 0.5, 2).toArray());
    return Sums.of(Source.of(data), GRID, TargetTransform.LOG, Outside.ERROR);
  }

  @Test
  void sumsSurviveTheWay() throws IOException {
    for (boolean weighted : new boolean[] {false, true}) {
      Sums sums = sums(500, weighted, 2).plus(sums(300, weighted, 3));
      var out = new ByteArrayOutputStream();
      sums.write(new DataOutputStream(out));
      byte[] bytes = out.toByteArray();
      Sums read = Sums.read(new DataInputStream(new ByteArrayInputStream(bytes)));
      GridStatistics s = sums.statistics();
      GridStatistics t = read.statistics();
      assertEquals(s.grid(), t.grid());
      assertEquals(800, t.count());
      assertEquals(s.logWeights(), t.logWeights());
      assertEquals(s.squares(), t.squares());
      assertArrayEquals(s.projected(), t.projected());
      assertEquals(sums.fingerprint(), read.fingerprint());
      assertEquals(sums.logJacobian(), read.logJacobian());
      bytes[0] = 9;
      assertThrows(
          IOException.class, () -> Sums.read(new DataInputStream(new ByteArrayInputStream(bytes))));
    }
  }

  @Test
  void scalingWeightsScalesSums() throws IOException {
    GridStatistics s = sums(400, true, 4).statistics();
    GridStatistics t = s.scaled(0.25);
    assertEquals(400, t.count());
    assertEquals(0.25 * s.weightSum(), t.weightSum(), 1e-12);
    assertEquals(0.25 * s.squares(), t.squares(), 1e-12);
    assertEquals(s.logWeights() + 400 * Math.log(0.25), t.logWeights(), 1e-9);
    assertEquals(0, s.scaled(1e-30).count());
    assertThrows(IllegalArgumentException.class, () -> s.scaled(0));
    assertThrows(IllegalArgumentException.class, () -> s.scaled(Double.NaN));
  }
}
