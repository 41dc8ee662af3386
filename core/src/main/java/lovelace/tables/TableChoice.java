package lovelace.tables;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.budget.Budget.MemoryLimitException;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.FeatureMap.Change;
import lovelace.data.TargetTransform;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.learning.Learner;
import lovelace.neighbours.NeighbourGp;
import lovelace.neighbours.NeighbourLearning;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer;
import lovelace.plan.Engine;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.MappedRows;
import org.jspecify.annotations.Nullable;

/// Chooses how a table is modelled, by the prediction of rows held out: the kernel, the transforms
/// of columns and target, the process of all rows or of the nearest ones, or a sum of functions.
///
/// It counts work and does not measure time, so that the choice is the same on any machine. A
/// deadline ends it with the best so far.
public final class TableChoice {

  /// The number of neighbours for learning.
  public static final int LEARNING = 30;

  /// The default number of neighbours for predictions, unless rows held out choose another.
  public static final int NEIGHBOURS = 200;

  /// Up to this many rows, the exact process costs little, and nothing predicts better.
  public static final int SMALL = 4000;

  /// Fewer rows are not compared.
  private static final int LEAST = 25;

  /// The gain in NLPD for which a column or the target is transformed.
  private static final double WORTH = 0.005;

  /// The gain in NLPD for which predictions use more rows.
  private static final double CLOSE = 0.002;

  /// The most names of columns in a line.
  private static final int NAMES = 6;

  /// The most rows, and the number of learning steps, with which a sum is compared. Each step costs
  /// in proportion to the columns.
  private static final int ADDITIVE_ROWS = 700;

  private static final int ADDITIVE_STEPS = 20;

  /// The number of times that every model is learned for the comparison.
  public static int folds(long rows) {
    return Folds.count(rows);
  }

  /// The question.
  ///
  /// @param rows unchanged from the table
  /// @param kernels to choose from
  /// @param form the parameters of a kernel over the columns, unset if they are to be learned
  /// @param engine `EXACT`, `NEIGHBOURS`, or `AUTO` if it is open
  /// @param neighbours for a prediction; 0 if that is open
  /// @param transform of the target; empty if that is open
  /// @param maps whether columns with long tails may be mapped
  /// @param additive the parameters of a sum of functions of one column each; empty if it is not to
  ///   be compared
  public record Question(
      Dataset rows,
      List<Kernel> kernels,
      Function<Kernel, Hyperparameters> form,
      Engine engine,
      int neighbours,
      Optional<TargetTransform> transform,
      boolean maps,
      Optional<Hyperparameters> additive) {

    public Question {
      kernels = List.copyOf(kernels);
    }
  }

  /// The choice.
  ///
  /// @param additive whether a sum was best; the other fields then describe the best process
  /// @param start the kernel, with values to start learning from
  /// @param engine `EXACT` or `NEIGHBOURS`
  /// @param neighbours for a prediction
  /// @param compared the comparison, a line per model, for people
  /// @param columns the transforms of columns and target, a line each, for people
  public record Answer(
      boolean additive,
      Hyperparameters start,
      Optional<FeatureMap> map,
      TargetTransform transform,
      Engine engine,
      int neighbours,
      List<String> compared,
      List<String> columns) {

    public Answer {
      compared = List.copyOf(compared);
      columns = List.copyOf(columns);
    }
  }

  private final Question question;
  private final Learner learner;
  private final long seed;
  private final Folds folds;
  private final List<Trial> trials = new ArrayList<>();
  private final List<String> compared = new ArrayList<>();
  private final List<String> columns = new ArrayList<>();

  private TableChoice(Question question, Learner learner, long seed) {
    this.question = question;
    this.learner = learner;
    this.seed = seed;
    this.folds = Folds.of(question.rows(), seed);
  }

  /// Answers a question.
  ///
  /// @param learner optimiser and progress
  /// @param seed of the split and of learning
  public static Answer of(Question question, Learner learner, long seed) {
    int n = question.rows().size();
    if (n < LEAST) {
      Hyperparameters start = question.form().apply(question.kernels().getFirst());
      return new Answer(
          false,
          start,
          Optional.empty(),
          question.transform().orElse(TargetTransform.NONE),
          question.engine() == Engine.NEIGHBOURS ? Engine.NEIGHBOURS : Engine.EXACT,
          question.neighbours() > 0 ? question.neighbours() : NEIGHBOURS,
          List.of(String.format(Locale.ROOT, "nothing, %d rows are too few to hold any out", n)),
          List.of());
    }
    return new TableChoice(question, learner, seed).answer();
  }

