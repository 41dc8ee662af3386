package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.series.Simulated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalsTest {

  private static final int SERIES = Boolean.getBoolean("lovelace.long") ? 2_000 : 200;

  private static final int HORIZON = 6;

  /// Four standard errors of chance, and two hundredths for weights and calibrations that are
  /// learned from as many series.
  @ParameterizedTest
  @CsvSource({"0, 24", "4, 36"})
  void intervalsHoldForValuesThatNoStepOfLearningSaw(int period, int length) {
    double[] seasons = period == 0 ? new double[0] : new double[] {period};
    List<TimeSeries> series = new ArrayList<>();
    List<double[]> next = new ArrayList<>();
    for (int i = 0; i < SERIES; i++) {
      SplittableRandom random = new SplittableRandom(i);
      double[] y = Simulated.positive(seasons, length + HORIZON, random);
      series.add(TimeSeries.of("seed " + i, Arrays.copyOf(y, length)));
      next.add(Arrays.copyOfRange(y, length, length + HORIZON));
    }
    List<Forecast> forecasts =
        Forecaster.DEFAULT.withHorizon(HORIZON).withSeasons(seasons).fit(series).all();
    for (int step = 0; step < HORIZON; step++)
      for (double level : new double[] {0.5, 0.8, 0.95}) {
        double inside = 0;
        for (int i = 0; i < SERIES; i++) {
          double[] ends = forecasts.get(i).quantiles(step, 0.5 - level / 2, 0.5 + level / 2);
          double truth = next.get(i)[step];
          if (truth >= ends[0] && truth <= ends[1]) inside++;
        }
        double error = 4 * Math.sqrt(level * (1 - level) / SERIES) + 0.02;
        assertEquals(level, inside / SERIES, error, "step " + step);
      }
  }
}
