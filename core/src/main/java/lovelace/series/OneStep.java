package lovelace.series;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Forecasts of a history one step ahead, all from the whitened values of each point.
///
/// With L the factor at the values and i of them before a step, `w = L⁻¹k` gives the place `w·v +
/// (1 − w·o)·level` and the variance `k₀ − |w|² + (1 − w·o)²/oo`, with sums over the i values.
/// Level and mean square follow the values by recursion.
final class OneStep {

  /// The fewest values before a forecast: with two degrees of freedom, medians are steady.
  static final int LEAST = 3;

  /// No quantile is further outside the history than this many times its range.
  private static final double REACH = 40;

  private final History history;
  private final List<PointFit> points;
  private final int[] steps;
  private final int[] before; // the number of values before each of the steps

  private OneStep(History history, List<PointFit> points) {
    this.history = history;
    this.points = points;
    int[] observed = history.observed;
    int from = observed.length <= LEAST ? history.size() : observed[LEAST - 1] + 1;
    steps = IntStream.range(from, history.size()).toArray();
    before = new int[steps.length];
    int seen = LEAST;
    for (int r = 0; r < steps.length; r++) {
      before[r] = seen;
      if (seen < observed.length && observed[seen] == steps[r]) seen++;
    }
  }

  /// The forecasts of the steps from the fourth value on.
  ///
  /// @param first the step of the first value of the history
  static Fitted of(
      History history,
      int first,
      List<PointFit> points,
      Calibration calibration,
      int horizon,
      double... levels) {
    OneStep all = new OneStep(history, points);
    Blend[] blends = all.blends();
    double[] looked = new double[levels.length];
    for (int l = 0; l < looked.length; l++) looked[l] = calibration.level(0, horizon, levels[l]);
    double[] median = new double[blends.length];
    double[][] quantiles = new double[blends.length][];
    for (int r = 0; r < blends.length; r++) {
      median[r] = all.bounded(blends[r].quantiles(0.5))[0];
      quantiles[r] = all.bounded(blends[r].quantiles(looked));
    }
    return new Fitted(
        IntStream.of(all.steps).map(step -> first + step).toArray(), median, quantiles);
  }

  private double[] bounded(double[] values) {
    double low = Arrays.stream(history.values).min().orElse(0);
    double high = Arrays.stream(history.values).max().orElse(0);
    double reach = REACH * Math.max(high - low, Math.max(history.step, 0.01 * Math.abs(high)));
    double lowest = low >= 0 ? 0 : low - reach;
    for (int i = 0; i < values.length; i++)
      values[i] = Math.clamp(values[i], history.scale * lowest, history.scale * (high + reach));
    return values;
  }

  private Blend[] blends() {
    Blend[] blends = new Blend[steps.length];
    for (int r = 0; r < blends.length; r++)
      blends[r] = new Blend(history.scale, before[r] - 1, points);
    int[] gaps =
        IntStream.range(0, steps.length).filter(r -> !history.isObserved(steps[r])).toArray();
    for (int p = 0; p < points.size(); p++) fill(p, gaps, blends);
    return blends;
  }

  private void fill(int p, int[] gaps, Blend[] blends) {
    PointFit point = points.get(p);
    int n = point.n;
    double[] o = point.factor.ones;
    double[] level = new double[n + 1];
    double[] squares = new double[n + 1];
    double[] sum = new double[n + 1];
    for (int i = 0; i < n; i++) {
      double e = point.v[i] - o[i] * level[i];
      squares[i + 1] = squares[i] + o[i] * o[i];
      level[i + 1] = level[i] + o[i] * e / squares[i + 1];
      if (i > 0) sum[i + 1] = sum[i] + e * e * squares[i] / squares[i + 1];
    }
    double[] l = point.factor.l;
    int gap = 0;
    int size = history.size();
    double[] k = gaps.length == 0 ? new double[0] : point.covariance(size);
    double[] w = whitened(point, k, gaps);
    for (int r = 0; r < steps.length; r++) {
      int i = before[r];
      double place;
      double flat;
      double variance;
      if (gap < gaps.length && gaps[gap] == r) {
        flat = 1;
        place = 0;
        variance = k[steps[r] * size + steps[r]];
        for (int j = 0; j < i; j++) {
          double x = w[j * gaps.length + gap];
          flat -= x * o[j];
          place += x * point.v[j];
          variance -= x * x;
        }
        gap++;
      } else {
        double d = l[i * point.factor.size + i];
        flat = d * o[i];
        place = point.z[i] - d * point.v[i];
        variance = d * d;
      }
      double unit = Math.max(sum[i], point.least(i)) / (i - 1);
      blends[r].value(
          p,
          point.centre + place + flat * level[i],
          Math.sqrt(unit * (variance + flat * flat / squares[i])));
    }
  }

  /// `L⁻¹ k` for the steps of gaps, by value, then gap.
  private double[] whitened(PointFit point, double[] k, int[] gaps) {
    int[] observed = history.observed;
    int size = history.size();
    double[] w = new double[observed.length * gaps.length];
    for (int i = 0; i < observed.length; i++)
      for (int g = 0; g < gaps.length; g++) {
        int s = steps[gaps[g]];
        w[i * gaps.length + g] = k[Math.max(observed[i], s) * size + Math.min(observed[i], s)];
      }
    if (gaps.length > 0) point.factor.whiten(observed.length, gaps.length, w);
    return w;
  }
}
