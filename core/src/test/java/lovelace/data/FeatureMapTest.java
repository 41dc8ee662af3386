package lovelace.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FeatureMapTest {

  private static final LinearMap MAP =
      LinearMap.of(new double[] {1, 2, 3, -1, 0.5, 0}, new double[] {1, 1, 1});

  @Test
  void projectsRowsAndPullsGradientsBack() {
    double[] z = new double[4];
    MAP.apply(new double[] {1, 1, 1, 2, 3, 1}, 2, z);
    assertArrayEquals(new double[] {0, 0, 5, 0}, z);
    double[] g = new double[3];
    MAP.pullBack(new double[3], 0, new double[] {1, 10}, 0, g, 0);
    assertArrayEquals(new double[] {-9, 7, 3}, g);
  }

  @Test
  void comesBackFromItsBytes() {
    assertEquals(MAP, FeatureMap.read(MAP.type(), MAP.bytes()));
    byte[] bytes = MAP.bytes();
    assertThrows(
        IllegalArgumentException.class,
        () -> FeatureMap.read("linear", Arrays.copyOf(bytes, bytes.length - 8)));
    assertThrows(IllegalArgumentException.class, () -> FeatureMap.read("linear", new byte[3]));
    var e = assertThrows(IllegalArgumentException.class, () -> FeatureMap.read("network", bytes));
    assertTrue(String.valueOf(e.getMessage()).contains("'network'"), e.getMessage());
  }
}
