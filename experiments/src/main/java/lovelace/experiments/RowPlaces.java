package lovelace.experiments;

import java.util.Locale;
import java.util.SplittableRandom;

/// Distributions of rows in the unit box.
public enum RowPlaces {
  /// Uniform.
  UNIFORM,
  /// Four fifths in 25 clusters with a standard deviation of 0.03, the others uniform.
  CLUSTERS,
  /// On 30 straight lines across the square, like measurements of ships and satellites.
  TRACKS,
  /// Uniform except in three discs and a band, which are about half of the square.
  GAPS,
  /// On a line: one input, with a fifth of it empty.
  LINE;

  private static final int CLUSTER_COUNT = 25;
  private static final double CLUSTER_DEVIATION = 0.03;
  private static final double SPREAD = 0.2; // share of the rows of clusters that are uniform
  private static final int TRACK_COUNT = 30;
  private static final double[][] DISCS = {
    {0.3, 0.65, 0.22}, {0.78, 0.75, 0.16}, {0.85, 0.3, 0.14}
  };
  private static final double[] BAND = {0.1, 0.25}; // of the second input

  /// The number of inputs.
  public int dimensions() {
    return this == LINE ? 1 : 2;
  }

  /// Places of rows, row-major.
  double[] draw(int rows, SplittableRandom random) {
    int d = dimensions();
    double[] x = new double[rows * d];
    double[] centres = random.doubles(2 * CLUSTER_COUNT).toArray();
    double[] ends = random.doubles(3 * TRACK_COUNT).toArray();
    double[] place = new double[2];
    for (int i = 0; i < rows; ) {
      switch (this) {
        case CLUSTERS -> cluster(centres, random, place);
        case TRACKS -> track(ends, random, place);
        default -> anywhere(random, place);
      }
      boolean inside = place[0] >= 0 && place[0] <= 1 && place[1] >= 0 && place[1] <= 1;
      if (!inside || isEmpty(place)) continue;
      System.arraycopy(place, 0, x, i * d, d);
      i++;
    }
    return x;
  }

  private static void anywhere(SplittableRandom random, double[] place) {
    place[0] = random.nextDouble();
    place[1] = random.nextDouble();
  }

  private static void cluster(double[] centres, SplittableRandom random, double[] place) {
    if (random.nextDouble() < SPREAD) {
      anywhere(random, place);
      return;
    }
    int c = random.nextInt(CLUSTER_COUNT);
    place[0] = centres[2 * c] + CLUSTER_DEVIATION * random.nextGaussian();
    place[1] = centres[2 * c + 1] + CLUSTER_DEVIATION * random.nextGaussian();
  }

  /// A place on a line from side to side. Every other line goes the other way.
  private static void track(double[] ends, SplittableRandom random, double[] place) {
    int c = random.nextInt(TRACK_COUNT);
    double along = random.nextDouble();
    double across = ends[3 * c] + along * (ends[3 * c + 1] - ends[3 * c]);
    place[c % 2] = along;
    place[1 - c % 2] = across;
  }

  private boolean isEmpty(double[] place) {
    if (this == LINE) return place[0] > 0.5 && place[0] < 0.7;
    if (this != GAPS) return false;
    if (place[1] > BAND[0] && place[1] < BAND[1]) return true;
    for (double[] disc : DISCS)
      if (Math.hypot(place[0] - disc[0], place[1] - disc[1]) < disc[2]) return true;
    return false;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
