package lovelace.experiments.reproduce;

import java.io.IOException;
import java.util.List;

/// A table or figure of the paper.
interface Experiment {

  /// The name for the command.
  String name();

  /// Whether it learns networks.
  default boolean overNetworks() {
    return false;
  }

  /// The work, in order. Cells that several experiments share run once.
  List<Cell> cells(Bench bench) throws IOException;

  /// Puts the results of the cells into the report.
  void report(Bench bench, Report report);
}
