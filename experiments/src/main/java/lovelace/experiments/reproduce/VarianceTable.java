package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import lovelace.baseline.ExactGp;
import lovelace.baseline.InducingPoints;
import lovelace.baseline.Sgpr;
import lovelace.data.Dataset;
import lovelace.experiments.WarmMedian;
import lovelace.experiments.reproduce.Report.Entry;
import lovelace.grid.Grid;
import lovelace.grid.GridStatistics;
import lovelace.grid.Stencils;
import lovelace.inference.Conditioned;
import lovelace.inference.Engines;
import lovelace.inference.GridSystem;
import lovelace.inference.Love;
import lovelace.inference.LoveCovariance;
import lovelace.kernel.Hyperparameters;
import lovelace.krylov.ConjugateGradients;
import lovelace.plot.Palette;
import lovelace.plot.Plot;
import lovelace.posterior.Algorithm1;
import lovelace.posterior.GridPosterior;

/// Table 2: variances on seven sets, their errors and the time they take.
final class VarianceTable implements Experiment {

  static final int RANK = 50;
  private static final double TOLERANCE = 0.01; // of a default posterior
  private static final int SOLVED = 64; // points that the published KISS-GP is timed at

  /// One of the posteriors that are ours.
  private enum Own {
    ALGORITHM1("Algorithm 1", "algorithm1"),
    LOVE("LOVE", "love"),
    DEFAULT("default", "default");

    final String title;
    final String key;

    Own(String title, String key) {
      this.title = title;
      this.key = key;
    }
  }

  @Override
  public String name() {
    return "variances";
  }

  private static String key(Sets set) {
    return "variances-" + set.folder;
  }

  @Override
  public List<Cell> cells(Bench bench) {
    List<Cell> cells = new ArrayList<>();
    for (Sets set : Sets.values()) {
      cells.add(Features.cell(bench, set));
      cells.add(
          new Cell(
              key(set),
              "variances of " + set.label(bench),
              bench.size().full() ? 20 + 0.002 * set.n : 3,
              (result, remark) ->
                  new Measurement(bench, Features.of(bench, set), set).run(result)));
    }
    return cells;
  }

  /// The measurement of one set.
  private static final class Measurement {
    final Bench bench;
    final Sets set;
    final Dataset train;
    final double[] x;
    final double[] y;
    final double[] test;
    final Grid grid;
    final Stencils stencils;
    final Hyperparameters h;
    final WarmMedian clock;

    Measurement(Bench bench, Features features, Sets set) {
      this.bench = bench;
      this.set = set;
      train = features.train();
      x = train.inputs();
      y = train.target();
      test = features.test().inputs();
      grid = features.grid();
      stencils = Stencils.of(grid, test);
      h = features.hyperparameters();
      clock = bench.size().clock();
    }

    void run(ObjectNode result) {
      result.put("n", y.length);
      result.put("t", stencils.count());
      double[] truth = exact(result);
      double[] kiss = thin(1e-10);
      double[] algorithm1 = Algorithm1.of(system(), train, RANK).predict(test).variances();
      double[] love = Love.DEFAULT.withRank(RANK).build(system()).variances(stencils);
      GridPosterior posterior = posterior();
      double[] own = posterior.predict(test).variances();
      errors(result, "algorithm1", algorithm1, kiss, truth);
      errors(result, "love", love, kiss, truth);
      errors(result, "default", own, kiss, truth);
      errors(result, "kiss", kiss, kiss, truth);
      result.put("default_posterior", posterior.certificate().toString());
      double wanted = Math.max(set.smaeKiss, Errors.smae(love, kiss, y));
      double tolerance = tolerance(kiss, wanted);
      result.put("kiss_tolerance", tolerance);
      times(result, tolerance);
      if (Double.isNaN(clock.sink())) throw new ArithmeticException("a result is not a number");
    }

    private double[] exact(ObjectNode result) {
      if (y.length > bench.size().exactRows()) return new double[0];
      long start = System.nanoTime();
      double[] variances = ExactGp.of(train, h).predict(test).variances();
      result.put("exact_ms", (System.nanoTime() - start) * 1e-6);
      return variances;
    }

