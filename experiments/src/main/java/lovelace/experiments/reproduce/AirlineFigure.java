package lovelace.experiments.reproduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.data.Airline;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.engines.Engines;
import lovelace.exact.ExactGp;
import lovelace.experiments.baseline.Algorithm1;
import lovelace.experiments.baseline.KissGp;
import lovelace.experiments.baseline.Sgpr;
import lovelace.experiments.reproduce.Report.Entry;
import lovelace.experiments.reproduce.Report.Tone;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.learning.Learner;
import lovelace.linear.ConjugateGradients;
import lovelace.love.Love;
import lovelace.optimize.Adam;
import lovelace.optimize.Lbfgs;
import lovelace.plot.Palette;
import lovelace.plot.Plot;
import lovelace.plot.Sheet;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import lovelace.statistics.GridStatistics;

/// Figure 1: 96 months of airline passengers. Every method forecasts the next 48 with the same
/// hyperparameters.
final class AirlineFigure implements Experiment {

  private static final int FITTED = 96;
  private static final int RANK = 50;
  private static final int INDUCING = 1000;
  private static final int STEPS = 1000;
  private static final double PAPER_SMAE = 1.29e-4;
  private static final double PAPER_LIKELIHOOD = -222;

  /// The target and kernel of a variant.
  private enum Variant {
    LIKELIEST(
        "mixture",
        "the mixture alone, of passengers as they are, the likeliest of several starts by L-BFGS",
        "sm(10)",
        false),
    ADAM(
        "adam",
        "the mixture alone, of passengers as they are, by Adam at rate 0.1 as in the paper",
        "sm(10)",
        false),
    TREND(
        "trend",
        "the mixture plus a smooth trend, of log passengers, as in `lovelace demo`",
        "1.0*rbf(lengthscale=20) + sm(10)",
        true);

    final String name;
    final String words;
    final String kernel;
    final boolean log;

    Variant(String name, String words, String kernel, boolean log) {
      this.name = name;
      this.words = words;
      this.kernel = kernel;
      this.log = log;
    }

    TargetTransform transform() {
      return log ? TargetTransform.LOG : TargetTransform.NONE;
    }

    String key() {
      return "airline-" + name;
    }
  }

  @Override
  public String name() {
    return "airline";
  }

  @Override
  public List<Cell> cells(Bench bench) {
    List<Cell> cells = new ArrayList<>();
    for (Variant variant : Variant.values())
      cells.add(
          new Cell(
              variant.key(),
              "airline: " + variant.words.replace("`", ""),
              5,
              (result, remark) -> run(bench, variant, result)));
    return cells;
  }

  private static void run(Bench bench, Variant variant, ObjectNode result) {
    Dataset all = Airline.dataset();
    Dataset train = variant.transform().apply(all.rows(0, FITTED));
    Dataset test = all.rows(FITTED, all.size());
    Hyperparameters unset =
        Hyperparameters.of(
            Kernel.parse(variant.kernel).bind(1), Double.NaN, PriorMean.named("constant", 1));
    boolean adam = variant == Variant.ADAM;
    Hyperparameters start = adam ? unset.fill(train.inputs(), train.target()) : unset;
    Hyperparameters h =
        Learner.DEFAULT
            .withOptimizer(
                adam ? Adam.DEFAULT.withLearningRate(0.1).withMaxIterations(STEPS) : Lbfgs.DEFAULT)
            .learn(ExactGp.likelihood(train), start, train, 1)
            .hyperparameters();
    ExactGp exact = ExactGp.of(train, h);
    result.put("hyperparameters", h.toString());
    result.put("log_marginal_likelihood", exact.logMarginalLikelihood());
    double first = all.inputs()[0];
    double last = all.inputs()[all.size() - 1];
    Grid grid = Grid.of(Axis.covering(first, last, bench.size().line()));
    GridStatistics statistics = GridStatistics.of(grid, train.inputs(), train.target());
    LatticeProblem problem = LatticeProblem.of(statistics, h);
    double[] inducing = new double[INDUCING];
    for (int i = 0; i < INDUCING; i++) inducing[i] = first + (last - first) * i / (INDUCING - 1.0);
    var chosen = Engines.cheapest(statistics, h, Bench.SEED);
    var conditioned = chosen.posterior(h, 0.01);
    ObjectNode methods = result.putObject("methods");
    score(methods, "exact", exact, exact, variant, test, train);
    score(
        methods,
        "KISS-GP",
        KissGp.of(problem, ConjugateGradients.DEFAULT.withTolerance(1e-10)),
        exact,
        variant,
        test,
        train);
    score(methods, "Algorithm 1", Algorithm1.of(problem, train, RANK), exact, variant, test, train);
    score(
        methods,
        "LOVE",
        LatticePosterior.love(problem, Love.DEFAULT.withRank(RANK)),
        exact,
        variant,
        test,
        train);
    score(
        methods,
        "LOVE to 1e-4",
        LatticePosterior.love(problem, Love.DEFAULT.withTolerance(1e-4)),
        exact,
        variant,
        test,
        train);
    score(
        methods,
        "default posterior",
        LatticePosterior.of(conditioned, 0.01),
        exact,
        variant,
        test,
        train);
    score(methods, "SGPR", Sgpr.of(train, h, inducing), exact, variant, test, train);
    result.put("engine", chosen.name());
  }

