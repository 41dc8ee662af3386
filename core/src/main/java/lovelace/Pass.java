package lovelace;

import java.io.IOException;
import java.util.function.Supplier;
import lovelace.data.FeatureMap;
import lovelace.data.Fingerprint;
import lovelace.data.TargetTransform;
import lovelace.grid.AdditiveAccumulator;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.GridAccumulator;
import lovelace.grid.Lattice;
import lovelace.grid.Outside;
import lovelace.grid.OutsideGridException;
import lovelace.grid.Statistics;
import org.jspecify.annotations.Nullable;

/// The one pass over the rows after which they are not seen again.
///
/// @param low the least target
/// @param high the largest
record Pass(Statistics statistics, double logJacobian, long fingerprint, double low, double high) {

  /// Where a row is added up.
  private interface Adding {
    void add(double[] x, int xo, double y, double weight);
  }

  /// Over all the rows that a model learns from, as they are or as features of them.
  static Pass over(
      Source source,
      @Nullable FeatureMap map,
      Lattice lattice,
      TargetTransform transform,
      Outside outside)
      throws IOException {
    Pass pass = more(source, map, lattice, transform, outside);
    requireVarying(source, pass.statistics.count(), pass.low, pass.high);
    return pass;
  }

  /// Over rows that join or leave others, which may all have one target.
  static Pass more(
      Source source,
      @Nullable FeatureMap map,
      Lattice lattice,
      TargetTransform transform,
      Outside outside)
      throws IOException {
    return switch (lattice) {
      case Grid grid -> {
        GridAccumulator sums = new GridAccumulator(grid, outside);
        yield over(source, map, lattice, transform, sums::add, sums::statistics);
      }
      case AdditiveGrid grid -> {
        AdditiveAccumulator sums = new AdditiveAccumulator(grid, outside);
        yield over(source, map, lattice, transform, sums::add, sums::statistics);
      }
    };
  }

  private static Pass over(
      Source source,
      @Nullable FeatureMap map,
      Lattice lattice,
      TargetTransform transform,
      Adding sums,
      Supplier<Statistics> result)
      throws IOException {
    int d = source.columns().size();
    int k = lattice.dimensions();
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
          double[] z = x;
          if (map != null) {
            z = new double[count * k];
            map.apply(x, count, z);
          }
          for (int i = 0; i < count; i++) {
            state.row++;
            double weight = weights == null ? 1 : weights[i];
            add(source, sums, z, i * k, modelled(source, transform, y[i], state.row), weight);
            if (lattice.outsideColumn(z, i * k) >= 0) continue;
            fingerprint.add(x, i * d, d, y[i], weight);
            state.jacobian += transform.logJacobian(y[i]);
            state.low = Math.min(state.low, y[i]);
            state.high = Math.max(state.high, y[i]);
          }
        });
    Statistics statistics = result.get();
    if (statistics.count() == 0)
      throw new IllegalArgumentException(
          "none of the %,d rows lies inside the %s; widen its bounds"
              .formatted(statistics.skipped(), lattice));
    return new Pass(statistics, state.jacobian, fingerprint.value(), state.low, state.high);
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
  private static void add(Source source, Adding sums, double[] x, int xo, double z, double weight) {
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
