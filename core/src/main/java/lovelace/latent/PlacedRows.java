package lovelace.latent;

import java.util.Arrays;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.linear.Parallel;
import lovelace.neighbours.DistinctPlaces;

/// Rows by their places, in a random order. Rows at one place observe one value of f. If the
/// likelihood allows, they are added to one observation. Immutable.
final class PlacedRows {

  /// The number of places that one task works on.
  private static final int CHUNK = 2048;

  /// The places in order. Their target is 0.
  final Dataset places;

  private final Likelihood likelihood;
  private final int[] begins; // of the observations of each place
  private final double[] y;
  private final double[] sizes;
  private final double[] extras;

  private PlacedRows(
      Dataset places,
      Likelihood likelihood,
      int[] begins,
      double[] y,
      double[] sizes,
      double[] extras) {
    this.places = places;
    this.likelihood = likelihood;
    this.begins = begins;
    this.y = y;
    this.sizes = sizes;
    this.extras = extras;
  }

  /// @param seed of the order
  static PlacedRows of(Dataset rows, Likelihood likelihood, long seed) {
    int n = rows.size();
    int d = rows.dimensions();
    int[] place = DistinctPlaces.places(rows);
    int count = Arrays.stream(place).max().orElse(-1) + 1;
    int[] order = LatentPrior.order(count, seed);
    for (int i = 0; i < n; i++) place[i] = order[place[i]];
    boolean adds = likelihood.adds();
    int[] begins = new int[count + 1];
    if (adds) Arrays.setAll(begins, p -> p);
    else {
      for (int p : place) begins[p + 1]++;
      for (int p = 0; p < count; p++) begins[p + 1] += begins[p];
    }
    int size = begins[count];
    int[] next = begins.clone();
    double[] x = new double[count * d];
    double[] y = new double[size];
    double[] sizes = new double[size];
    double[] extras = new double[size];
    for (int i = 0; i < n; i++) {
      System.arraycopy(rows.inputs(), i * d, x, place[i] * d, d);
      int at = adds ? place[i] : next[place[i]]++;
      double value = rows.target()[i];
      double weight = rows.weight(i);
      y[at] += value;
      sizes[at] += weight;
      extras[at] += likelihood.extra(value, weight);
    }
    Dataset places = Dataset.of(x, rows.columns(), new double[count], rows.targetColumn());
    return new PlacedRows(places, likelihood, begins, y, sizes, extras);
  }

  /// The same rows under other values of the likelihood's parameters.
  PlacedRows with(Likelihood other) {
    return new PlacedRows(places, other, begins, y, sizes, extras);
  }

  /// Whether W is an expectation.
  boolean scores() {
    return likelihood.scores();
  }

  /// The number of places.
  int size() {
    return begins.length - 1;
  }

  /// log p(y | f).
  double log(double[] f) {
    return Parallel.sum(
        size(),
        CHUNK,
        (from, to) -> {
          double sum = 0;
          for (int p = from; p < to; p++)
            for (int i = begins[p]; i < begins[p + 1]; i++)
              sum += likelihood.log(y[i], sizes[i], extras[i], f[p]);
          return sum;
        });
  }

  /// Writes slope, curvature W and slope of W at each place. Returns log p(y | f).
  double at(double[] f, double[] slopes, double[] curvatures, double[] curvatureSlopes) {
    return Parallel.sum(
        size(),
        CHUNK,
        (from, to) -> {
          double sum = 0;
          double[] out = new double[4];
          for (int p = from; p < to; p++) {
            double g = 0;
            double w = 0;
            double dw = 0;
            for (int i = begins[p]; i < begins[p + 1]; i++) {
              likelihood.at(y[i], sizes[i], extras[i], f[p], out);
              sum += out[0];
              g += out[1];
              w += out[2];
              dw += out[3];
            }
            slopes[p] = g;
            curvatures[p] = w;
            curvatureSlopes[p] = dw;
          }
          return sum;
        });
  }

  /// `Σ ∂log p/∂φ + a ∂²log p/∂f∂φ + b ∂W/∂φ` for each of the likelihood's parameters φ.
  double[] parameterSlopes(double[] f, double[] a, double[] b) {
    int q = likelihood.parameterNames().size();
    double[] slopes = new double[q];
    if (q == 0) return slopes;
    double[][] parts = new double[Parallel.pieces(size(), CHUNK)][q];
    Parallel.chunks(
        size(),
        CHUNK,
        (piece, from, to) -> {
          double[] out = new double[3 * q];
          for (int p = from; p < to; p++)
            for (int i = begins[p]; i < begins[p + 1]; i++) {
              likelihood.parameters(y[i], sizes[i], extras[i], f[p], out);
              for (int c = 0; c < q; c++)
                parts[piece][c] += out[3 * c] + a[p] * out[3 * c + 1] + b[p] * out[3 * c + 2];
            }
        });
    for (double[] part : parts) for (int c = 0; c < q; c++) slopes[c] += part[c];
    return slopes;
  }
}
