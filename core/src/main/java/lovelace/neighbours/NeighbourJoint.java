package lovelace.neighbours;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.linear.Parallel;

/// The joint distribution of f at some points by neighbours. The distinct points are put into an
/// order that depends only on their set, and each is regressed on the k nearest among the rows and
/// the points before it, a row with its noise and a point without (Katzfuss 2020, response first):
///
///     g_j = c_j + Σ_i B_ji g_i + √D_j z_j      f = μ + g
///
/// where i runs over earlier points and c_j is the part from the rows. So g is normal with
/// covariance `(I − B)⁻¹ D (I − B)⁻ᵀ`, which is positive semidefinite for any rounding of B.
/// Immutable.
public final class NeighbourJoint {

  /// The number of points that one task regresses, and of columns or draws that one task solves.
  private static final int CHUNK = 32;

  private final int[] places; // position of each given point among the distinct ones in order
  private final int k;
  private final int[] before; // earlier points of each regression, −1 for none
  private final double[] weights; // weights of these, 0 for none
  private final double[] byRows; // c
  private final double[] variances; // D
  private final double[] means; // μ

  private NeighbourJoint(NeighbourGp gp, int[] places, double[] points, int count) {
    this.places = places;
    this.k = Math.min(gp.neighbours(), gp.used() + count - 1);
    int size =
        Budget.numbers(count, k, "the neighbours of the points", "ask for fewer points at once");
    this.before = new int[size];
    this.weights = new double[size];
    this.byRows = new double[count];
    this.variances = new double[count];
    this.means = new double[count];
    Dataset data = gp.places();
    int d = gp.dimensions();
    int used = gp.used();
    int[] rows = gp.nearest(points, count);
    int most = Math.min(k, Math.max(1, count - 1));
    int[] order = IntStream.range(0, count).toArray();
    int[] earlier = NeighbourSearch.of(points, gp.words(), gp.scales(), order).nearest(order, most);
    Parallel.chunks(
        count,
        CHUNK,
        (piece, from, to) -> {
          LocalSystem system = new LocalSystem(data, gp.hyperparameters(), k, false);
          int[] chosen = new int[k]; // a row, or −1 − the point
          for (int j = from; j < to; j++) {
            system.around(points, j * d);
            int m = 0;
            int r = 0;
            int p = 0;
            while (m < k) {
              double toRow =
                  r < used
                      ? distance(gp, points, j, data.inputs(), rows[j * used + r])
                      : Double.POSITIVE_INFINITY;
              double toPoint =
                  p < most && earlier[j * most + p] >= 0
                      ? distance(gp, points, j, points, earlier[j * most + p])
                      : Double.POSITIVE_INFINITY;
              if (r < used && toRow <= toPoint) {
                chosen[m] = rows[j * used + r++];
                system.row(m, chosen[m]);
              } else if (toPoint < Double.POSITIVE_INFINITY) {
                int point = earlier[j * most + p++];
                chosen[m] = -1 - point;
                system.point(m, points, point * d);
              } else break;
              m++;
            }
            system.point(m, points, j * d);
            system.factor(m);
            byRows[j] = -system.error();
            variances[j] = Math.max(0, system.rest());
            system.solve();
            Arrays.fill(before, j * k, (j + 1) * k, -1);
            int at = j * k;
            for (int a = 0; a < m; a++)
              if (chosen[a] < 0) {
                before[at] = -1 - chosen[a];
                weights[at++] = -system.v[a];
              }
            means[j] = gp.hyperparameters().mean().at(points, j * d);
          }
        });
  }

  private static double distance(NeighbourGp gp, double[] points, int j, double[] others, int i) {
    int d = gp.dimensions();
    double[] scales = gp.scales();
    double sum = 0;
    for (int c = 0; c < d; c++) {
      double e = points[j * d + c] - others[i * d + c];
      if (gp.words()[c]) e = e == 0 ? 0 : 1;
      e /= scales[c];
      sum += e * e;
    }
    return sum;
  }

