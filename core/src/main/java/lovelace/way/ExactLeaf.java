package lovelace.way;

import java.util.List;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.inference.Learnable;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.laplace.WorkingExact;
import lovelace.laplace.WorkingProcess;
import lovelace.learning.Learned;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.planning.Costs;
import lovelace.planning.Fineness;
import lovelace.planning.Planner;
import lovelace.posterior.internal.RowPosterior;

/// The exact process of all rows.
public record ExactLeaf() implements RowLeaf {

  /// The most rows that the exact process learns from, for few columns and for many. More rows take
  /// too long, and learning by neighbours gives about the same.
  private static final int[] LEARNING = {Planner.EXACTLY, 1500};

  @Override
  public Engine engine() {
    return Engine.EXACT;
  }

  @Override
  public int mostRows() {
    return ExactGp.MOST_ROWS;
  }

  @Override
  public int mostPlaces() {
    return Planner.OBSERVED;
  }

  @Override
  public String remedy() {
    return "use another engine";
  }

  @Override
  public RowPosterior condition(Dataset rows, Hyperparameters h) {
    return ExactGp.of(rows, h);
  }

  /// Learns by neighbours if there are many rows. Standard errors are computed if that is quick.
  @Override
  public Learned learn(Dataset rows, Hyperparameters start, Learning how) {
    boolean wide = Planner.isWide(rows.columns());
    if (rows.size() > LEARNING[wide ? 1 : 0])
      return NearestLeaf.learn(rows, start, NearestLeaf.LEARNING, how);
    Learnable exact = ExactGp.likelihood(rows);
    Learned learned = RowLeaf.inTime(exact, start, rows, how);
    return rows.size() <= Fineness.MEASURED ? learned.withErrors(exact) : learned;
  }

  /// Continues learning by the exact process from the result of neighbours, if there are few rows.
  public Learned refined(Dataset rows, Learned learned, Learning how) {
    if (rows.size() > LEARNING[1]) return learned;
    Learned refined = learn(rows, learned.hyperparameters(), how.fromOne());
    return refined.logLikelihood()
            >= ExactGp.of(rows, learned.hyperparameters()).logMarginalLikelihood()
        ? refined
        : learned;
  }

  @Override
  public int restrictedRows() {
    return Planner.EXACTLY;
  }

  @Override
  public WorkingProcess working(double[] places, int dimensions) {
    return new WorkingExact(places, dimensions);
  }

  @Override
  public Costs costs(long rows, Kernel kernel, boolean learning) {
    return Costs.exact(rows, learning);
  }

  @Override
  public List<Note> facts(RowPosterior posterior) {
    return List.of();
  }
}
