package lovelace.spark;

import static lovelace.spark.LocalSession.session;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import lovelace.forecast.Bands;
import lovelace.forecast.Forecaster;
import lovelace.forecast.Forecasts;
import lovelace.forecast.TimeSeries;
import org.apache.spark.ml.param.Param;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Spark's forecasts are those of the library for the same series.
class ForecastSparkTest {

  private static final int HORIZON = 3;
  private static final LocalDate START = LocalDate.of(2021, 1, 1);

  @TempDir Path folder;

  private static final StructType SALES =
      new StructType()
          .add("shop", DataTypes.StringType)
          .add("item", DataTypes.IntegerType)
          .add("month", DataTypes.DateType)
          .add("sold", DataTypes.DoubleType);

  /// Months of a few series with a season, in any order. Each begins a month later than the one
  /// before.
  private static Map<String, double[]> values() {
    SplittableRandom random = new SplittableRandom(5);
    Map<String, double[]> all = new LinkedHashMap<>();
    for (int s = 0; s < 5; s++) {
      double[] y = new double[40 + s];
      for (int t = 0; t < y.length; t++)
        y[t] = 100 + 10 * s + 20 * Math.sin(t * Math.PI / 6) + 3 * random.nextGaussian();
      if (s == 2) y[7] = Double.NaN;
      all.put("a, " + (s + 8), y); // as numbers, 10 follows 9
    }
    return all;
  }

  private static Dataset<Row> sales(List<Row> more) {
    List<Row> rows = new ArrayList<>(more);
    int shift = 0;
    for (Map.Entry<String, double[]> each : values().entrySet()) {
      int item = Integer.parseInt(each.getKey().substring(3));
      for (int t = 0; t < each.getValue().length; t++)
        if (!Double.isNaN(each.getValue()[t]))
          rows.add(row("a", item, t + shift, each.getValue()[t]));
      shift++;
    }
    Collections.shuffle(rows, new Random(3));
    return session().createDataFrame(rows, SALES).repartition(3);
  }

  private static Row row(String shop, Integer item, int month, Double sold) {
    return RowFactory.create(shop, item, Date.valueOf(START.plusMonths(month)), sold);
  }

  private static LovelaceForecaster forecaster() {
    return new LovelaceForecaster()
        .setIdCols(new String[] {"shop", "item"})
        .setTimeCol("month")
        .setTargetCol("sold")
        .setHorizon(HORIZON);
  }

  private static Forecasts expected() {
    List<TimeSeries> series = new ArrayList<>();
    values().forEach((id, y) -> series.add(TimeSeries.of(id, y)));
    return Forecaster.DEFAULT.withHorizon(HORIZON).withSeasons(12).fit(series);
  }

  private static void same(Forecasts expected, Dataset<Row> found, Bands bands) {
    List<Row> rows = found.orderBy("item", "month").collectAsList();
    assertEquals(5 * HORIZON, rows.size());
    for (Row row : rows) {
      int s = row.<Integer>getAs("item") - 8;
      LocalDate month = row.<Date>getAs("month").toLocalDate();
      int step = (int) START.until(month).toTotalMonths() - (40 + 2 * s);
      double[] numbers = bands.at(expected.of("a, " + (s + 8)), step);
      for (int c = 0; c < numbers.length; c++)
        assertEquals(
            numbers[c],
            row.<Double>getAs(bands.names().get(c)),
            1e-9 * Math.abs(numbers[c]),
            row.toString());
    }
  }

  @Test
  void forecastsAreThoseOfTheLibrary() throws Exception {
    Dataset<Row> sales = sales(List.of());
    LovelaceForecastModel model = forecaster().fit(sales);
    Forecasts expected = expected();
    Dataset<Row> next = model.transform(sales);
    same(expected, next, Bands.DEFAULT);
    assertEquals(
        List.of("shop", "item", "month", "median", "mean", "lo-80", "hi-80", "lo-95", "hi-95"),
        List.of(next.columns()));
    assertEquals(DataTypes.DateType, next.schema().apply("month").dataType());
    assertEquals(next.schema(), model.transformSchema(sales.schema()));
    model.write().save(folder.resolve("model").toString());
    LovelaceForecastModel loaded =
        LovelaceForecastModel.load(folder.resolve("model").toString()).setLevels(new double[] {50});
    same(expected, loaded.transform(sales), Bands.of(50));
    LovelaceForecastModel file =
        LovelaceForecastModel.of(folder.resolve("model").resolve("forecasts.lvf"));
    same(expected, file.transform(sales), Bands.DEFAULT);
  }