  private static void score(
      ObjectNode methods,
      String name,
      Posterior posterior,
      ExactGp exact,
      Variant variant,
      Dataset test,
      Dataset train) {
    Prediction latent = posterior.predict(test.inputs());
    Prediction truth = exact.predict(test.inputs());
    ObjectNode node = methods.putObject(name);
    node.put("smae", Errors.smae(latent.variances(), truth.variances(), train.target()));
    node.put("largest_relative", Errors.largestRelative(latent.variances(), truth.variances()));
    Scores scores =
        Scores.of(latent.withNoise(posterior.noise()), test.target(), variant.transform());
    node.put("log_likelihood", -scores.nlpd() * test.size());
    node.put(
        "joint_log_likelihood",
        Scores.jointLogDensity(posterior, test.inputs(), test.target(), variant.transform()));
    node.put("rmse", scores.rmse());
    Dataset all = Airline.dataset();
    double[] x = new double[2 * (all.size() - 1) + 1];
    for (int i = 0; i < x.length; i++) x[i] = all.inputs()[0] + i / 24.0;
    Prediction drawn = posterior.predictObservation(x);
    double[] median = new double[x.length];
    double[] low = new double[x.length];
    double[] high = new double[x.length];
    for (int i = 0; i < x.length; i++) {
      median[i] = variant.transform().invert(drawn.quantile(i, 0.5));
      low[i] = variant.transform().invert(drawn.quantile(i, 0.025));
      high[i] = variant.transform().invert(drawn.quantile(i, 0.975));
    }
    ObjectNode curve = node.putObject("curve");
    Bench.put(curve, "x", x);
    Bench.put(curve, "median", median);
    Bench.put(curve, "low", low);
    Bench.put(curve, "high", high);
  }

  @Override
  public void report(Bench bench, Report report) {
    report.heading("Figure 1: airline passengers");
    report.words(
        "A ten-component spectral mixture is fitted to 96 months by the exact process. Every method then"
            + String.format(
                Locale.ROOT,
                " forecasts the last 48 with the same hyperparameters. KISS-GP has m = %,d grid points,",
                bench.size().line())
            + " LOVE k = 50 or as many steps as its bounds need for 1e-4, and SGPR m = 1,000 inducing points spread evenly over the twelve years. SMAE is the"
            + " mean absolute error of the variance of f compared with the exact process, divided by the"
            + " variance of the target.");
    for (Variant variant : Variant.values()) {
      JsonNode methods = bench.result(variant.key()).path("methods");
      report.words("Model: " + variant.words + ", `" + variant.kernel + "`.");
      List<List<Entry>> rows = new ArrayList<>();
      double exact = likelihood(methods, "exact");
      methods
          .properties()
          .forEach(
              method -> {
                JsonNode m = method.getValue();
                String name = method.getKey();
                boolean ours = !List.of("exact", "KISS-GP", "SGPR").contains(name);
                double paper = ours ? PAPER_SMAE : Double.NaN;
                double likelihood = Bench.number(m, "joint_log_likelihood");
                rows.add(
                    List.of(
                        Entry.of(name),
                        name.equals("exact")
                            ? Entry.of("the reference")
                            : Verdict.error(Bench.number(m, "smae"), paper),
                        Verdict.paper(Verdict.scientific(paper)),
                        Entry.of(Verdict.scientific(Bench.number(m, "largest_relative"))),
                        new Entry(
                            Verdict.fixed(likelihood, 1), tone(name, ours, likelihood, exact)),
                        Entry.of("−221 to −222"),
                        Entry.of(Verdict.fixed(Bench.number(m, "log_likelihood"), 1)),
                        Entry.of(Verdict.fixed(Bench.number(m, "rmse"), 1))));
              });
      report.table(
          variant.name,
          1,
          List.of(
              "method",
              "SMAE",
              "paper, LOVE",
              "largest relative error",
              "test log-likelihood",
              "paper",
              "sum over single months",
              "RMSE"),
          rows);
      report.figure(
          variant.key(),
          "95 % intervals of the exact process, of KISS-GP without and with LOVE, and of SGPR; "
              + variant.words.replace("`", ""),
          sheet(variant, methods));
    }
    report.words(
        "The test log-likelihood is that of the 48 months together; the paper's process has −222 and more."
            + " The paper prints no hyperparameters, and a mixture of ten has many optima. All methods"
            + " share the hyperparameters of the exact process.");
    for (Variant variant : Variant.values()) conclude(bench, variant, report);
  }

