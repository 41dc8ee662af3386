package lovelace.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import lovelace.data.Column;
import lovelace.data.Dataset;

/// A map with gaps: a folder with
///
/// - `train.csv.gz`: two or three columns of places, then the target: the pixels to learn from;
/// - `test.csv.gz`: the same columns: the pixels that were held out.
///
/// A row without a target is a pixel that was not observed. It is predicted, but neither learned
/// from nor scored.
public final class MapCase {

  private static final String TRAIN = "train.csv.gz";
  private static final String TEST = "test.csv.gz";
  private static final double MOST_PIXELS = 4e6; // of a picture

  private final Dataset train;
  private final double[] places; // distinct, row-major
  private final double[] learned; // at each place; NaN if there is none
  private final int[] testPlaces; // of the rows that are scored
  private final double[] testTargets;

  private MapCase(
      Dataset train, double[] places, double[] learned, int[] testPlaces, double[] testTargets) {
    this.train = train;
    this.places = places;
    this.learned = learned;
    this.testPlaces = testPlaces;
    this.testTargets = testTargets;
  }

  public static MapCase read(Path folder) throws IOException {
    for (String name : List.of(TRAIN, TEST))
      if (!Files.isRegularFile(folder.resolve(name)))
        throw new IllegalArgumentException(
            "'%s' has no file '%s'; a map is a folder with %s (pixels to learn from) and %s (pixels held out), each two or three columns of places and then the target"
                .formatted(folder, name, TRAIN, TEST));
    NumberTable train = NumberTable.readWithGaps(folder.resolve(TRAIN));
    NumberTable test = NumberTable.readWithGaps(folder.resolve(TEST));
    int d = train.names().size() - 1;
    if (d < 2 || d > 3)
      throw new IllegalArgumentException(
          "%s must have two or three columns of places and then the target; it has %s"
              .formatted(train.file(), String.join(", ", train.names())));
    if (!test.names().equals(train.names()))
      throw new IllegalArgumentException(
          "%s must have the columns of %s, %s; it has %s"
              .formatted(
                  test.file(),
                  TRAIN,
                  String.join(", ", train.names()),
                  String.join(", ", test.names())));
    MapCase map = new Reading(train.names()).of(train, test);
    map.requirePixels(folder);
    return map;
  }

