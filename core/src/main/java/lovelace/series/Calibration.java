package lovelace.series;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import lovelace.linear.Gaussian;

/// How much wider or narrower intervals must be so that they hold, learned from values that were
/// held out of all series.
///
/// For a value with distribution function u, `z = Φ⁻¹(u)`. Each part of the horizon has a factor at
/// the sizes of z that should be exceeded by half, a fifth and a twentieth of the values; between
/// them the map is linear. Medians stay.
///
/// Values of one time are high or low together, however many series a table has. So what was found
/// counts for half at most, and for less where series are few. The rest are the factors of
/// [#START].
///
/// Two are equal only if they are the same object.
public final class Calibration {

  /// Leaves every forecast as it is.
  public static final Calibration NONE = new Calibration(new double[][] {{1, 1, 1}});

  private static final double[] LEVELS = {0.5, 0.8, 0.95};
  private static final int PARTS = 3;

  /// The logarithm of the factors of each part after the first, before anything is learned. Chosen
  /// on values held out of yearly and quarterly series.
  private static final double LATER = 0.05;

  /// The factors before anything is learned: later steps are less certain than processes say.
  public static final Calibration START =
      new Calibration(
          IntStream.range(0, PARTS)
              .mapToObj(part -> DoubleStream.generate(() -> start(part)).limit(3).toArray())
              .toArray(double[][]::new));

  /// The most that found factors count.
  private static final double MOST = 0.5;

  /// The number of series whose word is worth half of the most.
  private static final double PRIOR_SERIES = 20;

  /// The size of z that a level asks for.
  private static final double[] SIZES =
      Arrays.stream(LEVELS).map(level -> Gaussian.quantile(0.5 + level / 2)).toArray();

  private final double[][] factors;

  /// The levels that were asked last: most forecasts are asked for the same quantiles.
  private volatile Looked last = new Looked(new double[0], new double[0][]);

  /// @param factors by part of the horizon, then level; each at least 0
  public Calibration(double[][] factors) {
    this.factors = Arrays.stream(factors).map(double[]::clone).toArray(double[][]::new);
  }

  /// The factors by part of the horizon, then level.
  public double[][] factors() {
    return Arrays.stream(factors).map(double[]::clone).toArray(double[][]::new);
  }

  /// Levels, and by part of the horizon those of the mixture at which to look.
  @SuppressWarnings("ArrayRecordComponent")
  private record Looked(double[] levels, double[][] byPart) {}

  /// Learns from the distribution functions at values held out of series, by series and step; NaN
  /// in gaps.
  public static Calibration of(List<double[]> shares) {
    int steps = shares.stream().mapToInt(u -> u.length).max().orElse(0);
    if (steps == 0) return START;
    int parts = Math.min(PARTS, steps);
    double[][] factors = new double[parts][LEVELS.length];
    for (int part = 0; part < parts; part++) {
      int from = first(part, parts, steps);
      int to = first(part + 1, parts, steps);
      double[] sizes =
          shares.stream()
              .flatMapToDouble(
                  u -> Arrays.stream(u, Math.min(from, u.length), Math.min(to, u.length)))
              .filter(u -> !Double.isNaN(u))
              .map(u -> Math.abs(Gaussian.quantile(Math.clamp(u, 1e-9, 1 - 1e-9))))
              .sorted()
              .toArray();
      double trust = MOST * shares.size() / (shares.size() + PRIOR_SERIES);
      double before = 0;
      for (int l = 0; l < LEVELS.length; l++) {
        double wanted = SIZES[l];
        double found = sizes.length == 0 ? wanted : at(sizes, LEVELS[l]);
        double factor =
            Math.pow(start(part), 1 - trust) * Math.pow(Math.clamp(found / wanted, 0.2, 5), trust);
        factors[part][l] = Math.max(factor, 1.01 * before / wanted); // sizes ascend
        before = factors[part][l] * wanted;
      }
    }
    return new Calibration(factors);
  }

  private static double start(int part) {
    return Math.exp(LATER * part);
  }

  private static double at(double[] sorted, double level) {
    double place = level * (sorted.length - 1);
    int i = Math.min((int) place, sorted.length - 1);
    int j = Math.min(i + 1, sorted.length - 1);
    return sorted[i] + (place - i) * (sorted[j] - sorted[i]);
  }

  /// The level of the mixture at which to look for a quantile.
  public double level(int step, int steps, double level) {
    return level(factors[part(step, steps)], level);
  }

  private static double level(double[] factor, double level) {
    double z = Gaussian.quantile(level);
    return Gaussian.cdf(Math.copySign(map(factor, Math.abs(z), false), z));
  }

  /// The levels of the mixture at which to look for some quantiles.
  double[] levels(int step, int steps, double... levels) {
    Looked known = last;
    if (!Arrays.equals(known.levels, levels)) {
      double[][] byPart = new double[factors.length][];
      for (int part = 0; part < byPart.length; part++) {
        double[] factor = factors[part];
        byPart[part] = Arrays.stream(levels).map(level -> level(factor, level)).toArray();
      }
      last = known = new Looked(levels.clone(), byPart);
    }
    return known.byPart[part(step, steps)];
  }

  /// The calibrated distribution function from the mixture's.
  public double share(int step, int steps, double u) {
    double z = Gaussian.quantile(Math.clamp(u, 1e-15, 1 - 1e-15));
    return Gaussian.cdf(Math.copySign(map(factors[part(step, steps)], Math.abs(z), true), z));
  }

  /// The first step of a part of the horizon, as [#part] cuts it.
  private static int first(int part, int parts, int steps) {
    return (part * steps + parts - 1) / parts;
  }

  private int part(int step, int steps) {
    return Math.min(step * factors.length / steps, factors.length - 1);
  }

  private static double map(double[] factor, double size, boolean back) {
    double x0 = 0;
    double y0 = 0;
    for (int l = 0; l < LEVELS.length; l++) {
      double x1 = SIZES[l];
      double y1 = factor[l] * x1;
      double from = back ? y0 : x0;
      double to = back ? y1 : x1;
      if (size <= to || l == LEVELS.length - 1) {
        double base = back ? x0 : y0;
        double slope = back ? (x1 - x0) / (y1 - y0) : (y1 - y0) / (x1 - x0);
        if (size > to) return size * (back ? 1 / factor[l] : factor[l]);
        return base + (size - from) * slope;
      }
      x0 = x1;
      y0 = y1;
    }
    throw new IllegalStateException("no levels");
  }
}
