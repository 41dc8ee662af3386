package lovelace.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FftTest {

  static List<int[]> lengths() {
    return List.of(
        new int[] {1},
        new int[] {2},
        new int[] {3},
        new int[] {8},
        new int[] {13},
        new int[] {15},
        new int[] {207},
        new int[] {360},
        new int[] {1, 1},
        new int[] {1, 6},
        new int[] {5, 1},
        new int[] {4, 9},
        new int[] {20, 27},
        new int[] {3, 4, 5},
        new int[] {2, 3, 4, 5});
  }

  /// Shape of the half spectrum.
  private static int[] halved(int[] n) {
    int[] h = n.clone();
    h[h.length - 1] = n[n.length - 1] / 2 + 1;
    return h;
  }

  private static double[] definition(int[] n, double[] x) {
    int[] h = halved(n);
    int entries = Arrays.stream(h).reduce(1, (p, q) -> p * q);
    double[] spectrum = new double[2 * entries];
    for (int k = 0; k < entries; k++) {
      for (int i = 0; i < x.length; i++) {
        double phase = 0;
        for (int j = n.length - 1, a = k, b = i; j >= 0; a /= h[j], b /= n[j], j--)
          phase += (double) (a % h[j]) * (b % n[j]) / n[j];
        spectrum[2 * k] += x[i] * Math.cos(2 * Math.PI * phase);
        spectrum[2 * k + 1] -= x[i] * Math.sin(2 * Math.PI * phase);
      }
    }
    return spectrum;
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void transformIsTheDefinitionAndInverseUndoesIt(int[] n) {
    Fft fft = Fft.of(n);
    double[] x = new SplittableRandom(fft.size()).doubles(fft.size(), -1, 1).toArray();
    double[] spectrum = new double[fft.spectrumSize()];
    Arrays.fill(spectrum, Double.NaN);
    fft.forward(x, spectrum);
    assertArrayEquals(definition(n, x), spectrum, 1e-12);
    double[] back = new double[x.length];
    fft.inverse(spectrum, back);
    assertArrayEquals(x, back, 1e-14);
  }

  @ParameterizedTest
  @MethodSource("lengths")
  void cornerBoxEqualsPaddingWithZeros(int[] n) {
    Fft fft = Fft.of(n);
    int[] box = Arrays.stream(n).map(m -> (m + 1) / 2).toArray();
    int points = Arrays.stream(box).reduce(1, (p, q) -> p * q);
    double[] x = new SplittableRandom(5).doubles(points + 2, -1, 1).toArray();
    double[] padded = new double[fft.size()];
    int[] at = new int[points];
    for (int i = 0; i < points; i++) {
      for (int j = n.length - 1, rest = i, stride = 1; j >= 0; rest /= box[j], stride *= n[j], j--)
        at[i] += rest % box[j] * stride;
      padded[at[i]] = x[i + 2];
    }
    double[] spectrum = new double[fft.spectrumSize()];
    fft.forward(box, x, 2, spectrum);
    assertArrayEquals(definition(n, padded), spectrum, 1e-12);
    for (int i = 0; i < spectrum.length; i += 2) {
      spectrum[i] *= 3;
      spectrum[i + 1] *= 3;
    }
    double[] back = new double[points + 1];
    fft.inverse(box, spectrum, back, 1);
    for (int i = 0; i < points; i++) assertEquals(3 * x[i + 2], back[i + 1], 1e-13);
  }

  @Test
  void spectrumOfAnEvenArrayHoldsTheCirculantEigenvalues() {
    // the second difference: 2 − 2 cos(2πk/n)
    double[] eigenvalues = Fft.of(10).evenSpectrum(new double[] {2, -1, 0, 0, 0, 0, 0, 0, 0, -1});
    for (int k = 0; k < 6; k++)
      assertEquals(2 - 2 * Math.cos(2 * Math.PI * k / 10), eigenvalues[k], 1e-14);
  }

  @Test
  void smoothLengthsHaveNoFactorAboveFive() {
    assertEquals(1, Fft.smooth(1));
    assertEquals(8, Fft.smooth(7));
    assertEquals(15, Fft.smooth(13));
    assertEquals(1000, Fft.smooth(973));
    assertEquals(20_000, Fft.smooth(19_999));
  }

  @Test
  void noThreadIsLeftBehind() {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    Fft fft = Fft.of(1 << 17);
    fft.forward(new double[1 << 17], new double[fft.spectrumSize()]);
    Fft square = Fft.of(512, 512);
    square.forward(new double[1 << 18], new double[square.spectrumSize()]);
    long left =
        Thread.getAllStackTraces().keySet().stream()
            .filter(t -> !before.contains(t) && !t.isDaemon())
            .count();
    assertEquals(0, left);
  }

  @Test
  void wrongSizesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Fft.of(0));
    assertThrows(IllegalArgumentException.class, () -> Fft.of());
    assertThrows(IllegalArgumentException.class, () -> Fft.of(1 << 20, 1 << 20));
    Fft fft = Fft.of(8);
    assertThrows(
        IllegalArgumentException.class,
        () -> fft.forward(new int[] {9}, new double[9], 0, new double[10]));
    assertThrows(IllegalArgumentException.class, () -> fft.forward(new double[7], new double[10]));
    assertThrows(IllegalArgumentException.class, () -> fft.forward(new double[8], new double[9]));
  }
}
