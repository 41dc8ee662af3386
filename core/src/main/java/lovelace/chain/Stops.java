package lovelace.chain;

import java.util.Arrays;
import lovelace.linear.Parallel;

/// Points with the parts from which their covariances with other points are computed. Immutable.
final class Stops {

  private static final int CHUNK = 256;

  private final Chain chain;
  private final double[] points;
  private final int[] place; // the last one not beyond each point
  private final double[] said; // of the state at each point
  private final double[] own; // covariance of the state with f at each point
  private final double[] next; // covariance of the state at the next place with f
  private final double[] reach; // f at each point as a function of the state at its place

  Stops(Chain chain, double[] points) {
    this.chain = chain;
    this.points = points;
    int d = chain.d;
    int t = points.length;
    int packed = Link.packed(d);
    place = new int[t];
    said = new double[t * packed];
    own = new double[t * d];
    next = new double[t * d];
    reach = new double[t * d];
    Parallel.chunks(
        t,
        CHUNK,
        (chunk, from, to) -> {
          var station = chain.new Station();
          double[] a = new double[d * d];
          for (int p = from; p < to; p++) {
            station.stand(points[p]);
            place[p] = station.place;
            System.arraycopy(station.said, 0, said, p * packed, packed);
            for (int i = 0; i < d; i++) own[p * d + i] = station.root[i * d] * station.root[0];
            identity(a, d);
            station.link.carry(a); // from the place before the point, if there is one
            System.arraycopy(a, 0, reach, p * d, d);
            int after = station.place + 1;
            if (after == chain.places.size()) continue;
            station.toPlace(chain.places.at[after] - points[p], after);
            vector(a, own, p * d, d);
            station.link.carry(a);
            for (int i = 0; i < d; i++) next[p * d + i] = a[i * d];
          }
        });
  }

  private static void identity(double[] a, int d) {
    for (int i = 0; i < d; i++) for (int j = 0; j < d; j++) a[i * d + j] = i == j ? 1 : 0;
  }

  /// A matrix with the vector as its first column.
  private static void vector(double[] a, double[] v, int at, int d) {
    Arrays.fill(a, 0);
    for (int i = 0; i < d; i++) a[i * d] = v[at + i];
  }

  /// The smallest of the points' places.
  int first() {
    return Arrays.stream(place).min().orElse(0);
  }

  /// The largest of the points' places.
  int last() {
    return Arrays.stream(place).max().orElse(0);
  }

  /// The covariance of f at point p and at the other's point q. Point q is not before p.
  double covariance(int p, Stops other, int q, Carries carries, Chain.Station station) {
    int d = chain.d;
    if (points[p] == other.points[q]) return own[p * d];
    if (place[p] == other.place[q]) {
      int packed = Link.packed(d);
      station.toPoint(
          other.points[q] - points[p],
          Arrays.copyOfRange(other.said, q * packed, (q + 1) * packed));
      double[] a = new double[d * d];
      vector(a, own, p * d, d);
      station.link.carry(a);
      return a[0];
    }
    double[] v = Arrays.copyOfRange(next, p * d, (p + 1) * d);
    carries.carry(v, place[p] + 1, other.place[q], new double[d]);
    double sum = 0;
    for (int i = 0; i < d; i++) sum += other.reach[q * d + i] * v[i];
    return sum;
  }
}
