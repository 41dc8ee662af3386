package lovelace.experiments;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.neighbours.NeighbourGp;
import lovelace.neighbours.VecchiaLikelihood;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.sites.SiteGp;

/// One setting of an engine on one case: its times and errors. Times are seconds of processor time
/// of this thread.
///
/// @param engine `sites`, `neighbours`, `exact`, or `grid` and the engine that `fit` chose there
/// @param k the number of neighbours; for a grid its points along each axis, 0 if `fit` chose them
/// @param density rows per cell of the grid of sites; 0 for neighbours
/// @param refusal why there is no answer; empty if there is one
/// @param conditioning the work before the first question
/// @param table for one of 1,000 separate places
/// @param map for one place of a map of 100,000
/// @param area for an area of 64 points
/// @param joint for a covariance of 48 places
/// @param errors among rows, in gaps, outside, of areas, of joint draws
/// @param likelihood minus the exact one; NaN if it was not computed
/// @param shift of the likeliest lengthscale, in its standard errors; NaN if it was not computed
/// @param likelihoodSeconds of one likelihood
record RowsTrial(
    String engine,
    int k,
    double density,
    String refusal,
    double conditioning,
    double table,
    double map,
    double area,
    double joint,
    List<RowsTruth.Miss> errors,
    double likelihood,
    double shift,
    double likelihoodSeconds) {

  /// Work that takes at most this many seconds is repeated, because the first run may meet code
  /// that is not compiled.
  private static final double SHORT = 0.3;

  /// The most rows for which exact predictions of a map are measured.
  private static final int FEW = 5000;

  /// Measures sites.
  ///
  /// @param density rows per cell
  static RowsTrial sites(RowsTruth truth, int k, double density, boolean evidence) {
    Hyperparameters h = truth.of.hyperparameters(1);
    Supplier<SiteGp> make = () -> SiteGp.of(truth.data, grid(truth.data, h, density), h, k);
    double[] seconds = new double[1];
    SiteGp gp;
    try {
      gp = timed(seconds, make);
    } catch (ArithmeticException e) {
      return refused("sites", k, density, String.valueOf(e.getMessage()));
    }
    RowsTrial found = measured("sites", k, density, truth, gp, true, seconds[0]);
    if (!evidence) return found;
    double[] likelihoods = new double[3];
    for (int i = 0; i < 3; i++)
      try {
        Hyperparameters other = truth.of.hyperparameters(RowsTruth.FACTORS[i]);
        likelihoods[i] =
            i == 1
                ? gp.logMarginalLikelihood()
                : SiteGp.of(truth.data, gp.grid(), other, k).logMarginalLikelihood();
      } catch (ArithmeticException e) {
        likelihoods[i] = Double.NaN;
      }
    return found.with(truth, likelihoods, seconds[0]);
  }

  /// Measures neighbours.
  static RowsTrial neighbours(RowsTruth truth, int k, boolean evidence) {
    Hyperparameters h = truth.of.hyperparameters(1);
    double[] seconds = new double[1];
    NeighbourGp gp = timed(seconds, () -> NeighbourGp.of(truth.data, h, k));
    RowsTrial found = measured("neighbours", k, 0, truth, gp, true, seconds[0]);
    if (!evidence) return found;
    VecchiaLikelihood near = VecchiaLikelihood.of(truth.data, h, k, 1);
    double[] likelihoods = new double[3];
    for (int i = 0; i < 3; i++) {
      Hyperparameters other = truth.of.hyperparameters(RowsTruth.FACTORS[i]);
      likelihoods[i] = timed(seconds, () -> near.evidence(other)).value();
    }
    return found.with(truth, likelihoods, seconds[0]);
  }

  /// Measures the exact process itself.
  static RowsTrial exact(RowsTruth truth) {
    double[] seconds = new double[1];
    Hyperparameters h = truth.of.hyperparameters(1);
    ExactGp gp = timed(seconds, () -> ExactGp.of(truth.data, h));
    return measured("exact", 0, 0, truth, gp, true, seconds[0]);
  }

  /// Measures the model that `fit` makes on a grid.
  ///
  /// @param points along each axis, for the sparse engine; 0 to let `fit` choose
  static RowsTrial grid(RowsTruth truth, int points) {
    Fit own = truth.of.fit().withShape(Options.Shape.GRID);
    Fit fit =
        points == 0
            ? own
            : own.withEngine(Engine.SPARSE)
                .withGrid(GridChoice.DEFAULT.withPoints(filled(truth.data.dimensions(), points)));
    double[] seconds = new double[1];
    Model model;
    try {
      model = timed(seconds, () -> fit.to(truth.data));
    } catch (ArithmeticException | IllegalArgumentException e) {
      return refused("grid", points, 0, String.valueOf(e.getMessage()));
    }
    String name = points == 0 ? "grid " + model.plan().chosen() : "grid";
    return measured(
        name, points, 0, truth, model.posterior(), model.held().isPresent(), seconds[0]);
  }

  private static int[] filled(int length, int value) {
    int[] all = new int[length];
    Arrays.fill(all, value);
    return all;
  }

  /// @param drawn whether a draw is timed as well
  private static RowsTrial measured(
      String engine,
      int k,
      double density,
      RowsTruth truth,
      Posterior gp,
      boolean drawn,
      double conditioning) {
    double[] seconds = new double[4];
    Prediction p = timed(seconds, () -> gp.predict(truth.singles), 0);
    boolean few = !engine.equals("exact") || truth.data.size() <= FEW;
    if (few) timed(seconds, () -> gp.predict(truth.map), 1);
    else
      seconds[1] =
          seconds[0] / truth.singles.length * truth.map.length; // every place costs the same
    Prediction areas =
        timed(seconds, () -> gp.average(truth.areas, new double[0], truth.starts), 2);
    double[] covariance = timed(seconds, () -> gp.covariance(truth.joint, truth.joint), 3);
    List<RowsTruth.Miss> errors =
        List.of(
            truth.single(p, 0),
            truth.single(p, 1),
            truth.single(p, 2),
            truth.areas(areas),
            truth.joint(drawn ? truth.drawn(gp) : gp.predict(truth.joint).means(), covariance));
    int d = truth.data.dimensions();
    return new RowsTrial(
        engine,
        k,
        density,
        "",
        conditioning,
        seconds[0] / (truth.singles.length / d),
        seconds[1] / (truth.map.length / d),
        seconds[2] / RowsTruth.AREAS,
        seconds[3],
        errors,
        Double.NaN,
        Double.NaN,
        Double.NaN);
  }

  private RowsTrial with(RowsTruth truth, double[] likelihoods, double seconds) {
    return new RowsTrial(
        engine,
        k,
        density,
        refusal,
        conditioning,
        table,
        map,
        area,
        joint,
        errors,
        truth.likelihood(likelihoods),
        truth.shift(likelihoods),
        seconds);
  }

  private static RowsTrial refused(String engine, int k, double density, String why) {
    List<RowsTruth.Miss> none = Collections.nCopies(5, RowsTruth.Miss.NONE);
    double no = Double.NaN;
    return new RowsTrial(engine, k, density, why, no, no, no, no, no, none, no, no, no);
  }

  /// A grid like the usual one, with another number of rows per cell.
  private static Grid grid(Dataset data, Hyperparameters h, double density) {
    Grid usual = SiteGp.grid(data, h);
    if (density == 3) return usual;
    int d = usual.dimensions();
    Axis[] axes = new Axis[d];
    for (int a = 0; a < d; a++) {
      Axis axis = usual.axis(a);
      int cells = axis.points() - 5; // two more at each end
      int other = (int) Math.max(1, Math.rint(cells * Math.pow(3 / density, 1.0 / d)));
      double step = axis.step() * cells / other;
      axes[a] = new Axis(axis.at(2) - 2 * step, step, other + 5);
    }
    return Grid.of(axes);
  }

  private static <T> T timed(double[] seconds, Supplier<T> work) {
    return timed(seconds, work, 0);
  }

  /// Runs the work and stores its time. Short work runs twice, and the shorter time counts.
  private static <T> T timed(double[] seconds, Supplier<T> work, int at) {
    var threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    T found = work.get();
    seconds[at] = (threads.getCurrentThreadCpuTime() - start) * 1e-9;
    if (seconds[at] > SHORT) return found;
    start = threads.getCurrentThreadCpuTime();
    found = work.get();
    seconds[at] = Math.min(seconds[at], (threads.getCurrentThreadCpuTime() - start) * 1e-9);
    return found;
  }

  /// Whether this is the setting that `fit` uses.
  boolean usual() {
    return engine.equals("sites") ? k == 40 && density == 3 : k == 400;
  }

  /// The seconds for a question with conditioning. A question about single places, areas or joint
  /// draws has the number of its error.
  ///
  /// @param asMap whether a map is asked for; only places differ
  double seconds(int question, boolean asMap) {
    return conditioning
        + switch (question) {
          case 3 -> 100 * area;
          case 4 -> 100 * joint;
          default -> asMap ? 1e5 * map : 1e3 * table;
        };
  }

  /// Whether an answer is accurate enough.
  boolean good(int question) {
    RowsTruth.Miss e = errors.get(question);
    return switch (question) {
      case 3 -> e.mean() <= 0.1 && e.variance() <= 0.1;
      case 4 -> e.mean() <= 0.1 && e.coverage() <= 0.05;
      default ->
          e.mean() <= 0.1 && e.variance() <= 0.1 && e.coverage() >= 0.94 && e.coverage() <= 0.96;
    };
  }

  /// The trial as JSON.
  Map<String, Object> json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("setting", toString());
    all.put("engine", engine);
    all.put("k", k);
    if (density > 0) all.put("rows_a_cell", density);
    if (!refusal.isEmpty()) {
      all.put("refusal", refusal);
      return all;
    }
    all.put("conditioning_s", conditioning);
    all.put("table_s", seconds(0, false));
    all.put("map_s", seconds(0, true));
    all.put("areas_s", seconds(3, false));
    all.put("joints_s", seconds(4, false));
    for (int q = 0; q < QUESTIONS.length; q++) {
      String name = QUESTIONS[q];
      all.put(name + "_mean", errors.get(q).mean());
      all.put(name + "_variance", errors.get(q).variance());
      all.put(name + (q < 4 ? "_coverage" : "_covariance"), errors.get(q).coverage());
    }
    if (!Double.isNaN(likelihood)) {
      all.put("likelihood", likelihood);
      if (!Double.isNaN(shift)) all.put("shift", shift);
      all.put("likelihood_s", likelihoodSeconds);
    }
    return all;
  }

  static final String[] QUESTIONS = {"among", "gaps", "outside", "areas", "joint"};

  @Override
  public String toString() {
    return density == 0
        ? engine + (k == 0 ? "" : " " + k)
        : String.format(Locale.ROOT, "%s %d/%.0f", engine, k, density);
  }
}
