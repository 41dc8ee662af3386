package lovelace.bayesopt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner.Observation;
import lovelace.bayesopt.surrogate.DataSurrogate;
import lovelace.bayesopt.surrogate.GridSurrogate;
import lovelace.bayesopt.surrogate.Output;
import lovelace.bayesopt.surrogate.Surrogate;
import lovelace.bayesopt.surrogate.Surrogate.FunctionDraw;
import lovelace.lattice.LatticePosterior;
import org.jspecify.annotations.Nullable;

/// Turns observations into the next point: it keeps models of the objective and the constraints,
/// and searches for the point of greatest merit. The sign of the objective is such that large is
/// good.
final class Brain {

  private static final int CANDIDATES = 512;
  private static final int CLIMBS = 4;
  private static final int JOINT_POINTS = 512;
  private static final int GUMBEL_POINTS = 1024;

  private final SearchSpace space;
  private final Tuning tuning;
  private final Output objective;
  private final List<Output> constraints = new ArrayList<>();
  private final Maximizer maximizer;

  Brain(SearchSpace space, Tuning tuning) {
    this.space = space;
    this.tuning = tuning;
    int d = space.dimensions();
    objective = new Output(tuning.surrogates(), d, tuning.noise());
    for (int c = 0; c < tuning.constraints(); c++)
      constraints.add(new Output(tuning.surrogates(), d, tuning.noise() == 0 ? 0 : Double.NaN));
    maximizer = new Maximizer(space, Math.max(CANDIDATES, Math.min(2048, 128 * d)), CLIMBS);
  }

  // ---- learning ----