  private static double likelihood(JsonNode methods, String name) {
    return Bench.number(methods.path(name), "joint_log_likelihood");
  }

  /// Compares the forecast with the paper's, and names methods that are far from the exact one.
  private static void conclude(Bench bench, Variant variant, Report report) {
    JsonNode methods = bench.result(variant.key()).path("methods");
    double exact = likelihood(methods, "exact");
    double better = exact - PAPER_LIKELIHOOD;
    List<String> apart = new ArrayList<>();
    double farthest = 0;
    for (var method : methods.properties()) {
      double own = likelihood(methods, method.getKey());
      if (near(own, exact)) farthest = Math.max(farthest, Math.abs(own - exact));
      else apart.add("%s (%s)".formatted(method.getKey(), Verdict.fixed(own, 1)));
    }
    double fixed = Bench.number(methods.path("LOVE"), "smae");
    double bounded = Bench.number(methods.path("LOVE to 1e-4"), "smae");
    report.point(
        "%s: the exact process has %s, %s %s than the paper's; %s. LOVE with k = 50 is %s the exact variances %s the paper's (SMAE %s). With a tolerance of 1e-4 it is %s (%s)."
            .formatted(
                Findings.capital(variant.words),
                Verdict.fixed(exact, 1),
                Verdict.fixed(Math.abs(better), 1),
                better >= 0 ? "better" : "worse",
                apart.isEmpty()
                    ? "all methods agree with it within " + Verdict.fixed(farthest, 2)
                    : "farther than 1 from it: " + Findings.list(apart),
                fixed <= PAPER_SMAE ? "as close to" : "farther from",
                fixed <= PAPER_SMAE ? "as" : "than",
                Verdict.scientific(fixed),
                bounded <= PAPER_SMAE ? "as close" : "farther",
                Verdict.scientific(bounded)));
  }

  /// Whether a likelihood lies within one of the exact one, as those of the paper's methods do.
  private static boolean near(double likelihood, double exact) {
    return Math.abs(likelihood - exact) <= 1;
  }

  private static Sheet sheet(Variant variant, JsonNode methods) {
    Dataset all = Airline.dataset();
    Dataset seen = all.rows(0, FITTED);
    Dataset out = all.rows(FITTED, all.size());
    Sheet sheet = Sheet.titled("Airline passengers").subtitle(variant.words.replace("`", ""));
    double top =
        Arrays.stream(Bench.numbers(methods.path("exact").path("curve").path("high")))
            .max()
            .orElse(1);
    for (String name : List.of("exact", "KISS-GP", "LOVE", "SGPR")) {
      JsonNode curve = methods.path(name).path("curve");
      double[] x = Bench.numbers(curve.path("x"));
      sheet.add(
          Plot.titled(name)
              .size(560, 340)
              .labels("year", "passengers (thousands)")
              .within(0, top)
              .band(
                  "95 % interval",
                  x,
                  Bench.numbers(curve.path("low")),
                  Bench.numbers(curve.path("high")),
                  Palette.BLUE,
                  0.2)
              .line("median", x, Bench.numbers(curve.path("median")), Palette.BLUE, 1.6)
              .points("seen", seen.inputs(), seen.target(), Palette.BLACK, Plot.Mark.DOT)
              .points("held out", out.inputs(), out.target(), Palette.VERMILION, Plot.Mark.CIRCLE));
    }
    return sheet;
  }

  /// The colour of a likelihood. The exact process is compared with the paper's likelihood, and our
  /// methods with the exact one: the paper's lie within one of it.
  private static Tone tone(String name, boolean ours, double likelihood, double exact) {
    if (name.equals("exact")) return likelihood >= PAPER_LIKELIHOOD ? Tone.GOOD : Tone.BAD;
    if (!ours) return Tone.NONE;
    return near(likelihood, exact) ? Tone.GOOD : Tone.BAD;
  }
}
