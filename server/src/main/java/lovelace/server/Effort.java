package lovelace.server;

import lovelace.Model;
import lovelace.lattice.LatticePosterior;

/// Estimates the work of an answer. Quick work is done by the thread that received the request. The
/// pool does the rest: it has as many threads as the server may compute with.
final class Effort {

  /// The number of multiplications that take less than a millisecond.
  private static final double QUICK = 1e6;

  /// The cost of any row, and the cost per number of a row whose likelihood is not Gaussian.
  private static final double ROW = 100;

  private static final double LAW = 10_000;

  private Effort() {}

  /// Whether it is quick to predict `numbers` numbers at each of these points.
  static boolean isQuick(Model model, double[] points, int numbers) {
    int rows = points.length / model.columns().size();
    double row = model.likelihood().isGaussian() ? ROW : LAW * numbers;
    if (rows * row > QUICK || model.map().isPresent() || !model.drift().isEmpty()) return false;
    LatticePosterior lattice = model.lattice().orElse(null);
    if (lattice != null) return lattice.isQuick(points);
    return model.held().map(held -> held.operations(rows) <= QUICK).orElse(false);
  }
}
