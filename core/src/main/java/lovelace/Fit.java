package lovelace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.baseline.ExactGp;
import lovelace.baseline.Fitting;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.grid.GridChoice;
import lovelace.grid.Outside;
import lovelace.io.ModelFile;
import lovelace.io.Provenance;
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
/// @param transform what is done to the target before it is modelled as Gaussian
/// @param grid how the grid is chosen
/// @param outside what happens to rows outside bounds that were given
/// @param engine how the posterior is computed
/// @param tolerance the relative error of a variance to certify
/// @param training whether parameters that are not fixed are learned; else all are used as given
/// @param learning how
/// @param given values given by name
/// @param maker what is recorded as the model's maker: a version and a command
public record Fit(
    Kernel kernel,
    String mean,
    TargetTransform transform,
    GridChoice grid,
    Outside outside,
    Engine engine,
    double tolerance,
    boolean training,
    Learning learning,
    List<Given> given,
    Maker maker) {

  /// RBF, constant mean, grid from the data, one per cent, all parameters learned.
  public static final Fit DEFAULT =
      new Fit(
          Kernel.rbf(),
          "constant",
          TargetTransform.NONE,
          GridChoice.DEFAULT,
          Outside.ERROR,
          Engine.AUTO,
          0.01,
          true,
          new Learning(Lbfgs.DEFAULT, 1, 1, Progress.NONE),
          List.of(),
          new Maker("unknown", ""));

  /// The most rows of an exact model.
  public static final int EXACT_ROWS = 8000;

  /// Cells of an automatic grid along a lengthscale, at a tolerance of one per cent.
  private static final double CELLS = 6;

  /// How often the rows are read again on a finer grid.
  private static final int ROUNDS = 3;

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

  public Fit {
    if (!(tolerance > 0 && tolerance < 1))
      throw new IllegalArgumentException("tolerance must lie between 0 and 1, got " + tolerance);
    given = List.copyOf(given);
  }

  public Fit withKernel(Kernel value) {
    return new Fit(
        value, mean, transform, grid, outside, engine, tolerance, training, learning, given, maker);
  }

  /// A kernel by its text, `2.0*matern52 + periodic` say.
  public Fit withKernel(String text) {
    return withKernel(Kernel.parse(text));
  }

  public Fit withMean(String value) {
    return new Fit(
        kernel, value, transform, grid, outside, engine, tolerance, training, learning, given,
        maker);
  }

  public Fit withTransform(TargetTransform value) {
    return new Fit(
        kernel, mean, value, grid, outside, engine, tolerance, training, learning, given, maker);
  }

  public Fit withGrid(GridChoice value) {
    return new Fit(
        kernel, mean, transform, value, outside, engine, tolerance, training, learning, given,
        maker);
  }

  public Fit withOutside(Outside value) {
    return new Fit(
        kernel, mean, transform, grid, value, engine, tolerance, training, learning, given, maker);
  }

  public Fit withEngine(Engine value) {
    return new Fit(
        kernel, mean, transform, grid, outside, value, tolerance, training, learning, given, maker);
  }

  public Fit withTolerance(double value) {
    return new Fit(
        kernel, mean, transform, grid, outside, engine, value, training, learning, given, maker);
  }

  public Fit withTraining(boolean value) {
    return new Fit(
        kernel, mean, transform, grid, outside, engine, tolerance, value, learning, given, maker);
  }

  public Fit withLearning(Learning value) {
    return new Fit(
        kernel, mean, transform, grid, outside, engine, tolerance, training, value, given, maker);
  }

  public Fit withMaker(String version, String command) {
    return new Fit(
        kernel,
        mean,
        transform,
        grid,
        outside,
        engine,
        tolerance,
        training,
        learning,
        given,
        new Maker(version, command));
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
    return new Fit(
        kernel, mean, transform, grid, outside, engine, tolerance, training, learning, all, maker);
  }

  /// The hyperparameters a fit over d columns starts from; those not given are unset.
  public Hyperparameters hyperparameters(int dimensions) {
    Hyperparameters h =
        Hyperparameters.of(kernel.bind(dimensions), Double.NaN, PriorMean.named(mean, dimensions));
    for (Given g : given) {
      double[] values = g.values().stream().mapToDouble(Double::doubleValue).toArray();
      h = g.fixed() ? h.fix(g.name(), values) : h.set(g.name(), values);
    }
    return h;
  }

  /// Fits several kernels, all else as here, and ranks them by BIC, best first, with marginal
  /// likelihood and the negative log predictive density of a fifth of the rows held out.
  public List<Comparison> compare(Dataset data, String... kernels) {
    return Comparison.of(this, data, List.of(kernels), 0.2, learning.seed());
  }

  /// The model of a data set.
  public Model to(Dataset data) {
    try {
      return to(Source.of(data));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The model of rows that are read as often as needed and never held, unless it is exact.
  public Model to(Source source) throws IOException {
    int d = source.columns().size();
    Hyperparameters start = hyperparameters(d);
    if (!training && !start.unset().isEmpty())
      throw new IllegalArgumentException(
          "without training every parameter needs a value; not set: "
              + String.join(", ", start.unset()));
    return engine == Engine.EXACT ? exact(source, start) : onGrid(source, start);
  }

  private Model onGrid(Source source, Hyperparameters start) throws IOException {
    Survey survey = Survey.of(source, transform, learning.seed());
    GridChoice.Chosen chosen = choose(survey, start);
    List<String> notes = new ArrayList<>();
    Hyperparameters from = start;
    for (int round = 1; ; round++) {
      Pass pass = Pass.over(source, chosen.grid(), transform, outside);
      Inference inference = new Inference(engine, tolerance, learning.seed(), pass.statistics());
      Learned learned =
          training ? inference.learn(from, survey, learning) : inference.evaluate(from);
      Hyperparameters h = learned.hyperparameters();
      GridChoice.Chosen better = choose(survey, h);
      boolean poor = Inference.isPoor(chosen.grid(), lengthscales(h, chosen.grid().dimensions()));
      if (training && poor && round < ROUNDS && !better.grid().equals(chosen.grid())) {
        notes.add(
            "regrid: the lengthscale learned on the %s is under two cells; read again"
                .formatted(chosen.grid()));
        chosen = better;
        from = h;
        continue;
      }
      notes.add("grid: " + named(chosen.explanation(), source));
      if (poor) notes.add("advice: " + named(better.advice(), source));
      notes.addAll(learned.notes());
      return Model.of(
          new ModelFile(
              source.columns(),
              source.target(),
              transform,
              pass.logJacobian(),
              learned.logLikelihood(),
              inference.posterior(h),
              provenance(pass.fingerprint(), learned.standardErrors(), notes)));
    }
  }

  private GridChoice.Chosen choose(Survey survey, Hyperparameters h) {
    int d = survey.low().length;
    // interpolation errs with a power of the cell; a finer tolerance needs finer cells
    double cells = Math.clamp(CELLS * Math.pow(0.01 / tolerance, 0.25), CELLS, 5 * CELLS);
    return grid.withCellsPerLengthscale(cells)
        .withLengthscales(lengthscales(h, d))
        .choose(survey.low(), survey.high());
  }

  /// Words about a grid with the columns' names for their numbers.
  private static String named(String text, Source source) {
    String named = text;
    for (int j = source.columns().size() - 1; j >= 0; j--)
      named = named.replace("column " + (j + 1) + " ", source.columns().get(j).name() + " ");
    return named;
  }

  private Model exact(Source source, Hyperparameters start) throws IOException {
    Dataset table = Survey.rows(source, EXACT_ROWS);
    Pass.requireVarying(
        source,
        table.size(),
        Arrays.stream(table.target()).min().orElse(0),
        Arrays.stream(table.target()).max().orElse(0));
    Dataset data = transform.apply(table);
    ExactGp gp;
    List<String> notes = new ArrayList<>();
    if (training && start.freeSize() > 0) {
      if (learning.starts() > 1)
        throw new IllegalArgumentException(
            "the exact engine goes on from the likeliest of its start values only, got starts "
                + learning.starts()
                + "; use 1, or another engine");
      var fitted =
          ExactGp.fit(
              data,
              start,
              Fitting.DEFAULT
                  .withOptimizer(learning.optimizer())
                  .withProgress(learning.progress()));
      gp = fitted.posterior();
      notes.add("training: " + fitted.optimum().reason());
    } else {
      gp = ExactGp.of(data, start);
      notes.add("parameters used as given, nothing learned");
    }
    return Model.of(
        new ModelFile(
            source.columns(),
            source.target(),
            transform,
            transform.logJacobian(table.target()),
            gp.logMarginalLikelihood(),
            gp,
            provenance(Survey.fingerprint(table), List.of(), notes)));
  }

  private Provenance provenance(long fingerprint, List<Double> standardErrors, List<String> notes) {
    return new Provenance(
        maker.version(),
        Instant.now().truncatedTo(ChronoUnit.SECONDS),
        fingerprint,
        maker.command(),
        standardErrors,
        notes);
  }

  /// The shortest lengthscale along each column; NaN where none is known.
  private static double[] lengthscales(Hyperparameters h, int d) {
    double[] shortest = new double[d];
    Arrays.fill(shortest, Double.NaN);
    for (Parameter p : h.parameters()) {
      if (!p.path().endsWith("lengthscale") || p.path().contains("periodic")) continue;
      double[] values = p.values();
      for (int a = 0; a < d; a++) {
        double value = values[values.length == d ? a : 0];
        if (value > 0 && !(value >= shortest[a])) shortest[a] = value;
      }
    }
    return shortest;
  }
}
