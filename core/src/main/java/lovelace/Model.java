package lovelace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.data.Column;
import lovelace.data.Column.LeftOut;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.Place;
import lovelace.data.PlaceMap;
import lovelace.data.TargetTransform;
import lovelace.data.Trust;
import lovelace.drift.DriftedPosterior;
import lovelace.drift.DriftedRows;
import lovelace.drift.Terms;
import lovelace.drift.Trend;
import lovelace.io.ModelFile;
import lovelace.io.ModelState;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.KernelFunction;
import lovelace.laplace.Fitted;
import lovelace.laplace.Observations;
import lovelace.laplace.Window;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.model.Provenance;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Certificate;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.AreaDraws;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.LogNormalAreas;
import lovelace.posterior.internal.MappedRows;
import lovelace.posterior.internal.Points;
import lovelace.posterior.internal.RowPosterior;

/// A Gaussian process that has learned from a table. It answers in the units of the table: it
/// undoes any transform of the target. A model is immutable and safe to share between threads.
public final class Model {

  private final ModelState state;

  private Model(ModelState state) {
    this.state = state;
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

  /// Reads a model file. With [Trust#CODE], its network may be a TorchScript module or of a class
  /// that the file names; that code then runs in this process. The file stores a kernel of your own
  /// by name only. Pass its function, unless it is registered as a service.
  public static Model load(Path file, Trust trust, KernelFunction... own) throws IOException {
    return new Model(ModelFile.read(file, trust, own));
  }

  /// Writes a model file, whole or not at all, and returns its length in bytes. Takes no lock: of
  /// two programs that load, change and save a file at the same time, the last one wins. If the
  /// model has a kernel of your own, whoever loads it needs the kernel's class; see
  /// [lovelace.kernel.KernelFunction].
  public long save(Path file) throws IOException {
    return save(file, true);
  }

  /// As [#save(Path)]. Without the covariance cache the file is smaller, but the first covariance,
  /// sample, or variance beyond the grid takes the time to build it.
  public long save(Path file, boolean covariance) throws IOException {
    return ModelFile.write(file, state, covariance);
  }

  ModelState state() {
    return state;
  }

  /// The same of counts of events in a window.
  Model of(Window window, long fingerprint) {
    return new Model(
        new ModelState(
            state.inputs(),
            state.leftOut(),
            state.target(),
            state.transform(),
            state.logJacobian(),
            state.logLikelihood(),
            state.posterior(),
            state.plan(),
            provenance().of(fingerprint),
            state.fitted().map(fitted -> fitted.of(Optional.of(window))),
            state.place()));
  }

  Model with(Fitted fitted) {
    return new Model(state.with(fitted));
  }

  /// Returns a model that has also learned `rows`. Past rows are not needed, because statistics
  /// add. The result equals a fit to all rows with the same hyperparameters, which are not learned
  /// again. The rows must have the model's columns. If the model has a grid, they must lie on it.
  public Model with(Dataset rows) {
    return Fit.inMemory(() -> with(Source.of(rows), Outside.ERROR, Fit.Maker.LIBRARY));
  }

  /// As [#with(Dataset)], for rows that are read a few at a time. You choose what happens to rows
  /// outside the grid, and who is recorded as the maker of the new model.
  public Model with(Source rows, Outside outside, Fit.Maker maker) throws IOException {
    return Revision.add(this, rows, outside, maker);
  }

  /// Returns a model that has forgotten `rows`, which it must have learned before. Undoes
  /// [#with(Dataset)].
  public Model without(Dataset rows) {
    return Fit.inMemory(() -> without(Source.of(rows), Outside.ERROR, Fit.Maker.LIBRARY));
  }

  /// As [#without(Dataset)], for rows that are read a few at a time.
  public Model without(Source rows, Outside outside, Fit.Maker maker) throws IOException {
    return Revision.forget(this, rows, outside, maker);
  }

  /// Returns a model of the same observations with other hyperparameters of the same form. No rows
  /// are needed, and the grid stays. The result has no standard errors and no trace, because
  /// nothing was learned.
  public Model with(Hyperparameters values) {
    return with(values, Engine.AUTO, Fit.Maker.LIBRARY);
  }

  /// As [#with(Hyperparameters)], computed by the engine that you choose. A model that holds its
  /// rows keeps its engine. A model on a grid can have another engine on the grid.
  public Model with(Hyperparameters values, Engine engine, Fit.Maker maker) {
    return Revision.change(this, values, engine, maker);
  }

  /// Returns a model of the same observations with hyperparameters learned from their statistics,
  /// with standard errors and a trace. The search starts from the model's hyperparameters. No rows
  /// are needed, and the grid stays. If a lengthscale becomes shorter than two cells of the grid,
  /// fit the rows again instead.
  public Model learn() {
    return learn(hyperparameters());
  }

  /// As [#learn()], starting from other hyperparameters of the same form. Fixed ones stay fixed.
  public Model learn(Hyperparameters start) {
    return learn(start, Engine.AUTO, Fit.DEFAULT.learning(), Fit.Maker.LIBRARY);
  }

  /// As [#learn(Hyperparameters)]. The first search starts from `start`. If `learning` asks for
  /// more starts, the others begin at points around it, drawn with its seed. Engines are as in
  /// [#with(Hyperparameters, Engine, Fit.Maker)].
  public Model learn(Hyperparameters start, Engine engine, Fit.Learning learning, Fit.Maker maker) {
    return Revision.learn(this, start, engine, learning, maker);
  }

  /// Merges models of the same form into one model of all their observations. Models with a grid
  /// must share it. The result has the hyperparameters of the first model. Messages call the models
  /// `model 1`, `model 2` and so on.
  public static Model merge(Model... models) {
    SequencedMap<String, Model> named = new LinkedHashMap<>();
    for (Model model : models) named.put("model " + (named.size() + 1), model);
    return merge(named, Fit.Maker.LIBRARY);
  }

  /// As [#merge(Model...)]. Messages call the models by their keys.
  public static Model merge(SequencedMap<String, Model> models, Fit.Maker maker) {
    return Revision.merge(models, maker);
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
    return trend().map(t -> columns().subList(0, t.terms().process())).orElse(columns());
  }

  /// The columns that had a single value in all rows of the fit. The model does not read them: its
  /// rows have [#columns] only. [#rows] picks these from a table with more columns.
  public List<LeftOut> leftOut() {
    return state.leftOut();
  }

  /// The columns of a data set that the model reads. If the data set has more columns, they are
  /// found by name. Words become the model's codes.
  public Dataset rows(Dataset data) {
    return new Alignment(this, Source.of(data)).rows(data);
  }

  /// Removes the columns that the model left out. The points are row-major, with all columns of the
  /// table that was fitted.
  public double[] points(double[] table) {
    int d = columns().size() + leftOut().size();
    int[] places =
        IntStream.range(0, d)
            .filter(j -> leftOut().stream().noneMatch(out -> out.place() == j))
            .toArray();
    return VaryingColumns.chosen(table, Points.check(table, d), d, places);
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
    if (state.fitted().isPresent()) return state.fitted().get().hyperparameters();
    return switch (posterior()) {
      case LatticePosterior grid -> grid.hyperparameters();
      case MappedPosterior mapped -> mapped.inner().hyperparameters();
      case DriftedPosterior drifted -> drifted.lattice().hyperparameters();
      case RowPosterior rows -> rows.hyperparameters();
      default -> throw new IllegalStateException("unknown posterior");
    };
  }

  /// The number of observations that the model has learned.
  public long count() {
    if (state.fitted().isPresent()) return state.fitted().get().tableRows();
    return switch (posterior()) {
      case LatticePosterior grid -> grid.statistics().count();
      case MappedPosterior mapped -> mapped.inner().statistics().count();
      case DriftedPosterior drifted -> drifted.statistics().residual().count();
      case RowPosterior rows -> rows.data().size();
      default -> throw new IllegalStateException("unknown posterior");
    };
  }

  /// The posterior of the transformed target.
  public Posterior posterior() {
    return state.posterior();
  }

  /// The posterior on its lattice, over the features if the model has a [#map]; empty for a model
  /// that holds its rows, which is a [RowPosterior]. If the mean has a [#drift], this is the
  /// posterior of the process alone, without the uncertainty of the coefficients.
  public Optional<LatticePosterior> lattice() {
    return switch (posterior()) {
      case LatticePosterior grid -> Optional.of(grid);
      case MappedPosterior mapped -> Optional.of(mapped.inner());
      case DriftedPosterior drifted -> Optional.of(drifted.lattice());
      default -> Optional.empty();
    };
  }

  /// The posterior together with the rows that it holds. The rows are as in the table, apart from
  /// the transform of the target. Empty for a model on a lattice, which holds no rows.
  public Optional<RowPosterior> held() {
    return posterior() instanceof RowPosterior rows ? Optional.of(rows) : Optional.empty();
  }

  /// What was observed, in the units of the table, with sizes as weights ([Likelihood#size]). These
  /// are the rows that the model holds. If rows at the same place add up under the likelihood, they
  /// are the sums at each place, weighted by the number of rows if rows have no size. Empty if the
  /// model keeps statistics only.
  public Optional<Dataset> observed() {
    Observations kept = laplace().flatMap(Fitted::data).orElse(null);
    if (kept != null) {
      double[] x = kept.places();
      FeatureMap map = map().orElse(null);
      if (map instanceof PlaceMap plane) {
        x = new double[kept.places().length];
        plane.columns(kept.places(), kept.size(), x);
      } else if (map != null) return Optional.empty(); // they are known by their features only
      return Optional.of(
          Dataset.of(x, columns(), kept.values(), target()).withWeights(kept.sizes()));
    }
    if (laplace().isPresent()) return Optional.empty();
    return held()
        .map(RowPosterior::data)
        .map(
            rows -> {
              double[] y = Arrays.stream(rows.target()).map(transform()::invert).toArray();
              Dataset all = Dataset.of(rows.inputs(), columns(), y, target());
              return rows.weighted() ? all.withWeights(rows.weights()) : all;
            });
  }

  /// How Laplace's approximation was found; empty if the noise is Gaussian, because then nothing is
  /// approximated.
  public Optional<Fitted> laplace() {
    return state.fitted();
  }

  /// The map from the input columns to the features of the process; empty if the process is over
  /// the columns themselves.
  public Optional<FeatureMap> map() {
    return switch (posterior()) {
      case MappedPosterior mapped -> Optional.of(mapped.map());
      case MappedRows mapped -> Optional.of(mapped.map());
      case DriftedPosterior drifted ->
          drifted.inner() instanceof MappedPosterior mapped
              ? Optional.of(mapped.map())
              : Optional.empty();
      case DriftedRows drifted -> Optional.ofNullable(drifted.map());
      default -> Optional.empty();
    };
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
    Trend trend = trend().orElse(null);
    if (trend == null) return List.of();
    List<String> names = trend.terms().names(columns().stream().map(Column::name).toList());
    double[] values = trend.values();
    double[] errors = trend.standardErrors();
    return IntStream.range(0, values.length)
        .mapToObj(j -> new Coefficient(names.get(j), values[j], errors[j]))
        .toList();
  }

  /// The range of most rows of a [#drift] column in the fit: its mean minus and plus two standard
  /// deviations.
  ///
  /// @param column its place among [#columns]
  public double[] driftRange(int column) {
    Terms terms =
        trend()
            .map(Trend::terms)
            .orElseThrow(() -> new IllegalStateException("the mean has no drift"));
    for (int j = 1; j < terms.size(); j++)
      if (terms.place(j) == column)
        return new double[] {
          terms.centre(j) - 2 * terms.scale(j), terms.centre(j) + 2 * terms.scale(j)
        };
    throw new IllegalArgumentException("column " + column + " is not a drift column");
  }

  Optional<Trend> trend() {
    return switch (posterior()) {
      case DriftedPosterior drifted -> Optional.of(drifted.trend());
      case DriftedRows drifted -> Optional.of(drifted.trend());
      default -> Optional.empty();
    };
  }

  /// The points as the process sees them, row-major: features if the model has a [#map], otherwise
  /// the points themselves. Columns that only a [#drift] reads are removed.
  public double[] features(double[] points) {
    double[] seen =
        trend()
            .map(t -> t.terms().seen(points, Points.check(points, columns().size())))
            .orElse(points);
    return map().map(m -> Points.features(m, seen)).orElse(seen);
  }

  /// The model as a function of its features, which replace the input columns. Returns the model
  /// itself if it has no [#map] or has a [#drift].
  public Model inFeatures() {
    FeatureMap map = map().orElse(null);
    if (map == null || trend().isPresent()) return this;
    Posterior inner =
        switch (posterior()) {
          case MappedPosterior mapped -> mapped.inner();
          case MappedRows mapped -> mapped.inner();
          default -> posterior();
        };
    return new Model(
        new ModelState(
            map.features(columns()),
            List.of(),
            state.target(),
            state.transform(),
            state.logJacobian(),
            state.logLikelihood(),
            inner,
            state.plan(),
            state.provenance(),
            state.fitted(),
            Optional.empty()));
  }

  /// The error bounds of the model, and where they hold; empty for a model that holds its rows and
  /// is exact.
  public Optional<Certificate> certificate() {
    return lattice().map(LatticePosterior::certificate);
  }

  /// The tolerance that the model misses, with what would meet it; empty for a model that meets its
  /// tolerance or is exact. A fit ends with a model all the same.
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
    Window own =
        window()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "this model is not of an intensity; fit one with withIntensity(true)"));
    Alignment aligned = new Alignment(this, events);
    return own.counts(
        FitData.Events.of(aligned.rows(), own, outside).counts(), columns(), target());
  }

  /// The log of the noise's standard deviation at each point, for noise that varies.
  public Prediction noiseDeviation(double... points) {
    return state
        .fitted()
        .flatMap(Fitted::noise)
        .orElseThrow(() -> new IllegalStateException("the noise of this model does not vary"))
        .predict(features(points));
  }

  /// Predicts the latent function at each point, row-major, in the units of the table. This is what
  /// remains when all noise is averaged away. To predict what a row of the table may hold, use
  /// [#predictObservation].
  public Prediction predict(double... points) {
    return posterior().predict(points).undo(transform());
  }

  /// Predicts an observation of size one at each point, row-major, in the units of the table: what
  /// a row may hold there. About 95 % of new rows lie in its 95 % intervals.
  public Prediction predictObservation(double... points) {
    return predict(points, Of.OBSERVATION);
  }

  /// As [#predictObservation(double...)], for observations that each have a size: a weight, an
  /// exposure or a number of trials. An observation with weight w has noise variance [#noise]/w.
  public Prediction predictObservation(double[] points, double[] sizes) {
    return predict(points, Of.OBSERVATION, sizes);
  }

  /// Predicts what `of` names at each point, for observations of size one.
  public Prediction predict(double[] points, Of of) {
    return predict(points, of, new double[0]);
  }

  /// Predicts what `of` names at each point, in the units of the table: the latent function, the
  /// rate or probability that it stands for, or an observation. Each observation has a size
  /// ([Likelihood#size]). Pass no sizes for observations of size one.
  public Prediction predict(double[] points, Of of, double[] sizes) {
    Likelihood likelihood = likelihood();
    if (likelihood.isGaussian()) {
      if (!likelihood.has(of)) return posterior().predict(points).of(likelihood, of, sizes);
      Prediction latent = predict(points);
      if (of == Of.FUNCTION) return latent;
      if (sizes.length > 0) return latent.withNoise(noise(), sizes);
      if (likelihood.size() == Likelihood.Size.PRECISION)
        throw new IllegalArgumentException(
            "the noise of this model is known row by row; pass the inverse noise variance of each point");
      return latent.withNoise(noise());
    }
    Prediction latent = posterior().predict(points);
    return likelihood.isVarying() && of == Of.OBSERVATION
        ? latent.of(likelihood, of, sizes, noiseDeviation(points))
        : latent.of(likelihood, of, sizes);
  }

  /// Weighted means over areas, in the units of the table. They are means of the function; under a
  /// likelihood that is not Gaussian, of the rate or probability. As [#average(double[], double[],
  /// int[], Likelihood.Of, int, RandomGenerator)], with 1,000 draws if draws are needed.
  public Prediction average(double[] points, double[] weights, int[] starts) {
    return average(points, weights, starts, likelihood().usual(), 1000, new SplittableRandom(0));
  }

  /// Weighted means over areas, in the units of the table, with the joint uncertainty of all
  /// points. [Posterior#average] has the formula and explains the arguments. A mean of the
  /// function, without a transform of the target, is Gaussian. Otherwise the distribution over an
  /// area has no closed form. Its mean is the weighted mean of the predictions at the points. Its
  /// quantiles come from joint draws; all areas use the same seed. So does its deviation, except
  /// under the log transform and of rates, over at most 4,096 points: there it is exact.
  /// [Prediction#deviationError] and [Prediction#quantileError] say what drawing adds.
  ///
  /// @param of the function or the rate; the mean of observations is that of the function or rate
  public Prediction average(
      double[] points, double[] weights, int[] starts, Of of, int draws, RandomGenerator random) {
    Likelihood likelihood = likelihood();
    if (of == Of.OBSERVATION)
      throw new IllegalArgumentException(
          "a mean over an area cannot be of observations; ask for the function, or for the rate or probability if the likelihood has one");
    if (!likelihood.has(of)) likelihood.law(of, 1); // says what there is
    Prediction latent = posterior().average(points, weights, starts);
    if (of == Of.FUNCTION && transform().equals(TargetTransform.NONE)) return latent;
    Areas areas = Areas.of(points, columns().size(), weights, starts);
    long seed = random.nextLong();
    double[][] drawn =
        AreaDraws.of(
            areas,
            draws,
            x -> sample(x, draws, of, new double[0], new SplittableRandom(seed)),
            this::jointBytes);
    Function<double[], double[]> values = x -> predict(x, of).means();
    boolean log = of == Of.RATE || transform().equals(TargetTransform.LOG);
    double[] variances = LogNormalAreas.variances(log, posterior(), areas, values);
    return latent.drawn(likelihood, of, AreaDraws.means(areas, values), variances, drawn);
  }

  /// Draws the latent function jointly at the points: `count × t` values, row-major, in the units
  /// of the table.
  public double[] sample(double[] points, int count, RandomGenerator random) {
    double[] draws = posterior().sample(points, count, random);
    for (int i = 0; i < draws.length; i++) draws[i] = transform().invert(draws[i]);
    return draws;
  }

  /// Draws jointly what `of` names, as [#predict(double[], Likelihood.Of, double[])] does.
  /// Observations are drawn given draws of the function, and of the noise's deviation if that
  /// varies.
  public double[] sample(
      double[] points, int count, Of of, double[] sizes, RandomGenerator random) {
    Likelihood likelihood = likelihood();
    double[] draws = posterior().sample(points, count, random);
    if (of == Of.FUNCTION && likelihood.isGaussian()) {
      for (int i = 0; i < draws.length; i++) draws[i] = transform().invert(draws[i]);
      return draws;
    }
    int t = Points.check(points, columns().size());
    double[] own = sizes.clone();
    if (own.length == 0) {
      own = new double[t];
      Arrays.fill(own, 1);
    }
    if (likelihood.isGaussian() || likelihood.isVarying()) {
      if (!likelihood.has(of)) likelihood.law(of, 1); // says what there is
      if (of == Of.FUNCTION) return draws;
      double[] logs =
          likelihood.isVarying()
              ? state
                  .fitted()
                  .flatMap(Fitted::noise)
                  .orElseThrow()
                  .sample(features(points), count, random)
              : new double[0];
      for (int i = 0; i < draws.length; i++) {
        double variance = (logs.length > 0 ? Math.exp(2 * logs[i]) : noise()) / own[i % t];
        draws[i] = transform().invert(draws[i] + Math.sqrt(variance) * random.nextGaussian());
      }
      return draws;
    }
    Likelihood.Law[] laws = new Likelihood.Law[t];
    for (int p = 0; p < t; p++) laws[p] = likelihood.law(of, own[p]);
    for (int i = 0; i < draws.length; i++) draws[i] = laws[i % t].draw(draws[i], random);
    return draws;
  }

  /// Estimates how many bytes [#sample] needs at the points, besides the draws themselves. It is
  /// zero if the draws are read off a lattice that covers all points.
  public long jointBytes(double[] points) {
    RowPosterior rows = held().orElse(null);
    return rows == null
        ? lattice().orElseThrow().jointBytes(features(points))
        : rows.jointBytes(Points.check(points, columns().size()));
  }

  /// `log p(y)` of the target in the units of the table, including the Jacobian of a transform; NaN
  /// if the engine did not compute it. If the mean has a [#drift], it is the restricted likelihood,
  /// with the coefficients integrated out.
  public double logMarginalLikelihood() {
    return state.logLikelihood() + state.logJacobian();
  }

  /// Describes the model in a few lines; numbers have four digits.
  @Override
  public String toString() {
    return ModelText.of(this);
  }
}
