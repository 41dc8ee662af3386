package lovelace.neighbours;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.kernel.Radial;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.optimize.Adam;
import lovelace.optimize.Lbfgs;
import org.jspecify.annotations.Nullable;

/// Learns hyperparameters of many rows by [VecchiaLikelihood]. The same rows and seed give the same
/// answer.
///
/// Over up to three columns, it runs L-BFGS on some of the terms, then continues with all of them.
/// Neighbours are found again between the runs, and once more if the lengthscales have changed
/// since.
///
/// With more columns, many lengthscales start far from their final values. Then it takes two steps:
///
/// 1. Adam on random [Batches] of terms, 100 steps, or 40 shorter ones if all start values are
///    given. The cost does not depend on the number of rows.
/// 2. L-BFGS on all terms. The unit of a parameter depends on how much information the terms have
///    about it, because hardly anything depends on the lengthscale of an unimportant column.
///    Neighbours are fixed during a run. If the lengthscales have changed, they are found again and
///    L-BFGS continues, up to twice. A run has at most 60 evaluations. With many rows it has fewer,
///    so that it sums at most 20 million terms in all, but at least 15.
///
/// Unless other values or bounds are given, the noise is then at least 1e-6 of the target's
/// variance, and an output scale at most 10 times it. An output scale and all lengthscales can grow
/// together without limit while the function among the rows hardly changes. In the long run the
/// likelihood of neighbours is wrong about this growth, and it makes predictions worse.
public final class NeighbourLearning {

  /// The share of the terms that the first run sums, with their smallest and largest number.
  private static final int PART = 10;

  private static final int LEAST = 5_000;
  private static final int MOST = 20_000;

  /// The number of rows from which start values come.
  private static final int START_ROWS = 2_000;

  /// Each further term of a sum starts with lengthscales that are shorter by this factor.
  private static final double SHORTER = 0.1;

  /// Iterations and runs for a kernel with many optima, as in [Learner].
  private static final int SCOUTING = 40;

  private static final int RUNS = 3;

  /// Neighbours are found again if the ratio of two lengthscales has changed by more than this.
  private static final double MOVED = 1.5;

  /// Relative improvements at which a run ends, on some terms and on all. A log-likelihood is about
  /// as large as the number of rows, so for 100,000 of them 1e-6 is a tenth. Parameters whose
  /// likelihoods differ by less cannot be distinguished.
  private static final double ROUGH = 1e-6;

  private static final double FINE = 1e-7;

  /// The most columns for which batches are not needed.
  private static final int FEW_COLUMNS = 3;

  /// The smallest noise, as a share of the target's variance.
  private static final double LEAST_NOISE = 1e-6;

  /// The largest output scale, as a multiple of the target's variance.
  private static final double MOST_SCALE = 10;

  /// An upper bound this large means that none was given.
  private static final double UNBOUNDED = 1e100;

  /// The number of steps on batches from start values that rows suggest, and their first length in
  /// logarithms.
  private static final int STEPS = 100;

  private static final double RATE = 0.2;

  /// The same from given start values.
  private static final int GIVEN_STEPS = 40;

  private static final double GIVEN_RATE = 0.1;

  /// The limits of L-BFGS on all terms: terms of all evaluations of a run, and evaluations.
  private static final double MOST_TERMS = 20e6;

  private static final int LEAST_EVALUATIONS = 15;
  private static final int MOST_EVALUATIONS = 60;

  /// The number of runs on all terms.
  private static final int ALL_RUNS = 3;

  /// The relative improvement at which such a run ends.
  private static final double SETTLED = 1e-6;

  /// The number of terms from which the units of parameters are computed, and in quick learning the
  /// likelihood.
  private static final int SAMPLE = 4096;

  private final Dataset rows;
  private final int k;
  private final long seed;
  private final Learner learner;
  private boolean cancelled;

  private NeighbourLearning(Dataset rows, int k, Learner learner, long seed) {
    this.rows = rows;
    this.k = k;
    this.seed = seed;
    this.learner =
        learner.withProgress(
            (iteration, value, norm, x) -> {
              cancelled |= !learner.progress().step(iteration, value, norm, x);
              return !cancelled;
            });
  }

  /// Learns the parameters that are not fixed. Unset ones start from values that the rows suggest.
  /// The likelihood, trace and evaluations are those of the last run. If time ends or the caller
  /// cancels before the run on all terms, the likelihood is an estimate from some of them.
  ///
  /// @param k the number of neighbours of a row
  /// @param learner optimiser and progress; L-BFGS stops at improvements that are not significant
  ///   for the number of rows
  /// @param seed of the order and of the choice of terms
  public static Learned learn(
      Dataset rows, Hyperparameters unset, int k, Learner learner, long seed) {
    return new NeighbourLearning(rows, k, learner, seed).run(unset);
  }

  /// The same for a comparison of kernels: it stops after the batches. The likelihood is an
  /// estimate. At most 65,000 terms are summed for any number of rows.
  public static Learned quick(
      Dataset rows, Hyperparameters unset, int k, Learner learner, long seed) {
    return new NeighbourLearning(rows, k, learner, seed).quick(unset);
  }

