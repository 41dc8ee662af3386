package lovelace.experiments;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.laplace.Laplace;
import lovelace.laplace.Mode;
import lovelace.laplace.Observations;
import lovelace.laplace.WorkingExact;
import lovelace.laplace.WorkingProcess;
import lovelace.latticekernel.KernelRoot;
import lovelace.latticekernel.LatticeKernel;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.likelihood.Likelihood;
import lovelace.sparse.WorkingNodes;

/// One observation in every cell of a lattice over [0, 10]², of a process with exponential
/// covariance, variance 1, range 0.3 and mean 0, after Zilber and Katzfuss (2021). The latent
/// function is drawn exactly, by circulant embedding. Scores are those of the latent function.
public final class LikelihoodLattice {

  /// The kind of observation, with the published mean squared error and seconds at 550 × 550 cells.
  public enum Kind {
    BERNOULLI(0.198, 38),
    POISSON(0.118, 183),
    GAMMA(0.089, 109);

    private final double mse;
    private final double seconds;

    Kind(double mse, double seconds) {
      this.mse = mse;
      this.seconds = seconds;
    }

    private Likelihood likelihood() {
      return switch (this) {
        case BERNOULLI -> Likelihood.bernoulli();
        case POISSON -> Likelihood.poisson();
        case GAMMA -> Likelihood.gamma().with(2);
      };
    }

    private double draw(double f, RandomGenerator random) {
      return switch (this) {
        case BERNOULLI -> random.nextDouble() < 1 / (1 + Math.exp(-f)) ? 1 : 0;
        case POISSON -> poisson(Math.exp(f), random);
        case GAMMA -> // shape 2, mean exp(f)
            -Math.exp(f) / 2 * Math.log((1 - random.nextDouble()) * (1 - random.nextDouble()));
      };
    }

    /// Counts the events of a unit of time.
    private static int poisson(double rate, RandomGenerator random) {
      int count = 0;
      for (double at = random.nextExponential(); at < rate; at += random.nextExponential()) count++;
      return count;
    }
  }

  /// The side of the published lattice.
  public static final int SIDE = 550;

  /// The number of nodes that each one is regressed on.
  private static final int NEIGHBOURS = 12;

  /// The side of a window for the exact kernel, and of one to learn from.
  private static final int WINDOW = 64;

  private static final int LEARNING = 96;

  /// The most draws for which the exact kernel is used on a window.
  private static final int WINDOWS = 3;

  private static final String KERNEL = "1*matern12(lengthscale=0.3)";

  private final Kind kind;
  private final int side;
  private final double step;
  private final double[] f;
  private final double[] y;

  private LikelihoodLattice(Kind kind, int side, double step, double[] f, double[] y) {
    this.kind = kind;
    this.side = side;
    this.step = step;
    this.f = f;
    this.y = y;
  }

  /// A draw on `side × side` cells.
  static LikelihoodLattice draw(Kind kind, int side, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double step = 10.0 / side;
    Grid grid = grid(side, step);
    KernelRoot root = KernelRoot.of(LatticeKernel.of(grid, hyperparameters(kind).kernel()));
    double[] white = new double[root.normals()];
    for (int i = 0; i < white.length; i++) white[i] = random.nextGaussian();
    double[] all = new double[grid.size()];
    root.apply(1, white.length, white, all);
    double[] f = new double[side * side];
    double[] y = new double[f.length];
    for (int i = 0; i < f.length; i++) {
      f[i] = all[(i / side + 1) * (side + 2) + i % side + 1];
      y[i] = kind.draw(f[i], random);
    }
    return new LikelihoodLattice(kind, side, step, f, y);
  }

  /// A grid of the cells' centres, with one more node at each end.
  private static Grid grid(int side, double step) {
    Axis axis = new Axis(-step / 2, step, side + 2);
    return Grid.of(axis, axis);
  }

  /// The true hyperparameters.
  private static Hyperparameters hyperparameters(Kind kind) {
    return Hyperparameters.of(Kernel.parse(KERNEL).bind(2), kind.likelihood(), PriorMean.ZERO);
  }

  /// The central cells, as a lattice of their own.
  private LikelihoodLattice window(int most) {
    int n = Math.min(most, side);
    int from = (side - n) / 2;
    double[] some = new double[n * n];
    double[] seen = new double[n * n];
    for (int i = 0; i < some.length; i++) {
      int at = (from + i / n) * side + from + i % n;
      some[i] = f[at];
      seen[i] = y[at];
    }
    return new LikelihoodLattice(kind, n, step, some, seen);
  }

