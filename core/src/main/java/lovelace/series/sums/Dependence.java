package lovelace.series.sums;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.linear.Gaussian;

/// How series move together: their innovations at common times, of which a part is replaced by
/// independent noise. The part λ is that of Schäfer and Strimmer (2005), which minimises the
/// expected square error of the correlations; Wickramasuriya, Athanasopoulos and Hyndman (2019) use
/// it to reconcile.
public final class Dependence {

  /// How many series tell λ.
  private static final int TELLING = 200;

  private static final double LEAST = 0.02;

  private final double[][] innovations; // by series, then time; NaN where unknown
  private final int times;
  private final double shrinkage;

  /// @param all innovations by series, then time, NaN where unknown. Times at which fewer than half
  ///   as many are known as at others are left out
  public Dependence(double[][] all) {
    int[] kept = kept(all);
    innovations = new double[all.length][];
    for (int i = 0; i < all.length; i++) {
      double[] own = all[i];
      innovations[i] = Arrays.stream(kept).mapToDouble(t -> own[t]).toArray();
    }
    times = kept.length;
    shrinkage = times < Innovations.LEAST ? 1 : Math.clamp(lambda(), LEAST, 1);
  }

  private static int[] kept(double[][] all) {
    int[] known = new int[all.length == 0 ? 0 : all[0].length];
    for (double[] own : all)
      for (int t = 0; t < known.length; t++) if (!Double.isNaN(own[t])) known[t]++;
    int most = Arrays.stream(known).max().orElse(0);
    return IntStream.range(0, known.length)
        .filter(t -> known[t] > 0 && 2 * known[t] >= most)
        .toArray();
  }

  private double lambda() {
    int n = innovations.length;
    int stride = Math.max(1, n / TELLING);
    double noise = 0;
    double signal = 0;
    for (int i = 0; i < n; i += stride)
      for (int j = i + stride; j < n; j += stride) {
        double mean = 0;
        int count = 0;
        for (int t = 0; t < times; t++) {
          double w = innovations[i][t] * innovations[j][t];
          if (Double.isNaN(w)) continue;
          mean += w;
          count++;
        }
        if (count < Innovations.LEAST) continue;
        mean /= count;
        double squares = 0;
        for (int t = 0; t < times; t++) {
          double w = innovations[i][t] * innovations[j][t];
          if (!Double.isNaN(w)) squares += (w - mean) * (w - mean);
        }
        noise += squares / ((double) count * (count - 1));
        signal += mean * mean;
      }
    return signal > 0 ? noise / signal : 1;
  }

  /// The part of independent noise, from 0.02 to 1.
  public double shrinkage() {
    return shrinkage;
  }

  /// The number of common times.
  public int times() {
    return times;
  }

  /// The innovation of a series at a time; 0 where unknown.
  double known(int series, int time) {
    double e = innovations[series][time];
    return Double.isNaN(e) ? 0 : e;
  }

  /// The innovations of a series in draws, each at the time that the draw has for all series.
  ///
  /// @param at the times of the draws
  /// @param random of this series alone
  double[] scores(int series, int[] at, SplittableRandom random) {
    double[] scores = new double[at.length];
    double own = Math.sqrt(shrinkage);
    double common = Math.sqrt(1 - shrinkage);
    for (int d = 0; d < scores.length; d++) {
      double z = Gaussian.quantile(Math.max(random.nextDouble(), 0x1p-60));
      double e = times == 0 ? Double.NaN : innovations[series][at[d]];
      scores[d] = Double.isNaN(e) ? z : common * e + own * z;
    }
    return scores;
  }
}
