package lovelace.learning;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;

/// The starting values of learning if several are asked for: first those that the data suggest,
/// then values drawn at random around the first. The same seed draws the same values.
public final class Starts {

  /// The standard deviation of the draws, in logarithms.
  private static final double SPREAD = 1.5;

  private Starts() {}

  /// At least `count` starts for unset parameters, with those that the data suggest first.
  ///
  /// @param rows all observations, or some that represent them
  public static List<Hyperparameters> of(
      Hyperparameters unset, Dataset rows, int count, long seed) {
    List<Hyperparameters> suggested = unset.starts(rows.inputs(), rows.target());
    if (suggested.size() >= count) return suggested;
    int more = count - suggested.size();
    List<Hyperparameters> all = new ArrayList<>(suggested);
    all.addAll(around(suggested.getFirst(), more + 1, seed).subList(1, more + 1));
    return all;
  }

  /// Returns `count` starts, the given one first. In the others, every free positive value is
  /// multiplied by a random factor.
  public static List<Hyperparameters> around(Hyperparameters start, int count, long seed) {
    List<Hyperparameters> all = new ArrayList<>(List.of(start));
    var random = new SplittableRandom(seed);
    while (all.size() < count) all.add(moved(start, random));
    return all;
  }

  private static Hyperparameters moved(Hyperparameters start, SplittableRandom random) {
    double[] x = start.toFree();
    double[] lower = start.freeLower();
    double[] upper = start.freeUpper();
    int at = 0;
    for (Parameter p : start.parameters())
      for (int i = 0; i < p.size() && !p.fixed(); i++, at++)
        if (p.positive())
          x[at] = Math.clamp(x[at] + SPREAD * random.nextGaussian(), lower[at], upper[at]);
    return start.fromFree(x);
  }

  /// Learns from `count` starts, one after another, and returns the likeliest result, priors
  /// included, or the earlier of two equals. The first start is `unset` itself, so one start gives
  /// the same result as learning without this method. Bounds and priors of all starts are those of
  /// `unset`. Returns the best result so far if time runs out.
  ///
  /// @param rows all observations, or some that represent them
  /// @param learning learns from one start
  public static Learned best(
      Hyperparameters unset,
      Dataset rows,
      int count,
      long seed,
      Function<Hyperparameters, Learned> learning) {
    Learned best = learning.apply(unset);
    if (count == 1 || unset.freeSize() == 0) return best;
    double seconds = best.seconds();
    for (Hyperparameters place : of(unset, rows, count, seed).subList(1, count)) {
      if (best.timeUp()) break;
      Learned next;
      try {
        next = learning.apply(unset.with(place.values()));
      } catch (TimeUpException e) {
        best = best.outOfTime();
        break;
      } catch (ArithmeticException e) {
        continue; // this start has no likelihood
      }
      seconds += next.seconds();
      Learned better = density(next) > density(best) ? next : best;
      best = next.timeUp() ? better.outOfTime() : better;
    }
    return best.lasting(seconds);
  }

  private static double density(Learned learned) {
    return learned.logLikelihood() + learned.hyperparameters().logPrior();
  }
}