  /// Fails if the places are not pixels that can be drawn.
  private void requirePixels(Path folder) {
    int across = axis(0).length;
    int up = axis(1).length;
    if (across >= 2 && up >= 2 && (double) across * up <= MOST_PIXELS) return;
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "the places of '%s' must be pixels of a grid, 2 × 2 to %,.0f; they have %,d and %,d different values along '%s' and '%s'; round them to a grid, or use 'lovelace fit' and 'lovelace evaluate'",
            folder,
            MOST_PIXELS,
            across,
            up,
            train.columns().get(0).name(),
            train.columns().get(1).name()));
  }

  /// Collects the distinct places of both files.
  private static final class Reading {
    final List<String> names;
    final int d;
    final Map<List<Double>, Integer> found = new HashMap<>();
    final List<double[]> places = new ArrayList<>();

    Reading(List<String> names) {
      this.names = names;
      d = names.size() - 1;
    }

    MapCase of(NumberTable train, NumberTable test) {
      int[] trainPlaces = places(train);
      int[] testPlaces = places(test);
      double[] y = train.column(names.getLast());
      double[] held = test.column(names.getLast());
      double[] x = new double[places.size() * d];
      for (int i = 0; i < places.size(); i++) System.arraycopy(places.get(i), 0, x, i * d, d);
      int[] rows = observed(train, y);
      double[] inputs = new double[rows.length * d];
      double[] target = new double[rows.length];
      double[] sums = new double[places.size()];
      int[] counts = new int[places.size()];
      for (int i = 0; i < rows.length; i++) {
        int place = trainPlaces[rows[i]];
        System.arraycopy(x, place * d, inputs, i * d, d);
        target[i] = y[rows[i]];
        sums[place] += target[i];
        counts[place]++;
      }
      for (int i = 0; i < sums.length; i++) sums[i] /= counts[i]; // NaN if there is none
      int[] scored = observed(test, held);
      return new MapCase(
          Dataset.of(
              inputs,
              names.subList(0, d).stream().map(Column::of).toList(),
              target,
              Column.of(names.getLast())),
          x,
          sums,
          Arrays.stream(scored).map(i -> testPlaces[i]).toArray(),
          Arrays.stream(scored).mapToDouble(i -> held[i]).toArray());
    }

    private int[] places(NumberTable table) {
      double[][] columns = names.subList(0, d).stream().map(table::column).toArray(double[][]::new);
      int[] all = new int[columns[0].length];
      for (int i = 0; i < all.length; i++) {
        double[] place = new double[d];
        List<Double> key = new ArrayList<>(d);
        for (int j = 0; j < d; j++) {
          place[j] = columns[j][i] + 0.0; // −0 is 0
          key.add(place[j]);
        }
        Integer known = found.putIfAbsent(key, places.size());
        all[i] = known == null ? places.size() : known;
        if (known == null) places.add(place);
      }
      return all;
    }

    /// The rows that have a target.
    private int[] observed(NumberTable table, double[] target) {
      int[] rows =
          IntStream.range(0, target.length).filter(i -> !Double.isNaN(target[i])).toArray();
      if (rows.length == 0)
        throw new IllegalArgumentException(
            "%s has no row with a value of '%s'; a map needs pixels to learn from and pixels to score"
                .formatted(table.file(), names.getLast()));
      return rows;
    }
  }

  /// The rows to learn from.
  public Dataset train() {
    return train;
  }

  /// The number of different places in both files together.
  public int size() {
    return learned.length;
  }

  /// All places, row-major; not copied.
  public double[] places() {
    return places;
  }

  /// The value learned from at each place: the average if there are several, NaN if there is none;
  /// not copied.
  public double[] learned() {
    return learned;
  }

  /// The place of every row that is scored; not copied.
  public int[] testPlaces() {
    return testPlaces;
  }

  /// The targets of the rows that are scored; not copied.
  public double[] testTargets() {
    return testTargets;
  }

  /// Converts a log likelihood of the target to that of the target minus its mean and divided by
  /// its standard deviation, which does not depend on the unit: `log L + n log sd`. Mean and
  /// deviation are those of the rows to learn from, with n and not n − 1 in the denominator.
  public double standardised(double logLikelihood) {
    double[] y = train.target();
    double mean = Arrays.stream(y).average().orElseThrow();
    double squares = Arrays.stream(y).map(v -> (v - mean) * (v - mean)).sum();
    return logLikelihood + y.length * 0.5 * Math.log(squares / y.length);
  }

  /// The centres of the pixels along a column, ascending. If the places lie on a regular grid, this
  /// includes rows and columns of it that no file names.
  public double[] axis(int column) {
    int d = train.dimensions();
    double[] all = new double[size()];
    for (int i = 0; i < all.length; i++) all[i] = places[i * d + column];
    Arrays.sort(all);
    double near = 1e-6 * (all[all.length - 1] - all[0]); // rounding differences are one place
    int count = 0;
    for (double v : all) if (count == 0 || v > all[count - 1] + near) all[count++] = v;
    double step = Double.POSITIVE_INFINITY;
    for (int i = 1; i < count; i++) step = Math.min(step, all[i] - all[i - 1]);
    double[] distinct = Arrays.copyOf(all, count);
    if (count < 3) return distinct;
    double span = distinct[count - 1] - distinct[0];
    int points = (int) Math.rint(Math.min(1e6, span / step)) + 1;
    double regular = span / (points - 1);
    for (double v : distinct) {
      double at = (v - distinct[0]) / regular;
      if (Math.abs(at - Math.rint(at)) > 0.05) return distinct;
    }
    double[] middles = new double[points];
    for (int i = 0; i < points; i++) middles[i] = distinct[0] + i * regular;
    return middles;
  }

  /// Whether this is the map of land-surface temperatures of Heaton et al. (2019), whose published
  /// scores are in [PublishedScores].
  public boolean isHeaton() {
    return train.dimensions() == 2
        && train.size() == 105_569
        && axis(0).length == 500
        && axis(1).length == 300;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%,d pixels, %,d of them learned from and %,d scored",
        size(),
        train.size(),
        testTargets.length);
  }
}
