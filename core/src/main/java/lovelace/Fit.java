package lovelace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.kernel.Kernel;
import lovelace.likelihood.Likelihood;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.options.internal.Settings;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.source.Source;
import lovelace.survey.FitData;

/// Describes how to make a model from data. A fit is immutable: each `with…` method returns a new
/// one.
///
/// ```java
/// Model model = Fit.DEFAULT.withKernel("matern52").to(data);
/// ```
public final class Fit extends Options {

  /// The defaults: RBF kernel, constant mean, a grid chosen from the data, a tolerance of one per
  /// cent, and all parameters learned.
  public static final Fit DEFAULT = new Fit(new Settings());

  private Fit(Settings settings) {
    super(settings);
  }

  private Fit changed(Consumer<Settings> change) {
    Settings copy = settings();
    change.accept(copy);
    return new Fit(copy);
  }

  public Fit withKernel(Kernel value) {
    return changed(
        o -> {
          o.kernel = value;
          o.kernelGiven = true;
        });
  }

  @Override
  public Fit bound(Kernel value) {
    return changed(o -> o.kernel = value);
  }

  /// Sets the kernel by its text, such as `2.0*matern52 + periodic`.
  public Fit withKernel(String text) {
    return withKernel(Kernel.parse(text));
  }

  public Fit withMean(String value) {
    return changed(o -> o.mean = value);
  }

  /// Makes the mean linear in these columns (kriging with external drift). The process does not
  /// read them. The coefficients and the intercept are integrated out, so the variance of a
  /// prediction includes their uncertainty; see [Model#drift]. With mean `linear`, the mean is also
  /// linear in the inputs of the process (universal kriging). With no column, the mean has an
  /// intercept only (ordinary kriging). The kernel and the grid cover the other columns, one to
  /// three of them. The model's columns are those of the process, followed by these.
  public Fit withDrift(List<String> columns) {
    return withDrift(columns, List.of());
  }

  /// Like [#withDrift(List)], with a mean that is also linear in some inputs of the process. What R
  /// writes as `z ~ x + y + elevation` is `withDrift(List.of("elevation"), List.of("x", "y"))`.
  ///
  /// @param columns the columns that only the mean reads
  /// @param inputs the columns that both the mean and the process read
  public Fit withDrift(List<String> columns, List<String> inputs) {
    List<String> copy = List.copyOf(columns);
    List<String> both = List.copyOf(inputs);
    return changed(
        o -> {
          o.drift = Optional.of(copy);
          o.driftInputs = both;
        });
  }

  /// Sets the likelihood. It also decides what the weights of the rows mean: exposures, trials or
  /// weights; see [Likelihood#size].
  public Fit withLikelihood(Likelihood value) {
    return changed(o -> o.likelihood = value);
  }

  /// Sets the likelihood by its text, such as `poisson` or `bernoulli(link=probit)`.
  public Fit withLikelihood(String text) {
    return withLikelihood(Likelihood.parse(text));
  }

  /// Treats the rows as events at times or places, given by one to three columns. The targets are
  /// 1, as [Dataset#events] sets them. The window in which events were observed
  /// ([GridChoice#bounded]; by default the range of the events) is cut into cells. The count in
  /// each cell is Poisson, and the log of its rate is the Gaussian process: a log-Gaussian Cox
  /// process. The number of grid points is the number of cells along each column. The default
  /// kernel is `matern32`.
  public Fit withIntensity(boolean value) {
    return changed(o -> o.intensity = value);
  }

  @Override
  public Fit withShape(Shape value) {
    return changed(o -> o.shape = value);
  }

  @Override
  public Fit withTransform(TargetTransform value) {
    return changed(
        o -> {
          o.transform = value;
          o.transformGiven = true;
        });
  }

  public Fit withColumnMaps(boolean value) {
    return changed(o -> o.columnMaps = value);
  }

  /// Names the columns that are coordinates, and their coordinate system. A local projection turns
  /// longitudes and latitudes into kilometres, so the lengthscales of these columns are in
  /// kilometres.
  public Fit withPlace(Place value) {
    return changed(o -> o.place = Optional.of(value));
  }

  @Override
  public Fit withoutPlace() {
    return changed(
        o -> {
          o.place = Optional.empty();
          o.anisotropy = Optional.empty();
        });
  }

  /// Learns the direction in which the process varies most slowly, with one lengthscale along it
  /// and one across it. The direction lies in the plane of the coordinates ([#withPlace]), or of
  /// the first two columns if there are no coordinates.
  public Fit withAnisotropy() {
    return changed(o -> o.anisotropy = Optional.of(new Anisotropy(OptionalDouble.empty())));
  }

  /// Like [#withAnisotropy()], for a known direction in degrees clockwise from north.
  public Fit withAnisotropy(double degrees) {
    return changed(o -> o.anisotropy = Optional.of(new Anisotropy(OptionalDouble.of(degrees))));
  }

  @Override
  public Fit withGrid(GridChoice value) {
    return changed(o -> o.grid = value);
  }

