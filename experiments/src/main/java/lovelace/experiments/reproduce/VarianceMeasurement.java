package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleFunction;
import java.util.function.DoubleSupplier;
import lovelace.data.Dataset;
import lovelace.engines.Engines;
import lovelace.exact.ExactGp;
import lovelace.experiments.BenchmarkCase;
import lovelace.experiments.WarmMedian;
import lovelace.experiments.baseline.Algorithm1;
import lovelace.experiments.baseline.InducingPoints;
import lovelace.experiments.baseline.Sgpr;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.linear.ConjugateGradients;
import lovelace.love.Love;
import lovelace.love.LoveCovariance;
import lovelace.posterior.Prediction;
import lovelace.statistics.GridStatistics;

/// Measures errors and times of the variances of one set, by every method on the same features.
final class VarianceMeasurement {

  static final int RANK = 50;

  private static final double TOLERANCE = 0.01; // of a default posterior
  private static final int SOLVED = 64; // points at which the published KISS-GP is timed

  private final Bench bench;
  private final Sets set;
  private final Dataset train;
  private final Dataset held;
  private final double[] x;
  private final double[] y;
  private final double[] test;
  private final Grid grid;
  private final Stencils stencils;
  private final Hyperparameters h;
  private final WarmMedian clock;

  VarianceMeasurement(Bench bench, Features features, Sets set) {
    this.bench = bench;
    this.set = set;
    train = features.train();
    held = features.test();
    x = train.inputs();
    y = train.target();
    test = held.inputs();
    grid = features.grid();
    stencils = Stencils.of(grid, test);
    h = features.hyperparameters();
    clock = bench.size().clock();
  }

  void run(ObjectNode result) throws IOException {
    result.put("n", y.length);
    result.put("t", stencils.count());
    double[] truth = exact(result);
    double[] kiss = thin(problem(), stencils, 1e-10);
    double[] algorithm1 = letter().variances(test);
    double[] love = love().variances(stencils);
    LatticePosterior posterior = posterior();
    double[] own = posterior.predict(test).variances();
    errors(result, "algorithm1", algorithm1, kiss, truth);
    errors(result, "love", love, kiss, truth);
    errors(result, "default", own, kiss, truth);
    errors(result, "kiss", kiss, kiss, truth);
    result.put("default_posterior", posterior.certificate().toString());
    double wanted = Math.max(set.smaeKiss, Errors.smae(love, kiss, y));
    Stencils some = Stencils.of(grid, Arrays.copyOf(test, 2 * Math.min(16, stencils.count())));
    LatticeProblem problem = problem();
    double published = loosest(kiss, wanted, t -> PlainKiss.variances(problem, train, some, t));
    double thin = loosest(kiss, wanted, t -> thin(problem, some, t));
    result.put("kiss_wanted", wanted);
    result.put("kiss_tolerance", published);
    result.put("thin_tolerance", thin);
    times(result, published, thin);
    if (Double.isNaN(clock.sink())) throw new ArithmeticException("a result is not a number");
  }

  private double[] exact(ObjectNode result) throws IOException {
    if (y.length > bench.size().exactRows()) return new double[0];
    long start = System.nanoTime();
    ExactGp exact = ExactGp.of(train, h);
    Prediction prediction = exact.predict(test);
    result.put("exact_ms", (System.nanoTime() - start) * 1e-6);
    bench.keep(
        BenchmarkCase.of(set.folder, train, held, h, prediction, exact.logMarginalLikelihood()));
    return prediction.variances();
  }

  private void errors(
      ObjectNode result, String name, double[] variances, double[] kiss, double[] truth) {
    result.put(name + "_smae_kiss", Errors.smae(variances, kiss, y));
    if (truth.length == 0) return;
    result.put(name + "_smae_exact", Errors.smae(variances, truth, y));
    result.put(name + "_largest_relative", Errors.largestRelative(variances, truth));
  }

  /// The loosest tolerance of the solves at which the variances of the first test points are as
  /// close to their limit as wanted.
  private double loosest(double[] kiss, double wanted, DoubleFunction<double[]> variances) {
    for (double tolerance = 0.1; tolerance > 1e-8; tolerance /= 10) {
      double[] found = variances.apply(tolerance);
      if (Errors.smae(found, Arrays.copyOf(kiss, found.length), y) <= wanted) return tolerance;
    }
    return 1e-8;
  }

  /// Measures times, in the order of the report. Preparations for one measurement are not reused by
  /// another.
  private void times(ObjectNode result, double published, double thin) {
    time(result, "love_scratch_ms", () -> love().variances(own())[0]);
    LoveCovariance covariance = love();
    time(result, "love_after_ms", () -> covariance.variances(own())[0]);
    time(result, "default_scratch_ms", () -> posterior().predict(test).variance(0));
    LatticePosterior posterior = posterior();
    time(result, "default_after_ms", () -> posterior.predict(test).variance(0));
    time(result, "algorithm1_scratch_ms", () -> letter().variances(test)[0]);
    Algorithm1 letter = letter();
    time(result, "algorithm1_after_ms", () -> letter.variances(test)[0]);
    time(result, "thin_scratch_ms", () -> thin(problem(), own(), thin)[0]);
    LatticeProblem prepared = problem();
    thin(prepared, stencils, 1);
    time(result, "thin_after_ms", () -> thin(prepared, own(), thin)[0]);
    int some = Math.min(solved(bench), stencils.count());
    Stencils points = Stencils.of(grid, Arrays.copyOf(test, 2 * some));
    double solves =
        clock.milliseconds(() -> PlainKiss.variances(prepared, train, points, published)[0]);
    result.put("kiss_points", some);
    result.put("kiss_ms", solves / some * stencils.count());
    sparse(result, "sgpr100", 100);
    sparse(result, "sgpr1000", 1000);
  }

  private void sparse(ObjectNode result, String name, int m) {
    int inducing = Math.min(m, Math.max(2, y.length / 2));
    double[] z = InducingPoints.kMeans(train, inducing, 5, new SplittableRandom(Bench.SEED));
    time(result, name + "_scratch_ms", () -> Sgpr.of(train, h, z).predict(test).variance(0));
    Sgpr sparse = Sgpr.of(train, h, z);
    time(result, name + "_after_ms", () -> sparse.predict(test).variance(0));
    result.put(name + "_points", inducing);
  }

  private void time(ObjectNode result, String name, DoubleSupplier work) {
    result.put(name, clock.milliseconds(work));
  }

  /// The number of points at which the published KISS-GP is timed, if there are enough points.
  static int solved(Bench bench) {
    return bench.size().full() ? SOLVED : SOLVED / 4;
  }

  private LatticeProblem problem() {
    return LatticeProblem.of(GridStatistics.of(grid, x, y), h);
  }

  private Stencils own() {
    return Stencils.of(grid, test);
  }

  private LoveCovariance love() {
    return Love.DEFAULT.withRank(RANK).build(problem());
  }

  private Algorithm1 letter() {
    return Algorithm1.of(problem(), train, RANK);
  }

  private LatticePosterior posterior() {
    LatticeDistribution found =
        Engines.cheapest(GridStatistics.of(grid, x, y), h, Bench.SEED).posterior(h, TOLERANCE);
    return LatticePosterior.of(found, TOLERANCE);
  }

  private static double[] thin(LatticeProblem problem, Stencils points, double tolerance) {
    double[] variances = problem.kernel().quadratics(points);
    double[] explained =
        problem.explained(ConjugateGradients.DEFAULT.withTolerance(tolerance), points);
    for (int p = 0; p < variances.length; p++) variances[p] -= explained[p];
    return variances;
  }
}