  private Answer answer() {
    boolean timeUp = false;
    Trial best = null;
    try {
      for (Kernel kernel : question.kernels()) {
        Trial trial = trial(kernel, best);
        if (trial == null) continue;
        trials.add(trial);
        if (best == null || trial.nlpd() < best.nlpd()) best = trial;
      }
      if (best != null) best = changed(best);
      if (best != null) best = transformed(best);
    } catch (TimeUpException e) {
      timeUp = true;
    }
    if (best == null) return untried();
    Trial sum = timeUp ? null : additive(best);
    if (sum != null) trials.add(sum);
    boolean other = sum != null && sum.nlpd() < best.nlpd();
    if (trials.size() > 1) compared.addFirst(ranking(trials, timeUp));
    int n = question.rows().size();
    Engine engine = question.engine();
    int k = question.neighbours() > 0 ? question.neighbours() : NEIGHBOURS;
    if (engine == Engine.AUTO && n <= SMALL) engine = Engine.EXACT;
    if (!other && engine != Engine.EXACT && !timeUp) {
      Reach reach = reach(best, engine, k);
      engine = reach.engine;
      k = reach.neighbours;
    }
    if (engine == Engine.AUTO) engine = Engine.NEIGHBOURS;
    return new Answer(
        other,
        best.learned().getFirst(),
        best.map(),
        best.transform(),
        engine,
        k,
        compared,
        columns);
  }

  /// The best trial, or the same kernel with long-tailed columns transformed if that is better.
  private Trial changed(Trial best) {
    if (!question.maps()) return best;
    Dataset rows = question.rows();
    List<Change> changes = FeatureMap.candidates(rows);
    if (changes.stream().allMatch(change -> change == Change.SAME)) return best;
    FeatureMap map = FeatureMap.columns(rows, changes);
    List<Column> features = map.features(rows.columns());
    List<String> all =
        IntStream.range(0, changes.size())
            .filter(j -> changes.get(j) != Change.SAME)
            .mapToObj(j -> features.get(j).name())
            .toList();
    String names =
        all.stream().limit(NAMES).collect(Collectors.joining(", "))
            + (all.size() > NAMES ? " and " + (all.size() - NAMES) + " others" : "");
    Trial trial = trial(best.name(), best.form(), null, Optional.of(map), best.transform());
    return better(best, trial, names);
  }

  /// The best trial, or the same with the target transformed if that is better.
  private Trial transformed(Trial best) {
    if (question.transform().isPresent()) return best;
    double[] y = question.rows().target();
    Change tail = FeatureMap.candidates(Dataset.of(y, 1, y)).getFirst();
    if (tail == Change.SAME) return best;
    boolean log = tail == Change.LOG && Arrays.stream(y).allMatch(v -> v > 0);
    TargetTransform transform = log ? TargetTransform.LOG : TargetTransform.ranks(y);
    Trial trial = trial(best.name(), best.form(), null, best.map(), transform);
    String name = question.rows().targetColumn().name();
    return better(best, trial, (log ? "log " : "ranks of ") + name + ", the target");
  }

  private Trial better(Trial best, @Nullable Trial trial, String names) {
    boolean kept = trial != null && trial.isBetter(best, WORTH);
    String scores =
        trial == null
            ? "it could not be computed"
            : String.format(
                Locale.ROOT,
                "NLPD %.3f of %,d rows held out, %.3f without",
                trial.nlpd(),
                folds.size(),
                best.nlpd());
    if (!kept || trial == null) {
      compared.add(names + ", not kept: " + scores);
      return best;
    }
    columns.add(names + ": " + scores);
    trials.add(trial.named(best.name() + " of " + names));
    return trial;
  }

  private Answer untried() {
    return new Answer(
        false,
        question.form().apply(question.kernels().getFirst()),
        Optional.empty(),
        question.transform().orElse(TargetTransform.NONE),
        question.engine() == Engine.AUTO
            ? question.rows().size() <= SMALL ? Engine.EXACT : Engine.NEIGHBOURS
            : question.engine(),
        question.neighbours() > 0 ? question.neighbours() : NEIGHBOURS,
        List.of("nothing, the time was too short to hold rows out"),
        List.of());
  }

