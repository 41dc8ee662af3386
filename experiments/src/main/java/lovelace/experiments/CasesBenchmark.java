package lovelace.experiments;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import lovelace.data.Dataset;
import lovelace.engines.Engines;
import lovelace.experiments.baseline.Algorithm1;
import lovelace.experiments.baseline.KissGp;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.Stencils;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.krylov.KrylovEngine;
import lovelace.lattice.LatticePosterior;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.linear.ConjugateGradients;
import lovelace.love.Love;
import lovelace.love.LoveCovariance;
import lovelace.posterior.Prediction;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.GridStatistics;

/// Measures times and errors of one [BenchmarkCase] on a grid of 100 points an axis over [−1, 1].
///
/// "From scratch" includes everything from the rows to the variances of all test points: the
/// statistics pass, the caches, the variances.
public final class CasesBenchmark {

  private static final int POINTS = 100;
  private static final int RANK = 50;
  private static final int START_ROWS = 5000; // the same number as in a fit
  private static final double TOLERANCE = 1e-4;

  private final BenchmarkCase problem;
  private final Grid grid;
  private final double[] x;
  private final double[] y;
  private final double[] test;
  private final Hyperparameters h;
  private final WarmMedian clock;
  private final Map<String, Object> result = new LinkedHashMap<>();
  private final Map<String, List<Double>> quartiles = new LinkedHashMap<>();

  private CasesBenchmark(BenchmarkCase problem, double warmup) {
    clock = new WarmMedian(warmup);
    this.problem = problem;
    Axis[] axes = new Axis[problem.train().dimensions()];
    Arrays.fill(axes, Axis.covering(-1, 1, POINTS));
    grid = Grid.of(axes);
    x = problem.train().inputs();
    y = problem.train().target();
    test = problem.test().inputs();
    h = problem.hyperparameters();
  }

  /// Measures a case. Each measurement is warmed up for `warmup` seconds or more. The keys of the
  /// result are those of the JSON file, in its order. A time is a median, and `quartiles` has the
  /// lower and the upper one of every time that was measured more than once. If `samples` is above
  /// 0, samplers are measured too: at that many points, with a tenth of that number of draws.
  public static Map<String, Object> run(BenchmarkCase problem, double warmup, int samples) {
    return new CasesBenchmark(problem, warmup).run(samples);
  }

  private Map<String, Object> run(int samples) {
    result.put("case", problem.name());
    result.put("n", problem.train().size());
    result.put("t", problem.test().size());
    milliseconds("statistics_ms", () -> statistics().squares());
    Love fixed = Love.DEFAULT.withRank(RANK);
    Love tolerant = Love.DEFAULT.withTolerance(TOLERANCE);
    milliseconds("love_k50_ms", () -> love(fixed));
    milliseconds("love_tolerance_ms", () -> love(tolerant));
    LatticePosterior posterior = LatticePosterior.love(problem(), tolerant);
    result.put("k", ((LoveCovariance) posterior.covariance()).rank());
    milliseconds("predict_all_ms", () -> last(posterior.predict(test)));
    query(posterior);
    milliseconds("kissgp_ms", this::kissGp);
    milliseconds("algorithm1_ms", this::algorithm1);
    errors(posterior.predict(test));
    likelihood();
    if (samples > 0)
      result.put("samples", SamplesBenchmark.run(problem, grid, posterior, clock, samples));
    result.put("quartiles", quartiles);
    if (Double.isNaN(clock.sink())) throw new ArithmeticException("a result is not a number");
    return result;
  }

  private void milliseconds(String key, DoubleSupplier work) {
    put(key, clock.measure(work), 1e6);
  }

  private void put(String key, WarmMedian.Time time, double unit) {
    result.put(key, time.median() / unit);
    if (time.calls() > 1) quartiles.put(key, List.of(time.lower() / unit, time.upper() / unit));
  }

  private GridStatistics statistics() {
    return GridStatistics.of(grid, x, y);
  }

  private LatticeProblem problem() {
    return LatticeProblem.of(statistics(), h);
  }

  private double love(Love love) {
    double[] variances = love.build(problem()).variances(Stencils.of(grid, test));
    return variances[variances.length - 1];
  }

  private double kissGp() {
    return last(KissGp.of(problem(), ConjugateGradients.DEFAULT.withTolerance(1e-6)).predict(test));
  }

