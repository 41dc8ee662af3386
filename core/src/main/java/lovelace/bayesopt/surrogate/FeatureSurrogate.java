package lovelace.bayesopt.surrogate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import lovelace.bayesopt.surrogate.Surrogate.FunctionDraw;
import lovelace.data.FeatureMap;

/// A surrogate in a space of features, as a function on the unit cube. Gradients follow by the
/// chain rule.
public final class FeatureSurrogate implements Surrogate {

  private final FeatureMap map;
  private final Surrogate inner;

  public FeatureSurrogate(FeatureMap map, Surrogate inner) {
    this.map = map;
    this.inner = inner;
  }

  public static double[] features(FeatureMap map, double[] points) {
    int count = points.length / map.inputs();
    double[] features = new double[count * map.outputs()];
    map.apply(points, count, features);
    return features;
  }

  @Override
  public int dimensions() {
    return map.inputs();
  }

  @Override
  public double noise() {
    return inner.noise();
  }

  @Override
  public void predict(int count, double[] points, double[] means, double[] variances) {
    inner.predict(count, features(map, points), means, variances);
  }

  @Override
  public void gradient(double[] x, double[] out) {
    int d = map.inputs();
    int f = map.outputs();
    double[] own = new double[2 + 2 * f];
    inner.gradient(features(map, x), own);
    out[0] = own[0];
    out[1] = own[1];
    double[] weights = new double[f];
    double[] slope = new double[d];
    for (int part = 0; part < 2; part++) {
      System.arraycopy(own, 2 + part * f, weights, 0, f);
      map.pullBack(x, 0, weights, 0, slope, 0);
      System.arraycopy(slope, 0, out, 2 + part * d, d);
    }
  }

  @Override
  public Surrogate believing(double[] x) {
    return new FeatureSurrogate(map, inner.believing(features(map, x)));
  }

  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    return inner.sample(features(map, points), count, random);
  }

  @Override
  public List<FunctionDraw> functions(int count, RandomGenerator random) {
    List<FunctionDraw> draws = new ArrayList<>();
    for (FunctionDraw draw : inner.functions(count, random))
      draws.add(
          (x, gradient) -> {
            double[] weights = new double[gradient.length == 0 ? 0 : map.outputs()];
            double value = draw.evaluate(features(map, x), weights);
            if (gradient.length > 0) map.pullBack(x, 0, weights, 0, gradient, 0);
            return value;
          });
    return draws;
  }

  @Override
  public String describe() {
    return String.format(Locale.ROOT, "%d features, %s", map.outputs(), inner.describe());
  }
}
