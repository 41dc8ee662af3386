package lovelace.deep;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.Fit;
import lovelace.engines.Engines;
import lovelace.features.FeatureEvidence;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeEngine;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.optimize.Lbfgs;
import lovelace.options.Options;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The Gaussian process over the box of features while the network learns. It has parameters, which
/// Adam moves on their free scale, and returns gradients to the network.
final class FeatureProcess {

  private static final double TOLERANCE = 1e-5; // the network needs no finer modes
  private static final int[] POINTS = {128, 40, 12}; // along an axis of one, two, three features
  private static final int[] CELLS = {4, 4, 3}; // the smallest lengthscale, in cells, the same way
  private static final int SETTLING = 40;
  private static final double BETA1 = 0.9;
  private static final double BETA2 = 0.999;

  private final Lattice lattice;
  private final Hyperparameters form;
  private final double[] lower;
  private final double[] upper;
  private final double[] unit; // of a step in each free parameter
  private final double[] free;
  private final double[] first;
  private final double[] second;
  private int steps;

  /// Whether the features of a fit have a sum of grids and not one grid.
  static boolean isSum(Fit fit, int features) {
    return fit.shape() == Options.Shape.ADDITIVE
        || (features > 3 && fit.shape() != Options.Shape.GRID);
  }

  /// A process in the form of a fit, over features of rows. Its unset parameters start from these
  /// rows.
  static FeatureProcess of(Fit fit, int k, double[] features, double[] target, double unit) {
    boolean additive = isSum(fit, k);
    return new FeatureProcess(
        (additive ? fit.withShape(Options.Shape.ADDITIVE) : fit).hyperparameters(k),
        additive,
        features,
        target,
        unit);
  }

  /// A process over features of rows. Its unset parameters start from these rows.
  FeatureProcess(
      Hyperparameters unset, boolean additive, double[] features, double[] target, double unit) {
    int k = unset.kernel().dimensions();
    lattice = lattice(k, additive);
    double step =
        lattice instanceof Grid grid
            ? grid.axis(0).step()
            : ((AdditiveGrid) lattice).component(0).grid().axis(0).step();
    form = bounded(unset.fill(features, target), CELLS[Math.min(additive ? 1 : k, 3) - 1] * step);
    lower = form.freeLower();
    upper = form.freeUpper();
    free = form.toFree();
    first = new double[free.length];
    second = new double[free.length];
    this.unit = new double[free.length];
    boolean[] moving = form.freeMask();
    int at = 0;
    int next = 0;
    for (Parameter p : form.parameters())
      for (int i = 0; i < p.size(); i++, at++)
        if (moving[at]) this.unit[next++] = p.positive() ? 1 : unit;
  }

  /// A lattice over the box (−1, 1) in k features.
  static Lattice lattice(int k, boolean additive) {
    Axis[] axes = new Axis[k];
    Arrays.fill(axes, Axis.covering(-1, 1, additive ? 40 : POINTS[k - 1]));
    return additive ? AdditiveGrid.of(axes) : Grid.of(axes);
  }

  /// Bounds lengthscales: the lattice must resolve them, and they must not be so long that the
  /// function is a line.
  private static Hyperparameters bounded(Hyperparameters h, double least) {
    Hyperparameters bounded = h;
    for (Parameter p : h.parameters()) {
      if (p.fixed() || p.role() != Parameter.Role.LENGTHSCALE) continue;
      double[] values = p.values();
      for (int i = 0; i < values.length; i++) values[i] = Math.clamp(values[i], least, 20);
      bounded = bounded.set(p.path(), values).withBounds(p.path(), least, 20);
    }
    return bounded;
  }

  /// Learns the parameters while the features stay fixed. Returns their log marginal likelihood.
  double settle(double[] features, double[] target, double @Nullable [] weights, long seed) {
    Statistics statistics = Statistics.of(lattice, features, target, weights);
    Hyperparameters start = hyperparameters();
    LatticeEngine engine = Engines.cheapest(statistics, start, seed);
    Learned learned =
        Learner.DEFAULT
            .withOptimizer(Lbfgs.DEFAULT.withMaxIterations(SETTLING).withRelativeTolerance(1e-6))
            .learn(engine, List.of(start), 1);
    double[] values = learned.hyperparameters().values();
    System.arraycopy(form.with(values).toFree(), 0, free, 0, free.length);
    return learned.logLikelihood();
  }

  Hyperparameters hyperparameters() {
    return form.fromFree(free);
  }

  /// Value and gradients at features of the training rows; null if they cannot be computed.
  @Nullable FeatureEvidence evidence(
      double[] features, double[] target, double @Nullable [] weights, long seed) {
    try {
      FeatureEvidence found =
          FeatureEvidence.of(
              lattice, features, target, weights, hyperparameters(), TOLERANCE, seed);
      return Double.isFinite(found.evidence().value()) ? found : null;
    } catch (ArithmeticException notPositiveDefinite) {
      return null;
    }
  }

  /// Minus the log posterior density per row.
  double objective(Evidence evidence, int rows) {
    return -(evidence.value() + hyperparameters().logPrior()) / rows;
  }

  /// Makes a step of Adam along the gradient of minus the log posterior density per row. The
  /// gradient is cut to the length `clip`.
  void step(Evidence evidence, int rows, double rate, double clip) {
    Hyperparameters h = hyperparameters();
    double[] natural = evidence.gradient();
    double[] prior = h.logPriorGradient();
    for (int i = 0; i < natural.length; i++) natural[i] += prior[i];
    double[] g = h.freeGradient(natural);
    double squares = 0;
    for (int i = 0; i < g.length; i++) {
      g[i] *= -unit[i] / rows;
      squares += g[i] * g[i];
    }
    double cut = Math.min(1, clip / Math.sqrt(squares));
    steps++;
    for (int i = 0; i < g.length; i++) {
      double slope = squares > 0 ? cut * g[i] : 0;
      first[i] = BETA1 * first[i] + (1 - BETA1) * slope;
      second[i] = BETA2 * second[i] + (1 - BETA2) * slope * slope;
      double m = first[i] / (1 - Math.pow(BETA1, steps));
      double v = second[i] / (1 - Math.pow(BETA2, steps));
      free[i] =
          Math.clamp(free[i] - rate * unit[i] * m / (Math.sqrt(v) + 1e-8), lower[i], upper[i]);
    }
  }

  /// Parameters and moments, for a checkpoint.
  List<Double> state() {
    List<Double> state = new ArrayList<>();
    for (double[] part : List.of(free, first, second)) for (double value : part) state.add(value);
    state.add((double) steps);
    return state;
  }

  void restore(List<Double> state) {
    int p = free.length;
    if (state.size() != 3 * p + 1)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d parameters need one number each, but their saved state has %d",
              p,
              state.size()));
    for (int i = 0; i < p; i++) {
      free[i] = state.get(i);
      first[i] = state.get(p + i);
      second[i] = state.get(2 * p + i);
    }
    steps = state.get(3 * p).intValue();
  }
}
