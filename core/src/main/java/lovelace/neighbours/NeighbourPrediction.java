package lovelace.neighbours;

import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.linear.Parallel;
import lovelace.posterior.internal.CellGroups;
import lovelace.posterior.internal.PredictionArrays;

/// Predicts at a batch of points by a [NeighbourGp]. Points of one cell use the rows nearest to its
/// centre; the others use the rows nearest to themselves.
final class NeighbourPrediction {

  /// The most points that share a system of neighbours, and the number of such groups that one task
  /// works on.
  static final int SHARED = 64;

  private static final int GROUPS = 4;

  private final NeighbourGp gp;
  private final SharedCells cells;
  private final int d;
  private final int used;
  private final double[] x;
  private final int offset;
  private final PredictionArrays all;
  private final NeighbourTargets targets;
  private final double[] targetMeans;
  private final double rounding;

  /// @param x the points of the batch
  /// @param offset the index at which the results of the batch begin
  /// @param all receives the prediction
  /// @param targetMeans receives the means of other targets
  NeighbourPrediction(
      NeighbourGp gp,
      double[] x,
      int offset,
      PredictionArrays all,
      NeighbourTargets targets,
      double[] targetMeans) {
    this.gp = gp;
    this.cells = gp.cells;
    this.d = gp.dimensions();
    this.used = gp.used();
    this.x = x;
    this.offset = offset;
    this.all = all;
    this.targets = targets;
    this.targetMeans = targetMeans;
    this.rounding = NearestRows.rounding(used);
  }

  void run() {
    if (cells.steps.length == 0 || targets.size() > 0) {
      alone(IntStream.range(0, x.length / d).toArray());
      return;
    }
    CellGroups groups = CellGroups.of(x, cells.steps, SHARED);
    int[] nearest = gp.nearest(groups.centres(), groups.size());
    boolean[] shared = new boolean[groups.size()];
    Parallel.chunks(
        groups.size(),
        GROUPS,
        (piece, from, to) -> {
          LocalSystem system =
              new LocalSystem(gp.places(), gp.hyperparameters(), used + SHARED - 1, false);
          for (int g = from; g < to; g++) {
            Budget.check();
            shared[g] = cells.isWide(groups.centres(), g * d, nearest[g * used + used - 1]);
            if (!shared[g]) continue;
            int size = groups.size(g);
            system.around(groups.centres(), g * d);
            for (int a = 0; a < used; a++) system.row(a, nearest[g * used + a]);
            for (int i = 0; i < size; i++) system.point(used + i, x, groups.point(g, i) * d);
            system.share(used, size);
            for (int i = 0; i < size; i++)
              put(groups.point(g, i), system.mean(i), system.rest(i), system.prior(i));
          }
        });
    alone(
        IntStream.range(0, groups.size())
            .filter(g -> !shared[g])
            .flatMap(g -> IntStream.range(0, groups.size(g)).map(i -> groups.point(g, i)))
            .toArray());
  }

  /// Predicts at some of the points, each from the rows nearest to it.
  private void alone(int[] points) {
    if (points.length == 0) return;
    double[] some = new double[points.length * d];
    for (int i = 0; i < points.length; i++) System.arraycopy(x, points[i] * d, some, i * d, d);
    int[] nearest = gp.nearest(some, points.length);
    Parallel.chunks(
        points.length,
        NearestRows.CHUNK,
        (piece, from, to) -> {
          LocalSystem system = new LocalSystem(gp.places(), gp.hyperparameters(), used, false);
          for (int t = from; t < to; t++) {
            Budget.check();
            system.around(some, t * d);
            for (int a = 0; a < used; a++) system.row(a, nearest[t * used + a]);
            system.point(used, some, t * d);
            double prior = system.factor(used);
            put(points[t], -system.error(), system.rest(), prior);
            if (targets.size() == 0) continue;
            system.solve();
            targets.write(system, nearest, t * used, used, offset + points[t], targetMeans);
          }
        });
  }

  private void put(int t, double residual, double variance, double prior) {
    double mean = gp.hyperparameters().mean().at(x, t * d) + residual;
    all.put(offset + t, mean, variance, rounding * prior, false);
  }
}
