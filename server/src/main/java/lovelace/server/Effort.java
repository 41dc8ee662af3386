package lovelace.server;

import lovelace.Model;
import lovelace.lattice.LatticePosterior;

/// About how much work an answer is. What is quick is done where it was asked, the rest by the
/// pool: it has as many threads as the server may compute with.
final class Effort {

  /// Multiplications that take less than a millisecond.
  private static final double QUICK = 1e6;

  /// What a row takes anyway, and one whose likelihood is not Gaussian for each number about it.
  private static final double ROW = 100;

  private static final double LAW = 10_000;

  private Effort() {}

  /// Whether predictions at these points, so many numbers about each of them, are quick.
  static boolean isQuick(Model model, double[] points, int numbers) {
    int rows = points.length / model.columns().size();
    double row = model.likelihood().isGaussian() ? ROW : LAW * numbers;
    if (rows * row > QUICK || model.map().isPresent() || !model.drift().isEmpty()) return false;
    LatticePosterior lattice = model.lattice().orElse(null);
    if (lattice != null) return lattice.isQuick(points);
    return model.held().map(held -> held.operations(rows) <= QUICK).orElse(false);
  }
}