  public Fit withOutside(Outside value) {
    return changed(o -> o.outside = value);
  }

  public Fit withEngine(Engine value) {
    return changed(o -> o.engine = value);
  }

  /// Sets the number of neighbours. Learning uses the same number, but at most 30.
  public Fit withNeighbours(int value) {
    if (value < 1) throw new IllegalArgumentException("neighbours must be >= 1, got " + value);
    return changed(o -> o.neighbours = value);
  }

  public Fit withTolerance(double value) {
    if (!(value > 0 && value < 1))
      throw new IllegalArgumentException("tolerance must lie between 0 and 1, got " + value);
    return changed(o -> o.tolerance = value);
  }

  public Fit withTraining(boolean value) {
    return changed(o -> o.training = value);
  }

  public Fit withLearning(Learning value) {
    return changed(o -> o.learning = value);
  }

  public Fit withListener(Consumer<Plan> value) {
    return changed(o -> o.listener = value);
  }

  /// Limits the time of the fit; the default is half an hour. There is always a model. Comparing
  /// and learning take only shares of the time. If they are not finished by then, the model uses
  /// the best found so far, or else start values, and a note in the model says so. The rows are
  /// read and the posterior is computed even if that takes longer.
  public Fit withTime(Duration value) {
    return with(new Limits(value, limits().memory(), limits().clock()));
  }

  /// Limits the memory of the fit, in bytes; the default is the whole Java heap.
  public Fit withMemory(long bytes) {
    return with(new Limits(limits().time(), bytes, limits().clock()));
  }

  Fit with(Limits value) {
    return changed(o -> o.limits = value);
  }

  /// Starts a budget with these limits. It ends no later than the budget of the caller. The
  /// caller's end stops the fit; its own end only stops comparing and learning.
  public Budget budget() {
    Limits limits = limits();
    return Budget.of(limits.time(), limits.memory(), limits.clock()).lenient().withinCurrent();
  }

  public Fit withMaker(String version, String command) {
    return changed(o -> o.maker = new Maker(version, command));
  }

  @Override
  public Fit withGiven(List<Given> values) {
    List<Given> copy = List.copyOf(values);
    return changed(o -> o.given = copy);
  }

  /// Sets the starting value of a parameter. If nothing is learned, the parameter keeps it. Names
  /// are those of [lovelace.kernel.Hyperparameters#set].
  public Fit set(String name, double... values) {
    return with(new Given(name, Arrays.stream(values).boxed().toList(), false));
  }

  /// Fixes a parameter at a value.
  public Fit fix(String name, double... values) {
    return with(new Given(name, Arrays.stream(values).boxed().toList(), true));
  }

  private Fit with(Given another) {
    List<Given> all = new ArrayList<>(given());
    all.add(another);
    return withGiven(all);
  }

  /// Fits several kernels with the options of this fit and ranks them by BIC, best first. The
  /// result also has the marginal likelihood, and the negative log predictive density from
  /// five-fold cross-validation. The models are those that [#to(Dataset)] makes, and the folds use
  /// the same shape.
  public List<Comparison> compare(Dataset data, String... kernels) {
    return Comparison.of(this, data, List.of(kernels), 5, learning().seed());
  }

  /// Fits a model to a data set.
  public Model to(Dataset data) {
    return inMemory(() -> to(Source.of(data)));
  }

  /// Runs code on rows in memory, where reading cannot fail.
  static Model inMemory(ScopedValue.CallableOp<Model, IOException> making) {
    try {
      return making.call();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Fits a model to rows that are read as often as needed. The rows are not held in memory, unless
  /// the engine works on the rows themselves. Columns with a single value are left out
  /// ([Model#leftOut]), unless you gave the grid a range for them.
  public Model to(Source source) throws IOException {
    return budget()
        .call(() -> drift().isPresent() ? DriftFit.model(this, source) : ofProcess(source));
  }

  /// The model of a process without a drift.
  Model ofProcess(Source source) throws IOException {
    return intensity() ? EventFit.model(this, source) : Shapes.model(FitData.of(this, source));
  }

  /// Fits a model over the features of a map that is already trained. Up to three features share
  /// one grid; with more, the model is a sum of functions of one feature each. The map is stored in
  /// the model.
  ///
  /// @param remarks where the map comes from, and where the parameters come from if training is
  ///   off; kept in the model's provenance, one line each
  public Model to(Source source, FeatureMap map, List<String> remarks) throws IOException {
    if (intensity())
      throw new IllegalArgumentException(
          "an intensity of events takes no feature map; leave the feature map out");
    if (drift().isPresent())
      throw new IllegalArgumentException(
          "a drift reads columns, and this model reads features; leave out the drift or the feature map");
    if (place().isPresent() || anisotropy().isPresent())
      throw new IllegalArgumentException(
          "a feature map reads the columns unchanged; leave out the coordinate system and the anisotropy");
    return budget().call(() -> Shapes.over(FitData.of(this, source, map.inputs()), map, remarks));
  }
}
