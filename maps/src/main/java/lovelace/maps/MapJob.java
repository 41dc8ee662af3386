package lovelace.maps;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import lovelace.Model;
import lovelace.data.FeatureMap;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.linear.Parallel;
import lovelace.posterior.Prediction;
import org.jspecify.annotations.Nullable;

/// Computes the pixels of a map. A pixel's values depend only on its place, so tiles of any size,
/// computed on any number of threads, have the same bits as the whole. Safe to share between
/// threads.
public final class MapJob {

  /// The number of pixels that are computed together. They are few, so that they fit into a
  /// processor's cache and leave little garbage.
  private static final int TOGETHER = 4_096;

  /// The quantities of a map.
  ///
  /// @param of the function, the rate, the probability, or observations
  /// @param bands the quantities, for each time
  /// @param times the times; for a model without times, one that has no meaning
  /// @param covariates the columns that come from rasters
  /// @param mask the map has no value where the mask is 0 or has none; null for no mask
  /// @param inside whether pixels beyond the model's grid have no value
  /// @param seed of the draws
  public record Asked(
      Of of,
      List<MapBand> bands,
      List<TimeSteps.Step> times,
      Map<String, Layer> covariates,
      @Nullable Layer mask,
      boolean inside,
      long seed) {}

  private final Model model;
  private final @Nullable FeatureMap map;
  private final MapColumns columns;
  private final Frame frame;
  private final Crs.@Nullable Transform toModel;
  private final Asked asked;
  private final List<Layer> layers = new ArrayList<>();
  private final MapDraws draws;
  private final LongAdder outside = new LongAdder();
  private final LongAdder uncovered = new LongAdder();
  private final LongAdder empty = new LongAdder();
  private final @Nullable Unseen unseen;
  private final LongAdder far = new LongAdder();

  private MapJob(
      Model model, MapColumns columns, Frame frame, Crs.@Nullable Transform toModel, Asked asked) {
    this.model = model;
    map = model.map().orElse(null);
    unseen = Unseen.of(model, asked.of()).orElse(null);
    this.columns = columns;
    this.frame = frame;
    this.toModel = toModel;
    this.asked = asked;
    for (int j : columns.covariates()) {
      Layer layer = asked.covariates().get(model.columns().get(j).name());
      if (layer == null) throw new IllegalStateException("a covariate has no layer");
      layers.add(layer);
    }
    draws = MapDraws.of(this);
  }

  /// A map of a model.
  ///
  /// @param crs the coordinate system of the model's coordinates, if it is known
  public static MapJob of(
      Model model, MapColumns columns, Frame frame, Optional<Crs> crs, Asked asked) {
    Crs.Transform transform = null;
    if (crs.isPresent() && frame.crs().isPresent() && !crs.get().equals(frame.crs().get()))
      transform = frame.crs().get().to(crs.get());
    return new MapJob(model, columns, frame, transform, asked);
  }

  Model model() {
    return model;
  }

  /// The quantities that it computes.
  public Asked asked() {
    return asked;
  }

  /// Its pixels.
  public Frame frame() {
    return frame;
  }

  /// The number of bands: the quantities, for each time.
  public int bands() {
    return asked.bands().size() * asked.times().size();
  }

  /// A description of each band, with its time if the map has times.
  public List<String> descriptions(String label) {
    List<String> all = new ArrayList<>();
    for (TimeSteps.Step time : asked.times())
      for (MapBand band : asked.bands())
        all.add(
            (time.label().isEmpty() ? "" : time.label() + ": ") + band.describe(label, exceeded()));
    return all;
  }

  /// The quantity whose probability of exceeding is computed. If the likelihood is not Gaussian, a
  /// rate or probability has a distribution of its own, which is not that of the target.
  public String exceeded() {
    String target = model.target().name();
    Likelihood likelihood = model.likelihood();
    return switch (asked.of()) {
      case PROBABILITY -> "probability of " + target;
      case RATE ->
          (model.window().isPresent()
                  ? "intensity of "
                  : likelihood.size() == Likelihood.Size.EXPOSURE ? "rate of " : "mean of ")
              + target;
      case FUNCTION -> likelihood.usual() != Of.FUNCTION ? "latent function of " + target : target;
      case OBSERVATION -> "an observation of " + target;
    };
  }

  /// The number of pixels so far beyond the model's grid, at any of the times.
  public long outside() {
    return outside.sum();
  }

