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

/// How hyperparameters are learned: by maximising the log marginal likelihood plus the log priors
/// over the parameters that are not fixed. The objective is deterministic, so the same data and
/// starts give the same answer.
///
/// @param optimizer L-BFGS, or Adam for the paper's way
/// @param progress told of every step; can cancel
/// @param scouting how many iterations every start is followed before the best go on; 0 judges
///   starts by their own likelihood
public record Learner(Optimizer optimizer, Progress progress, int scouting) {

  /// L-BFGS to a relative improvement of 1e-9, silent, without scouting.
  public static final Learner DEFAULT =
      new Learner(Lbfgs.DEFAULT.withRelativeTolerance(1e-9), Progress.NONE, 0);

  /// Iterations after which the starts of a spectral mixture can be told apart.
  private static final int SCOUTING = 40;

  /// How many starts of a spectral mixture are followed to the end.
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

  /// Learns from the starts that the data suggest for what is unset ([Hyperparameters#starts]). The
  /// optimiser runs from the likeliest `runs`; those of a spectral mixture are followed for 40
  /// iterations first, and at least three to the end.
  ///
  /// @param rows all observations, or some that represent them
  public Learned learn(Learnable likelihood, Hyperparameters unset, Dataset rows, int runs) {
    return learn(likelihood, unset, rows, runs, 1);
  }

  /// The same, where other starts are drawn around the first if the data suggest fewer than `runs`.
  ///
  /// @param seed of those that are drawn
  public Learned learn(
      Learnable likelihood, Hyperparameters unset, Dataset rows, int runs, long seed) {
    List<Hyperparameters> starts = Starts.of(unset, rows, runs, seed);
    MeanCoordinates mean = MeanCoordinates.of(starts.getFirst(), rows);
    if (!unset.hasManyOptima()) return learn(likelihood, starts, runs, mean);
    return withScouting(Math.max(scouting, SCOUTING))
        .learn(likelihood, starts, Math.max(runs, RUNS), mean);
  }

  /// Learns from several starts, complete hyperparameters of one form; bounds, priors and fixed
  /// values are those of the first. The starts are ranked, by their likelihood or after scouting;
  /// the optimiser goes on from the best `runs` of them, and the best end wins.
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
      // the starts that were judged in time are enough to go on
    }
    return IntStream.range(0, values.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> values[i]))
        .limit(count)
        .map(starts::get)
        .toList();
  }
}
