package lovelace.server;

import java.util.Locale;
import lovelace.Model;

/// Limits what reading one request may create: the number of inputs, the number of elements of
/// each, and memory, which is reserved before it is used. The first few kilobytes, which every
/// request needs, are not counted one by one.
final class Room {

  private static final long FREE = 4096;
  private static final long STEP = 16384;

  /// Inputs beside the columns: the target, sizes, and some that errors can name.
  private static final int MORE_INPUTS = 8;

  private final Gate.Pass pass;
  private final int rows;
  private final int columns;
  private long left = FREE; // reserved, and not taken yet

  private Room(Gate.Pass pass, int rows, int columns) {
    this.pass = pass;
    this.rows = rows;
    this.columns = columns;
  }

  /// Room for a request of at most `rows` rows about content.
  static Room of(Gate.Pass pass, int rows, Content content) {
    return switch (content) {
      case ModelContent(Model model) ->
          new Room(pass, rows, model.columns().size() + model.leftOut().size());
      case ForecastContent forecasts -> new Room(pass, rows, 1);
    };
  }

  /// Room for a table of at most `rows` rows.
  static Room of(Gate.Pass pass, int rows, int columns) {
    return new Room(pass, rows, columns);
  }

  /// Takes bytes until the request is done.
  void take(long bytes) {
    if (bytes > left) {
      long more = Math.max(bytes - left, STEP);
      pass.reserve(more);
      left += more;
    }
    left -= bytes;
  }

  /// Gives some bytes back.
  void give(long bytes) {
    left += bytes;
    if (left > 4 * STEP) {
      pass.release(left - STEP);
      left = STEP;
    }
  }

  /// Refuses an input beyond the limit.
  void requireInput(int inputs) {
    if (inputs == columns + MORE_INPUTS)
      throw Refusal.wrong(
          "the request has more than %,d inputs, and the model has %,d columns; send 'x', or each column once",
          inputs, columns);
  }

  /// Refuses an element beyond the limit of its input.
  void requireElement(String input, long elements) {
    if (elements >= (long) rows * Math.max(1, columns))
      throw new Refusal(
          413,
          String.format(
              Locale.ROOT,
              "input '%s' has more than %,d elements, as many as %,d rows have; send them in parts",
              input,
              elements,
              rows));
  }
}
