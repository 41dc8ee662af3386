package lovelace.tables;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.neighbours.NeighbourGp;
import org.junit.jupiter.api.Test;

class ColumnShareTest {

  private static final Hyperparameters PRIOR =
      Hyperparameters.of(Kernel.rbf(1, 1, 1, 30).times(2).bind(4), 0.01, PriorMean.constant(0));

  private static Dataset rows(int n, int d, long seed, ToDoubleFunction<double[]> f) {
    var random = new SplittableRandom(seed);
    double[] x = new double[n * d];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      double[] row = random.doubles(d, -1, 1).toArray();
      System.arraycopy(row, 0, x, i * d, d);
      y[i] = f.applyAsDouble(row);
    }
    return Dataset.of(x, d, y);
  }

  /// Draws that are all one known function.
  private static ColumnShare.Draws known(int d, ToDoubleFunction<double[]> f) {
    return (points, count, random) -> {
      int t = points.length / d;
      double[] all = new double[count * t];
      for (int i = 0; i < all.length; i++)
        all[i] = f.applyAsDouble(Arrays.copyOfRange(points, i % t * d, (i % t + 1) * d));
      return all;
    };
  }

  private static void assertHolds(ColumnShare share, double truth) {
    assertTrue(share.low() - 0.02 <= truth && truth <= share.high() + 0.02, share + " of " + truth);
    assertEquals(truth, share.value(), 0.15, share.toString());
  }

  /// Var 3x₁ = 3, Var x₂ = 1/3.
  @Test
  void sharesOfASumAreThoseOfItsVariances() {
    ToDoubleFunction<double[]> f = x -> 3 * x[0] + x[1];
    List<ColumnShare> shares = ColumnShare.of(known(4, f), rows(500, 4, 3, f), 1);
    assertHolds(shares.get(0), 0.9);
    assertHolds(shares.get(1), 0.1);
    for (int j = 2; j < 4; j++) assertEquals(new ColumnShare(j, 0, 0, 0), shares.get(j));
  }

  /// E (x₁x₂ − x₁′x₂)² / 2 Var x₁x₂ = 1: neither column says anything without the other.
  @Test
  void columnsThatActTogetherCountTwice() {
    ToDoubleFunction<double[]> f = x -> x[0] * x[1];
    List<ColumnShare> shares = ColumnShare.of(known(2, f), rows(500, 2, 4, f), 1);
    assertHolds(shares.get(0), 1);
    assertHolds(shares.get(1), 1);
  }

  @Test
  void fewerRowsAreLessCertain() {
    ToDoubleFunction<double[]> f = x -> Math.sin(2 * x[0]) + x[1] * x[2];
    double[] widths = new double[2];
    int[] sizes = {12, 300};
    for (int s = 0; s < 2; s++) {
      Dataset data = rows(sizes[s], 4, 5, f);
      List<ColumnShare> shares = ColumnShare.of(ExactGp.of(data, PRIOR)::sample, data, 1);
      widths[s] = shares.getFirst().high() - shares.getFirst().low();
      assertTrue(shares.get(3).high() < 0.05, "a long lengthscale: " + shares.get(3));
    }
    assertTrue(widths[1] < 0.7 * widths[0], widths[0] + " and " + widths[1]);
  }

  @Test
  void neighboursTellTheSameAsAllRows() {
    ToDoubleFunction<double[]> f = x -> Math.sin(2 * x[0]) + x[1] * x[2];
    Dataset data = rows(400, 4, 6, f);
    List<ColumnShare> exact = ColumnShare.of(ExactGp.of(data, PRIOR)::sample, data, 1);
    List<ColumnShare> near = ColumnShare.of(NeighbourGp.of(data, PRIOR, 60)::sample, data, 1);
    for (int j = 0; j < 4; j++)
      assertEquals(exact.get(j).value(), near.get(j).value(), 0.03, "column " + j);
    assertEquals(near, ColumnShare.of(NeighbourGp.of(data, PRIOR, 60)::sample, data, 1));
  }

  @Test
  void oneRowTellsNothing() {
    Dataset one = rows(1, 3, 7, x -> x[0]);
    assertThrows(
        IllegalArgumentException.class,
        () -> ColumnShare.of((points, count, random) -> new double[0], one, 1));
  }

  @Test
  void lengthscalesAreInDeviationsOfTheColumn() {
    double[] x = {0, 0, 2, 1, 0, 0, 2, 1}; // deviations 1 and ½
    Dataset data = Dataset.of(x, 2, new double[] {1, 2, 3, 4});
    assertArrayEquals(
        new double[] {3, 4}, ColumnShare.lengthscales(Kernel.rbf(3, 2).bind(2), data), 1e-12);
    Dataset words =
        data.named(List.of(Column.of("a"), Column.of("b", List.of("no", "yes"))), Column.of("y"));
    assertArrayEquals(
        new double[] {3, 2}, ColumnShare.lengthscales(Kernel.rbf(3, 2).bind(2), words), 1e-12);
  }
}
