package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import lovelace.baseline.ExactGp;
import lovelace.baseline.Sgpr;
import lovelace.data.Dataset;
import lovelace.experiments.WarmMedian;
import lovelace.experiments.reproduce.Report.Entry;
import lovelace.experiments.reproduce.Report.Tone;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.GridStatistics;
import lovelace.grid.Stencils;
import lovelace.inference.Engines;
import lovelace.inference.GridSystem;
import lovelace.inference.Love;
import lovelace.inference.LoveCovariance;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.plot.Palette;
import lovelace.plot.Plot;
import lovelace.plot.Sheet;
import lovelace.posterior.Algorithm1;
import lovelace.posterior.GridPosterior;
import lovelace.posterior.PointSampler;
import lovelace.posterior.Sampling;

/// Table 1: how times grow with n, m, t and k, as exponents fitted to measurements.
///
/// One input, RBF kernel, noise 0.1: everything that a method's cost could depend on is varied by
/// itself.
final class ComplexityTable implements Experiment {

  /// Growth that is within this of the paper's exponent counts as the paper's.
  private static final double SLACK = 0.3;

  private static final int TESTED = 200;

  /// What is done.
  private enum Phase {
    PRECOMPUTATION("precomputation"),
    VARIANCE("variance"),
    SAMPLING("sampling");

    final String title;

    Phase(String title) {
      this.title = title;
    }
  }

  /// One cost against one size.
  ///
  /// @param paper the exponent that the paper's bound gives, logarithms left out
  /// @param largest the largest size of a full run; each smaller one is half of the next
  /// @param work makes what is to be timed at a size
  private record Growth(
      String method,
      Phase phase,
      String variable,
      double paper,
      int largest,
      IntFunction<DoubleSupplier> work) {

    String key() {
      return "%s-%s-%s".formatted(method, phase.title, variable);
    }
  }

  @Override
  public String name() {
    return "complexity";
  }

