package lovelace.way;

import java.util.List;
import java.util.Locale;
import lovelace.chain.ChainGp;
import lovelace.data.Dataset;
import lovelace.inference.Learnable;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.laplace.Observations;
import lovelace.laplace.WorkingProcess;
import lovelace.laplace.WorkingRows;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.planning.Costs;
import lovelace.planning.LatticeChoice;
import lovelace.posterior.internal.RowPosterior;

/// The chain over the places of the rows: exact, for a Matérn kernel over one input.
public record ChainLeaf() implements RowLeaf {

  /// Up to this many places, dense matrices cost less than a chain.
  private static final int FEW = 300;

  @Override
  public Engine engine() {
    return Engine.CHAIN;
  }

  @Override
  public int mostRows() {
    return ChainGp.MOST_ROWS;
  }

  @Override
  public String remedy() {
    return "use engine markov, which makes a grid, or another engine";
  }

  @Override
  public RowPosterior condition(Dataset rows, Hyperparameters h) {
    return ChainGp.of(rows, h);
  }

  @Override
  public Learned learn(Dataset rows, Hyperparameters start, Learning how) {
    Learnable chain = ChainGp.likelihood(rows, start);
    Dataset some = rows.thinned(LatticeChoice.START_ROWS);
    return InTime.learned(
            () -> Learners.learn(chain, start, some, how),
            () -> RowLeaf.filled(start, some),
            chain.name())
        .withErrors(chain);
  }

  @Override
  public int restrictedRows() {
    return Integer.MAX_VALUE;
  }

  @Override
  public Restricted restricted() {
    return new Restricted(engine(), ChainGp::of);
  }

  @Override
  public WorkingProcess working(double[] places, int dimensions) {
    return new WorkingRows(engine().toString(), places, dimensions, ChainGp::of);
  }

  /// Learns from all places. If there are few, it uses dense matrices, which then cost less.
  @Override
  public Working learning(Observations data) {
    return data.size() <= FEW
        ? Working.exactly(data)
        : new Working(data, working(data.places(), data.dimensions()));
  }

  @Override
  public Costs costs(long rows, Kernel kernel, boolean learning) {
    return Costs.chain(kernel, rows, learning);
  }

  @Override
  public List<Note> facts(RowPosterior posterior) {
    return List.of(
        new Note(
            Note.Kind.ENGINE,
            String.format(
                Locale.ROOT,
                "a Matérn kernel in one dimension is a Markov chain; nodes are the %,d places of the rows",
                ((ChainGp) posterior).places())));
  }
}
