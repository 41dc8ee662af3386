package lovelace.neighbours;

import java.util.Arrays;
import java.util.SplittableRandom;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.Learnable;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;

/// The likelihood of rows from a small batch of its terms, with another batch at each evaluation,
/// for a stochastic optimiser. It is an unbiased estimate, with an error that averages out over the
/// steps.
///
/// Batches are drawn from a pool: the terms of the next evaluations, or those of all rows if they
/// are fewer. Their neighbours are found when the pool is made, by the lengthscales at that moment,
/// and stay until the next pool. The first pool serves [#STEPS] evaluations, and each later one
/// twice the number of the one before, because lengthscales change most at first. A pool of all
/// rows is kept if they have not changed.
///
/// [Evidence#next] passes on which batch is next, so the same steps give the same bits.
final class Batches implements Learnable {

  /// The number of terms in a batch.
  static final int SIZE = 512;

  /// The number of evaluations from the first pool.
  static final int STEPS = 5;

  private static final int MOST_STEPS = 40;

  /// A pool of all rows is made again if the lengthscales have changed by more than this factor.
  private static final double MOVED = 1.2;

  private final Dataset data;
  private final int k;
  private final long seed;
  private final VecchiaLikelihood rough;

  /// @param start gives the lengthscales by which the terms are found that compare starts
  Batches(Dataset data, Hyperparameters start, int k, long seed) {
    this.data = data;
    this.k = k;
    this.seed = seed;
    int count = Math.min(data.size(), 2 * SIZE);
    this.rough = VecchiaLikelihood.of(data, start, k, seed, count);
  }

  /// The state before an evaluation.
  private static final class Turn implements WarmStart {
    final int step; // number of evaluations before it
    final VecchiaLikelihood pool;
    final int[] order; // of the terms of the pool
    final int from; // start of its batch in the order

    Turn(int step, VecchiaLikelihood pool, int[] order, int from) {
      this.step = step;
      this.pool = pool;
      this.order = order;
      this.from = from;
    }
  }

  @Override
  public String name() {
    return rough.name();
  }

  @Override
  public Learnable rough() {
    return rough;
  }

  @Override
  public Evidence evidence(Hyperparameters h, WarmStart start) {
    Turn turn = start instanceof Turn given ? given : new Turn(0, rough, new int[0], 0);
    VecchiaLikelihood pool = turn.pool;
    int[] order = turn.order;
    int from = turn.from;
    int steps = steps(turn.step);
    if (steps > 0) {
      pool = pool(h, turn, Math.min(data.size(), steps * SIZE));
      if (!pool.equals(turn.pool)) order = new int[0];
    }
    int size = Math.min(SIZE, pool.size());
    if (from + size > order.length) {
      order = VecchiaLikelihood.shuffled(pool.size(), random(turn.step));
      from = 0;
    }
    VecchiaLikelihood batch = pool.batch(Arrays.copyOfRange(order, from, from + size));
    Turn next = new Turn(turn.step + 1, pool, order, from + size);
    return batch.evidence(h, WarmStart.NONE).before(next);
  }

  /// The number of evaluations that a pool made before evaluation `step` serves; 0 if none is made
  /// there.
  private static int steps(int step) {
    int from = 0;
    for (int steps = STEPS; from <= step && steps <= MOST_STEPS; steps *= 2) {
      if (from == step) return steps;
      from += steps;
    }
    return step >= from && (step - from) % MOST_STEPS == 0 ? MOST_STEPS : 0;
  }

  /// The pool for an evaluation and those after it.
  private VecchiaLikelihood pool(Hyperparameters h, Turn turn, int count) {
    int n = data.size();
    boolean whole = turn.step > 0 && turn.pool.size() == n;
    if (whole && turn.pool.moved(h) <= MOVED) return turn.pool;
    int[] some = Arrays.copyOf(VecchiaLikelihood.shuffled(n, random(~turn.step)), count);
    return VecchiaLikelihood.pool(data, h, k, seed, some);
  }

  private SplittableRandom random(int stream) {
    return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + stream).split();
  }
}