  /// The number of pixels so far without a row near, at any of the times, if the model holds its
  /// rows.
  public long far() {
    return far.sum();
  }

  /// The number of pixels so far without a value of some covariate.
  public long uncovered() {
    return uncovered.sum();
  }

  /// The number of pixels so far without values, for any reason.
  public long empty() {
    return empty.sum();
  }

  /// The pixels of a rectangle that can have values.
  static final class Points {
    private final int[] places;
    private final double[] columns;

    private Points(int[] places, double[] columns) {
      this.places = places;
      this.columns = columns;
    }

    /// The positions of the pixels in the rectangle, row by row.
    int[] places() {
      return places;
    }

    /// The model's columns at each, row-major, with time 0.
    double[] columns() {
      return columns;
    }
  }

  /// The values of a rectangle of pixels for each band. Its rows are `stride` apart. NaN means no
  /// value; outside the rectangle there are none.
  public float[][] tile(int column, int row, int width, int height, int stride) {
    float[][] out = new float[bands()][stride * Math.max(height, 1)];
    for (float[] band : out) Arrays.fill(band, Float.NaN);
    tile(column, row, width, height, stride, out);
    return out;
  }

  /// Like [#tile(int, int, int, int, int)], into arrays that hold NaN.
  public void tile(int column, int row, int width, int height, int stride, float[][] out) {
    int rows = Math.max(1, TOGETHER / Math.max(1, width));
    for (int done = 0; done < height; done += rows)
      rows(
          column,
          row + done,
          width,
          Math.min(rows, height - done),
          stride,
          done * stride,
          out,
          true);
  }

  /// Measures the pixels per second. It computes one strip in the middle of the map once on each of
  /// some threads, without counting its pixels. The first computation is slower than later ones,
  /// unless it takes long.
  public double rate(int threads) {
    int width = Math.min(frame.width(), RasterWriter.TILE);
    int height = Math.min(frame.height(), Math.max(1, TOGETHER / width));
    int column = (frame.width() - width) / 2;
    int row = (frame.height() - height) / 2;
    long start = System.nanoTime();
    Parallel.forEach(
        threads,
        i -> rows(column, row, width, height, width, 0, new float[bands()][width * height], false));
    return (double) threads * width * height / ((System.nanoTime() - start) * 1e-9);
  }

  /// Computes some rows of a tile, which begin at a position of `out`.
  private void rows(
      int column,
      int row,
      int width,
      int height,
      int stride,
      int start,
      float[][] out,
      boolean counted) {
    Points at = points(column, row, width, height, counted);
    int n = at.places.length;
    boolean[] beyond = new boolean[n];
    boolean[] valued = new boolean[n];
    boolean[] alone = new boolean[n];
    for (int t = 0; t < asked.times().size(); t++) {
      if (n == 0) break;
      double[] points = timed(at.columns, t);
      Prediction prediction = pointwise() ? predict(points) : null;
      if (prediction != null && unseen != null)
        for (int i = 0; i < n; i++) alone[i] |= unseen.at(prediction, i);
      for (int b = 0; b < asked.bands().size(); b++) {
        float[] band = out[t * asked.bands().size() + b];
        MapBand quantity = asked.bands().get(b);
        double[] drawn =
            quantity instanceof MapBand.Draw draw
                ? draws.at(draw, t, points, at.places, column, row, width)
                : null;
        for (int i = 0; i < n; i++) {
          boolean out1 = prediction != null && prediction.outside(i);
          beyond[i] |= out1;
          if (out1 && asked.inside()) continue;
          int place = start + at.places[i] / width * stride + at.places[i] % width;
          double value =
              drawn != null
                  ? drawn[i]
                  : ((MapBand.Pointwise) quantity).of(Objects.requireNonNull(prediction), i);
          band[place] = (float) value;
          valued[i] |= Double.isFinite(value);
        }
      }
    }
    if (!counted) return;
    int lying = 0;
    int lonely = 0;
    int without = width * height - n;
    for (int i = 0; i < n; i++) {
      if (beyond[i]) lying++;
      if (alone[i]) lonely++;
      if (!valued[i]) without++;
    }
    outside.add(lying);
    far.add(lonely);
    empty.add(without);
  }

  private boolean pointwise() {
    return asked.inside() || asked.bands().stream().anyMatch(MapBand.Pointwise.class::isInstance);
  }

