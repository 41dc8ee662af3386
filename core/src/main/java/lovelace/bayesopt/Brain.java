package lovelace.bayesopt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.Tuner.Best;
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
  private final Objective objective;
  private final List<Output> constraints = new ArrayList<>();
  private final FailureModel failures;
  private final Maximizer maximizer;

  Brain(SearchSpace space, Tuning tuning) {
    this.space = space;
    this.tuning = tuning;
    int d = space.dimensions();
    objective = new Objective(tuning, d);
    for (int c = 0; c < tuning.constraints(); c++)
      constraints.add(new Output(tuning.surrogates(), d, tuning.noise() == 0 ? 0 : Double.NaN));
    failures = new FailureModel(d);
    maximizer = new Maximizer(space, Math.max(CANDIDATES, Math.min(2048, 128 * d)), CLIMBS);
  }

  // ---- learning ----

  /// Restores the parameters that were learned from `count` values, if these are all values of the
  /// history. Otherwise they are learned again, because earlier versions counted failures as
  /// values.
  void restore(int count, List<String> texts, List<Observation> history) {
    int models = 1 + constraints.size();
    if (texts.size() != models && texts.size() != models + 1)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "it holds %d models, the search has %d", texts.size(), models));
    if (count != Objective.values(history).size()) return;
    objective.output().restore(count, texts.getFirst());
    for (int c = 0; c < constraints.size(); c++)
      constraints.get(c).restore(count, texts.get(c + 1));
    if (texts.size() > models) failures.restore(history.size(), texts.getLast());
  }

  /// Learns the parameters again if it is time. Returns the number of values and the learned models
  /// as text; otherwise an empty list. The last model is that of failures, if there were any.
  List<String> learn(List<Observation> all) {
    List<Observation> history = Objective.values(all);
    int n = history.size();
    boolean failing = n < all.size();
    if (!isDue(objective.output().block(), n) && !(failing && isDue(failures.block(), all.size())))
      return List.of();
    double[] x = inputs(history);
    List<String> learned = new ArrayList<>(List.of(Integer.toString(n)));
    learned.add(objective.learn(history));
    for (int c = 0; c < constraints.size(); c++)
      learned.add(constraints.get(c).learn(x, constraint(history, c)));
    if (failing) learned.add(failures.learn(all));
    return learned;
  }

  private boolean isDue(int block, int n) {
    return block == 0 || n >= block + Math.max(1, (int) Math.floor(tuning.relearn() * block));
  }

  private double[] inputs(List<Observation> observations) {
    return Objective.inputs(observations, space.dimensions());
  }

  private static double[] constraint(List<Observation> values, int c) {
    return values.stream().mapToDouble(o -> o.constraints().get(c)).toArray();
  }

  /// The best feasible observation, and why it was chosen.
  Optional<Best> best(List<Observation> history) {
    return objective.best(history);
  }

  // ---- suggesting ----

  /// The current models.
  private static final class Models {
    final Surrogate objective;
    final @Nullable Failing failing; // null if nothing failed
    final List<Surrogate> constraints = new ArrayList<>();
    final double[] thresholds;

    Models(Surrogate objective, @Nullable Failing failing, int constraints) {
      this.objective = objective;
      this.failing = failing;
      thresholds = new double[constraints];
    }

    double[] spared(double[] points) {
      return failing == null ? points : failing.spared(points);
    }

    Merit spared(Merit merit) {
      return failing == null ? merit : failing.avoidedBy(merit);
    }
  }

  private Models models(List<Observation> history) {
    List<Observation> values = Objective.values(history);
    double[] x = inputs(values);
    Models models =
        new Models(objective.surrogate(history), failures.places(history), constraints.size());
    for (int c = 0; c < constraints.size(); c++) {
      models.constraints.add(constraints.get(c).surrogate(x, constraint(values, c)));
      models.thresholds[c] = constraints.get(c).standardized(0);
    }
    return models;
  }

  Point suggest(List<Observation> history, List<Point> pending, SplittableRandom random) {
    Models models = models(history);
    double @Nullable [] scanned = scanned(models);
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
    double best = objective.incumbent(history, models.objective);
    return models.spared(
        merit(models, believed, !pending.isEmpty(), best, scanned, around, random));
  }

  /// The merit that [#suggest] maximises for the same arguments, at some points.
  double[] merit(
      List<Observation> history, List<Point> pending, List<Point> points, SplittableRandom random) {
    Models models = models(history);
    double @Nullable [] scanned = scanned(models);
    Merit merit = merit(models, history, pending, scanned, around(history), random);
    double[] values = new double[points.size()];
    merit.scan(points.size(), units(points), values);
    return values;
  }

  /// All valid points of a grid over the cube, if predictions are cheap; null to scan spread points
  /// instead.
  private double @Nullable [] scanned(Models models) {
    int d = space.dimensions();
    double[] places = space.isContinuous() ? models.objective.scan() : null;
    if (places == null) return null;
    if (space.isAlwaysValid()) return models.spared(places);
    double[] kept = new double[places.length];
    int size = 0;
    for (int i = 0; i < places.length; i += d)
      if (space.isValid(Arrays.copyOfRange(places, i, i + d))) {
        System.arraycopy(places, i, kept, size, d);
        size += d;
      }
    return size == 0 ? null : models.spared(Arrays.copyOf(kept, size));
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
                  models.failing == null ? x -> true : models.failing::spares,
                  mes.samples(),
                  own);
          case GUMBEL -> {
            double[] points =
                scanned != null
                    ? scanned
                    : models.spared(flat(space.spread(GUMBEL_POINTS, own), around));
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
      points = models.spared(flat(space.spread(JOINT_POINTS, random), around));
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

  /// The best observations, at most three, best first. If any of all is feasible, only feasible
  /// ones.
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

  /// Whether a point is worth evaluating. It must be valid and not pending, must not only have
  /// failed, and must be new unless there is noise.
  private Predicate<double[]> fresh(List<Observation> history, List<Point> pending) {
    List<double[]> taken = new ArrayList<>();
    for (Point p : pending) taken.add(p.unit());
    Set<Point> good = new HashSet<>();
    for (Observation o : history) if (!o.failed()) good.add(o.point());
    for (Observation o : history)
      if (tuning.noise() == 0 || !good.contains(o.point())) taken.add(o.point().unit());
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

  /// The largest expected improvement at any point, in the unit of the objective.
  double promise(List<Observation> history, SplittableRandom random) {
    Models models = models(history);
    double best = objective.incumbent(history, models.objective);
    if (Double.isNaN(best)) return Double.POSITIVE_INFINITY;
    Merit merit =
        new Merit.Modelled(
            models.objective,
            Criterion.logImprovement(best),
            models.constraints,
            models.thresholds);
    Maximizer.Found found =
        maximizer.maximize(
            models.spared(merit),
            scanned(models),
            around(history),
            fresh(history, List.of()),
            random);
    return found == null ? 0 : objective.output().deviation() * Math.exp(found.value());
  }

  double[][] predict(List<Observation> history, List<Point> points) {
    double[] means = new double[points.size()];
    double[] variances = new double[points.size()];
    objective.surrogate(history).predict(points.size(), units(points), means, variances);
    double[][] rows = new double[points.size()][];
    for (int i = 0; i < rows.length; i++) {
      double y = objective.output().mean() + objective.output().deviation() * means[i];
      rows[i] =
          new double[] {
            tuning.maximize() ? y : -y, objective.output().deviation() * Math.sqrt(variances[i])
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
    return objective.output().describe();
  }
}
