package lovelace.series;

import java.util.stream.IntStream;

/// The forecast of one series: for each step a mixture of Student's t, each on the scale of its
/// warp.
///
/// Its quantiles are those of the mixture's distribution function, by safeguarded Newton steps on
/// the scale of log odds.
public final class Mixture {

  private final int steps;
  private final double scale;
  private final StudentTable table;
  private final double[] share;
  private final Warp[] warp;
  private final double[] place; // by step, then component
  private final double[] spread;
  private final double low;
  private final double high;

  /// Where components with another warp begin, and their number at the end.
  private final int[] runs;

  /// A mixture.
  ///
  /// @param scale the values are divided by it
  /// @param nu degrees of freedom of all components
  /// @param bounds the smallest and the largest value, divided by the scale, that is ever forecast
  Mixture(
      int steps,
      double scale,
      int nu,
      double[] share,
      Warp[] warp,
      double[] place,
      double[] spread,
      double... bounds) {
    this.steps = steps;
    this.scale = scale;
    table = StudentTable.of(nu);
    this.share = share;
    this.warp = warp;
    this.place = place;
    this.spread = spread;
    low = bounds[0];
    high = bounds[1];
    runs =
        IntStream.rangeClosed(0, warp.length)
            .filter(c -> c == 0 || c == warp.length || !warp[c].equals(warp[c - 1]))
            .toArray();
  }

  public int steps() {
    return steps;
  }

  /// P(value ≤ y) at a step.
  public double cdf(int step, double y) {
    return scaledCdf(step, y / scale);
  }

  private double scaledCdf(int step, double y) {
    return at(step, y)[0];
  }

  /// The distribution function and the density of values divided by the scale.
  private double[] at(int step, double y) {
    double[] sums = new double[2];
    int offset = step * share.length;
    for (int r = 0; r + 1 < runs.length; r++) {
      Warp w = warp[runs[r]];
      if (w.takes(y)) {
        double[] run = new double[2];
        table.add(w.of(y), share, place, spread, offset, runs[r], runs[r + 1], run);
        sums[0] += run[0];
        sums[1] += run[1] == 0 ? 0 : run[1] * Math.exp(w.logSlope(y));
      } else if (w.isBelow(y)) {
        for (int c = runs[r]; c < runs[r + 1]; c++) sums[0] += share[c];
      }
    }
    return sums;
  }

  /// The quantiles at a step.
  ///
  /// @param levels ascending, between 0 and 1
  public double[] quantiles(int step, double... levels) {
    int count = levels.length;
    double[] result = new double[count];
    if (count == 0) return result;
    Search search = new Search(step, ends(step, levels));
    int middle = 0;
    for (int i = 1; i < count; i++)
      if (Math.abs(levels[i] - 0.5) < Math.abs(levels[middle] - 0.5)) middle = i;
    // From the middle outwards: each search begins at the quantile before.
    for (int i = middle; i < count; i++) result[i] = search.root(levels[i]);
    search.back();
    for (int i = middle - 1; i >= 0; i--) result[i] = search.root(levels[i]);
    for (int i = 1; i < count; i++) result[i] = Math.max(result[i], result[i - 1]);
    for (int i = 0; i < count; i++) result[i] *= scale;
    return result;
  }

  /// A draw of the mixture, moved to where the calibrated distribution has the same share.
  double moved(int step, double y, Calibration calibration) {
    double bounded = scale * Math.clamp(y / scale, low, high);
    if (calibration.equals(Calibration.NONE)) return bounded;
    double u = Math.clamp(cdf(step, bounded), 1e-6, 1 - 1e-6);
    return quantiles(step, calibration.level(step, steps, u))[0];
  }

