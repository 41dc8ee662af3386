package lovelace.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.engines.Engines;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.lattice.LatticePosterior;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer.Progress;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.internal.RowPosterior;
import lovelace.source.Source;
import org.jspecify.annotations.Nullable;

/// A page's private copy of a model. Observations can be added and parameters changed; the original
/// model stays as it is. Changes are made one after another, and each reader sees one consistent
/// model.
final class StudioSession {

  /// The most Fourier modes for which a slider can wait.
  private static final int LIVE_MODES = 600;

  /// The most observations that a page may add.
  private static final int MOST_ADDED = 10_000;

  private final String name;
  private final Options.Maker maker;
  private final Model base;
  private final @Nullable Dataset rows;
  private volatile State state;

  /// A model and the observations added to it, each inputs and target.
  record State(Model model, List<double[]> added) {}

  /// Makes the copy of a model. `rows` are those it has learned from, if they are known.
  StudioSession(String name, Model model, @Nullable Dataset rows, Options.Maker maker) {
    if (model.map().isPresent())
      throw Refusal.wrong(
          "the studio cannot draw model '%s': it works on features of its %d columns (a projection, a network or coordinates on a plane); ask for predictions under /v2",
          name, model.columns().size());
    if (!model.drift().isEmpty())
      throw Refusal.wrong(
          "the studio cannot draw model '%s': its mean has a drift; ask for predictions under /v2",
          name);
    this.name = name;
    this.maker = maker;
    base = model;
    this.rows =
        rows == null
            ? model.observed().map(known -> single(known, model)).orElse(null)
            : model.rows(rows);
    state = new State(model, List.of());
  }

  /// Turns classes into single rows. For rows at the same place, a model only knows their sums.
  private static Dataset single(Dataset known, Model model) {
    if (!StudioFacts.isClasses(model)) return known;
    int d = known.dimensions();
    int n = (int) Arrays.stream(known.weights()).sum();
    double[] x = new double[n * d];
    double[] y = new double[n];
    for (int i = 0, next = 0; i < known.size(); i++)
      for (int k = 0; k < known.weight(i); k++, next++) {
        System.arraycopy(known.inputs(), i * d, x, next * d, d);
        y[next] = k < known.target()[i] ? 1 : 0;
      }
    return Dataset.of(x, model.columns(), y, model.target());
  }

  String name() {
    return name;
  }

  State state() {
    return state;
  }

  @Nullable Dataset rows() {
    return rows;
  }

  /// About how many bytes the copy keeps, beside a model that is served anyway.
  long bytes() {
    Model model = state.model;
    long bytes = 4096;
    if (rows != null) bytes += 8L * rows.size() * (rows.dimensions() + 1) + bytes(base);
    return model.equals(base) ? bytes : bytes + bytes(model);
  }

  /// The tables of the cells and the covariance's root; for an exact model, its memory beside the
  /// rows.
  private static long bytes(Model model) {
    return model
        .held()
        .map(RowPosterior::bytes)
        .orElseGet(() -> model.lattice().orElseThrow().bytes());
  }

  /// Adds one observation, inputs and target.
  synchronized void observe(double[] row) {
    State now = state;
    int d = now.model.columns().size();
    if (row.length != d + 1)
      throw Refusal.wrong(
          "an observation has %d inputs and a target, got %d numbers", d, row.length);
    if (now.added.size() == MOST_ADDED)
      throw Refusal.wrong(
          "a page may add at most %,d observations; upload a table instead", MOST_ADDED);
    try {
      Model next = live(now.model).with(source(row), Outside.ERROR, maker);
      List<double[]> added = new ArrayList<>(now.added);
      added.add(row.clone());
      state = new State(next, List.copyOf(added));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Source source(double[] row) {
    int d = row.length - 1;
    return Source.of(
        Dataset.of(Arrays.copyOf(row, d), base.columns(), new double[] {row[d]}, base.target()));
  }

  /// Removes the last observation.
  synchronized void undo() {
    State now = state;
    if (now.added.isEmpty()) throw Refusal.wrong("there is no observation to take back");
    try {
      Model next = now.model.without(source(now.added.getLast()), Outside.ERROR, maker);
      state = new State(next, now.added.subList(0, now.added.size() - 1));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Returns to the original model.
  synchronized void reset() {
    state = new State(base, List.of());
  }

  /// Sets parameters by path. All others stay.
  synchronized void parameters(Map<String, double[]> values) {
    State now = state;
    Hyperparameters h = now.model.hyperparameters();
    for (Map.Entry<String, double[]> entry : values.entrySet())
      h = h.set(entry.getKey(), entry.getValue());
    state = new State(now.model.with(h, engine(now.model, h), maker), now.added);
  }

  /// Learns the parameters from the statistics, beginning at the current values. Parameters that
  /// were held are learned too. Other changes need not wait: the learned parameters then go to the
  /// model that results from these changes.
  void learn(Progress progress) {
    State then = state;
    Hyperparameters h = then.model.hyperparameters();
    for (Parameter p : h.parameters()) h = h.free(p.path());
    Options.Learning learning = new Options.Learning(Lbfgs.DEFAULT, 1, 1, progress);
    Model learned = then.model.learn(h, engine(then.model, h), learning, maker);
    synchronized (this) {
      State now = state;
      Hyperparameters found = learned.hyperparameters();
      Model next =
          now.model.equals(then.model)
              ? learned
              : now.model.with(found, engine(now.model, found), maker);
      state = new State(next, now.added);
    }
  }

  /// The model with the engine that follows observations fastest.
  private Model live(Model model) {
    LatticePosterior lattice = model.lattice().orElse(null);
    Hyperparameters h = model.hyperparameters();
    Engine chosen = model.plan().chosen();
    boolean stays =
        lattice == null
            || model.laplace().isPresent()
            || chosen == Engine.SPECTRAL
            || chosen == Engine.SPARSE;
    return stays || engine(model, h) == Engine.AUTO ? model : model.with(h, Engine.SPECTRAL, maker);
  }

  /// The spectral engine if it is fast enough for a slider, otherwise the cheapest one.
  private static Engine engine(Model model, Hyperparameters h) {
    LatticePosterior lattice = model.lattice().orElse(null);
    if (lattice == null || model.laplace().isPresent()) return Engine.AUTO;
    if (model.plan().chosen() == Engine.SPARSE) return model.plan().asked(); // it may have no noise
    boolean quick = Engines.modes(lattice.statistics().lattice(), h, LIVE_MODES) > 0;
    return quick ? Engine.SPECTRAL : Engine.AUTO;
  }

  /// The model file.
  byte[] file() {
    try {
      Path file = Files.createTempFile("studio", Repository.EXTENSION);
      try {
        state.model.save(file);
        return Files.readAllBytes(file);
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new IllegalStateException("the model could not be written: " + e.getMessage(), e);
    }
  }
}
