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

/// How a model is made from data. Immutable: each `with…` returns another fit.
///
/// ```java
/// Model model = Fit.DEFAULT.withKernel("matern52").to(data);
/// ```
public final class Fit {

  /// RBF, constant mean, grid from the data, one per cent, all parameters learned.
  public static final Fit DEFAULT = new Fit(new Options());

  /// The most rows of an exact model.
  public static final int EXACT_ROWS = ExactGp.MOST_ROWS;

  /// What of the columns a grid covers.
  public enum Shape {
    /// One grid for up to three columns; for more the process of the rows, or an additive model
    /// where that predicts rows held out better.
    AUTO,
    /// One grid over all columns, four at most.
    GRID,
    /// A sum of functions, one of each column unless the kernel names columns itself.
    ADDITIVE,
    /// One grid over two features, linear functions of the columns that are learned.
    PROJECTION;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// How parameters are learned: by which optimiser, from how many places, with which seed for what
  /// is random (the rows that start values come from where there are many, the krylov engine's
  /// probes), and who is told of every step.
  public record Learning(Optimizer optimizer, int starts, long seed, Progress progress) {
    public Learning {
      if (starts < 1) throw new IllegalArgumentException("starts must be >= 1, got " + starts);
    }

    @Override
    public String toString() {
      String by = optimizer.equals(Lbfgs.DEFAULT) ? "L-BFGS" : optimizer.toString();
      return String.format(Locale.ROOT, "by %s, starts %d, seed %d", by, starts, seed);
    }
  }

  /// A direction in which a process over a plane varies most slowly, with one lengthscale along it
  /// and one across.
  ///
  /// @param degrees clockwise from north, the direction of the second column of coordinates; empty
  ///   where it is learned
  public record Anisotropy(OptionalDouble degrees) {
    public Anisotropy {
      if (degrees.isPresent() && !(Math.abs(degrees.getAsDouble()) <= 360))
        throw new IllegalArgumentException(
            "an angle lies from -360 to 360 degrees, got " + degrees.getAsDouble());
    }

    @Override
    public String toString() {
      return degrees.isPresent() ? degrees.getAsDouble() + "°" : "learned";
    }
  }

  /// A parameter's values, to start from or to hold.
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

  /// Who made a model: the version of Lovelace and the command or program.
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

  /// What a fit may take.
  ///
  /// @param time how long, from its start to its model
  /// @param memory how many bytes
  /// @param clock what time is measured by, in nanoseconds
  public record Limits(Duration time, long memory, LongSupplier clock) {

    /// Half an hour, and what the Java heap can have.
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

  /// How function values vary together. Where none was given it is `rbf` for up to three columns,
  /// chosen by the likelihood of the rows where there are coordinates ([#withPlace],
  /// [#withAnisotropy]), and on rows held out for more columns.
  public Kernel kernel() {
    return options.kernel;
  }

  /// Whether [#withKernel] has given the kernel.
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

  /// A kernel by its text, `2.0*matern52 + periodic` say.
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

  /// The columns that only the mean reads; empty where the mean has no drift.
  public Optional<List<String>> drift() {
    return options.drift;
  }

  /// Makes the mean linear in these columns, which are then no inputs of the process (kriging with
  /// external drift). Their coefficients and the intercept are integrated out, and the variance of
  /// a prediction counts what is not known of them; see [Model#drift]. With mean `linear` the mean
  /// is linear in the inputs of the process as well (universal kriging), and with no column it has
  /// an intercept only (ordinary kriging). Kernel and grid are of the other columns, one to three.
  /// The model's columns are those of the process, then these.
  public Fit withDrift(List<String> columns) {
    return withDrift(columns, List.of());
  }

  /// The same with a mean that is linear in some inputs of the process as well: what R writes as `z
  /// ~ x + y + elevation` is `withDrift(List.of("elevation"), List.of("x", "y"))`.
  ///
  /// @param columns those that only the mean reads
  /// @param inputs those that both read
  public Fit withDrift(List<String> columns, List<String> inputs) {
    List<String> copy = List.copyOf(columns);
    List<String> both = List.copyOf(inputs);
    return changed(
        o -> {
          o.drift = Optional.of(copy);
          o.driftInputs = both;
        });
  }

