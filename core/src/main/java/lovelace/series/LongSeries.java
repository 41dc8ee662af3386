package lovelace.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.linear.Gaussian;
import lovelace.series.state.LongFit;
import lovelace.series.state.LongPoint;
import lovelace.series.state.Times;
import org.jspecify.annotations.Nullable;

/// A long or irregular series, forecast by the average of several state spaces whose variances were
/// learned from it ([LongFit]).
///
/// A state space counts by its evidence and by the log densities of whole horizons at up to six
/// earlier origins. The evidence of a long history counts as that of 1,008 values: it is about one
/// step, and no process is true to the last of many values.
public final class LongSeries {

  /// How many earlier origins are scored, and how many times the last values are held out.
  private static final int ORIGINS = 6, HELD = 3;

  /// The fewest values before an origin, and their share of all.
  private static final int FEWEST = 30;

  private static final double PART = 1 / 3.;

  private static final double LEAST = 1e-4;

  /// No quantile is further outside the history than this many times its range, and those of
  /// positive series stay above the smallest value divided by the second.
  private static final double REACH = 40, POSITIVE = 100;

  private final History history;
  private final double[] periods;
  private final int horizon;
  private final int naive;
  private final int[] origins;
  private final List<LongPoint> points;
  private final int[] warp;
  private final double[][][] density; // by origin, point, step: logarithms

  private LongSeries(
      History history,
      double[] periods,
      int horizon,
      int naive,
      int[] origins,
      List<LongPoint> points,
      int[] warp) {
    this.periods = periods.clone();
    this.history = history;
    this.horizon = horizon;
    this.naive = naive;
    this.origins = origins;
    this.points = points;
    this.warp = warp;
    density = new double[origins.length][points.size()][];
    for (int o = 0; o < origins.length; o++)
      for (int j = 0; j < points.size(); j++) density[o][j] = densities(o, j);
  }

  /// Fits a history.
  ///
  /// @param times of its values and of the horizon
  /// @param periods of the seasons, ascending
  public static LongSeries of(History history, Times times, double[] periods, int horizon) {
    int n = history.size();
    int[] taken = IntStream.range(0, history.warps.size()).filter(history::takes).toArray();
    double[][] values = new double[taken.length][];
    double[][] slopes = new double[taken.length][];
    double[] least = new double[taken.length];
    for (int s = 0; s < taken.length; s++) {
      double[] z = new double[n];
      double[] sum = new double[n + 1];
      Arrays.fill(z, Double.NaN);
      for (int t : history.observed) {
        z[t] = history.warped[taken[s]][t];
        sum[t + 1] = history.warps.get(taken[s]).logSlope(history.values[t]);
      }
      for (int t = 0; t < n; t++) sum[t + 1] += sum[t];
      values[s] = z;
      slopes[s] = sum;
      least[s] = history.leastSquares(taken[s], n);
    }
    int[] origins = origins(history, horizon);
    LongFit.Data data =
        new LongFit.Data(times, n, values, slopes, least, periods, centred(history));
    List<LongPoint> points = LongFit.of(data, origins, horizon);
    int naive =
        (int) Arrays.stream(periods).map(Math::rint).filter(p -> 4 * p <= n).max().orElse(1);
    return new LongSeries(
        history,
        periods,
        horizon,
        times.whole() ? naive : 1,
        origins,
        points,
        points.stream().mapToInt(point -> taken[point.scale()]).toArray());
  }

  /// The columns less their means. The level is flat, so this changes no forecast.
  private static @Nullable Covariates centred(History history) {
    return history.covariates == null ? null : history.covariates.centred(history.observed);
  }

  /// Ascending places of earlier origins, a horizon apart, with enough values before each.
  private static int[] origins(History history, int horizon) {
    int n = history.size();
    int fewest = (int) Math.max(FEWEST, PART * n);
    return IntStream.rangeClosed(1, HELD + ORIGINS)
        .map(o -> n - (HELD + ORIGINS + 1 - o) * horizon)
        .filter(place -> place >= fewest && history.isObserved(place - 1))
        .toArray();
  }

