package lovelace.neighbours;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.optimize.Lbfgs;

/// Learns hyperparameters of many rows by [VecchiaLikelihood]: on some of the terms first, then
/// from there on all of them. Neighbours are found again between the runs, and once more where the
/// lengthscales have moved since. The same rows and seed give the same answer.
public final class NeighbourLearning {

  /// The part of the terms that the first run sums, and their least and most number.
  private static final int PART = 10;

  private static final int LEAST = 5_000;
  private static final int MOST = 20_000;

  /// The rows that start values come from.
  private static final int START_ROWS = 2_000;

  /// The terms of a sum start with lengthscales that are shorter by this factor each.
  private static final double SHORTER = 0.1;

  /// Iterations and runs of a kernel with many optima, as [Learner] has them.
  private static final int SCOUTING = 40;

  private static final int RUNS = 3;

  /// Neighbours are found again where the ratio of two lengthscales has changed by more than this.
  private static final double MOVED = 1.5;

  /// Relative improvements at which a run ends, on some terms and on all. A log-likelihood is about
  /// as large as the number of rows, so 1e-6 is a tenth for 100,000 of them: parameters that differ
  /// by so little cannot be told apart.
  private static final double ROUGH = 1e-6;

  private static final double FINE = 1e-7;

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

  /// Learns what is not fixed, from start values that the rows suggest for what is unset. The
  /// likelihood, trace and evaluations are those of the last run. Where time ends before the run on
  /// all terms, or somebody cancels before it, the likelihood is an estimate from some of them.
  ///
  /// @param k neighbours of a row
  /// @param learner optimiser and progress; L-BFGS stops at improvements that mean nothing for so
  ///   many rows
  /// @param seed of the order and of the choice of terms
  public static Learned learn(
      Dataset rows, Hyperparameters unset, int k, Learner learner, long seed) {
    return new NeighbourLearning(rows, k, learner, seed).run(unset);
  }

  private Learned run(Hyperparameters unset) {
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

  /// The start values that rows suggest. Those of a sum have the lengthscales of its terms spread,
  /// the first the longest: two terms of one length would stay one.
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
      // one that repeats another starts shorter already
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
