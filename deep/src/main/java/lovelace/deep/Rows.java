package lovelace.deep;

import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import org.jspecify.annotations.Nullable;

/// The rows for training: those to learn from and those held out, with transformed targets.
final class Rows {

  /// The fewest rows held out that say something.
  static final int LEAST = 50;

  final Dataset seen;
  private final @Nullable Dataset out;
  final int[] seenIndex;
  final int[] outIndex;
  final double[] centre;
  final double[] scale;
  final double level;
  final double spread;

  /// Splits a table whose target is already transformed.
  Rows(Dataset data, double share, long seed) {
    int n = data.size();
    int d = data.dimensions();
    int held = (int) Math.round(share * n);
    if (held < LEAST) held = 0;
    int[] order = shuffled(n, new SplittableRandom(seed).split());
    outIndex = IntStream.of(order).limit(held).sorted().toArray();
    seenIndex = IntStream.of(order).skip(held).sorted().toArray();
    seen = data.select(seenIndex);
    out = held == 0 ? null : data.select(outIndex);
    centre = new double[d];
    scale = new double[d];
    int m = seen.size();
    for (int j = 0; j < d; j++) {
      double sum = 0;
      for (int i = 0; i < m; i++) sum += seen.inputs()[i * d + j];
      centre[j] = sum / m;
      double squares = 0;
      for (int i = 0; i < m; i++) squares += Math.pow(seen.inputs()[i * d + j] - centre[j], 2);
      scale[j] = squares > 0 ? Math.sqrt(squares / m) : 1;
    }
    level = Arrays.stream(seen.target()).average().orElse(0);
    double squares = 0;
    for (double y : seen.target()) squares += (y - level) * (y - level);
    spread = Math.sqrt(squares / m);
    if (!(spread > 0))
      throw new IllegalArgumentException(
          "the target has one value, %s, in all rows; there is nothing to learn".formatted(level));
  }

  /// The number of rows held out.
  int held() {
    return outIndex.length;
  }

  /// The rows held out; there must be some.
  Dataset out() {
    return Objects.requireNonNull(out, "no rows are held out");
  }

  static int[] shuffled(int n, SplittableRandom random) {
    int[] order = IntStream.range(0, n).toArray();
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int other = order[i];
      order[i] = order[j];
      order[j] = other;
    }
    return order;
  }

  static double @Nullable [] weights(Dataset data) {
    if (!data.weighted()) return null;
    double[] weights = new double[data.size()];
    for (int i = 0; i < weights.length; i++) weights[i] = data.weight(i);
    return weights;
  }
}
