package lovelace.inference;

import java.util.Arrays;
import lovelace.data.Dataset;
import lovelace.statistics.CompressedWeights;
import lovelace.statistics.DataWeights;
import lovelace.statistics.GramRoot;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.LatticeGramRoot;
import lovelace.statistics.Statistics;

/// A root of the Gram matrix, `VVᵀ = G`, and the target in its coordinates: β with `Vβ = b`,
/// measured from the origin of the statistics.
public final class Coordinates {

  private static final int ENTRIES = 50_000_000; // of a lattice root

  private final GramRoot root;
  private final double[] target;

  private Coordinates(GramRoot root, double[] target) {
    this.root = root;
    this.target = target;
  }

  /// Uses one column per lattice point if the data fill the lattice, and otherwise the compressed
  /// weights.
  public static Coordinates of(Statistics statistics) {
    if (statistics instanceof GridStatistics data
        && data.grid().dimensions() < 4
        && data.rankBound() >= data.grid().size()) {
      LatticeGramRoot root =
          LatticeGramRoot.of(data.stencil(), (int) Math.min(ENTRIES, 1000L * data.grid().size()));
      if (root != null) return new Coordinates(root, root.coordinates(data.projected()));
    }
    CompressedWeights root = statistics.compressed();
    return new Coordinates(root, root.target());
  }

  /// Uses one column per observation, as the paper does.
  public static Coordinates of(Statistics statistics, Dataset data) {
    DataWeights root = DataWeights.of(statistics.lattice(), data);
    double[] target = new double[data.size()];
    Arrays.setAll(
        target, i -> Math.sqrt(data.weight(i)) * (data.target()[i] - statistics.origin()));
    return new Coordinates(root, target);
  }

  public GramRoot root() {
    return root;
  }

  /// The caller must not modify the array.
  public double[] target() {
    return target;
  }
}
