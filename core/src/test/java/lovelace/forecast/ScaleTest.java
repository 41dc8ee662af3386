package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Forecasts are in the unit of their series.
class ScaleTest {

  private static final int HORIZON = 5;

  private static final double[] LEVELS = {.005, .025, .1, .5, .9, .975, .995};

  private static TimeSeries times(TimeSeries series, double factor) {
    return TimeSeries.of(
        series.id(), Arrays.stream(series.values()).map(v -> factor * v).toArray());
  }

  /// Values that are multiplied are rounded anew, and evidence is kept in single precision.
  @ParameterizedTest
  @ValueSource(doubles = {1000, 1024})
  void aFactorOfTheValuesIsAFactorOfTheForecasts(double factor) {
    List<TimeSeries> series =
        new ArrayList<>(LongStream.range(0, 40).mapToObj(AllSorts::series).toList());
    // Their digits end where those of numbers do.
    series.removeIf(each -> each.id().matches(".*sort (7|8|19),.*"));
    // Rounding to powers of ten is part of a series.
    if (factor == 1024)
      series.removeIf(each -> Arrays.stream(each.values()).anyMatch(ScaleTest::isRound));
    // Small whole numbers are counts, and have no unit.
    ForecastModel model =
        Forecaster.DEFAULT
            .withHorizon(HORIZON)
            .withSeasons(4)
            .withLikelihood(ValueKind.NUMBERS)
            .learn(series);
    List<Forecast> plain = model.forecast(series);
    List<Forecast> larger =
        model.forecast(series.stream().map(each -> times(each, factor)).toList());
    for (int i = 0; i < plain.size(); i++)
      for (int step = 0; step < HORIZON; step++) {
        double[] p = plain.get(i).quantiles(step, LEVELS);
        double[] q = larger.get(i).quantiles(step, LEVELS);
        double size = factor * Math.max(Math.abs(p[0]), Math.abs(p[LEVELS.length - 1]));
        for (int l = 0; l < p.length; l++)
          assertEquals(factor * p[l], q[l], 1e-4 * size, plain.get(i).id() + ", step " + step);
      }
  }

  private static boolean isRound(double value) {
    double digits = Math.abs(value) * 1e6;
    return digits == Math.rint(digits);
  }

  @Test
  void learningDoesNotDependOnTheUnit() {
    SplittableRandom random = new SplittableRandom(9);
    List<TimeSeries> series = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      double[] y = new double[40];
      for (int t = 0; t < 40; t++)
        y[t] = (t == 0 ? 100 : y[t - 1]) * Math.exp(0.05 * random.nextGaussian());
      series.add(TimeSeries.of("s" + i, y));
    }
    Forecaster forecaster = Forecaster.DEFAULT.withHorizon(HORIZON);
    Forecasts plain = forecaster.fit(series);
    Forecasts larger = forecaster.fit(series.stream().map(each -> times(each, 1000)).toList());
    for (int i = 0; i < 20; i++)
      for (int step = 0; step < HORIZON; step++)
        for (double level : LEVELS) {
          double wanted = 1000 * plain.all().get(i).quantile(step, level);
          assertEquals(wanted, larger.all().get(i).quantile(step, level), 1e-3 * wanted);
        }
  }
}
