package lovelace.experiments;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.linear.Parallel;

/// An artificial table: inputs uniform on [0, 1], and a smooth function of them plus noise.
///
/// The function is a sum of waves, `f(x) = √(2/m) Σ cos(wᵢ·x + bᵢ)` with Gaussian `w`, close to a
/// draw of a process with an RBF kernel. Column j has lengthscale `(1 + j/2)/2`, so that the first
/// columns matter most.
public final class SyntheticTable {

  /// The standard deviation of the noise; that of the function is about 1.
  public static final double NOISE = 0.1;

  /// The fewest and the most rows to score.
  private static final int[] SCORED = {1000, 10_000};

  private static final int WAVES = 64;
  private static final int CHUNK = 4096;

  private SyntheticTable() {}

  /// A table with `rows` rows to learn from. The rows to score are a tenth of that, but at least
  /// 1,000 and at most 10,000.
  public static RegressionSet of(int rows, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] waves = new double[WAVES * (columns + 1)];
    for (int i = 0; i < WAVES; i++) {
      for (int j = 0; j < columns; j++)
        waves[i * (columns + 1) + j] = random.nextGaussian() / (0.5 + 0.25 * j);
      waves[i * (columns + 1) + columns] = 2 * Math.PI * random.nextDouble();
    }
    return new RegressionSet(
        "synthetic",
        rows(rows, columns, waves, random.nextLong()),
        rows(Math.clamp(rows / 10, SCORED[0], SCORED[1]), columns, waves, random.nextLong()));
  }

  private static Dataset rows(int rows, int columns, double[] waves, long seed) {
    double[] x = new double[Math.multiplyExact(rows, columns)];
    double[] y = new double[rows];
    Parallel.chunks(
        rows,
        CHUNK,
        (piece, from, to) -> {
          SplittableRandom random = new SplittableRandom(seed + piece);
          for (int i = from; i < to; i++) {
            for (int j = 0; j < columns; j++) x[i * columns + j] = random.nextDouble();
            y[i] = value(x, i * columns, columns, waves) + NOISE * random.nextGaussian();
          }
        });
    List<Column> names = new ArrayList<>();
    for (int j = 0; j < columns; j++) names.add(Column.of("x" + (j + 1)));
    return Dataset.of(x, names, y, Column.of("y"));
  }

  private static double value(double[] x, int at, int columns, double[] waves) {
    double sum = 0;
    for (int i = 0; i < WAVES; i++) {
      int from = i * (columns + 1);
      double phase = waves[from + columns];
      for (int j = 0; j < columns; j++) phase += waves[from + j] * x[at + j];
      sum += Math.cos(phase);
    }
    return Math.sqrt(2.0 / WAVES) * sum;
  }
}
