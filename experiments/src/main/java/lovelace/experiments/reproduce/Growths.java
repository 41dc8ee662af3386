package lovelace.experiments.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import lovelace.data.Dataset;
import lovelace.engines.Engines;
import lovelace.exact.ExactGp;
import lovelace.experiments.baseline.Algorithm1;
import lovelace.experiments.baseline.KissGp;
import lovelace.experiments.baseline.Sgpr;
import lovelace.experiments.reproduce.Growth.Phase;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.PointSampler;
import lovelace.lattice.Sampler;
import lovelace.lattice.Sampling;
import lovelace.linear.ConjugateGradients;
import lovelace.love.Love;
import lovelace.love.LoveCovariance;
import lovelace.posterior.Posterior;
import lovelace.statistics.GridStatistics;

/// The costs of each method for one input, an RBF kernel and noise 0.1. Each size that a cost may
/// depend on varies by itself.
final class Growths {

  private static final String EXACT = "exact";
  private static final String SGPR = "SGPR";
  private static final String KISS = "KISS-GP";
  private static final String LETTER = "LOVE, Algorithm 1";
  private static final String LOVE = "LOVE on the grid";
  static final String DEFAULT = "default posterior";

  private static final ConjugateGradients EXACT_SOLVER =
      ConjugateGradients.DEFAULT.withTolerance(1e-12);
  private static final ConjugateGradients SOLVER = ConjugateGradients.DEFAULT.withTolerance(1e-4);
  private static final int TESTED = 200;
  private static final int GRID = 1024;
  private static final int RANK = 30;

  private final List<Growth> all = new ArrayList<>();
  private String cell = "";
  private String method = "";

  private Growths() {}

  static List<Growth> all() {
    Growths growths = new Growths();
    growths.exact();
    growths.sparse();
    growths.kiss();
    growths.letter();
    growths.love();
    growths.defaults();
    growths.inPoints();
    growths.inIterations();
    return growths.all;
  }

  /// The following entries belong to one method and are measured together.
  private void of(String name) {
    cell = name;
    method = name;
  }

  private void precomputation(
      String variable, double paper, int largest, IntFunction<DoubleSupplier> work) {
    all.add(new Growth(cell, method, Phase.PRECOMPUTATION, variable, paper, largest, work));
  }

  private void variance(
      String variable, double paper, int largest, IntFunction<DoubleSupplier> work) {
    all.add(new Growth(cell, method, Phase.VARIANCE, variable, paper, largest, work));
  }

  private void sampling(
      String variable, double paper, int largest, IntFunction<DoubleSupplier> work) {
    all.add(new Growth(cell, method, Phase.SAMPLING, variable, paper, largest, work));
  }

  // ---- the methods ----

  private void exact() {
    of(EXACT);
    precomputation("n", 3, 4096, n -> exact(data(n)));
    variance("n", 2, 4096, n -> variances(ExactGp.of(data(n), model()), TESTED));
    sampling("t", 3, 4096, t -> draws(ExactGp.of(data(200), model()), t));
  }

  private static DoubleSupplier exact(Dataset data) {
    return made(() -> ExactGp.of(data, model()));
  }

  private void sparse() {
    of(SGPR);
    precomputation("n", 1, 65_536, n -> sparse(data(n), 128));
    precomputation("m", 2, 1024, m -> sparse(data(8192), m));
    variance("m", 2, 1024, m -> variances(Sgpr.of(data(2048), model(), evenly(m)), TESTED));
    sampling("t", 3, 4096, t -> draws(Sgpr.of(data(2048), model(), evenly(128)), t));
  }

  private static DoubleSupplier sparse(Dataset data, int m) {
    double[] z = evenly(m);
    return made(() -> Sgpr.of(data, model(), z));
  }

  private void kiss() {
    of(KISS);
    variance("n", 1, 65_536, n -> solves(data(n), GRID, 16));
    variance("m", 1, 65_536, m -> solves(data(2048), m, 16));
    variance("k", 1, 64, k -> steps(data(2048), k));
    sampling("t", 3, 2048, t -> draws(KissGp.of(problem(data(2048), GRID), EXACT_SOLVER), t));
  }

  private static DoubleSupplier solves(Dataset data, int m, int t) {
    LatticeProblem problem = problem(data, m);
    Stencils points = Stencils.of(problem.statistics().lattice(), points(t));
    return () -> PlainKiss.variances(problem, data, points, 1e-4)[0];
  }

  /// A fixed number of conjugate-gradient steps, at any accuracy.
  private static DoubleSupplier steps(Dataset data, int k) {
    LatticeProblem problem = problem(data, GRID);
    Stencils points = Stencils.of(problem.statistics().lattice(), points(16));
    ConjugateGradients solver = SOLVER.withTolerance(1e-300).withLimit(k);
    return () -> PlainKiss.variances(problem, data, points, solver, Double.MAX_VALUE)[0];
  }

  private void letter() {
    of(LETTER);
    precomputation("n", 1, 262_144, n -> letter(data(n), GRID, RANK));
    precomputation("m", 1, 65_536, m -> letter(data(2048), m, RANK));
    variance("n", 0, 65_536, n -> letterVariances(data(n), RANK, TESTED));
    variance("k", 1, 64, k -> letterVariances(data(4096), k, TESTED));
  }

  private static DoubleSupplier letter(Dataset data, int m, int k) {
    LatticeProblem problem = problem(data, m);
    return made(() -> Algorithm1.of(problem, data, k));
  }

  private static DoubleSupplier letterVariances(Dataset data, int k, int t) {
    return variances(Algorithm1.of(problem(data, GRID), data, k), t);
  }

