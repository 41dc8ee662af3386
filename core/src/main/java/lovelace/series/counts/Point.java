package lovelace.series.counts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// One model of the library: how what is there moves, whether zeros come by a recursion of their
/// own, and which seasons there are.
///
/// @param rate of counts; none for amounts
/// @param level the discount of the level of amounts
/// @param presence the discount of whether there is anything; 0 if the rate alone makes zeros
/// @param seasons how many of the periods have factors
record Point(Optional<Rate> rate, double level, double presence, int seasons) {

  private static final double[] LEVELS = {1, 0.99, 0.96, 0.88};

  private static final double[] SPREADS = {0, 4, 1, 0.3};

  /// Level, spread, and memory.
  private static final double[][] LASTING = {
    {1, 2, 0.9}, {1, 0.6, 0.7}, {0.99, 2, 0.9}, {0.99, 0.6, 0.7}
  };

  private static final double[] PRESENCES = {0.995, 0.97, 0.9};

  /// Level and spread of the values less 1.
  private static final double[][] SIZES = {{0.99, 0}, {0.99, 1.5}, {0.95, 0.5}};

  private static final double[] AMOUNTS = {1, 0.98, 0.92};

  /// The library for counts.
  ///
  /// @param seasons the number of periods
  static List<Point> counts(int seasons) {
    List<Point> all = new ArrayList<>();
    for (int s = 0; s <= seasons; s++) {
      for (double level : LEVELS)
        for (double spread : SPREADS)
          all.add(new Point(Optional.of(new Rate(level, spread, 0)), 0, 0, s));
      for (double[] rate : LASTING)
        all.add(new Point(Optional.of(new Rate(rate[0], rate[1], rate[2])), 0, 0, s));
      for (double presence : PRESENCES)
        for (double[] size : SIZES)
          all.add(new Point(Optional.of(new Rate(size[0], size[1], 0)), 0, presence, s));
    }
    return List.copyOf(all);
  }

  /// The library for amounts.
  static List<Point> amounts(int seasons) {
    List<Point> all = new ArrayList<>();
    for (int s = 0; s <= seasons; s++)
      for (double presence : PRESENCES)
        for (double level : AMOUNTS) all.add(new Point(Optional.empty(), level, presence, s));
    return List.copyOf(all);
  }

  /// The terms of which points are made, in an order of their own.
  private List<String> terms() {
    List<String> all = new ArrayList<>(List.of("seasons " + seasons, "presence " + presence));
    rate.ifPresentOrElse(
        r -> {
          all.add("level " + r.level());
          all.add("spread " + r.spread() + " " + r.memory());
        },
        () -> all.add("level " + level));
    return all;
  }

  /// The numbers of the terms of each point.
  static int[][] terms(List<Point> points) {
    List<String> names = points.stream().flatMap(p -> p.terms().stream()).distinct().toList();
    return points.stream()
        .map(p -> p.terms().stream().mapToInt(names::indexOf).toArray())
        .toArray(int[][]::new);
  }

  /// Starts before the first value of a series.
  Track start(Prior prior, int... periods) {
    int[] own = Arrays.copyOf(periods, seasons);
    Presence there = presence == 0 ? null : new Presence(presence, prior.there(), own);
    return rate.<Track>map(r -> new CountTrack(r, there, prior.size(), own))
        .orElseGet(() -> new AmountTrack(level, Objects.requireNonNull(there), prior.size(), own));
  }
}
