package lovelace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import lovelace.bare.Bare;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.data.Trust;
import lovelace.drift.DriftedPosterior;
import lovelace.io.ModelFile;
import lovelace.io.ModelState;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.KernelFunction;
import lovelace.laplace.Fitted;
import lovelace.laplace.Window;
import lovelace.lattice.LatticePosterior;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.model.Provenance;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Certificate;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.RowPosterior;
import lovelace.revision.Alignment;
import lovelace.revision.Revision;
import lovelace.source.Source;
import lovelace.way.Assembly;

/// A Gaussian process that has learned from a table. It answers in the units of the table: it
/// undoes any transform of the target. A model is immutable and safe to share between threads.
public final class Model {

  private final ModelState state;
  private final Bare bare;

  private Model(ModelState state) {
    this.state = state;
    bare = state.bare();
  }

  static Model of(ModelState state) {
    return new Model(state);
  }

  /// Reads a model file from any source: nothing in the file is run. A file whose network is code
  /// is refused; see [#load(Path, Trust, KernelFunction...)]. Observations that a server keeps in a
  /// journal beside the file are not read.
  public static Model load(Path file) throws IOException {
    return load(file, Trust.DATA);
  }

  /// Reads a model file. With [Trust#CODE], its network may be a TorchScript module or an object of
  /// a class that the file names; that code then runs in this process. The file stores a kernel of
  /// your own by name only. Pass its function, unless it is registered as a service.
  public static Model load(Path file, Trust trust, KernelFunction... own) throws IOException {
    return new Model(ModelFile.read(file, trust, own));
  }

  /// Writes a model file and returns its length in bytes. If writing fails, an earlier file stays.
  /// Takes no lock: of two programs that load, change and save a file at the same time, the last
  /// one wins. If the model has a kernel of your own, whoever loads it needs the kernel's class;
  /// see [lovelace.kernel.KernelFunction].
  public long save(Path file) throws IOException {
    return save(file, true);
  }

  /// Like [#save(Path)]. Without the covariance cache the file is smaller, but the first
  /// covariance, sample, or variance beyond the grid takes the time to build it.
  public long save(Path file, boolean covariance) throws IOException {
    return ModelFile.write(file, state, covariance);
  }

  ModelState state() {
    return state;
  }

  /// The same for counts of events in a window.
  Model of(Window window, long fingerprint) {
    return new Model(Assembly.ofEvents(state, window, fingerprint));
  }

  /// Returns a model that has also learned `rows`. Past rows are not needed, because statistics
  /// add. The result equals a fit to all rows with the same hyperparameters, which are not learned
  /// again. The rows must have the model's columns. If the model has a grid, they must lie on it.
  public Model with(Dataset rows) {
    return Fit.inMemory(() -> with(Source.of(rows), Outside.ERROR, Options.Maker.LIBRARY));
  }

  /// Like [#with(Dataset)], for rows that are read a few at a time. You choose the treatment of
  /// rows outside the grid, and who is recorded as the maker of the new model.
  public Model with(Source rows, Outside outside, Options.Maker maker) throws IOException {
    return new Model(Revision.add(state, rows, outside, maker));
  }

  /// Returns a model that has forgotten `rows`, which it must have learned before. Undoes
  /// [#with(Dataset)].
  public Model without(Dataset rows) {
    return Fit.inMemory(() -> without(Source.of(rows), Outside.ERROR, Options.Maker.LIBRARY));
  }

  /// Like [#without(Dataset)], for rows that are read a few at a time.
  public Model without(Source rows, Outside outside, Options.Maker maker) throws IOException {
    return new Model(Revision.forget(state, rows, outside, maker));
  }

  /// Returns a model of the same observations with other hyperparameters of the same form. No rows
  /// are needed, and the grid stays. The result has no standard errors and no trace, because
  /// nothing was learned.
  public Model with(Hyperparameters values) {
    return with(values, Engine.AUTO, Options.Maker.LIBRARY);
  }

