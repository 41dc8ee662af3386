package lovelace.tables;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Term;

/// Measures how much one column matters. Let x⁽ʲ⁾ be a row whose column j is taken from another
/// row, drawn at random:
///
///     share_j = E (f(x) − f(x⁽ʲ⁾))² / 2 Var f(x)
///
/// For independent columns it is the total-effect index of Sobol (Jansen 1999): the share of the
/// variance of f that is lost when all columns but j are known. If columns act together, their
/// joint effect counts in each share, so shares may add up to more than 1.
///
/// Both f and the rows are uncertain. Each replicate takes one function drawn from the posterior
/// and draws new weights for the rows (Bayesian bootstrap, Rubin 1981); value and interval are mean
/// and quantiles of the replicates.
///
/// @param column its index, counted from 0
/// @param value the mean of the share
/// @param low the 2.5 % quantile
/// @param high the 97.5 % quantile
public record ColumnShare(int column, double value, double low, double high) {

  /// About the number of points at which the function is drawn.
  private static final int POINTS = 2000;

  /// The fewest and the most rows from which shares are computed.
  private static final int[] ROWS = {40, 300};

  private static final int DRAWS = 64;
  private static final int REPLICATES = 256;

  /// Joint draws of a function.
  @FunctionalInterface
  public interface Draws {
    /// Draws at some points, `count × t` row-major.
    double[] at(double[] points, int count, RandomGenerator random);
  }

  /// The shares of all columns, in their order. The same seed gives the same bits.
  ///
  /// @param rows give the values of columns; some of them are chosen at random
  public static List<ColumnShare> of(Draws draws, Dataset rows, long seed) {
    int d = rows.dimensions();
    if (rows.size() < 2)
      throw new IllegalArgumentException(
          "shares of columns need two rows or more, got " + rows.size());
    var random = new SplittableRandom(seed);
    int m = Math.min(rows.size(), Math.clamp(POINTS / (1 + d), ROWS[0], ROWS[1]));
    Dataset some = rows.select(chosen(rows.size(), m, random.split()));
    double[] points = shuffled(some, random.split());
    double[] values = draws.at(points, DRAWS, random.split());
    RandomGenerator weights = random.split();
    double[][] shares = new double[d][REPLICATES];
    for (int r = 0; r < REPLICATES; r++) {
      double[] w = weights.doubles(m).map(u -> -Math.log1p(-u)).toArray();
      int from = r % DRAWS * m * (1 + d);
      double whole = variance(values, from, w);
      for (int j = 0; j < d; j++) {
        double sum = 0;
        for (int i = 0; i < m; i++) {
          double e = values[from + i] - values[from + (1 + j) * m + i];
          sum += w[i] * e * e;
        }
        shares[j][r] = whole > 0 ? 0.5 * sum / whole : 0;
      }
    }
    return IntStream.range(0, d).mapToObj(j -> of(j, shares[j])).toList();
  }

  private static ColumnShare of(int column, double[] replicates) {
    double mean = Arrays.stream(replicates).average().orElse(0);
    Arrays.sort(replicates);
    int tail = REPLICATES / 40;
    return new ColumnShare(column, mean, replicates[tail], replicates[REPLICATES - 1 - tail]);
  }

  /// `Σ w (f − mean)²`.
  private static double variance(double[] values, int from, double[] w) {
    double total = 0;
    double mean = 0;
    for (int i = 0; i < w.length; i++) {
      total += w[i];
      mean += w[i] * values[from + i];
    }
    mean /= total;
    double sum = 0;
    for (int i = 0; i < w.length; i++) {
      double e = values[from + i] - mean;
      sum += w[i] * e * e;
    }
    return sum;
  }

  /// The rows, then for each column the rows with that column taken from another row.
  private static double[] shuffled(Dataset rows, RandomGenerator random) {
    int d = rows.dimensions();
    int m = rows.size();
    double[] points = new double[m * (1 + d) * d];
    for (int j = -1; j < d; j++) {
      int from = (1 + j) * m * d;
      System.arraycopy(rows.inputs(), 0, points, from, m * d);
      if (j < 0) continue;
      int[] order = chosen(m, m, random);
      for (int i = 0; i < m; i++) // along a cycle: no row keeps its own value
      points[from + order[i] * d + j] = rows.inputs()[order[(i + 1) % m] * d + j];
    }
    return points;
  }

  /// Some of the numbers from 0 to n − 1 in random order.
  private static int[] chosen(int n, int count, RandomGenerator random) {
    int[] all = IntStream.range(0, n).toArray();
    for (int i = 0; i < count; i++) {
      int j = i + random.nextInt(n - i);
      int other = all[j];
      all[j] = all[i];
      all[i] = other;
    }
    return Arrays.copyOf(all, count);
  }

  /// The shortest lengthscale along each column in standard deviations of the column, unscaled for
  /// columns of words; NaN if there is none.
  public static double[] lengthscales(Kernel kernel, Dataset rows) {
    int d = rows.dimensions();
    double[] shortest = new double[d];
    Arrays.fill(shortest, Double.NaN);
    for (Term term : kernel.terms())
      for (Leaf leaf : term.factors()) {
        int[] columns = leaf.columns();
        double[] lengths = leaf.lengths();
        for (int i = 0; i < lengths.length; i++) {
          int c = columns[i % columns.length];
          if (lengths[i] > 0 && !(lengths[i] >= shortest[c])) shortest[c] = lengths[i];
        }
      }
    double[] ones = new double[rows.size()];
    Arrays.fill(ones, 1);
    for (int j = 0; j < d; j++) {
      if (rows.columns().get(j).isText()) continue;
      int column = j;
      double[] values =
          IntStream.range(0, rows.size()).mapToDouble(i -> rows.inputs()[i * d + column]).toArray();
      shortest[j] /= Math.sqrt(variance(values, 0, ones) / rows.size());
    }
    return shortest;
  }
}
