package lovelace.bayesopt.surrogate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.engines.Engines;
import lovelace.exact.ExactGp;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.KernelFunction;
import lovelace.kernel.Parameter;
import lovelace.kernel.Parameter.Prior;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.optimize.Lbfgs;
import lovelace.options.GridChoice;
import lovelace.planning.GridRule;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// Learns hyperparameters by maximising their posterior density, and builds surrogates.
///
/// Inputs lie in the unit cube and targets are standardised, so the priors are the same for all
/// problems. Lengthscales are log-normal with location `√2 + ½ log d`, which grows with the
/// dimension as distances do, and scale √3 (Hvarfner et al. 2024). The output scale is
/// log-normal(0, 1). Noise is log-normal(−4, 1) if it is not known.
public final class SurrogateLearning {

  /// The noise variance of a noiseless objective, in standardised units.
  static final double JITTER = 1e-6;

  private static final int ADDITIVE_FROM = 6;

  /// Hyperparameters are learned from at most this many observations.
  private static final int ROWS = 500;

  private static final int GRID_DIMENSIONS = 2;

  /// Up to this many observations, a suggestion in two dimensions is cheaper in their coordinates.
  private static final int FINE = 128;

  private static final int DATA = 2000;

  private static final double TOLERANCE = 0.02;
  private static final Learner LEARNER =
      Learner.DEFAULT.withOptimizer(
          Lbfgs.DEFAULT.withMaxIterations(50).withMaxEvaluations(100).withRelativeTolerance(1e-5));

  private final Surrogates options;
  private final int d;
  private final double noise;

