package lovelace.neighbours;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.inference.Learnable;
import lovelace.kernel.Hyperparameters;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.optimize.Lbfgs;

/// Learns hyperparameters of many rows under any likelihood: first from 2,000 rows at random, then
/// in a few steps from all of them by [VecchiaLaplace]. The same rows and seed give the same
/// answer.
public final class LatentLearning {

  /// The rows that learning starts with.
  public static final int FIRST_ROWS = 2_000;

  /// The evaluations with all rows, of which each takes about as long as a fit.
  private static final int EVALUATIONS = 12;

  /// The relative improvement at which they end.
  private static final double SETTLED = 1e-6;

  private LatentLearning() {}

  /// Learns what is not fixed, from start values that the rows suggest for what is unset. Where
  /// time ends before the steps with all rows, the answer is that of the first ones.
  ///
  /// @param first the evidence of the first rows
  /// @param k neighbours of a row
  /// @param starts how many places the first rows are learned from; the best goes on
  /// @param seed of the choice of rows, the order, the probes and further starts
  public static Learned learn(
      Dataset rows,
      Hyperparameters unset,
      Function<Dataset, Learnable> first,
      int k,
      Learner learner,
      int starts,
      long seed) {
    Dataset some = first(rows, seed);
    Learned learned = learner.learn(first.apply(some), unset, suggested(some, unset), starts, seed);
    if (some.size() == rows.size() || learned.timeUp() || unset.freeSize() == 0) return learned;
    Hyperparameters start = learned.hyperparameters();
    Learner last = learner;
    if (learner.optimizer() instanceof Lbfgs lbfgs)
      last =
          learner.withOptimizer(
              lbfgs
                  .withMaxEvaluations(Math.min(EVALUATIONS, lbfgs.maxEvaluations()))
                  .withRelativeTolerance(SETTLED));
    try {
      return last.learn(VecchiaLaplace.of(rows, start, k, seed), List.of(start), 1);
    } catch (TimeUpException e) {
      return learned;
    }
  }

  /// The rows with the value of the function that each suggests, for start values.
  private static Dataset suggested(Dataset rows, Hyperparameters unset) {
    double[] f = new double[rows.size()];
    for (int i = 0; i < f.length; i++)
      f[i] = unset.likelihood().start(rows.target()[i], rows.weight(i));
    return Dataset.of(rows.inputs(), rows.columns(), f, rows.targetColumn());
  }

  /// At most [#FIRST_ROWS] rows at random, in their order.
  static Dataset first(Dataset rows, long seed) {
    if (rows.size() <= FIRST_ROWS) return rows;
    int[] order = VecchiaLikelihood.shuffled(rows.size(), new SplittableRandom(seed).split());
    int[] chosen = Arrays.copyOf(order, FIRST_ROWS);
    Arrays.sort(chosen);
    return rows.select(chosen);
  }
}
