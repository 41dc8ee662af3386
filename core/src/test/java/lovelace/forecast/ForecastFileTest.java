package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForecastFileTest {

  private static final double[] LEVELS = {0.025, 0.5, 0.975};

  private static List<TimeSeries> series() {
    SplittableRandom random = new SplittableRandom(7);
    List<TimeSeries> all = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      double[] y = new double[40];
      for (int t = 0; t < y.length; t++)
        y[t] = 100 + 10 * i + 20 * Math.sin(t * Math.PI / 2) + 5 * random.nextDouble();
      if (i == 3) y[17] = Double.NaN;
      all.add(TimeSeries.of("Ä " + i, y));
    }
    all.add(TimeSeries.of("empty"));
    return all;
  }

  private static Forecasts fitted() {
    return Forecaster.DEFAULT.withHorizon(4).withSeasons(4).fit(series());
  }

  private static void assertSame(Forecast expected, Forecast found) {
    assertEquals(expected.id(), found.id());
    assertEquals(expected.kind(), found.kind());
    for (int k = 0; k < expected.horizon(); k++)
      assertArrayEquals(expected.quantiles(k, LEVELS), found.quantiles(k, LEVELS));
  }

  @Test
  void loadingUndoesSaving(@TempDir Path folder) throws IOException {
    Forecasts before = fitted();
    Path file = folder.resolve("a.lvf");
    before.save(file);
    Forecasts after = Forecasts.load(file);
    assertEquals(before.all().size(), after.all().size());
    for (int i = 0; i < before.all().size(); i++)
      assertSame(before.all().get(i), after.all().get(i));
    byte[] first = Files.readAllBytes(file);
    after.save(file);
    assertArrayEquals(first, Files.readAllBytes(file));
  }

  @Test
  void everyDamageIsRefused(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("a.lvf");
    fitted().save(file);
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length; at += 97) {
      byte[] bad = whole.clone();
      bad[at] ^= 1;
      Files.write(file, bad);
      assertThrows(IOException.class, () -> Forecasts.load(file), "byte " + at);
      Files.write(file, Arrays.copyOf(whole, at));
      assertThrows(IOException.class, () -> Forecasts.load(file), "length " + at);
    }
  }

  @Test
  void updatesEqualForecastsOfTheLongerSeries() {
    Forecasts before = fitted();
    List<TimeSeries> more =
        List.of(TimeSeries.of("Ä 1", 130, 95), TimeSeries.of("new", 1, 2, 1, 2, 1, 2, 1, 2, 1));
    Forecasts after = before.update(more);
    double[] longer = Arrays.copyOf(series().get(1).values(), 42);
    longer[40] = 130;
    longer[41] = 95;
    assertSame(
        before.model().forecast(List.of(TimeSeries.of("Ä 1", longer))).getFirst(), after.of("Ä 1"));
    assertSame(before.of("Ä 2"), after.of("Ä 2"));
    assertEquals(before.all().size() + 1, after.all().size());
    assertTrue(after.of("new").median(0) > 0);
  }

  @Test
  void seriesWithColumnsAreRefused(@TempDir Path folder) {
    Columns columns = Columns.of(List.of("x"), new double[][] {new double[24]});
    double[] y = new double[20];
    Arrays.setAll(y, t -> t % 3);
    Forecasts forecasts =
        Forecaster.DEFAULT.withHorizon(4).fit(List.of(TimeSeries.of("a", y).with(columns)));
    var e =
        assertThrows(IllegalArgumentException.class, () -> forecasts.save(folder.resolve("a.lvf")));
    assertTrue(String.valueOf(e.getMessage()).startsWith("series 'a' has columns"), e::toString);
  }
}
