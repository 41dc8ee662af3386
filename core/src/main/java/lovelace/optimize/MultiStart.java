package lovelace.optimize;

import java.util.ArrayList;
import java.util.List;

/// The results of an optimiser from several starts, run one after another in the order given. The
/// best wins, the earlier one between equals; every result is kept.
public final class MultiStart {

  private final List<Optimum> all;
  private final int best;

  private MultiStart(List<Optimum> all, int best) {
    this.all = all;
    this.best = best;
  }

  /// Runs every start; cancelling one run cancels those after it.
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
      Optimum optimum = optimizer.minimize(objective, start, lower, upper, progress);
      all.add(optimum);
      if (optimum.value() < all.get(best).value()) best = all.size() - 1;
      if (optimum.cancelled()) break;
    }
    return new MultiStart(List.copyOf(all), best);
  }

  /// The lowest optimum.
  public Optimum best() {
    return all.get(best);
  }

  /// Which start led to it, from 0.
  public int bestStart() {
    return best;
  }

  /// One result per start that ran, in order.
  public List<Optimum> all() {
    return all;
  }
}
