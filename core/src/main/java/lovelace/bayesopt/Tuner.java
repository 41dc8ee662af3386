package lovelace.bayesopt;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.bayesopt.SearchSpace.Point;
import lovelace.bayesopt.surrogate.Surrogates;
import org.jspecify.annotations.Nullable;

/// Looks for the best point of a search space with few evaluations. Ask for a point, evaluate it,
/// and tell the result.
///
/// ```java
/// Tuner tuner = Tuner.of(space, Tuning.DEFAULT.withBudget(50));
/// while (tuner.finished().isEmpty()) {
///   Point point = tuner.ask();
///   tuner.tell(point, objective(point));
/// }
/// ```
///
/// You may ask for several points before you tell any result. You may tell results in any order,
/// and also for points that were never asked for. Pending points are treated as if their mean had
/// been observed, so that the next point lies elsewhere. A tuner is safe for several threads. The
/// same seed and the same order of calls give the same points; with a journal this also holds after
/// a crash.
public final class Tuner implements AutoCloseable {

  private final SearchSpace space;
  private final Tuning tuning;
  private final Brain brain;
  private final List<Point> design;
  private final List<Observation> history = new ArrayList<>();
  private final List<Point> pending = new ArrayList<>();
  private final List<Point> again = new ArrayList<>(); // asked for before a crash, without a result
  private final @Nullable Journal journal;
  private int asked;

  private Tuner(SearchSpace space, Tuning tuning, @Nullable Path file) {
    this.space = space;
    this.tuning = tuning;
    brain = new Brain(space, tuning);
    design = new ArrayList<>();
    for (double[] unit : space.spread(tuning.initial(), random(-1))) design.add(space.decode(unit));
    List<String[]> lines = new ArrayList<>();
    journal = file == null ? null : Journal.open(file, space.toString(), settings(tuning), lines);
    try {
      for (int i = 0; i < lines.size(); i++) replay(lines.get(i), i + 2);
    } catch (RuntimeException e) {
      if (journal != null) journal.close();
      throw e;
    }
    again.addAll(pending);
  }

  /// Starts a search that is kept in memory.
  public static Tuner of(SearchSpace space, Tuning tuning) {
    return new Tuner(space, tuning, null);
  }

  /// Starts a search that keeps a journal. If the file exists, the search continues from it. Points
  /// that were pending when it stopped are asked for again first. After that it behaves as if it
  /// had never stopped.
  public static Tuner of(SearchSpace space, Tuning tuning, Path journal) {
    return new Tuner(space, tuning, journal);
  }

  /// The settings that determine which points are asked for. The budget, the improvement and the
  /// retries may change between runs.
  private static String settings(Tuning t) {
    Surrogates s = t.surrogates();
    Surrogates plain =
        new Surrogates(
            s.kind(), s.shape(), s.groups(), Optional.empty(), s.exactLimit(), s.gridPoints());
    String features = s.features().isEmpty() ? "" : " with features";
    return "Tuning[maximize=%s, acquisition=%s, surrogates=%s, initial=%s, noise=%s, constraints=%s, budget=1, improvement=0.0, relearn=%s, seed=%s]"
            .formatted(
                t.maximize(),
                t.acquisition(),
                plain,
                t.initial(),
                t.noise(),
                t.constraints(),
                t.relearn(),
                t.seed())
        + features;
  }

