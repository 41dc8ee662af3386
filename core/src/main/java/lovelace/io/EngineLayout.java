package lovelace.io;

import lovelace.plan.Engine;

/// Writes and reads the names of engines.
///
/// In a file, the chain of the rows is called `markov` and sites are called `sparse`, like the
/// engines on a lattice: the file holds rows or a lattice, which tells the two apart. So files stay
/// as they were, and an older Lovelace can read them.
final class EngineLayout {

  private EngineLayout() {}

  static String text(Engine engine) {
    return switch (engine) {
      case CHAIN -> Engine.MARKOV.toString();
      case SITES -> Engine.SPARSE.toString();
      case AUTO, SPECTRAL, MARKOV, SPARSE, KRYLOV, DENSE, EXACT, NEIGHBOURS -> engine.toString();
    };
  }

  /// @param rows whether the file holds the rows of the model
  static Engine read(String text, boolean rows) {
    Engine engine = Engine.parse(text);
    return switch (engine) {
      case MARKOV -> rows ? Engine.CHAIN : engine;
      case SPARSE -> rows ? Engine.SITES : engine;
      case AUTO, SPECTRAL, KRYLOV, DENSE, EXACT, CHAIN, SITES, NEIGHBOURS -> engine;
    };
  }
}
