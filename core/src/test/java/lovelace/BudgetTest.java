package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import lovelace.budget.Budget;
import lovelace.budget.Budget.MemoryLimitException;
import lovelace.budget.Budget.Remedy;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.linear.Parallel;
import lovelace.model.Provenance.Note;
import lovelace.optimize.Adam;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer;
import lovelace.optimize.Optimizer.Optimum;
import lovelace.optimize.Optimizer.Progress;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import org.junit.jupiter.api.Test;

/// A fit ends when its time is up and keeps to its memory. Clocks are counters: every look at one
/// takes a second.
final class BudgetTest {

  private static Dataset rows(int n, int d) {
    var random = new SplittableRandom(3);
    double[] x = random.doubles((long) n * d).toArray();
    double[] y = new double[n];
    for (int i = 0; i < n; i++) y[i] = Math.sin(6 * x[i * d]) + 0.1 * random.nextGaussian();
    return Dataset.of(x, d, y);
  }

  /// A clock by which every look takes a second.
  private static LongSupplier counter() {
    AtomicLong looks = new AtomicLong();
    return () -> 1_000_000_000L * looks.getAndIncrement();
  }

  /// A clock that stands still until it is told to jump.
  private static final class Jumping implements LongSupplier, Progress {
    private final int step;
    private long now;

    Jumping(int step) {
      this.step = step;
    }

    @Override
    public long getAsLong() {
      return now;
    }

    /// Lets four fifths of the time pass at a step of learning.
    @Override
    public boolean step(int iteration, double value, double gradientNorm, double[] x) {
      if (iteration == step) now = 80_000_000_000L;
      return true;
    }
  }

  private static Fit within(Fit fit, LongSupplier clock) {
    return fit.with(new Options.Limits(Duration.ofSeconds(100), 1L << 30, clock));
  }

  private static List<Fit> engines() {
    Fit small = Fit.DEFAULT.withGrid(GridChoice.DEFAULT.withPoints(30));
    return List.of(
        small.withEngine(Engine.SPECTRAL),
        small.withEngine(Engine.KRYLOV),
        small.withEngine(Engine.MARKOV).withKernel("matern32"),
        small.withEngine(Engine.EXACT),
        small);
  }

  @Test
  void learningAModelAnewKeepsToTheTimeOfItsCaller() {
    for (Engine engine : List.of(Engine.SPECTRAL, Engine.EXACT)) {
      Fit quick =
          Fit.DEFAULT
              .withEngine(engine)
              .withTraining(false)
              .set("lengthscale", 0.3)
              .set("outputscale", 1)
              .set("noise", 0.1)
              .set("mean", 0);
      Model model = quick.to(rows(60, 1));
      var clock = new Jumping(2);
      Model learned =
          within(quick, clock)
              .budget()
              .call(
                  () ->
                      model.learn(
                          model.hyperparameters(),
                          engine,
                          new Options.Learning(Lbfgs.DEFAULT, 1, 1, clock),
                          new Options.Maker("test", "")));
      assertTrue(
          learned.provenance().notes().toString().contains("stopped after"), engine::toString);
    }
  }

  @Test
  void aDeadlineThatIsOverLeavesAModelWithStartValuesByEveryEngine() {
    for (Fit fit : engines()) {
      Model model =
          fit.with(new Options.Limits(Duration.ofSeconds(1), 1L << 30, counter())).to(rows(60, 1));
      assertEquals(List.of(), model.provenance().trace(), fit.engine()::toString);
      assertTrue(
          model.provenance().notes().stream().anyMatch(n -> n.kind() == Note.Kind.TIME),
          fit.engine()::toString);
      assertTrue(model.predict(0.5).variance(0) > 0);
    }
  }

  @Test
  void theDeadlineOfACallerStopsEveryEngineWithAdvice() {
    for (Fit fit : engines()) {
      Budget caller = Budget.of(Duration.ofSeconds(1), 1L << 30, counter());
      var e =
          assertThrows(
              TimeUpException.class,
              () -> caller.call(() -> fit.to(rows(60, 1))),
              fit.engine()::toString);
      assertTrue(
          String.valueOf(e.getMessage()).contains("within 1.00 s; give more time"), e::toString);
    }
  }

  @Test
  void learningThatRunsOutOfTimeLeavesAModelWithANote() {
    for (Fit fit : engines()) {
      Jumping clock = new Jumping(2);
      Model model =
          within(fit, clock)
              .withLearning(new Options.Learning(Lbfgs.DEFAULT, 1, 1, clock))
              .to(rows(60, 1));
      List<Note> notes = model.provenance().notes();
      assertTrue(
          notes.stream().anyMatch(n -> n.toString().startsWith("time: learning stopped")),
          notes::toString);
      assertEquals(2, model.provenance().trace().getLast().iteration(), fit.engine()::toString);
      assertTrue(model.predict(0.5).variance(0) > 0);
    }
  }

  @Test
  void manyColumnsAreFittedInTheTimeThereIs() {
    Jumping clock = new Jumping(1);
    Fit fit =
        within(Fit.DEFAULT.withGrid(GridChoice.DEFAULT.withPoints(12)), clock)
            .withLearning(new Options.Learning(Adam.DEFAULT.withMaxIterations(20), 1, 1, clock));
    Model model = fit.to(rows(40, 5));
    List<Note> notes = model.provenance().notes();
    assertTrue(notes.stream().anyMatch(n -> n.kind() == Note.Kind.SHAPE), notes::toString);
  }