  /// Places outside of which no component has one of the levels, within the bounds, and one
  /// between.
  private double[] ends(int step, double[] levels) {
    double a = Double.POSITIVE_INFINITY;
    double b = Double.NEGATIVE_INFINITY;
    double most = Math.max(levels[levels.length - 1], 1 - levels[0]);
    double far = Math.max(table.quantile(Math.max(most, 0.9999)), 4);
    int offset = step * share.length;
    double middle = 0;
    double largest = -1;
    for (int r = 0; r + 1 < runs.length; r++) {
      double least = Double.POSITIVE_INFINITY;
      double greatest = Double.NEGATIVE_INFINITY;
      double all = 0;
      double places = 0;
      for (int c = runs[r]; c < runs[r + 1]; c++) {
        int at = offset + c;
        least = Math.min(least, place[at] - far * spread[at]);
        greatest = Math.max(greatest, place[at] + far * spread[at]);
        all += share[c];
        places += share[c] * place[at];
      }
      Warp w = warp[runs[r]];
      a = Math.min(a, w.back(least));
      b = Math.max(b, w.back(greatest));
      if (all > largest) {
        largest = all;
        middle = w.back(places / all);
      }
    }
    a = Math.clamp(a, low, high);
    b = Math.clamp(b, a, high);
    return new double[] {a, b, Math.clamp(middle, a, b)};
  }

  /// The search for the quantiles of one step. It remembers the last place.
  private final class Search {

    /// From here, Newton's step ends within 1e-7. Near 0 and 1 the size of the tail counts too.
    private static final double NEAR = 3e-6;

    private final int step;
    private final double from;
    private final double to;
    private final double fromP;
    private final double toP;
    private final double[] first;
    private double x;
    private double[] here;

    /// The log odds and the slope of their inverse at the quantile before; none at first.
    private double odds;
    private double slope = Double.NaN;

    Search(int step, double[] ends) {
      this.step = step;
      from = ends[0];
      to = ends[1];
      fromP = at(step, from)[0];
      toP = at(step, to)[0];
      x = ends[2];
      here = at(step, x);
      first = new double[] {x, here[0], here[1]};
    }

    /// Goes back to the first place.
    void back() {
      x = first[0];
      here = new double[] {first[1], first[2]};
      slope = Double.NaN;
    }

    /// The place where the distribution function is p, or the end beyond which it lies. Falls back
    /// to halving whenever a step leaves the bracket or shrinks it too little.
    double root(double p) {
      if (p <= fromP) return from;
      if (p >= toP) return to;
      double a = from;
      double b = to;
      double near = Math.min(NEAR, 1e-2 * Math.min(p, 1 - p));
      double bend = bend(p);
      for (int i = 0; i < 200; i++) {
        double f = here[0];
        if (f < p) a = Math.max(a, x);
        else b = Math.min(b, x);
        double next = x + newton(p, f, here[1]) + (i == 0 ? bend : 0);
        boolean inside = next > a && next < b;
        if (Math.abs(f - p) < near) return inside || f == p ? next(next, a, b) : x;
        if (b - a <= 1e-13 * Math.max(Math.abs(a), Math.abs(b))) return x;
        if (!inside || i % 8 == 7) next = halfway(a, b);
        if (next == a || next == b) return next;
        x = next;
        here = at(step, x);
      }
      return x;
    }

    /// How far the inverse of the log odds bends away from Newton's first step towards p, as its
    /// slopes here and at the quantile before tell. 0 if that is not known or no small correction.
    private double bend(double p) {
      double f = here[0];
      double both = f * (1 - f);
      double oddsHere = Math.log(f / (1 - f));
      double slopeHere = both / here[1];
      double way = Math.log(p / (1 - p)) - oddsHere;
      double bend = 0.5 * way * way * (slopeHere - slope) / (oddsHere - odds);
      odds = oddsHere;
      slope = slopeHere;
      return Math.abs(bend) < 0.3 * Math.abs(way * slopeHere) ? bend : 0;
    }

    private double next(double next, double a, double b) {
      return Double.isNaN(next) ? x : Math.clamp(next, a, b);
    }

    /// Newton's step for the logarithm of the odds, which is nearly straight.
    private static double newton(double p, double f, double density) {
      double both = f * (1 - f);
      return both <= 0 || density <= 0
          ? Double.NaN
          : (Math.log(p / (1 - p)) - Math.log(f / (1 - f))) * both / density;
    }

    private static double halfway(double a, double b) {
      return a > 0 && b > 10 * a ? Math.sqrt(a) * Math.sqrt(b) : a + 0.5 * (b - a);
    }
  }
}
