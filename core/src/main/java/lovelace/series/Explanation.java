package lovelace.series;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import lovelace.series.Anomalies.Anomaly;
import org.jspecify.annotations.Nullable;

/// The reasons for a forecast by the library. All follows from the history and the shares of the
/// points, and is computed when it is asked for.
final class Explanation implements Explained {

  /// At most as many points tell parts, fitted values and coefficients.
  private static final int POINTS = 20;

  private static final double[] ENDS = {0.025, 0.975};

  private final Library library;
  private final History history;
  private final double[] given;
  private final double[] shares;
  private final Calibration calibration;
  private final int horizon;

  /// @param given all values, those before the history and those left out of it among them
  Explanation(
      Library library,
      History history,
      double[] given,
      double[] shares,
      Calibration calibration,
      int horizon) {
    this.library = library;
    this.history = history;
    this.given = given;
    this.shares = shares;
    this.calibration = calibration;
    this.horizon = horizon;
  }

  /// The step of the first value of the history.
  private int first() {
    return given.length - history.size();
  }

  /// The columns that the forecast uses; null without.
  private @Nullable Covariates columns() {
    return history.covariates == null ? null : history.covariates.varying(history.size());
  }

  @Override
  public Components components(UnaryOperator<String> group, double... levels) {
    Covariates used = columns();
    Covariates columns = used == null ? null : used.centred(history.observed);
    List<PointFit> points = PointFit.of(library, history, shares, POINTS, columns);
    return Decomposition.of(library, history, first(), horizon, points, columns, group, levels);
  }

  @Override
  public Fitted fitted(double... levels) {
    return OneStep.of(
        history,
        first(),
        PointFit.of(library, history, shares, POINTS, columns()),
        calibration,
        horizon,
        levels);
  }

  @Override
  public Anomalies anomalies(double rate) {
    List<PointFit> points =
        PointFit.of(library, history, shares, Auxiliary.points(history.seen()), columns());
    List<Anomaly> all = new ArrayList<>(leftOut(points));
    all.addAll(Auxiliary.find(library, history, first(), points, rate));
    all.sort(Comparator.comparingInt(Anomaly::step));
    return new Anomalies(all);
  }

  /// The values that the forecast leaves out, each beside its distribution given all that are used.
  private List<Anomaly> leftOut(List<PointFit> points) {
    List<Anomaly> all = new ArrayList<>();
    for (int s = 0; s < history.size(); s++) {
      double y = given[first() + s];
      if (Double.isNaN(y) || history.isObserved(s)) continue;
      Blend without = new Blend(history.scale, history.seen() - 1, points);
      double t = 0;
      for (int p = 0; p < points.size(); p++) t += deviation(points.get(p), p, s, y, without);
      double[] ends = without.quantiles(ENDS);
      all.add(
          new Anomaly(
              Anomalies.Kind.OUTLIER,
              first() + s,
              0,
              y - without.centre(),
              y - ends[1],
              y - ends[0],
              t,
              true));
    }
    return all;
  }

  /// Sets what a point makes of a step from all values that are used, and returns its share of t.
  private double deviation(PointFit point, int p, int step, double y, Blend without) {
    double[] at = point.between(history, step);
    without.value(p, at[0], at[1]);
    return point.share * point.distance(y / history.scale, at[0], at[1]);
  }

  @Override
  public Coefficients coefficients(double... levels) {
    Covariates columns = columns();
    if (columns == null) return new Coefficients(Double.NaN, List.of());
    return Effects.of(
        history, PointFit.of(library, history, shares, POINTS, columns), columns, levels);
  }
}
