package lovelace;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.diagnostics.FarFromZero;
import lovelace.drift.DriftedPosterior;
import lovelace.exact.ExactGp;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.lattice.InterpolationLoss;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.model.Provenance.Note;
import lovelace.plan.Engine;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sparse.SparseEngine;
import org.jspecify.annotations.Nullable;

/// How close a posterior on a lattice must come, and does come, to the exact process.
final class Closeness {

  /// Up to so many rows the exact process itself says how far off a lattice is.
  static final int MEASURED = 2000;

  /// The largest number of cells per lengthscale of a grid.
  static final double FINEST = 1000;

  private static final int FEWEST = 200; // places that are looked at
  private static final int MOST = 1000;
  private static final double WORK = 2e8; // of the exact process at these places
  private static final double SAFETY = 2; // from the places looked at to all others
  private static final double NEIGHBOURHOOD = 2; // cells
  private static final int NEAR = 150; // rows of a local process
  private static final int LOCAL = 8; // local processes
  private static final double FINER = 1.25;

  /// The rows that tell how large a kernel is.
  private static final int SOME = 1000;

  private Closeness() {}

  /// How far a posterior is from the exact process of its rows, with a margin for places not looked
  /// at; null where the process cannot be computed.
  static @Nullable Interpolation measure(LatticePosterior posterior, Dataset rows) {
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

  /// The nearest of some other rows.
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

  /// The cells a lengthscale that keep the interpolated process as close to the exact one as the
  /// tolerance says, at least so many: what a cell loses is compared with the posterior variance
  /// beside a few of the rows. Lengthscales that are not known are those of the range.
  static double cells(
      Hyperparameters h, Survey survey, double[] lengthscales, double tolerance, double least) {
    Kernel kernel = h.kernel().withoutWhite();
    double noise = h.noise() + h.kernel().whiteVariance();
    int d = kernel.dimensions();
    double[] range = new double[d];
    double[] scale = new double[d];
    double[] centre = new double[d];
    for (int a = 0; a < d; a++) {
      range[a] = survey.high()[a] - survey.low()[a];
      scale[a] = lengthscales[a] > 0 ? lengthscales[a] : range[a];
      centre[a] = survey.low()[a] + 0.5 * range[a];
      if (!(scale[a] > 0)) return least;
    }
    double variance = leastVariance(h, survey, scale);
    double limit = Math.min(tolerance / 2, Math.pow(Interpolation.meanTolerance(tolerance) / 2, 2));
    double cells = least;
    while (cells < FINEST) {
      double[] step = new double[d];
      double rows = (double) survey.count();
      for (int a = 0; a < d; a++) {
        step[a] = scale[a] / cells;
        if (range[a] > 0) rows *= Math.min(1, step[a] / range[a]);
      }
      double loss = InterpolationLoss.middle(kernel, centre, step);
      if (InterpolationLoss.excess(loss, variance, noise, rows, d) <= limit) break;
      cells *= FINER;
    }
    return Math.min(cells, FINEST);
  }

  /// The smallest posterior variance beside some rows, each of a process on its nearest rows.
  private static double leastVariance(Hyperparameters h, Survey survey, double[] scale) {
    Dataset rows = survey.sample(2000);
    int d = rows.dimensions();
    int n = rows.size();
    double[] x = rows.inputs();
    double share = (double) survey.count() / n; // rows that a sampled row stands for
    double least = Double.POSITIVE_INFINITY;
    for (int l = 0; l < Math.min(LOCAL, n); l++) {
      int at = (int) ((long) l * n / Math.min(LOCAL, n));
      double[] distance = new double[n];
      for (int i = 0; i < n; i++)
        for (int a = 0; a < d; a++) {
          double step = (x[i * d + a] - x[at * d + a]) / scale[a];
          distance[i] += step * step;
        }
      int[] near =
          IntStream.range(0, n)
              .boxed()
              .sorted(Comparator.comparingDouble(i -> distance[i]))
              .limit(NEAR)
              .mapToInt(Integer::intValue)
              .toArray();
      double[] nearX = new double[near.length * d];
      double[] weight = new double[near.length];
      double[] y = new double[near.length];
      for (int i = 0; i < near.length; i++) {
        System.arraycopy(x, near[i] * d, nearX, i * d, d);
        weight[i] = share * rows.weight(near[i]);
        y[i] = rows.target()[near[i]];
      }
      Dataset local = Dataset.of(nearX, rows.columns(), y, rows.targetColumn(), weight);
      try {
        double v =
            ExactGp.of(local, h).predict(Arrays.copyOfRange(x, at * d, (at + 1) * d)).variance(0);
        least = Math.min(least, v);
      } catch (ArithmeticException notPositiveDefinite) {
        // another place will do
      }
    }
    return least < Double.POSITIVE_INFINITY ? least : h.noise();
  }

  /// What a model says first whose linear kernels leave few digits. Under Gaussian noise, two
  /// engines compute lines apart: the exact process takes them out, and the spectral engine has
  /// modes of their own for them.
  ///
  /// @param gaussian whether the noise is
  static Optional<Note> digits(Posterior posterior, boolean gaussian) {
    Hyperparameters h;
    double[] points;
    long rows;
    boolean apart;
    if (posterior instanceof RowPosterior held) {
      h = held.inner().hyperparameters();
      points = held.inner().data().thinned(SOME).inputs();
      rows = held.nearestRows().orElse(held.data().size());
      apart = gaussian && held.inner() instanceof ExactGp;
    } else {
      LatticePosterior grid =
          switch (posterior) {
            case MappedPosterior mapped -> mapped.inner();
            case DriftedPosterior drifted -> drifted.lattice();
            case LatticePosterior lattice -> lattice;
            default -> throw new IllegalStateException("unknown posterior");
          };
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

  /// The corners of a lattice, where a linear kernel is largest: all of few columns, else two.
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
