package lovelace.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Outside;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag$;

/// A fitted Gaussian process that scores data sets, still or streaming: a partition at a time, with
/// the model sent to every executor once. A row with a missing input gets null, unless the model
/// knows what stands for it; of a word that it has not seen the other inputs decide.
public final class LovelaceModel extends org.apache.spark.ml.Model<LovelaceModel>
    implements MLWritable {

  private static final long serialVersionUID = 1;
  private final String uid;
  private final ShippedModel shipped;
  private final Param<String> featuresCol;
  private final StringArrayParam inputCols;
  private final Param<String> predictionCol;
  private final Param<String> varianceCol;
  private final Param<String> intervalCol;
  private final DoubleParam level;
  private final Param<String> drawsCol;
  private final IntParam draws;
  private final LongParam seed;
  private final BooleanParam includeNoise;
  private final Param<String> of;
  private final Param<String> labelCol;
  private final Param<String> weightCol;
  private final Param<String> handleInvalid;
  private final Param<String> outside;
  private final IntParam aggregationDepth;

  /// A model that was fitted anywhere, by the command line say.
  public LovelaceModel(String uid, Model model) {
    this(uid, ShippedModel.of(model));
  }

  private LovelaceModel(String uid, ShippedModel shipped) {
    this.uid = uid;
    this.shipped = shipped;
    featuresCol = new Param<>(this, "featuresCol", "the vector column of inputs");
    inputCols =
        new StringArrayParam(
            this, "inputCols", "columns of numbers that are the inputs, in place of featuresCol");
    predictionCol = new Param<>(this, "predictionCol", "the column to write the posterior mean to");
    varianceCol =
        new Param<>(
            this,
            "varianceCol",
            "the column to write the posterior variance to; not written unless set");
    intervalCol =
        new Param<>(
            this,
            "intervalCol",
            "the column to write an interval to, an array of its lower and upper end; not written unless set");
    level =
        new DoubleParam(this, "level", "the probability that an interval holds, between 0 and 1");
    drawsCol =
        new Param<>(
            this,
            "drawsCol",
            "the column to write draws of the function to, an array; not written unless set");
    draws = new IntParam(this, "draws", "how many functions are drawn, the same ones for all rows");
    seed = new LongParam(this, "seed", "the seed of draws, of probes and of start values");
    includeNoise =
        new BooleanParam(
            this,
            "includeNoise",
            "whether variances and intervals are those of an observation, as of = observation");
    of =
        new Param<>(
            this,
            "of",
            "what predictions are of: function, rate, probability or observation; the rate or the probability where there is one unless set");
    labelCol = new Param<>(this, "labelCol", "the column of the target");
    weightCol =
        new Param<>(
            this,
            "weightCol",
            "the column of sizes of rows: weights (an observation has noise variance noise/weight), exposures, trials, or the inverse of a known noise variance, as the likelihood has it");
    handleInvalid =
        new Param<>(
            this,
            "handleInvalid",
            "what to do with a row that has a missing or infinite value: error or skip");
    outside =
        new Param<>(this, "outside", "what to do with a row outside given bounds: error or skip");
    aggregationDepth =
        new IntParam(
            this, "aggregationDepth", "the depth of treeAggregate, 2 or more for many partitions");
    setDefault(featuresCol, "features");
    setDefault(predictionCol, "prediction");
    setDefault(level, 0.95);
    setDefault(draws, 10);
    setDefault(seed, 1L);
    setDefault(includeNoise, false);
    setDefault(labelCol, "label");
    setDefault(handleInvalid, "error");
    setDefault(outside, "error");
    setDefault(aggregationDepth, 2);
  }

  @Override
  public String uid() {
    return uid;
  }

  /// The model itself: parameters, certificate, likelihood, provenance.
  public Model model() {
    return shipped.model();
  }

  private @Nullable String optional(Param<String> param) {
    return isDefined(param) ? getOrDefault(param) : null;
  }

  private Schemas schemas() {
    return new Schemas(
        getOrDefault(featuresCol), isDefined(inputCols) ? getOrDefault(inputCols) : null);
  }

  @Override
  public StructType transformSchema(StructType schema) {
    schemas().requireInputs(schema);
    return Schemas.with(
        schema,
        getOrDefault(predictionCol),
        optional(varianceCol),
        optional(intervalCol),
        optional(drawsCol));
  }

  @Override
  public Dataset<Row> transform(Dataset<?> data) {
    StructType schema = transformSchema(data.schema());
    schemas().requireKinds(data.schema(), shipped.model());
    Scoring scoring =
        new Scoring(
            schemas().places(data.schema(), shipped.model()),
            isDefined(varianceCol),
            isDefined(intervalCol) ? (double) getOrDefault(level) : Double.NaN,
            isDefined(drawsCol) ? (int) getOrDefault(draws) : 0,
            (long) getOrDefault(seed),
            asked());
    Broadcast<ShippedModel> model =
        data.sparkSession()
            .sparkContext()
            .broadcast(shipped, ClassTag$.MODULE$.apply(ShippedModel.class));
    return data.toDF()
        .mapPartitions(
            (org.apache.spark.api.java.function.MapPartitionsFunction<Row, Row>)
                rows -> scoring.score(model.value().model(), rows),
            Encoders.row(schema));
  }

  /// What predictions are of, which the likelihood must have.
  private Of asked() {
    Likelihood likelihood = shipped.model().likelihood();
    boolean noise = (boolean) getOrDefault(includeNoise);
    String text = optional(of);
    if (text == null) return noise ? Of.OBSERVATION : likelihood.usual();
    List<Of> there = Arrays.stream(Of.values()).filter(likelihood::has).toList();
    Of found =
        there.stream()
            .filter(each -> each.toString().equals(text))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "of is '%s', and likelihood %s has %s; set one of them"
                            .formatted(
                                text,
                                likelihood,
                                there.stream()
                                    .map(Of::toString)
                                    .collect(Collectors.joining(", ")))));
    if (noise && found != Of.OBSERVATION)
      throw new IllegalArgumentException(
          "includeNoise is the same as of = observation, and of is '%s'; set one of the two"
              .formatted(text));
    return found;
  }

  /// The model with more observations, whose hyperparameters stay: what a stream's `foreachBatch`
  /// does with every batch (see [StreamUpdates]).
  public LovelaceModel updated(Dataset<?> rows) {
    return revised(rows, true);
  }

  /// The model without observations that it has learned from.
  public LovelaceModel without(Dataset<?> rows) {
    return revised(rows, false);
  }

  private LovelaceModel revised(Dataset<?> rows, boolean add) {
    if (rows.isEmpty()) return this;
    schemas().requireInputs(rows.schema());
    Schemas.requireNumber(rows.schema(), getOrDefault(labelCol), "labelCol");
    String weight = optional(weightCol);
    boolean skip = Schemas.isSkip("handleInvalid", getOrDefault(handleInvalid));
    RowShape shape =
        schemas()
            .shape(rows, getOrDefault(labelCol), weight != null, skip, schemas().words(model()));
    SparkSource source =
        new SparkSource(rows, shape, weight, (int) getOrDefault(aggregationDepth), null);
    Outside beyond =
        Schemas.isSkip("outside", getOrDefault(outside)) ? Outside.SKIP : Outside.ERROR;
    Fit.Maker maker = new Fit.Maker(Fit.Maker.LIBRARY.version(), "Spark, " + uid);
    try {
      Model old = shipped.model();
      Model next = add ? old.with(source, beyond, maker) : old.without(source, beyond, maker);
      return replaced(ShippedModel.of(next));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public LovelaceModel copy(ParamMap extra) {
    LovelaceModel copied = copyValues(new LovelaceModel(uid, shipped), extra);
    return hasParent() ? copied.setParent(parent()) : copied;
  }

  @Override
  public MLWriter write() {
    return new ModelStore.Writer(this);
  }

  ShippedModel shipped() {
    return shipped;
  }

  /// Another model with the same columns and settings.
  LovelaceModel replaced(ShippedModel other) {
    return copyValues(new LovelaceModel(uid, other), ParamMap.empty());
  }

  static LovelaceModel of(String uid, ShippedModel shipped) {
    return new LovelaceModel(uid, shipped);
  }

  public static LovelaceModel load(String path) {
    return read().load(path);
  }

  /// What Spark reads a saved one with.
  public static MLReader<LovelaceModel> read() {
    return new ModelStore.Reader();
  }

  /// The vector column of inputs.
  public Param<String> featuresCol() {
    return featuresCol;
  }

  public LovelaceModel setFeaturesCol(String value) {
    set(featuresCol, value);
    return this;
  }

  /// Columns of numbers that are the inputs, in place of featuresCol.
  public StringArrayParam inputCols() {
    return inputCols;
  }

  public LovelaceModel setInputCols(String[] value) {
    set(inputCols, value);
    return this;
  }

  /// The column to write the posterior mean to.
  public Param<String> predictionCol() {
    return predictionCol;
  }

  public LovelaceModel setPredictionCol(String value) {
    set(predictionCol, value);
    return this;
  }

  /// The column to write the posterior variance to; not written unless set.
  public Param<String> varianceCol() {
    return varianceCol;
  }

  public LovelaceModel setVarianceCol(String value) {
    set(varianceCol, value);
    return this;
  }

  /// The column to write an interval to, an array of its lower and upper end; not written unless
  /// set.
  public Param<String> intervalCol() {
    return intervalCol;
  }

  public LovelaceModel setIntervalCol(String value) {
    set(intervalCol, value);
    return this;
  }

  /// The probability that an interval holds, between 0 and 1.
  public DoubleParam level() {
    return level;
  }

  public LovelaceModel setLevel(double value) {
    set(level, value);
    return this;
  }

  /// The column to write draws of the function to, an array; not written unless set.
  public Param<String> drawsCol() {
    return drawsCol;
  }

  public LovelaceModel setDrawsCol(String value) {
    set(drawsCol, value);
    return this;
  }

  /// How many functions are drawn, the same ones for all rows.
  public IntParam draws() {
    return draws;
  }

  public LovelaceModel setDraws(int value) {
    set(draws, value);
    return this;
  }

  /// The seed of draws, of probes and of start values.
  public LongParam seed() {
    return seed;
  }

  public LovelaceModel setSeed(long value) {
    set(seed, value);
    return this;
  }

  /// Whether variances and intervals are those of an observation, as [#of] observation.
  public BooleanParam includeNoise() {
    return includeNoise;
  }

  public LovelaceModel setIncludeNoise(boolean value) {
    set(includeNoise, value);
    return this;
  }

  /// What predictions are of: function, rate, probability or observation; the rate or the
  /// probability where there is one unless set. Observations have size one.
  public Param<String> of() {
    return of;
  }

  public LovelaceModel setOf(String value) {
    set(of, value);
    return this;
  }

  /// The column of the target.
  public Param<String> labelCol() {
    return labelCol;
  }

  public LovelaceModel setLabelCol(String value) {
    set(labelCol, value);
    return this;
  }

  /// The column of sizes of rows: weights (an observation has noise variance noise/weight),
  /// exposures, trials, or the inverse of a known noise variance, as the likelihood has it.
  public Param<String> weightCol() {
    return weightCol;
  }

  public LovelaceModel setWeightCol(String value) {
    set(weightCol, value);
    return this;
  }

  /// What to do with a row that has a missing or infinite value: error or skip.
  public Param<String> handleInvalid() {
    return handleInvalid;
  }

  public LovelaceModel setHandleInvalid(String value) {
    set(handleInvalid, value);
    return this;
  }

  /// What to do with a row outside given bounds: error or skip.
  public Param<String> outside() {
    return outside;
  }

  public LovelaceModel setOutside(String value) {
    set(outside, value);
    return this;
  }

  /// The depth of treeAggregate, 2 or more for many partitions.
  public IntParam aggregationDepth() {
    return aggregationDepth;
  }

  public LovelaceModel setAggregationDepth(int value) {
    set(aggregationDepth, value);
    return this;
  }
}