  private double algorithm1() {
    return last(Algorithm1.of(problem(), problem.train(), RANK).predict(test));
  }

  private static double last(Prediction p) {
    return p.mean(p.size() - 1) + p.variance(p.size() - 1);
  }

  /// Predicts one point at a time, in random order.
  private void query(LatticePosterior posterior) {
    int d = grid.dimensions();
    int count = 1 << 14;
    double[] points = new double[count * d];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < count; i++)
      System.arraycopy(test, random.nextInt(test.length / d) * d, points, i * d, d);
    double[] out = new double[2];
    WarmMedian.Time time =
        clock.measure(
            () -> {
              double sum = 0;
              for (int i = 0; i < points.length; i += d) {
                posterior.evaluate(points, i, out);
                sum += out[0] + out[1];
              }
              return sum;
            });
    put("query_ns", time, count);
  }

  private void errors(Prediction p) {
    double[] mean = problem.exactMean();
    double[] variance = problem.exactVariance();
    double worstMean = 0;
    double absolute = 0;
    double relative = 0;
    double worst = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < p.size(); i++) {
      worstMean = Math.max(worstMean, Math.abs(p.mean(i) - mean[i]));
      double error = Math.abs(p.variance(i) - variance[i]);
      absolute += error / p.size();
      relative += error / variance[i] / p.size();
      worst = Math.max(worst, error / variance[i]);
      least = Math.min(least, p.variance(i));
    }
    result.put("mean_max_error", worstMean);
    result.put("variance_smae", absolute / spread(problem.test().target()));
    result.put("variance_mean_relative_error", relative);
    result.put("variance_max_relative_error", worst);
    result.put("variance_min", least);
  }

  /// The variance of the target.
  private static double spread(double[] values) {
    double mean = 0;
    for (double v : values) mean += v / values.length;
    double sum = 0;
    for (double v : values) sum += (v - mean) * (v - mean) / values.length;
    return sum;
  }

  /// Measures one likelihood with its gradient, as an optimiser asks for it after the pass. The
  /// spectral engine starts from H, which a search makes once. The Krylov engine starts from
  /// nothing, because otherwise it would start from the answer.
  private void likelihood() {
    GridStatistics statistics = statistics();
    var spectral = new SpectralEngine(statistics, SpectralEngine.TOLERANCE, SpectralEngine.MOST);
    LatticeEngine engine = spectral.applies(h) ? spectral : new KrylovEngine(statistics);
    Evidence first = engine.evidence(h);
    WarmStart start = engine == spectral ? first.next() : WarmStart.NONE;
    milliseconds(
        "likelihood_gradient_ms",
        () ->
            (engine == spectral ? spectral : new KrylovEngine(statistics))
                .evidence(h, start)
                .value());
    result.put("engine", engine.name());
    result.put("log_marginal_likelihood", first.value());
    milliseconds(
        "krylov_likelihood_gradient_ms", () -> new KrylovEngine(statistics).evidence(h).value());
    fit(statistics);
  }

  /// Measures a fit of an RBF kernel from default start values, after the pass: the time until it
  /// exceeds the likelihood of the fixed hyperparameters (NaN if never), and until it ends. It is
  /// the second of two runs.
  private void fit(GridStatistics statistics) {
    int d = grid.dimensions();
    Dataset some = problem.train().thinned(START_ROWS);
    Hyperparameters unset =
        Hyperparameters.of(Kernel.rbf().bind(d), Double.NaN, PriorMean.named("constant", d));
    for (int run = 0; run < 2; run++) {
      long begin = System.nanoTime();
      Hyperparameters start = unset.fill(some.inputs(), some.target());
      LatticeEngine engine = Engines.cheapest(statistics, start, 1);
      double[] passed = {Double.NaN};
      Learned learned =
          Learner.DEFAULT
              .withProgress(
                  (iteration, value, norm, at) -> {
                    if (-value >= problem.exactLikelihood() && Double.isNaN(passed[0]))
                      passed[0] = (System.nanoTime() - begin) * 1e-9;
                    return true;
                  })
              .learn(engine, unset, some, 1);
      result.put("fit_passes_s", passed[0]);
      result.put("fit_s", (System.nanoTime() - begin) * 1e-9);
      result.put("fit_log_marginal_likelihood", learned.logLikelihood());
    }
  }
}