  /// The log densities of a point's forecast of the steps after an origin; NaN in gaps.
  private double[] densities(int o, int j) {
    double[] logs = new double[horizon];
    double[] place = points.get(j).places(o);
    double[] spread = points.get(j).spreads(o);
    int nu = points.get(j).freedom(o);
    double constant = StudentTable.logConstant(nu);
    Warp scale = history.warps.get(warp[j]);
    double[] z = history.warped[warp[j]];
    for (int k = 0; k < horizon; k++) {
      int t = origins[o] + k;
      if (!history.isObserved(t)) {
        logs[k] = Double.NaN;
        continue;
      }
      double e = (z[t] - place[k]) / spread[k];
      logs[k] =
          constant
              - 0.5 * (nu + 1) * Math.log1p(e * e / nu)
              - Math.log(spread[k])
              + scale.logSlope(history.values[t])
              - Math.log(history.scale);
    }
    return logs;
  }

  /// The shares of the points, from the scores of the last origins up to some origin, which is left
  /// out.
  private double[] shares(int before) {
    double x = Weights.ratio(history.seen(), horizon);
    double kappa = Weights.power(Weights.POWERS, 2, x);
    double eta = Weights.power(Weights.POWERS, 0, x);
    eta *= Math.min(1, Library.MOST / (double) history.seen());
    double[] shares = new double[points.size()];
    for (int j = 0; j < shares.length; j++) {
      shares[j] = eta * points.get(j).evidence();
      for (int o = Math.max(0, before - ORIGINS); o < before; o++)
        for (double log : density[o][j]) if (!Double.isNaN(log)) shares[j] += kappa * log;
    }
    double top = Arrays.stream(shares).max().orElseThrow();
    for (int j = 0; j < shares.length; j++) {
      shares[j] = Math.exp(shares[j] - top);
      if (shares[j] < LEAST) shares[j] = 0;
    }
    double sum = Arrays.stream(shares).sum();
    for (int j = 0; j < shares.length; j++) shares[j] /= sum;
    return shares;
  }

  /// The places of the origins whose values after them are held out, the latest first.
  public int[] held() {
    int count = Math.min(HELD, origins.length);
    return IntStream.range(0, count).map(o -> origins[origins.length - 1 - o]).toArray();
  }

  /// The mean log density of the values held out after the latest origins.
  ///
  /// @param count how many of the origins
  public double score(int count) {
    double sum = 0;
    int all = 0;
    for (int o = origins.length - 1; o >= Math.max(0, origins.length - count); o--) {
      double[] shares = shares(o);
      for (int k = 0; k < horizon; k++) {
        if (Double.isNaN(density[o][0][k])) continue;
        double q = 0;
        for (int j = 0; j < shares.length; j++) q += shares[j] * Math.exp(density[o][j][k]);
        sum += Math.log(Math.max(q, 1e-300));
        all++;
      }
    }
    return all == 0 ? Double.NEGATIVE_INFINITY : sum / all;
  }

  /// The distribution function of the forecast from one of the [#held] origins, at the values after
  /// it; NaN in gaps.
  public double[] heldShares(int number) {
    int o = origins.length - 1 - number;
    Mixture mixture = mixture(o, shares(o));
    double[] shares = new double[horizon];
    for (int k = 0; k < horizon; k++) {
      int t = origins[o] + k;
      shares[k] = history.isObserved(t) ? mixture.cdf(k, history.value(t)) : Double.NaN;
    }
    return shares;
  }

  /// The reasons for the forecast.
  ///
  /// @param given all values, those left out of the history among them
  public Explained explained(Calibration calibration, double[] given) {
    return new LongExplanation(
        history, given, periods, calibration, horizon, points, shares(origins.length), warp);
  }

  /// The forecast after the last value.
  public CalibratedMixture outlook(Calibration calibration) {
    double[] shares = shares(origins.length);
    Mixture mixture = mixture(origins.length, shares);
    return new CalibratedMixture(
        mixture,
        calibration,
        horizon,
        (count, random) -> paths(mixture, shares, calibration, count, random));
  }

  private Mixture mixture(int origin, double[] shares) {
    int[] kept = IntStream.range(0, shares.length).filter(j -> shares[j] > 0).toArray();
    int count = kept.length + 1;
    int n = origin < origins.length ? origins[origin] : history.size();
    double[] share = new double[count];
    Warp[] warps = new Warp[count];
    double[] places = new double[horizon * count];
    double[] spreads = new double[horizon * count];
    for (int c = 0; c < kept.length; c++) {
      LongPoint point = points.get(kept[c]);
      share[c] = (1 - Forecasting.NAIVE) * shares[kept[c]];
      warps[c] = history.warps.get(warp[kept[c]]);
      double[] place = point.places(origin);
      double[] spread = point.spreads(origin);
      for (int k = 0; k < horizon; k++) {
        places[k * count + c] = history.centre[warp[kept[c]]] + place[k];
        spreads[k * count + c] = spread[k];
      }
    }
    share[count - 1] = Forecasting.NAIVE;
    warps[count - 1] = new Warp.Power(1);
    double width = naiveWidth(n);
    for (int k = 0; k < horizon; k++) {
      places[k * count + count - 1] = history.values[n - naive + k % naive];
      spreads[k * count + count - 1] = width * Math.sqrt(k / naive + 1.);
    }
    return new Mixture(
        horizon,
        history.scale,
        points.getFirst().freedom(origin),
        share,
        warps,
        places,
        spreads,
        bounds(n));
  }

