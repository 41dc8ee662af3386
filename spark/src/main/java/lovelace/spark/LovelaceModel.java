package lovelace.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import lovelace.Model;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.options.Options;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWritable;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/// A fitted Gaussian process that scores data sets, static or streaming. The model is sent to every
/// executor once. If a row has a word that the model has not seen, the prediction depends on its
/// other inputs.
public final class LovelaceModel extends org.apache.spark.ml.Model<LovelaceModel>
    implements LovelaceParams<LovelaceModel>, MLWritable {

  private static final long serialVersionUID = 2;
  private final String uid;
  private final ShippedModel shipped;
  private final SharedParams shared;

  /// Wraps a model that was fitted anywhere, for example by the command line.
  public LovelaceModel(String uid, Model model) {
    this(uid, ShippedModel.of(model));
  }

  private LovelaceModel(String uid, ShippedModel shipped) {
    this.uid = uid;
    this.shipped = shipped;
    shared = new SharedParams(this);
    shared.setDefaults(this);
  }

  @Override
  public String uid() {
    return uid;
  }

  /// The model itself: parameters, certificate, likelihood, provenance.
  public Model model() {
    return shipped.model();
  }

  @Override
  public SharedParams shared() {
    return shared;
  }

  @Override
  public LovelaceModel self() {
    return this;
  }

  @Override
  public StructType transformSchema(StructType schema) {
    Schemas.of(this).requireInputs(schema);
    if (isDefined(sizeCol())) Schemas.requireNumber(schema, getSizeCol(), "sizeCol");
    return Schemas.with(schema, this);
  }

  @Override
  public Dataset<Row> transform(Dataset<?> data) {
    transformSchema(data.schema());
    Model model = model();
    Of of = asked(model.likelihood());
    String size = isDefined(sizeCol()) ? getSizeCol() : null;
    if (size != null && of != Of.OBSERVATION)
      throw new IllegalArgumentException(
          "sizeCol is the size of an observation, and the prediction is of the %s; setOf(\"observation\") or clear sizeCol"
              .formatted(of));
    if (size == null
        && of == Of.OBSERVATION
        && model.likelihood().size() == Likelihood.Size.PRECISION)
      throw new IllegalArgumentException(
          "the noise of this model is known row by row; setSizeCol to a column of inverse noise variances, or setOf(\"function\")");
    if (isDefined(drawsCol())) requireDraws(model);
    Column inputs = Schemas.of(this).row(data, model, size);
    Broadcast<ShippedModel> sent =
        JavaSparkContext.fromSparkContext(data.sparkSession().sparkContext()).broadcast(shipped);
    Scoring.Asked asked =
        new Scoring.Asked(
            of,
            isDefined(varianceCol()),
            isDefined(intervalCol()) ? getLevel() : Double.NaN,
            isDefined(drawsCol()) ? getDraws() : 0,
            getSeed(),
            isDefined(outsideCol()),
            size != null,
            getHandleInvalid().equals("error"));
    Scoring scoring = new Scoring(sent, asked);
    Dataset<Row> rows = data.toDF();
    if (getHandleInvalid().equals("skip"))
      rows = rows.filter(udf(scoring.valid(), DataTypes.BooleanType).apply(inputs));
    String result = uid + "_result";
    rows =
        isRowByRow(model)
            ? rows.withColumn(result, udf(scoring.rowByRow(), scoring.type()).apply(inputs))
            : rows.withColumn(result, inputs)
                .mapPartitions(
                    scoring.inBatches(),
                    Encoders.row(data.schema().add(result, scoring.type(), true)));
    return rows.select(added(rows.col(result))).drop(result);
  }

  /// Whether rows are scored one by one, by an expression that reads only the input columns. On a
  /// lattice that is as fast as scoring many rows together. Models that hold their rows, and
  /// networks, are faster on many rows together.
  private static boolean isRowByRow(Model model) {
    return model.lattice().isPresent()
        && model
            .map()
            .map(map -> map.getClass().getPackage() == FeatureMap.class.getPackage())
            .orElse(true);
  }

  /// All columns, with those that scoring adds.
  private Column[] added(Column result) {
    List<Column> all = new ArrayList<>();
    all.add(col("*"));
    all.add(result.getField(Scoring.PREDICTION).as(getPredictionCol()));
    if (isDefined(varianceCol())) all.add(result.getField(Scoring.VARIANCE).as(getVarianceCol()));
    if (isDefined(intervalCol())) all.add(result.getField(Scoring.INTERVAL).as(getIntervalCol()));
    if (isDefined(drawsCol())) all.add(result.getField(Scoring.DRAWS).as(getDrawsCol()));
    if (isDefined(outsideCol())) all.add(result.getField(Scoring.OUTSIDE).as(getOutsideCol()));
    return all.toArray(Column[]::new);
  }

  private static void requireDraws(Model model) {
    if (model.lattice().isEmpty())
      throw new IllegalArgumentException(
          "drawsCol needs a model on a grid, and this one holds its rows; clear drawsCol, or fit with grid points");
    if (!model.drift().isEmpty())
      throw new IllegalArgumentException(
          "drawsCol draws functions of the process, and the mean of this model has a drift; clear drawsCol");
  }

  /// The quantity to predict. The likelihood must have it.
  private Of asked(Likelihood likelihood) {
    boolean noise = getIncludeNoise();
    if (!isDefined(of())) return noise ? Of.OBSERVATION : likelihood.usual();
    String text = getOf();
    List<Of> there = Arrays.stream(Of.values()).filter(likelihood::has).toList();
    Of found =
        there.stream()
            .filter(each -> each.toString().equals(text))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "of is '%s', and a model with likelihood %s can predict only %s; set one of these"
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

  /// Returns a model that has also learned `rows`. Its hyperparameters stay. A stream's
  /// `foreachBatch` does this with every batch (see [StreamUpdates]).
  public LovelaceModel updated(Dataset<?> rows) {
    return revised(rows, true);
  }

  /// Returns a model that has forgotten `rows`, which it must have learned from.
  public LovelaceModel without(Dataset<?> rows) {
    return revised(rows, false);
  }

  private LovelaceModel revised(Dataset<?> rows, boolean add) {
    if (rows.isEmpty()) return this;
    Schemas schemas = Schemas.of(this);
    schemas.requireInputs(rows.schema());
    Schemas.requireNumber(rows.schema(), getLabelCol(), "labelCol");
    if (isDefined(weightCol())) Schemas.requireNumber(rows.schema(), getWeightCol(), "weightCol");
    SparkSource source =
        new SparkSource(rows, schemas.shape(rows, this, model()), getAggregationDepth(), null);
    Outside beyond = Schemas.outside(this);
    Options.Maker maker = new Options.Maker(Options.Maker.LIBRARY.version(), "Spark, " + uid);
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

  /// The reader with which Spark loads a saved model.
  public static MLReader<LovelaceModel> read() {
    return new ModelStore.Reader();
  }
}
