package lovelace.source;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.grid.Grid;
import lovelace.source.internal.Pass;
import lovelace.statistics.GridStatistics;

/// Everything that a fit on a grid needs to know about some of its rows. The sums of the parts of a
/// table add up to those of the table, wherever the parts are read. The order affects only
/// rounding. Immutable.
public final class Sums {

  private final GridStatistics statistics;
  private final double logJacobian;
  private final long fingerprint;
  private final double low;
  private final double high;

  private Sums(
      GridStatistics statistics, double logJacobian, long fingerprint, double low, double high) {
    this.statistics = statistics;
    this.logJacobian = logJacobian;
    this.fingerprint = fingerprint;
    this.low = low;
    this.high = high;
  }

  /// The sums of no rows.
  public static Sums empty(Grid grid) {
    return new Sums(
        GridStatistics.empty(grid), 0, 0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
  }

  /// The sums of a part's rows. The part is read once and may be empty.
  public static Sums of(Source part, Grid grid, TargetTransform transform, Outside outside)
      throws IOException {
    Pass pass = Pass.part(part, grid, transform, outside);
    return new Sums(
        (GridStatistics) pass.statistics(),
        pass.logJacobian(),
        pass.fingerprint(),
        pass.low(),
        pass.high());
  }

  /// The sums of the rows of both.
  public Sums plus(Sums other) {
    return new Sums(
        statistics.plus(other.statistics),
        logJacobian + other.logJacobian,
        fingerprint + other.fingerprint,
        Math.min(low, other.low),
        Math.max(high, other.high));
  }

  public GridStatistics statistics() {
    return statistics;
  }

  /// `Σ log |dz/dy|` of the target's transform.
  public double logJacobian() {
    return logJacobian;
  }

  /// The fingerprint of the rows.
  public long fingerprint() {
    return fingerprint;
  }

  /// The smallest target.
  public double low() {
    return low;
  }

  /// The largest target.
  public double high() {
    return high;
  }

  /// Writes the sums, to be read by another process of the same version.
  public void write(DataOutput out) throws IOException {
    statistics.write(out);
    out.writeDouble(logJacobian);
    out.writeLong(fingerprint);
    out.writeDouble(low);
    out.writeDouble(high);
  }

  /// Reads sums that [#write] wrote.
  public static Sums read(DataInput in) throws IOException {
    return new Sums(
        GridStatistics.read(in), in.readDouble(), in.readLong(), in.readDouble(), in.readDouble());
  }
}
