package lovelace.source.internal;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import lovelace.budget.Budget;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.OutsideGridException;
import lovelace.io.Fingerprint;
import lovelace.source.Source;
import lovelace.source.Sums;
import lovelace.statistics.AdditiveAccumulator;
import lovelace.statistics.GridAccumulator;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The result of the pass over the rows. Rows are not seen again after it.
///
/// @param low the smallest target
/// @param high the largest
public record Pass(
    Statistics statistics, double logJacobian, long fingerprint, double low, double high) {

  /// The number of rows that are collected before they are summed, so that threads can share the
  /// work.
  private static final int BATCH = 1 << 17;

  /// Sums rows.
  private interface Adding {
    void add(int rows, double[] x, double[] y, double @Nullable [] weights);
  }

  /// Makes the pass over all rows that a model learns from, or over features of them.
  public static Pass over(
      Source source,
      @Nullable FeatureMap map,
      Lattice lattice,
      TargetTransform transform,
      Outside outside,
      boolean training)
      throws IOException {
    Pass pass = more(source, map, lattice, transform, outside);
    if (training) requireVarying(source, pass.statistics.count(), pass.low, pass.high);
    return pass;
  }

  /// Makes the pass over rows that are added to others or removed. They may all have the same
  /// target.
  public static Pass more(
      Source source,
      @Nullable FeatureMap map,
      Lattice lattice,
      TargetTransform transform,
      Outside outside)
      throws IOException {
    Sums added = null;
    if (map == null && lattice instanceof Grid grid)
      added = source.sums(grid, transform, outside).orElse(null);
    Pass pass =
        added == null
            ? read(source, map, lattice, transform, outside)
            : new Pass(
                added.statistics(),
                added.logJacobian(),
                added.fingerprint(),
                added.low(),
                added.high());
    if (pass.statistics.count() == 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "none of the %,d rows lies inside the %s; widen its bounds",
              pass.statistics.skipped(),
              lattice));
    return pass;
  }

  /// Makes the pass over some of the rows, perhaps none.
  public static Pass part(Source source, Grid grid, TargetTransform transform, Outside outside)
      throws IOException {
    return read(source, null, grid, transform, outside);
  }

  private static Pass read(
      Source source,
      @Nullable FeatureMap map,
      Lattice lattice,
      TargetTransform transform,
      Outside outside)
      throws IOException {
    return switch (lattice) {
      case Grid grid -> {
        GridAccumulator sums = new GridAccumulator(grid, outside);
        yield over(source, map, lattice, transform, sums::addAll, sums::statistics);
      }
      case AdditiveGrid grid -> {
        AdditiveAccumulator sums = new AdditiveAccumulator(grid, outside);
        yield over(
            source,
            map,
            lattice,
            transform,
            (rows, x, y, weights) -> {
              int d = grid.dimensions();
              for (int i = 0; i < rows; i++)
                sums.add(x, i * d, y[i], weights == null ? 1 : weights[i]);
            },
            sums::statistics);
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
    Batch batch = new Batch(source, map, lattice, transform, sums);
    source.read(batch::accept);
    batch.flush();
    return new Pass(result.get(), batch.jacobian, batch.fingerprint.value(), batch.low, batch.high);
  }

  /// A batch of rows before they are summed.
  private static final class Batch {
    final Fingerprint fingerprint = new Fingerprint();
    double jacobian;
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;

    private final Source source;
    private final @Nullable FeatureMap map;
    private final Lattice lattice;
    private final TargetTransform transform;
    private final Adding sums;
    private final int d;
    private final int k;
    private double[] x = new double[0];
    private double[] y = new double[0];
    private double @Nullable [] w;
    private int held;
    private long row;

    Batch(
        Source source,
        @Nullable FeatureMap map,
        Lattice lattice,
        TargetTransform transform,
        Adding sums) {
      this.source = source;
      this.map = map;
      this.lattice = lattice;
      this.transform = transform;
      this.sums = sums;
      d = source.columns().size();
      k = lattice.dimensions();
    }

    /// Takes rows. A few rows wait until there are more; many are summed at once.
    void accept(int count, double[] inputs, double[] target, Optional<double[]> given) {
      double[] weights = given.orElse(null);
      if (held + count > BATCH || (held > 0 && (w == null) != (weights == null))) flush();
      if (count >= BATCH / 2) {
        add(count, inputs, target, weights);
        return;
      }
      if (held + count > y.length) {
        int room = Math.min(BATCH, Math.max(count, 4 * (held + count)));
        x = Arrays.copyOf(x, room * d);
        y = Arrays.copyOf(y, room);
        if (w != null) w = Arrays.copyOf(w, room);
      }
      System.arraycopy(inputs, 0, x, held * d, count * d);
      System.arraycopy(target, 0, y, held, count);
      if (weights == null) {
        w = null;
      } else {
        double[] own = w == null || w.length < y.length ? new double[y.length] : w;
        System.arraycopy(weights, 0, own, held, count);
        w = own;
      }
      held += count;
    }

    void flush() {
      int count = held;
      held = 0;
      if (count > 0) add(count, x, y, w);
    }

    private void add(int count, double[] inputs, double[] target, double @Nullable [] weights) {
      Budget.check();
      double[] z = inputs;
      if (map != null) {
        z = new double[count * k];
        map.apply(inputs, count, z);
      }
      double[] modelled = target;
      int good = count; // rows before the first whose target cannot be transformed
      if (!transform.equals(TargetTransform.NONE)) {
        modelled = new double[count];
        for (int i = 0; i < good; i++)
          if (transform.takes(target[i])) modelled[i] = transform.apply(target[i]);
          else good = i;
      }
      try {
        sums.add(good, z, modelled, weights);
      } catch (OutsideGridException e) {
        throw named(e, inputs, z);
      }
      if (good < count) throw notTransformable(source, target[good], row + good + 1);
      for (int i = 0; i < count; i++) {
        if (lattice.outsideColumn(z, i * k) >= 0) continue;
        fingerprint.add(inputs, i * d, d, target[i], weights == null ? 1 : weights[i]);
        jacobian += transform.logJacobian(target[i]);
        low = Math.min(low, target[i]);
        high = Math.max(high, target[i]);
      }
      row += count;
    }

    /// The error for a row outside the grid, which names its column or feature.
    private IllegalArgumentException named(
        OutsideGridException e, double[] inputs, double[] features) {
      if (map == null)
        return new IllegalArgumentException(
            e.message(
                "column '" + source.columns().get(e.column()).name() + "'",
                OutsideGridException.REMEDY),
            e);
      int i = Math.toIntExact(e.row() - row);
      new Features(source, map).requireFinite(inputs, features, i, row);
      return new IllegalArgumentException(
          e.message(
              "feature " + (e.column() + 1), "skip rows outside it or fit a model with this row"),
          e);
    }
  }

  /// Fails if all targets have the same value.
  public static void requireVarying(Source source, long count, double low, double high) {
    if (count > 1 && low == high)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "target '%s' is constant (%s in all %,d rows), there is nothing to learn; choose another target",
              source.target().name(),
              low,
              count));
  }

  /// The error for a target that the transform does not accept.
  ///
  /// @param row the number of the row, 0 if it is not known
  public static IllegalArgumentException notTransformable(Source source, double y, long row) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%starget '%s' is %s, the log transform needs values > 0; use transform none, shift the target, or drop the row",
            row > 0 ? String.format(Locale.ROOT, "row %,d (data rows count from 1): ", row) : "",
            source.target().name(),
            y));
  }
}
