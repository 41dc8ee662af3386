package lovelace.series.sums;

import java.util.List;
import java.util.SplittableRandom;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;

/// Makes sums agree at one step: moves the series of every draw as little as their errors allow, so
/// that they add up to their sums.
///
/// With x the series, a the sums, S the matrix of members and W the covariance of base errors, `x ←
/// x − Cov(x, a − Sx) Var(a − Sx)⁻¹ (a − Sx)` for each draw, and `a ← Sx`. For means this is the
/// trace-minimising reconciliation of Wickramasuriya, Athanasopoulos and Hyndman (2019); applied to
/// draws it reconciles distributions (Panagiotelis, Gamakumara, Athanasopoulos and Hyndman 2023).
/// `W = (1 − λ) F Fᵀ + λ diag(s²)`, F the innovations times the widths s of the base forecasts over
/// the root of their number, so no matrix of series by series is made.
final class Reconciliation {

  private final List<int[]> members;
  private final Dependence dependence;
  private final int sums;
  private final int series;

  /// @param members of each sum
  /// @param dependence of the sums, then the series
  Reconciliation(List<int[]> members, Dependence dependence, int series) {
    this.members = members;
    this.dependence = dependence;
    this.series = series;
    sums = members.size();
  }

  /// Reconciles the draws of the series at one step in place. Those of the sums are what the series
  /// add up to.
  ///
  /// @param width of the base forecasts of sums, then series
  /// @param draws of sums, then series, each by draw
  /// @param least the smallest value of each series; −∞ for none
  /// @param whole whether each series has whole values
  /// @param random one stream a series
  void apply(
      double[] width, float[][] draws, double[] least, boolean[] whole, SplittableRandom[] random) {
    int count = draws[0].length;
    int times = dependence.times();
    double lambda = dependence.shrinkage();
    double common = times == 0 ? 0 : (1 - lambda) / times;
    double[] g = new double[sums * Math.max(1, times)];
    double[] v = new double[sums * sums];
    double[] gap = new double[sums * count];
    int[][] sumsOf = sumsOf();
    double largest = 0;
    for (double w : width) largest = Math.max(largest, w);
    double floor = 1e-9 * largest; // a series that is certain still has some room
    double[] square = new double[width.length];
    for (int i = 0; i < square.length; i++) {
      double w = Math.max(width[i], floor);
      square[i] = w == 0 ? 1 : w * w;
    }
    for (int a = 0; a < sums; a++) {
      int[] of = members.get(a);
      for (int t = 0; t < times; t++) {
        double sum = width[a] * dependence.known(a, t);
        for (int i : of) sum -= width[sums + i] * dependence.known(sums + i, t);
        g[a * times + t] = sum;
      }
      for (int d = 0; d < count; d++) {
        double sum = draws[a][d];
        for (int i : of) sum -= draws[sums + i][d];
        gap[a * count + d] = sum;
      }
    }
    if (times > 0) Blas.syrk(false, sums, times, common, g, 0, times, 0, v, 0, sums);
    for (int a = 0; a < sums; a++) v[a * sums + a] += lambda * square[a];
    for (int i = 0; i < series; i++)
      for (int a : sumsOf[i])
        for (int b : sumsOf[i]) if (b <= a) v[a * sums + b] += lambda * square[sums + i];
    for (int a = 0; a < sums; a++) v[a * sums + a] *= 1 + 1e-10;
    int pivot = Blas.potrf(sums, v, 0, sums);
    if (pivot != 0) throw new IllegalStateException("sums have pivot " + pivot + " ≤ 0");
    Blas.trsm(false, false, sums, count, 1, v, 0, sums, gap, 0, count);
    Blas.trsm(false, true, sums, count, 1, v, 0, sums, gap, 0, count);
    double[] h = new double[Math.max(1, times) * count]; // gᵀ y
    if (times > 0)
      Blas.gemm(true, false, times, count, sums, 1, g, 0, times, gap, 0, count, 0, h, 0, count);
    Parallel.forEach(
        series,
        i -> {
          double[] move = new double[count];
          double w = width[sums + i];
          for (int t = 0; t < times; t++) {
            double f = common * w * dependence.known(sums + i, t);
            if (f != 0) Blas.axpy(count, -f, h, t * count, move, 0);
          }
          for (int a : sumsOf[i])
            Blas.axpy(count, lambda * square[sums + i], gap, a * count, move, 0);
          float[] x = draws[sums + i];
          for (int d = 0; d < count; d++) {
            double value = Math.max(x[d] + move[d], least[i]);
            x[d] = (float) (whole[i] ? Math.floor(value + random[i].nextDouble()) : value);
          }
        });
  }

  /// The sums that each series is in.
  private int[][] sumsOf() {
    int[] count = new int[series];
    for (int[] of : members) for (int i : of) count[i]++;
    int[][] all = new int[series][];
    for (int i = 0; i < series; i++) all[i] = new int[count[i]];
    for (int a = sums - 1; a >= 0; a--) for (int i : members.get(a)) all[i][--count[i]] = a;
    return all;
  }
}