  private static String cellKey(String method) {
    return "complexity-" + method.toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  @Override
  public List<Cell> cells(Bench bench) {
    List<Cell> cells = new ArrayList<>();
    byMethod()
        .forEach(
            (method, growths) ->
                cells.add(
                    new Cell(
                        cellKey(method),
                        "complexity of " + method,
                        (bench.size().full() ? 12 : 1) * growths.size(),
                        (result, remark) -> {
                          for (Growth growth : growths)
                            measure(bench, growth, result.putObject(growth.key()));
                        })));
    return cells;
  }

  private static Map<String, List<Growth>> byMethod() {
    Map<String, List<Growth>> all = new LinkedHashMap<>();
    for (Growth growth : growths())
      all.computeIfAbsent(growth.method, name -> new ArrayList<>()).add(growth);
    return all;
  }

  private static void measure(Bench bench, Growth growth, ObjectNode result) {
    Size size = bench.size();
    int steps = size.ladder();
    int largest = size.full() ? growth.largest : Math.max(growth.largest / 4, 16);
    if (size.rows() <= 200) largest = Math.max(largest / 8, 16);
    WarmMedian clock = new WarmMedian(Math.min(0.1, size.warmup()), 0.5);
    ArrayNode sizes = result.putArray("sizes");
    ArrayNode times = result.putArray("ms");
    for (int i = 0; i < steps; i++) {
      int at = Math.max(4, largest >> (steps - 1 - i));
      DoubleSupplier work = growth.work.apply(at);
      sizes.add(at);
      times.add(clock.milliseconds(work));
    }
    result.put("exponent", slope(Bench.numbers(sizes), Bench.numbers(times))[0]);
    if (Double.isNaN(clock.sink())) throw new ArithmeticException("a result is not a number");
  }

  /// The line of least squares through the logarithms: exponent and factor.
  private static double[] slope(double[] x, double[] y) {
    double mx = 0;
    double my = 0;
    for (int i = 0; i < x.length; i++) {
      mx += Math.log(x[i]) / x.length;
      my += Math.log(y[i]) / x.length;
    }
    double sxy = 0;
    double sxx = 0;
    for (int i = 0; i < x.length; i++) {
      sxy += (Math.log(x[i]) - mx) * (Math.log(y[i]) - my);
      sxx += (Math.log(x[i]) - mx) * (Math.log(x[i]) - mx);
    }
    return new double[] {sxy / sxx, Math.exp(my - sxy / sxx * mx)};
  }

  // ---- the costs ----

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

  private static GridSystem system(Dataset data, int m) {
    Grid grid = Grid.of(Axis.covering(0, 1, Math.max(m, 16)));
    return GridSystem.of(GridStatistics.of(grid, data.inputs(), data.target()), model());
  }

  private static GridPosterior posterior(Dataset data, int m) {
    GridSystem system = system(data, m);
    var found =
        Engines.choose(system.statistics(), model(), Engines.Kind.AUTO, Bench.SEED)
            .engine()
            .condition(model(), 0.01);
    return GridPosterior.of(found.system(), found.covariance(), found.mean(), 0.01);
  }

  private static LoveCovariance love(GridSystem system, int k) {
    return Love.DEFAULT.withRank(k).build(system);
  }

  private static List<Growth> growths() {
    List<Growth> all = new ArrayList<>();
    exact(all);
    sparse(all);
    kiss(all);
    letter(all);
    gridLove(all);
    defaults(all);
    return all;
  }

  private static void exact(List<Growth> all) {
    String name = "exact";
    all.add(
        new Growth(
            name,
            Phase.PRECOMPUTATION,
            "n",
            3,
            4096,
            n -> {
              Dataset data = data(n);
              return () -> ExactGp.of(data, model()).noise();
            }));
    all.add(
        new Growth(
            name,
            Phase.VARIANCE,
            "n",
            2,
            4096,
            n -> {
              ExactGp gp = ExactGp.of(data(n), model());
              double[] points = points(TESTED);
              return () -> gp.predict(points).variance(0);
            }));
    all.add(
        new Growth(
            name,
            Phase.SAMPLING,
            "t",
            3,
            4096,
            t -> {
              ExactGp gp = ExactGp.of(data(200), model());
              double[] points = points(t);
              return () -> gp.joint(points).draw(10, new SplittableRandom(1))[0];
            }));
  }

  private static void sparse(List<Growth> all) {
    String name = "SGPR";
    all.add(
        new Growth(
            name,
            Phase.PRECOMPUTATION,
            "n",
            1,
            65_536,
            n -> {
              Dataset data = data(n);
              double[] z = evenly(128);
              return () -> Sgpr.of(data, model(), z).noise();
            }));
    all.add(
        new Growth(
            name,
            Phase.PRECOMPUTATION,
            "m",
            2,
            1024,
            m -> {
              Dataset data = data(8192);
              double[] z = evenly(m);
              return () -> Sgpr.of(data, model(), z).noise();
            }));
    all.add(
        new Growth(
            name,
            Phase.VARIANCE,
            "m",
            2,
            1024,
            m -> {
              Sgpr gp = Sgpr.of(data(2048), model(), evenly(m));
              double[] points = points(TESTED);
              return () -> gp.predict(points).variance(0);
            }));
    all.add(
        new Growth(
            name,
            Phase.SAMPLING,
            "t",
            3,
            4096,
            t -> {
              Sgpr gp = Sgpr.of(data(2048), model(), evenly(128));
              double[] points = points(t);
              return () -> gp.joint(points).draw(10, new SplittableRandom(1))[0];
            }));
  }

  private static void kiss(List<Growth> all) {
    String name = "KISS-GP";
    int tested = 16;
    all.add(
        new Growth(
            name,
            Phase.VARIANCE,
            "n",
            1,
            65_536,
            n -> {
              Dataset data = data(n);
              GridSystem system = system(data, 1024);
              Stencils points = Stencils.of(system.statistics().lattice(), points(tested));
              return () -> PlainKiss.variances(system, data, points, 1e-4)[0];
            }));
    all.add(
        new Growth(
            name,
            Phase.VARIANCE,
            "m",
            1,
            65_536,
            m -> {
              Dataset data = data(2048);
              GridSystem system = system(data, m);
              Stencils points = Stencils.of(system.statistics().lattice(), points(tested));
              return () -> PlainKiss.variances(system, data, points, 1e-4)[0];
            }));
  }

  private static void letter(List<Growth> all) {
    String name = "LOVE, Algorithm 1";
    all.add(
        new Growth(
            name,
            Phase.PRECOMPUTATION,
            "n",
            1,
            262_144,
            n -> {
              Dataset data = data(n);
              GridSystem system = system(data, 1024);
              return () -> Algorithm1.of(system, data, 30).noise();
            }));
    all.add(
        new Growth(
            name,
            Phase.PRECOMPUTATION,
            "m",
            1,
            65_536,
            m -> {
              Dataset data = data(2048);
              GridSystem system = system(data, m);
              return () -> Algorithm1.of(system, data, 30).noise();
            }));
    all.add(
        new Growth(
            name,
            Phase.VARIANCE,
            "n",
            0,
            65_536,
            n -> {
              Dataset data = data(n);
              Algorithm1 gp = Algorithm1.of(system(data, 1024), data, 30);
              double[] points = points(TESTED);
              return () -> gp.predict(points).variance(0);
            }));
    all.add(
        new Growth(
            name,
            Phase.VARIANCE,
            "k",
            1,
            64,
            k -> {
              Dataset data = data(4096);
              Algorithm1 gp = Algorithm1.of(system(data, 1024), data, k);
              double[] points = points(TESTED);
              return () -> gp.predict(points).variance(0);
            }));
  }

  private static void gridLove(List<Growth> all) {
    String name = "LOVE on the grid";
    all.add(
        new Growth(
            name,
            Phase.PRECOMPUTATION,
            "n",
            1,
            1 << 20,
            n -> {
              Dataset data = data(n);
              return () -> love(system(data, 1024), 30).size();
            }));
    all.add(
        new Growth(
            name,
            Phase.PRECOMPUTATION,
            "m",
            1,
            65_536,
            m -> {
              Dataset data = data(2048);
              return () -> love(system(data, m), 30).size();
            }));
    all.add(new Growth(name, Phase.VARIANCE, "n", 0, 65_536, n -> variances(data(n), 1024, 30)));
    all.add(new Growth(name, Phase.VARIANCE, "m", 0, 65_536, m -> variances(data(2048), m, 30)));
    all.add(new Growth(name, Phase.VARIANCE, "k", 1, 64, k -> variances(data(4096), 1024, k)));
    all.add(
        new Growth(
            name,
            Phase.SAMPLING,
            "t",
            1,
            65_536,
            t -> {
              GridPosterior gp =
                  GridPosterior.love(system(data(2048), 1024), Love.DEFAULT.withRank(30));
              var sampler =
                  gp.sampler(Sampling.DEFAULT.withMethod(Sampling.Method.LOVE).withRank(20));
              double[] points = points(t);
              return () -> sampler.at(points).draw(10, new SplittableRandom(1))[0];
            }));
    all.add(
        new Growth(
            name,
            Phase.SAMPLING,
            "k",
            1,
            64,
            k -> {
              GridPosterior gp =
                  GridPosterior.love(system(data(2048), 1024), Love.DEFAULT.withRank(30));
              PointSampler sampler =
                  gp.sampler(Sampling.DEFAULT.withMethod(Sampling.Method.LOVE).withRank(k))
                      .at(points(2000));
              return () -> sampler.draw(100, new SplittableRandom(1))[0];
            }));
  }

  private static DoubleSupplier variances(Dataset data, int m, int k) {
    LoveCovariance covariance = love(system(data, m), k);
    Grid grid = Grid.of(Axis.covering(0, 1, Math.max(m, 16)));
    double[] points = points(10 * TESTED);
    return () -> covariance.variances(Stencils.of(grid, points))[0];
  }

  private static void defaults(List<Growth> all) {
    String name = "default posterior";
    all.add(
        new Growth(
            name,
            Phase.PRECOMPUTATION,
            "n",
            1,
            1 << 20,
            n -> {
              Dataset data = data(n);
              return () -> posterior(data, 1024).noise();
            }));
    all.add(
        new Growth(
            name,
            Phase.PRECOMPUTATION,
            "m",
            1,
            65_536,
            m -> {
              Dataset data = data(2048);
              return () -> posterior(data, m).noise();
            }));
    all.add(new Growth(name, Phase.VARIANCE, "n", 0, 65_536, n -> predictions(data(n), 1024)));
    all.add(new Growth(name, Phase.VARIANCE, "m", 0, 65_536, m -> predictions(data(2048), m)));
    all.add(
        new Growth(
            name,
            Phase.SAMPLING,
            "t",
            1,
            65_536,
            t -> {
              var sampler = posterior(data(2048), 1024).sampler();
              double[] points = points(t);
              return () -> sampler.at(points).draw(10, new SplittableRandom(1))[0];
            }));
  }

  private static DoubleSupplier predictions(Dataset data, int m) {
    GridPosterior gp = posterior(data, m);
    double[] points = points(50 * TESTED);
    return () -> gp.predict(points).variance(0);
  }

  // ---- the report ----

  @Override
  public void report(Bench bench, Report report) {
    report.heading("Table 1: complexity");
    report.words(
        "Exponents of growth, one size varied at a time, fitted by least squares to the logarithms of"
            + " %d measurements, each size twice the one before. One input, RBF kernel with lengthscale"
                .formatted(bench.size().ladder())
            + " 0.05 of the range, noise 0.1. The paper's exponent is that of its bound without"
            + " logarithms. Green: at most %.1f above it.".formatted(SLACK));
    List<List<Entry>> rows = new ArrayList<>();
    Map<String, Plot> plots = new LinkedHashMap<>();
    Map<String, Integer> colors = new LinkedHashMap<>();
    for (Growth growth : growths()) {
      JsonNode r = bench.result(cellKey(growth.method)).path(growth.key());
      double[] sizes = Bench.numbers(r.path("sizes"));
      double[] times = Bench.numbers(r.path("ms"));
      double[] line = slope(sizes, times);
      rows.add(
          List.of(
              Entry.of(growth.method),
              Entry.of(growth.phase.title),
              Entry.of(growth.variable),
              new Entry(
                  Verdict.fixed(line[0], 2),
                  line[0] <= growth.paper + SLACK ? Tone.GOOD : Tone.BAD),
              Entry.of(
                  growth.method.equals("default posterior")
                      ? "%.0f (LOVE's)".formatted(growth.paper)
                      : "%.0f".formatted(growth.paper)),
              Entry.of("%,.0f to %,.0f".formatted(sizes[0], sizes[sizes.length - 1])),
              Entry.of(
                  Verdict.milliseconds(times[0])
                      + " to "
                      + Verdict.milliseconds(times[times.length - 1]))));
      Plot plot =
          plots.computeIfAbsent(
              growth.phase.title + " against " + growth.variable,
              title ->
                  Plot.titled(title)
                      .labels(growth.variable, "milliseconds")
                      .log(true, true)
                      .size(560, 380));
      int color = colors.computeIfAbsent(growth.method, m -> colors.size());
      double[] fitted = new double[sizes.length];
      for (int i = 0; i < fitted.length; i++) fitted[i] = line[1] * Math.pow(sizes[i], line[0]);
      plot.points("", sizes, times, Palette.series(color), Plot.Mark.DOT);
      plot.dashed(
          String.format(Locale.ROOT, "%s, %.2f", growth.method, line[0]),
          sizes,
          fitted,
          Palette.series(color),
          1.5);
    }
    report.table(
        List.of("method", "what", "in", "exponent", "paper", "sizes", "milliseconds"), rows);
    Sheet sheet =
        Sheet.titled("How times grow")
            .subtitle("measurements and the fitted lines, with their exponents");
    plots.values().forEach(sheet::add);
    report.figure("complexity", "Measured times and fitted exponents", sheet);
    report.point(
        "KISS-GP without LOVE has nothing to precompute; its draws factor the covariance of the points"
            + " as the exact process and SGPR do, t³.");
    report.point(
        "Small sizes cost what a call costs, which flattens a line; one above its bound is a cache that"
            + " no longer holds the work, or a machine that others use.");
    report.point(
        "LOVE on the grid: the pass over the rows is all that depends on n. The default posterior's"
            + " variance depends on neither n, m nor k; points in random order on a larger grid miss the"
            + " caches more often.");
  }
}
