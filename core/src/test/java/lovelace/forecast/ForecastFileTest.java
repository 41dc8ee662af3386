package lovelace.forecast;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.forecast.time.Frequency;
import lovelace.forecast.time.Moment;
import lovelace.forecast.time.TimeForm;
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

  @Test
  void filesOfTheFirstVersionAreRead(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("old.lvf");
    try (var in = getClass().getResourceAsStream("version-1.lvf")) {
      Files.write(file, Objects.requireNonNull(in).readAllBytes());
    }
    ForecastFile found = ForecastFile.open(file);
    assertEquals(1, found.version());
    assertEquals(3, found.series());
    Forecasts forecasts = Forecasts.load(file);
    assertEquals(List.of("shop 0", "shop 1", "shop 2"), forecasts.ids());
    assertEquals(1, forecasts.of("shop 1").series().gaps());
    double median = forecasts.of("shop 2").median(2);
    assertTrue(median > 10 && median < 18, () -> "values lie between 12 and 16: " + median);
    forecasts.save(file);
    assertEquals(2, ForecastFile.open(file).version());
  }

  @Test
  void placesInATableAreKept(@TempDir Path folder) throws IOException {
    Frequency months = Frequency.parse("MS");
    Frequency middle =
        Frequency.through(
            Moment.of(LocalDate.of(2020, 1, 15)), Frequency.Unit.MONTH, 1, Optional.empty());
    StoredTable table =
        new StoredTable(
            List.of("shop", "item"),
            List.of("BIGINT", "VARCHAR"),
            "month",
            "DATE",
            "sold",
            TimeForm.read("t", "month", List.of("2020-01-01")).form(),
            months);
    List<StoredSeries> stored =
        List.of(
            new StoredSeries(List.of("1", "a"), months, 600, TimeSeries.of("1, a", 1, 2, 3)),
            new StoredSeries(
                Arrays.asList("2", null), middle, 601, TimeSeries.of("2, ", 1, Double.NaN, 3)));
    Path file = folder.resolve("a.lvf");
    try (ForecastFile.Writer out = ForecastFile.create(file, fitted().model(), table)) {
      for (StoredSeries each : stored) out.add(each);
      out.finish();
    }
    ForecastFile found = ForecastFile.open(file);
    assertEquals(table.ids(), found.table().ids());
    assertEquals(table.form().parts(), found.table().form().parts());
    assertEquals(months, found.table().frequency());
    List<StoredSeries> read = new ArrayList<>();
    found.forEach(read::add);
    assertEquals(2, read.size());
    for (int i = 0; i < 2; i++) {
      assertEquals(stored.get(i).ids(), read.get(i).ids());
      assertEquals(stored.get(i).steps(), read.get(i).steps());
      assertEquals(stored.get(i).first(), read.get(i).first());
      assertArrayEquals(stored.get(i).values().values(), read.get(i).values().values());
    }
    StoredSeries more = read.getFirst().then(605, TimeSeries.of("1, a", 9));
    assertArrayEquals(
        new double[] {1, 2, 3, Double.NaN, Double.NaN, 9}, more.values().values(), "gaps are NaN");
    assertThrows(
        IllegalArgumentException.class, () -> more.then(605, TimeSeries.of("1, a", 9)), "overlap");
  }

  @Test
  void aSeriesWithoutTimesDoesNotGoIntoATableWithTimes(@TempDir Path folder) throws IOException {
    Frequency months = Frequency.parse("MS");
    StoredTable table =
        new StoredTable(
            List.of("shop"),
            List.of("VARCHAR"),
            "month",
            "DATE",
            "sold",
            TimeForm.read("t", "month", List.of("2020-01-01")).form(),
            months);
    Path file = folder.resolve("a.lvf");
    try (ForecastFile.Writer out = ForecastFile.create(file, fitted().model(), table)) {
      out.add(new StoredSeries(List.of("a"), months, 600, TimeSeries.of("a", 1, 2, 3)));
      out.finish();
    }
    Forecasts more = Forecasts.load(file).update(List.of(TimeSeries.of("a", 4)));
    more.save(file);
    assertEquals(4, Forecasts.load(file).of("a").series().size());
    Forecasts fresh = more.update(List.of(TimeSeries.of("b", 4)));
    var e = assertThrows(IllegalArgumentException.class, () -> fresh.save(file));
    assertTrue(
        String.valueOf(e.getMessage()).startsWith("series 'b' was added without times"),
        e::toString);
  }

  @Test
  void aFileThatIsNotFinishedChangesNothing(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("a.lvf");
    Forecasts before = fitted();
    before.save(file);
    byte[] whole = Files.readAllBytes(file);
    try (ForecastFile.Writer out = ForecastFile.create(file, before.model(), StoredTable.PLAIN)) {
      out.add(StoredSeries.plain(TimeSeries.of("x", 1, 2)));
    }
    assertArrayEquals(whole, Files.readAllBytes(file));
  }
}
