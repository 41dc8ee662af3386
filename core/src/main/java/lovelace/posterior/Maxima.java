package lovelace.posterior;

/// The largest value of each draw over a set of points, and where it is taken.
public final class Maxima {

  private final double[] values;
  private final int[] places;
  private final int points;

  Maxima(double[] values, int[] places, int points) {
    this.values = values;
    this.places = places;
    this.points = points;
  }

  /// The number of draws.
  public int count() {
    return values.length;
  }

  /// The maximum of draw i.
  public double value(int i) {
    return values[i];
  }

  /// The number of the point, counted from 0, where draw i is largest; the first of several.
  public int place(int i) {
    return places[i];
  }

  /// All maxima, draw by draw. A copy.
  public double[] values() {
    return values.clone();
  }

  /// All places, draw by draw. A copy.
  public int[] places() {
    return places.clone();
  }

  /// For every point, the share of draws that are largest there.
  public double[] probabilities() {
    double[] share = new double[points];
    for (int place : places) share[place] += 1.0 / places.length;
    return share;
  }
}
