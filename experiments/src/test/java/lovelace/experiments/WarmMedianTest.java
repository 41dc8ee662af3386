package lovelace.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The clock of these tests stands still unless work moves it: what is tested takes no time.
class WarmMedianTest {

  private static final double MS = 1e6;

  private double now;
  private long calls;
  private double pointer; // MB allocated since the last collection
  private double touched; // MB that were ever allocated in: beyond them memory is new

  private WarmMedian clock(double seconds) {
    return new WarmMedian(seconds, 1, () -> (long) now, () -> pointer = 0);
  }

  private DoubleSupplier work(DoubleSupplier milliseconds) {
    return () -> {
      now += MS * milliseconds.getAsDouble();
      calls++;
      return 0;
    };
  }

  /// New pages cost more than the work itself; a program that has run for a while meets none.
  @ParameterizedTest
  @ValueSource(doubles = {0, 200, 500, 5000})
  void aTimeDoesNotDependOnHowMuchOfTheHeapWasUsedBefore(double before) {
    touched = before;
    double found =
        clock(0.3)
            .milliseconds(
                work(
                    () -> {
                      pointer += 17.5;
                      double fresh = Math.clamp(pointer - touched, 0, 17.5);
                      touched = Math.max(touched, pointer);
                      return 12 + 45 * fresh / 17.5;
                    }));
    assertEquals(12, found, 1e-9);
  }

  /// A compiler that is busy with other methods leaves a time alone for a while and then improves
  /// it.
  @Test
  void codeThatBecomesFasterInStepsIsWaitedFor() {
    double found =
        clock(0.1).milliseconds(work(() -> calls < 3 ? 60 : calls < 8 ? 30 : calls < 13 ? 28 : 12));
    assertEquals(12, found, 1e-9);
  }

  @Test
  void quartilesTellWhenTimesJump() {
    WarmMedian.Time jumping = clock(0.1).measure(work(() -> calls % 3 == 0 ? 30 : 10));
    assertEquals(10 * MS, jumping.median(), 1e-3);
    assertEquals(10 * MS, jumping.lower(), 1e-3);
    assertEquals(30 * MS, jumping.upper(), 1e-3);
    assertEquals(1, jumping.spread(), 1e-9);
    assertFalse(jumping.steady());
    WarmMedian.Time even = clock(0.1).measure(work(() -> calls % 2 == 0 ? 10.5 : 10));
    assertTrue(even.steady(), even::toString);
  }

  @Test
  void whatTakesLongIsMeasuredOnceAndHasNoSpread() {
    WarmMedian.Time slow = clock(0.1).measure(work(() -> 2000));
    assertEquals(1, slow.calls());
    assertEquals(1, calls);
    assertTrue(Double.isNaN(slow.spread()), slow::toString);
    assertEquals(1, clock(0).measure(work(() -> 3)).calls());
  }
}