  /// The inputs of the process that the mean is linear in as well; with mean `linear` it is linear
  /// in all.
  public List<String> driftInputs() {
    return options.driftInputs;
  }

  /// How observations depend on the function: with Gaussian noise unless another was given.
  public Likelihood likelihood() {
    return options.likelihood;
  }

  /// The weights of rows are what [Likelihood#size] says: exposures, trials, weights.
  public Fit withLikelihood(Likelihood value) {
    return changed(o -> o.likelihood = value);
  }

  /// A likelihood by its text, `poisson` or `bernoulli(link=probit)` say.
  public Fit withLikelihood(String text) {
    return withLikelihood(Likelihood.parse(text));
  }

  /// Whether rows are events, and the model is of their intensity.
  public boolean intensity() {
    return options.intensity;
  }

  /// Rows as events, at times or places of one to three columns; their targets are 1, as
  /// [Dataset#events] has them. The window where they were watched for ([GridChoice#bounded]; their
  /// range where there is none) is cut into cells, and the counts of the cells are Poisson with a
  /// rate whose log is the Gaussian process: a log-Gaussian Cox process. Grid points are the number
  /// of cells along each column. The kernel is `matern32` where none was given.
  public Fit withIntensity(boolean value) {
    return changed(o -> o.intensity = value);
  }

  /// Which columns a grid covers.
  public Shape shape() {
    return options.shape;
  }

  public Fit withShape(Shape value) {
    return changed(o -> o.shape = value);
  }

  /// What is done to the target before it is modelled as Gaussian. Where nothing was given it is
  /// none for up to three columns, and chosen on rows held out for more.
  public TargetTransform transform() {
    return options.transform;
  }

  /// Whether [#withTransform] has given the transform.
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

  /// Whether the logarithm or the ranks of a column with long tails may take its place, where more
  /// than three columns are learned from and rows held out say that it helps.
  public boolean columnMaps() {
    return options.columnMaps;
  }

  public Fit withColumnMaps(boolean value) {
    return changed(o -> o.columnMaps = value);
  }

  /// Which columns are coordinates; empty where none were named.
  public Optional<Place> place() {
    return options.place;
  }

  /// Names the columns that are coordinates, and their system. Longitudes and latitudes become
  /// kilometres by a local projection, so lengthscales of these columns are in kilometres.
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

  /// The direction of lengthscales; empty where they run along the columns.
  public Optional<Anisotropy> anisotropy() {
    return options.anisotropy;
  }

  /// Learns the direction in which the process varies most slowly, with a lengthscale along it and
  /// one across. It is one on the plane of the coordinates ([#withPlace]), else of the first two
  /// columns.
  public Fit withAnisotropy() {
    return changed(o -> o.anisotropy = Optional.of(new Anisotropy(OptionalDouble.empty())));
  }

  /// As [#withAnisotropy()] with a direction that is known, in degrees clockwise from north.
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

  /// What happens to rows outside bounds that were given.
  public Outside outside() {
    return options.outside;
  }

  public Fit withOutside(Outside value) {
    return changed(o -> o.outside = value);
  }

  /// How the posterior is computed.
  public Engine engine() {
    return options.engine;
  }

  public Fit withEngine(Engine value) {
    return changed(o -> o.engine = value);
  }

  /// How many of the nearest rows the neighbours engine predicts from; 0 where rows held out choose
  /// it.
  public int neighbours() {
    return options.neighbours;
  }

  /// Learning uses as many neighbours, 30 at most.
  public Fit withNeighbours(int value) {
    if (value < 1) throw new IllegalArgumentException("neighbours must be >= 1, got " + value);
    return changed(o -> o.neighbours = value);
  }

  /// The relative error of a variance to stay within.
  public double tolerance() {
    return options.tolerance;
  }

  public Fit withTolerance(double value) {
    if (!(value > 0 && value < 1))
      throw new IllegalArgumentException("tolerance must lie between 0 and 1, got " + value);
    return changed(o -> o.tolerance = value);
  }

