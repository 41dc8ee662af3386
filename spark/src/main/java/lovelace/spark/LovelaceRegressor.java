package lovelace.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import lovelace.Fit;
import lovelace.GridChoice;
import lovelace.Model;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer.Progress;
import lovelace.plan.Engine;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleArrayParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsWritable;
import org.apache.spark.ml.util.Identifiable$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/// Fits a Gaussian process to the rows of a data set: Spark makes one pass of sums (and one cheap
/// pass before it for ranges and start values, unless bounds are given and nothing is learned), the
/// driver learns from the sums, in a time that does not depend on the number of rows.
///
/// ```java
/// LovelaceModel model =
///     new LovelaceRegressor().setInputCols(new String[] {"x", "y"}).setLabelCol("z").fit(data);
/// model.setVarianceCol("variance").transform(places);
/// ```
public final class LovelaceRegressor extends Estimator<LovelaceModel>
    implements DefaultParamsWritable {

  private static final long serialVersionUID = 1;
  private final String uid;
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
  private final Param<String> kernel;
  private final Param<String> mean;
  private final Param<String> transform;
  private final Param<String> likelihood;
  private final Param<String> engine;
  private final DoubleParam tolerance;
  private final Param<String> gridPoints;
  private final DoubleArrayParam bounds;
  private final BooleanParam training;
  private final StringArrayParam parameters;
  private final StringArrayParam fixed;

  public LovelaceRegressor() {
    this(Identifiable$.MODULE$.randomUID("lovelace"));
  }

  /// As Spark makes one when it copies or loads it.
  public LovelaceRegressor(String uid) {
    this.uid = uid;
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
    kernel =
        new Param<>(
            this,
            "kernel",
            "the kernel, such as matern52 or 2*rbf + periodic; where it is not set, with more than three inputs rows held out choose it");
    mean = new Param<>(this, "mean", "the prior mean: zero, constant or linear");
    transform =
        new Param<>(this, "transform", "what is done to the target first: none, log or ranks");
    likelihood =
        new Param<>(
            this,
            "likelihood",
            "how rows depend on the function: gaussian, student-t, poisson, negative-binomial, bernoulli, binomial, gamma, gaussian(noise=known) or gaussian(noise=varying); all but gaussian and gaussian(noise=known) gather the rows on the driver");
    engine =
        new Param<>(
            this,
            "engine",
            "how the posterior is computed: auto, spectral, markov, sparse, krylov, dense or exact");
    tolerance =
        new DoubleParam(this, "tolerance", "the relative error of a variance to stay within");
    gridPoints =
        new Param<>(
            this,
            "gridPoints",
            "points along every axis, such as 200 or 100x80, or data for the data's own grid; chosen from the data unless set");
    bounds =
        new DoubleArrayParam(
            this,
            "bounds",
            "low and high of every input, one after another; found by a pass over the data unless set");
    training =
        new BooleanParam(this, "training", "whether parameters that are not fixed are learned");
    parameters =
        new StringArrayParam(
            this,
            "parameters",
            "values of parameters to start from, such as noise=0.1 or lengthscale=0.2,0.3");
    fixed = new StringArrayParam(this, "fixed", "values of parameters that are held");
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
    setDefault(kernel, "rbf");
    setDefault(mean, "constant");
    setDefault(transform, "none");
    setDefault(likelihood, "gaussian");
    setDefault(engine, "auto");
    setDefault(tolerance, 0.01);
    setDefault(training, true);
  }

  @Override
  public String uid() {
    return uid;
  }

  private @Nullable String optional(Param<String> param) {
    return isDefined(param) ? getOrDefault(param) : null;
  }

  private Schemas schemas() {
    return new Schemas(
        getOrDefault(featuresCol), isDefined(inputCols) ? getOrDefault(inputCols) : null);
  }

  private Fit settings(int d) {
    GridChoice grid = GridChoice.DEFAULT;
    String points = optional(gridPoints);
    if (points != null) grid = grid.withPoints(points);
    double[] given = given(d);
    for (int j = 0; given != null && j < d; j++)
      grid = grid.bounded(j, given[2 * j], given[2 * j + 1]);
    Fit fit =
        Fit.DEFAULT
            .withMean(getOrDefault(mean))
            .withLikelihood(getOrDefault(likelihood))
            .withEngine(choice(Engine.class, engine))
            .withTolerance((double) getOrDefault(tolerance))
            .withGrid(grid)
            .withOutside(choice(Outside.class, outside))
            .withTraining((boolean) getOrDefault(training))
            .withLearning(
                new Fit.Learning(Lbfgs.DEFAULT, 1, (long) getOrDefault(seed), Progress.NONE))
            .withMaker(Fit.Maker.LIBRARY.version(), "Spark, " + uid);
    // with many inputs rows held out choose what was not set
    if (isSet(kernel)) fit = fit.withKernel(getOrDefault(kernel));
    if (isSet(transform)) fit = fit.withTransform(TargetTransform.parse(getOrDefault(transform)));
    if (isDefined(parameters))
      for (String text : getOrDefault(parameters)) fit = fit.set(name(text), values(text));
    if (isDefined(fixed))
      for (String text : getOrDefault(fixed)) fit = fit.fix(name(text), values(text));
    return fit;
  }

  private <E extends Enum<E>> E choice(Class<E> type, Param<String> param) {
    String value = getOrDefault(param);
    for (E constant : type.getEnumConstants())
      if (constant.name().toLowerCase(Locale.ROOT).equals(value)) return constant;
    throw new IllegalArgumentException(
        "%s must be one of %s, got '%s'"
            .formatted(
                param.name(),
                String.join(
                    ", ",
                    Arrays.stream(type.getEnumConstants())
                        .map(c -> c.name().toLowerCase(Locale.ROOT))
                        .toList()),
                value));
  }

  private static String name(String text) {
    int at = text.indexOf('=');
    if (at < 1)
      throw new IllegalArgumentException(
          "a parameter is written name=value or name=value,value, got '" + text + "'");
    return text.substring(0, at).strip();
  }

  private static double[] values(String text) {
    return Arrays.stream(text.substring(text.indexOf('=') + 1).split(",", -1))
        .mapToDouble(Double::parseDouble)
        .toArray();
  }

  private double @Nullable [] given(int d) {
    if (!isDefined(bounds)) return null;
    double[] given = getOrDefault(bounds);
    if (given.length != 2 * d)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "bounds needs low and high of %d inputs, %d numbers, got %d",
              d,
              2 * d,
              given.length));
    return given;
  }

  @Override
  public LovelaceModel fit(Dataset<?> data) {
    transformSchema(data.schema());
    boolean skip = Schemas.isSkip("handleInvalid", getOrDefault(handleInvalid));
    String weight = optional(weightCol);
    RowShape shape =
        schemas().shape(data, getOrDefault(labelCol), weight != null, skip, schemas().words(data));
    int d = shape.dimensions();
    Fit fit = settings(d);
    boolean known = !fit.training();
    SparkSource source =
        new SparkSource(
            data, shape, weight, (int) getOrDefault(aggregationDepth), known ? given(d) : null);
    Model model;
    try {
      model = fit.to(source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    LovelaceModel made = new LovelaceModel(uid, model);
    return copyValues(made, ParamMap.empty()).setParent(this);
  }

  @Override
  public StructType transformSchema(StructType schema) {
    schemas().requireInputs(schema);
    Schemas.requireNumber(schema, getOrDefault(labelCol), "labelCol");
    String weight = optional(weightCol);
    if (weight != null) Schemas.requireNumber(schema, weight, "weightCol");
    return Schemas.with(
        schema,
        getOrDefault(predictionCol),
        optional(varianceCol),
        optional(intervalCol),
        optional(drawsCol));
  }

  @Override
  public LovelaceRegressor copy(ParamMap extra) {
    return defaultCopy(extra);
  }

  public static LovelaceRegressor load(String path) {
    return read().load(path);
  }

  /// What Spark reads a saved one with.
  public static MLReader<LovelaceRegressor> read() {
    return new DefaultParamsReader<>();
  }

  /// The vector column of inputs.
  public Param<String> featuresCol() {
    return featuresCol;
  }

  public LovelaceRegressor setFeaturesCol(String value) {
    set(featuresCol, value);
    return this;
  }

  /// Columns of numbers that are the inputs, in place of featuresCol.
  public StringArrayParam inputCols() {
    return inputCols;
  }

  public LovelaceRegressor setInputCols(String[] value) {
    set(inputCols, value);
    return this;
  }

  /// The column to write the posterior mean to.
  public Param<String> predictionCol() {
    return predictionCol;
  }

  public LovelaceRegressor setPredictionCol(String value) {
    set(predictionCol, value);
    return this;
  }

  /// The column to write the posterior variance to; not written unless set.
  public Param<String> varianceCol() {
    return varianceCol;
  }

  public LovelaceRegressor setVarianceCol(String value) {
    set(varianceCol, value);
    return this;
  }

  /// The column to write an interval to, an array of its lower and upper end; not written unless
  /// set.
  public Param<String> intervalCol() {
    return intervalCol;
  }

  public LovelaceRegressor setIntervalCol(String value) {
    set(intervalCol, value);
    return this;
  }

  /// The probability that an interval holds, between 0 and 1.
  public DoubleParam level() {
    return level;
  }

  public LovelaceRegressor setLevel(double value) {
    set(level, value);
    return this;
  }

  /// The column to write draws of the function to, an array; not written unless set.
  public Param<String> drawsCol() {
    return drawsCol;
  }

  public LovelaceRegressor setDrawsCol(String value) {
    set(drawsCol, value);
    return this;
  }

  /// How many functions are drawn, the same ones for all rows.
  public IntParam draws() {
    return draws;
  }

  public LovelaceRegressor setDraws(int value) {
    set(draws, value);
    return this;
  }

  /// The seed of draws, of probes and of start values.
  public LongParam seed() {
    return seed;
  }

  public LovelaceRegressor setSeed(long value) {
    set(seed, value);
    return this;
  }

  /// Whether variances and intervals are those of an observation, as [#of] observation.
  public BooleanParam includeNoise() {
    return includeNoise;
  }

  public LovelaceRegressor setIncludeNoise(boolean value) {
    set(includeNoise, value);
    return this;
  }

  /// What predictions are of: function, rate, probability or observation; the rate or the
  /// probability where there is one unless set. Observations have size one.
  public Param<String> of() {
    return of;
  }

  public LovelaceRegressor setOf(String value) {
    set(of, value);
    return this;
  }

  /// The column of the target.
  public Param<String> labelCol() {
    return labelCol;
  }

  public LovelaceRegressor setLabelCol(String value) {
    set(labelCol, value);
    return this;
  }

  /// The column of sizes of rows: weights (an observation has noise variance noise/weight),
  /// exposures, trials, or the inverse of a known noise variance, as the likelihood has it.
  public Param<String> weightCol() {
    return weightCol;
  }

  public LovelaceRegressor setWeightCol(String value) {
    set(weightCol, value);
    return this;
  }

  /// What to do with a row that has a missing or infinite value: error or skip.
  public Param<String> handleInvalid() {
    return handleInvalid;
  }

  public LovelaceRegressor setHandleInvalid(String value) {
    set(handleInvalid, value);
    return this;
  }

  /// What to do with a row outside given bounds: error or skip.
  public Param<String> outside() {
    return outside;
  }

  public LovelaceRegressor setOutside(String value) {
    set(outside, value);
    return this;
  }

  /// The depth of treeAggregate, 2 or more for many partitions.
  public IntParam aggregationDepth() {
    return aggregationDepth;
  }

  public LovelaceRegressor setAggregationDepth(int value) {
    set(aggregationDepth, value);
    return this;
  }

  /// The kernel, such as matern52 or 2*rbf + periodic.
  public Param<String> kernel() {
    return kernel;
  }

  public LovelaceRegressor setKernel(String value) {
    set(kernel, value);
    return this;
  }

  /// The prior mean: zero, constant or linear.
  public Param<String> mean() {
    return mean;
  }

  public LovelaceRegressor setMean(String value) {
    set(mean, value);
    return this;
  }

  /// What is done to the target first: none, log or ranks.
  public Param<String> transform() {
    return transform;
  }

  public LovelaceRegressor setTransform(String value) {
    set(transform, value);
    return this;
  }

  /// How rows depend on the function, such as poisson or bernoulli. Under a likelihood other than
  /// gaussian and gaussian(noise=known) the driver holds the rows.
  public Param<String> likelihood() {
    return likelihood;
  }

  public LovelaceRegressor setLikelihood(String value) {
    set(likelihood, value);
    return this;
  }

  /// How the posterior is computed: auto, spectral, markov, sparse, krylov, dense or exact.
  public Param<String> engine() {
    return engine;
  }

  public LovelaceRegressor setEngine(String value) {
    set(engine, value);
    return this;
  }

  /// The relative error of a variance to stay within.
  public DoubleParam tolerance() {
    return tolerance;
  }

  public LovelaceRegressor setTolerance(double value) {
    set(tolerance, value);
    return this;
  }

  /// Points along every axis, such as 200 or 100x80; chosen from the data unless set.
  public Param<String> gridPoints() {
    return gridPoints;
  }

  public LovelaceRegressor setGridPoints(String value) {
    set(gridPoints, value);
    return this;
  }

  /// Low and high of every input, one after another; found by a pass over the data unless set.
  public DoubleArrayParam bounds() {
    return bounds;
  }

  public LovelaceRegressor setBounds(double[] value) {
    set(bounds, value);
    return this;
  }

  /// Whether parameters that are not fixed are learned.
  public BooleanParam training() {
    return training;
  }

  public LovelaceRegressor setTraining(boolean value) {
    set(training, value);
    return this;
  }

  /// Values of parameters to start from, such as noise=0.1 or lengthscale=0.2,0.3.
  public StringArrayParam parameters() {
    return parameters;
  }

  public LovelaceRegressor setParameters(String[] value) {
    set(parameters, value);
    return this;
  }

  /// Values of parameters that are held.
  public StringArrayParam fixed() {
    return fixed;
  }

  public LovelaceRegressor setFixed(String[] value) {
    set(fixed, value);
    return this;
  }
}