  /// @param noise the noise variance in standardised units; NaN to learn it
  public SurrogateLearning(Surrogates options, int dimensions, double noise) {
    this.options = options;
    this.d = dimensions;
    this.noise = noise;
    if (options.kind() == Surrogates.Kind.GRID && dimensions > 3)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a grid surrogate takes up to 3 coordinates, the space has %d; use auto or additive",
              dimensions));
    for (List<Integer> group : options.groups())
      for (int column : group)
        if (column < 0 || column >= dimensions)
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "group %s names coordinate %d of %d (from 0)",
                  group,
                  column,
                  dimensions));
  }

  // ---- learning ----

  /// Hyperparameters with their log posterior density.
  private record Scored(Hyperparameters h, double score) {}

  /// The likeliest hyperparameters, from those learned before, if any, and from fresh starts. The
  /// form of the kernel is chosen again whenever the number of observations has grown by about a
  /// third.
  ///
  /// @param known the number of observations when `before` was learned
  public Hyperparameters learn(
      double[] x, double[] z, @Nullable Hyperparameters before, int known) {
    Dataset data = dataset(x, z).thinned(ROWS);
    if (before != null && stage(known) == stage(z.length))
      return fit(data, before.kernel(), before).h;
    List<Scored> models = new ArrayList<>();
    boolean additive = options.kind() == Surrogates.Kind.ADDITIVE;
    boolean compare = options.kind() == Surrogates.Kind.AUTO && d >= ADDITIVE_FROM;
    if (!additive) models.add(fit(data, joint(), matching(before, joint())));
    if (additive && !options.groups().isEmpty()) {
      Kernel form = additive(complete(options.groups()));
      models.add(fit(data, form, matching(before, form)));
    } else if (additive || compare) {
      models.add(learnGroups(data, before));
    }
    Scored best = models.getFirst();
    for (Scored model : models) if (model.score > best.score) best = model;
    return best.h;
  }

  /// The largest log posterior density of hyperparameters of the form of `like`, or of one kernel
  /// over all coordinates if that is larger. It leaves out the prior of the noise, which only
  /// models that learn the noise have.
  double density(double[] x, double[] z, Hyperparameters like) {
    Dataset data = dataset(x, z).thinned(ROWS);
    double own = density(fit(data, like.kernel(), like));
    return like.kernel() instanceof Kernel.Sum
        ? Math.max(own, density(fit(data, joint(), null)))
        : own;
  }

  private static double density(Scored model) {
    return model.score - model.h.logPrior() + model.h.withoutPrior("noise").logPrior();
  }

  private static long stage(int observations) {
    return Math.round(Math.floor(Math.log(observations) / Math.log(1.33)));
  }

  private static @Nullable Hyperparameters matching(@Nullable Hyperparameters before, Kernel form) {
    if (before == null) return null;
    return groups(before.kernel()).equals(groups(form)) ? before : null;
  }

  /// The coordinates that each term reads.
  private static List<List<Integer>> groups(Kernel kernel) {
    List<Kernel> terms = kernel instanceof Kernel.Sum(var parts) ? parts : List.of(kernel);
    return terms.stream().map(t -> Arrays.stream(t.activeColumns()).boxed().toList()).toList();
  }

  private Kernel base() {
    return options.shape();
  }

  private Kernel joint() {
    return base().bind(d);
  }

  private Kernel additive(List<List<Integer>> groups) {
    Kernel sum = null;
    for (List<Integer> group : groups) {
      int[] columns = group.stream().mapToInt(Integer::intValue).toArray();
      Kernel term = base().on(columns).times(Double.NaN);
      sum = sum == null ? term : sum.plus(term);
    }
    if (sum == null) throw new IllegalStateException("no groups");
    return sum.bind(d);
  }

  private List<List<Integer>> complete(List<List<Integer>> groups) {
    List<List<Integer>> all = new ArrayList<>(groups);
    for (int c = 0; c < d; c++) {
      int column = c;
      if (groups.stream().noneMatch(g -> g.contains(column))) all.add(List.of(column));
    }
    return all;
  }

  /// Forms groups by likelihood. It starts with single coordinates and joins the pair of groups
  /// whose union gains most, as long as that gains at least two nats. Unions are first compared at
  /// common lengthscales with some noise, so that parts which one model cannot explain do not hide
  /// parts which another could.
  private Scored learnGroups(Dataset data, @Nullable Hyperparameters before) {
    List<List<Integer>> groups = complete(List.of());
    Kernel form = additive(groups);
    Scored current = fit(data, form, matching(before, form));
    for (int round = 0; round < d / 2; round++) {
      List<List<Integer>> best = null;
      double score = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < groups.size(); i++)
        for (int j = i + 1; j < groups.size(); j++) {
          if (groups.get(i).size() + groups.get(j).size() > 4) continue;
          List<List<Integer>> joined = join(groups, i, j);
          double value = judged(data, additive(joined));
          if (value > score) {
            score = value;
            best = joined;
          }
        }
      if (best == null) return current;
      Kernel next = additive(best);
      Scored learned = fit(data, next, null);
      if (learned.score < current.score + 2) return current;
      current = learned;
      groups = best;
    }
    return current;
  }

  private static List<List<Integer>> join(List<List<Integer>> groups, int i, int j) {
    List<List<Integer>> joined = new ArrayList<>(groups);
    List<Integer> union = new ArrayList<>(groups.get(i));
    union.addAll(groups.get(j));
    joined.set(i, List.copyOf(union));
    joined.remove(j);
    return joined;
  }

  private double judged(Dataset data, Kernel form) {
    return score(data, priors(filled(data, form, 0.5), 0.03, 0).set("noise", 0.03));
  }

  /// Complete hyperparameters with the priors of this package.
  private Hyperparameters priors(Kernel kernel, double startNoise, double level) {
    Hyperparameters h = Hyperparameters.of(kernel, startNoise, PriorMean.constant(level));
    for (Parameter p : kernel.parameters()) {
      if (p.role() == Parameter.Role.LENGTHSCALE) {
        double location = Math.sqrt(2) + 0.5 * Math.log(p.size());
        h =
            h.withPrior(p.path(), Prior.logNormal(location, Math.sqrt(3)))
                .withBounds(p.path(), 0.01, 1e3);
      } else if (p.role() == Parameter.Role.OUTPUTSCALE) {
        double share = kernel instanceof Kernel.Sum(var terms) ? 1.0 / terms.size() : 1;
        h =
            h.withPrior(p.path(), Prior.logNormal(Math.log(share), 1))
                .withBounds(p.path(), 1e-4, 1e3);
      }
    }
    if (!Double.isNaN(noise)) return h.fix("noise", noise);
    return h.withPrior("noise", Prior.logNormal(-4, 1)).withBounds("noise", JITTER, 10);
  }

  private Scored fit(Dataset data, Kernel form, @Nullable Hyperparameters before) {
    double start = Double.isNaN(noise) ? 1e-3 : noise;
    List<Hyperparameters> starts = new ArrayList<>();
    if (before != null) starts.add(priors(before.kernel(), before.noise(), level(before)));
    for (double length : new double[] {0.3, 0.1})
      starts.add(priors(filled(data, form, length), start, 0));
    try {
      Learned learned = LEARNER.learn(ExactGp.likelihood(data), starts, starts.size());
      Hyperparameters h = learned.hyperparameters();
      return new Scored(h, learned.logLikelihood() + h.logPrior());
    } catch (ArithmeticException notFinite) {
      throw new ArithmeticException(
          "no start has a finite likelihood; are there values beyond 1e150 among the"
              + " observations?");
    }
  }

  private static double level(Hyperparameters h) {
    return h.mean().coefficients()[0];
  }

  /// Fills lengthscales with `length · √columns` and output scales that add up to one. Further
  /// parameters of a user's own kernel get their starting values.
  private static Kernel filled(Dataset data, Kernel form, double length) {
    double share = form instanceof Kernel.Sum(var terms) ? 1.0 / terms.size() : 1;
    Hyperparameters h = Hyperparameters.of(form, 1, PriorMean.constant(0));
    for (Parameter p : form.parameters())
      switch (p.role()) {
        case LENGTHSCALE -> h = h.set(p.path(), length * Math.sqrt(p.size()));
        case OUTPUTSCALE -> h = h.set(p.path(), share);
        default -> {}
      }
    if (h.unset().isEmpty()) return h.kernel();
    return h.fill(data.inputs(), data.target()).kernel();
  }

  private static double score(Dataset data, Hyperparameters h) {
    try {
      return ExactGp.of(data, h).logMarginalLikelihood() + h.logPrior();
    } catch (ArithmeticException notPositiveDefinite) {
      return Double.NEGATIVE_INFINITY;
    }
  }

  private static Dataset dataset(double[] x, double[] z) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < x.length / z.length; i++) columns.add(Column.of("x" + i));
    return Dataset.of(x, columns, z, Column.of("z"));
  }

  // ---- on a grid ----

  /// Whether the surrogate of `count` observations is exact.
  boolean staysExact(Hyperparameters h, int count) {
    return !onGrid(h, count);
  }

  private boolean onGrid(Hyperparameters h, int count) {
    if (options.kind() == Surrogates.Kind.GRID) return true;
    if (options.kind() == Surrogates.Kind.EXACT || count <= options.exactLimit()) return false;
    int widest = d;
    if (h.kernel() instanceof Kernel.Sum(var terms))
      widest = terms.stream().mapToInt(t -> t.activeColumns().length).max().orElse(d);
    return widest <= GRID_DIMENSIONS;
  }

  private Statistics statistics(Hyperparameters h, double[] x, double[] z) {
    if (h.kernel() instanceof Kernel.Sum(var terms)) {
      List<AdditiveGrid.Component> components = new ArrayList<>();
      for (Kernel term : terms) {
        int[] columns = term.activeColumns();
        components.add(new AdditiveGrid.Component(grid(columns.length, lengths(term)), columns));
      }
      return AdditiveStatistics.of(AdditiveGrid.of(d, components), x, z);
    }
    return GridStatistics.of(grid(d, lengths(h.kernel())), x, z);
  }

  private static double[] lengths(Kernel kernel) {
    return kernel.terms().getFirst().factors().getFirst().lengths();
  }

  private Grid grid(int axes, double[] lengthscales) {
    if (options.gridPoints() > 0) {
      Axis[] same = new Axis[axes];
      Arrays.fill(same, Axis.covering(0, 1, options.gridPoints()));
      return Grid.of(same);
    }
    double[] high = new double[axes];
    Arrays.fill(high, 1);
    return GridRule.of(GridChoice.DEFAULT.withLengthscales(lengthscales).withMemory(64L << 20))
        .choose(new double[axes], high)
        .grid();
  }

  /// A fine grid of the plane. Its size costs nothing, since only a part of it is used.
  private Grid fine(double[] lengthscales) {
    Grid grid = grid(2, lengthscales);
    if (options.gridPoints() > 0) return grid;
    return Grid.of(
        Axis.covering(0, 1, Math.max(FINE, grid.axis(0).points())),
        Axis.covering(0, 1, Math.max(FINE, grid.axis(1).points())));
  }

  // ---- surrogates ----

  /// The surrogate of observations. The first `block` of them existed when h was learned.
  public Surrogate condition(Hyperparameters h, double[] x, double[] z, int block) {
    if (!onGrid(h, z.length)) return ExactSurrogate.of(h, x, z, Math.min(block, z.length));
    if (d == 2 && z.length <= DATA && !(h.kernel() instanceof Kernel.Sum))
      return DataSurrogate.of(h, fine(lengths(h.kernel())), x, z, () -> wholeGrid(h, x, z));
    return wholeGrid(h, x, z);
  }

  /// The posterior over the whole grid.
  public Surrogate wholeGrid(Hyperparameters h, double[] x, double[] z) {
    Statistics statistics = statistics(h, x, z);
    LatticeEngine engine = Engines.cheapest(statistics, h, 1);
    LatticeDistribution c = engine.posterior(h, TOLERANCE);
    return GridSurrogate.of(LatticePosterior.of(c, TOLERANCE));
  }

  /// Writes `noise level kernel`, from which [#read] makes the same hyperparameters.
  public static String write(Hyperparameters h) {
    return h.noise() + " " + level(h) + " " + h.kernel();
  }

  public Hyperparameters read(String text) {
    String[] parts = text.split(" ", 3);
    return priors(
        Kernel.parse(parts[2], options.shape().functions().toArray(KernelFunction[]::new))
            .attach(d),
        Double.parseDouble(parts[0]),
        Double.parseDouble(parts[1]));
  }
}
