package lovelace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.linear.Gaussian;

/// Tables of a few dozen rows, drawn from a seed.
final class SmallTables {

  /// The steps of a grid whose nodes rows may lie on.
  static final int STEPS = 9;

  private SmallTables() {}

  /// Columns named a, b, c and so on.
  static List<Column> columns(int dimensions) {
    List<Column> columns = new ArrayList<>();
    for (int j = 0; j < dimensions; j++) columns.add(Column.of(String.valueOf((char) ('a' + j))));
    return columns;
  }

  /// Places in the unit cube.
  static double[] scattered(int n, int dimensions, long seed) {
    return new SplittableRandom(seed).doubles((long) n * dimensions, 0.02, 0.98).toArray();
  }

  /// Places at the nodes of a grid over the unit cube. The first and the last node are among the
  /// first rows.
  static double[] nodes(int n, int dimensions, long seed) {
    double[] x = scattered(n, dimensions, seed);
    for (int i = 0; i < x.length; i++) x[i] = Math.rint(x[i] * STEPS) / STEPS;
    for (int j = 0; j < dimensions; j++) {
      x[j] = 0;
      x[dimensions + j] = 1;
      x[2 * dimensions + j] = 1.0 / STEPS; // which tells the step
      x[3 * dimensions + j] = 2.0 / STEPS;
    }
    return x;
  }

  /// The function that all tables are drawn from, at the place that starts at `x[at]`.
  private static double value(double[] x, int at, int dimensions) {
    double f = Math.sin(5 * x[at]);
    for (int j = 1; j < dimensions; j++) f += 0.6 * x[at + j] * Math.cos(3 * x[at + j - 1]);
    return f;
  }

  /// Rows at these places, as the likelihood draws them, with sizes where it has some.
  static Dataset rows(Likelihood likelihood, double[] x, List<Column> columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int d = columns.size();
    int n = x.length / d;
    double[] y = new double[n];
    double[] size = new double[n];
    for (int i = 0; i < n; i++) {
      double f = value(x, i * d, d);
      double e = random.nextGaussian();
      double u = random.nextDouble();
      size[i] =
          switch (likelihood.size()) {
            case TRIALS -> 1 + random.nextInt(5);
            case EXPOSURE -> 0.5 + u;
            case PRECISION -> 8 + 20 * u;
            case WEIGHT, NONE -> 1;
          };
      y[i] =
          switch (likelihood.name()) {
            case "poisson", "negative-binomial" -> count(size[i] * Math.exp(f), random);
            case "bernoulli", "binomial" -> wins(size[i], Gaussian.cdf(f), random);
            case "gamma" -> Math.exp(f + 0.5 * e);
            default -> f + 0.2 * e * (1 + x[i * d]);
          };
    }
    Dataset rows = Dataset.of(x, columns, y, Column.of("y"));
    return switch (likelihood.size()) {
      case TRIALS, EXPOSURE, PRECISION -> rows.withWeights(size);
      default -> rows;
    };
  }

  private static double wins(double trials, double probability, SplittableRandom random) {
    double wins = 0;
    for (int k = 0; k < trials; k++) wins += random.nextDouble() < probability ? 1 : 0;
    return wins;
  }

  private static double count(double mean, SplittableRandom random) {
    int k = 0;
    for (double p = random.nextDouble(); p > Math.exp(-mean); p *= random.nextDouble()) k++;
    return k;
  }

  /// The same rows with the exponentials of their targets.
  static Dataset positive(Dataset rows) {
    double[] y = Arrays.stream(rows.target()).map(Math::exp).toArray();
    return Dataset.of(rows.inputs(), rows.columns(), y, rows.targetColumn());
  }

  /// The same rows with weights.
  static Dataset weighted(Dataset rows, long seed) {
    return rows.withWeights(new SplittableRandom(seed).doubles(rows.size(), 0.5, 2).toArray());
  }

  /// The same rows with a column more, whose values change the target by `effect` times their own.
  static Dataset with(Dataset rows, Column column, double effect, double... values) {
    int d = rows.dimensions();
    double[] x = new double[rows.size() * (d + 1)];
    double[] y = new double[rows.size()];
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(rows.inputs(), i * d, x, i * (d + 1), d);
      x[i * (d + 1) + d] = values[i % values.length];
      y[i] = rows.target()[i] + effect * values[i % values.length];
    }
    List<Column> columns = new ArrayList<>(rows.columns());
    columns.add(column);
    Dataset wider = Dataset.of(x, columns, y, rows.targetColumn());
    return rows.weighted() ? wider.withWeights(rows.weights()) : wider;
  }

  /// The same rows with a column changed, such as to degrees: `from + by × value`.
  static Dataset scaled(Dataset rows, int column, double from, double by) {
    double[] x = rows.inputs().clone();
    int d = rows.dimensions();
    for (int i = column; i < x.length; i += d) x[i] = from + by * x[i];
    Dataset scaled = Dataset.of(x, rows.columns(), rows.target(), rows.targetColumn());
    return rows.weighted() ? scaled.withWeights(rows.weights()) : scaled;
  }

  /// The same rows under other names.
  static Dataset named(Dataset rows, Column... columns) {
    return rows.named(List.of(columns), rows.targetColumn());
  }
}