  private void love() {
    of(LOVE);
    precomputation("n", 1, 1 << 20, n -> love(data(n), GRID, RANK));
    precomputation("m", 1, 65_536, m -> love(data(2048), m, RANK));
    variance("n", 0, 65_536, n -> loveVariances(data(n), GRID, RANK, 10 * TESTED));
    variance("m", 0, 65_536, m -> loveVariances(data(2048), m, RANK, 10 * TESTED));
    variance("k", 1, 64, k -> loveVariances(data(4096), GRID, k, 10 * TESTED));
    sampling("t", 1, 65_536, t -> draws(loveSampler(20), t));
    sampling(
        "k",
        1,
        64,
        k -> {
          PointSampler sampler = loveSampler(k).at(points(2000));
          return () -> sampler.draw(100, new SplittableRandom(1))[0];
        });
  }

  private static DoubleSupplier love(Dataset data, int m, int k) {
    return () -> Love.DEFAULT.withRank(k).build(problem(data, m)).size();
  }

  private static DoubleSupplier loveVariances(Dataset data, int m, int k, int t) {
    LoveCovariance covariance = Love.DEFAULT.withRank(k).build(problem(data, m));
    Grid grid = grid(m);
    double[] points = points(t);
    return () -> covariance.variances(Stencils.of(grid, points))[0];
  }

  private static Sampler loveSampler(int k) {
    return LatticePosterior.love(problem(data(2048), GRID), Love.DEFAULT.withRank(RANK))
        .sampler(Sampling.DEFAULT.withMethod(Sampling.Method.LOVE).withRank(k));
  }

  private void defaults() {
    of(DEFAULT);
    precomputation("n", 1, 1 << 20, n -> defaults(data(n), GRID));
    precomputation("m", 1, 65_536, m -> defaults(data(2048), m));
    variance("n", 0, 65_536, n -> variances(posterior(data(n), GRID), 50 * TESTED));
    variance("m", 0, 65_536, m -> variances(posterior(data(2048), m), 50 * TESTED));
    sampling("t", 1, 65_536, t -> draws(posterior(data(2048), GRID).sampler(), t));
  }

  private static DoubleSupplier defaults(Dataset data, int m) {
    return made(() -> posterior(data, m));
  }

  private static LatticePosterior posterior(Dataset data, int m) {
    LatticeDistribution found =
        Engines.cheapest(problem(data, m).statistics(), model(), Bench.SEED)
            .posterior(model(), 0.01);
    return LatticePosterior.of(found, 0.01);
  }

  /// Variances of every method against the number of points.
  private void inPoints() {
    cell = "variance in t";
    method = EXACT;
    variance("t", 1, 4096, t -> variances(ExactGp.of(data(1024), model()), t));
    method = SGPR;
    variance("t", 1, 16_384, t -> variances(Sgpr.of(data(2048), model(), evenly(128)), t));
    method = KISS;
    variance("t", 1, 512, t -> solves(data(2048), GRID, t));
    method = LETTER;
    variance("t", 1, 65_536, t -> letterVariances(data(4096), RANK, t));
    method = LOVE;
    variance("t", 1, 65_536, t -> loveVariances(data(2048), GRID, RANK, t));
    method = DEFAULT;
    variance("t", 1, 1 << 20, t -> variances(posterior(data(2048), GRID), t));
  }

  /// Precomputation against the Lanczos iterations.
  private void inIterations() {
    cell = "precomputation in k";
    method = LETTER;
    precomputation("k", 1, 64, k -> letter(data(16_384), GRID, k));
    method = LOVE;
    precomputation("k", 1, 64, k -> love(data(2048), 4096, k));
  }

  // ---- the work that is timed ----

  private static DoubleSupplier made(Supplier<Posterior> posterior) {
    return () -> posterior.get().noise();
  }

  private static DoubleSupplier variances(Posterior posterior, int t) {
    double[] points = points(t);
    return () -> posterior.predict(points).variance(0);
  }

  private static DoubleSupplier draws(Posterior posterior, int t) {
    double[] points = points(t);
    return () -> posterior.sample(points, 10, new SplittableRandom(1))[0];
  }

  private static DoubleSupplier draws(Sampler sampler, int t) {
    double[] points = points(t);
    return () -> sampler.draw(points, 10, new SplittableRandom(1))[0];
  }

  // ---- its data ----

  private static Dataset data(int n) {
    SplittableRandom random = new SplittableRandom(Bench.SEED);
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = random.nextDouble();
      y[i] = Math.sin(20 * x[i]) + Math.sqrt(0.1) * random.nextGaussian();
    }
    return Dataset.of(x, 1, y);
  }

  private static Hyperparameters model() {
    return Hyperparameters.of(
        Kernel.parse("1*rbf(lengthscale=0.05)").bind(1), 0.1, PriorMean.constant(0));
  }

  private static double[] points(int t) {
    SplittableRandom random = new SplittableRandom(~Bench.SEED);
    double[] points = new double[t];
    for (int i = 0; i < t; i++) points[i] = random.nextDouble();
    return points;
  }

  private static double[] evenly(int m) {
    double[] z = new double[m];
    for (int i = 0; i < m; i++) z[i] = (i + 0.5) / m;
    return z;
  }

  private static Grid grid(int m) {
    return Grid.of(Axis.covering(0, 1, Math.max(m, 16)));
  }

  private static LatticeProblem problem(Dataset data, int m) {
    return LatticeProblem.of(GridStatistics.of(grid(m), data.inputs(), data.target()), model());
  }
}
