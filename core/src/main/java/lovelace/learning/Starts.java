package lovelace.learning;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;

/// The places that learning starts from where several were asked for: those that the data suggest,
/// then places drawn at random around the first. The same seed draws the same places.
public final class Starts {

  /// The standard deviation, in logarithms, of places that are drawn.
  private static final double SPREAD = 1.5;

  private Starts() {}

  /// At least `count` places for what is unset, those that the data suggest first.
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

  /// So many places, the given one first. Every free positive value of the others is multiplied by
  /// a random factor.
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

  /// The best of what is learned from so many places, one after another: the likeliest, priors
  /// counted, and the earlier one between equals. The first place is what is unset as it stands, so
  /// that one start gives what it always gives; bounds and priors of all are its own. Once the time
  /// is up the best so far is returned.
  ///
  /// @param rows all observations, or some that represent them
  /// @param learning how it is learned from one place
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
        continue; // there is no likelihood at this place
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
