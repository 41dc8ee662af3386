package lovelace.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDateTime;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.TimeScale;
import org.junit.jupiter.api.Test;

class ScaleTest {

  private static List<String> labels(Scale scale, int count) {
    return scale.ticks(count).stream().map(Scale.Tick::label).toList();
  }

  @Test
  void ticksAreRoundNumbers() {
    assertEquals(List.of("0", "200", "400", "600"), labels(Scale.exact(0, 710, false, null), 4));
    assertEquals(
        List.of("−0.2", "0.0", "0.2").toString().replace("0.0", "0"),
        labels(Scale.exact(-0.25, 0.21, false, null), 3).toString());
    assertEquals(List.of("1950", "1955", "1960"), labels(Scale.exact(1949, 1961, false, null), 3));
  }

  @Test
  void largeNumbersShareAPowerOfTen() {
    var scale = Scale.exact(0, 3e9, false, null);
    assertEquals(9, scale.exponent());
    assertEquals(List.of("0", "1", "2", "3"), labels(scale, 3));
    assertEquals("10⁻¹²", Scale.power(-12));
  }

  @Test
  void logarithmicTicksArePowers() {
    assertEquals(List.of("0.01", "1", "100"), labels(Scale.exact(0.01, 1e3, true, null), 4));
    assertEquals(List.of("1", "10", "0.5", "2", "5"), labels(Scale.exact(0.4, 11, true, null), 5));
  }

  @Test
  void timesFallOnTheCalendar() {
    var scale = TimeScale.of("t", List.of("2024-01-15", "2024-03-01"));
    var days =
        new Scale.Clock() {
          @Override
          public LocalDateTime time(double value) {
            return scale.time(value);
          }

          @Override
          public double value(LocalDateTime time) {
            return scale.number(time);
          }
        };
    assertEquals(
        List.of("2024-02", "2024-03", "2024-04"), labels(Scale.exact(0, 90, false, days), 4));
    assertEquals(List.of("2025", "2026", "2027"), labels(Scale.exact(0, 1200, false, days), 4));
    assertEquals(
        List.of("2024-01-15", "06:00", "12:00", "18:00", "2024-01-16"),
        labels(Scale.exact(0, 1, false, days), 5));
  }

  @Test
  void zeroIsShownWhereItIsNear() {
    assertEquals(0, Scale.around(100, 600, 0.04, false, null).low());
    assertTrue(Scale.around(500, 600, 0.04, false, null).low() > 490);
  }

  @Test
  void anyRangeHasTicksInsideIt() {
    long seed = 41;
    var random = new SplittableRandom(seed);
    for (int trial = 0; trial < 2000; trial++) {
      double a = random.nextGaussian() * Math.pow(10, random.nextInt(-300, 300));
      double b =
          random.nextBoolean()
              ? a * (1 + Math.pow(10, -random.nextInt(0, 18)))
              : random.nextGaussian() * Math.pow(10, random.nextInt(-300, 300));
      var scale = Scale.around(Math.min(a, b), Math.max(a, b), 0.04, false, null);
      var ticks = scale.ticks(6);
      String which = "seed " + seed + ", " + a + " to " + b + ": " + ticks;
      assertTrue(ticks.size() >= 2 && ticks.size() <= 12, which);
      for (var tick : ticks)
        assertTrue(tick.value() >= scale.low() && tick.value() <= scale.high(), which);
      assertEquals(ticks.size(), ticks.stream().map(Scale.Tick::label).distinct().count(), which);
    }
  }
}