  void restore(int count, List<String> texts) {
    if (texts.size() != 1 + constraints.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "it holds %d models, the search has %d",
              texts.size(),
              1 + constraints.size()));
    objective.restore(count, texts.getFirst());
    for (int c = 0; c < constraints.size(); c++)
      constraints.get(c).restore(count, texts.get(c + 1));
  }

  /// Learns the parameters again if it is time. Returns what was learned, after the number of
  /// observations; otherwise an empty list.
  List<String> learn(List<Observation> history) {
    int n = history.size();
    int block = objective.block();
    if (block > 0 && n < block + Math.max(1, (int) Math.floor(tuning.relearn() * block)))
      return List.of();
    double[] x = inputs(history);
    List<String> learned = new ArrayList<>(List.of(Integer.toString(n)));
    learned.add(objective.learn(x, values(history)));
    for (int c = 0; c < constraints.size(); c++)
      learned.add(constraints.get(c).learn(x, constraint(history, c)));
    return learned;
  }

  private double[] inputs(List<Observation> history) {
    int d = space.dimensions();
    double[] x = new double[history.size() * d];
    for (int i = 0; i < history.size(); i++)
      System.arraycopy(history.get(i).point().unit(), 0, x, i * d, d);
    return x;
  }

  /// The objective, where large is good. A failed evaluation counts as the worst value seen.
  private double[] values(List<Observation> history) {
    double[] y = new double[history.size()];
    double worst = Double.POSITIVE_INFINITY;
    for (int i = 0; i < y.length; i++) {
      double value = history.get(i).value();
      y[i] = tuning.maximize() ? value : -value;
      if (y[i] < worst) worst = y[i];
    }
    for (int i = 0; i < y.length; i++) if (Double.isNaN(y[i])) y[i] = worst;
    return y;
  }

  /// The values of a constraint. A failed evaluation counts as the worst value seen.
  private static double[] constraint(List<Observation> history, int c) {
    double[] y = new double[history.size()];
    double worst = Double.NEGATIVE_INFINITY;
    for (Observation o : history) if (!o.failed()) worst = Math.max(worst, o.constraints().get(c));
    for (int i = 0; i < y.length; i++)
      y[i] = history.get(i).failed() ? worst : history.get(i).constraints().get(c);
    return y;
  }

  // ---- suggesting ----

  /// The models as they stand.
  private static final class Models {
    final Surrogate objective;
    final List<Surrogate> constraints = new ArrayList<>();
    final double[] thresholds;

    Models(Surrogate objective, int constraints) {
      this.objective = objective;
      thresholds = new double[constraints];
    }
  }

  private Models models(List<Observation> history) {
    double[] x = inputs(history);
    Models models = new Models(objective.surrogate(x, values(history)), constraints.size());
    for (int c = 0; c < constraints.size(); c++) {
      models.constraints.add(constraints.get(c).surrogate(x, constraint(history, c)));
      models.thresholds[c] = constraints.get(c).standardized(0);
    }
    return models;
  }

  Point suggest(List<Observation> history, List<Point> pending, SplittableRandom random) {
    Models models = models(history);
    double @Nullable [] scanned = scanned(models.objective);
    List<double[]> around = around(history);
    Merit merit = merit(models, history, pending, scanned, around, random);
    Maximizer.Found found =
        maximizer.maximize(merit, scanned, around, fresh(history, pending), random.split());
    if (found != null) return space.decode(found.unit());
    Predicate<double[]> fresh = fresh(history, pending);
    for (int i = 0; i < 1000; i++) {
      Point point = space.random(random);
      if (fresh.test(point.unit())) return point;
    }
    if (tuning.noise() == 0)
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "every point of the space has been evaluated, %d in all",
              history.size()));
    return space.random(random);
  }

  private Merit merit(
      Models models,
      List<Observation> history,
      List<Point> pending,
      double @Nullable [] scanned,
      List<double[]> around,
      SplittableRandom random) {
    Surrogate believed = models.objective;
    for (Point p : pending) believed = believed.believing(p.unit());
    double best = incumbent(history, models.objective);
    return merit(models, believed, !pending.isEmpty(), best, scanned, around, random);
  }

  /// Returns what [#suggest] maximises for the same arguments, at some points.
  double[] merit(
      List<Observation> history, List<Point> pending, List<Point> points, SplittableRandom random) {
    Models models = models(history);
    double @Nullable [] scanned = scanned(models.objective);
    Merit merit = merit(models, history, pending, scanned, around(history), random);
    double[] values = new double[points.size()];
    merit.scan(points.size(), units(points), values);
    return values;
  }

  /// All points of a grid over the cube if predictions are cheap; null to scan spread points
  /// instead.
  private double @Nullable [] scanned(Surrogate surrogate) {
    int d = space.dimensions();
    double[] places = space.isContinuous() ? surrogate.scan() : null;
    if (places == null || space.isAlwaysValid()) return places;
    double[] kept = new double[places.length];
    int size = 0;
    for (int i = 0; i < places.length; i += d)
      if (space.isValid(Arrays.copyOfRange(places, i, i + d))) {
        System.arraycopy(places, i, kept, size, d);
        size += d;
      }
    return size == 0 ? null : Arrays.copyOf(kept, size);
  }

  private Merit merit(
      Models models,
      Surrogate believed,
      boolean batched,
      double best,
      double @Nullable [] scanned,
      List<double[]> around,
      SplittableRandom random) {
    boolean limited = !models.constraints.isEmpty();
    if (Double.isNaN(best)) // nothing feasible yet: look for that first
    return new Merit.Modelled(
          believed, (mean, sd, slopes) -> 0, models.constraints, models.thresholds);
    Criterion criterion =
        switch (tuning.acquisition()) {
          case Acquisition.ThompsonSampling thompson -> null;
          case Acquisition.MaxValueEntropy mes ->
              Criterion.entropy(maxima(mes, models, best, scanned, around, random));
          case Acquisition.LogExpectedImprovement ei -> Criterion.logImprovement(best);
          case Acquisition.ProbabilityOfImprovement pi ->
              Criterion.logProbability(best + pi.margin());
          case Acquisition.UpperConfidenceBound ucb -> {
            Criterion bound = Criterion.bound(Math.sqrt(ucb.beta()));
            yield limited ? Criterion.logPositive(bound, best) : bound;
          }
        };
    if (tuning.acquisition() instanceof Acquisition.MaxValueEntropy
        && criterion != null
        && !limited
        && batched) return new Merit.Batched(models.objective, believed, criterion);
    if (criterion != null)
      return new Merit.Modelled(believed, criterion, models.constraints, models.thresholds);
    FunctionDraw function = models.objective.functions(1, random.split()).getFirst();
    List<FunctionDraw> limits = new ArrayList<>();
    for (Surrogate c : models.constraints) limits.add(c.functions(1, random.split()).getFirst());
    return new Merit.Drawn(function, limits, models.thresholds);
  }

  private double[] maxima(
      Acquisition.MaxValueEntropy mes,
      Models models,
      double best,
      double @Nullable [] scanned,
      List<double[]> around,
      SplittableRandom random) {
    SplittableRandom own = random.split();
    Surrogate surrogate = models.objective;
    Acquisition.Maxima by = mes.maxima();
    if (by == Acquisition.Maxima.AUTO)
      by = surrogate.scan() != null ? Acquisition.Maxima.JOINT : Acquisition.Maxima.GUMBEL;
    double[] maxima =
        switch (by) {
          case AUTO, JOINT -> joint(models, scanned, around, mes.samples(), own);
          case FUNCTIONS ->
              YStar.functions(
                  surrogate,
                  models.constraints,
                  models.thresholds,
                  new Maximizer(space, CANDIDATES / 2, 1),
                  around.subList(0, Math.min(1, around.size())),
                  mes.samples(),
                  own);
          case GUMBEL -> {
            double[] points =
                scanned != null ? scanned : flat(space.spread(GUMBEL_POINTS, own), around);
            yield YStar.gumbel(
                surrogate, models.constraints, models.thresholds, points, mes.samples(), own);
          }
        };
    // a noisy evaluation cannot tell values of y* within its noise apart
    double least = best + Math.sqrt(surrogate.noise());
    for (int i = 0; i < maxima.length; i++) maxima[i] = Math.max(maxima[i], least);
    return maxima;
  }

  private double[] joint(
      Models models,
      double @Nullable [] scanned,
      List<double[]> around,
      int count,
      SplittableRandom random) {
    if (scanned != null
        && models.objective instanceof DataSurrogate data
        && models.constraints.isEmpty()) return data.maxima(scanned, JOINT_POINTS, count, random);
    double[] points;
    if (scanned == null || !(models.objective instanceof GridSurrogate grid)) {
      points = flat(space.spread(JOINT_POINTS, random), around);
    } else {
      points = scanned;
      LatticePosterior posterior = grid.posterior();
      if (models.constraints.isEmpty())
        return posterior.sampler().at(points).maxima(count, random).values();
    }
    return YStar.joint(
        models.objective, models.constraints, models.thresholds, points, count, random);
  }

  private double[] flat(double[][] spread, List<double[]> more) {
    int d = space.dimensions();
    double[] points = new double[(spread.length + more.size()) * d];
    for (int i = 0; i < spread.length; i++) System.arraycopy(spread[i], 0, points, i * d, d);
    for (int i = 0; i < more.size(); i++)
      System.arraycopy(more.get(i), 0, points, (spread.length + i) * d, d);
    return points;
  }

  /// The best observations, at most three, best first. If any is feasible, all are.
  private List<double[]> around(List<Observation> history) {
    boolean any = history.stream().anyMatch(Observation::feasible);
    double sign = tuning.maximize() ? -1 : 1;
    return history.stream()
        .filter(o -> any ? o.feasible() : !o.failed())
        .sorted((a, b) -> Double.compare(sign * a.value(), sign * b.value()))
        .limit(3)
        .map(o -> o.point().unit())
        .toList();
  }

  /// The best feasible value in standardised units; NaN if there is none.
  private double incumbent(List<Observation> history, Surrogate surrogate) {
    Optional<Observation> best = best(history);
    if (best.isEmpty()) return Double.NaN;
    if (tuning.noise() == 0) {
      double value = best.get().value();
      return objective.standardized(tuning.maximize() ? value : -value);
    }
    double[] mean = new double[1];
    surrogate.predict(1, best.get().point().unit(), mean, new double[1]);
    return mean[0];
  }

  /// The best feasible observation. If there is noise and a model, the mean of the model decides.
  Optional<Observation> best(List<Observation> history) {
    List<Observation> feasible = history.stream().filter(Observation::feasible).toList();
    if (feasible.isEmpty()) return Optional.empty();
    double[] merit = new double[feasible.size()];
    if (tuning.noise() == 0 || objective.block() == 0) {
      for (int i = 0; i < merit.length; i++)
        merit[i] = (tuning.maximize() ? 1 : -1) * feasible.get(i).value();
    } else {
      Surrogate surrogate = objective.surrogate(inputs(history), values(history));
      surrogate.predict(merit.length, inputs(feasible), merit, new double[merit.length]);
    }
    int best = 0;
    for (int i = 1; i < merit.length; i++) if (merit[i] > merit[best]) best = i;
    return Optional.of(feasible.get(best));
  }

  /// Whether a point is worth evaluating: it is valid, not pending, and new unless there is noise.
  private Predicate<double[]> fresh(List<Observation> history, List<Point> pending) {
    List<double[]> taken = new ArrayList<>();
    for (Point p : pending) taken.add(p.unit());
    if (tuning.noise() == 0) for (Observation o : history) taken.add(o.point().unit());
    return unit -> {
      for (double[] other : taken) {
        double distance = 0;
        for (int a = 0; a < unit.length; a++)
          distance = Math.max(distance, Math.abs(unit[a] - other[a]));
        if (distance < 1e-7) return false;
      }
      return space.isValid(unit);
    };
  }

  /// The largest expected improvement anywhere, in the unit of the objective.
  double promise(List<Observation> history, SplittableRandom random) {
    Models models = models(history);
    double best = incumbent(history, models.objective);
    if (Double.isNaN(best)) return Double.POSITIVE_INFINITY;
    Merit merit =
        new Merit.Modelled(
            models.objective,
            Criterion.logImprovement(best),
            models.constraints,
            models.thresholds);
    Maximizer.Found found =
        maximizer.maximize(
            merit, scanned(models.objective), around(history), fresh(history, List.of()), random);
    return found == null ? 0 : objective.deviation() * Math.exp(found.value());
  }

  double[][] predict(List<Observation> history, List<Point> points) {
    double[] means = new double[points.size()];
    double[] variances = new double[points.size()];
    objective
        .surrogate(inputs(history), values(history))
        .predict(points.size(), units(points), means, variances);
    double[][] rows = new double[points.size()][];
    for (int i = 0; i < rows.length; i++) {
      double y = objective.mean() + objective.deviation() * means[i];
      rows[i] =
          new double[] {
            tuning.maximize() ? y : -y, objective.deviation() * Math.sqrt(variances[i])
          };
    }
    return rows;
  }

  private double[] units(List<Point> points) {
    int d = space.dimensions();
    double[] x = new double[points.size() * d];
    for (int i = 0; i < points.size(); i++) System.arraycopy(points.get(i).unit(), 0, x, i * d, d);
    return x;
  }

  String describe() {
    return objective.describe();
  }
}
