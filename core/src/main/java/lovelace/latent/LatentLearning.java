package lovelace.latent;

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
import lovelace.neighbours.VecchiaLikelihood;
import lovelace.optimize.Lbfgs;

/// Learns hyperparameters of many rows under any likelihood: first from 2,000 rows at random, then
/// in a few steps from all of them by [VecchiaLaplace]. The same rows and seed give the same
/// answer.
public final class LatentLearning {

  /// The number of rows with which learning starts.
  public static final int FIRST_ROWS = 2_000;

  /// The number of evaluations with all rows. Each takes about as long as a fit.
  private static final int EVALUATIONS = 12;

  /// The relative improvement at which they end.
  private static final double SETTLED = 1e-6;

  private LatentLearning() {}

  /// Learns the parameters that are not fixed. Unset ones start from values that the rows suggest.
  /// If time ends before the steps with all rows, the result is that of the first rows.
  ///
  /// @param first the evidence of the first rows
  /// @param k the number of neighbours of a row
  /// @param starts the number of starts for the first rows; the best one continues
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

  /// At most [#FIRST_ROWS] rows chosen at random, in their order.
  static Dataset first(Dataset rows, long seed) {
    if (rows.size() <= FIRST_ROWS) return rows;
    int[] order = VecchiaLikelihood.shuffled(rows.size(), new SplittableRandom(seed).split());
    int[] chosen = Arrays.copyOf(order, FIRST_ROWS);
    Arrays.sort(chosen);
    return rows.select(chosen);
  }
}