  /// Like [#with(Hyperparameters)], computed by the engine that you choose. A model that holds its
  /// rows keeps its engine. A model on a grid can have another engine on the grid.
  public Model with(Hyperparameters values, Engine engine, Options.Maker maker) {
    return new Model(Revision.change(state, values, engine, maker));
  }

  /// Returns a model of the same observations with hyperparameters learned from their statistics,
  /// with standard errors and a trace. The search starts from the model's hyperparameters. No rows
  /// are needed, and the grid stays. If a lengthscale becomes shorter than two cells of the grid,
  /// fit the rows again instead.
  public Model learn() {
    return learn(hyperparameters());
  }

  /// Like [#learn()], starting from other hyperparameters of the same form. Fixed ones stay fixed.
  public Model learn(Hyperparameters start) {
    return learn(start, Engine.AUTO, Fit.DEFAULT.learning(), Options.Maker.LIBRARY);
  }

  /// Like [#learn(Hyperparameters)]. The first search starts from `start`. If `learning` asks for
  /// more starts, the others begin at points around it, drawn with its seed. Engines are as in
  /// [#with(Hyperparameters, Engine, Options.Maker)].
  public Model learn(
      Hyperparameters start, Engine engine, Options.Learning learning, Options.Maker maker) {
    return Fit.DEFAULT
        .budget()
        .call(() -> new Model(Revision.learn(state, start, engine, learning, maker)));
  }

  /// Merges models of the same form into one model of all their observations. Models with a grid
  /// must share it. The result has the hyperparameters of the first model. Messages call the models
  /// `model 1`, `model 2` and so on.
  public static Model merge(Model... models) {
    SequencedMap<String, Model> named = new LinkedHashMap<>();
    for (Model model : models) named.put("model " + (named.size() + 1), model);
    return merge(named, Options.Maker.LIBRARY);
  }

  /// Like [#merge(Model...)]. Messages call the models by their keys.
  public static Model merge(SequencedMap<String, Model> models, Options.Maker maker) {
    if (models.size() < 2)
      throw new IllegalArgumentException("merging needs two models or more, got " + models.size());
    SequencedMap<String, ModelState> states = new LinkedHashMap<>();
    models.forEach((name, model) -> states.put(name, model.state));
    return new Model(Revision.merge(states, maker));
  }

  /// The input columns.
  public List<Column> columns() {
    return state.inputs();
  }

  /// Which columns are coordinates, and in which system; empty if none were named.
  public Optional<Place> place() {
    return state.place();
  }

  /// The columns that the process reads. They come first in [#columns], and are all of them unless
  /// the mean has a [#drift].
  public List<Column> processColumns() {
    return bare.trend().map(t -> columns().subList(0, t.terms().process())).orElse(columns());
  }

  /// The columns that had a single value in all rows of the fit. The model does not read them: its
  /// rows have [#columns] only. [#rows] picks these from a table with more columns.
  public List<LeftOut> leftOut() {
    return state.leftOut();
  }

  /// The columns of a data set that the model reads. If the data set has more columns, they are
  /// found by name. Words become the model's codes.
  public Dataset rows(Dataset data) {
    return new Alignment(state, Source.of(data)).rows(data);
  }

  /// Removes the columns that the model left out. The points are row-major, with all columns of the
  /// table that was fitted.
  public double[] points(double[] table) {
    return answers().points(table);
  }

  /// The column of the target.
  public Column target() {
    return state.target();
  }

  /// How the target was transformed before it was modelled as Gaussian.
  public TargetTransform transform() {
    return state.transform();
  }

  /// The kernel, noise and prior mean, in the units of the table (of its logarithm with the log
  /// transform). In a projected model they are over the features.
  public Hyperparameters hyperparameters() {
    return state.hyperparameters();
  }

  /// The number of observations that the model has learned.
  public long count() {
    return state.count();
  }

  /// The posterior of the transformed target.
  public Posterior posterior() {
    return state.posterior();
  }

  /// The posterior on its lattice, over the features if the model has a [#map]; empty for a model
  /// that holds its rows, which is a [RowPosterior]. If the mean has a [#drift], this is the
  /// posterior of the process alone, without the uncertainty of the coefficients.
  public Optional<LatticePosterior> lattice() {
    return bare.lattice();
  }

