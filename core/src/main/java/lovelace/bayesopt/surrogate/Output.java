package lovelace.bayesopt.surrogate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.kernel.Hyperparameters;
import org.jspecify.annotations.Nullable;

/// The model of one output of the objective: its scale, its hyperparameters and its surrogate.
/// Scale and hyperparameters come from the observations that it last learned from. Later
/// observations only join the surrogate.
public final class Output {

  private final Surrogates options;
  private final int d;
  private final double noise; // standard deviation in the output's units; NaN to learn

  private int block; // observations learned from
  private double mean;
  private double deviation = 1;
  private @Nullable String restored;
  private @Nullable Hyperparameters learned;
  private @Nullable FeatureMap map;
  private @Nullable Surrogate surrogate;
  private double[] lastX = {};
  private double[] lastZ = {};

  public Output(Surrogates options, int dimensions, double noise) {
    this.options = options;
    d = dimensions;
    this.noise = noise;
    if (options.features().isEmpty()) learner(); // reports misfits with the space now
  }

  private SurrogateLearning learner() {
    double own = noise * noise / (deviation * deviation); // NaN stays NaN, which means to learn it
    double variance = own < SurrogateLearning.JITTER ? SurrogateLearning.JITTER : own;
    return new SurrogateLearning(options, map == null ? d : map.outputs(), variance);
  }

  /// The number of observations that it last learned from.
  public int block() {
    return block;
  }

  public double standardized(double y) {
    return (y - mean) / deviation;
  }

  public double mean() {
    return mean;
  }

  public double deviation() {
    return deviation;
  }

  private void scale(double[] y, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += y[i];
    mean = sum / count;
    double squares = 0;
    for (int i = 0; i < count; i++) squares += (y[i] - mean) * (y[i] - mean);
    deviation = Math.sqrt(squares / Math.max(1, count - 1));
    if (!(deviation > 1e-150)) deviation = Math.max(1e-150, Math.abs(mean) * 1e-6);
    if (deviation < 1e-12 * Math.abs(mean)) deviation = Math.max(1e-12, 1e-6 * Math.abs(mean));
  }

  /// Restores what an earlier run learned from the first `count` observations.
  public void restore(int count, String text) {
    block = count;
    restored = text;
    surrogate = null;
  }

  private void wake(double[] x, double[] y) {
    if (restored == null) return;
    scale(y, block);
    learnFeatures(x, y);
    learned = learner().read(restored);
    restored = null;
  }

  private void learnFeatures(double[] x, double[] y) {
    FeatureLearner features = options.features().orElse(null);
    if (features == null) return;
    double[] z = new double[block];
    for (int i = 0; i < block; i++) z[i] = standardized(y[i]);
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < d; i++) columns.add(Column.of("x" + i));
    map = features.learn(Dataset.of(Arrays.copyOf(x, block * d), columns, z, Column.of("z")));
    if (map.inputs() != d)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the feature map takes %d coordinates, the space has %d",
              map.inputs(),
              d));
  }

  /// Learns from all observations. Returns the text for [#restore].
  public String learn(double[] x, double[] y) {
    wake(x, y);
    int known = block;
    block = y.length;
    scale(y, block);
    Hyperparameters before = options.features().isEmpty() ? learned : null;
    learnFeatures(x, y);
    double[] z = new double[block];
    for (int i = 0; i < block; i++) z[i] = standardized(y[i]);
    double[] inputs = map == null ? x : FeatureSurrogate.features(map, x);
    Hyperparameters h = learner().learn(inputs, z, before, known);
    String text = SurrogateLearning.write(h);
    learned = learner().read(text);
    surrogate = null;
    return text;
  }

  /// The surrogate of all observations. Rows that are new since the last call are added to it.
  public Surrogate surrogate(double[] x, double[] y) {
    wake(x, y);
    Hyperparameters h = learned;
    if (h == null) throw new IllegalStateException("nothing was learned yet");
    double[] z = new double[y.length];
    for (int i = 0; i < z.length; i++) z[i] = standardized(y[i]);
    Surrogate known = surrogate;
    int old = lastZ.length;
    boolean grown =
        known != null
            && old <= z.length
            && Arrays.equals(lastZ, 0, old, z, 0, old)
            && Arrays.equals(lastX, 0, old * d, x, 0, old * d);
    if (known != null && grown && old == z.length) return known;
    Surrogate next;
    if (known instanceof ExactSurrogate exact && grown && learner().staysExact(h, z.length))
      next =
          exact.with(
              Arrays.copyOfRange(x, old * d, x.length), Arrays.copyOfRange(z, old, z.length));
    else {
      double[] inputs = map == null ? x : FeatureSurrogate.features(map, x);
      next = learner().condition(h, inputs, z, block);
      if (map != null) next = new FeatureSurrogate(map, next);
    }
    surrogate = next;
    lastX = x;
    lastZ = z;
    return next;
  }

  /// How much likelier the observations that it last learned from are with noise than without, in
  /// nats. Each of both models learns its own parameters. The form is that of the learned model or
  /// one kernel over all coordinates, whichever is likelier.
  public double noiseGain(double[] x, double[] y) {
    wake(x, y);
    Hyperparameters h = learned;
    if (h == null) throw new IllegalStateException("nothing was learned yet");
    double[] z = new double[block];
    for (int i = 0; i < block; i++) z[i] = standardized(y[i]);
    double[] rows = Arrays.copyOf(x, block * d);
    double[] inputs = map == null ? rows : FeatureSurrogate.features(map, rows);
    int width = map == null ? d : map.outputs();
    return new SurrogateLearning(options, width, Double.NaN).density(inputs, z, h)
        - new SurrogateLearning(options, width, SurrogateLearning.JITTER).density(inputs, z, h);
  }

  public String describe() {
    return surrogate == null ? "" : surrogate.describe();
  }
}
