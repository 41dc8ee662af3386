package lovelace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import lovelace.budget.Budget;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.exact.ExactGp;
import lovelace.features.Additive;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.kernel.PriorMean;
import lovelace.likelihood.Likelihood;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer;
import lovelace.optimize.Optimizer.Progress;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import org.jspecify.annotations.Nullable;

/// Describes how to make a model from data. A fit is immutable: each `with…` method returns a new
/// one.
///
/// ```java
/// Model model = Fit.DEFAULT.withKernel("matern52").to(data);
/// ```
public final class Fit {

  /// The defaults: RBF kernel, constant mean, a grid chosen from the data, a tolerance of one per
  /// cent, and all parameters learned.
  public static final Fit DEFAULT = new Fit(new Options());

  /// The largest number of rows that an exact model takes.
  public static final int EXACT_ROWS = ExactGp.MOST_ROWS;

  /// Which columns the grid covers.
  public enum Shape {
    /// One grid for up to three columns. With more columns the model works on the rows themselves,
    /// or is additive if that predicts held-out rows better.
    AUTO,
    /// One grid over all columns, at most four.
    GRID,
    /// A sum of functions. Each function has one column, unless the kernel names its columns.
    ADDITIVE,
    /// One grid over two features. The features are linear functions of the columns, and are
    /// learned.
    PROJECTION;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// How parameters are learned: the optimiser, the number of starting points, the seed, and a
  /// listener that is told of every step. The seed decides which rows the starting values come from
  /// when there are many rows, and the random probes of the krylov engine.
  public record Learning(Optimizer optimizer, int starts, long seed, Progress progress) {
    public Learning {
      if (starts < 1) throw new IllegalArgumentException("starts must be >= 1, got " + starts);
    }

    /// The same from one starting point.
    Learning fromOne() {
      return new Learning(optimizer, 1, seed, progress);
    }

    @Override
    public String toString() {
      String by = optimizer.equals(Lbfgs.DEFAULT) ? "L-BFGS" : optimizer.toString();
      return String.format(Locale.ROOT, "by %s, starts %d, seed %d", by, starts, seed);
    }
  }

  /// The direction in which a process on a plane varies most slowly. There is one lengthscale along
  /// it and one across it.
  ///
  /// @param degrees clockwise from north, where north is the second coordinate column; empty if the
  ///   direction is learned
  public record Anisotropy(OptionalDouble degrees) {
    public Anisotropy {
      if (degrees.isPresent() && !(Math.abs(degrees.getAsDouble()) <= 360))
        throw new IllegalArgumentException(
            "an angle must lie between -360 and 360 degrees, got " + degrees.getAsDouble());
    }

    @Override
    public String toString() {
      return degrees.isPresent() ? degrees.getAsDouble() + "°" : "learned";
    }
  }

  /// The values of a parameter: a starting point, or held fixed.
  public record Given(String name, List<Double> values, boolean fixed) {
    public Given {
      values = List.copyOf(values);
    }

    @Override
    public String toString() {
      String text = values.size() == 1 ? values.getFirst().toString() : values.toString();
      return name + "=" + text + (fixed ? " (fixed)" : "");
    }
  }

  /// Who made a model: the version of Lovelace, and the command or program.
  public record Maker(String version, String command) {

    /// This version of the library, called by a program.
    public static final Maker LIBRARY = new Maker(libraryVersion(), "Java");

    private static String libraryVersion() {
      var properties = new Properties();
      try (var in = Fit.class.getResourceAsStream("version.properties")) {
        if (in != null) properties.load(in);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return properties.getProperty("version", "unknown");
    }

    @Override
    public String toString() {
      return "'%s', version %s".formatted(command, version);
    }
  }

  /// The limits of a fit.
  ///
  /// @param time the time from the start of the fit to its model
  /// @param memory the number of bytes
  /// @param clock the clock that measures the time, in nanoseconds
  public record Limits(Duration time, long memory, LongSupplier clock) {

    /// Half an hour, and as much memory as the Java heap allows.
    public static final Limits DEFAULT =
        new Limits(Duration.ofMinutes(30), Runtime.getRuntime().maxMemory(), System::nanoTime);