  private double naiveWidth(int n) {
    double squares = 0;
    for (int t = naive; t < n; t++) {
      double d = history.values[t] - history.values[t - naive];
      squares += d * d;
    }
    double least = n * history.step * history.step / 12;
    return Math.sqrt(Math.max(Math.max(squares, least), 1e-18) / Math.max(1, n - naive));
  }

  /// The smallest and the largest value that is forecast, divided by the scale.
  private double[] bounds(int n) {
    double low = Arrays.stream(history.values, 0, n).min().orElseThrow();
    double high = Arrays.stream(history.values, 0, n).max().orElseThrow();
    double least = high > low ? history.step : Math.max(history.step, 0.01 * Math.abs(high));
    double range = Math.max(high - low, least);
    double lowest = low - REACH * range;
    if (low >= 0) lowest = Math.max(lowest, low / POSITIVE);
    double highest = high + REACH * range;
    for (Warp each : history.warps)
      if (each instanceof Warp.Between between) {
        lowest = Math.max(lowest, between.low() / history.scale);
        highest = Math.min(highest, between.high() / history.scale);
      }
    return new double[] {lowest, highest};
  }

  /// Joint paths: a point by its share, then a path of it, moved to the calibrated distribution of
  /// each step.
  private double[][] paths(
      Mixture mixture,
      double[] shares,
      Calibration calibration,
      int count,
      SplittableRandom random) {
    double[][] paths = new double[count][];
    for (int i = 0; i < count; i++) {
      double u = random.nextDouble();
      SplittableRandom own = random.split();
      paths[i] = u < Forecasting.NAIVE ? naivePath(own) : path(choose(shares, u), own);
      for (int k = 0; k < horizon; k++) paths[i][k] = mixture.moved(k, paths[i][k], calibration);
    }
    return paths;
  }

  private static int choose(double[] shares, double u) {
    double rest = (u - Forecasting.NAIVE) / (1 - Forecasting.NAIVE);
    int last = 0;
    for (int j = 0; j < shares.length; j++) {
      if (shares[j] == 0) continue;
      last = j;
      rest -= shares[j];
      if (rest < 0) return j;
    }
    return last;
  }

  private double[] path(int j, SplittableRandom random) {
    double[] path = points.get(j).path(random);
    Warp scale = history.warps.get(warp[j]);
    for (int k = 0; k < horizon; k++)
      path[k] = history.scale * scale.back(history.centre[warp[j]] + path[k]);
    return path;
  }

  private double[] naivePath(SplittableRandom random) {
    int n = history.size();
    double width = naiveWidth(n);
    double[] path = new double[horizon];
    for (int k = 0; k < horizon; k++) {
      double before = k < naive ? history.values[n - naive + k] : path[k - naive];
      path[k] = before + width * Gaussian.quantile(Math.max(random.nextDouble(), 0x1p-60));
    }
    for (int k = 0; k < horizon; k++) path[k] *= history.scale;
    return path;
  }

  /// The mean log density of the values that a reading of the library held out, and their number of
  /// origins.
  ///
  /// @param count at most how many origins
  public static double score(Reading reading, Weights weights, int horizon, int count) {
    List<Double> logs = new ArrayList<>();
    for (Reading.Held h : reading.held().stream().limit(count).toList()) {
      double[] shares = weights.shares(h.length(), horizon, h.evidence(), h.score());
      for (int k = 0; k < h.top().length; k++) {
        double q = 1e-12;
        for (int j = 0; j < shares.length; j++) q += shares[j] * h.density()[k][j];
        logs.add(Math.log(q) + h.top()[k]);
      }
    }
    return logs.stream().mapToDouble(Double::doubleValue).average().orElse(-1e300);
  }
}
