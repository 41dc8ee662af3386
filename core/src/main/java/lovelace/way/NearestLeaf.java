package lovelace.way;

import java.util.List;
import java.util.Locale;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.laplace.WorkingProcess;
import lovelace.laplace.WorkingRows;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.learning.Starts;
import lovelace.model.Provenance.Note;
import lovelace.neighbours.NeighbourGp;
import lovelace.neighbours.NeighbourLearning;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.planning.Costs;
import lovelace.posterior.internal.RowPosterior;

/// The process of the rows nearest to each prediction.
///
/// @param neighbours the number of rows for each prediction
public record NearestLeaf(int neighbours) implements RowLeaf {

  /// The number of neighbours of a row during learning.
  static final int LEARNING = 30;

  /// The most rows whose neighbours are searched only for the likelihood. The search takes longer
  /// than adding rows.
  private static final int LIKELIHOOD_ROWS = 50_000;

  /// The remark of a model whose likelihood was not computed.
  static final Note UNKNOWN =
      new Note(
          Note.Kind.LIKELIHOOD,
          String.format(
              Locale.ROOT,
              "not computed for more than %,d rows; fit all rows again to get it",
              LIKELIHOOD_ROWS));

  @Override
  public Engine engine() {
    return Engine.NEIGHBOURS;
  }

  @Override
  public int mostRows() {
    return NeighbourGp.MOST_ROWS;
  }

  @Override
  public String remedy() {
    return "use fewer rows, or an additive model";
  }

  @Override
  public NeighbourGp condition(Dataset rows, Hyperparameters h) {
    return NeighbourGp.of(rows, h, neighbours);
  }

  @Override
  public Learned learn(Dataset rows, Hyperparameters start, Learning how) {
    return learn(rows, start, learningNeighbours(), how);
  }

  /// The number of neighbours for learning.
  int learningNeighbours() {
    return Math.min(neighbours, LEARNING);
  }

  /// Learns by the k nearest earlier rows of each row.
  static Learned learn(Dataset rows, Hyperparameters start, int k, Learning how) {
    return InTime.learned(
        () -> learnInTime(rows, start, k, how), () -> RowLeaf.filled(start, rows), "neighbours");
  }

  /// The same, in the time of the caller.
  static Learned learnInTime(Dataset rows, Hyperparameters start, int k, Learning how) {
    return Starts.best(
        start,
        rows.thinned(START_ROWS),
        how.starts(),
        how.seed(),
        from -> NeighbourLearning.learn(rows, from, k, Learners.of(how), how.seed()));
  }

  /// The likelihood that was reached by learning, with at most [#LEARNING] neighbours. If nothing
  /// was learned, it is computed. For an existing model it is computed only if that does not take
  /// longer than making the model.
  @Override
  public double evidence(RowPosterior posterior, Learned learned, boolean fresh) {
    if (!learned.given()) return learned.logLikelihood();
    return fresh || posterior.data().size() <= LIKELIHOOD_ROWS
        ? posterior.logMarginalLikelihood()
        : Double.NaN;
  }

  @Override
  public int restrictedRows() {
    return SitesLeaf.RESTRICTED_ROWS;
  }

  @Override
  public WorkingProcess working(double[] places, int dimensions) {
    return new WorkingRows("neighbours", places, dimensions, this::condition);
  }

  @Override
  public Costs costs(long rows, Kernel kernel, boolean learning) {
    return Costs.neighbours(rows, kernel.dimensions(), learning);
  }

  @Override
  public List<Note> facts(RowPosterior posterior) {
    NeighbourGp gp = (NeighbourGp) posterior;
    double recall = gp.recall();
    String found =
        recall < 1
            ? String.format(Locale.ROOT, "; a bounded search finds %.1f %% of them", 100 * recall)
            : "";
    return List.of(
        new Note(
            Note.Kind.ENGINE,
            String.format(
                Locale.ROOT,
                "each prediction uses the %,d nearest rows%s",
                gp.neighbours(),
                found)));
  }
}
