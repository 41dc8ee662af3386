package lovelace.drift;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Ordinary least squares of a target on some columns, in one pass over the rows. It gives the
/// standardisation of a drift and coefficients to start from, and shows whether rows determine them
/// at all.
public final class LeastSquares {

  /// If the other columns leave a smaller share of a column's variance, it is a function of them.
  private static final double LEFT = 1e-10;

  private static final double COUNTS = 1e-6;

  private final int columns;
  private final int process;
  private final int[] places;
  private final int k; // columns of the mean, and the target
  private final double[] first;
  private final double[] low;
  private final double[] high;
  private final double[] sums;
  private final double[] products;
  private double weight;
  private long count;

  /// Least squares on the columns at these positions. The process reads the first `process` of all
  /// columns.
  public LeastSquares(int columns, int process, int[] places) {
    this.columns = columns;
    this.process = process;
    this.places = places.clone();
    k = places.length + 1;
    first = new double[k];
    low = new double[k];
    high = new double[k];
    Arrays.fill(low, Double.POSITIVE_INFINITY);
    Arrays.fill(high, Double.NEGATIVE_INFINITY);
    sums = new double[k];
    products = new double[k * k];
  }

  /// Adds the row that starts at `x[xo]`. All values must be finite and the weight > 0.
  public void add(double[] x, int xo, double y, double w) {
    double[] row = new double[k];
    for (int j = 0; j < k - 1; j++) row[j] = x[xo + places[j]];
    row[k - 1] = y;
    if (count++ == 0) System.arraycopy(row, 0, first, 0, k);
    weight += w;
    for (int j = 0; j < k; j++) {
      low[j] = Math.min(low[j], row[j]);
      high[j] = Math.max(high[j], row[j]);
      row[j] -= first[j];
      sums[j] += w * row[j];
      for (int i = 0; i <= j; i++) products[j * k + i] += w * row[j] * row[i];
    }
  }

  /// The number of rows.
  public long count() {
    return count;
  }

  /// The estimate.
  ///
  /// @param left the share of the target's variance that the columns do not explain
  public record Found(Terms terms, List<Double> beta, double left) {}

  /// Computes the estimate. Fails if the rows do not determine the coefficients. Messages name the
  /// columns.
  public Found found(List<String> names, String target) {
    int p = k - 1;
    if (count <= p + 1)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%,d rows are too few for %d drift coefficients; give more rows, or fewer drift columns",
              count,
              p + 1));
    if (low[p] == high[p])
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "target '%s' is constant (%s in all %,d rows), there is nothing to learn; choose another target",
              target,
              low[p],
              count));
    for (int j = 0; j < p; j++) {
      if (low[j] == high[j] && places[j] >= process)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "column '%s' is constant (%s in all %,d rows), so its coefficient cannot be told from the intercept; leave it out of the drift",
                names.get(places[j]),
                low[j],
                count));
      if (low[j] == high[j]) return without(j).found(names, target); // the process leaves it out
    }
    double[] deviations = new double[k];
    double[] correlations = new double[k * k];
    for (int j = 0; j < k; j++) deviations[j] = Math.sqrt(covariance(j, j));
    for (int j = 0; j < k; j++)
      for (int i = 0; i <= j; i++)
        correlations[j * k + i] = covariance(j, i) / (deviations[j] * deviations[i]);
    double[] l = factor(correlations, names);
    double[] b = new double[p];
    for (int i = 0; i < p; i++) {
      double sum = correlations[p * k + i];
      for (int c = 0; c < i; c++) sum -= l[i * p + c] * b[c];
      b[i] = sum / l[i * p + i];
    }
    double explained = Trend.product(b, b);
    backward(l, p, p, b);
    List<Double> beta = new ArrayList<>();
    beta.add(first[p] + sums[p] / weight);
    for (double c : b) beta.add(c * deviations[p]);
    double[] centres = new double[p];
    for (int j = 0; j < p; j++) centres[j] = first[j] + sums[j] / weight;
    return new Found(
        Terms.of(columns, process, places, centres, Arrays.copyOf(deviations, p)),
        List.copyOf(beta),
        1 - explained);
  }

  /// The sums without the j-th column of the mean.
  private LeastSquares without(int j) {
    int[] kept = IntStream.range(0, k).filter(i -> i != j).toArray();
    LeastSquares fewer =
        new LeastSquares(
            columns,
            process,
            IntStream.range(0, k - 1).filter(i -> i != j).map(i -> places[i]).toArray());
    fewer.weight = weight;
    fewer.count = count;
    for (int i = 0; i < kept.length; i++) {
      fewer.first[i] = first[kept[i]];
      fewer.low[i] = low[kept[i]];
      fewer.high[i] = high[kept[i]];
      fewer.sums[i] = sums[kept[i]];
      for (int c = 0; c <= i; c++)
        fewer.products[i * fewer.k + c] = products[kept[i] * k + kept[c]];
    }
    return fewer;
  }

  private double covariance(int j, int i) {
    return products[j * k + i] / weight - sums[j] / weight * (sums[i] / weight);
  }

  /// The factor of the correlations of the columns without the target.
  private double[] factor(double[] r, List<String> names) {
    int p = k - 1;
    double[] l = new double[p * p];
    for (int i = 0; i < p; i++)
      for (int j = 0; j <= i; j++) {
        double sum = r[i * k + j];
        for (int c = 0; c < j; c++) sum -= l[i * p + c] * l[j * p + c];
        if (i == j && !(sum > LEFT)) throw collinear(l, i, p, names);
        l[i * p + j] = i == j ? Math.sqrt(sum) : sum / l[j * p + j];
      }
    return l;
  }

  private IllegalArgumentException collinear(double[] l, int i, int p, List<String> names) {
    double[] b = Arrays.copyOfRange(l, i * p, i * p + i);
    backward(l, p, i, b);
    List<String> others = new ArrayList<>();
    for (int j = 0; j < i; j++)
      if (Math.abs(b[j]) > COUNTS) others.add("'" + names.get(places[j]) + "'");
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "column '%s' is a linear function of %s, so their coefficients cannot be told apart; leave one of them out of the drift",
            names.get(places[i]),
            others.stream().collect(Collectors.joining(" and "))));
  }

  /// `b ← L⁻ᵀb` with the leading `size` rows of L.
  private static void backward(double[] l, int stride, int size, double[] b) {
    for (int i = size - 1; i >= 0; i--) {
      double sum = b[i];
      for (int c = i + 1; c < size; c++) sum -= l[c * stride + i] * b[c];
      b[i] = sum / l[i * stride + i];
    }
  }
}
