package lovelace.bare;

import java.util.Optional;
import lovelace.data.FeatureMap;
import lovelace.drift.DriftedPosterior;
import lovelace.drift.DriftedRows;
import lovelace.drift.Trend;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.posterior.Posterior;
import lovelace.posterior.internal.MappedRows;
import lovelace.posterior.internal.RowPosterior;
import org.jspecify.annotations.Nullable;

/// The posterior of a model without its wrappers. The process is on a lattice, or computed from
/// rows.
public final class Bare {

  private final @Nullable LatticePosterior lattice;
  private final @Nullable RowPosterior rows;
  private final @Nullable RowPosterior held; // the rows with their wrappers
  private final @Nullable DriftedPosterior drifted;
  private final @Nullable Trend trend;
  private final @Nullable FeatureMap map;

  private Bare(
      @Nullable LatticePosterior lattice,
      @Nullable RowPosterior held,
      @Nullable DriftedPosterior drifted,
      @Nullable Trend trend,
      @Nullable FeatureMap map) {
    this.lattice = lattice;
    this.rows = held == null ? null : held.inner();
    this.held = held;
    this.drifted = drifted;
    this.trend = trend;
    this.map = map;
  }

  /// Takes the wrappers off a posterior.
  public static Bare of(Posterior posterior) {
    return switch (posterior) {
      case LatticePosterior grid -> new Bare(grid, null, null, null, null);
      case MappedPosterior over -> new Bare(over.inner(), null, null, null, over.map());
      case DriftedPosterior drift ->
          new Bare(drift.lattice(), null, drift, drift.trend(), drift.map());
      case DriftedRows drift -> new Bare(null, drift, null, drift.trend(), drift.map());
      case MappedRows over -> new Bare(null, over, null, null, over.map());
      case RowPosterior rows -> new Bare(null, rows, null, null, null);
      default ->
          throw new IllegalArgumentException(
              "a model needs a posterior on a grid or one of its rows, got "
                  + posterior.getClass().getSimpleName());
    };
  }

  /// The process on its lattice, over the features; empty if it is of rows.
  public Optional<LatticePosterior> lattice() {
    return Optional.ofNullable(lattice);
  }

  /// The process of rows, over the features; empty if it is on a lattice.
  public Optional<RowPosterior> rows() {
    return Optional.ofNullable(rows);
  }

  /// The whole posterior with the rows of the table that it holds, wrappers included; empty if it
  /// is on a lattice.
  public Optional<RowPosterior> held() {
    return Optional.ofNullable(held);
  }

  /// The whole posterior on a lattice if it has a drift: the sums and nodes of the terms are there.
  public Optional<DriftedPosterior> drifted() {
    return Optional.ofNullable(drifted);
  }

  /// The coefficients of a drift.
  public Optional<Trend> trend() {
    return Optional.ofNullable(trend);
  }

  /// The map from the columns of the process to its features.
  public Optional<FeatureMap> map() {
    return Optional.ofNullable(map);
  }

  /// The process, over the features.
  public Posterior posterior() {
    return lattice != null ? lattice : onRows();
  }

  /// The process on its lattice. Fails if it is of rows.
  public LatticePosterior onLattice() {
    if (lattice == null) throw new IllegalArgumentException("the model has no lattice");
    return lattice;
  }

  /// The process of rows. Fails if it is on a lattice.
  public RowPosterior onRows() {
    if (rows == null) throw new IllegalStateException("the model holds no rows");
    return rows;
  }

  /// The parameters of the process.
  public Hyperparameters hyperparameters() {
    return lattice != null ? lattice.hyperparameters() : onRows().hyperparameters();
  }

  /// The number of observations of the process.
  public long count() {
    return lattice != null ? lattice.statistics().count() : onRows().data().size();
  }
}
