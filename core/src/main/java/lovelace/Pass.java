package lovelace;

import java.io.IOException;
import lovelace.data.Fingerprint;
import lovelace.data.TargetTransform;
import lovelace.grid.Grid;
import lovelace.grid.GridAccumulator;
import lovelace.grid.GridStatistics;
import lovelace.grid.Outside;
import lovelace.grid.OutsideGridException;

/// The one pass over the rows after which they are not seen again.
record Pass(GridStatistics statistics, double logJacobian, long fingerprint) {

  static Pass over(Source source, Grid grid, TargetTransform transform, Outside outside)
      throws IOException {
    int d = grid.dimensions();
    GridAccumulator sums = new GridAccumulator(grid, outside);
    Fingerprint fingerprint = new Fingerprint();
    var state =
        new Object() {
          double jacobian;
          double low = Double.POSITIVE_INFINITY;
          double high = Double.NEGATIVE_INFINITY;
          long row;
        };
    source.read(
        (count, x, y, weights) -> {
          for (int i = 0; i < count; i++) {
            state.row++;
            double weight = weights == null ? 1 : weights[i];
            add(source, sums, x, i * d, modelled(source, transform, y[i], state.row), weight);
            if (grid.outsideColumn(x, i * d) >= 0) continue;
            fingerprint.add(x, i * d, d, y[i], weight);
            state.jacobian += transform.logJacobian(y[i]);
            state.low = Math.min(state.low, y[i]);
            state.high = Math.max(state.high, y[i]);
          }
        });
    GridStatistics statistics = sums.statistics();
    if (statistics.count() == 0)
      throw new IllegalArgumentException(
          "none of the %,d rows lies inside the %s; widen its bounds"
              .formatted(statistics.skipped(), grid));
    requireVarying(source, statistics.count(), state.low, state.high);
    return new Pass(statistics, state.jacobian, fingerprint.value());
  }

  /// Fails where all targets are one value.
  static void requireVarying(Source source, long count, double low, double high) {
    if (count > 1 && low == high)
      throw new IllegalArgumentException(
          "target '%s' is constant (%s in all %,d rows), there is nothing to learn; choose another target"
              .formatted(source.target().name(), low, count));
  }

  private static double modelled(Source source, TargetTransform transform, double y, long row) {
    if (transform == TargetTransform.LOG && !(y > 0))
      throw new IllegalArgumentException(
          "row %,d: target '%s' is %s, the log transform needs values > 0; use transform none, shift the target, or drop the row"
              .formatted(row, source.target().name(), y));
    return transform.apply(y);
  }

  /// Adds a row; one outside the grid is named by its column.
  private static void add(
      Source source, GridAccumulator sums, double[] x, int xo, double z, double weight) {
    try {
      sums.add(x, xo, z, weight);
    } catch (OutsideGridException e) {
      throw new IllegalArgumentException(
          String.valueOf(e.getMessage())
              .replace(
                  "input column " + (e.column() + 1),
                  "column '" + source.columns().get(e.column()).name() + "'"),
          e);
    }
  }
}
