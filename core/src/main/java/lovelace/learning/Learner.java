package lovelace.learning;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer;
import lovelace.optimize.Optimizer.Optimum;
import lovelace.optimize.Optimizer.Progress;

/// Learns hyperparameters: maximises the log marginal likelihood plus the log priors over the
/// parameters that are not fixed. The objective is deterministic, so the same data and starts give
/// the same result.
///
/// @param optimizer L-BFGS, or Adam as in the paper
/// @param progress receives every step, and may cancel
/// @param scouting the number of iterations for which every start is followed before the best ones
///   go on; with 0, starts are compared by their own likelihood
public record Learner(Optimizer optimizer, Progress progress, int scouting) {

  /// L-BFGS to a relative improvement of 1e-9, silent, without scouting.
  public static final Learner DEFAULT =
      new Learner(Lbfgs.DEFAULT.withRelativeTolerance(1e-9), Progress.NONE, 0);

  /// The number of iterations after which the starts of a spectral mixture can be told apart.
  private static final int SCOUTING = 40;

  /// The number of starts of a spectral mixture that are followed to the end.
  private static final int RUNS = 3;

  public Learner {
    if (scouting < 0) throw new IllegalArgumentException("scouting must be >= 0, got " + scouting);
  }

  public Learner withOptimizer(Optimizer value) {
    return new Learner(value, progress, scouting);
  }

  public Learner withProgress(Progress value) {
    return new Learner(optimizer, value, scouting);
  }

  public Learner withScouting(int iterations) {
    return new Learner(optimizer, progress, iterations);
  }

  /// Learns from the starts that the data suggest for unset parameters ([Hyperparameters#starts]).
  /// The optimiser runs from the likeliest `runs`. Starts of a spectral mixture are first followed
  /// for 40 iterations, and at least three to the end.
  ///
  /// @param rows all observations, or some that represent them
  public Learned learn(Learnable likelihood, Hyperparameters unset, Dataset rows, int runs) {
    return learn(likelihood, unset, rows, runs, 1);
  }

  /// As [#learn(Learnable, Hyperparameters, Dataset, int)]. If the data suggest fewer than `runs`
  /// starts, others are drawn around the first.
  ///
  /// @param seed the seed of those draws
  public Learned learn(
      Learnable likelihood, Hyperparameters unset, Dataset rows, int runs, long seed) {
    List<Hyperparameters> starts = Starts.of(unset, rows, runs, seed);
    MeanCoordinates mean = MeanCoordinates.of(starts.getFirst(), rows);
    if (!unset.hasManyOptima()) return learn(likelihood, starts, runs, mean);
    return withScouting(Math.max(scouting, SCOUTING))
        .learn(likelihood, starts, Math.max(runs, RUNS), mean);
  }

  /// Learns from several starts, which are complete hyperparameters of one form. Bounds, priors and
  /// fixed values are those of the first. The starts are ranked by their likelihood or after
  /// scouting. The optimiser continues from the best `runs` of them, and the best result wins.
  public Learned learn(Learnable likelihood, List<Hyperparameters> starts, int runs) {
    if (starts.isEmpty()) throw new IllegalArgumentException("starts is empty, pass at least one");
    Hyperparameters form = starts.getFirst();
    return learn(likelihood, starts, runs, MeanCoordinates.none(form.freeSize()));
  }

  private Learned learn(
      Learnable likelihood, List<Hyperparameters> starts, int runs, MeanCoordinates mean) {
    long begin = System.nanoTime();
    Hyperparameters form = starts.getFirst();
    if (form.freeSize() == 0)
      return Learned.given(form, likelihood.name(), likelihood.evidence(form));
    Trail trail = new Trail(likelihood, WarmStart.NONE);
    List<Hyperparameters> chosen =
        scouting == 0 && starts.size() > runs ? likeliest(trail.rough(), starts, runs) : starts;
    Optimum best =
        MultiStart.race(
                optimizer,
                mean.of((x, gradient) -> trail.objective(form.fromFree(x), gradient)),
                chosen.stream().map(h -> mean.of(h.toFree())).toList(),
                form.freeLower(),
                form.freeUpper(),
                scouting,
                runs,
                progress)
            .best()
            .map(mean::free);
    if (!Double.isFinite(best.value()))
      throw new ArithmeticException(
          "the marginal likelihood is not finite at the start %s; give a larger noise or other start values"
              .formatted(chosen.getFirst()));
    double seconds = (System.nanoTime() - begin) * 1e-9;
    return Learned.of(likelihood.name(), form, best, seconds, trail.start());
  }

  private static List<Hyperparameters> likeliest(
      Trail trail, List<Hyperparameters> starts, int count) {
    double[] values = new double[starts.size()];
    Arrays.fill(values, Double.POSITIVE_INFINITY);
    try {
      for (int i = 0; i < values.length; i++)
        values[i] = trail.objective(starts.get(i), new double[0]);
    } catch (TimeUpException e) {
      // the starts that were evaluated in time are enough to go on
    }
    return IntStream.range(0, values.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> values[i]))
        .limit(count)
        .map(starts::get)
        .toList();
  }
}
