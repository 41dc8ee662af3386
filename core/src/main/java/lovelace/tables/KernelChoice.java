package lovelace.tables;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.neighbours.NeighbourLearning;
import lovelace.neighbours.VecchiaLikelihood;
import lovelace.optimize.Lbfgs;

/// Chooses how rough a process is. Of four kernels, each with its best parameters, it takes the one
/// under which rows are likeliest given their nearest ones.
///
/// Up to 2,000 rows have a term in the likelihood. Half of them are far apart. The others are drawn
/// at random, and each has the nearest of all rows as neighbours. So the short distances at which
/// roughness shows are included for any number of rows. All kernels use the same neighbours.
///
/// @param start the kernel, with the learned parameters; unset if nothing was compared
/// @param candidates the compared kernels, the likeliest first
/// @param by the measure of comparison, for people
/// @param timeUp whether time ended before all were tried
public record KernelChoice(
    Hyperparameters start, List<Candidate> candidates, String by, boolean timeUp) {

  /// A kernel and the log-likelihood of the rows under its best parameters.
  public record Candidate(Kernel kernel, double logLikelihood) {}

  /// The kernels to choose from. If the rows do not decide, the first is used.
  public static final List<Kernel> KERNELS =
      List.of(Kernel.matern32(), Kernel.matern52(), Kernel.rbf(), Kernel.matern12());

  /// Fewer rows are not compared.
  private static final int LEAST = 25;

  private static final int TERMS = 2000;
  private static final int NEIGHBOURS = 20;

  /// The number of rows from which start values come.
  private static final int START_ROWS = 2000;

  /// The relative improvement at which parameters are good enough to compare kernels: less than a
  /// hundredth of the log-likelihood of some thousand terms.
  private static final double SETTLED = 1e-6;

  public KernelChoice {
    candidates = List.copyOf(candidates);
  }

  /// The likeliest of [#KERNELS].
  ///
  /// @param form the parameters of a kernel over the columns, unset if they are to be learned
  /// @param learner optimiser and progress
  /// @param seed of the choice of terms
  public static KernelChoice of(
      Dataset rows, Function<Kernel, Hyperparameters> form, Learner learner, long seed) {
    Hyperparameters first = form.apply(KERNELS.getFirst());
    if (rows.size() < LEAST) return new KernelChoice(first, List.of(), "", false);
    Learner quick =
        learner.optimizer() instanceof Lbfgs lbfgs
            ? learner.withOptimizer(lbfgs.withRelativeTolerance(SETTLED))
            : learner;
    Dataset some = rows.thinned(START_ROWS);
    int terms = Math.min(rows.size(), TERMS);
    try {
      Hyperparameters filled = first.fill(some.inputs(), some.target());
      VecchiaLikelihood rough = VecchiaLikelihood.of(rows, filled, NEIGHBOURS, seed, terms);
      Hyperparameters near = quick.learn(rough, first, some, 1).hyperparameters();
      VecchiaLikelihood likelihood = rough.withNeighbours(near);
      return of(
          kernel ->
              quick.learn(likelihood, NeighbourLearning.carried(form.apply(kernel), near), some, 1),
          String.format(Locale.ROOT, "the likelihood of %,d rows given their nearest", terms));
    } catch (TimeUpException e) {
      return new KernelChoice(first, List.of(), "", true);
    }
  }

  /// The kernel with the largest log-likelihood.
  ///
  /// @param learn learns the parameters under a kernel
  /// @param by the name of the likelihood, for people
  public static KernelChoice of(Function<Kernel, Learned> learn, String by) {
    List<Candidate> candidates = new ArrayList<>();
    Learned best = null;
    boolean timeUp = false;
    for (Kernel kernel : KERNELS) {
      Learned learned;
      try {
        learned = learn.apply(kernel);
      } catch (TimeUpException e) {
        if (best == null) throw e;
        timeUp = true;
        break;
      } catch (ArithmeticException e) {
        continue; // this kernel cannot explain the rows
      }
      if (learned.timeUp() && learned.given()) { // there was no time for one likelihood
        if (best == null) { // the usual kernel, or the first that can explain the rows
          boolean usual = kernel.equals(KERNELS.getFirst());
          List<Candidate> only =
              usual ? List.of() : List.of(new Candidate(kernel, learned.logLikelihood()));
          return new KernelChoice(learned.hyperparameters(), only, by, true);
        }
        timeUp = true;
        break;
      }
      candidates.add(new Candidate(kernel, learned.logLikelihood()));
      if (best == null || learned.logLikelihood() > best.logLikelihood()) best = learned;
      timeUp |= learned.timeUp();
    }
    if (best == null)
      throw new ArithmeticException(
          "the likelihood is finite under none of the kernels %s; give a kernel and a noise"
              .formatted(KERNELS));
    candidates.sort(Comparator.comparingDouble(Candidate::logLikelihood).reversed());
    return new KernelChoice(best.hyperparameters(), candidates, by, timeUp);
  }

  /// The kernel, without values of parameters.
  public Kernel kernel() {
    return candidates.isEmpty() ? KERNELS.getFirst() : candidates.getFirst().kernel();
  }

  /// The comparison in words.
  public String text() {
    if (candidates.isEmpty())
      return String.format(
          Locale.ROOT,
          "no kernels, %s; %s is usual for maps",
          timeUp ? "the time was too short" : "the rows are too few",
          kernel());
    double top = candidates.getFirst().logLikelihood();
    String others =
        candidates.stream()
            .skip(1)
            .map(c -> String.format(Locale.ROOT, "%s %.1f", c.kernel(), c.logLikelihood() - top))
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "kernel %s, chosen among %d by %s%s%s",
        kernel(),
        KERNELS.size(),
        by,
        others.isEmpty() ? "" : "; log-likelihood of the others: " + others,
        timeUp ? "; the time ended before all were tried to the end" : "");
  }
}