  /// The joint distribution at points, of which some may be equal.
  public static NeighbourJoint of(NeighbourGp gp, double[] points) {
    int d = gp.dimensions();
    int t = points.length / d;
    Integer[] sorted = IntStream.range(0, t).boxed().toArray(Integer[]::new);
    Comparator<Integer> byPlace =
        (i, j) -> Arrays.compare(points, i * d, (i + 1) * d, points, j * d, (j + 1) * d);
    Arrays.sort(sorted, byPlace);
    int[] place = new int[t];
    int distinct = 0;
    for (int i = 0; i < t; i++) {
      if (i > 0 && byPlace.compare(sorted[i - 1], sorted[i]) != 0) distinct++;
      place[sorted[i]] = distinct;
    }
    int count = t == 0 ? 0 : distinct + 1;
    int[] order = VecchiaLikelihood.shuffled(count, new SplittableRandom(1));
    double[] ordered = new double[count * d];
    for (int i = 0; i < t; i++) {
      place[i] = order[place[i]];
      System.arraycopy(points, i * d, ordered, place[i] * d, d);
    }
    return new NeighbourJoint(gp, place, ordered, count);
  }

  /// The covariances of the first `rows` of the given points with those from `at` on.
  public double[] covariance(int rows, int at, int columns) {
    int count = means.length;
    double[] covariance = new double[rows * columns];
    Parallel.chunks(
        columns,
        CHUNK,
        (piece, from, to) -> {
          double[] w = new double[count];
          for (int column = from; column < to; column++) {
            Arrays.fill(w, 0);
            int own = places[at + column];
            w[own] = 1;
            for (int j = own; j >= 0; j--)
              for (int i = j * k; i < (j + 1) * k && before[i] >= 0; i++)
                w[before[i]] += weights[i] * w[j];
            for (int j = 0; j < count; j++) w[j] = variances[j] * w[j] + regressed(j, w);
            for (int row = 0; row < rows; row++)
              covariance[row * columns + column] = w[places[row]];
          }
        });
    if (at == 0)
      for (int i = 0; i < rows; i++)
        for (int j = 0; j < i; j++) {
          double both = 0.5 * (covariance[i * columns + j] + covariance[j * columns + i]);
          covariance[i * columns + j] = both;
          covariance[j * columns + i] = both;
        }
    return covariance;
  }

  /// The variance of each given point.
  public double[] variances() {
    int count = means.length;
    double[] own = new double[count];
    Parallel.chunks(
        count,
        CHUNK,
        (piece, from, to) -> {
          double[] w = new double[count];
          for (int point = from; point < to; point++) {
            Arrays.fill(w, 0, point + 1, 0);
            w[point] = 1;
            double sum = 0;
            for (int j = point; j >= 0; j--) {
              if (w[j] == 0) continue;
              sum += variances[j] * w[j] * w[j];
              for (int i = j * k; i < (j + 1) * k && before[i] >= 0; i++)
                w[before[i]] += weights[i] * w[j];
            }
            own[point] = sum;
          }
        });
    return Arrays.stream(places).mapToDouble(place -> own[place]).toArray();
  }

  private double regressed(int j, double[] g) {
    double sum = 0;
    for (int i = j * k; i < (j + 1) * k && before[i] >= 0; i++) sum += weights[i] * g[before[i]];
    return sum;
  }

  /// Writes draws, row-major, one row each.
  public void draw(int count, RandomGenerator random, double[] draws) {
    int t = places.length;
    int q = means.length;
    for (int s = 0; s < count; s++)
      for (int j = 0; j < q; j++) draws[s * t + j] = random.nextGaussian();
    Parallel.forEach(
        count,
        s -> {
          double[] g = new double[q];
          for (int j = 0; j < q; j++)
            g[j] = byRows[j] + regressed(j, g) + Math.sqrt(variances[j]) * draws[s * t + j];
          for (int i = 0; i < t; i++) draws[s * t + i] = means[places[i]] + g[places[i]];
        });
  }
}
