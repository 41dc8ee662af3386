package lovelace.experiments;

import java.util.Arrays;
import lovelace.neighbours.NeighbourGp;
import lovelace.posterior.internal.RowPosterior;

/// The cost of predictions from the nearest rows: microseconds, warm medians; NaN if there are
/// fewer rows.
///
/// @param one50 one prediction from 50 neighbours, on one core
/// @param batch50 a row of a batch
/// @param one200 one prediction from 200 neighbours, on one core
/// @param batch200 a row of a batch
public record NeighbourTimes(double one50, double batch50, double one200, double batch200) {

  /// The number of single predictions in one measurement.
  private static final int ROUND = 32;

  /// The rows of a batch.
  private static final int BATCH = 2000;

  /// Measures predictions at points, row-major, from the rows and the parameters of a posterior.
  static NeighbourTimes measure(RowPosterior rows, double[] points, WarmMedian warmup) {
    NeighbourGp fifty = NeighbourGp.of(rows.data(), rows.hyperparameters(), 50);
    NeighbourGp many = fifty.withNeighbours(200);
    return new NeighbourTimes(
        one(fifty, points, warmup),
        batch(fifty, points, warmup),
        one(many, points, warmup),
        batch(many, points, warmup));
  }

  /// A batch of one point is one task, so it has one core.
  private static double one(NeighbourGp gp, double[] points, WarmMedian warmup) {
    if (gp.neighbours() > gp.data().size()) return Double.NaN;
    int d = gp.dimensions();
    int count = points.length / d;
    double[][] single = new double[Math.min(count, BATCH)][];
    for (int i = 0; i < single.length; i++)
      single[i] = Arrays.copyOfRange(points, i * d, (i + 1) * d);
    int[] next = {0};
    return 1e3
        * warmup.milliseconds(
            () -> {
              double sum = 0;
              for (int i = 0; i < ROUND; i++)
                sum += gp.predictObservation(single[next[0]++ % single.length]).mean(0);
              return sum;
            })
        / ROUND;
  }

  private static double batch(NeighbourGp gp, double[] points, WarmMedian warmup) {
    if (gp.neighbours() > gp.data().size()) return Double.NaN;
    int d = gp.dimensions();
    int count = Math.min(points.length / d, BATCH);
    double[] some = Arrays.copyOf(points, count * d);
    return 1e3 * warmup.milliseconds(() -> gp.predictObservation(some).mean(0)) / count;
  }
}
