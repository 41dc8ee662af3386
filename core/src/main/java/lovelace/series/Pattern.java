package lovelace.series;

import java.util.ArrayList;
import java.util.List;
import lovelace.series.Anomalies.Kind;

/// How an anomaly changes values: 1 at one step (outlier), 1 from a step on (shift), or from a step
/// on 1 once a period and `−1/(m − 1)` otherwise (season; Kaiser and Maravall 1999).
///
/// @param kind of the anomaly
/// @param value the number of the first value that it changes
/// @param step of that value
/// @param period of a season, else 0
record Pattern(Kind kind, int value, int step, int period) {

  /// The fewest values before and after a shift.
  private static final int SIDE = 3;

  double at(int t) {
    return switch (kind) {
      case OUTLIER -> t == step ? 1 : 0;
      case SHIFT -> t >= step ? 1 : 0;
      case SEASON -> t < step ? 0 : (t - step) % period == 0 ? 1 : -1. / (period - 1);
    };
  }

  /// The patterns that values at some steps can show. A season changes after a whole period, and
  /// shows it twice.
  static List<Pattern> all(int[] steps, double... seasons) {
    int n = steps.length;
    List<Pattern> all = new ArrayList<>();
    for (int i = 0; i < n; i++) all.add(new Pattern(Kind.OUTLIER, i, steps[i], 0));
    for (int i = SIDE; i <= n - SIDE; i++) all.add(new Pattern(Kind.SHIFT, i, steps[i], 0));
    for (double season : seasons) {
      if (season != Math.rint(season)) continue;
      int m = (int) season;
      for (int i = 0; i < n; i++)
        if (steps[i] >= m && steps[i] + m <= steps[n - 1])
          all.add(new Pattern(Kind.SEASON, i, steps[i], m));
    }
    return all;
  }
}
