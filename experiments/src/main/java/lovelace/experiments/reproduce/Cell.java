package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// A piece of an experiment that runs in one go. Its result is stored, and a finished cell does not
/// run again.
///
/// @param key its name among all cells, which is also the name of its file
/// @param title its description for the reader
/// @param seconds about how long it takes on two cores, beside the others
/// @param timed whether the result contains times, which are those of one machine
/// @param work fills in the result
record Cell(String key, String title, double seconds, boolean timed, Work work) {

  /// A cell that measures times.
  Cell(String key, String title, double seconds, Work work) {
    this(key, title, seconds, true, work);
  }

  /// The name in a result for data that later cells need and no report shows.
  static final String DATA = "data";

  /// The work of a cell.
  @FunctionalInterface
  interface Work {
    /// Puts the results into `result`; `remark` receives the progress.
    void run(ObjectNode result, Remark remark) throws Exception;
  }

  /// Receives the progress of a long cell.
  @FunctionalInterface
  interface Remark {
    void say(String text);
  }
}
