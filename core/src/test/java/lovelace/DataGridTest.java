package lovelace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.LinearMap;
import lovelace.data.Outside;
import lovelace.data.TargetTransform;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.model.Provenance.Note;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.planning.ChosenLattice;
import lovelace.planning.GridRule;
import lovelace.planning.LatticeChoice;
import lovelace.posterior.Prediction;
import lovelace.source.Source;
import lovelace.source.Sums;
import lovelace.statistics.GridStatistics;
import lovelace.survey.FitData;
import lovelace.survey.Survey;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Data on a regular grid of their own, whose nodes become those of the lattice.
class DataGridTest {

  private static final GridChoice OWN = GridChoice.DEFAULT.onData();

  private static Fit given(String kernel, double lengthscale) {
    return Fit.DEFAULT
        .withKernel(kernel)
        .withGrid(OWN)
        .withTraining(false)
        .set("lengthscale", lengthscale)
        .set("outputscale", 1.3)
        .set("noise", 0.05)
        .set("mean", 0.1);
  }

  private static double target(double... x) {
    double sum = 0;
    for (int a = 0; a < x.length; a++) sum += Math.sin(2 * x[a] + a);
    return sum;
  }

  /// Pixels `first + i·step` of those that are kept, off their nodes by up to `off` steps.
  private static Dataset pixels(
      int[] sizes, double[] first, double[] step, double off, IntPredicate kept) {
    int d = sizes.length;
    int all = Arrays.stream(sizes).reduce(1, (a, b) -> a * b);
    int[] chosen = IntStream.range(0, all).filter(kept).toArray();
    double[] x = new double[chosen.length * d];
    double[] y = new double[chosen.length];
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < y.length; i++) {
      int rest = chosen[i];
      double[] at = new double[d];
      for (int a = d - 1; a >= 0; a--) {
        at[a] = first[a] + step[a] * (rest % sizes[a]);
        x[i * d + a] = at[a] + off * step[a] * (2 * random.nextDouble() - 1);
        rest /= sizes[a];
      }
      y[i] = target(at) + 0.2 * random.nextGaussian();
    }
    return Dataset.of(x, d, y);
  }

  private static Dataset map(double off, IntPredicate kept) {
    return pixels(new int[] {15, 11}, new double[] {-3, 40}, new double[] {0.2, 0.1}, off, kept);
  }

  private static Grid grid(Model model) {
    return ((GridStatistics) model.lattice().orElseThrow().statistics()).grid();
  }

  private static GridStatistics statistics(Model model) {
    return (GridStatistics) model.lattice().orElseThrow().statistics();
  }

  private static String note(Model model) {
    return model.provenance().notes().stream()
        .filter(n -> n.kind() == Note.Kind.GRID)
        .map(Note::text)
        .findFirst()
        .orElseThrow();
  }

  private static String refusal(Fit fit, Dataset rows) {
    return message(assertThrows(IllegalArgumentException.class, () -> fit.to(rows)));
  }

  private static String message(Exception e) {
    return String.valueOf(e.getMessage());
  }

  // ---- the model ----

  /// Rows on nodes need no interpolation, so the model at nodes is the exact process of the rows.
  @ParameterizedTest
  @CsvSource({
    "matern12, 0.8, KRYLOV, 0",
    "matern32, 0.7, KRYLOV, 0.004",
    "matern32, 0.7, DENSE, 0.004",
    "rbf, 0.6, SPECTRAL, 0.004",
    "matern52, 0.6, AUTO, 0.004"
  })
  void pixelsWithGapsAreModelledExactlyAtTheirNodes(
      String kernel, double lengthscale, Engine engine, double off) {
    IntPredicate kept = i -> i % 7 != 3 && i / 11 != 6 && i % 11 != 4; // a row and a column missing
    Model model = given(kernel, lengthscale).withEngine(engine).to(map(off, kept));
    assertEquals(engine, model.plan().asked());
    Model exact =
        given(kernel, lengthscale)
            .withGrid(GridChoice.DEFAULT)
            .withEngine(Engine.EXACT)
            .to(map(0, kept));
    // least squares leave the nodes of rounded rows off by a share of what these are off
    assertEquals(0.2, grid(model).axis(0).step(), 0.2 * 2 * off / 14 + 1e-12);
    assertEquals(-3.4, grid(model).axis(0).at(0), 2 * off * 0.2 + 1e-12);
    assertEquals(19, grid(model).axis(0).points());
    assertEquals(15, grid(model).axis(1).points());
    assertTrue(statistics(model).onNodes());
    double[] places = map(0, i -> true).inputs();
    Prediction mine = model.predict(places);
    Prediction theirs = exact.predict(places);
    double slack = 0.01 + 2 * off; // the tolerance of variances, and places off their nodes
    for (int i = 0; i < mine.size(); i++) {
      assertEquals(theirs.mean(i), mine.mean(i), slack * theirs.deviation(i), "pixel " + i);
      assertEquals(1, mine.variance(i) / theirs.variance(i), slack, "pixel " + i);
    }
  }

  @Test
  void theNoteSaysWhoseGridItIs() {
    Model model = given("matern32", 0.7).withEngine(Engine.KRYLOV).to(map(0.004, i -> i % 5 > 0));
    assertTrue(
        note(model).startsWith("the data's own 15×11 grid, with a margin of two: x1 0.2 apart"),
        note(model));
    assertTrue(note(model).contains("cells per lengthscale)"), note(model));
    assertTrue(note(model).contains("of a step off a node are moved onto it"), note(model));
    Model exactly = given("matern32", 0.7).withEngine(Engine.KRYLOV).to(map(0, i -> i % 5 > 0));
    assertFalse(note(exactly).contains("moved"), note(exactly));
  }

  @Test
  void aSeriesKeepsItsStepThroughGaps() {
    Dataset hours =
        pixels(
            new int[] {500},
            new double[] {0},
            new double[] {1.0 / 24},
            0.003,
            i -> i % 24 < 20 && (i < 100 || i > 170));
    Fit fit = given("matern32", 0.5);
    for (Engine engine : List.of(Engine.AUTO, Engine.MARKOV, Engine.KRYLOV)) {
      Model model = fit.withEngine(engine).to(hours);
      Axis axis = grid(model).axis(0);
      assertEquals(504, axis.points());
      assertEquals(1.0 / 24, axis.step(), 1e-6);
      assertTrue(statistics(model).onNodes());
      assertTrue(note(model).startsWith("the data's own grid of 500 nodes, with a margin of two"));
      Prediction exact =
          fit.withGrid(GridChoice.DEFAULT)
              .withEngine(Engine.EXACT)
              .to(hours)
              .predict(hours.inputs());
      Prediction mine = model.predict(hours.inputs());
      for (int i = 0; i < mine.size(); i++)
        assertEquals(1, mine.variance(i) / exact.variance(i), 0.01);
    }
  }

  @Test
  void threeColumnsHaveAGrid() {
    Dataset rows =
        pixels(
            new int[] {7, 6, 5},
            new double[] {0, 10, -1},
            new double[] {0.5, 0.25, 0.1},
            1e-4,
            i -> i % 3 > 0);
    Model model = given("rbf", 0.9).withEngine(Engine.KRYLOV).to(rows);
    assertEquals(List.of(11, 10, 9), grid(model).axes().stream().map(Axis::points).toList());
    assertTrue(note(model).startsWith("the data's own 7×6×5 grid, with a margin of two"));
    assertTrue(statistics(model).onNodes());
  }

  @Test
  void manyColumnsAreSummedOnTheirOwnNodes() {
    SplittableRandom random = new SplittableRandom(4);
    int n = 200;
    double[] x = new double[n * 4];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < 4; j++) x[i * 4 + j] = 0.1 * random.nextInt(20);
      y[i] = Math.sin(3 * x[i * 4]) + x[i * 4 + 1] + 0.1 * random.nextGaussian();
    }
    Model model = Fit.DEFAULT.withGrid(OWN).to(Dataset.of(x, 4, y));
    assertTrue(
        note(model).startsWith("the data's own 20×20×20×20 grid, with a margin of two, in a"),
        note(model));
  }

  @Test
  void aConstantColumnIsLeftOut() {
    Dataset plane = map(0, i -> true);
    double[] x = new double[3 * plane.size()];
    for (int i = 0; i < plane.size(); i++) {
      x[3 * i] = plane.inputs()[2 * i];
      x[3 * i + 1] = 7;
      x[3 * i + 2] = plane.inputs()[2 * i + 1];
    }
    Model model =
        given("matern32", 0.7).withEngine(Engine.KRYLOV).to(Dataset.of(x, 3, plane.target()));
    assertTrue(note(model).startsWith("the data's own 15×11 grid"), note(model));
    assertEquals("[x2 = 7.0]", model.leftOut().toString());
  }

  @Test
  void rangesContinueTheStepsAndBoundsAreNodes() throws IOException {
    Dataset rows = map(0.002, i -> i % 5 > 0);
    Fit fit = given("matern32", 0.7).withEngine(Engine.KRYLOV);
    Model wider = fit.withGrid(OWN.including(0, -3.5, 0.1)).to(rows);
    assertEquals(15 + 3 + 2 + 4, grid(wider).axis(0).points());
    assertTrue(note(wider).contains("continued over the ranges given"), note(wider));
    // parts of a map with the same bounds lie on one grid, and add up
    Fit bounded = fit.withGrid(OWN.bounded(0, -4, 1).bounded(1, 39, 42));
    Model left = bounded.to(map(0.002, i -> i / 11 < 7));
    Model right = bounded.to(map(0.002, i -> i / 11 >= 7));
    assertEquals(grid(left), grid(right));
    assertEquals(-4, grid(left).axis(0).low(), 1e-12);
    Model both = Model.merge(left, right);
    assertEquals(165, both.count());
    assertTrue(statistics(both).onNodes());
    String said = refusal(fit.withGrid(OWN.bounded(0, -3.9, 1)), rows);
    assertTrue(
        said.startsWith(
            "the bounds of column 'x1', -3.9 to 1, are not nodes of the data's own grid"),
        said);
  }

  // ---- later rows, files and clusters ----

  @Test
  void laterRowsAreMovedOntoNodesTooAndForgottenAgain(@TempDir Path folder) throws IOException {
    Fit fit = given("matern32", 0.7).withEngine(Engine.KRYLOV);
    Dataset more = map(0.005, i -> i % 5 == 0);
    Model model = fit.to(map(0.005, i -> i % 5 > 0));
    Path file = folder.resolve("m.lvl");
    model.save(file);
    Model read = Model.load(file);
    assertEquals(grid(model), grid(read));
    Model all = read.with(more);
    assertEquals(165, all.count());
    assertTrue(statistics(all).onNodes());
    assertEquals(
        model.logMarginalLikelihood(),
        all.without(more).logMarginalLikelihood(),
        1e-6 * Math.abs(model.logMarginalLikelihood()));
    // a row between nodes stays there
    Model between = read.with(Dataset.of(new double[] {-2.9, 40.05}, 2, new double[] {1}));
    assertFalse(statistics(between).onNodes());
  }

  @Test
  void sumsOnTheirWayKeepTheGrid() throws IOException {
    Grid grid = Grid.of(new Axis(-3.4, 0.2, 19), new Axis(39.8, 0.1, 15)).snapping();
    Sums sums =
        Sums.of(Source.of(map(0.004, i -> true)), grid, TargetTransform.NONE, Outside.ERROR);
    var bytes = new ByteArrayOutputStream();
    sums.write(new DataOutputStream(bytes));
    Sums read = Sums.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertEquals(grid, read.statistics().grid());
    assertTrue(read.statistics().onNodes());
    assertEquals(330, read.plus(sums).statistics().count());
    assertFalse(
        Sums.of(
                Source.of(map(0.004, i -> true)),
                Grid.of(grid.axes()),
                TargetTransform.NONE,
                Outside.ERROR)
            .statistics()
            .onNodes());
  }

  /// Few rows and many are added up in different ways.
  @ParameterizedTest
  @ValueSource(ints = {10, 3000, 40_000})
  void rowsOnNodesAreSeenWhateverTheirNumber(int count) {
    SplittableRandom random = new SplittableRandom(count);
    for (int d = 1; d <= 3; d++) {
      Axis[] axes = new Axis[d];
      Arrays.fill(axes, new Axis(-1, 0.1, 12));
      double[] x = new double[count * d];
      for (int i = 0; i < x.length; i++)
        x[i] = -0.8 + 0.1 * random.nextInt(8) + 0.0009 * (2 * random.nextDouble() - 1);
      double[] y = random.doubles(count).toArray();
      Grid snapping = Grid.of(axes).snapping();
      assertTrue(GridStatistics.of(snapping, x, y).onNodes(), d + " columns");
      assertFalse(GridStatistics.of(Grid.of(axes), x, y).onNodes());
      x[d * (count / 2)] = -0.488; // one row is further off
      assertFalse(GridStatistics.of(snapping, x, y).onNodes(), d + " columns");
    }
  }

  /// A source that shows every tenth row at first, as a table with statistics of its own does.
  private record Glimpse(Dataset rows, AtomicInteger readings) implements Source {
    @Override
    public List<Column> columns() {
      return rows.columns();
    }

    @Override
    public Column target() {
      return rows.targetColumn();
    }

    @Override
    public void read(Sink sink) {
      readings.incrementAndGet();
      sink.accept(rows.size(), rows.inputs(), rows.target(), Optional.empty());
    }

    @Override
    public Optional<Overview> overview(int count, long seed) {
      Dataset some = rows.select(IntStream.range(0, rows.size() / 10).map(i -> 10 * i).toArray());
      int d = rows.dimensions();
      double[] low = new double[d];
      double[] high = new double[d];
      Arrays.fill(low, Double.POSITIVE_INFINITY);
      Arrays.fill(high, Double.NEGATIVE_INFINITY);
      for (int i = 0; i < rows.inputs().length; i++) {
        low[i % d] = Math.min(low[i % d], rows.inputs()[i]);
        high[i % d] = Math.max(high[i % d], rows.inputs()[i]);
      }
      return Optional.of(
          new Overview(low, high, some.inputs(), some.target(), Optional.empty(), rows.size()));
    }
  }

  @Test
  void someRowsDoNotTellTheStep() throws IOException {
    Dataset series = pixels(new int[] {400}, new double[] {5}, new double[] {0.25}, 0, i -> true);
    Model model =
        given("rbf", 2).withEngine(Engine.SPECTRAL).to(new Glimpse(series, new AtomicInteger()));
    assertEquals(0.25, grid(model).axis(0).step(), 1e-12);
    assertEquals(404, grid(model).axis(0).points());
    // without being asked only data that look like a grid are read once more, and for rough kernels
    Dataset plane = map(0, i -> true);
    SplittableRandom random = new SplittableRandom(2);
    Dataset scattered = Dataset.of(random.doubles(330).toArray(), 2, plane.target());
    assertEquals(1, valued("matern32", plane));
    assertEquals(0, valued("rbf", plane));
    assertEquals(0, valued("matern12 + rbf", scattered));
  }

  /// How often rows are read for a survey.
  private static int valued(String kernel, Dataset rows) throws IOException {
    Glimpse source = new Glimpse(rows, new AtomicInteger());
    Survey survey = FitData.of(Fit.DEFAULT.withKernel(kernel), source).survey();
    assertEquals(source.readings.get() > 0, survey.hasValues());
    return source.readings.get();
  }

  // ---- what has no grid ----

  @Test
  void dataWithoutAGridAreRefusedByTheFirstValueThatIsOff() {
    Dataset good = map(0, i -> true);
    double[] x = good.inputs().clone();
    x[2 * 40 + 1] += 0.0313;
    String said = refusal(given("matern32", 1), Dataset.of(x, 2, good.target()));
    assertTrue(said.startsWith("column 'x2' has no grid of its own: "), said);
    assertTrue(said.contains("(row 41) is not a whole number of steps of 0.1"), said);
    SplittableRandom random = new SplittableRandom(8);
    Dataset scattered = Dataset.of(random.doubles(330).toArray(), 2, good.target());
    assertTrue(refusal(given("rbf", 1), scattered).startsWith("column 'x1' has no grid"));
    Dataset one = Dataset.of(new double[] {3, 4}, 2, new double[] {1});
    assertTrue(refusal(given("rbf", 1), one).contains("its only value, 3.0, tells no step"));
  }

  @Test
  void aGridThatIsTooLargeIsRefusedWithItsSize() {
    SplittableRandom random = new SplittableRandom(8);
    double[] x = random.ints(20_000, 0, 10_000).mapToDouble(i -> i).toArray();
    double[] y = random.doubles(10_000).toArray();
    String said = refusal(given("rbf", 500), Dataset.of(x, 2, y));
    assertTrue(said.matches("the data's own grid has 100,0..,... points .*"), said);
    assertTrue(
        said.endsWith("a grid may have at most 33,554,431; give a number of grid points instead"),
        said);
    Dataset plane = map(0, i -> true);
    var small =
        assertThrows(
            Budget.MemoryLimitException.class,
            () ->
                Budget.of(Duration.ofHours(1), 50_000, System::nanoTime)
                    .call(() -> given("matern32", 1).withEngine(Engine.KRYLOV).to(plane)));
    assertTrue(message(small).startsWith("the data's own grid of 285 points needs"));
  }

  @Test
  void featuresHaveNoGridOfTheData() {
    Dataset rows = map(0, i -> true);
    String said = refusal(Fit.DEFAULT.withGrid(OWN).withShape(Options.Shape.PROJECTION), rows);
    assertTrue(said.contains("covers features; leave it out or use an additive"), said);
    LinearMap map = LinearMap.of(new double[] {1, 0, 0, 1}, new double[2]);
    var refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> Fit.DEFAULT.withGrid(OWN).to(Source.of(rows), map, List.of()));
    assertTrue(message(refused).endsWith("covers features; leave it out"));
  }

  // ---- by itself ----

  private static @Nullable ChosenLattice own(GridChoice grid, Dataset rows) throws IOException {
    FitData data = FitData.of(Fit.DEFAULT.withKernel("matern32").withGrid(grid), Source.of(rows));
    return new LatticeChoice(data.fit(), data.survey(), null).own();
  }

  @Test
  void aGoodGridIsOfferedWithoutBeingAskedFor() throws IOException {
    Dataset rows = map(1e-4, i -> i % 3 == 0);
    ChosenLattice chosen = own(GridChoice.DEFAULT, rows);
    assertNotNull(chosen);
    assertTrue(chosen.grid().snaps());
    assertTrue(chosen.explanation().startsWith("the data's own 15×11 grid, with a margin of two"));
    assertNotNull(own(GridChoice.DEFAULT.including(0, -3.4, 0), rows));
    assertNull(own(GridChoice.DEFAULT.including(0, -1e9, 0), rows));
    assertNull(own(GridChoice.DEFAULT.withPoints(20), rows));
    assertNull(own(GridChoice.DEFAULT, map(1e-4, i -> i % 5 == 0))); // four fifths are hidden
    SplittableRandom random = new SplittableRandom(8);
    double[] decimals = random.ints(4000, 0, 1000).mapToDouble(i -> i / 100.0).toArray();
    assertNull(own(GridChoice.DEFAULT, Dataset.of(decimals, 2, random.doubles(2000).toArray())));
  }

  @Test
  void theChoiceIsTextAndValue() {
    assertEquals(OWN, GridChoice.DEFAULT.withPoints(" Data "));
    assertEquals("the data's own nodes", OWN.toString());
    assertTrue(OWN.isOnData() && !OWN.isAutomatic() && !OWN.hasPoints());
    assertFalse(OWN.withPoints(30).isOnData());
    assertFalse(GridChoice.DEFAULT.withPoints(30).onData().hasPoints());
    assertTrue(OWN.keeping(3, 0, 2).withMemory(5).withNames(List.of("a", "b")).isOnData());
    double[] points = {0, 0, 1, 0.5, 3, 0, 0, 2};
    Grid grid = GridRule.of(OWN).choose(points, 2).grid();
    assertEquals(Grid.of(new Axis(-2, 1, 8), new Axis(-1, 0.5, 9)).snapping(), grid);
  }
}
