package lovelace.onnx;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.FeatureMap;
import lovelace.data.LinearMap;
import lovelace.data.PlaceMap;
import lovelace.deep.NetworkLayers;
import lovelace.deep.NetworkMap;
import lovelace.drift.Terms;
import lovelace.grid.Lattice;
import lovelace.linear.Gaussian;

/// The error of a float32 graph against the same graph in float64, at random rows.
///
/// @param rows the number of rows inside the grid
/// @param mean the largest error of a mean, in standard deviations of the prediction
/// @param deviation the largest relative error of a standard deviation
record Float32Error(int rows, double mean, double deviation) {

  private static final int ROWS = 2000;
  private static final long SEED = 1;

  /// Measures the error by evaluating both graphs in plain Java.
  static Float32Error of(Model model, OnnxExport options) {
    double[] x = rows(model);
    int d = model.columns().size();
    for (int i = 0; i < x.length; i++) x[i] = (float) x[i];
    OnnxExport plain = options.withInputs(OnnxExport.Inputs.X);
    Map<String, double[]> wide = GraphRun.of(ModelGraph.of(model, plain.withFloat32(false)), x, d);
    Map<String, double[]> narrow = GraphRun.of(ModelGraph.of(model, plain.withFloat32(true)), x, d);
    int count = 0;
    double mean = 0;
    double deviation = 0;
    for (int i = 0; i < x.length / d; i++) {
      if (at(wide, "outside", i) != 0 || at(narrow, "outside", i) != 0) continue;
      count++;
      double sd = at(wide, "stddev", i);
      mean = Math.max(mean, Math.abs(at(narrow, "mean", i) - at(wide, "mean", i)) / sd);
      deviation = Math.max(deviation, Math.abs(at(narrow, "stddev", i) - sd) / sd);
    }
    return new Float32Error(count, mean, deviation);
  }

  private static double at(Map<String, double[]> values, String name, int row) {
    double[] all = values.get(name);
    if (all == null) throw new IllegalStateException("no output " + name);
    return all[row];
  }

  /// Rows whose features lie in the lattice's box, if the map can be inverted.
  private static double[] rows(Model model) {
    SplittableRandom random = new SplittableRandom(SEED);
    Lattice box = model.lattice().orElseThrow().statistics().lattice();
    FeatureMap map = model.map().orElse(null);
    int k = box.dimensions();
    double[] z = new double[ROWS * k];
    for (int i = 0; i < z.length; i++) {
      double low = box.low(i % k);
      double high = box.high(i % k);
      z[i] = Double.isFinite(low) ? low + (high - low) * random.nextDouble() : 0;
    }
    double[] seen = map == null ? z : undone(map, model.processColumns(), z, random);
    Terms terms = model.drifted().map(drifted -> drifted.trend().terms()).orElse(null);
    if (terms == null) return seen;
    int d = terms.columns();
    int own = terms.process();
    double[] all = new double[ROWS * d];
    for (int i = 0; i < ROWS; i++) {
      System.arraycopy(seen, i * own, all, i * d, own);
      for (int j = 1; j < terms.size(); j++)
        if (terms.place(j) >= own)
          all[i * d + terms.place(j)] = terms.centre(j) + terms.scale(j) * normal(random);
    }
    return all;
  }

  private static double[] undone(
      FeatureMap map, List<Column> columns, double[] z, SplittableRandom random) {
    int d = map.inputs();
    int k = map.outputs();
    double[] x = new double[ROWS * d];
    if (map instanceof PlaceMap place) {
      place.columns(z, ROWS, x);
      return x;
    }
    if (map instanceof LinearMap linear) {
      double[] origin = new double[d];
      for (int j = 0; j < d; j++) origin[j] = linear.centre(j);
      for (int i = 0; i < ROWS; i++) {
        System.arraycopy(origin, 0, x, i * d, d);
        towards(linear, z, i * k, x, i * d);
      }
      return x;
    }
    if (map.type().equals(NetworkMap.TYPE)) { // compared by name, because the class may be missing
      NetworkLayers layers = ((NetworkMap) map).layers().orElseThrow();
      for (int i = 0; i < x.length; i++)
        x[i] = layers.centre(i % d) + layers.scale(i % d) * normal(random);
      return x;
    }
    columns(map, columns, z, random, x);
    return x;
  }

  private static double normal(SplittableRandom random) {
    return Gaussian.quantile(random.nextDouble(1e-3, 0.999));
  }

  /// Inverts by bisection a map that changes columns one by one, each increasing.
  private static void columns(
      FeatureMap map, List<Column> columns, double[] z, SplittableRandom random, double[] x) {
    int d = map.inputs();
    int k = map.outputs();
    double[] row = new double[d];
    double[] features = new double[k];
    for (int i = 0; i < ROWS; i++)
      for (int j = 0, f = 0; j < d; j++) {
        int words = columns.get(j).values().size();
        boolean indicators = map.changes().get(j) == FeatureMap.Change.INDICATORS;
        if (indicators) x[i * d + j] = random.nextInt(words);
        else {
          double low = -1;
          double high = 1;
          for (int step = 0; step < 200; step++) {
            double middle = (low + high) / 2;
            row[j] = step < 60 ? high : step < 120 ? low : middle;
            map.apply(row, 1, features);
            boolean above = features[f] > z[i * k + f];
            if (step < 60) high = above ? high : 2 * high;
            else if (step < 120) low = above ? 2 * low : low;
            else if (above) high = middle;
            else low = middle;
          }
          x[i * d + j] = low;
        }
        f += indicators ? words : 1;
      }
  }

  /// Moves x until its features are z. The steps go along the rows of A, which are few.
  private static void towards(LinearMap map, double[] z, int zo, double[] x, int xo) {
    int d = map.inputs();
    for (int round = 0; round < 50; round++)
      for (int f = 0; f < map.outputs(); f++) {
        double now = 0;
        double square = 0;
        for (int j = 0; j < d; j++) {
          now += map.weight(f, j) * (x[xo + j] - map.centre(j));
          square += map.weight(f, j) * map.weight(f, j);
        }
        for (int j = 0; j < d; j++) x[xo + j] += map.weight(f, j) * (z[zo + f] - now) / square;
      }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "float32 is off by at most %.2g standard deviations in the mean and %.2g %% in the standard deviation, at %,d random rows inside the grid",
        mean,
        100 * deviation,
        rows);
  }
}
