package lovelace.way;

import lovelace.drift.DriftStatistics;
import lovelace.statistics.GridStatistics;

/// The sums of rows with a linear mean: of the residuals of an estimate of the coefficients, on a
/// grid, and of the terms.
///
/// @param estimate from which the residuals are formed
public record KeptTrend(
    DriftStatistics statistics, Estimate estimate, double logJacobian, long fingerprint)
    implements Kept<KeptTrend> {

  @Override
  public String name() {
    return "the statistics on the same grid";
  }

  @Override
  public long count() {
    return statistics.residual().count();
  }

  @Override
  public KeptTrend plus(KeptTrend other) {
    return with(
        statistics.plus(other.about(this).statistics, 1),
        logJacobian + other.logJacobian,
        fingerprint + other.fingerprint);
  }

  @Override
  public KeptTrend minus(KeptTrend other) {
    DriftStatistics left = statistics.plus(other.about(this).statistics, -1);
    Kept.requireSome(left.residual().count(), other.count(), "rows");
    return with(left, logJacobian - other.logJacobian, fingerprint - other.fingerprint);
  }

  @Override
  public KeptTrend shifted(double[] by, KeptTrend like, Pair names) {
    GridStatistics residual =
        (GridStatistics)
            KeptSums.shifted(statistics.residual(), by, like.statistics.residual(), names);
    return new KeptTrend(
            statistics.on(residual),
            new Estimate(estimate.terms().shifted(by), estimate.values()),
            logJacobian,
            fingerprint)
        .about(like);
  }

  /// The same sums for the residuals of the other's estimate.
  private KeptTrend about(KeptTrend other) {
    Estimate to = other.estimate;
    if (estimate.isLike(to)) return this;
    DriftStatistics moved =
        statistics.about(estimate.terms(), estimate.values(), to.terms(), to.values());
    return new KeptTrend(moved, to, logJacobian, fingerprint);
  }

  /// The same with other sums for the same estimate.
  private KeptTrend with(DriftStatistics other, double jacobian, long print) {
    return new KeptTrend(other, estimate, jacobian, print);
  }
}
