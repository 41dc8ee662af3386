package lovelace.experiments;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import lovelace.data.Column;
import lovelace.plot.PixelMap;

/// Draws the pictures of a map with gaps.
final class MapPicture {

  private final MapBenchmark run;
  private final MapCase map;
  private final int dimensions;
  private final double[] xs;
  private final double[] ys;
  private final double[] levels; // of a third column
  private final int slice; // the level that is drawn

  MapPicture(MapBenchmark run) {
    this.run = run;
    map = run.map();
    dimensions = map.train().dimensions();
    xs = map.axis(0);
    ys = map.axis(1);
    levels = dimensions == 3 ? map.axis(2) : new double[] {0};
    int[] counts = new int[levels.length];
    for (int place : map.testPlaces()) counts[level(place)]++;
    slice = IntStream.range(0, counts.length).reduce(0, (a, b) -> counts[b] > counts[a] ? b : a);
  }

  PixelMap titled(String title) {
    double[] learned = gaps();
    double[] means = gaps();
    double[] deviations = gaps();
    double[] errors = gaps();
    for (int i = 0; i < map.size(); i++) {
      if (level(i) != slice) continue;
      int pixel = pixel(i);
      learned[pixel] = map.learned()[i];
      means[pixel] = run.predictions().mean(i);
      deviations[pixel] = run.predictions().deviation(i);
    }
    for (int i = 0; i < map.testPlaces().length; i++) {
      int place = map.testPlaces()[i];
      if (level(place) == slice)
        errors[pixel(place)] = run.predictions().mean(place) - map.testTargets()[i];
    }
    String target = map.train().targetColumn().label();
    return PixelMap.titled(title)
        .subtitle(subtitle())
        .labels(column(0).label(), column(1).label())
        .grid(xs, ys)
        .values(target + ", learned from", learned)
        .values(target + ", mean", means)
        .doubts(target + ", standard deviation of an observation", deviations)
        .differences(target + ", error where held out: mean less observed", errors);
  }

  private String subtitle() {
    String where =
        dimensions == 3 ? ", shown at %s = %s".formatted(column(2).name(), levels[slice]) : "";
    return String.format(
        Locale.ROOT,
        "%s%s; RMSE %.4g, 95 %% intervals hold %.1f %%; grey pixels have no value",
        map,
        where,
        run.scores().rmse(),
        100 * run.scores().coverage(0.95));
  }

  private Column column(int j) {
    return map.train().columns().get(j);
  }

  private double[] gaps() {
    double[] all = new double[xs.length * ys.length];
    Arrays.fill(all, Double.NaN);
    return all;
  }

  private int level(int place) {
    return dimensions < 3 ? 0 : nearest(levels, map.places()[place * dimensions + 2]);
  }

  private int pixel(int place) {
    double[] p = map.places();
    return nearest(xs, p[place * dimensions]) * ys.length + nearest(ys, p[place * dimensions + 1]);
  }

  private static int nearest(double[] ascending, double value) {
    int at = Arrays.binarySearch(ascending, value);
    if (at >= 0) return at;
    int above = -at - 1;
    if (above == 0) return 0;
    if (above == ascending.length) return above - 1;
    return value - ascending[above - 1] <= ascending[above] - value ? above - 1 : above;
  }
}
