package lovelace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.TargetTransform;
import lovelace.grid.GridChoice;
import lovelace.grid.Outside;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.kernel.PriorMean;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer;
import lovelace.optimize.Progress;

/// How a model is made from data.
///
/// ```java
/// Model model = Fit.DEFAULT.withKernel("matern52").to(data);
/// ```
///
/// @param kernel how function values vary together
/// @param mean `constant`, `zero` or `linear`
/// @param shape what of the columns a grid covers
/// @param transform what is done to the target before it is modelled as Gaussian
/// @param grid how the grid is chosen
/// @param outside what happens to rows outside bounds that were given
/// @param engine how the posterior is computed
/// @param tolerance the relative error of a variance to certify
/// @param training whether parameters that are not fixed are learned; else all are used as given
/// @param learning how
/// @param given values given by name
/// @param maker what is recorded as the model's maker: a version and a command
/// @param limits how long it may take, and how much memory
public record Fit(
    Kernel kernel,
    String mean,
    Shape shape,
    TargetTransform transform,
    GridChoice grid,
    Outside outside,
    Engine engine,
    double tolerance,
    boolean training,
    Learning learning,
    List<Given> given,
    Maker maker,
    Limits limits) {

  /// RBF, constant mean, grid from the data, one per cent, all parameters learned.
  public static final Fit DEFAULT =
      new Fit(
          Kernel.rbf(),
          "constant",
          Shape.AUTO,
          TargetTransform.NONE,
          GridChoice.DEFAULT,
          Outside.ERROR,
          Engine.AUTO,
          0.01,
          true,
          new Learning(Lbfgs.DEFAULT, 1, 1, Progress.NONE),
          List.of(),
          new Maker("unknown", ""),
          Limits.DEFAULT);

  /// The most rows of an exact model.
  public static final int EXACT_ROWS = 8000;

  /// What of the columns a grid covers.
  public enum Shape {
    /// One grid for up to three columns; for more an additive model or a projection, whichever
    /// predicts rows held out better.
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

  /// How a posterior is computed.
  public enum Engine {
    /// The cheapest that meets the tolerance.
    AUTO,
    SPECTRAL,
    KRYLOV,
    MARKOV,
    /// The dense process on the rows themselves.
    EXACT;

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
  }

  /// A parameter's values, to start from or to hold.
  public record Given(String name, List<Double> values, boolean fixed) {
    public Given {
      values = List.copyOf(values);
    }
  }

  /// Who made a model: the version of Lovelace and the command or program.
  public record Maker(String version, String command) {}

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
  }

  public Fit {
    if (!(tolerance > 0 && tolerance < 1))
      throw new IllegalArgumentException("tolerance must lie between 0 and 1, got " + tolerance);
    given = List.copyOf(given);
  }

  public Fit withKernel(Kernel value) {
    return new Fit(
        value, mean, shape, transform, grid, outside, engine, tolerance, training, learning, given,
        maker, limits);
  }

  /// A kernel by its text, `2.0*matern52 + periodic` say.
  public Fit withKernel(String text) {
    return withKernel(Kernel.parse(text));
  }

  public Fit withMean(String value) {
    return new Fit(
        kernel, value, shape, transform, grid, outside, engine, tolerance, training, learning,
        given, maker, limits);
  }

  public Fit withShape(Shape value) {
    return new Fit(
        kernel, mean, value, transform, grid, outside, engine, tolerance, training, learning, given,
        maker, limits);
  }

  public Fit withTransform(TargetTransform value) {
    return new Fit(
        kernel, mean, shape, value, grid, outside, engine, tolerance, training, learning, given,
        maker, limits);
  }

  public Fit withGrid(GridChoice value) {
    return new Fit(
        kernel, mean, shape, transform, value, outside, engine, tolerance, training, learning,
        given, maker, limits);
  }

  public Fit withOutside(Outside value) {
    return new Fit(
        kernel, mean, shape, transform, grid, value, engine, tolerance, training, learning, given,
        maker, limits);
  }

  public Fit withEngine(Engine value) {
    return new Fit(
        kernel, mean, shape, transform, grid, outside, value, tolerance, training, learning, given,
        maker, limits);
  }

  public Fit withTolerance(double value) {
    return new Fit(
        kernel, mean, shape, transform, grid, outside, engine, value, training, learning, given,
        maker, limits);
  }

  public Fit withTraining(boolean value) {
    return new Fit(
        kernel, mean, shape, transform, grid, outside, engine, tolerance, value, learning, given,
        maker, limits);
  }

  public Fit withLearning(Learning value) {
    return new Fit(
        kernel, mean, shape, transform, grid, outside, engine, tolerance, training, value, given,
        maker, limits);
  }

  /// How long a fit may take; half an hour unless set. Parameters that are not learned by then are
  /// the best found so far, and a note of the model says so.
  public Fit withTime(Duration value) {
    return with(new Limits(value, limits.memory(), limits.clock()));
  }

  /// How many bytes a fit may use; all of the Java heap unless set.
  public Fit withMemory(long bytes) {
    return with(new Limits(limits.time(), bytes, limits.clock()));
  }

  Fit with(Limits value) {
    return new Fit(
        kernel, mean, shape, transform, grid, outside, engine, tolerance, training, learning, given,
        maker, value);
  }

  /// A budget of these limits that starts now, and ends with the one that the caller runs in.
  public Budget budget() {
    return Budget.of(limits.time(), limits.memory(), limits.clock()).withinCurrent();
  }

  Fit withGiven(List<Given> values) {
    return new Fit(
        kernel, mean, shape, transform, grid, outside, engine, tolerance, training, learning,
        values, maker, limits);
  }

  public Fit withMaker(String version, String command) {
    return new Fit(
        kernel,
        mean,
        shape,
        transform,
        grid,
        outside,
        engine,
        tolerance,
        training,
        learning,
        given,
        new Maker(version, command),
        limits);
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
    List<Given> all = new ArrayList<>(given);
    all.add(another);
    return withGiven(all);
  }

  /// The hyperparameters a fit over d columns starts from; those not given are unset. In an
  /// additive model a name that several functions have, `lengthscale` say, takes one value for all
  /// of them or one for each.
  public Hyperparameters hyperparameters(int dimensions) {
    Kernel whole =
        shape == Shape.ADDITIVE ? Additive.kernel(kernel, dimensions) : kernel.bind(dimensions);
    Hyperparameters h = Hyperparameters.of(whole, Double.NaN, PriorMean.named(mean, dimensions));
    for (Given g : given) {
      double[] values = g.values().stream().mapToDouble(Double::doubleValue).toArray();
      List<Parameter> alike =
          h.parameters().stream().filter(p -> p.path().endsWith("." + g.name())).toList();
      boolean each = shape == Shape.ADDITIVE && alike.size() > 1;
      if (!each || (values.length != 1 && values.length != alike.size())) {
        h = changed(h, g.name(), g.fixed(), values);
        continue;
      }
      for (int i = 0; i < alike.size(); i++)
        h = changed(h, alike.get(i).path(), g.fixed(), values[values.length == 1 ? 0 : i]);
    }
    return h;
  }

  private static Hyperparameters changed(
      Hyperparameters h, String name, boolean fixed, double... values) {
    return fixed ? h.fix(name, values) : h.set(name, values);
  }

  /// Fits several kernels, all else as here, and ranks them by BIC, best first, with marginal
  /// likelihood and the negative log predictive density in five-fold cross-validation. The models
  /// are those that [#to(Dataset)] makes, and the folds have their shape.
  public List<Comparison> compare(Dataset data, String... kernels) {
    return Comparison.of(this, data, List.of(kernels), 5, learning.seed());
  }

  /// The model of a data set.
  public Model to(Dataset data) {
    try {
      return to(Source.of(data));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The model of rows that are read as often as needed and never held, unless it is exact. Columns
  /// of one value are left out ([Model#leftOut]) unless the grid was given a range of them.
  public Model to(Source source) throws IOException {
    return budget().call(() -> Fitter.of(this, source).model());
  }

  /// The model over the features of a map that has learned already: one grid over up to three
  /// features, a sum of functions of one each for more. The map travels in the model.
  ///
  /// @param remarks where the map comes from, and the parameters too where training is off; kept in
  ///   the model's provenance, a line each
  public Model to(Source source, FeatureMap map, List<String> remarks) throws IOException {
    return budget().call(() -> Fitter.over(this, source, map, remarks));
  }
}
