package lovelace.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WarpTest {

  private static final List<Warp> ALL =
      List.of(
          new Warp.Power(0),
          new Warp.Power(.5),
          new Warp.Power(1),
          new Warp.Between(0, 100),
          new Warp.Between(-3, -1));

  private static double inside(Warp warp, SplittableRandom random) {
    return switch (warp) {
      case Warp.Between(double low, double high) ->
          low + (high - low) * random.nextDouble(0.002, 0.998);
      case Warp.Power power ->
          power.lambda() == 1 ? random.nextDouble(-50, 50) : Math.exp(random.nextDouble(-6, 6));
    };
  }

  @Test
  void backUndoesTheWarp() {
    SplittableRandom random = new SplittableRandom(1);
    for (Warp warp : ALL)
      for (int i = 0; i < 500; i++) {
        double y = inside(warp, random);
        assertTrue(warp.takes(y));
        // Digits cancel where y is close to 0 and z to −1/λ.
        assertEquals(y, warp.back(warp.of(y)), 1e-13 * (1 + Math.abs(y)), warp + " at " + y);
      }
  }

  /// Central differences err by the third derivative, about (ε/y)² of the slope, and by rounding.
  @Test
  void logSlopeIsThatOfTheWarp() {
    SplittableRandom random = new SplittableRandom(2);
    for (Warp warp : ALL)
      for (int i = 0; i < 500; i++) {
        double y = inside(warp, random);
        double e = 1e-5 * (warp instanceof Warp.Between ? room(warp, y) : Math.abs(y));
        double slope = (warp.of(y + e) - warp.of(y - e)) / (2 * e);
        assertEquals(Math.log(slope), warp.logSlope(y), 1e-8, warp + " at " + y);
      }
  }

  private static double room(Warp warp, double y) {
    Warp.Between between = (Warp.Between) warp;
    return Math.min(y - between.low(), between.high() - y);
  }

  @Test
  void warpsAscendAndStayInTheirRange() {
    for (Warp warp : ALL) {
      double before = Double.NEGATIVE_INFINITY;
      for (double z = -2_000; z <= 2_000; z += 0.5) {
        double y = warp.back(z);
        assertTrue(Double.isFinite(y) && y >= before, warp + " at " + z);
        before = y;
        if (warp instanceof Warp.Between between)
          assertTrue(y >= between.low() && y <= between.high(), warp + " at " + z);
        else if (!warp.equals(new Warp.Power(1))) assertTrue(y >= 0, warp + " at " + z);
      }
    }
  }

  @Test
  void powersTakePositiveValuesAndBoundsTheirOwn() {
    assertFalse(new Warp.Power(0).takes(0));
    assertFalse(new Warp.Power(.5).takes(-1));
    assertTrue(new Warp.Power(1).takes(-1));
    Warp share = new Warp.Between(0, 100);
    assertTrue(share.takes(0) && share.takes(100));
    assertFalse(share.takes(-0.1) || share.takes(100.1));
    assertTrue(share.isBelow(100.1));
    assertFalse(share.isBelow(100) || share.isBelow(-1));
    assertEquals(0.1, share.back(share.of(0)), 1e-12);
    assertEquals(99.9, share.back(share.of(100)), 1e-12);
  }
}