    private void errors(
        ObjectNode result, String name, double[] variances, double[] kiss, double[] truth) {
      result.put(name + "_smae_kiss", Errors.smae(variances, kiss, y));
      if (truth.length == 0) return;
      result.put(name + "_smae_exact", Errors.smae(variances, truth, y));
      result.put(name + "_largest_relative", Errors.largestRelative(variances, truth));
    }

    /// The loosest tolerance of the solves at which KISS-GP without LOVE is as close to its own
    /// limit as the paper's LOVE or ours is.
    private double tolerance(double[] kiss, double wanted) {
      double[] some = Arrays.copyOf(kiss, Math.min(16, kiss.length));
      Stencils points = Stencils.of(grid, Arrays.copyOf(test, 2 * some.length));
      GridSystem system = system();
      for (double tolerance = 0.1; tolerance > 1e-8; tolerance /= 10)
        if (Errors.smae(thin(system, points, tolerance), some, y) <= wanted) return tolerance;
      return 1e-8;
    }

    private void times(ObjectNode result, double tolerance) {
      result.put(
          "love_scratch_ms",
          clock.milliseconds(
              () -> Love.DEFAULT.withRank(RANK).build(system()).variances(own())[0]));
      LoveCovariance covariance = Love.DEFAULT.withRank(RANK).build(system());
      result.put("love_after_ms", clock.milliseconds(() -> covariance.variances(own())[0]));
      result.put(
          "default_scratch_ms", clock.milliseconds(() -> posterior().predict(test).variance(0)));
      GridPosterior posterior = posterior();
      result.put("default_after_ms", clock.milliseconds(() -> posterior.predict(test).variance(0)));
      result.put(
          "algorithm1_scratch_ms",
          clock.milliseconds(() -> Algorithm1.of(system(), train, RANK).predict(test).variance(0)));
      Algorithm1 letter = Algorithm1.of(system(), train, RANK);
      result.put("algorithm1_after_ms", clock.milliseconds(() -> letter.predict(test).variance(0)));
      result.put("thin_scratch_ms", clock.milliseconds(() -> thin(tolerance)[0]));
      GridSystem prepared = system();
      thin(prepared, stencils, 1);
      result.put("thin_after_ms", clock.milliseconds(() -> thin(prepared, own(), tolerance)[0]));
      int some = Math.min(bench.size().full() ? SOLVED : SOLVED / 4, stencils.count());
      Stencils points = Stencils.of(grid, Arrays.copyOf(test, 2 * some));
      double solves =
          clock.milliseconds(() -> PlainKiss.variances(prepared, train, points, tolerance)[0]);
      result.put("kiss_points", some);
      result.put("kiss_ms", solves / some * stencils.count());
      for (int m : new int[] {100, 1000}) {
        int inducing = Math.min(m, Math.max(2, y.length / 2));
        double[] z = InducingPoints.kMeans(train, inducing, 5, new SplittableRandom(Bench.SEED));
        result.put(
            "sgpr%d_scratch_ms".formatted(m),
            clock.milliseconds(() -> Sgpr.of(train, h, z).predict(test).variance(0)));
        Sgpr sparse = Sgpr.of(train, h, z);
        result.put(
            "sgpr%d_after_ms".formatted(m),
            clock.milliseconds(() -> sparse.predict(test).variance(0)));
        result.put("sgpr%d_points".formatted(m), inducing);
      }
    }

    private GridSystem system() {
      return GridSystem.of(GridStatistics.of(grid, x, y), h);
    }

    private Stencils own() {
      return Stencils.of(grid, test);
    }

    private GridPosterior posterior() {
      Conditioned found =
          Engines.choose(GridStatistics.of(grid, x, y), h, Engines.Kind.AUTO, Bench.SEED)
              .engine()
              .condition(h, TOLERANCE);
      return GridPosterior.of(found.system(), found.covariance(), found.mean(), TOLERANCE);
    }

    private double[] thin(double tolerance) {
      return thin(system(), own(), tolerance);
    }

