package lovelace.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.forecast.Forecast;
import lovelace.forecast.TimeSeries;
import lovelace.plot.SeriesPicture;
import lovelace.plot.SeriesPicture.Curve;
import lovelace.plot.SeriesPicture.Fan;
import lovelace.plot.SeriesPicture.Panel;

/// Collects the forecasts of a backtest for a picture, window by window. Where windows overlap,
/// those are drawn that do not, the last among them.
final class BacktestGallery {

  private final SeriesGallery gallery;
  private final int season;
  private final int horizon;
  private final int windows;
  private final int every;
  private final Map<Integer, Pending> pending = new LinkedHashMap<>();

  BacktestGallery(SeriesGallery gallery, int season, int horizon, int windows, int stride) {
    this.gallery = gallery;
    this.season = season;
    this.horizon = horizon;
    this.windows = windows;
    every = Math.ceilDiv(horizon, stride);
  }

  /// The windows of one series so far.
  private static final class Pending {
    final boolean wanted;
    final double size;
    final double anomaly;
    final List<Fan> fans = new ArrayList<>();
    double error;
    double miss;
    int count;

    Pending(PlacedSeries series, int season, SeriesGallery gallery) {
      size = SeriesFacts.size(series.values());
      anomaly = SeriesFacts.anomaly(series.values(), season);
      wanted = gallery.wants(size, anomaly);
    }
  }

  /// Adds the forecast of a window.
  ///
  /// @param cut the number of values before it
  /// @param lead the steps of the forecast that lie before the cut
  /// @param medians from the cut on
  void add(
      PlacedSeries series,
      int window,
      int cut,
      int lead,
      Forecast forecast,
      double[] medians,
      double scale) {
    Pending one =
        pending.computeIfAbsent(series.number(), number -> new Pending(series, season, gallery));
    if (!one.wanted) return;
    TimeSeries values = series.values();
    for (int k = 0; k < medians.length; k++) {
      double error = Math.abs(values.value(cut + k) - medians[k]) / scale;
      if (!Double.isFinite(error)) continue;
      one.error += error;
      one.count++;
    }
    if ((windows - 1 - window) % every != 0 || medians.length == 0) return;
    Fan fan = SeriesGallery.fan(forecast, lead, series.first() + cut, medians.length);
    for (int k = 0; k < medians.length; k++) {
      double[] q = fan.quantiles()[k];
      double half = q[q.length - 1] / 2 - q[0] / 2;
      double error = Math.abs(values.value(cut + k) - medians[k]) / half;
      if (Double.isFinite(error)) one.miss = Math.max(one.miss, error);
    }
    one.fans.add(fan);
  }

  /// Ends a batch of series.
  void end(List<PlacedSeries> batch) {
    for (PlacedSeries series : batch) {
      Pending one = pending.get(series.number());
      if (one == null) {
        gallery.skip();
        continue;
      }
      if (!one.wanted) continue;
      TimeSeries values = series.values();
      double[] last = new double[Math.min(horizon, values.size())];
      for (int k = 0; k < last.length; k++) last[k] = values.value(values.size() - last.length + k);
      double[] facts = {
        one.count == 0 ? Double.NaN : one.error / one.count,
        one.size,
        SeriesFacts.growth(values.first(values.size() - last.length), 0, last, season),
        one.miss,
        one.anomaly
      };
      gallery.keep(series, one.fans, facts, one.size, one.anomaly);
    }
    pending.clear();
  }

  /// Writes the picture.
  ///
  /// @param levels of the intervals in percent
  /// @param table the scores, with a head
  String write(
      SeriesTable series,
      SeriesSteps steps,
      Backtest.Results results,
      double[] levels,
      List<List<String>> table)
      throws IOException {
    List<Curve> errors =
        List.of(
            new Curve("lovelace", results.ours().maseBySteps(), true),
            new Curve("seasonal naive", results.naive().maseBySteps(), false));
    List<Panel> panels = new ArrayList<>(List.of(new Panel("Error by step", "MASE", errors)));
    List<Curve> inside = new ArrayList<>();
    for (int l = 0; l < levels.length; l++) {
      double[] shares = results.ours().coverageBySteps(l);
      double[] goal = new double[shares.length];
      for (int k = 0; k < goal.length; k++) {
        shares[k] *= 100;
        goal[k] = levels[l];
      }
      String name = ForecastColumns.number(levels[l]) + " %";
      inside.add(new Curve(name + " interval", shares, true));
      inside.add(new Curve("", goal, false));
    }
    if (!inside.isEmpty()) panels.add(new Panel("Values inside their intervals", "%", inside));
    return gallery.write(
        SeriesPicture.titled("Backtest of " + SeriesGallery.label(series))
            .subtitle(
                String.format(
                    Locale.ROOT,
                    "%,d %s of %,d steps (%s)%s; intervals of 50, 80 and 95 %%",
                    windows,
                    windows == 1 ? "forecast" : "forecasts",
                    horizon,
                    steps.frequency().words(),
                    every == 1
                        ? ""
                        : String.format(Locale.ROOT, ", of which one in %,d is drawn", every)))
            .facts(SeriesFacts.OF_BACKTESTS)
            .scores(panels, table));
  }
}
