package lovelace.way;

import java.io.IOException;
import lovelace.data.Outside;
import lovelace.kernel.Hyperparameters;
import lovelace.learning.Learned;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.source.Source;

/// How a model is computed from its rows. Every verb is a few lines on this law:
///
/// ```text
/// fit               condition(k, learn(k, start)),  k = read(rows)
/// update, forget    condition(k ± read(rows), h)
/// merge             condition(k₁ + k₂.shifted(δ), h)
/// other parameters  condition(k, h′)
/// learn again       condition(k, learn(k, h))
/// ```
///
/// The planner chooses among the implementations. Each knows one engine ([RowLeaf], [LatticeLeaf])
/// and one wrapper. Immutable.
///
/// @param <K> the data that are kept of the rows
public interface Way<K extends Kept<K>> {

  Frame frame();

  Plan plan();

  /// Reads rows that have the columns of the model.
  ///
  /// @param outside the treatment of rows outside the lattice, if there is one
  K read(Source rows, Outside outside) throws IOException;

  /// Learns the parameters that are not fixed, within the time for learning.
  ///
  /// @param start some values; a fit may leave others unset
  Learned learn(K kept, Hyperparameters start, Learning how);

  /// The given parameters, with their likelihood unless the posterior will bring it.
  Learned given(K kept, Hyperparameters h);

  /// The posterior under complete parameters.
  Conditioned condition(K kept, Learned at);

  /// The same way by another plan, on the same rows or lattice.
  Way<K> with(Plan other);

  /// The same way with another engine, if one is asked for. Only ways on a lattice have several.
  ///
  /// @param h complete parameters
  /// @param learning whether the costs include learning
  Way<K> planned(K kept, Hyperparameters h, Engine asked, long seed, boolean learning);

  /// The plan for other rows under the same parameters. An engine that was asked for stays;
  /// otherwise the engine is chosen again.
  default Way<K> revised(K kept, Hyperparameters h) {
    return planned(kept, h, plan().asked(), plan().seed(), false);
  }

  /// The plan after learning.
  default Way<K> settled(K kept, Hyperparameters h) {
    return this;
  }

  /// Fails if a model of this kind cannot change to an engine.
  default void requireEngine(Engine asked) {}
}