    private static double[] thin(GridSystem system, Stencils points, double tolerance) {
      double[] variances = system.kernel().quadratics(points);
      double[] explained =
          system.explained(ConjugateGradients.DEFAULT.withTolerance(tolerance), points);
      for (int p = 0; p < variances.length; p++) variances[p] -= explained[p];
      return variances;
    }
  }

  @Override
  public void report(Bench bench, Report report) {
    report.heading("Table 2: variances");
    report.words(
        ("A deep RBF kernel, learned once for each set and then left alone: every method has the same"
                + " two features of every row and the same hyperparameters. m = %d × %d grid points,"
                + " k = %d. Columns of ours: Algorithm 1 to the letter (Lanczos on the n × n matrix, the"
                + " kernel itself as prior term), LOVE in the coordinates of the grid with the same k,"
                + " and the default posterior (the engine chosen by cost, certified to 1 %%, mean and"
                + " variance as polynomials of a cell).")
            .formatted(bench.size().axis(), bench.size().axis(), RANK));
    accuracy(bench, report);
    speedups(
        bench,
        report,
        "Speedup over KISS-GP without LOVE as published: one solve of the n × n system for every test"
            + " point by conjugate gradients, to the loosest tolerance that makes its variances as"
            + " close as the paper's LOVE is. Timed at %d test points and multiplied: a point's solve does"
                .formatted(bench.size().full() ? SOLVED : SOLVED / 4)
            + " not depend on the others.",
        result -> result.path("kiss_ms").asDouble(),
        result -> result.path("kiss_ms").asDouble(),
        true);
    speedups(
        bench,
        report,
        "Speedup over the same solves in the fewest coordinates we know (a thin root of the grid's"
            + " kernel: no cost depends on n): our fastest KISS-GP without LOVE, which already has what"
            + " makes LOVE fast here. The paper had no such baseline; its figures stand beside for"
            + " reference.",
        result -> result.path("thin_scratch_ms").asDouble(),
        result -> result.path("thin_after_ms").asDouble(),
        true);
    sgpr(bench, report);
    times(bench, report);
    networks(bench, report);
    notes(bench, report);
  }

  private static List<List<Entry>> rows(Bench bench, Function<Sets, List<Entry>> cells) {
    List<List<Entry>> rows = new ArrayList<>();
    for (Sets set : Sets.values()) {
      List<Entry> row = new ArrayList<>();
      row.add(Entry.of(set.label(bench)));
      row.addAll(cells.apply(set));
      rows.add(row);
    }
    return rows;
  }

  private static void accuracy(Bench bench, Report report) {
    List<String> head = new ArrayList<>(List.of("set", "n", "d"));
    for (String than : List.of("KISS-GP", "exact")) {
      for (Own own : Own.values()) head.add("SMAE to " + than + ": " + own.title);
      head.add("paper");
    }
    head.add("default, largest relative error");
    report.table(
        head,
        rows(
            bench,
            set -> {
              JsonNode r = bench.result(key(set));
              List<Entry> row = new ArrayList<>();
              row.add(Entry.of("%,d".formatted(r.path("n").asInt() + r.path("t").asInt())));
              row.add(Entry.of("%d".formatted(set.d)));
              for (Own own : Own.values())
                row.add(
                    Verdict.error(
                        r.path(own.key + "_smae_kiss").asDouble(Double.NaN), set.smaeKiss));
              row.add(Entry.of(Verdict.scientific(set.smaeKiss)));
              for (Own own : Own.values())
                row.add(
                    Verdict.error(
                        r.path(own.key + "_smae_exact").asDouble(Double.NaN), set.smaeExact));
              row.add(Entry.of(Verdict.scientific(set.smaeExact)));
              row.add(
                  Entry.of(
                      Verdict.scientific(r.path("default_largest_relative").asDouble(Double.NaN))));
              return row;
            }));
    report.words(
        "SMAE: mean absolute error of the variances over the variance of the target, beside KISS-GP"
            + " solved to 1e-10 and beside the exact process where it has at most %,d rows. A dash: the"
                .formatted(bench.size().exactRows())
            + " exact process is too large, or the paper gives none.");
  }