  /// The hyperparameters, with unset values taken from those learned under another kernel of the
  /// same form: an output scale times one radial kernel of the same columns, with the same mean.
  /// Lengthscales are multiplied by a factor between the two kernels. Kernels of any other form are
  /// unchanged.
  public static Hyperparameters carried(Hyperparameters unset, Hyperparameters learned) {
    double[] values = unset.values();
    double[] others = learned.values();
    Radial to = radial(unset.kernel());
    Radial from = radial(learned.kernel());
    if (to == null
        || from == null
        || !Arrays.equals(to.columns(), from.columns())
        || unset.mean().kind() != learned.mean().kind()
        || values.length != others.length) return unset;
    double factor = length(to.shape()) / length(from.shape());
    int at = 0;
    for (Parameter parameter : unset.parameters())
      for (int i = 0; i < parameter.size(); i++, at++)
        if (Double.isNaN(values[at]))
          values[at] =
              parameter.role() == Parameter.Role.LENGTHSCALE ? factor * others[at] : others[at];
    return unset.with(values);
  }

  /// The radial kernel behind an output scale; null if the kernel has another form.
  private static @Nullable Radial radial(Kernel kernel) {
    return kernel instanceof Kernel.Scaled scaled && scaled.kernel() instanceof Radial radial
        ? radial
        : null;
  }

  /// Typical lengthscales learned on tables, relative to those under Matérn-3/2.
  private static double length(Radial.Shape shape) {
    return switch (shape) {
      case MATERN12 -> 2;
      case MATERN32, MATERN52, RATIONAL_QUADRATIC -> 1;
      case RBF -> 0.7;
    };
  }

  private Learned run(Hyperparameters unset) {
    boolean plain =
        rows.dimensions() <= FEW_COLUMNS
            || unset.freeSize() == 0
            || unset.hasManyOptima()
            || !(learner.optimizer() instanceof Lbfgs);
    return plain ? runs(unset) : wide(unset);
  }

  private Learned wide(Hyperparameters unset) {
    long begin = System.nanoTime();
    Learned learned = batches(unset);
    for (int run = 0; run < ALL_RUNS && !cancelled && !learned.timeUp(); run++) {
      Hyperparameters now = learned.hyperparameters();
      try {
        VecchiaLikelihood all = VecchiaLikelihood.of(rows, now, k, seed);
        learned = measured(all, now).learn(all, List.of(now), 1);
        if (all.moved(learned.hyperparameters()) <= MOVED) break;
      } catch (TimeUpException e) {
        return ended(learned, true, begin);
      }
    }
    return ended(learned, learned.timeUp(), begin);
  }

  private Learned quick(Hyperparameters unset) {
    long begin = System.nanoTime();
    if (unset.freeSize() == 0) return runs(unset);
    Learned learned = batches(unset);
    try {
      Hyperparameters h = learned.hyperparameters();
      int count = Math.min(rows.size(), SAMPLE);
      Evidence evidence = VecchiaLikelihood.of(rows, h, k, seed, count).evidence(h);
      learned = learned.settled(evidence.value(), evidence.standardError());
    } catch (TimeUpException e) {
      return ended(learned, true, begin);
    }
    return ended(learned, learned.timeUp(), begin);
  }

  /// Learns on batches. The likelihood is that of the last one.
  private Learned batches(Hyperparameters unset) {
    boolean given = unset.unset().isEmpty();
    List<Hyperparameters> starts =
        starts(rows, unset, seed).stream().map(start -> bounded(unset, start)).toList();
    Adam adam =
        Adam.DEFAULT
            .withLearningRate(given ? GIVEN_RATE : RATE)
            .withMaxIterations(given ? GIVEN_STEPS : STEPS)
            .withSchedule(Adam.Schedule.COSINE)
            .withGradientTolerance(0)
            .withKeepBest(false);
    Batches batches = new Batches(rows, starts.getFirst(), k, seed);
    return learner.withOptimizer(adam).learn(batches, starts, 1);
  }

  /// The learner for all terms.
  private Learner measured(VecchiaLikelihood all, Hyperparameters h) {
    int n = rows.size();
    int[] order = VecchiaLikelihood.shuffled(n, new SplittableRandom(seed));
    double[] information = all.batch(Arrays.copyOf(order, Math.min(n, SAMPLE))).information(h);
    double mean = Arrays.stream(information).average().orElse(0);
    boolean known = mean > 0 && mean < Double.POSITIVE_INFINITY;
    double[] units =
        Arrays.stream(information).map(v -> known ? 1 / Math.sqrt(v / mean + 0.01) : 1).toArray();
    Lbfgs lbfgs = (Lbfgs) stopping(SETTLED).optimizer();
    int most = (int) Math.clamp(MOST_TERMS / n, LEAST_EVALUATIONS, MOST_EVALUATIONS);
    return learner.withOptimizer(
        lbfgs.withMaxEvaluations(Math.min(lbfgs.maxEvaluations(), most)).inUnits(units));
  }

