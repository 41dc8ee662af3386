package lovelace.spark;

import static lovelace.spark.LocalSession.session;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.source.Source;
import lovelace.statistics.GridStatistics;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.RegressionEvaluator;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/// Learning in a cluster: the same model however rows are delivered.
class LovelaceSparkTest {

  private static final int ROWS = 4000;
  private static final StructType SCHEMA =
      new StructType()
          .add("a", DataTypes.DoubleType)
          .add("b", DataTypes.DoubleType)
          .add("label", DataTypes.DoubleType);
  private static final double[] BOUNDS = {0, 1, 0, 1};
  private static final double[] X = new double[2 * ROWS];
  private static final double[] Y = new double[ROWS];

  private static List<Row> rows = List.of();

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    SplittableRandom random = new SplittableRandom(5);
    List<Row> made = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      X[2 * i] = random.nextDouble();
      X[2 * i + 1] = random.nextDouble();
      Y[i] = 3 + Math.sin(6 * X[2 * i]) * X[2 * i + 1] + 0.1 * random.nextGaussian();
      made.add(RowFactory.create(X[2 * i], X[2 * i + 1], Y[i]));
    }
    rows = made;
  }

  private static org.apache.spark.sql.Dataset<Row> frame(List<Row> of, int partitions) {
    return session().createDataFrame(of, SCHEMA).repartition(partitions);
  }

  /// Hyperparameters as given, so that models differ by their sums alone.
  private static LovelaceRegressor given() {
    return new LovelaceRegressor()
        .setInputCols(new String[] {"a", "b"})
        .setTraining(false)
        .setBounds(BOUNDS)
        .setGridPoints("24x24")
        .setParameters(new String[] {"outputscale=1", "lengthscale=0.3", "noise=0.01", "mean=3"});
  }

  private static Fit fit() {
    return Fit.DEFAULT
        .withTraining(false)
        .withGrid(GridChoice.DEFAULT.withPoints("24x24").bounded(0, 0, 1).bounded(1, 0, 1))
        .set("outputscale", 1)
        .set("lengthscale", 0.3)
        .set("noise", 0.01)
        .set("mean", 3);
  }

  private static Dataset data(int from, int to) {
    return Dataset.of(
        Arrays.copyOfRange(X, 2 * from, 2 * to),
        List.of(Column.of("a"), Column.of("b")),
        Arrays.copyOfRange(Y, from, to),
        Column.of("label"));
  }

  private static GridStatistics statistics(Model model) {
    return (GridStatistics) model.lattice().orElseThrow().statistics();
  }

  private static void assertSameModel(Model expected, Model actual) {
    GridStatistics s = statistics(expected);
    GridStatistics t = statistics(actual);
    assertEquals(s.grid(), t.grid());
    assertEquals(s.count(), t.count());
    assertEquals(s.occupiedCells(), t.occupiedCells());
    double[] mean = s.grid().linear(3);
    assertClose(s, t, mean, 1e-10);
    double[] points = new SplittableRandom(8).doubles(60).toArray();
    Prediction p = expected.predict(points);
    Prediction q = actual.predict(points);
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.mean(i), q.mean(i), 1e-8);
      assertEquals(p.variance(i), q.variance(i), 1e-8);
    }
    assertEquals(expected.provenance().fingerprintText(), actual.provenance().fingerprintText());
    assertEquals(expected.provenance().version(), actual.provenance().version());
  }

  /// Sums about one prior mean, whatever the origins.
  private static void assertClose(
      GridStatistics s, GridStatistics t, double[] mean, double tolerance) {
    var a = s.centred(mean);
    var b = t.centred(mean);
    assertEquals(a.squares(), b.squares(), tolerance * a.squares());
    for (int i = 0; i < mean.length; i++)
      assertEquals(
          a.projected()[i], b.projected()[i], tolerance * Math.max(1, Math.abs(a.projected()[i])));
    double[] u = new SplittableRandom(3).doubles(mean.length).toArray();
    double[] g = new double[u.length];
    double[] h = new double[u.length];
    s.gram().apply(u, g);
    t.gram().apply(u, h);
    for (int i = 0; i < g.length; i++)
      assertEquals(g[i], h[i], tolerance * Math.max(1, Math.abs(g[i])));
  }

  @Test
  void sameModelHoweverTheRowsAreDelivered() throws IOException {
    Model whole = fit().to(data(0, ROWS));
    assertSameModel(whole, given().fit(frame(rows, 2)).model());
    org.apache.spark.sql.Dataset<Row> shuffled =
        session().createDataFrame(rows, SCHEMA).orderBy(functions.rand(3)).repartition(8);
    assertSameModel(whole, given().setAggregationDepth(3).fit(shuffled).model());

    Source pieces =
        new Source() {
          @Override
          public List<Column> columns() {
            return data(0, 1000).columns();
          }

          @Override
          public Column target() {
            return Column.of("label");
          }

          @Override
          public void read(Sink sink) {
            int size = ROWS / 1000;
            for (int from = 0; from < ROWS; from += size)
              sink.accept(
                  size,
                  Arrays.copyOfRange(X, 2 * from, 2 * (from + size)),
                  Arrays.copyOfRange(Y, from, from + size),
                  Optional.empty());
          }
        };
    assertSameModel(whole, fit().to(pieces));

    Path one = folder.resolve("one");
    Path two = folder.resolve("two");
    fit().to(data(0, 1500)).save(one);
    fit().to(data(1500, ROWS)).save(two);
    assertSameModel(whole, Model.merge(Model.load(one), Model.load(two)));
  }

  @Test
  void learnsTheSameFromAnyPartitions() {
    LovelaceRegressor regressor =
        new LovelaceRegressor().setInputCols(new String[] {"a", "b"}).setVarianceCol("variance");
    Model two = regressor.fit(frame(rows, 2)).model();
    Model five = regressor.fit(frame(rows, 5)).model();
    assertEquals(two.logMarginalLikelihood(), five.logMarginalLikelihood(), 1e-2);
    double[] points = {0.3, 0.8, 0.9, 0.1};
    assertArrayEquals(two.predict(points).means(), five.predict(points).means(), 1e-3);
    assertEquals(3 + Math.sin(1.8) * 0.8, two.predict(points).mean(0), 0.05);
    var certificate = two.certificate().orElseThrow();
    assertTrue(certificate.met(), () -> certificate + " " + two.provenance().notes());
  }

  /// A table of five columns is modelled by its nearest rows, which travel with the model.
  @Test
  void aWideModelTravelsWithItsRows() throws IOException {
    var random = new SplittableRandom(8);
    String[] names = {"a", "b", "c", "d", "e"};
    StructType schema = new StructType();
    for (String name : names) schema = schema.add(name, DataTypes.DoubleType);
    schema = schema.add("label", DataTypes.DoubleType);
    List<Row> table = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      double[] x = random.doubles(5).toArray();
      double y = Math.sin(4 * x[0]) * x[1] + x[4] + 0.1 * random.nextGaussian();
      table.add(RowFactory.create(x[0], x[1], x[2], x[3], x[4], y));
    }
    var frame = session().createDataFrame(table, schema).repartition(3);
    LovelaceModel fitted =
        new LovelaceRegressor()
            .setInputCols(names)
            .setEngine("neighbours")
            .setKernel("matern52")
            .setTraining(false)
            .setParameters(new String[] {"outputscale=1", "lengthscale=1", "noise=0.01", "mean=0"})
            .setVarianceCol("variance")
            .fit(frame);
    assertEquals(Engine.NEIGHBOURS, fitted.model().held().orElseThrow().engine());
    assertEquals(400, fitted.model().count());
    String place = folder.resolve("wide").toString();
    fitted.save(place);
    LovelaceModel loaded = LovelaceModel.load(place);
    for (Row row : loaded.transform(frame).collectAsList()) {
      double[] x = new double[5];
      for (int j = 0; j < 5; j++) x[j] = row.getDouble(j);
      var p = fitted.model().predict(x);
      assertEquals(p.mean(0), row.<Double>getAs("prediction"), 1e-12, "a batch is as one row");
      assertEquals(p.variance(0), row.<Double>getAs("variance"), 1e-12);
    }
  }

  @Test
  void pipelineIsSavedLoadedAndScoresParquet() throws IOException {
    String table = folder.resolve("table.parquet").toString();
    frame(rows, 3).write().parquet(table);
    org.apache.spark.sql.Dataset<Row> read = session().read().parquet(table);
    Pipeline pipeline =
        new Pipeline()
            .setStages(
                new PipelineStage[] {
                  new VectorAssembler()
                      .setInputCols(new String[] {"a", "b"})
                      .setOutputCol("features"),
                  given().copy(ParamMap.empty())
                });
    LovelaceRegressor onVectors =
        ((LovelaceRegressor) pipeline.getStages()[1])
            .setVarianceCol("variance")
            .setIntervalCol("interval")
            .setLevel(0.9)
            .setDrawsCol("drawn")
            .setDraws(3);
    onVectors.clear(onVectors.inputCols());
    String unfitted = folder.resolve("pipeline").toString();
    pipeline.write().save(unfitted);
    PipelineModel fitted = Pipeline.load(unfitted).fit(read);
    String saved = folder.resolve("fitted").toString();
    fitted.write().save(saved);
    List<Row> expected = fitted.transform(read.limit(50)).collectAsList();
    List<Row> scored = PipelineModel.load(saved).transform(read.limit(50)).collectAsList();
    assertEquals(expected, scored);
    Model model = ((LovelaceModel) fitted.stages()[1]).model();
    for (Row row : scored.subList(0, 10)) {
      Prediction p = model.predict(row.<Double>getAs("a"), row.<Double>getAs("b"));
      assertEquals(p.mean(0), row.<Double>getAs("prediction"), 0);
      assertEquals(p.variance(0), row.<Double>getAs("variance"), 0);
      assertEquals(
          List.of(p.lower(0, 0.9), p.upper(0, 0.9)), row.getList(row.fieldIndex("interval")));
      assertEquals(3, row.getList(row.fieldIndex("drawn")).size());
    }
    Model file =
        Model.load(folder.resolve("fitted/stages").resolve(stage(saved)).resolve("model.lovelace"));
    assertEquals(ROWS, file.count());
  }

  private static String stage(String saved) throws IOException {
    try (var stages = java.nio.file.Files.list(Path.of(saved, "stages"))) {
      return stages
          .map(p -> String.valueOf(p.getFileName()))
          .filter(n -> n.startsWith("1_"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void crossValidatorChoosesTheKernel() {
    LovelaceRegressor regressor = given();
    ParamMap[] grid =
        new ParamGridBuilder()
            .addGrid(
                regressor.parameters(),
                scala.jdk.javaapi.CollectionConverters.asScala(
                    List.of(
                        new String[] {"outputscale=1", "lengthscale=0.3", "noise=0.01", "mean=3"},
                        new String[] {"outputscale=1", "lengthscale=50", "noise=9", "mean=3"})))
            .build();
    CrossValidatorModel best =
        new CrossValidator()
            .setEstimator(regressor)
            .setEvaluator(new RegressionEvaluator())
            .setEstimatorParamMaps(grid)
            .setNumFolds(2)
            .setSeed(1)
            .fit(frame(rows.subList(0, 800), 2));
    assertTrue(best.avgMetrics()[0] < best.avgMetrics()[1]);
    assertEquals(0.01, ((LovelaceModel) best.bestModel()).model().noise(), 1e-12);
  }

  @Test
  void rowThatIsNotANumberIsNamedOrSkipped() {
    List<Row> bad = new ArrayList<>(rows.subList(0, 200));
    bad.add(RowFactory.create(0.5, Double.NaN, 3.0));
    bad.add(RowFactory.create(0.5, null, 3.0));
    org.apache.spark.sql.Dataset<Row> frame = session().createDataFrame(bad, SCHEMA).coalesce(1);
    var e = assertThrows(Exception.class, () -> given().fit(frame));
    assertTrue(
        messages(e)
            .contains(
                "row 201 of partition 0: column 'b' is missing or NaN; correct or drop the row"),
        () -> messages(e));
    assertSameModel(fit().to(data(0, 200)), given().setHandleInvalid("skip").fit(frame).model());
  }

  @Test
  void emptyPartitionsAddNothing() {
    org.apache.spark.sql.Dataset<Row> sparse =
        session()
            .createDataFrame(rows.subList(0, 300), SCHEMA)
            .repartition(6, functions.col("label").geq(100));
    assertSameModel(fit().to(data(0, 300)), given().fit(sparse).model());
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> given().setTraining(true).fit(frame(List.of(), 2)));
    assertTrue(messages(e).contains("0 rows"), () -> messages(e));
  }

  @Test
  void taskThatIsTriedAgainCountsOnce() {
    org.apache.spark.sql.Dataset<Row> failing =
        frame(rows, 4)
            .map(
                (MapFunction<Row, Row>)
                    row -> {
                      TaskContext task = TaskContext.get();
                      if (task.attemptNumber() == 0 && task.partitionId() % 2 == 1)
                        throw new IllegalStateException("a disk has failed");
                      return row;
                    },
                Encoders.row(SCHEMA));
    assertSameModel(fit().to(data(0, ROWS)), given().fit(failing).model());
  }

  @Test
  void streamIsScoredAndUpdatesTheModel() throws Exception {
    LovelaceModel first = given().fit(frame(rows.subList(0, 1000), 2));
    String incoming = folder.resolve("incoming").toString();
    frame(rows.subList(1000, ROWS), 3).write().parquet(incoming);
    org.apache.spark.sql.Dataset<Row> stream =
        session().readStream().schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(incoming);
    var scoring =
        first
            .transform(stream)
            .writeStream()
            .format("memory")
            .queryName("scored")
            .outputMode("append")
            .start();
    scoring.processAllAvailable();
    scoring.stop();
    assertEquals(ROWS - 1000, session().table("scored").filter("prediction is not null").count());

    StreamUpdates updates = new StreamUpdates(first, folder.resolve("state").toString());
    var updating = stream.writeStream().foreachBatch(updates).start();
    updating.processAllAvailable();
    updating.stop();
    assertEquals(ROWS, updates.model().model().count());
    assertSameModel(fit().to(data(0, ROWS)), updates.model().model());
    LovelaceModel back = updates.model().without(frame(rows.subList(1000, ROWS), 2));
    assertSameModel(fit().to(data(0, 1000)), back.model());
  }

  /// Takes what there is of a stream, from its checkpoint on.
  private void follow(String incoming, VoidFunction2<org.apache.spark.sql.Dataset<Row>, Long> sink)
      throws Exception {
    var query =
        session()
            .readStream()
            .schema(SCHEMA)
            .parquet(incoming)
            .writeStream()
            .option("checkpointLocation", folder.resolve("checkpoint").toString())
            .foreachBatch(sink)
            .start();
    try {
      query.processAllAvailable();
    } finally {
      query.stop();
    }
  }

  @Test
  void restartedStreamKeepsEarlierBatchesAndCountsEachOnce() throws Exception {
    LovelaceModel first = given().fit(frame(rows.subList(0, 500), 2));
    String incoming = folder.resolve("batches").toString();
    String state = folder.resolve("state of stream").toString();
    frame(rows.subList(500, 900), 1).write().mode("append").parquet(incoming);
    follow(incoming, new StreamUpdates(first, state));
    // a new driver, which goes on from Spark's checkpoint
    frame(rows.subList(900, 1300), 1).write().mode("append").parquet(incoming);
    StreamUpdates second = new StreamUpdates(first, state);
    assertEquals(900, second.model().model().count());
    follow(incoming, second);
    assertEquals(1300, second.model().model().count());

    // a driver that dies after it wrote the model and before Spark took note of the batch
    frame(rows.subList(1300, ROWS), 1).write().mode("append").parquet(incoming);
    StreamUpdates third = new StreamUpdates(first, state);
    assertThrows(
        StreamingQueryException.class,
        () ->
            follow(
                incoming,
                (batch, number) -> {
                  third.call(batch, number);
                  throw new IllegalStateException("the driver dies here");
                }));
    StreamUpdates fourth = new StreamUpdates(first, state);
    assertEquals(ROWS, fourth.model().model().count());
    var again = new AtomicInteger();
    follow(
        incoming,
        (batch, number) -> {
          again.incrementAndGet();
          fourth.call(batch, number);
        });
    assertEquals(1, again.get(), "Spark hands the batch over again");
    assertEquals(ROWS, fourth.model().model().count());
    assertSameModel(fit().to(data(0, ROWS)), fourth.model().model());
    try (var files = Files.list(Path.of(state))) {
      List<Path> kept = files.toList();
      assertEquals(2, kept.size(), kept::toString);
      for (Path file : kept) assertTrue(Model.load(file).count() > 900, file::toString);
    }

    // another checkpoint numbers its batches from 0 again
    var other =
        assertThrows(
            StreamingQueryException.class,
            () ->
                session()
                    .readStream()
                    .schema(SCHEMA)
                    .parquet(incoming)
                    .writeStream()
                    .foreachBatch(new StreamUpdates(first, state))
                    .start()
                    .processAllAvailable());
    assertTrue(messages(other).contains("holds the batches of another query"), messages(other));
    // another folder lacks the batches that the checkpoint counts as done
    frame(rows.subList(0, 10), 1).write().mode("append").parquet(incoming);
    String empty = folder.resolve("empty").toString();
    var gap =
        assertThrows(
            StreamingQueryException.class, () -> follow(incoming, new StreamUpdates(first, empty)));
    assertTrue(messages(gap).contains("batches 0 to 2 are not in the model"), messages(gap));
  }

  @Test
  void statisticsTravelByJavaAndByKryo() throws Exception {
    Partial sums =
        new Partial(
            lovelace.source.Sums.of(
                Source.of(data(0, ROWS)),
                statistics(fit().to(data(0, 10))).grid(),
                lovelace.data.TargetTransform.NONE,
                Outside.ERROR));
    var out = new ByteArrayOutputStream();
    try (var objects = new ObjectOutputStream(out)) {
      objects.writeObject(sums);
      objects.writeObject(sums.sums().statistics());
    }
    try (var objects = new ObjectInputStream(new ByteArrayInputStream(out.toByteArray()))) {
      assertSameStatistics(sums, (Partial) objects.readObject());
      GridStatistics read = (GridStatistics) objects.readObject();
      assertArrayEquals(sums.sums().statistics().projected(), read.projected());
    }
    var kryo = new KryoSerializer(new SparkConf()).newInstance();
    ByteBuffer bytes = kryo.serialize(sums, ClassTag$.MODULE$.apply(Partial.class));
    int cells = sums.sums().statistics().occupiedCells();
    assertTrue(bytes.remaining() < cells * (66 * 8 + 4) + 300, bytes.remaining() + " bytes");
    assertSameStatistics(
        sums, kryo.<Partial>deserialize(bytes, ClassTag$.MODULE$.apply(Partial.class)));
    ClassTag<GridStatistics> type = ClassTag$.MODULE$.apply(GridStatistics.class);
    var registered =
        new KryoSerializer(
                new SparkConf()
                    .set("spark.kryo.registrator", StatisticsRegistrator.class.getName()))
            .newInstance();
    ByteBuffer compact = registered.serialize(sums.sums().statistics(), type);
    assertTrue(compact.remaining() < cells * (66 * 8 + 4) + 300, compact.remaining() + " bytes");
    GridStatistics alone = registered.<GridStatistics>deserialize(compact, type);
    assertArrayEquals(sums.sums().statistics().projected(), alone.projected());
  }

  @Test
  void weightsNoiseAndRowsOutsideAreHonoured() {
    List<Row> weighted = new ArrayList<>();
    double[] weights = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      weights[i] = 1 + i % 3;
      weighted.add(RowFactory.create(X[2 * i], X[2 * i + 1], Y[i], weights[i]));
    }
    weighted.add(RowFactory.create(1.7, 0.5, 100.0, 1.0)); // outside the bounds
    var table =
        session().createDataFrame(weighted, SCHEMA.add("w", DataTypes.DoubleType)).repartition(3);
    LovelaceRegressor regressor = given().setWeightCol("w");
    var e = assertThrows(Exception.class, () -> regressor.fit(table));
    assertTrue(messages(e).contains("column 'a' is 1.7, outside the grid"), () -> messages(e));
    LovelaceModel model = regressor.setOutside("skip").fit(table);
    Model expected =
        fit()
            .to(
                Dataset.of(
                    X, List.of(Column.of("a"), Column.of("b")), Y, Column.of("label"), weights));
    double[] points = {0.3, 0.8, 0.9, 0.1};
    assertArrayEquals(
        expected.predict(points).means(), model.model().predict(points).means(), 1e-8);
    assertArrayEquals(
        expected.predict(points).variances(), model.model().predict(points).variances(), 1e-8);
    var one = session().createDataFrame(rows.subList(0, 1), SCHEMA);
    double latent = model.setVarianceCol("v").transform(one).select("v").first().getDouble(0);
    double observed = model.setIncludeNoise(true).transform(one).select("v").first().getDouble(0);
    assertEquals(0.01, observed - latent, 1e-12);
  }

  private static void assertSameStatistics(Partial a, Partial b) {
    assertArrayEquals(a.sums().statistics().projected(), b.sums().statistics().projected());
    assertEquals(a.sums().statistics().count(), b.sums().statistics().count());
    assertEquals(a.sums().statistics().squares(), b.sums().statistics().squares());
  }

  @Test
  void pixelsAreNodesOfTheModel() {
    var pixels =
        frame(rows, 3)
            .withColumn("a", functions.expr("floor(a * 20) * 0.05 + 1e-5 * b"))
            .withColumn("b", functions.expr("floor(b * 10) * 0.1"));
    LovelaceModel model =
        new LovelaceRegressor()
            .setInputCols(new String[] {"a", "b"})
            .setTraining(false)
            .setGridPoints("data")
            .setParameters(new String[] {"outputscale=1", "lengthscale=1", "noise=0.1", "mean=3"})
            .fit(pixels);
    assertEquals(24, statistics(model.model()).grid().axis(0).points());
    assertEquals(14, statistics(model.model()).grid().axis(1).points());
    assertTrue(statistics(model.model()).onNodes());
    assertTrue(statistics(model.updated(pixels).model()).onNodes());
  }

  @Test
  void aConstantColumnIsLeftOutAndMayBeThereOrNot() {
    var table = frame(rows.subList(0, 200), 2).withColumn("c", functions.lit(4.0));
    LovelaceRegressor regressor =
        new LovelaceRegressor()
            .setInputCols(new String[] {"a", "c"})
            .setTraining(false)
            .setGridPoints("30")
            .setParameters(
                new String[] {"outputscale=1", "lengthscale=0.3,2", "noise=0.01", "mean=3"});
    LovelaceModel model = regressor.fit(table);
    assertEquals("[c = 4.0]", model.model().leftOut().toString());
    double known = model.transform(table.orderBy("a")).first().<Double>getAs("prediction");
    model.setInputCols(new String[] {"a"});
    assertEquals(known, model.transform(table.orderBy("a")).first().<Double>getAs("prediction"));
    assertEquals(400, model.updated(table).model().count());

    var vectors =
        new org.apache.spark.ml.feature.VectorAssembler()
            .setInputCols(new String[] {"c", "a"})
            .setOutputCol("features")
            .transform(table);
    LovelaceModel ofVectors =
        new LovelaceRegressor()
            .setTraining(false)
            .setGridPoints("30")
            .setParameters(
                new String[] {"outputscale=1", "lengthscale=2,0.3", "noise=0.01", "mean=3"})
            .fit(vectors);
    assertEquals("[features_0 = 4.0]", ofVectors.model().leftOut().toString());
    assertEquals(
        known, ofVectors.transform(vectors.orderBy("a")).first().<Double>getAs("prediction"), 1e-9);
  }

  @Test
  void wordsAreLearnedFromAndScored() throws IOException {
    StructType schema =
        new StructType()
            .add("colour", DataTypes.StringType)
            .add("member", DataTypes.BooleanType)
            .add("size", DataTypes.DoubleType)
            .add("label", DataTypes.DoubleType);
    SplittableRandom random = new SplittableRandom(4);
    List<Row> made = new ArrayList<>();
    double[] x = new double[3 * 60];
    double[] y = new double[60];
    for (int i = 0; i < y.length; i++) {
      x[3 * i] = random.nextInt(3);
      x[3 * i + 1] = random.nextInt(2);
      x[3 * i + 2] = 4 * random.nextDouble();
      y[i] = x[3 * i] * Math.sin(x[3 * i + 2]) + x[3 * i + 1];
      made.add(
          RowFactory.create(
              List.of("blue", "green", "red").get((int) x[3 * i]),
              x[3 * i + 1] == 1,
              x[3 * i + 2],
              y[i]));
    }
    var frame = session().createDataFrame(made, schema).repartition(3);
    String[] inputs = {"colour", "member", "size"};
    LovelaceModel fitted =
        new LovelaceRegressor()
            .setInputCols(inputs)
            .setKernel("matern32")
            .setEngine("exact")
            .setTraining(false)
            .setParameters(new String[] {"outputscale=1", "lengthscale=1", "noise=0.01", "mean=0"})
            .fit(frame);
    List<Column> columns =
        List.of(
            Column.of("colour", List.of("blue", "green", "red")),
            Column.of("member"),
            Column.of("size"));
    assertEquals(columns, fitted.model().columns());
    Model expected =
        Fit.DEFAULT
            .withKernel("matern32")
            .withEngine(Engine.EXACT)
            .withTraining(false)
            .set("outputscale", 1)
            .set("lengthscale", 1)
            .set("noise", 0.01)
            .set("mean", 0)
            .to(Dataset.of(x, columns, y, Column.of("label")));
    String saved = folder.resolve("words").toString();
    fitted.write().overwrite().save(saved);
    List<Row> scored =
        LovelaceModel.load(saved)
            .setHandleInvalid("keep")
            .transform(
                session()
                    .createDataFrame(
                        List.of(
                            RowFactory.create("red", true, 1.5, 0.0),
                            RowFactory.create("mauve", true, 1.5, 0.0),
                            RowFactory.create(null, true, 1.5, 0.0)),
                        schema)
                    .coalesce(1))
            .collectAsList();
    double[] means = expected.predict(2, 1, 1.5, -1, 1, 1.5).means();
    assertEquals(means[0], scored.get(0).getDouble(4), 1e-9);
    assertEquals(means[1], scored.get(1).getDouble(4), 1e-9, "a word that was not seen");
    assertTrue(scored.get(2).isNullAt(4), "a missing word has no prediction");
    LovelaceModel more = fitted.updated(frame.limit(5));
    assertEquals(65, more.model().count());
    assertEquals(columns, more.model().columns());
    assertMessage(
        "inputCols: column 'size' is text, the model learned from numbers",
        () -> fitted.transform(frame.withColumn("size", frame.col("size").cast("string"))));
    assertMessage(
        "inputCols: column 'size' holds text with more than 50 different values",
        () ->
            new LovelaceRegressor()
                .setInputCols(inputs)
                .fit(frame.withColumn("size", frame.col("size").cast("string"))));
  }

  @Test
  void wrongColumnsAreNamed() {
    org.apache.spark.sql.Dataset<Row> frame = frame(rows.subList(0, 10), 1);
    assertMessage(
        "labelCol: there is no column 'y'; there are a, b, label",
        () -> given().setLabelCol("y").transformSchema(SCHEMA));
    assertMessage(
        "featuresCol 'a' is double, not a vector",
        () -> new LovelaceRegressor().setFeaturesCol("a").transformSchema(SCHEMA));
    assertMessage(
        "predictionCol: there is a column 'b' already",
        () -> given().setPredictionCol("b").transformSchema(SCHEMA));
    assertMessage(
        "inputCols: column 's' is date, neither a number nor text",
        () ->
            given()
                .setInputCols(new String[] {"s"})
                .transformSchema(SCHEMA.add("s", DataTypes.DateType)));
    assertMessage(
        "bounds needs low and high of 2 inputs, 4 numbers, got 2",
        () -> given().setBounds(new double[] {0, 1}).fit(frame));
    assertTrue(given().explainParams().contains("varianceCol: the column that gets"));
  }

  private static void assertMessage(String expected, org.junit.jupiter.api.function.Executable e) {
    String message = String.valueOf(assertThrows(IllegalArgumentException.class, e).getMessage());
    assertTrue(message.startsWith(expected), message);
  }

  private static String messages(Throwable e) {
    StringBuilder all = new StringBuilder();
    for (Throwable t = e; t != null; t = t.getCause()) all.append(t.getMessage()).append('\n');
    return all.toString();
  }
}