  /// The posterior of a lattice model whose mean has a [#drift], with its coefficients.
  public Optional<DriftedPosterior> drifted() {
    return bare.drifted();
  }

  /// The posterior together with the rows that it holds. The rows are as in the table, apart from
  /// the transform of the target. Empty for a model on a lattice, which holds no rows.
  public Optional<RowPosterior> held() {
    return bare.held();
  }

  /// The observations in the units of the table, with sizes as weights ([Likelihood#size]). These
  /// are the rows that the model holds. If rows at the same place add up under the likelihood, they
  /// are the sums at each place, weighted by the number of rows if rows have no size. Empty if the
  /// model keeps only statistics.
  public Optional<Dataset> observed() {
    return answers().observed();
  }

  /// The average row of each cell of the grid, weighted by its number of rows. The target is as
  /// modelled. Empty without a grid of the columns, or if the noise is not Gaussian.
  public Optional<Dataset> averages() {
    return answers().averages();
  }

  /// How Laplace's approximation was found; empty if the noise is Gaussian, because then nothing is
  /// approximated.
  public Optional<Fitted> laplace() {
    return state.fitted();
  }

  /// The map from the input columns to the features of the process; empty if the process is over
  /// the columns themselves.
  public Optional<FeatureMap> map() {
    return bare.map();
  }

  /// A coefficient of the mean that was integrated out.
  ///
  /// @param name the name of its column, or `intercept`
  /// @param value its estimate, in the units of the table (of its logarithm with the log transform)
  public record Coefficient(String name, double value, double standardError) {}

  /// The coefficients of a mean with a drift ([Fit#withDrift]), the intercept first. They are the
  /// generalised least squares estimates, and predictions include their uncertainty. Empty for a
  /// model without a drift, whose mean is among the [#hyperparameters].
  public List<Coefficient> drift() {
    return answers().drift();
  }

  /// The range of most rows of a [#drift] column in the fit: its mean minus and plus two standard
  /// deviations.
  ///
  /// @param column its position among [#columns]
  public double[] driftRange(int column) {
    return answers().driftRange(column);
  }

  /// The points as the process sees them, row-major: features if the model has a [#map], otherwise
  /// the points themselves. Columns that only a [#drift] reads are removed.
  public double[] features(double[] points) {
    return answers().features(points);
  }

  /// The model as a function of its features, which replace the input columns. Returns the model
  /// itself if it has no [#map] or has a [#drift].
  public Model inFeatures() {
    if (map().isEmpty() || bare.trend().isPresent()) return this;
    return new Model(Assembly.inFeatures(state, bare));
  }

  /// The error bounds, and where they hold; empty for a model that holds its rows and is exact.
  public Optional<Certificate> certificate() {
    return lattice().map(LatticePosterior::certificate);
  }

  /// The tolerance that the model misses, with settings that would meet it; empty for a model that
  /// meets its tolerance or is exact. A fit always ends with a model.
  public Optional<Certificate.Missed> missed() {
    return Shortfall.of(this);
  }

  /// How the model is computed: the engine that was asked for and the one chosen, the reason, the
  /// tolerance and the seed.
  public Plan plan() {
    return state.plan();
  }

  /// Where the model comes from.
  public Provenance provenance() {
    return state.provenance();
  }

  /// The noise variance of an observation with weight one (of its logarithm with the log
  /// transform). [#predictObservation] includes it.
  public double noise() {
    return posterior().noise();
  }

  /// How observations depend on the function, with the values of its parameters.
  public Likelihood likelihood() {
    return hyperparameters().likelihood();
  }

  /// The window of a model of event intensity. Its rate is in events per unit of length, area or
  /// volume. Empty for other models.
  public Optional<Window> window() {
    return state.fitted().flatMap(Fitted::window);
  }

  /// Counts events in the cells of the [#window]. The result has one row at the centre of each
  /// cell, with its count and size; these are observations of the model.
  public Dataset counts(Source events, Outside outside) throws IOException {
    return answers().counts(events, outside);
  }

