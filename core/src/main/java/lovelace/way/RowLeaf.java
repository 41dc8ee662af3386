package lovelace.way;

import java.util.List;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.inference.Learnable;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.laplace.Observations;
import lovelace.laplace.WorkingExact;
import lovelace.laplace.WorkingProcess;
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.model.Provenance.Note;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.planning.Costs;
import lovelace.posterior.internal.LinearRows;
import lovelace.posterior.internal.RowPosterior;

/// An engine that computes from the rows themselves. It does not know what lies between the table
/// and the process: no map, drift or likelihood.
public sealed interface RowLeaf permits ExactLeaf, ChainLeaf, SitesLeaf, NearestLeaf {

  Engine engine();

  /// The most rows that it accepts.
  int mostRows();

  /// The advice for a table with more rows than that.
  String remedy();

  /// Whether the mean of its posterior is linear in the target under Gaussian noise. A drift needs
  /// that, and [is refused][Frame#refusal] otherwise.
  default boolean isLinear() {
    return true;
  }

  /// The posterior of rows under complete hyperparameters and Gaussian noise.
  RowPosterior condition(Dataset rows, Hyperparameters h);

  /// The same for an engine that [is linear][#isLinear].
  default LinearRows conditionLinearly(Dataset rows, Hyperparameters h) {
    return (LinearRows) condition(rows, h);
  }

  /// Learns from rows under Gaussian noise. Unset values start from values that the rows suggest.
  Learned learn(Dataset rows, Hyperparameters start, Learning how);

  /// The most rows for which learning uses the restricted likelihood of a drift directly. With
  /// more, the coefficients and the parameters take turns.
  int restrictedRows();

  /// The process that computes the restricted likelihood.
  default Restricted restricted() {
    return new Restricted(Engine.EXACT, ExactGp::of);
  }

  /// The most places under a likelihood that is not Gaussian.
  default int mostPlaces() {
    return mostRows();
  }

  /// The Gaussian process of working observations at some places, for Laplace's approximation.
  WorkingProcess working(double[] places, int dimensions);

  /// The process from which parameters under another likelihood are learned: the exact process of
  /// some places, because all of them would give about the same.
  default Working learning(Observations data) {
    return Working.exactly(data.thinned(Working.LEARNING_ROWS));
  }

  /// Observations, and the process of their places.
  record Working(Observations data, WorkingProcess process) {

    /// The most places that the exact process learns from.
    static final int LEARNING_ROWS = 1500;

    /// Uses the exact process of the observations.
    static Working exactly(Observations data) {
      return new Working(data, new WorkingExact(data.places(), data.dimensions()));
    }
  }

  /// The smallest noise that explains different values at one place; NaN if any noise does.
  default double leastNoise(Hyperparameters h, int dimensions) {
    return Double.NaN;
  }

  /// The log marginal likelihood of a posterior; NaN if it takes longer than everything else.
  ///
  /// @param fresh whether the rows are being fitted
  default double evidence(RowPosterior posterior, Learned learned, boolean fresh) {
    return posterior.logMarginalLikelihood();
  }

  /// The approximate costs of learning and conditioning.
  Costs costs(long rows, Kernel kernel, boolean learning);

  /// The remarks of a model on a posterior of this engine.
  List<Note> facts(RowPosterior posterior);

  /// A process of rows, with the name of its engine.
  record Restricted(Engine engine, Conditioning conditioning) {

    /// Conditions on rows.
    public interface Conditioning {
      LinearRows of(Dataset rows, Hyperparameters h);
    }
  }

  /// The most rows from which unset values are guessed.
  int START_ROWS = 2_000;

  /// Complete values. Unset ones are those that some rows suggest.
  static Hyperparameters filled(Hyperparameters start, Dataset rows) {
    Dataset some = rows.thinned(START_ROWS);
    return start.fill(some.inputs(), some.target());
  }

  /// Learns by a likelihood within the available time. If that is too short, it returns the start
  /// values.
  static Learned inTime(Learnable likelihood, Hyperparameters start, Dataset rows, Learning how) {
    return InTime.learned(
        () -> Learners.learn(likelihood, start, rows, how),
        () -> filled(start, rows),
        likelihood.name());
  }
}
