package lovelace.learning;

import java.util.ArrayList;
import java.util.List;
import lovelace.budget.Budget.TimeUpException;
import lovelace.optimize.Optimizer;
import lovelace.optimize.Optimizer.Objective;
import lovelace.optimize.Optimizer.Optimum;
import lovelace.optimize.Optimizer.Progress;

/// The results of an optimiser from several starts, run one after another in the given order. The
/// best result wins, and the earlier one of two equals. Every result is kept.
public final class MultiStart {

  private final List<Optimum> all;
  private final int best;

  private MultiStart(List<Optimum> all, int best) {
    this.all = all;
    this.best = best;
  }

  /// Runs every start. Cancelling one run also cancels those after it.
  public static MultiStart minimize(
      Optimizer optimizer,
      Objective objective,
      List<double[]> starts,
      double[] lower,
      double[] upper,
      Progress progress) {
    if (starts.isEmpty()) throw new IllegalArgumentException("starts is empty, pass at least one");
    List<Optimum> all = new ArrayList<>();
    int best = 0;
    for (double[] start : starts) {
      Optimum optimum;
      try {
        optimum = optimizer.minimize(objective, start, lower, upper, progress);
      } catch (TimeUpException e) {
        if (all.isEmpty() || all.get(best).value() == Double.POSITIVE_INFINITY) throw e;
        all.set(best, all.get(best).outOfTime());
        break;
      }
      all.add(optimum);
      if (optimum.value() < all.get(best).value()) best = all.size() - 1;
      if (optimum.cancelled() || optimum.timeUp()) break;
    }
    return new MultiStart(List.copyOf(all), best);
  }

  /// Follows every start for `scouting` iterations, and then only the best `keep` to their ends.
  /// With `scouting` 0, starts are compared by their own values. Results are those of the starts
  /// kept, ordered by their values after scouting.
  public static MultiStart race(
      Optimizer optimizer,
      Objective objective,
      List<double[]> starts,
      double[] lower,
      double[] upper,
      int scouting,
      int keep,
      Progress progress) {
    if (starts.isEmpty()) throw new IllegalArgumentException("starts is empty, pass at least one");
    if (keep < 1) throw new IllegalArgumentException("keep must be >= 1, got " + keep);
    if (starts.size() <= keep)
      return minimize(optimizer, objective, starts, lower, upper, progress);
    boolean[] cancelled = {false};
    boolean timeUp = false;
    List<Optimum> scouts = new ArrayList<>();
    List<Integer> order = new ArrayList<>();
    for (double[] start : starts) {
      order.add(scouts.size());
      Optimum scout;
      try {
        scout =
            optimizer.minimize(
                objective,
                start,
                lower,
                upper,
                (iteration, value, norm, x) -> {
                  if (!progress.step(iteration, value, norm, x)) cancelled[0] = true;
                  return !cancelled[0] && iteration < scouting;
                });
      } catch (TimeUpException e) {
        order.removeLast();
        if (scouts.stream().noneMatch(s -> s.value() < Double.POSITIVE_INFINITY)) throw e;
        timeUp = true;
        break;
      }
      scouts.add(scout);
      timeUp = scout.timeUp();
      if (cancelled[0] || timeUp) break;
    }
    order.sort((a, b) -> Double.compare(scouts.get(a).value(), scouts.get(b).value()));
    List<Optimum> all = new ArrayList<>();
    int best = 0;
    for (int at : order.subList(0, Math.min(keep, order.size()))) {
      Optimum scout = scouts.get(at);
      boolean goesOn = scout.cancelled() && !cancelled[0] && !timeUp;
      Optimum optimum = timeUp ? scout.outOfTime() : scout;
      if (goesOn)
        try {
          optimum = optimizer.minimize(objective, scout.x(), lower, upper, progress).after(scout);
          timeUp = optimum.timeUp();
        } catch (TimeUpException e) {
          optimum = scout.outOfTime();
          timeUp = true;
        }
      all.add(optimum);
      if (optimum.value() < all.get(best).value()) best = all.size() - 1;
      cancelled[0] |= goesOn && optimum.cancelled();
    }
    return new MultiStart(List.copyOf(all), best);
  }

  /// The lowest optimum.
  public Optimum best() {
    return all.get(best);
  }

  /// The number of the best result in [#all], from 0.
  public int bestStart() {
    return best;
  }

  /// The results of all starts that ran, in order.
  public List<Optimum> all() {
    return all;
  }
}