  /// The log of the noise's standard deviation at each point, for noise that varies.
  public Prediction noiseDeviation(double... points) {
    return answers().noiseDeviation(points);
  }

  /// Predicts the latent function at each point, row-major, in the units of the table. It is the
  /// value that remains when all noise is averaged away. To predict what a row of the table may
  /// hold, use [#predictObservation].
  public Prediction predict(double... points) {
    return posterior().predict(points).undo(transform());
  }

  /// Predicts an observation of size one at each point, row-major, in the units of the table. About
  /// 95 % of new rows lie in its 95 % intervals.
  public Prediction predictObservation(double... points) {
    return predict(points, Of.OBSERVATION);
  }

  /// Like [#predictObservation(double...)], for observations that each have a size: a weight, an
  /// exposure or a number of trials. An observation with weight w has noise variance [#noise]/w.
  public Prediction predictObservation(double[] points, double[] sizes) {
    return predict(points, Of.OBSERVATION, sizes);
  }

  /// Predicts the quantity `of` at each point, for observations of size one.
  public Prediction predict(double[] points, Of of) {
    return predict(points, of, new double[0]);
  }

  /// Predicts the quantity `of` at each point, in the units of the table: the latent function, the
  /// rate or probability that it stands for, or an observation. Each observation has a size
  /// ([Likelihood#size]). Pass no sizes for observations of size one.
  public Prediction predict(double[] points, Of of, double[] sizes) {
    return answers().predict(points, of, sizes);
  }

  /// Weighted means over areas, in the units of the table. They are means of the function; under a
  /// likelihood that is not Gaussian, of the rate or probability. Like [#average(double[],
  /// double[], int[], Likelihood.Of, int, RandomGenerator)], with 1,000 draws if draws are needed.
  public Prediction average(double[] points, double[] weights, int[] starts) {
    return average(points, weights, starts, likelihood().usual(), 1000, new SplittableRandom(0));
  }

  /// Weighted means over areas, in the units of the table, with the joint uncertainty of all
  /// points. [Posterior#average] has the formula and explains the arguments. A mean of the
  /// function, without a transform of the target, is Gaussian. Otherwise the distribution over an
  /// area has no closed form. Its mean is the weighted mean of the predictions at the points. Its
  /// quantiles come from joint draws; all areas use the same seed. So does its standard deviation,
  /// except that for rates and under the log transform it is exact over at most 4,096 points.
  /// [Prediction#deviationError] and [Prediction#quantileError] give the error of the draws.
  ///
  /// @param of the function or the rate; the mean of observations is that of the function or rate
  public Prediction average(
      double[] points, double[] weights, int[] starts, Of of, int draws, RandomGenerator random) {
    return answers().average(points, weights, starts, of, draws, random);
  }

  /// Draws the latent function jointly at the points: `count × t` values, row-major, in the units
  /// of the table.
  public double[] sample(double[] points, int count, RandomGenerator random) {
    return answers().sample(points, count, random);
  }

  /// Draws the quantity `of` jointly, with the same choices as [#predict(double[], Likelihood.Of,
  /// double[])]. Observations are drawn given draws of the function, and of the noise's deviation
  /// if that varies.
  public double[] sample(
      double[] points, int count, Of of, double[] sizes, RandomGenerator random) {
    return answers().sample(points, count, of, sizes, random);
  }

  /// Estimates how many bytes [#sample] needs at the points, besides the draws themselves. It is
  /// zero if a lattice covers all points and gives the draws directly.
  public long jointBytes(double[] points) {
    return answers().jointBytes(points);
  }

  /// `log p(y)` of the target in the units of the table, including the Jacobian of a transform; NaN
  /// if the engine did not compute it. If the mean has a [#drift], it is the restricted likelihood,
  /// with the coefficients integrated out.
  public double logMarginalLikelihood() {
    return state.logLikelihood() + state.logJacobian();
  }

  private Answers answers() {
    return new Answers(this, state.fitted(), bare);
  }

  /// Describes the model in a few lines; numbers have four digits.
  @Override
  public String toString() {
    return ModelText.of(this);
  }
}
