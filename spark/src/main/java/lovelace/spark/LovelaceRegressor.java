package lovelace.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.TargetTransform;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer.Progress;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import org.apache.spark.ml.Estimator;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleArrayParam;
import org.apache.spark.ml.param.DoubleParam;
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

/// Fits a Gaussian process to the rows of a data set. Spark makes one pass for sums, after a cheap
/// pass for ranges and start values. The cheap pass is left out if bounds are given and nothing is
/// learned. The driver learns from the sums, in a time that does not depend on the number of rows.
///
/// ```java
/// LovelaceModel model =
///     new LovelaceRegressor().setInputCols(new String[] {"x", "y"}).setLabelCol("z").fit(data);
/// model.setVarianceCol("variance").transform(places);
/// ```
public final class LovelaceRegressor extends Estimator<LovelaceModel>
    implements LovelaceParams<LovelaceRegressor>, DefaultParamsWritable {

  private static final long serialVersionUID = 2;
  private final String uid;
  private final SharedParams shared;
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

  /// The constructor that Spark uses to copy or load one.
  public LovelaceRegressor(String uid) {
    this.uid = uid;
    shared = new SharedParams(this);
    kernel =
        new Param<>(
            this,
            "kernel",
            "the kernel, such as matern52 or 2*rbf + periodic; unless set it is rbf for up to three inputs, and for more the one that predicts held-out rows best",
            Rule.text("kernel", Fit.DEFAULT::withKernel));
    mean =
        new Param<>(
            this,
            "mean",
            "the prior mean: zero, constant or linear",
            Rule.oneOf("mean", "zero", "constant", "linear"));
    transform =
        new Param<>(
            this,
            "transform",
            "how the target is transformed first: none, log or ranks",
            Rule.text("transform", TargetTransform::parse));
    likelihood =
        new Param<>(
            this,
            "likelihood",
            "how rows depend on the function: gaussian, student-t, poisson, negative-binomial, bernoulli, binomial, gamma, gaussian(noise=known) or gaussian(noise=varying); all but gaussian and gaussian(noise=known) gather the rows on the driver",
            Rule.text("likelihood", Fit.DEFAULT::withLikelihood));
    engine =
        new Param<>(
            this,
            "engine",
            "how the posterior is computed: auto, spectral, markov, sparse, krylov, dense, exact, chain, sites or neighbours",
            Rule.text("engine", Engine::parse));
    tolerance =
        new DoubleParam(
            this,
            "tolerance",
            "the largest relative error of a variance",
            Rule.between("tolerance", 0, 1));
    gridPoints =
        new Param<>(
            this,
            "gridPoints",
            "points along every axis, such as 200 or 100x80, or data for the grid of the data itself; chosen from the data unless set",
            Rule.text("gridPoints", GridChoice.DEFAULT::withPoints));
    bounds =
        new DoubleArrayParam(
            this,
            "bounds",
            "low and high of every input, one after another; found by a pass over the data unless set",
            new Rule<>(
                "bounds",
                "be low < high of every input, one after another",
                (Rule.Check<double[]>) LovelaceRegressor::ascending));
    training =
        new BooleanParam(this, "training", "whether to learn the parameters that are not fixed");
    parameters =
        new StringArrayParam(
            this,
            "parameters",
            "parameter values to start from, such as noise=0.1 or lengthscale=0.2,0.3",
            Rule.texts("parameters", LovelaceRegressor::values));
    fixed =
        new StringArrayParam(
            this,
            "fixed",
            "parameter values to hold, written the same way",
            Rule.texts("fixed", LovelaceRegressor::values));
    shared.setDefaults(this);
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

  @Override
  public SharedParams shared() {
    return shared;
  }

  @Override
  public LovelaceRegressor self() {
    return this;
  }

  private Fit settings(int d) {
    GridChoice grid = GridChoice.DEFAULT;
    if (isDefined(gridPoints)) grid = grid.withPoints(getGridPoints());
    double[] given = given(d);
    for (int j = 0; given != null && j < d; j++)
      grid = grid.bounded(j, given[2 * j], given[2 * j + 1]);
    Fit fit =
        Fit.DEFAULT
            .withMean(getMean())
            .withLikelihood(getLikelihood())
            .withEngine(Engine.parse(getEngine()))
            .withTolerance(getTolerance())
            .withGrid(grid)
            .withOutside(Schemas.outside(this))
            .withTraining(getTraining())
            .withLearning(new Options.Learning(Lbfgs.DEFAULT, 1, getSeed(), Progress.NONE))
            .withMaker(Options.Maker.LIBRARY.version(), "Spark, " + uid);
    // with many inputs, rows held out choose the settings that were not set
    if (isSet(kernel)) fit = fit.withKernel(getKernel());
    if (isSet(transform)) fit = fit.withTransform(TargetTransform.parse(getTransform()));
    if (isDefined(parameters))
      for (String text : getParameters()) fit = fit.set(name(text), values(text));
    if (isDefined(fixed)) for (String text : getFixed()) fit = fit.fix(name(text), values(text));
    return fit;
  }

  private static String name(String text) {
    int at = text.indexOf('=');
    if (at < 1)
      throw new IllegalArgumentException(
          "a parameter is written name=value or name=value,value, got '" + text + "'");
    return text.substring(0, at).strip();
  }

  private static double[] values(String text) {
    String name = name(text);
    try {
      return Arrays.stream(text.substring(text.indexOf('=') + 1).split(",", -1))
          .mapToDouble(Double::parseDouble)
          .toArray();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the value of '%s' is not a number in '%s'; write name=value or name=value,value"
              .formatted(name, text),
          e);
    }
  }

  private static boolean ascending(double[] bounds) {
    for (int j = 0; j + 1 < bounds.length; j += 2)
      if (!(bounds[j] < bounds[j + 1] && Double.isFinite(bounds[j + 1] - bounds[j]))) return false;
    return bounds.length > 0 && bounds.length % 2 == 0;
  }

  private double @Nullable [] given(int d) {
    if (!isDefined(bounds)) return null;
    double[] given = getBounds();
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
    Schemas schemas = Schemas.of(this);
    RowShape shape = schemas.shape(data, this, schemas.words(data));
    int d = shape.dimensions();
    Fit fit = settings(d);
    SparkSource source =
        new SparkSource(data, shape, getAggregationDepth(), fit.training() ? null : given(d));
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
    Schemas.of(this).requireInputs(schema);
    Schemas.requireNumber(schema, getLabelCol(), "labelCol");
    if (isDefined(weightCol())) Schemas.requireNumber(schema, getWeightCol(), "weightCol");
    return Schemas.with(schema, this);
  }

  @Override
  public LovelaceRegressor copy(ParamMap extra) {
    return defaultCopy(extra);
  }

  public static LovelaceRegressor load(String path) {
    return read().load(path);
  }

  /// The reader with which Spark loads a saved one.
  public static MLReader<LovelaceRegressor> read() {
    return new DefaultParamsReader<>();
  }

  /// The kernel, such as matern52 or 2*rbf + periodic. The default is rbf for up to three inputs;
  /// for more, it is the kernel that predicts held-out rows best.
  public Param<String> kernel() {
    return kernel;
  }

  public String getKernel() {
    return getOrDefault(kernel);
  }

  public LovelaceRegressor setKernel(String value) {
    set(kernel, value);
    return this;
  }

  /// The prior mean: zero, constant or linear.
  public Param<String> mean() {
    return mean;
  }

  public String getMean() {
    return getOrDefault(mean);
  }

  public LovelaceRegressor setMean(String value) {
    set(mean, value);
    return this;
  }

  /// The transform of the target before the fit: none, log or ranks.
  public Param<String> transform() {
    return transform;
  }

  public String getTransform() {
    return getOrDefault(transform);
  }

  public LovelaceRegressor setTransform(String value) {
    set(transform, value);
    return this;
  }

  /// How rows depend on the function: gaussian, student-t, poisson, negative-binomial, bernoulli,
  /// binomial, gamma, gaussian(noise=known) or gaussian(noise=varying). All except gaussian and
  /// gaussian(noise=known) gather the rows on the driver.
  public Param<String> likelihood() {
    return likelihood;
  }

  public String getLikelihood() {
    return getOrDefault(likelihood);
  }

  public LovelaceRegressor setLikelihood(String value) {
    set(likelihood, value);
    return this;
  }

  /// How the posterior is computed: auto, spectral, markov, sparse, krylov, dense, exact or
  /// neighbours.
  public Param<String> engine() {
    return engine;
  }

  public String getEngine() {
    return getOrDefault(engine);
  }

  public LovelaceRegressor setEngine(String value) {
    set(engine, value);
    return this;
  }

  /// The largest relative error of a variance.
  public DoubleParam tolerance() {
    return tolerance;
  }

  public double getTolerance() {
    return (double) getOrDefault(tolerance);
  }

  public LovelaceRegressor setTolerance(double value) {
    set(tolerance, value);
    return this;
  }

  /// Points along every axis, such as 200 or 100x80, or data for the grid of the data itself;
  /// chosen from the data unless set.
  public Param<String> gridPoints() {
    return gridPoints;
  }

  public String getGridPoints() {
    return getOrDefault(gridPoints);
  }

  public LovelaceRegressor setGridPoints(String value) {
    set(gridPoints, value);
    return this;
  }

  /// Low and high of every input, one after another; found by a pass over the data unless set.
  public DoubleArrayParam bounds() {
    return bounds;
  }

  public double[] getBounds() {
    return getOrDefault(bounds);
  }

  public LovelaceRegressor setBounds(double[] value) {
    set(bounds, value);
    return this;
  }

  /// Whether to learn the parameters that are not fixed.
  public BooleanParam training() {
    return training;
  }

  public boolean getTraining() {
    return (boolean) getOrDefault(training);
  }

  public LovelaceRegressor setTraining(boolean value) {
    set(training, value);
    return this;
  }

  /// Parameter values to start from, such as noise=0.1 or lengthscale=0.2,0.3.
  public StringArrayParam parameters() {
    return parameters;
  }

  public String[] getParameters() {
    return getOrDefault(parameters);
  }

  public LovelaceRegressor setParameters(String[] value) {
    set(parameters, value);
    return this;
  }

  /// Parameter values to hold, written the same way.
  public StringArrayParam fixed() {
    return fixed;
  }

  public String[] getFixed() {
    return getOrDefault(fixed);
  }

  public LovelaceRegressor setFixed(String[] value) {
    set(fixed, value);
    return this;
  }
}