  private static void speedups(
      Bench bench,
      Report report,
      String words,
      ToDoubleFunction<JsonNode> scratch,
      ToDoubleFunction<JsonNode> after,
      boolean compared) {
    report.words(words);
    List<String> head = new ArrayList<>(List.of("set"));
    for (Own own : Own.values()) head.add("from scratch: " + own.title);
    head.add("paper");
    for (Own own : Own.values()) head.add("after: " + own.title);
    head.add("paper");
    report.table(
        head,
        rows(
            bench,
            set -> {
              JsonNode r = bench.result(key(set));
              List<Entry> row = new ArrayList<>();
              for (Own own : Own.values())
                row.add(
                    Verdict.speedup(
                        scratch.applyAsDouble(r) / r.path(own.key + "_scratch_ms").asDouble(),
                        compared ? set.kissScratch : Double.NaN));
              row.add(Entry.of(Verdict.times(set.kissScratch)));
              for (Own own : Own.values())
                row.add(
                    Verdict.speedup(
                        after.applyAsDouble(r) / r.path(own.key + "_after_ms").asDouble(),
                        compared ? set.kissAfter : Double.NaN));
              row.add(Entry.of(Verdict.times(set.kissAfter)));
              return row;
            }));
  }

  private static void sgpr(Bench bench, Report report) {
    report.words(
        "Speedup over SGPR on the same features, inducing points from k-means and given to it like the"
            + " hyperparameters; from scratch is conditioning and prediction.");
    List<String> head = new ArrayList<>(List.of("set"));
    for (int m : new int[] {100, 1000})
      for (String when : List.of("from scratch", "after")) {
        head.add("m = %,d, %s: LOVE".formatted(m, when));
        head.add("default");
        head.add("paper");
      }
    report.table(
        head,
        rows(
            bench,
            set -> {
              JsonNode r = bench.result(key(set));
              List<Entry> row = new ArrayList<>();
              double[] paper = {
                set.sgpr100Scratch, set.sgpr100After, set.sgpr1000Scratch, set.sgpr1000After
              };
              for (int i = 0; i < 4; i++) {
                String when = i % 2 == 0 ? "_scratch_ms" : "_after_ms";
                double theirs = r.path((i < 2 ? "sgpr100" : "sgpr1000") + when).asDouble();
                for (Own own : List.of(Own.LOVE, Own.DEFAULT))
                  row.add(Verdict.speedup(theirs / r.path(own.key + when).asDouble(), paper[i]));
                row.add(Entry.of(Verdict.times(paper[i])));
              }
              return row;
            }));
  }

  private static void times(Bench bench, Report report) {
    report.words("Milliseconds on this machine, for the variances of all test rows.");
    List<String> head =
        List.of(
            "set",
            "test rows",
            "Algorithm 1",
            "LOVE",
            "default",
            "Algorithm 1 after",
            "LOVE after",
            "default after",
            "KISS-GP as published",
            "KISS-GP, fewest coordinates",
            "SGPR 100",
            "SGPR 1,000",
            "SGPR 100 after",
            "SGPR 1,000 after",
            "exact");
    List<String> keys =
        List.of(
            "algorithm1_scratch_ms",
            "love_scratch_ms",
            "default_scratch_ms",
            "algorithm1_after_ms",
            "love_after_ms",
            "default_after_ms",
            "kiss_ms",
            "thin_scratch_ms",
            "sgpr100_scratch_ms",
            "sgpr1000_scratch_ms",
            "sgpr100_after_ms",
            "sgpr1000_after_ms",
            "exact_ms");
    report.table(
        head,
        rows(
            bench,
            set -> {
              JsonNode r = bench.result(key(set));
              List<Entry> row = new ArrayList<>();
              row.add(Entry.of("%,d".formatted(r.path("t").asInt())));
              for (String key : keys)
                row.add(Entry.of(Verdict.milliseconds(r.path(key).asDouble(Double.NaN))));
              return row;
            }));
    Plot plot =
        Plot.titled("Variances of all test rows, from scratch")
            .labels("training rows", "milliseconds")
            .log(true, true)
            .size(860, 460);
    int color = 0;
    for (int i : new int[] {1, 2, 0, 7, 6, 8, 9}) {
      double[] n = new double[Sets.values().length];
      double[] time = new double[n.length];
      int at = 0;
      for (Sets set : Sets.values()) {
        JsonNode r = bench.result(key(set));
        n[at] = r.path("n").asDouble();
        time[at++] = r.path(keys.get(i)).asDouble();
      }
      String name = head.get(i + 2);
      var ink = color == 6 ? Palette.BLACK : Palette.series(color);
      plot.line(name, n, time, ink, 1.5);
      plot.points("", n, time, ink, Plot.Mark.DOT);
      color++;
    }
    report.figure("variances", "Time for all test variances against the size of the set", plot);
  }

