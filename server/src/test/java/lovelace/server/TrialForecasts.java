package lovelace.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import lovelace.forecast.ForecastFile;
import lovelace.forecast.ForecastModel;
import lovelace.forecast.Forecaster;
import lovelace.forecast.StoredSeries;
import lovelace.forecast.StoredTable;
import lovelace.forecast.TimeSeries;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.TimeForm;

/// Files of forecasts to serve: shops by month.
final class TrialForecasts {

  static final int HORIZON = 4;

  private TrialForecasts() {}

  /// The months from January 2021 on.
  static String month(int number) {
    return String.format(Locale.ROOT, "%d-%02d-01", 2021 + number / 12, number % 12 + 1);
  }

  /// Series of 30 months; each begins a month later than the one before.
  static List<StoredSeries> shops(int count, long seed) {
    List<String> months = new ArrayList<>();
    for (int t = 0; t < 40; t++) months.add(month(t));
    TimeForm.Column read = TimeForm.read("sales", "month", months);
    Frequency steps = Frequency.infer(read.moments(), read.form()).frequency().orElseThrow();
    SplittableRandom random = new SplittableRandom(seed);
    List<StoredSeries> all = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      double[] sold = new double[30];
      for (int t = 0; t < sold.length; t++) sold[t] = 100 + 20 * s + t + 3 * random.nextGaussian();
      String id = "shop " + s;
      all.add(
          new StoredSeries(
              List.of(id), steps, steps.index(read.moments().get(s)), TimeSeries.of(id, sold)));
    }
    return all;
  }

  static StoredTable table(StoredSeries one) {
    TimeForm form = TimeForm.read("sales", "month", List.of(month(0), month(1))).form();
    return new StoredTable(
        List.of("shop"), List.of("VARCHAR"), "month", "DATE", "sold", form, one.steps());
  }

  static ForecastModel model(List<StoredSeries> series) {
    return Forecaster.DEFAULT
        .withHorizon(HORIZON)
        .learn(series.stream().map(StoredSeries::values).toList());
  }

  /// Writes a file, and returns the model.
  static ForecastModel save(Path file, List<StoredSeries> series) throws IOException {
    ForecastModel model = model(series);
    try (ForecastFile.Writer out = ForecastFile.create(file, model, table(series.getFirst()))) {
      for (StoredSeries each : series) out.add(each);
      out.finish();
    }
    return model;
  }
}