  /// All scores, the best first, and by how much it is better than the next.
  private String ranking(List<Trial> all, boolean timeUp) {
    List<Trial> sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparingDouble(Trial::nlpd));
    return String.format(
        Locale.ROOT,
        "NLPD of %,d rows held out: %s; the first is better by %.3f%s",
        folds.size(),
        sorted.stream().map(Trial::toString).collect(Collectors.joining(", ")),
        sorted.get(1).nlpd() - sorted.get(0).nlpd(),
        timeUp ? "; the time ended before all were tried" : "");
  }

  /// Learns a kernel on every fold; null if its computation fails.
  private @Nullable Trial trial(Kernel kernel, @Nullable Trial like) {
    TargetTransform transform = question.transform().orElse(TargetTransform.NONE);
    return trial(
        kernel.toString(), question.form().apply(kernel), like, Optional.empty(), transform);
  }

  private @Nullable Trial trial(
      String name,
      Hyperparameters form,
      @Nullable Trial like,
      Optional<FeatureMap> map,
      TargetTransform transform) {
    List<Hyperparameters> learned = new ArrayList<>();
    List<Double> densities = new ArrayList<>();
    try {
      for (int f = 0; f < folds.all().size(); f++) {
        Budget.check();
        Folds.Fold fold = folds.all().get(f);
        Dataset seen = transform.apply(mapped(fold.seen(), map));
        Hyperparameters start =
            like == null ? form : NeighbourLearning.carried(form, like.learned().get(f));
        Hyperparameters h =
            NeighbourLearning.quick(seen, start, LEARNING, learner, seed).hyperparameters();
        learned.add(h);
        Posterior posterior =
            seen.size() <= SMALL / 2
                ? ExactGp.of(seen, h)
                : NeighbourGp.of(seen, h, Math.max(NEIGHBOURS, question.neighbours()));
        score(posterior, fold.out(), map, transform, densities);
      }
    } catch (ArithmeticException | MemoryLimitException e) {
      return null;
    }
    return new Trial(name, form, learned, map, transform, densities);
  }

  /// The rows with features in place of their columns, if there is a map.
  public static Dataset mapped(Dataset rows, Optional<FeatureMap> map) {
    return map.isEmpty() ? rows : MappedRows.features(map.get(), rows);
  }

  private static void score(
      Posterior posterior,
      Dataset out,
      Optional<FeatureMap> map,
      TargetTransform transform,
      List<Double> densities) {
    Prediction p =
        posterior
            .predict(mapped(out, map).inputs())
            .undo(transform)
            .withNoise(posterior.noise(), out.weights());
    for (int i = 0; i < out.size(); i++) densities.add(p.logDensity(i, out.target()[i]));
  }

  /// Tries a sum of functions of one column each, by the exact process of some rows; null if it is
  /// not to be compared, or its computation fails.
  private @Nullable Trial additive(Trial best) {
    Hyperparameters form = question.additive().orElse(null);
    if (form == null) return null;
    Optimizer optimizer =
        learner.optimizer() instanceof Lbfgs lbfgs
            ? lbfgs
                .withMaxIterations(Math.min(ADDITIVE_STEPS, lbfgs.maxIterations()))
                .withRelativeTolerance(1e-4)
            : learner.optimizer();
    List<Double> densities = new ArrayList<>();
    try {
      for (Folds.Fold fold : folds.all()) {
        Dataset seen = best.transform().apply(mapped(fold.seen(), best.map()));
        Dataset some = seen.thinned(ADDITIVE_ROWS);
        Hyperparameters h =
            learner
                .withOptimizer(optimizer)
                .learn(ExactGp.likelihood(some), form, some, 1)
                .hyperparameters();
        score(ExactGp.of(some, h), fold.out(), best.map(), best.transform(), densities);
      }
    } catch (ArithmeticException | TimeUpException | MemoryLimitException e) {
      return null;
    }
    int most = Math.min(ADDITIVE_ROWS, folds.all().getFirst().seen().size());
    String name = String.format(Locale.ROOT, "additive (of %,d rows)", most);
    return new Trial(name, form, List.of(), best.map(), best.transform(), densities);
  }

  /// The rows that a prediction uses.
  private record Reach(Engine engine, int neighbours) {}

  /// Compares predictions from fewer, from more and from all rows, with the parameters of the best
  /// trial, on the first fold.
  private Reach reach(Trial best, Engine asked, int k) {
    Folds.Fold fold = folds.all().getFirst();
    Dataset seen = best.transform().apply(mapped(fold.seen(), best.map()));
    Hyperparameters h = best.learned().getFirst();
    boolean open = question.neighbours() == 0;
    List<Trial> all = new ArrayList<>();
    try {
      int[] sizes = open && seen.size() > k ? new int[] {k / 2, k, 2 * k} : new int[] {k};
      for (int size : sizes)
        all.add(by(best, size + " neighbours", NeighbourGp.of(seen, h, size), fold));
      double least = all.stream().mapToDouble(Trial::nlpd).min().orElseThrow();
      int found = 0; // the fewest neighbours that are as good
      while (all.get(found).nlpd() > least + CLOSE) found++;
      Trial chosen = all.get(found);
      Engine engine = Engine.NEIGHBOURS;
      if (asked == Engine.AUTO && question.rows().size() <= ExactGp.MOST_ROWS) {
        Trial exact = by(best, "all rows", ExactGp.of(seen, h), fold);
        all.add(exact);
        if (exact.nlpd() < chosen.nlpd() - CLOSE) {
          engine = Engine.EXACT;
          chosen = exact;
        }
      }
      if (all.size() > 1)
        compared.add(
            String.format(
                Locale.ROOT,
                "NLPD of %,d rows held out, each predicted from the nearest rows: %s; chosen: %s",
                fold.out().size(),
                all.stream().map(Trial::toString).collect(Collectors.joining(", ")),
                chosen.name()));
      return new Reach(engine, sizes[found]);
    } catch (ArithmeticException | TimeUpException | MemoryLimitException e) {
      return new Reach(Engine.NEIGHBOURS, k);
    }
  }

  private static Trial by(Trial best, String name, Posterior posterior, Folds.Fold fold) {
    List<Double> densities = new ArrayList<>();
    score(posterior, fold.out(), best.map(), best.transform(), densities);
    return new Trial(name, best.form(), best.learned(), best.map(), best.transform(), densities);
  }
}