  private static void networks(Bench bench, Report report) {
    report.words(
        ("The networks: at most %,d steps of warm-up and %d joint steps on layers %s, which is a"
                + " shorter training than the defaults of `lovelace fit --deep`; accuracy of prediction is"
                + " not what this table is about.")
            .formatted(
                bench.size().networkSteps(),
                bench.size().jointSteps(),
                Arrays.toString(bench.size().network().layers())));
    report.table(
        List.of("set", "rows", "columns", "steps", "seconds", "RMSE", "NLPD", "kernel", "noise"),
        rows(
            bench,
            set -> {
              JsonNode r = bench.result(Features.key(set));
              return List.of(
                  Entry.of("%,d".formatted(r.path("n").asInt())),
                  Entry.of("%d".formatted(r.path("columns").asInt())),
                  Entry.of(
                      "%d + %d"
                          .formatted(
                              r.path("warm_up_steps").asInt(), r.path("joint_steps").asInt())),
                  Entry.of(Verdict.fixed(r.path("seconds").asDouble(), 0)),
                  Entry.of(Verdict.fixed(r.path("rmse").asDouble(), 3)),
                  Entry.of(Verdict.fixed(r.path("nlpd").asDouble(), 3)),
                  Entry.of(kernel(r)),
                  Entry.of(Verdict.fixed(r.path("noise").asDouble(), 4)));
            }));
  }

  private static String kernel(JsonNode r) {
    Hyperparameters h =
        Hyperparameters.of(
            lovelace.kernel.Kernel.parse(r.path("kernel").asText()).bind(2),
            r.path("noise").asDouble(),
            lovelace.kernel.PriorMean.constant(0));
    StringBuilder text = new StringBuilder();
    for (double v : h.kernel().values())
      text.append(text.isEmpty() ? "" : ", ").append(String.format(Locale.ROOT, "%.3g", v));
    return text.toString();
  }

  private static void notes(Bench bench, Report report) {
    report.point(
        "Algorithm 1 takes the kernel itself as prior term where the grid's is interpolated; beside"
            + " KISS-GP that difference, the interpolation error, is its SMAE. It is the paper's"
            + " algorithm, and the error is what it has on these features and this grid.");
    report.point(
        "LOVE with k = 50 is red where 50 iterations are too few for the lengthscales and noise learned"
            + " here (Figure 2 shows how many it takes); the paper's hyperparameters are not printed. The"
            + " default posterior is not bound to a k.");
    report.point(
        "Beside our fastest KISS-GP the speedups from scratch are smaller than the paper's on small"
            + " sets: that baseline does no work that depends on n, and shares with LOVE what costs"
            + " most, the kernel's thin root and its product with the statistics. Per point after"
            + " precomputation nothing is shared.");
    report.point(
        "SGPR: conditioning is one pass of dense algebra at the speed of the BLAS, and on few rows"
            + " there is little to save; the paper's SGPR ran in another framework on a GPU whose"
            + " launches cost as much as the work. Where a speedup over SGPR is below the paper's, that"
            + " is why.");
    report.point(
        "The default posterior takes longer from scratch than LOVE with k = 50: it also solves the mean,"
            + " keeps modes until 1 % is certified at check points, and writes the polynomials of every"
            + " cell, which is what makes it constant in time afterwards.");
    if (bench.data() == null)
      report.point(
          "The sets are synthetic: of the shapes of the paper's, and of no other likeness.");
  }
}