  /// The start with bounds on noise and output scales, unless some were given.
  private Hyperparameters bounded(Hyperparameters unset, Hyperparameters start) {
    Hyperparameters bounded = start;
    double variance = variance();
    for (int i = 0; i < unset.parameters().size(); i++) {
      Parameter asked = unset.parameters().get(i);
      Parameter p = start.parameters().get(i);
      if (p.fixed()) continue;
      double value = p.values()[0];
      if (p.role() == Parameter.Role.NOISE && asked.lower() <= Hyperparameters.NOISE_FLOOR) {
        double least = LEAST_NOISE * variance;
        if (asked.isSet()) least = Math.min(least, value);
        bounded =
            bounded
                .set(p.path(), Math.max(value, least))
                .withBounds(p.path(), least, Math.max(p.upper(), 10 * least));
      } else if (p.role() == Parameter.Role.OUTPUTSCALE && asked.upper() >= UNBOUNDED) {
        double most = Math.max(MOST_SCALE * variance, asked.isSet() ? value : 0);
        bounded =
            bounded
                .set(p.path(), Math.min(value, most))
                .withBounds(p.path(), Math.min(p.lower(), 0.1 * most), most);
      }
    }
    return bounded;
  }

  /// The variance of the target; 1 if it is constant.
  private double variance() {
    double mean = Arrays.stream(rows.target()).average().orElse(0);
    double v = Arrays.stream(rows.target()).map(y -> (y - mean) * (y - mean)).average().orElse(0);
    return v > 0 ? v : 1;
  }

  private Learned runs(Hyperparameters unset) {
    long begin = System.nanoTime();
    int n = rows.size();
    boolean free = unset.freeSize() > 0;
    int count = free ? Math.min(n, Math.clamp(n / PART, LEAST, MOST)) : n;
    List<Hyperparameters> starts = starts(rows, unset, seed);
    VecchiaLikelihood likelihood = VecchiaLikelihood.of(rows, starts.getFirst(), k, seed, count);
    Learner first = stopping(count < n ? ROUGH : FINE);
    Learned learned =
        unset.hasManyOptima()
            ? first
                .withScouting(Math.max(first.scouting(), SCOUTING))
                .learn(likelihood, starts, RUNS)
            : first.learn(likelihood, starts, 1);
    for (int round = 0; free && round < 2; round++) {
      Hyperparameters now = learned.hyperparameters();
      boolean settled = likelihood.size() == n && likelihood.moved(now) <= MOVED;
      if (settled || cancelled || learned.timeUp()) break;
      try {
        likelihood = likelihood.all(now);
        learned = stopping(FINE).learn(likelihood, List.of(now), 1);
      } catch (TimeUpException e) {
        return ended(learned, true, begin);
      }
    }
    return ended(learned, learned.timeUp(), begin);
  }

  private Learner stopping(double tolerance) {
    return learner.optimizer() instanceof Lbfgs lbfgs && lbfgs.relativeTolerance() < tolerance
        ? learner.withOptimizer(lbfgs.withRelativeTolerance(tolerance))
        : learner;
  }

  /// The start values that rows suggest. The terms of a sum get different lengthscales, the first
  /// the longest: two terms with equal lengthscales would stay equal.
  static List<Hyperparameters> starts(Dataset rows, Hyperparameters unset, long seed) {
    int n = rows.size();
    int[] order = VecchiaLikelihood.shuffled(n, new SplittableRandom(seed));
    Dataset some = rows.select(Arrays.copyOf(order, Math.min(n, START_ROWS)));
    return unset.starts(some.inputs(), some.target()).stream()
        .map(start -> spread(unset, start))
        .toList();
  }

  private static Hyperparameters spread(Hyperparameters unset, Hyperparameters start) {
    if (!(unset.kernel() instanceof Kernel.Sum(var terms))) return start;
    double[] given = unset.values();
    double[] values = start.values();
    int longer = 0; // terms before, with lengthscales that are longer
    int at = 0;
    for (int t = 0; t < terms.size(); t++) {
      Kernel term = terms.get(t);
      // a term that repeats another starts shorter already
      int spread = longer - Collections.frequency(terms.subList(0, t), term);
      boolean varied = false;
      for (Parameter parameter : term.parameters())
        for (int i = 0; i < parameter.size(); i++, at++)
          if (parameter.role() == Parameter.Role.LENGTHSCALE && Double.isNaN(given[at])) {
            values[at] *= Math.pow(SHORTER, spread);
            varied = true;
          }
      if (varied) longer++;
    }
    return start.with(values);
  }

  private static Learned ended(Learned learned, boolean timeUp, long begin) {
    return new Learned(
        learned.hyperparameters(),
        learned.logLikelihood(),
        learned.likelihoodError(),
        learned.standardErrors(),
        learned.trace(),
        learned.engine(),
        learned.because(),
        learned.ending(),
        learned.evaluations(),
        learned.converged() && !timeUp,
        timeUp,
        (System.nanoTime() - begin) * 1e-9,
        learned.next());
  }
}
