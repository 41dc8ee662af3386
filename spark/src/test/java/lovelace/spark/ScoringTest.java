package lovelace.spark;

import static lovelace.spark.LocalSession.session;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Place;
import lovelace.likelihood.Likelihood.Of;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Spark's scores are the model's predictions, to the same bits, for every kind of model.
class ScoringTest {

  private static final int ROWS = 60;
  private static final long SEED = 11;
  private static final List<String> NAMES = List.of("east", "height", "north", "other", "more");

  @TempDir private static Path folder;

  /// A table of all columns: those of a model, some more, and counts.
  private static String table = "";

  private static double[] x = new double[0]; // a row has five columns
  private static double[] y = new double[0];

  @BeforeAll
  static void write() {
    SplittableRandom random = new SplittableRandom(SEED);
    x = random.doubles(5L * ROWS).toArray();
    y = new double[ROWS];
    StructType schema = new StructType().add("id", DataTypes.IntegerType);
    for (String name : NAMES) schema = schema.add(name, DataTypes.DoubleType);
    schema = schema.add("size", DataTypes.DoubleType).add("text", DataTypes.StringType);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      y[i] = Math.floor(6 * Math.sin(3 * x[5 * i]) * x[5 * i + 2] + 2 * random.nextDouble());
      y[i] = Math.max(0, y[i]);
      rows.add(
          RowFactory.create(
              i,
              x[5 * i],
              x[5 * i + 1],
              x[5 * i + 2],
              x[5 * i + 3],
              x[5 * i + 4],
              1.0 + i % 3,
              "row " + i));
    }
    table = folder.resolve("table.parquet").toString();
    session().createDataFrame(rows, schema).coalesce(1).write().parquet(table);
  }

  private static org.apache.spark.sql.Dataset<Row> table() {
    return session().read().parquet(table);
  }

  /// Some of the columns of all rows.
  private static double[] columns(List<String> names) {
    return IntStream.range(0, ROWS)
        .boxed()
        .flatMapToDouble(i -> names.stream().mapToDouble(name -> x[5 * i + NAMES.indexOf(name)]))
        .toArray();
  }

  private static Dataset data(String... names) {
    return Dataset.of(
        columns(List.of(names)), Stream.of(names).map(Column::of).toList(), y, Column.of("z"));
  }

  private static Fit fit(String kernel, double lengthscale) {
    return Fit.DEFAULT
        .withKernel(kernel)
        .withTraining(false)
        .set("lengthscale", lengthscale)
        .set("outputscale", 1);
  }

  private static Fit noisy(String kernel) {
    return fit(kernel, 0.4).set("noise", 0.1).set("mean", 1);
  }

  private static Fit gridded(Fit fit) {
    return fit.withGrid(GridChoice.DEFAULT.withPoints("12x12"));
  }

  /// A model, and how it is held.
  record Kind(String name, Model model, String posterior) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Kind> kinds() {
    Dataset plane = data("east", "north");
    return List.of(
        new Kind("lattice", gridded(noisy("rbf")).to(plane), "LatticePosterior"),
        new Kind("exact", noisy("rbf").withEngine(Engine.EXACT).to(plane), "ExactGp"),
        new Kind("chain", noisy("matern32").withEngine(Engine.CHAIN).to(data("east")), "ChainGp"),
        new Kind("sites", noisy("matern32").withEngine(Engine.SITES).to(plane), "SiteGp"),
        new Kind(
            "neighbours",
            noisy("matern52")
                .withEngine(Engine.NEIGHBOURS)
                .to(data("east", "north", "height", "other")),
            "NeighbourGp"),
        new Kind(
            "counts on a lattice",
            gridded(fit("rbf", 0.4).set("mean", 1).withLikelihood("poisson")).to(plane),
            "LatticePosterior"),
        new Kind(
            "counts of rows",
            fit("rbf", 0.4)
                .set("mean", 1)
                .withLikelihood("poisson")
                .withEngine(Engine.EXACT)
                .to(plane),
            "ExactGp"),
        new Kind(
            "long tails",
            noisy("rbf")
                .withLikelihood("student-t")
                .set("df", 4)
                .withEngine(Engine.EXACT)
                .to(plane),
            "ExactGp"),
        new Kind(
            "drift on a lattice",
            gridded(fit("rbf", 0.4).set("noise", 0.1).withDrift(List.of("height")))
                .to(data("east", "height", "north")),
            "DriftedPosterior"),
        new Kind(
            "drift of rows",
            fit("rbf", 0.4)
                .set("noise", 0.1)
                .withDrift(List.of("height"))
                .withEngine(Engine.EXACT)
                .to(data("east", "height", "north")),
            "DriftedRows"),
        new Kind(
            "coordinates",
            gridded(fit("matern32", 30).set("noise", 0.1).set("mean", 1))
                .withPlace(Place.lonLat("east", "north"))
                .to(plane),
            "MappedPosterior"),
        new Kind(
            "coordinates of rows",
            fit("matern32", 30)
                .set("noise", 0.1)
                .set("mean", 1)
                .withPlace(Place.lonLat("east", "north"))
                .withEngine(Engine.EXACT)
                .to(plane),
            "MappedRows"));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aRowIsScoredToTheSameBits(Kind kind) {
    Model model = kind.model();
    assertEquals(kind.posterior(), model.posterior().getClass().getSimpleName());
    List<String> names = model.columns().stream().map(Column::name).toList();
    LovelaceModel spark =
        new LovelaceModel("scored", model)
            .setInputCols(names.stream().sorted().toArray(String[]::new)) // not the model's order
            .setVarianceCol("variance")
            .setIntervalCol("interval")
            .setOutsideCol("outside");
    // beyond the table's east end for every other row
    org.apache.spark.sql.Dataset<Row> places =
        table()
            .selectExpr("*", "if(id % 2 = 0, east, east + 5) as far")
            .drop("east")
            .withColumnRenamed("far", "east");
    double[] points = columns(names);
    for (int i = 1; i < ROWS; i += 2) points[i * names.size() + names.indexOf("east")] += 5;
    Prediction p = model.predict(points, model.likelihood().usual());
    org.apache.spark.sql.Dataset<Row> scored = spark.transform(places);
    assertEquals(spark.transformSchema(places.schema()), scored.schema());
    int beyond = 0;
    for (Row row : scored.collectAsList()) {
      int i = row.getAs("id");
      assertEquals(p.mean(i), row.<Double>getAs("prediction"), 0, kind + ", row " + i);
      assertEquals(p.variance(i), row.<Double>getAs("variance"), 0, kind + ", row " + i);
      assertEquals(
          List.of(p.lower(i, 0.95), p.upper(i, 0.95)), row.getList(row.fieldIndex("interval")));
      assertEquals(p.outside(i), row.<Boolean>getAs("outside"));
      if (p.outside(i)) beyond++;
    }
    boolean covers = model.lattice().isPresent() || kind.posterior().equals("SiteGp");
    assertEquals(covers ? ROWS / 2 : 0, beyond, "rows outside");
  }

  private static String plan(org.apache.spark.sql.Dataset<Row> data) {
    return data.queryExecution()
        .explainString(org.apache.spark.sql.execution.ExplainMode.fromString("simple"));
  }

  @Test
  void columnsThatNobodyAsksForAreNotRead() {
    LovelaceModel model =
        new LovelaceModel("pruned", gridded(noisy("rbf")).to(data("east", "north")))
            .setInputCols(new String[] {"east", "north"})
            .setVarianceCol("variance");
    String narrow = plan(model.transform(table()).select("id", "prediction", "variance"));
    assertTrue(narrow.contains("ReadSchema: struct<id:int,east:double,north:double>"), narrow);
    String without = plan(model.transform(table()).select("id"));
    assertTrue(without.contains("ReadSchema: struct<id:int>"), without);
    String skipping = plan(model.setHandleInvalid("skip").transform(table()).select("prediction"));
    assertTrue(skipping.contains("ReadSchema: struct<east:double,north:double>"), skipping);
    // evaluated once for two columns
    assertEquals(1, narrow.split("call\\(|UDF\\(", -1).length - 1, narrow);
  }

  @Test
  void aRowThatLacksAValueFailsOrIsDroppedOrKept() {
    Dataset plane = data("east", "north");
    for (Fit fit : List.of(gridded(noisy("rbf")), noisy("rbf").withEngine(Engine.EXACT))) {
      LovelaceModel spark =
          new LovelaceModel("invalid", fit.to(plane))
              .setInputCols(new String[] {"east", "north"})
              .setVarianceCol("variance")
              .setOutsideCol("outside");
      org.apache.spark.sql.Dataset<Row> holes =
          table()
              .selectExpr(
                  "id",
                  "north",
                  "case id when 1 then null when 2 then double('NaN') when 3 then double('-Infinity') else east end as east");
      String said = messages(assertThrows(Exception.class, () -> spark.transform(holes).collect()));
      assertTrue(said.contains("column 'east' is missing or NaN; correct or drop the row"), said);
      List<Row> left = spark.setHandleInvalid("skip").transform(holes).collectAsList();
      assertEquals(ROWS - 3, left.size());
      List<Row> kept = spark.setHandleInvalid("keep").transform(holes).collectAsList();
      assertEquals(ROWS, kept.size());
      for (Row row : kept) {
        boolean lacks = row.getInt(0) >= 1 && row.getInt(0) <= 3;
        for (String name : List.of("prediction", "variance", "outside"))
          assertEquals(lacks, row.isNullAt(row.fieldIndex(name)), row::toString);
      }
      // a fit treats such rows in the same way
      LovelaceRegressor regressor =
          new LovelaceRegressor()
              .setInputCols(new String[] {"east", "north"})
              .setLabelCol("id")
              .setTraining(false)
              .setGridPoints("8")
              .setParameters(
                  new String[] {"lengthscale=0.4", "outputscale=1", "noise=0.1", "mean=0"});
      String refused = messages(assertThrows(Exception.class, () -> regressor.fit(holes)));
      assertTrue(refused.contains("column 'east' is missing or NaN"), refused);
      for (String how : List.of("skip", "keep"))
        assertEquals(ROWS - 3, regressor.setHandleInvalid(how).fit(holes).model().count());
    }
  }

  /// Where a model knows what stands for a missing value, a row that lacks it is valid.
  @Test
  void aValueThatTheModelFillsInIsNotMissing() {
    Model model =
        noisy("rbf")
            .to(
                Dataset.of(
                    columns(List.of("east", "north")),
                    List.of(Column.of("east").filledBy(0.5), Column.of("north")),
                    y,
                    Column.of("z")));
    LovelaceModel spark =
        new LovelaceModel("filled", model)
            .setInputCols(new String[] {"east", "north"})
            .setLabelCol("id");
    var holes = table().selectExpr("id", "north", "double(null) as east");
    double[] points = columns(List.of("east", "north"));
    for (int i = 0; i < ROWS; i++) points[2 * i] = 0.5;
    double[] means = model.predict(points).means();
    for (Row row : spark.transform(holes).collectAsList())
      assertEquals(means[row.getInt(0)], row.<Double>getAs("prediction"), 0);
    assertEquals(2L * ROWS, spark.updated(holes).model().count());
  }

  @Test
  void anObservationHasTheSizeOfItsColumn() throws IOException {
    Model model =
        fit("rbf", 0.4).set("mean", 1).withLikelihood("poisson").to(data("east", "north"));
    double[] sizes = IntStream.range(0, ROWS).mapToDouble(i -> 1 + i % 3).toArray();
    Prediction p = model.predict(columns(List.of("east", "north")), Of.OBSERVATION, sizes);
    LovelaceModel spark =
        new LovelaceModel("sized", model)
            .setInputCols(new String[] {"east", "north"})
            .setOf("observation")
            .setSizeCol("size");
    for (Row row : spark.transform(table()).collectAsList())
      assertEquals(p.mean(row.getAs("id")), row.<Double>getAs("prediction"), 0);
    assertTrue(message(() -> spark.setOf("rate").transform(table())).contains("clear sizeCol"));
    Model known =
        fit("rbf", 0.4)
            .set("mean", 1)
            .withLikelihood("gaussian(noise=known)")
            .withGrid(GridChoice.DEFAULT.withPoints("12"))
            .to(data("east", "north").withWeights(sizes));
    LovelaceModel precise =
        new LovelaceModel("known", known)
            .setInputCols(new String[] {"east", "north"})
            .setOf("observation");
    assertTrue(message(() -> precise.transform(table())).contains("setSizeCol"));
    Prediction q = known.predict(columns(List.of("east", "north")), Of.OBSERVATION, sizes);
    for (Row row :
        precise.setSizeCol("size").setVarianceCol("v").transform(table()).collectAsList())
      assertEquals(q.variance(row.getAs("id")), row.<Double>getAs("v"), 0);
  }

  @Test
  void aModelThatHoldsItsRowsHasNoDraws() {
    LovelaceModel spark =
        new LovelaceModel("drawn", noisy("rbf").withEngine(Engine.EXACT).to(data("east", "north")))
            .setInputCols(new String[] {"east", "north"})
            .setDrawsCol("draws");
    assertTrue(message(() -> spark.transform(table())).contains("clear drawsCol"));
    assertTrue(
        message(() -> spark.setInputCols(new String[] {"east"}).clear(spark.drawsCol())).isEmpty());
    assertTrue(
        message(() -> spark.transform(table()))
            .contains("the model has 2 inputs, [east, north]; inputCols lists 1, [east]"));
    assertFalse(spark.isDefined(spark.drawsCol()));
  }

  private static String message(org.junit.jupiter.api.function.Executable what) {
    try {
      what.execute();
      return "";
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static String messages(Throwable e) {
    StringBuilder all = new StringBuilder();
    for (Throwable t = e; t != null; t = t.getCause()) all.append(t.getMessage()).append('\n');
    return all.toString();
  }
}