  private void replay(String[] line, int number) {
    try {
      int d = space.variables().size();
      switch (line[0]) {
        case "ask" -> {
          asked++;
          pending.add(space.point(numbers(line, 1, 1 + d)));
        }
        case "tell" ->
            record(
                space.point(numbers(line, 1, 1 + d)),
                Double.parseDouble(line[1 + d]),
                Collections.unmodifiableList(boxed(numbers(line, 2 + d, line.length))));
        case "retry" -> {
          Point point = space.point(numbers(line, 1, 1 + d));
          record(point, Double.NaN, List.of());
          pending.add(point);
        }
        case "learn" ->
            brain.restore(
                Integer.parseInt(line[1]), List.of(line).subList(2, line.length), history);
        default -> throw new IllegalArgumentException("it starts with '" + line[0] + "'");
      }
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "line %d of the journal is damaged: %s; restore the file from a copy, or delete this one line",
              number,
              e.getMessage()),
          e);
    }
  }

  private static double[] numbers(String[] line, int from, int to) {
    double[] values = new double[to - from];
    for (int i = from; i < to; i++) values[i - from] = Double.parseDouble(line[i]);
    return values;
  }

  private static List<Double> boxed(double[] values) {
    List<Double> list = new ArrayList<>();
    for (double v : values) list.add(v);
    return list;
  }

  private SplittableRandom random(int purpose) {
    return new SplittableRandom(tuning.seed() * 0x9E3779B97F4A7C15L + purpose).split();
  }

  /// Returns the next point to evaluate.
  public synchronized Point ask() {
    if (!again.isEmpty()) return again.removeFirst();
    Point point = suggest();
    write(Journal.line("ask", point.values(), List.of()));
    asked++;
    pending.add(point);
    return point;
  }

  /// Returns several points to evaluate at the same time.
  public synchronized List<Point> ask(int count) {
    if (count < 1) throw new IllegalArgumentException("count must be >= 1, got " + count);
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < count; i++) points.add(ask());
    return points;
  }

  private Point suggest() {
    if (spreads()) return design.get(asked);
    SplittableRandom random = random(asked);
    if (!learn()) return space.random(random);
    return brain.suggest(history, pending, random);
  }

  /// Whether the next point is one of the spread points.
  private boolean spreads() {
    return values() + pending.size() < tuning.initial() && asked < design.size();
  }

  /// The number of evaluations that returned a value.
  private int values() {
    return Objective.values(history).size();
  }

  /// Learns the model again if it is time. Returns whether there are enough values for one.
  private boolean learn() {
    if (values() < 2) return false;
    List<String> learned = brain.learn(history);
    if (!learned.isEmpty()) write("learn\t" + String.join("\t", learned));
    return true;
  }

  private void write(String line) {
    if (journal != null) journal.append(line);
  }

  /// Records the value at a point and the values of the constraints. A constraint is met if its
  /// value is at most 0.
  public synchronized void tell(Point point, double value, double... constraints) {
    if (!Double.isFinite(value))
      throw new IllegalArgumentException(
          "the value at %s is %s, it must be finite; use fail(point) if an evaluation failed"
              .formatted(point, value));
    if (constraints.length != tuning.constraints())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "got %d constraint values at %s, but the search has %d constraints; pass one value for each",
              constraints.length,
              point,
              tuning.constraints()));
    for (double c : constraints)
      if (!Double.isFinite(c))
        throw new IllegalArgumentException(
            "a constraint at %s is %s, it must be finite".formatted(point, c));
    tell(point, value, boxed(constraints));
  }

  /// Records that the evaluation at a point failed. If the point was asked for and has not yet
  /// failed more often than [Tuning#retries] allows, it is asked for again next. A failure has no
  /// value, so the model of the objective ignores it. If failures depend on the place, the search
  /// avoids such places.
  public synchronized void fail(Point point) {
    Point own = space.point(point.values());
    long before = history.stream().filter(o -> o.failed() && o.point().equals(own)).count();
    if (before >= tuning.retries() || !pending.contains(own)) {
      tell(own, Double.NaN, List.of());
      return;
    }
    write(Journal.line("retry", own.values(), List.of()));
    record(own, Double.NaN, List.of());
    pending.add(own);
    again.add(own);
  }

  private void tell(Point point, double value, List<Double> constraints) {
    Point own = space.point(point.values());
    List<Double> all = new ArrayList<>(List.of(value));
    all.addAll(constraints);
    write(Journal.line("tell", own.values(), all));
    record(own, value, List.copyOf(constraints));
  }

  private void record(Point point, double value, List<Double> constraints) {
    pending.remove(point);
    again.remove(point);
    history.add(new Observation(history.size() + 1, point, value, constraints));
  }

  /// The points that were asked for and have no result yet.
  public synchronized List<Point> pending() {
    return List.copyOf(pending);
  }

  /// All results, in the order in which they were told.
  public synchronized List<Observation> history() {
    return List.copyOf(history);
  }

  /// The best feasible observation. It is the one with the best value, unless there is evidence of
  /// noise. Then it is the one with the best modelled value, since the best value may only be the
  /// luckiest. [#choice] says which it is.
  public synchronized Optional<Observation> best() {
    return brain.best(history).map(Best::chosen);
  }

  /// The best feasible observation, and why it was chosen.
  public synchronized Optional<Best> choice() {
    return brain.best(history);
  }

  /// The reason why the search has finished: the budget is spent, or no point promises the required
  /// improvement. Empty if it has not finished.
  public synchronized Optional<String> finished() {
    if (history.size() >= tuning.budget())
      return Optional.of(
          String.format(Locale.ROOT, "the budget of %,d evaluations is spent", tuning.budget()));
    if (tuning.improvement() == 0 || history.size() < tuning.initial() || !learn())
      return Optional.empty();
    double promise = brain.promise(history, random(-2));
    return promise < tuning.improvement()
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "no point promises an improvement of %s any more; the best promises %.3g",
                tuning.improvement(),
                promise))
        : Optional.empty();
  }

  /// Returns the mean and standard deviation that the model predicts for the objective at some
  /// points, in the unit of the objective, one row of two per point. Empty if there is no model
  /// yet.
  public synchronized double[][] predict(List<Point> points) {
    if (!learn()) return new double[0][];
    return brain.predict(history, points);
  }

  /// Returns the values, at some points, of the acquisition that the next [#ask] would maximise, in
  /// its own units and with the same random draws. Empty while spread points are asked for.
  public synchronized double[] acquisition(List<Point> points) {
    if (spreads() || !learn()) return new double[0];
    return brain.merit(history, pending, points, random(asked));
  }

  /// Describes the model in a few words; empty if there is none yet.
  public synchronized String model() {
    return brain.describe();
  }

  /// Closes the journal.
  @Override
  public synchronized void close() {
    if (journal != null) journal.close();
  }

  /// The result of one evaluation.
  ///
  /// @param number its position in the order of telling, from 1
  /// @param value the objective; NaN if the evaluation failed
  /// @param constraints the values of the constraints; the point is feasible if all are at most 0
  public record Observation(int number, Point point, double value, List<Double> constraints) {

    public boolean failed() {
      return Double.isNaN(value);
    }

    /// Whether the evaluation succeeded and meets every constraint.
    public boolean feasible() {
      return !failed() && constraints.stream().allMatch(c -> c <= 0);
    }
  }

  /// The best observation of a search.
  ///
  /// @param chosen the observation that the search returns as its best
  /// @param observed the feasible observation with the best value; it differs only if there is
  ///   noise
  /// @param noise what is known about the noise of evaluations, which decided
  public record Best(Observation chosen, Observation observed, Noise noise) {}

  /// The possible answers to whether evaluations are noisy, and how that is known.
  public enum Noise {
    /// There is no noise: [Tuning#noise] is 0.
    NONE,
    /// There is no evidence of noise.
    UNSEEN,
    /// There is noise: [Tuning#noise] gives its standard deviation.
    GIVEN,
    /// There is noise: evaluations of one point differ.
    REPEATED,
    /// There is noise: the model is at least 20 times likelier with it.
    LIKELY;

    /// Whether there is evidence of noise.
    public boolean isPresent() {
      return this == GIVEN || this == REPEATED || this == LIKELY;
    }
  }
}