  /// Whether parameters that are not fixed are learned; else all are used as given.
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

  /// Who is told of the plan before the work begins, and of every revision that begins it anew.
  public Consumer<Plan> listener() {
    return options.listener;
  }

  public Fit withListener(Consumer<Plan> value) {
    return changed(o -> o.listener = value);
  }

  /// How long a fit may take, and how much memory.
  public Limits limits() {
    return options.limits;
  }

  /// How long a fit may take; half an hour unless set. Parameters that are not learned by then are
  /// the best found so far, and a note of the model says so.
  public Fit withTime(Duration value) {
    return with(new Limits(value, limits().memory(), limits().clock()));
  }

  /// How many bytes a fit may use; all of the Java heap unless set.
  public Fit withMemory(long bytes) {
    return with(new Limits(limits().time(), bytes, limits().clock()));
  }

  Fit with(Limits value) {
    return changed(o -> o.limits = value);
  }

  /// A budget of these limits that starts now, and ends with the one that the caller runs in.
  public Budget budget() {
    Limits limits = limits();
    return Budget.of(limits.time(), limits.memory(), limits.clock()).withinCurrent();
  }

  /// What is recorded as the model's maker.
  public Maker maker() {
    return options.maker;
  }

  public Fit withMaker(String version, String command) {
    return changed(o -> o.maker = new Maker(version, command));
  }

  /// Values given by name.
  public List<Given> given() {
    return options.given;
  }

  Fit withGiven(List<Given> values) {
    List<Given> copy = List.copyOf(values);
    return changed(o -> o.given = copy);
  }

  /// Gives a parameter the value it starts from, or keeps where nothing is learned; names are those
  /// of [Hyperparameters#set].
  public Fit set(String name, double... values) {
    return with(new Given(name, Arrays.stream(values).boxed().toList(), false));
  }

  /// Gives a parameter a value that is held.
  public Fit fix(String name, double... values) {
    return with(new Given(name, Arrays.stream(values).boxed().toList(), true));
  }

  private Fit with(Given another) {
    List<Given> all = new ArrayList<>(given());
    all.add(another);
    return withGiven(all);
  }

  /// The hyperparameters a fit over d columns starts from; those not given are unset. In an
  /// additive model a name that several functions have, `lengthscale` say, takes one value for all
  /// of them or one for each.
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

  /// Fits several kernels, all else as here, and ranks them by BIC, best first, with marginal
  /// likelihood and the negative log predictive density in five-fold cross-validation. The models
  /// are those that [#to(Dataset)] makes, and the folds have their shape.
  public List<Comparison> compare(Dataset data, String... kernels) {
    return Comparison.of(this, data, List.of(kernels), 5, learning().seed());
  }

  /// The model of a data set.
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

  /// The model of rows that are read as often as needed and never held, unless it is exact. Columns
  /// of one value are left out ([Model#leftOut]) unless the grid was given a range of them.
  public Model to(Source source) throws IOException {
    return budget()
        .call(() -> drift().isPresent() ? DriftFit.model(this, source) : ofProcess(source));
  }

  /// The model of a process without a drift.
  Model ofProcess(Source source) throws IOException {
    return intensity() ? Shapes.intensity(this, source) : Shapes.model(FitData.of(this, source));
  }

  /// The model over the features of a map that has learned already: one grid over up to three
  /// features, a sum of functions of one each for more. The map travels in the model.
  ///
  /// @param remarks where the map comes from, and the parameters too where training is off; kept in
  ///   the model's provenance, a line each
  public Model to(Source source, FeatureMap map, List<String> remarks) throws IOException {
    if (intensity())
      throw new IllegalArgumentException(
          "the intensity of events is a function of their own columns; leave the feature map out");
    if (drift().isPresent())
      throw new IllegalArgumentException(
          "a drift is of columns, and this model reads features of them; leave the drift or the feature map out");
    if (place().isPresent() || anisotropy().isPresent())
      throw new IllegalArgumentException(
          "a feature map reads the columns as they stand; leave the coordinate system and the anisotropy out");
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

  /// What differs from [#DEFAULT].
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
