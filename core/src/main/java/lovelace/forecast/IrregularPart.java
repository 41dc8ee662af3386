package lovelace.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.series.CalibratedMixture;
import lovelace.series.Calibration;
import lovelace.series.Forecasting;
import lovelace.series.History;
import lovelace.series.LongSeries;
import lovelace.series.Mixture;
import lovelace.series.Outlook;
import lovelace.series.state.Times;

/// Forecasts of values at any times, by state spaces whose steps are the median gap.
final class IrregularPart {

  /// The fewest values of which the spread is known well.
  private static final int SHORT = 6;

  /// The change a step of a series with one value, relative to its size.
  private static final double CHANGE = 0.3;

  private IrregularPart() {}

  static Forecast forecast(Forecaster options, IrregularSeries series, double[] at) {
    if (options.likelihood() == ValueKind.COUNTS || options.likelihood() == ValueKind.AMOUNTS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "series '%s' has times on no regular steps, and %s need steps; choose the likelihood auto or numbers",
              series.id(),
              options.likelihood().name().toLowerCase(Locale.ROOT)));
    int n = series.size();
    TimeSeries values = TimeSeries.of(series.id(), series.values());
    if (at.length == 0)
      throw new IllegalArgumentException("there are no times to forecast; name one or more");
    if (n == 0) return new Forecast(values, Forecast.Kind.NONE, at.length, null);
    for (int k = 0; k < at.length; k++) {
      double before = k == 0 ? series.time(n - 1) : at[k - 1];
      if (!(at[k] > before && Double.isFinite(at[k])))
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "series '%s': time %,d to forecast is %s, and must be after %s; times ascend from the last value on",
                series.id(),
                k + 1,
                at[k],
                before));
    }
    if (n == 1) return one(options, values, series.value(0), at.length);
    Outlook outlook = outlook(options, series, at);
    boolean constant = Arrays.stream(series.values()).allMatch(v -> v == series.value(0));
    Forecast.Kind kind =
        constant ? Forecast.Kind.CONSTANT : n < SHORT ? Forecast.Kind.SHORT : Forecast.Kind.LONG;
    return new Forecast(values, kind, at.length, outlook);
  }

  private static Outlook outlook(Forecaster options, IrregularSeries series, double[] at) {
    int n = series.size();
    double gap = series.gap();
    double start = series.time(0);
    double[] times = Arrays.copyOf(series.times(), n + at.length);
    System.arraycopy(at, 0, times, n, at.length);
    for (int t = 0; t < times.length; t++) times[t] = (times[t] - start) / gap;
    double span = times[n - 1];
    double[] seasons =
        Arrays.stream(options.seasons())
            .map(p -> p / gap)
            .filter(p -> p >= 2 && p <= span)
            .toArray();
    History history = options.history(TimeSeries.of(series.id(), series.values()), options.warps());
    LongSeries fit = LongSeries.of(history, Times.of(times), seasons, at.length);
    List<double[]> held = new ArrayList<>();
    for (int o = 0; o < fit.held().length; o++) held.add(fit.heldShares(o));
    return fit.outlook(Calibration.of(held));
  }

  private static Forecast one(Forecaster options, TimeSeries values, double value, int horizon) {
    Mixture mixture = Forecasting.walk(value, CHANGE, horizon, options.warps());
    return new Forecast(
        values,
        Forecast.Kind.ONE,
        horizon,
        new CalibratedMixture(
            mixture,
            Calibration.NONE,
            horizon,
            (count, random) -> Forecasting.walks(mixture, horizon, count, random)));
  }
}
