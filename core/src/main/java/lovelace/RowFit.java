package lovelace;

import lovelace.chain.ChainGp;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.inference.Learnable;
import lovelace.kernel.Hyperparameters;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.learning.Starts;
import lovelace.neighbours.NeighbourLearning;
import lovelace.posterior.internal.RowPosterior;

/// Learns from rows that the model holds: by the exact process, or by the chain over their places.
final class RowFit {

  /// The rows that further starts of learning by neighbours are taken from: as many as it takes for
  /// its own.
  private static final int START_ROWS = 2_000;

  /// How many neighbours a row has while parameters are learned.
  static final int NEIGHBOURS = 30;

  private RowFit() {}

  /// The most rows that the exact process learns from, of few columns and of many: more take too
  /// long, and their neighbours tell the same.
  private static final int[] EXACTLY = {Planner.EXACTLY, 1500};

  /// Learns by the exact process, or by neighbours where there are many rows. There are no standard
  /// errors of more rows than take a moment.
  static Learned exact(Dataset data, Hyperparameters start, Fit.Learning learning) {
    boolean wide = TableFit.isWide(data.columns());
    if (data.size() > EXACTLY[wide ? 1 : 0]) return neighbours(data, start, NEIGHBOURS, learning);
    Learnable exact = ExactGp.likelihood(data);
    Learned learned =
        InTime.learned(
            () -> learn(exact, start, data, learning), () -> filled(start, data), exact.name());
    return data.size() <= Closeness.MEASURED ? learned.withErrors(exact) : learned;
  }

  /// Complete values, those that some rows suggest for what is unset.
  private static Hyperparameters filled(Hyperparameters start, Dataset rows) {
    Dataset some = rows.thinned(START_ROWS);
    return start.fill(some.inputs(), some.target());
  }

  /// Learns by the neighbours of the rows.
  static Learned neighbours(Dataset data, Hyperparameters start, int k, Fit.Learning learning) {
    return InTime.learned(
        () -> byNeighbours(data, start, k, learning), () -> filled(start, data), "neighbours");
  }

  /// The same in the time of the caller.
  static Learned byNeighbours(Dataset data, Hyperparameters start, int k, Fit.Learning learning) {
    return Starts.best(
        start,
        data.thinned(START_ROWS),
        learning.starts(),
        learning.seed(),
        from ->
            NeighbourLearning.learn(data, from, k, LatticeFit.learner(learning), learning.seed()));
  }

  /// Learns from the starts that some rows suggest, as many as were asked for.
  static Learned learn(
      Learnable likelihood, Hyperparameters start, Dataset rows, Fit.Learning learning) {
    return LatticeFit.learner(learning)
        .learn(likelihood, start, rows, learning.starts(), learning.seed());
  }

  /// The neighbours that learning goes by where predictions use k.
  static int learning(int k) {
    return Math.min(k, NEIGHBOURS);
  }

  /// The neighbours that learning goes by for a posterior of rows.
  static int learning(RowPosterior rows) {
    return learning(rows.nearestRows().orElse(NEIGHBOURS));
  }

  /// What neighbours have learned, learned on by the exact process where there are few rows.
  static Learned refined(Dataset data, Learned learned, Fit.Learning learning) {
    if (data.size() > EXACTLY[1]) return learned;
    Learned refined = exact(data, learned.hyperparameters(), learning.fromOne());
    return refined.logLikelihood()
            >= ExactGp.of(data, learned.hyperparameters()).logMarginalLikelihood()
        ? refined
        : learned;
  }

  /// Learns by the chain over the places of the rows.
  static Learned chain(Dataset data, Hyperparameters start, Fit.Learning learning) {
    Learnable chain = ChainGp.likelihood(data, start);
    Dataset some = data.thinned(LatticeChoice.START_ROWS);
    return InTime.learned(
            () -> learn(chain, start, some, learning), () -> filled(start, some), chain.name())
        .withErrors(chain);
  }
}