    public Limits {
      if (time.isNegative() || time.isZero())
        throw new IllegalArgumentException("time must be > 0, got " + time);
      if (memory <= 0)
        throw new IllegalArgumentException("memory must be > 0 bytes, got " + memory);
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%s s, %,d MiB", time.toMillis() / 1000.0, memory >> 20);
    }
  }

  /// All options with their defaults. A fit changes a copy and never its own.
  private static final class Options implements Cloneable {
    private Kernel kernel = Kernel.rbf();
    private boolean kernelGiven = false;
    private String mean = "constant";
    private Optional<List<String>> drift = Optional.empty();
    private List<String> driftInputs = List.of();
    private Likelihood likelihood = Likelihood.gaussian();
    private boolean intensity = false;
    private Shape shape = Shape.AUTO;
    private TargetTransform transform = TargetTransform.NONE;
    private boolean transformGiven = false;
    private boolean columnMaps = true;
    private Optional<Place> place = Optional.empty();
    private Optional<Anisotropy> anisotropy = Optional.empty();
    private GridChoice grid = GridChoice.DEFAULT;
    private Outside outside = Outside.ERROR;
    private Engine engine = Engine.AUTO;
    private int neighbours = 0;
    private double tolerance = 0.01;
    private boolean training = true;
    private Learning learning = new Learning(Lbfgs.DEFAULT, 1, 1, Progress.NONE);
    private List<Given> given = List.of();
    private Maker maker = Maker.LIBRARY;
    private Limits limits = Limits.DEFAULT;
    private Consumer<Plan> listener = plan -> {};

    /// All options by name, in the order of the fields.
    SequencedMap<String, Object> values() {
      SequencedMap<String, Object> all = new LinkedHashMap<>();
      all.put("kernel", kernel);
      all.put("kernel given", kernelGiven);
      all.put("mean", mean);
      all.put("drift", drift.isPresent() ? drift.get() : "none");
      all.put("drift inputs", driftInputs);
      all.put("likelihood", likelihood.toString());
      all.put("intensity", intensity);
      all.put("shape", shape);
      all.put("transform", transform);
      all.put("transform given", transformGiven);
      all.put("column maps", columnMaps);
      all.put("place", place.isEmpty() ? "none" : place.get());
      all.put("anisotropy", anisotropy.isEmpty() ? "none" : anisotropy.get());
      all.put("grid", grid);
      all.put("outside", outside);
      all.put("engine", engine);
      all.put("neighbours", neighbours);
      all.put("tolerance", tolerance);
      all.put("training", training);
      all.put("learning", learning);
      all.put("given", given);
      all.put("maker", maker);
      all.put("limits", limits);
      all.put("listener", listener);
      return all;
    }