  @Test
  void badSeriesAreToldAndStopNoOther() {
    List<Row> more =
        List.of(
            row("b", 1, 0, 5.0),
            row("b", 1, 0, 7.0), // twice
            RowFactory.create("b", 2, Date.valueOf(START), null),
            row("b", 3, 0, Double.POSITIVE_INFINITY),
            row("b", 3, 1, 4.0),
            RowFactory.create("b", 4, Date.valueOf("2021-01-01"), 1.0),
            RowFactory.create("b", 4, Date.valueOf("2021-01-17"), 1.0),
            RowFactory.create("b", null, Date.valueOf("2021-03-01"), 1.0));
    Dataset<Row> sales = sales(more);
    LovelaceForecastModel model = forecaster().fit(sales);
    Map<String, Row> report = new LinkedHashMap<>();
    for (Row row : model.report(sales).collectAsList())
      report.put(row.get(0) + " " + row.get(1), row);
    assertEquals(10, report.size());
    assertEquals(1, told(report, "a 10").<Integer>getAs("gaps"));
    assertTrue(
        told(report, "b 1").<String>getAs("remarks").contains("the mean of such rows counts"));
    assertTrue(told(report, "b 2").<String>getAs("remarks").contains("no values, so no forecast"));
    assertTrue(told(report, "b 3").<String>getAs("remarks").contains("infinite"));
    assertTrue(told(report, "b 4").<String>getAs("remarks").contains("so no forecast"));
    Dataset<Row> next = model.transform(sales).cache();
    assertEquals(5 * HORIZON, next.filter("shop = 'a'").count());
    assertEquals(3 * HORIZON, next.filter("shop = 'b'").count());
    assertEquals(0, next.filter("item in (2, 4)").count());
    assertEquals(HORIZON, next.filter("item is null").count());
  }

  private static Row told(Map<String, Row> report, String series) {
    return Objects.requireNonNull(report.get(series));
  }

  @Test
  void oneSeriesOfHoursKeepsItsInstants() {
    List<Row> rows = new ArrayList<>();
    Instant start = Instant.parse("2024-03-01T00:00:00Z");
    for (int t = 0; t < 90; t++)
      rows.add(
          RowFactory.create(Timestamp.from(start.plusSeconds(3600L * t)), 50 + (float) (t % 24)));
    Dataset<Row> load =
        session()
            .createDataFrame(
                rows,
                new StructType().add("ds", DataTypes.TimestampType).add("y", DataTypes.FloatType));
    LovelaceForecastModel model =
        new LovelaceForecaster().setIdCols(new String[0]).setHorizon(2).fit(load);
    List<Row> next = model.transform(load).orderBy("ds").collectAsList();
    assertEquals(2, next.size());
    assertEquals(Timestamp.from(start.plusSeconds(3600L * 91)), next.get(1).getTimestamp(0));
    double value = 50 + 91 % 24;
    assertEquals(value, next.get(1).<Double>getAs("median"), 3);
  }

  private static void refused(String words, org.junit.jupiter.api.function.Executable what) {
    Exception e = assertThrows(IllegalArgumentException.class, what);
    assertTrue(String.valueOf(e.getMessage()).contains(words), e.getMessage());
  }

  @Test
  void wrongColumnsAndParamsAreRefused() {
    Dataset<Row> sales = sales(List.of());
    refused("there is no column 'ds'", () -> forecaster().setTimeCol("ds").fit(sales));
    refused(
        "idCols: there is no column", () -> forecaster().setIdCols(new String[] {"x"}).fit(sales));
    refused("not a number", () -> forecaster().setTargetCol("shop").fit(sales));
    refused("no rows", () -> forecaster().fit(sales.filter("item = 99")));
    refused("no series has steps of W", () -> forecaster().setFrequency("W").fit(sales));
    refused("horizon must lie between", () -> forecaster().setHorizon(0));
    refused("percentage from 1", () -> forecaster().setLevels(new double[] {0.8}));
    refused("between must be two numbers", () -> forecaster().setBetween(new double[] {1, 0}));
    refused("gaps must be one of", () -> forecaster().setGaps("no"));
    refused("frequency: ", () -> forecaster().setFrequency("often"));
    refused("season", () -> forecaster().setSeasons(new double[] {1}));
    refused("each once", () -> forecaster().setIdCols(new String[] {"a", "a"}));
  }

  @Test
  void everyParamHasAGetterAndASetter() throws Exception {
    LovelaceForecaster forecaster = forecaster();
    assertEquals(9, forecaster.params().length);
    for (Param<?> param : forecaster.params()) {
      String name =
          param.name().substring(0, 1).toUpperCase(java.util.Locale.ROOT)
              + param.name().substring(1);
      var getter = LovelaceForecaster.class.getMethod("get" + name);
      LovelaceForecaster.class.getMethod("set" + name, getter.getReturnType());
    }
    forecaster.write().overwrite().save(folder.resolve("estimator").toString());
    assertEquals(
        HORIZON, LovelaceForecaster.load(folder.resolve("estimator").toString()).getHorizon());
    assertEquals("month", forecaster.copy(org.apache.spark.ml.param.ParamMap.empty()).getTimeCol());
  }
}
