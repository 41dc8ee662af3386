package lovelace.options;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import lovelace.data.Column;
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
import lovelace.options.internal.Settings;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import org.jspecify.annotations.Nullable;

/// The options of a fit, all of which have a default. They are immutable; [lovelace.Fit] sets them.
public abstract class Options {

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
  /// listener that receives every step. The seed decides which rows the starting values come from
  /// when there are many rows, and the random probes of the krylov engine.
  public record Learning(Optimizer optimizer, int starts, long seed, Progress progress) {
    public Learning {
      if (starts < 1) throw new IllegalArgumentException("starts must be >= 1, got " + starts);
    }

    /// The same from one starting point.
    public Learning fromOne() {
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
      try (var in = Options.class.getResourceAsStream("/lovelace/version.properties")) {
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

    /// Half an hour, and the memory of the Java heap.
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

  private final Settings settings;

  /// Options with these values, which must not change any more.
  protected Options(Settings settings) {
    this.settings = settings;
  }

  /// A copy of the values that can be changed.
  protected Settings settings() {
    return settings.clone();
  }

  /// The kernel: how function values vary together. If you set none, it depends on the columns. For
  /// up to three columns it is `rbf`. With coordinates ([lovelace.Fit#withPlace],
  /// [lovelace.Fit#withAnisotropy]) the likelihood of the rows chooses it. For more than three
  /// columns, predictions of held-out rows choose it.
  public Kernel kernel() {
    return settings.kernel;
  }

  /// Whether [lovelace.Fit#withKernel] was used.
  public boolean hasKernel() {
    return settings.kernelGiven;
  }

  /// The prior mean: `constant`, `zero` or `linear`.
  public String mean() {
    return settings.mean;
  }

  /// The columns that only the mean reads; empty if the mean has no drift.
  public Optional<List<String>> drift() {
    return settings.drift;
  }

  /// The inputs of the process in which the mean is linear too. With mean `linear` these are all
  /// inputs.
  public List<String> driftInputs() {
    return settings.driftInputs;
  }

  /// How observations depend on the function. The default is Gaussian noise.
  public Likelihood likelihood() {
    return settings.likelihood;
  }

  /// Whether the rows are events, so that the model describes their intensity.
  public boolean intensity() {
    return settings.intensity;
  }

  /// Which columns the grid covers.
  public Shape shape() {
    return settings.shape;
  }

  /// How the target is transformed before it is modelled as Gaussian. If you set nothing, up to
  /// three columns mean no transform; with more columns, held-out rows choose it.
  public TargetTransform transform() {
    return settings.transform;
  }

  /// Whether [lovelace.Fit#withTransform] was used.
  public boolean hasTransform() {
    return settings.transformGiven;
  }

  /// Whether a column with long tails may be replaced by its logarithm or its ranks. This happens
  /// only with more than three columns, and only if it improves predictions of held-out rows.
  public boolean columnMaps() {
    return settings.columnMaps;
  }

  /// Which columns are coordinates; empty if none were named.
  public Optional<Place> place() {
    return settings.place;
  }

  /// The direction of the lengthscales; empty if they follow the columns.
  public Optional<Anisotropy> anisotropy() {
    return settings.anisotropy;
  }

  /// How the grid is chosen.
  public GridChoice grid() {
    return settings.grid;
  }

  /// The treatment of rows outside the bounds of the grid.
  public Outside outside() {
    return settings.outside;
  }

  /// Which engine computes the posterior.
  public Engine engine() {
    return settings.engine;
  }

  /// How many of the nearest rows the neighbours engine uses for a prediction. If it is 0, held-out
  /// rows choose the number.
  public int neighbours() {
    return settings.neighbours;
  }

  /// The largest relative error that a variance may have.
  public double tolerance() {
    return settings.tolerance;
  }

  /// Whether parameters that are not fixed are learned. If not, all parameters are used as given.
  public boolean training() {
    return settings.training;
  }

  /// How parameters are learned.
  public Learning learning() {
    return settings.learning;
  }

  /// Receives the plan before the work begins, and every revised plan that restarts it.
  public Consumer<Plan> listener() {
    return settings.listener;
  }

  /// How long the fit may take, and how much memory it may use.
  public Limits limits() {
    return settings.limits;
  }

  /// Who is recorded as the maker of the model.
  public Maker maker() {
    return settings.maker;
  }

  /// The parameter values that were set by name.
  public List<Given> given() {
    return settings.given;
  }

  /// The same with a kernel for other columns. It counts as given if this one's does.
  public abstract Options bound(Kernel value);

  /// The same with columns of coordinates that are used unchanged.
  public abstract Options withoutPlace();

  public abstract Options withShape(Shape value);

  public abstract Options withTransform(TargetTransform value);

  public abstract Options withGrid(GridChoice value);

  /// The same with these values of parameters and no others.
  public abstract Options withGiven(List<Given> values);

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

  /// The hyperparameters that a fit of these columns starts from, as in [#hyperparameters(int)].
  /// The kernel treats columns of text as categories.
  public Hyperparameters hyperparameters(List<Column> columns) {
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Options that && settings.values().equals(that.settings.values());
  }

  @Override
  public int hashCode() {
    return settings.values().hashCode();
  }

  /// Options that have no text of their own, or whose text would say nothing more.
  private static final Set<String> UNSAID = Set.of("listener", "kernel given", "transform given");

  /// The options that differ from the defaults.
  @Override
  public String toString() {
    Map<String, Object> usual = new Settings().values();
    String others =
        settings.values().entrySet().stream()
            .filter(option -> !UNSAID.contains(option.getKey()))
            .filter(option -> !option.getValue().equals(usual.get(option.getKey())))
            .map(option -> option.getKey() + " " + option.getValue())
            .collect(Collectors.joining(", "));
    return others.isEmpty() ? "the default fit" : "fit with " + others;
  }
}