  private Prediction predict(double[] points) {
    Likelihood likelihood = model.likelihood();
    if (asked.of() == Of.OBSERVATION && likelihood.size() == Likelihood.Size.PRECISION)
      throw new IllegalArgumentException(
          "this model needs the noise of each row, and a pixel has none; leave out --of observation");
    return model.predict(points, asked.of(), new double[0]);
  }

  /// The points with their time.
  double[] timed(double[] points, int t) {
    if (columns.time() < 0) return points;
    int d = model.columns().size();
    double[] timed = points.clone();
    double value = asked.times().get(t).value();
    for (int i = columns.time(); i < timed.length; i += d) timed[i] = value;
    // a column that the mean reads as well
    String name = model.columns().get(columns.time()).name();
    for (int j = 0; j < d; j++)
      if (j != columns.time() && model.columns().get(j).name().equals(name))
        for (int i = 0; i < timed.length; i += d) timed[i + j] = value;
    return timed;
  }

  /// The points of a rectangle of pixels that are not masked and have all covariates.
  Points points(int column, int row, int width, int height, boolean counted) {
    int n = width * height;
    double[] xy = new double[2 * n];
    for (int j = 0; j < height; j++)
      for (int i = 0; i < width; i++) {
        xy[2 * (j * width + i)] = frame.x(column + i);
        xy[2 * (j * width + i) + 1] = frame.y(row + j);
      }
    double[][] values = new double[layers.size()][];
    boolean[] kept = new boolean[n];
    Arrays.fill(kept, true);
    if (asked.mask() != null) {
      double[] mask = asked.mask().at(xy);
      for (int i = 0; i < n; i++) kept[i] = Double.isFinite(mask[i]) && mask[i] != 0;
    }
    int lacking = 0;
    for (int k = 0; k < values.length; k++) values[k] = layers.get(k).at(xy);
    for (int i = 0; i < n; i++) {
      if (!kept[i]) continue;
      for (double[] own : values) kept[i] &= Double.isFinite(own[i]);
      if (!kept[i]) lacking++;
    }
    if (counted) uncovered.add(lacking);
    if (toModel != null) toModel.apply(xy, n);
    int[] places = new int[n];
    int size = 0;
    for (int i = 0; i < n; i++)
      if (kept[i] && Double.isFinite(xy[2 * i] + xy[2 * i + 1])) places[size++] = i;
    return possible(Arrays.copyOf(places, size), xy, values);
  }

  /// The places that the model can predict. Those half a world away are left out.
  private Points possible(int[] places, double[] xy, double[][] values) {
    double[] all = filled(places, xy, values);
    if (map == null) return new Points(places, all);
    int d = model.columns().size(); // columns of the map come first
    int size = 0;
    int[] kept = new int[places.length];
    for (int i = 0; i < places.length; i++)
      if (map.refusal(all, i * d).isEmpty()) kept[size++] = places[i];
    if (size == places.length) return new Points(places, all);
    kept = Arrays.copyOf(kept, size);
    return new Points(kept, filled(kept, xy, values));
  }

  private double[] filled(int[] places, double[] xy, double[][] values) {
    int d = model.columns().size();
    String east = model.columns().get(columns.east()).name();
    String north = model.columns().get(columns.north()).name();
    double[] points = new double[places.length * d];
    for (int j = 0; j < d; j++) {
      String name = model.columns().get(j).name();
      int covariate = columns.covariates().indexOf(j);
      for (int i = 0; i < places.length; i++)
        points[i * d + j] =
            covariate >= 0
                ? values[covariate][places[i]]
                : name.equals(east)
                    ? xy[2 * places[i]]
                    : name.equals(north) ? xy[2 * places[i] + 1] : 0;
    }
    return points;
  }

  /// The random numbers of a pixel. They are the same in any tile.
  SplittableRandom random(int draw, int time, int column, int row) {
    long mixed = asked.seed() * 0x9E3779B97F4A7C15L + draw;
    mixed = (mixed ^ (mixed >>> 31)) * 0xBF58476D1CE4E5B9L + time;
    mixed = (mixed ^ (mixed >>> 29)) * 0x94D049BB133111EBL + column;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L + row;
    return new SplittableRandom(mixed);
  }

  /// A text that states pixels and bands.
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%,d × %,d pixels, %,d bands", frame.width(), frame.height(), bands());
  }
}