    @Override
    protected Options clone() {
      try {
        return (Options) super.clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private final Options options;

  private Fit(Options options) {
    this.options = options;
  }

  private Fit changed(Consumer<Options> change) {
    Options copy = options.clone();
    change.accept(copy);
    return new Fit(copy);
  }

  /// The kernel: how function values vary together. If you set none, it depends on the columns. For
  /// up to three columns it is `rbf`. With coordinates ([#withPlace], [#withAnisotropy]) the
  /// likelihood of the rows chooses it. For more than three columns, predictions of held-out rows
  /// choose it.
  public Kernel kernel() {
    return options.kernel;
  }

  /// Whether [#withKernel] was used.
  public boolean hasKernel() {
    return options.kernelGiven;
  }

  public Fit withKernel(Kernel value) {
    return changed(
        o -> {
          o.kernel = value;
          o.kernelGiven = true;
        });
  }

  /// The same with a kernel for other columns, which counts as given if this one's does.
  Fit bound(Kernel value) {
    return changed(o -> o.kernel = value);
  }

  /// Sets the kernel by its text, such as `2.0*matern52 + periodic`.
  public Fit withKernel(String text) {
    return withKernel(Kernel.parse(text));
  }

  /// The prior mean: `constant`, `zero` or `linear`.
  public String mean() {
    return options.mean;
  }

  public Fit withMean(String value) {
    return changed(o -> o.mean = value);
  }

  /// The columns that only the mean reads; empty if the mean has no drift.
  public Optional<List<String>> drift() {
    return options.drift;
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

  /// As [#withDrift(List)], with a mean that is also linear in some inputs of the process. What R
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

  /// The inputs of the process in which the mean is linear too. With mean `linear` these are all
  /// inputs.
  public List<String> driftInputs() {
    return options.driftInputs;
  }

  /// How observations depend on the function. The default is Gaussian noise.
  public Likelihood likelihood() {
    return options.likelihood;
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

  /// Whether the rows are events, so that the model describes their intensity.
  public boolean intensity() {
    return options.intensity;
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

  /// Which columns the grid covers.
  public Shape shape() {
    return options.shape;
  }

  public Fit withShape(Shape value) {
    return changed(o -> o.shape = value);
  }

  /// How the target is transformed before it is modelled as Gaussian. If you set nothing, up to
  /// three columns mean no transform; with more columns, held-out rows choose it.
  public TargetTransform transform() {
    return options.transform;
  }

  /// Whether [#withTransform] was used.
  public boolean hasTransform() {
    return options.transformGiven;
  }

  public Fit withTransform(TargetTransform value) {
    return changed(
        o -> {
          o.transform = value;
          o.transformGiven = true;
        });
  }

  /// Whether a column with long tails may be replaced by its logarithm or its ranks. This happens
  /// only with more than three columns, and only if it improves predictions of held-out rows.
  public boolean columnMaps() {
    return options.columnMaps;
  }

  public Fit withColumnMaps(boolean value) {
    return changed(o -> o.columnMaps = value);
  }

  /// Which columns are coordinates; empty if none were named.
  public Optional<Place> place() {
    return options.place;
  }

  /// Names the columns that are coordinates, and their coordinate system. A local projection turns
  /// longitudes and latitudes into kilometres, so the lengthscales of these columns are in
  /// kilometres.
  public Fit withPlace(Place value) {
    return changed(o -> o.place = Optional.of(value));
  }

  /// The same with columns of coordinates that are used as they stand.
  Fit withoutPlace() {
    return changed(
        o -> {
          o.place = Optional.empty();
          o.anisotropy = Optional.empty();
        });
  }

  /// The direction of the lengthscales; empty if they follow the columns.
  public Optional<Anisotropy> anisotropy() {
    return options.anisotropy;
  }

  /// Learns the direction in which the process varies most slowly, with one lengthscale along it
  /// and one across it. The direction lies in the plane of the coordinates ([#withPlace]), or of
  /// the first two columns if there are no coordinates.
  public Fit withAnisotropy() {
    return changed(o -> o.anisotropy = Optional.of(new Anisotropy(OptionalDouble.empty())));
  }

  /// As [#withAnisotropy()], for a known direction in degrees clockwise from north.
  public Fit withAnisotropy(double degrees) {
    return changed(o -> o.anisotropy = Optional.of(new Anisotropy(OptionalDouble.of(degrees))));
  }

  /// How the grid is chosen.
  public GridChoice grid() {
    return options.grid;
  }

  public Fit withGrid(GridChoice value) {
    return changed(o -> o.grid = value);
  }

  /// What happens to rows outside the bounds of the grid.
  public Outside outside() {
    return options.outside;
  }

  public Fit withOutside(Outside value) {
    return changed(o -> o.outside = value);
  }

  /// Which engine computes the posterior.
  public Engine engine() {
    return options.engine;
  }

  public Fit withEngine(Engine value) {
    return changed(o -> o.engine = value);
  }

  /// How many of the nearest rows the neighbours engine uses for a prediction. If it is 0, held-out
  /// rows choose the number.
  public int neighbours() {
    return options.neighbours;
  }

  /// Sets the number of neighbours. Learning uses the same number, but at most 30.
  public Fit withNeighbours(int value) {
    if (value < 1) throw new IllegalArgumentException("neighbours must be >= 1, got " + value);
    return changed(o -> o.neighbours = value);
  }

  /// The largest relative error that a variance may have.
  public double tolerance() {
    return options.tolerance;
  }

  public Fit withTolerance(double value) {
    if (!(value > 0 && value < 1))
      throw new IllegalArgumentException("tolerance must lie between 0 and 1, got " + value);
    return changed(o -> o.tolerance = value);
  }

  /// Whether parameters that are not fixed are learned. If not, all parameters are used as given.
  public boolean training() {
    return options.training;
  }

  public Fit withTraining(boolean value) {
    return changed(o -> o.training = value);
  }

  /// How parameters are learned.
  public Learning learning() {
    return options.learning;
  }

  public Fit withLearning(Learning value) {
    return changed(o -> o.learning = value);
  }

  /// Receives the plan before the work begins, and every revised plan that restarts it.
  public Consumer<Plan> listener() {
    return options.listener;
  }

  public Fit withListener(Consumer<Plan> value) {
    return changed(o -> o.listener = value);
  }

  /// How long the fit may take, and how much memory it may use.
  public Limits limits() {
    return options.limits;
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

  /// Who is recorded as the maker of the model.
  public Maker maker() {
    return options.maker;
  }

  public Fit withMaker(String version, String command) {
    return changed(o -> o.maker = new Maker(version, command));
  }

  /// The parameter values that were set by name.
  public List<Given> given() {
    return options.given;
  }

  Fit withGiven(List<Given> values) {
    List<Given> copy = List.copyOf(values);
    return changed(o -> o.given = copy);
  }

  /// Sets the starting value of a parameter. If nothing is learned, the parameter keeps it. Names
  /// are those of [Hyperparameters#set].
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

  /// The hyperparameters that a fit over d columns starts from. Those that you did not set are
  /// unset. In an additive model several functions may share a parameter name, such as
  /// `lengthscale`; it then takes one value for all of them, or one for each.
  public Hyperparameters hyperparameters(int dimensions) {
    return hyperparameters(dimensions, new int[0]);
  }

  private Hyperparameters hyperparameters(int dimensions, int[] categories) {
    Kernel whole =
        shape() == Shape.ADDITIVE
            ? Additive.kernel(kernel(), dimensions)
            : kernel().bind(dimensions);
    if (categories.length > 0) whole = whole.withCategories(categories);
    Hyperparameters h =
        Hyperparameters.of(whole, likelihood(), PriorMean.named(mean(), dimensions));
    for (Given g : given()) {
      double[] values = g.values().stream().mapToDouble(Double::doubleValue).toArray();
      List<Parameter> alike =
          h.parameters().stream().filter(p -> p.path().endsWith("." + g.name())).toList();
      boolean each = shape() == Shape.ADDITIVE && alike.size() > 1;
      if (!each || (values.length != 1 && values.length != alike.size())) {
        h = placed(h, g.name(), g.fixed(), values);
        continue;
      }
      for (int i = 0; i < alike.size(); i++)
        h = placed(h, alike.get(i).path(), g.fixed(), values[values.length == 1 ? 0 : i]);
    }
    return h;
  }

  /// The hyperparameters a fit of these columns starts from, as [#hyperparameters(int)]; the kernel
  /// takes the columns of text for categories.
  Hyperparameters hyperparameters(List<Column> columns) {
    int[] text = Column.text(columns);
    if (text.length > 0 && mean().equals("linear"))
      throw new IllegalArgumentException(
          "a linear mean needs numbers, and column '%s' holds words; use mean constant"
              .formatted(columns.get(text[0]).name()));
    return hyperparameters(columns.size(), text);
  }

  private static Hyperparameters placed(
      Hyperparameters h, String name, boolean fixed, double... values) {
    return fixed ? h.fix(name, values) : h.set(name, values);
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

  /// What is made of rows in memory, which cannot fail to be read.
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
    return intensity() ? Shapes.intensity(this, source) : Shapes.model(FitData.of(this, source));
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Fit that && options.values().equals(that.options.values());
  }

  @Override
  public int hashCode() {
    return options.values().hashCode();
  }

  /// Options that have no text of their own, or whose text says nothing more.
  private static final Set<String> UNSAID = Set.of("listener", "kernel given", "transform given");

  /// The options that differ from [#DEFAULT].
  @Override
  public String toString() {
    Map<String, Object> usual = DEFAULT.options.values();
    String others =
        options.values().entrySet().stream()
            .filter(option -> !UNSAID.contains(option.getKey()))
            .filter(option -> !option.getValue().equals(usual.get(option.getKey())))
            .map(option -> option.getKey() + " " + option.getValue())
            .collect(Collectors.joining(", "));
    return others.isEmpty() ? "the default fit" : "fit with " + others;
  }
}
