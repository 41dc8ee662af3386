package lovelace.series;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import lovelace.series.Anomalies.Anomaly;
import lovelace.series.Anomalies.Kind;
import lovelace.series.state.LongParts;
import lovelace.series.state.LongPoint;
import lovelace.series.state.LongTests;
import lovelace.series.state.ShockSearch;

/// Finds outliers and shifts of a long series by the state space with the largest share, with the
/// threshold of [Auxiliary]. The largest is taken, and the search goes on with it as a column.
final class LongAnomalies {

  /// At most as many anomalies are found.
  private static final int MOST = 8;

  /// The fewest values before and after a shift.
  private static final int SIDE = 3;

  private static final double[] ENDS = {0.025, 0.975};

  private final History history;
  private final double[] given;
  private final LongPoint point;
  private final Warp warp;
  private final double centre;

  LongAnomalies(History history, double[] given, LongPoint point, Warp warp, double centre) {
    this.history = history;
    this.given = given;
    this.point = point;
    this.warp = warp;
    this.centre = centre;
  }

  Anomalies find(double rate) {
    int n = history.seen();
    List<ShockSearch.Shock> found = new ArrayList<>();
    ShockSearch search = point.shocks();
    while (found.size() < Math.min(MOST, n / 5)) {
      ShockSearch.Shock best = largest(search.tests(found), search.squares(found), found);
      if (Math.abs(best.t()) < threshold(rate, n - found.size() - 2)) break;
      found.add(best);
    }
    List<ShockSearch.Shock> joint = search.joint(found);
    while (joint.size() > 1) {
      ShockSearch.Shock least =
          joint.stream().min(Comparator.comparingDouble(s -> Math.abs(s.t()))).orElseThrow();
      if (Math.abs(least.t()) >= threshold(rate, n - joint.size() - 1)) break;
      found.remove(joint.indexOf(least));
      joint = search.joint(found);
    }
    List<Anomaly> all = new ArrayList<>(leftOut());
    LongTests rest = search.tests(found);
    for (ShockSearch.Shock shock : joint) all.add(described(shock, rest, n - joint.size() - 1));
    all.sort(Comparator.comparingInt(Anomaly::step));
    return new Anomalies(all);
  }

  private int first() {
    return given.length - history.size();
  }

  private double threshold(double rate, int nu) {
    return -StudentTable.of(nu).quantile(rate / (4. * history.seen()));
  }

  /// The pattern with the largest t that was not found before.
  private ShockSearch.Shock largest(
      LongTests tests, double squares, List<ShockSearch.Shock> found) {
    int n = history.seen();
    ShockSearch.Shock best = new ShockSearch.Shock(0, false, 0, 1, 0);
    for (int i = 0; i < n; i++) {
      int t = history.observed[i];
      for (boolean shift : new boolean[] {false, true}) {
        if (shift && (i < SIDE || i > n - SIDE)) continue;
        double e = shift ? tests.shiftError()[t] : tests.error()[t];
        double d = shift ? tests.shiftWeight()[t] : tests.weight()[t];
        if (!(d > 0) || found.stream().anyMatch(s -> s.time() == t && s.shift() == shift)) continue;
        double free = Math.max(squares - e * e / d, 1e-18) / (n - found.size() - 2);
        double size = e / Math.sqrt(d * free);
        if (Math.abs(size) > Math.abs(best.t()))
          best = new ShockSearch.Shock(t, shift, e / d, Math.sqrt(free / d), size);
      }
    }
    return best;
  }

  private Anomaly described(ShockSearch.Shock shock, LongTests rest, int nu) {
    double fit = warp.of(history.values[shock.time()]) - rest.error()[shock.time()];
    Blend size = blend(nu).difference(0, fit, -shock.size(), shock.error());
    double[] ends = size.quantiles(ENDS);
    return new Anomaly(
        shock.shift() ? Kind.SHIFT : Kind.OUTLIER,
        first() + shock.time(),
        0,
        -size.centre(),
        -ends[1],
        -ends[0],
        shock.t(),
        false);
  }

  private Blend blend(int nu) {
    return new Blend(history.scale, nu, new double[] {1}, new Warp[] {warp});
  }

  /// The values that the forecast leaves out, each beside its distribution given all that are used.
  private List<Anomaly> leftOut() {
    List<Anomaly> all = new ArrayList<>();
    boolean none = true;
    for (int s = 0; s < history.size(); s++)
      none &= Double.isNaN(given[first() + s]) || history.isObserved(s);
    if (none) return all;
    LongParts parts =
        point.parts(new int[history.covariates == null ? 0 : history.covariates.names().size()]);
    int sum = parts.place().length - 1;
    double unit = point.squares() / (history.seen() - 1);
    for (int s = 0; s < history.size(); s++) {
      double y = given[first() + s];
      if (Double.isNaN(y) || history.isObserved(s)) continue;
      double place = centre + parts.place()[sum][s];
      double spread = Math.sqrt(parts.spread()[sum][s] * parts.spread()[sum][s] + unit);
      Blend without = blend(history.seen() - 1).value(0, place, spread);
      double[] ends = without.quantiles(ENDS);
      double scaled = y / history.scale;
      double t = warp.takes(scaled) ? (warp.of(scaled) - place) / spread : Double.NaN;
      all.add(
          new Anomaly(
              Kind.OUTLIER,
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
}
