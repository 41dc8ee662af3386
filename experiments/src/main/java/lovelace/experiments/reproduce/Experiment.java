package lovelace.experiments.reproduce;

import java.io.IOException;
import java.util.List;

/// A table or figure of the paper.
interface Experiment {

  /// As the command calls it.
  String name();

  /// Whether it learns networks.
  default boolean overNetworks() {
    return false;
  }

  /// The work, in order; cells that experiments share are done once.
  List<Cell> cells(Bench bench) throws IOException;

  /// Puts what the cells found into the report.
  void report(Bench bench, Report report);
}
