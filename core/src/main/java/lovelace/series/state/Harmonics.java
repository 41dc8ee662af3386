package lovelace.series.state;

import java.util.Arrays;
import lovelace.series.Season;

/// The weights w of the harmonics of a season: its pattern is `P(d) = Σ_j w_j cos(2π j d/m)`.
///
/// A free value at each step of a whole period has `w_j = 2/(m − 1)`, half of it for j = m/2. A
/// smooth season has `w_j = 2 I_j(a)/(e^a − I_0(a))` with a = 1/ℓ² (Solin and Särkkä 2014). On
/// whole steps the harmonics of a whole period repeat, so they are folded onto those up to m/2.
final class Harmonics {

  /// Weights below this do not count.
  private static final double LEAST = 1e-17;

  private Harmonics() {}

  /// The weights by harmonic, from the constant on.
  static double[] of(Season season, boolean whole) {
    double m = season.period();
    if (season.smooth() == 0) {
      double[] w = new double[(int) m / 2 + 1];
      for (int j = 1; j < w.length; j++) w[j] = (2. * j == m ? 1 : 2) / (m - 1);
      return w;
    }
    double[] w = smooth(1 / (season.smooth() * season.smooth()));
    if (!whole || m != Math.rint(m) || w.length <= m / 2 + 1) return w;
    double[] folded = new double[(int) m / 2 + 1];
    for (int j = 0; j < w.length; j++) {
      int i = j % (int) m;
      folded[Math.min(i, (int) m - i)] += w[j];
    }
    return folded;
  }

  /// Scaled Bessel functions by Miller's backward recurrence, without the constant.
  private static double[] smooth(double a) {
    int top = 40 + (int) (2 * a + 12 * Math.sqrt(a));
    double[] bessel = new double[top + 2];
    bessel[top] = 1e-280;
    for (int j = top; j > 0; j--) {
      bessel[j - 1] = bessel[j + 1] + 2 * j / a * bessel[j];
      if (bessel[j - 1] > 1e250) for (int i = j - 1; i <= top; i++) bessel[i] *= 1e-250;
    }
    double all = bessel[0];
    for (int j = 1; j <= top; j++) all += 2 * bessel[j]; // e^a
    int last = 1;
    double[] w = new double[top + 1];
    for (int j = 1; j <= top; j++) {
      w[j] = 2 * bessel[j] / (all - bessel[0]);
      if (w[j] > LEAST) last = j;
    }
    return Arrays.copyOf(w, last + 1);
  }
}
