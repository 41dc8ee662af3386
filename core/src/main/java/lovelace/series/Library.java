package lovelace.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The processes among which a forecast is averaged: every [Shape] with every [Warp].
///
/// A point is a pair of the two, and point j has shape `j / warps` and warp `j % warps`. Its terms
/// (level, slope, season, warp) are numbered, so that weights can be learned for a term.
public final class Library {

  private static final double[] LEVELS = {0, .05, .2, 1, 5, 100};

  private static final List<Slope> SLOPES =
      List.of(
          Slope.NONE,
          new Slope(1, 0, .003),
          new Slope(1, 0, .02),
          new Slope(1, 0, .08),
          new Slope(1, .02, .1),
          new Slope(.9, 0, .1),
          new Slope(.8, 0, .3),
          new Slope(.6, .1, .1),
          new Slope(.85, .03, .05),
          new Slope(.9, .1, .1));

  /// Sizes of the first season, and changes a period.
  private static final double[][] SEASONS = {
    {.5, 0}, {5, 0}, {50, 0}, {.5, .03}, {5, .03}, {5, .2}
  };

  /// Logarithm, square root, and the values themselves.
  public static final List<Warp> POWERS =
      List.of(new Warp.Power(0), new Warp.Power(.5), new Warp.Power(1));

  /// The longest period whose every step has a value of its own in a short series.
  private static final double FREE = 24;

  /// The most values of a history.
  public static final int MOST = 1_008;

  private final List<Shape> shapes;
  private final List<Warp> warps;
  private final int[][] terms;
  private final int termCount;
  private final double[] seasons;
  private final double season;

  private Library(
      List<Base> bases, List<List<Season>> seasons, List<Warp> warps, double... periods) {
    this.warps = List.copyOf(warps);
    this.seasons = periods;
    season = periods.length == 0 ? 1 : periods[periods.length - 1];
    List<Shape> all = new ArrayList<>();
    List<int[]> numbered = new ArrayList<>();
    int levels = bases.stream().mapToInt(Base::levelTerm).max().orElse(0) + 1;
    int slopes = bases.stream().mapToInt(Base::slopeTerm).max().orElse(0) + 1;
    for (Base base : bases)
      for (int s = 0; s < seasons.size(); s++) {
        all.add(new Shape(base.level, base.slope, seasons.get(s), base.deviation, base.memory));
        for (int w = 0; w < warps.size(); w++)
          numbered.add(
              new int[] {
                base.levelTerm,
                levels + base.slopeTerm,
                levels + slopes + s,
                levels + slopes + seasons.size() + w
              });
      }
    shapes = List.copyOf(all);
    terms = numbered.toArray(new int[0][]);
    termCount = levels + slopes + seasons.size() + warps.size();
  }

  /// A level and a slope, or a level and deviations.
  private record Base(
      double level, Slope slope, double deviation, double memory, int levelTerm, int slopeTerm) {}

  /// The library for series with some seasons.
  ///
  /// @param seasons the periods in steps, shortest first; none for series without seasons
  /// @param warps of the values
  public static Library of(double[] seasons, List<Warp> warps) {
    if (seasons.length == 0) return new Library(trends(), List.of(List.of()), warps);
    double first = seasons[0];
    if (seasons.length == 1 && first <= FREE && first == Math.rint(first))
      return new Library(trends(), one(first), warps, seasons);
    List<Base> bases = seasons.length == 1 ? trends() : walks(seasons);
    return new Library(bases, several(seasons), warps, seasons);
  }

  /// The library of powers: values that must be positive use all, others only the values
  /// themselves.
  public static Library of(double... seasons) {
    return of(seasons, POWERS);
  }

  private static List<Base> trends() {
    List<Base> bases = new ArrayList<>();
    for (int a = 0; a < LEVELS.length; a++)
      for (int b = 0; b < SLOPES.size(); b++)
        bases.add(new Base(LEVELS[a], SLOPES.get(b), 0, 0, a, b));
    return bases;
  }

  private static List<List<Season>> one(double period) {
    List<List<Season>> seasons = new ArrayList<>();
    seasons.add(List.of());
    for (double[] s : SEASONS) seasons.add(List.of(Season.free(period, s[0], s[1])));
    return seasons;
  }

  /// Levels that walk, and deviations that fade within a part of the shortest season.
  private static List<Base> walks(double[] seasons) {
    List<Base> bases = new ArrayList<>();
    double[] levels = {.02, .2, 1, 5, 50};
    for (int a = 0; a < levels.length; a++) bases.add(new Base(levels[a], Slope.NONE, 0, 0, a, 0));
    bases.add(new Base(.2, new Slope(.9, .1, .1), 0, 0, 1, 1));
    bases.add(new Base(1, new Slope(.6, .1, .1), 0, 0, 2, 1));
    double day = Math.min(seasons[0], 24);
    for (double size : new double[] {1, 10, 100})
      for (double memory : new double[] {day / 8, day / 2, 2 * day, 8 * day})
        bases.add(new Base(.002, Slope.NONE, size, memory, levels.length, 2));
    return bases;
  }

  /// Seasons at once: each fixed, or forgotten after some periods; free values where a period is
  /// whole and short, else smooth ones.
  private static List<List<Season>> several(double[] seasons) {
    List<List<Season>> all = new ArrayList<>();
    all.add(List.of());
    double first = seasons[0];
    double[] sizes = {2, 50, 1_000};
    for (double size : sizes)
      for (double decay : new double[] {0, 10}) all.add(List.of(season(first, size, decay)));
    if (seasons.length == 1) return all;
    double second = seasons[1];
    for (double size : sizes)
      for (double decay : new double[] {0, 10}) {
        all.add(List.of(season(first, size, decay), season(second, size, 0)));
        all.add(List.of(season(first, size, decay), season(second, size, 4)));
      }
    return all;
  }

  private static Season season(double period, double size, double decay) {
    boolean whole = period == Math.rint(period) && period <= 400;
    return new Season(period, size, 0, decay, whole ? 0 : .5);
  }

  /// The periods of the seasons, shortest first.
  public double[] seasons() {
    return seasons.clone();
  }

  public List<Shape> shapes() {
    return shapes;
  }

  public List<Warp> warps() {
    return warps;
  }

  /// The number of points.
  public int size() {
    return shapes.size() * warps.size();
  }

  public Shape shape(int point) {
    return shapes.get(point / warps.size());
  }

  public Warp warp(int point) {
    return warps.get(point % warps.size());
  }

  /// The longest season in steps, 1 without one.
  public double season() {
    return season;
  }

  /// The fewest values of a history that forecasts are scored from.
  public int least() {
    return Math.max(6, (int) Math.ceil(Math.min(season, 60)) + 3);
  }

  /// The numbers of last values of a history among which those held out choose. Scale and seasons
  /// change in long histories.
  public int[] windows(int horizon) {
    double least = Math.max(150, 8. * horizon);
    if (season <= FREE) return new int[] {(int) Math.clamp(Math.max(30 * season, least), 1, MOST)};
    return Arrays.stream(new double[] {2.15, 3, 6})
        .mapToInt(periods -> (int) Math.clamp(Math.max(periods * season, 3. * horizon), 150, MOST))
        .distinct()
        .toArray();
  }

  /// The numbers of a point's terms.
  int[] terms(int point) {
    return terms[point];
  }

  int termCount() {
    return termCount;
  }
}
