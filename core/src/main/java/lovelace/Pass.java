package lovelace;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import lovelace.budget.Budget;
import lovelace.data.Column;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.OutsideGridException;
import lovelace.io.Fingerprint;
import lovelace.posterior.internal.Points;
import lovelace.statistics.AdditiveAccumulator;
import lovelace.statistics.GridAccumulator;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The one pass over the rows after which they are not seen again.
///
/// @param low the least target
/// @param high the largest
record Pass(Statistics statistics, double logJacobian, long fingerprint, double low, double high) {

  /// Rows gathered before they are added up, so that threads share them.
  private static final int BATCH = 1 << 17;

  /// Where rows are added up.
  private interface Adding {
    void add(int rows, double[] x, double[] y, double @Nullable [] weights);
  }

  /// Over all the rows that a model learns from, as they are or as features of them.
  static Pass over(Source source, @Nullable FeatureMap map, Lattice lattice, Fit fit)
      throws IOException {
    Pass pass = more(source, map, lattice, fit.transform(), fit.outside());
    if (fit.training()) requireVarying(source, pass.statistics.count(), pass.low, pass.high);
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
    Sums added = null;
    if (map == null && lattice instanceof Grid grid)
      added = source.sums(grid, transform, outside).orElse(null);
    Pass pass = added == null ? read(source, map, lattice, transform, outside) : added.pass();
    if (pass.statistics.count() == 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "none of the %,d rows lies inside the %s; widen its bounds",
              pass.statistics.skipped(),
              lattice));
    return pass;
  }

  /// Over some of the rows, perhaps none.
  static Pass part(Source source, Grid grid, TargetTransform transform, Outside outside)
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

  /// Rows on their way into the sums.
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

    /// Few rows wait for more; many go on as they are.
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

    /// A row outside the grid, named by its column or feature.
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

  /// Fails where all targets are one value.
  static void requireVarying(Source source, long count, double low, double high) {
    if (count > 1 && low == high)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "target '%s' is constant (%s in all %,d rows), there is nothing to learn; choose another target",
              source.target().name(),
              low,
              count));
  }

  /// @param row the number of the row, 0 where it is not known
  static IllegalArgumentException notTransformable(Source source, double y, long row) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "%starget '%s' is %s, the log transform needs values > 0; use transform none, shift the target, or drop the row",
            row > 0 ? String.format(Locale.ROOT, "row %,d (data rows count from 1): ", row) : "",
            source.target().name(),
            y));
  }

  /// The rows of a source with features in place of their columns.
  record Features(Source source, FeatureMap map) implements Source {

    @Override
    public List<Column> columns() {
      return map.features(source.columns());
    }

    @Override
    public Column target() {
      return source.target();
    }

    @Override
    public void read(Sink sink) throws IOException {
      long[] before = {0};
      source.read(
          (count, x, y, weights) -> {
            double[] features = new double[count * map.outputs()];
            map.apply(x, count, features);
            for (int i = 0; i < count; i++) requireFinite(x, features, i, before[0]);
            before[0] += count;
            sink.accept(count, features, y, weights);
          });
    }

    /// Fails if an input or a feature of a row is not finite, naming the table's row.
    ///
    /// @param i the row in the arrays
    /// @param before how many rows of the table came before these arrays
    void requireFinite(double[] x, double[] features, int i, long before) {
      int d = map.inputs();
      for (int j = 0; j < d; j++)
        if (!Double.isFinite(x[i * d + j]))
          throw Points.notFinite(
              before + i + 1, "column '" + source.columns().get(j).name() + "'", x[i * d + j]);
      int k = map.outputs();
      for (int f = 0; f < k; f++)
        if (!Double.isFinite(features[i * k + f]))
          throw Points.noFeature(map, x, i, before + i + 1, f, features[i * k + f]);
    }
  }
}
