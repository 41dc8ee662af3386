package lovelace.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.series.CalibratedMixture;
import lovelace.series.Calibration;
import lovelace.series.History;
import lovelace.series.Library;
import lovelace.series.Mixture;
import lovelace.series.Outlook;
import lovelace.series.Reading;
import lovelace.series.counts.CountLearner;
import lovelace.series.counts.CountModel;
import lovelace.series.counts.Support;

/// Forecasts of counts and amounts beside those of numbers: which series are which, and the outlook
/// that each gets.
final class Supports {

  /// The fewest values that tell counts from numbers. Fewer follow most series of a table.
  private static final int FEWEST = 4;

  private Supports() {}

  /// The kind of the values of a series, whose gaps are as they are meant.
  static Support of(Forecaster options, TimeSeries series) {
    Support asked =
        switch (options.likelihood()) {
          case NUMBERS -> Support.NUMBERS;
          case COUNTS -> Support.COUNTS;
          case AMOUNTS -> Support.AMOUNTS;
          case AUTO ->
              options.bounds().length > 0 || series.covariates().isPresent()
                  ? Support.NUMBERS
                  : Support.of(series.array());
        };
    int other = asked.firstOther(series.array());
    if (other >= 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              asked == Support.COUNTS
                  ? "series '%s': value %,d is %s, and counts are whole numbers from 0; leave the series out, or choose the likelihood auto or numbers"
                  : "series '%s': value %,d is %s, and amounts are not negative; leave the series out, or choose the likelihood auto or numbers",
              series.id(),
              other + 1,
              series.value(other)));
    return asked;
  }

  /// Learns from series whose last values were held out.
  static CountModel learn(
      Forecaster options,
      Library library,
      List<TimeSeries> series,
      List<History> histories,
      List<Reading> readings,
      List<Mixture> held,
      Calibration calibration) {
    List<CountLearner.Case> cases = new ArrayList<>();
    for (int i = 0; i < series.size(); i++) {
      TimeSeries each = series.get(i);
      Support support = of(options, each);
      if (support == Support.NUMBERS
          || each.covariates().isPresent()
          || readings.get(i).held().isEmpty()) continue;
      int last = histories.get(i).size() - readings.get(i).held().getFirst().length();
      cases.add(
          new CountLearner.Case(
              support,
              each.array(),
              last,
              new CalibratedMixture(
                  held.get(i),
                  calibration,
                  options.horizon(),
                  (count, random) -> {
                    throw new IllegalStateException("no paths of values held out");
                  })));
    }
    return new CountLearner(library.seasons()).learn(cases);
  }

  /// The forecast of a series by its kind.
  ///
  /// @param meant the series with its gaps as they are meant
  /// @param numbers the outlook by the library of processes
  /// @param reasons of that outlook
  static Forecast forecast(
      ForecastModel model,
      TimeSeries series,
      TimeSeries meant,
      Forecast.Kind kind,
      Outlook numbers,
      Reasons reasons) {
    Forecaster options = model.options();
    boolean asked = options.likelihood() != ValueKind.AUTO;
    double[] y = meant.array();
    Support support = of(options, meant);
    if (!asked && options.bounds().length == 0 && series.covariates().isEmpty() && isOpen(y))
      support = common(model, y);
    Outlook outlook =
        series.covariates().isPresent()
            ? CountModel.like(support, y, numbers)
            : model.counts().outlook(support, y, options.horizon(), numbers, asked);
    boolean plain = !asked && !model.counts().hasShare(support, y);
    ValueKind likelihood =
        plain || support == Support.NUMBERS
            ? ValueKind.NUMBERS
            : support == Support.COUNTS ? ValueKind.COUNTS : ValueKind.AMOUNTS;
    return new Forecast(series, kind, options.horizon(), outlook, likelihood, reasons);
  }

  /// Whether values alone do not tell counts from numbers.
  private static boolean isOpen(double... y) {
    double[] seen = Arrays.stream(y).filter(v -> !Double.isNaN(v)).toArray();
    return seen.length < FEWEST || Arrays.stream(seen).allMatch(v -> v == 0);
  }

  /// The kind of most series that were learned from, if the values fit it.
  private static Support common(ForecastModel model, double... y) {
    boolean counts = 2 * model.counts().learnedFrom(Support.COUNTS) > model.learnedFrom();
    return counts && Support.COUNTS.firstOther(y) < 0 ? Support.COUNTS : Support.NUMBERS;
  }
}
