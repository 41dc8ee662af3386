package lovelace.planning;

import lovelace.laplace.Window;
import lovelace.options.GridChoice;
import lovelace.options.GridChoice.Range;

/// The window of events and its cells.
public final class EventCells {

  /// Values are equal up to rounding if they differ by at most this share of their spacing.
  private static final double MOVED = 1e-9;

  private EventCells() {}

  /// The window of events that span `low` to `high`. It has the given bounds, or else that range.
  /// It has the number of cells that was asked for, or else about `usual`. If events have equally
  /// spaced values, such as whole days or years, the cells are one spacing or a few wide, so that
  /// all contain the same number of values. Such a value stands for the time until the next.
  ///
  /// @param choice the grid that was asked for
  /// @param spacings of the values of each column, 0 if they are not equally spaced
  public static Window window(
      GridChoice choice, double[] low, double[] high, double[] spacings, int[] usual) {
    int d = low.length;
    int[] points = choice.points();
    if (choice.isOnData())
      throw new IllegalArgumentException(
          "the data's own grid needs rows with a target, and events have none; give the number of cells along each column, or leave the grid out");
    if (points.length > 1 && points.length != d)
      throw new IllegalArgumentException(
          "grid points are given for %s columns, and events have %s; give one number, or one for each column"
              .formatted(points.length, d));
    double[] from = low.clone();
    double[] to = high.clone();
    double[] step = new double[d];
    for (int a = 0; a < d; a++) {
      Range bound = choice.bound(a);
      from[a] = bound == null ? low[a] : bound.low();
      to[a] = bound == null ? high[a] + spacings[a] : bound.high();
      int asked = points.length == 0 ? usual[a] : points[points.length == 1 ? 0 : a];
      step[a] = (to[a] - from[a]) / asked;
      boolean enough = 4 * spacings[a] <= to[a] - from[a];
      if (points.length == 0 && spacings[a] > 0 && enough)
        step[a] = spacings[a] * Math.max(1, Math.ceil(step[a] / spacings[a] - MOVED));
    }
    return Window.of(from, to, step);
  }
}
