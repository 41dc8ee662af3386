package lovelace.neighbours;

import java.util.Arrays;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;

/// The cells whose points share their neighbours, which are the rows nearest to the cell's centre.
/// If rows are uniform, the side of a cell is a fifth of the distance to the last of these rows.
/// With many columns there are no cells, because they would be empty. Immutable.
final class SharedCells {

  /// The fewest shared neighbours. With fewer, it matters more which ones they are.
  private static final int LEAST = 64;

  /// The most columns in which points share their neighbours.
  private static final int FEW_COLUMNS = 3;

  /// The volume of the ball of radius 1 in one to three dimensions.
  private static final double[] BALL = {2, Math.PI, 4 * Math.PI / 3};

  /// The usual and the smallest ratio of the distance of a cell's last neighbour to that of its
  /// corner.
  private static final double WIDE = 5;

  static final double CLOSE = 4;

  /// The sides of a cell; empty if there are no cells.
  final double[] steps;

  private final double[] places;
  private final double[] scales;
  private final boolean all; // rows are neighbours of every point

  SharedCells(Dataset places, Hyperparameters h, double[] scales, int used) {
    this.places = places.inputs();
    this.scales = scales;
    this.all = used == places.size();
    this.steps = steps(places, h, scales, used);
  }

  private static double[] steps(Dataset places, Hyperparameters h, double[] scales, int used) {
    int d = places.dimensions();
    if (d > FEW_COLUMNS || used < LEAST || h.kernel().categories().length > 0) return new double[0];
    double volume = 1; // in lengthscales
    double[] x = places.inputs();
    for (int j = 0; j < d; j++) {
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (int i = j; i < x.length; i += d) {
        low = Math.min(low, x[i]);
        high = Math.max(high, x[i]);
      }
      if (!(scales[j] > 0 && scales[j] < 1e100)) return new double[0];
      volume *= (high - low) / scales[j];
    }
    double radius = Math.pow(volume * used / places.size() / BALL[d - 1], 1.0 / d);
    double step = 2 * radius / (WIDE * Math.sqrt(d));
    if (!(step > 0 && step < 1e100)) return new double[0];
    return Arrays.stream(scales).map(scale -> scale * step).toArray();
  }

  /// Whether the last neighbour of a cell's centre is so far away that the neighbours of all points
  /// of the cell are nearly the same.
  boolean isWide(double[] centres, int at, int last) {
    if (all) return true;
    double corner = 0;
    double far = 0;
    for (int j = 0; j < scales.length; j++) {
      double half = steps[j] / 2 / scales[j];
      double gap = (places[last * scales.length + j] - centres[at + j]) / scales[j];
      corner += half * half;
      far += gap * gap;
    }
    return far >= CLOSE * CLOSE * corner;
  }
}
