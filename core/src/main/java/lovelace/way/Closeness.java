package lovelace.way;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.bare.Bare;
import lovelace.data.Dataset;
import lovelace.diagnostics.FarFromZero;
import lovelace.exact.ExactGp;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.lattice.LatticePosterior;
import lovelace.model.Provenance.Note;
import lovelace.plan.Engine;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sparse.SparseEngine;
import org.jspecify.annotations.Nullable;

/// Measures how close a posterior on a lattice comes to the exact process.
public final class Closeness {

  private static final int FEWEST = 200; // places that are compared
  private static final int MOST = 1000;
  private static final double WORK = 2e8; // of the exact process at these places
  private static final double SAFETY = 2; // from the compared places to all others
  private static final double NEIGHBOURHOOD = 2; // cells

  /// The number of rows that show how large a kernel is.
  private static final int SOME = 1000;

  private Closeness() {}

  /// How far a posterior is from the exact process of its rows, with a margin for places that were
  /// not compared; null if the process cannot be computed.
  public static @Nullable Interpolation measure(LatticePosterior posterior, Dataset rows) {
    Dataset inside = inside(rows, posterior.statistics().lattice());
    if (inside.size() == 0) return null;
    ExactGp exact;
    try {
      exact = ExactGp.of(inside, posterior.hyperparameters());
    } catch (ArithmeticException notPositiveDefinite) {
      return null;
    }
    double n = inside.size();
    int count = (int) Math.clamp(WORK / (n * n), FEWEST, MOST);
    double[] places = places(inside, posterior.statistics().lattice(), count);
    Prediction theirs = exact.predict(places);
    Prediction mine = posterior.predict(places);
    Kernel kernel = exact.hyperparameters().kernel().withoutWhite();
    double known = SparseEngine.NO_NOISE * kernel.variance(places, 0);
    double mean = 0;
    double variance = 0;
    for (int p = 0; p < count; p++) {
      double v = theirs.variance(p);
      if (mine.variance(p) == 0 && v <= known) continue; // the rest is rounding
      mean = Math.max(mean, Math.abs(mine.mean(p) - theirs.mean(p)) / Math.sqrt(v));
      variance = Math.max(variance, Math.abs(mine.variance(p) / v - 1));
    }
    return new Interpolation(SAFETY * mean, SAFETY * variance, count, true);
  }

  private static Dataset inside(Dataset rows, Lattice lattice) {
    int d = rows.dimensions();
    int[] kept =
        IntStream.range(0, rows.size())
            .filter(i -> lattice.outsideColumn(rows.inputs(), i * d) < 0)
            .toArray();
    return kept.length == rows.size() ? rows : rows.select(kept);
  }

  /// Places on rows, between neighbours, within two cells of rows, and anywhere in the rows' range.
  private static double[] places(Dataset rows, Lattice lattice, int count) {
    int d = rows.dimensions();
    int n = rows.size();
    double[] x = rows.inputs();
    double[] low = new double[d];
    double[] high = new double[d];
    Arrays.fill(low, Double.POSITIVE_INFINITY);
    Arrays.fill(high, Double.NEGATIVE_INFINITY);
    for (int i = 0; i < n * d; i++) {
      low[i % d] = Math.min(low[i % d], x[i]);
      high[i % d] = Math.max(high[i % d], x[i]);
    }
    SplittableRandom random = new SplittableRandom(0x1a77);
    double[] places = new double[count * d];
    for (int p = 0; p < count; p++) {
      int at = random.nextInt(n);
      int other = p % 4 == 1 ? neighbour(x, d, n, at, low, high, random) : at;
      for (int a = 0; a < d; a++) {
        double row = x[at * d + a];
        double near = NEIGHBOURHOOD * (2 * random.nextDouble() - 1) * step(lattice, a);
        places[p * d + a] =
            switch (p % 4) {
              case 0 -> row;
              case 1 -> row + 0.5 * (x[other * d + a] - row);
              case 2 -> Math.clamp(row + near, low[a], high[a]);
              default -> low[a] + random.nextDouble() * (high[a] - low[a]);
            };
      }
    }
    return places;
  }

  /// The width of a cell along a column.
  private static double step(Lattice lattice, int column) {
    return switch (lattice) {
      case Grid grid -> grid.axis(column).step();
      case AdditiveGrid sum -> {
        double least = lattice.high(column) - lattice.low(column);
        for (int c = 0; c < sum.components(); c++) {
          AdditiveGrid.Component part = sum.component(c);
          for (int a = 0; a < part.grid().dimensions(); a++)
            if (part.column(a) == column) least = Math.min(least, part.grid().axis(a).step());
        }
        yield least;
      }
    };
  }

  /// The nearest of some randomly chosen rows.
  private static int neighbour(
      double[] x, int d, int n, int at, double[] low, double[] high, SplittableRandom random) {
    int best = at;
    double least = Double.POSITIVE_INFINITY;
    for (int trial = 0; trial < 32; trial++) {
      int other = random.nextInt(n);
      double distance = 0;
      for (int a = 0; a < d; a++) {
        double range = Math.max(high[a] - low[a], Double.MIN_NORMAL);
        double step = (x[other * d + a] - x[at * d + a]) / range;
        distance += step * step;
      }
      if (distance > 0 && distance < least) {
        least = distance;
        best = other;
      }
    }
    return best;
  }

  /// A remark for a model whose linear kernels leave few digits. Under Gaussian noise, two engines
  /// compute lines separately: the exact process takes them out, and the spectral engine has modes
  /// of their own for them.
  ///
  /// @param gaussian whether the noise is
  public static Optional<Note> digits(Posterior posterior, boolean gaussian) {
    Hyperparameters h;
    double[] points;
    long rows;
    boolean apart;
    Bare bare = Bare.of(posterior);
    if (bare.rows().isPresent()) {
      RowPosterior held = bare.onRows();
      h = held.hyperparameters();
      points = held.data().thinned(SOME).inputs();
      rows = held.nearestRows().orElse(held.data().size());
      apart = gaussian && held.engine() == Engine.EXACT;
    } else {
      LatticePosterior grid = bare.onLattice();
      h = grid.hyperparameters();
      points = corners(grid.statistics().lattice());
      rows = grid.statistics().count();
      apart = gaussian && grid.covariance().engine() == Engine.SPECTRAL;
    }
    if (h.kernel().isStationary()) return Optional.empty();
    double noise = gaussian ? h.noise() + h.kernel().whiteVariance() : 1;
    return FarFromZero.remark(h, points, Math.min(SOME, rows), noise, apart)
        .map(text -> new Note(Note.Kind.DIGITS, text));
  }

  /// The corners of a lattice, where a linear kernel is largest: all of them for few columns,
  /// otherwise two.
  private static double[] corners(Lattice lattice) {
    int d = lattice.dimensions();
    int corners = d <= 10 ? 1 << d : 2;
    double[] points = new double[corners * d];
    for (int i = 0; i < corners; i++)
      for (int j = 0; j < d; j++)
        points[i * d + j] = (d <= 10 ? i >> j & 1 : i) == 0 ? lattice.low(j) : lattice.high(j);
    return points;
  }
}