  @Test
  void aComparisonSharesOneDeadline() {
    LongSupplier counter = counter();
    List<Comparison> all =
        Fit.DEFAULT
            .withEngine(Engine.EXACT)
            .with(new Options.Limits(Duration.ofSeconds(40), 1L << 30, counter))
            .compare(rows(30, 1), "rbf", "matern32");
    assertEquals(2, all.size());
    for (Comparison one : all)
      assertTrue(
          one.model().provenance().notes().stream().anyMatch(n -> n.kind() == Note.Kind.TIME),
          one.kernel());
  }

  @Test
  void memoryIsAskedForBeforeItIsTaken() {
    Fit fit = Fit.DEFAULT.withEngine(Engine.EXACT).withMemory(1 << 20);
    var exact = assertThrows(MemoryLimitException.class, () -> fit.to(rows(400, 1)));
    assertEquals(
        "the exact process of 400 rows needs 1 MB of memory, the limit is 1 MB; give fewer rows, use another engine, or allow more memory",
        exact.getMessage());
    Fit krylov =
        Fit.DEFAULT
            .withEngine(Engine.KRYLOV)
            .withGrid(GridChoice.DEFAULT.withPoints(60))
            .withTraining(false)
            .set("lengthscale", 0.02)
            .set("outputscale", 1)
            .set("noise", 1e-4)
            .set("mean", 0)
            .withMemory(1 << 22);
    var lanczos = assertThrows(MemoryLimitException.class, () -> krylov.to(rows(2000, 2)));
    assertTrue(String.valueOf(lanczos.getMessage()).contains("Lanczos vectors"), lanczos::toString);
    Fit spectral = krylov.withEngine(Engine.SPECTRAL).set("lengthscale", 0.06).withMemory(1 << 22);
    var modes = assertThrows(MemoryLimitException.class, () -> spectral.to(rows(2000, 2)));
    assertTrue(String.valueOf(modes.getMessage()).contains("modes"), modes::toString);
  }

  @Test
  void aGridTooLargeForTheMemoryIsRefusedBeforeTraining() {
    int[] steps = {0};
    Fit fit =
        Fit.DEFAULT
            .withGrid(GridChoice.DEFAULT.withPoints(2100, 2100))
            .withLearning(new Options.Learning(Lbfgs.DEFAULT, 1, 1, (i, v, g, x) -> steps[0]++ < 0))
            .withMemory(1L << 30);
    var error = assertThrows(MemoryLimitException.class, () -> fit.to(rows(200, 2)));
    String told = String.valueOf(error.getMessage());
    assertTrue(told.startsWith("the 2100×2100 grid"), told);
    assertTrue(told.contains("needs 4.1 GB of memory, the limit is 1.1 GB"), told);
    assertEquals(0, steps[0]);
  }

  @Test
  void optimisersKeepTheBestPointWhenTimeIsUp() {
    for (Optimizer optimizer : List.of(Lbfgs.DEFAULT, Adam.DEFAULT)) {
      int[] left = {6};
      Optimum optimum =
          optimizer.minimize(
              (x, g) -> {
                if (left[0]-- == 0) throw new TimeUpException("over");
                g[0] = 4 * Math.pow(x[0] - 3, 3);
                return Math.pow(x[0] - 3, 4);
              },
              0);
      assertTrue(optimum.timeUp());
      assertFalse(optimum.converged());
      assertTrue(optimum.value() < 81, optimum::toString);
      assertThrows(
          TimeUpException.class,
          () ->
              optimizer.minimize(
                  (x, g) -> {
                    throw new TimeUpException("over");
                  },
                  0));
    }
  }

  @Test
  void remediesAreTypesThatAProgramAddsItsOptionsTo() {
    Budget small = Budget.of(Duration.ofSeconds(5), 1_000_000, () -> 0);
    var memory =
        assertThrows(
            MemoryLimitException.class,
            () -> small.run(() -> Budget.require(2_000_000, "it", Remedy.FEWER_GRID_POINTS)));
    String plain =
        "it needs 2 MB of memory, the limit is 1 MB; give fewer grid points or allow more memory";
    assertEquals(plain, memory.getMessage());
    String named = plain.replace("points", "points (a)").replace("more memory", "more memory (b)");
    Function<Remedy, String> how = r -> r == Remedy.FEWER_GRID_POINTS ? "a" : "b";
    assertEquals(named, memory.message(how));
    assertEquals(named, new MemoryLimitException(memory).message(how)); // from another thread
    assertEquals("x", new MemoryLimitException(new Exception("x")).message(how));
    var time =
        assertThrows(TimeUpException.class, () -> small.share(0).run(Budget::check)).message(how);
    assertTrue(time.contains("; give more time (b), fewer rows"), time);
  }

  @Test
  void parallelLoopsCarryTheBudgetToTheirThreads() {
    Budget budget = Budget.of(Duration.ofSeconds(5), 1 << 20, () -> 0);
    boolean[] same = new boolean[64];
    budget.run(() -> Parallel.forEach(64, i -> same[i] = Budget.current() == budget));
    for (boolean b : same) assertTrue(b);
    assertEquals(Budget.UNLIMITED, Budget.current());
  }
}