  private double[] places() {
    double[] places = new double[2 * f.length];
    for (int i = 0; i < f.length; i++) {
      places[2 * i] = (i / side + 0.5) * step;
      places[2 * i + 1] = (i % side + 0.5) * step;
    }
    return places;
  }

  private Laplace laplace(boolean exact) {
    double[] places = places();
    WorkingProcess process =
        exact
            ? new WorkingExact(places, 2)
            : Objects.requireNonNull(WorkingNodes.of(grid(side, step), places, NEIGHBOURS));
    return new Laplace(Observations.of(Dataset.of(places, 2, y), kind.likelihood()), process);
  }

  /// Negative log density and squared error of the latent function, and the seconds for its means
  /// and variances at all cells.
  private double[] scores(boolean exact, Hyperparameters h) {
    long start = System.nanoTime();
    Mode mode = laplace(exact).mode(h);
    double[] v = mode.variances();
    double[] m = mode.means();
    double seconds = (System.nanoTime() - start) * 1e-9;
    double nlpd = 0;
    double mse = 0;
    for (int i = 0; i < f.length; i++) {
      double e = m[i] - f[i];
      nlpd += 0.5 * (Math.log(2 * Math.PI * v[i]) + e * e / v[i]) / f.length;
      mse += e * e / f.length;
    }
    return new double[] {nlpd, mse, seconds};
  }

  private Learned learned() {
    LikelihoodLattice some = window(LEARNING);
    Hyperparameters start =
        Hyperparameters.of(
            Kernel.parse("0.5*matern12(lengthscale=1)").bind(2),
            kind.likelihood().with(kind == Kind.GAMMA ? new double[] {1} : new double[0]),
            PriorMean.ZERO);
    return Learner.DEFAULT.learn(some.laplace(false), List.of(start), 1);
  }

  private static String text(Hyperparameters h) {
    double[] values = h.values();
    return IntStream.range(0, values.length)
        .mapToObj(i -> String.format(Locale.ROOT, "%s %.3f", h.names().get(i), values[i]))
        .collect(Collectors.joining(", "));
  }

  /// Measures some draws with the true parameters, and one with parameters learned from a window of
  /// it.
  ///
  /// @param phases receives the name of each step as it begins
  public static List<LikelihoodScore> measure(
      Kind kind, int side, int draws, Consumer<String> phases) throws IOException {
    String problem = String.format(Locale.ROOT, "lattice %dx%d", side, side);
    boolean published = side == SIDE;
    phases.accept("a run to warm up");
    draw(kind, Math.min(side, WINDOW), 0).scores(false, hyperparameters(kind));
    double[] sums = new double[3];
    for (int d = 1; d <= draws; d++) {
      phases.accept("draw " + d);
      double[] one = draw(kind, side, d).scores(false, hyperparameters(kind));
      for (int i = 0; i < sums.length; i++) sums[i] += one[i] / draws;
    }
    long peak = PeakMemory.bytes();
    String name = kind.likelihood().name();
    phases.accept("learning");
    LikelihoodLattice first = draw(kind, side, 1);
    Learned learned = first.learned();
    phases.accept("draw 1 with what was learned");
    double[] again = first.scores(false, learned.hyperparameters());
    LikelihoodScore later =
        new LikelihoodScore(
            problem + ", learned",
            name,
            1,
            again[0],
            again[1],
            learned.seconds() + again[2],
            PeakMemory.bytes(),
            Double.NaN,
            LikelihoodScore.Published.NONE,
            LikelihoodScore.Difference.NONE,
            text(learned.hyperparameters()));
    double ours = 0;
    double exact = 0;
    for (int d = 1; d <= Math.min(draws, WINDOWS); d++) {
      phases.accept("the exact kernel on a window of draw " + d);
      LikelihoodLattice window = draw(kind, side, d).window(WINDOW);
      ours += window.scores(false, hyperparameters(kind))[1];
      exact += window.scores(true, hyperparameters(kind))[1];
    }
    LikelihoodScore given =
        new LikelihoodScore(
            problem,
            name,
            draws,
            sums[0],
            sums[1],
            sums[2],
            peak,
            ours / exact,
            published
                ? new LikelihoodScore.Published(kind.mse, kind.seconds)
                : LikelihoodScore.Published.NONE,
            LikelihoodScore.Difference.NONE,
            "");
    return List.of(given, later);
  }
}
