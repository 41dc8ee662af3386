package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// A piece of an experiment that is done in one go and kept: what was finished is not done again.
///
/// @param key its name among all cells, which is also its file's
/// @param title what the reader is told
/// @param seconds about how long it takes on two cores, beside the others
/// @param timed whether the result holds times, which are those of one machine
/// @param work fills in the result
record Cell(String key, String title, double seconds, boolean timed, Work work) {

  /// A cell that measures times.
  Cell(String key, String title, double seconds, Work work) {
    this(key, title, seconds, true, work);
  }

  /// Under this name a result holds what later cells need and no report shows.
  static final String DATA = "data";

  /// What a cell does.
  @FunctionalInterface
  interface Work {
    /// Puts its findings into `result`; `remark` tells how far it is.
    void run(ObjectNode result, Remark remark) throws Exception;
  }

  /// Is told how far a long cell is.
  @FunctionalInterface
  interface Remark {
    void say(String text);
  }
}
