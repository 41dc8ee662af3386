package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.data.Place;
import lovelace.data.TargetTransform;
import lovelace.exact.ExactGp;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.lattice.LatticePosterior;
import lovelace.model.Provenance;
import lovelace.model.Provenance.Note;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.planning.GridRule;
import lovelace.posterior.Prediction;
import lovelace.source.Source;
import lovelace.statistics.GridStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FitTest {

  /// `y = exp(sin 3x) · noise` at n places of [0, 4].
  private static Dataset data(int n, double wiggle) {
    var random = new SplittableRandom(9);
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = 4 * random.nextDouble();
      y[i] = Math.exp(Math.sin(wiggle * x[i]) + 0.1 * random.nextGaussian());
    }
    return Dataset.of(x, 1, y);
  }

  private static Fit given() {
    return Fit.DEFAULT
        .withTraining(false)
        .withTransform(TargetTransform.LOG)
        .withTolerance(1e-4)
        .withGrid(GridChoice.DEFAULT.withPoints(400))
        .set("lengthscale", 0.7)
        .set("outputscale", 1)
        .set("noise", 0.01)
        .set("mean", 0.2);
  }

  @Test
  void answersInTheTablesUnitsAsTheExactProcessDoes() {
    Dataset data = data(150, 3);
    Model model = given().to(data);
    ExactGp exact = ExactGp.of(TargetTransform.LOG.apply(data), model.hyperparameters());
    double[] x = {0.1, 1.7, 3.9};
    Prediction mine = model.predict(x).withNoise(model.noise());
    Prediction theirs = exact.predict(x).withNoise(0.01).undo(TargetTransform.LOG);
    for (int i = 0; i < x.length; i++) {
      assertEquals(theirs.mean(i), mine.mean(i), 1e-4 * theirs.mean(i));
      assertEquals(theirs.variance(i), mine.variance(i), 1e-3 * theirs.variance(i));
      assertEquals(theirs.lower(i, 0.9), mine.lower(i, 0.9), 1e-4 * theirs.mean(i));
    }
    double likelihood =
        exact.logMarginalLikelihood() + TargetTransform.LOG.logJacobian(data.target());
    assertEquals(likelihood, model.logMarginalLikelihood(), 1e-3);
    assertTrue(Arrays.stream(model.sample(x, 3, new SplittableRandom(1))).allMatch(v -> v > 0));
  }

  private static final Consumer<Plan> LISTENER = Objects::requireNonNull;

  /// A fit for every option, all else as in [Fit#DEFAULT].
  private static List<Fit> each() {
    Options.Learning learning = Fit.DEFAULT.learning();
    return List.of(
        Fit.DEFAULT.withKernel("matern52"),
        Fit.DEFAULT.withKernel(Fit.DEFAULT.kernel()),
        Fit.DEFAULT.withMean("zero"),
        Fit.DEFAULT.withDrift(List.of("elevation")),
        Fit.DEFAULT.withDrift(List.of(), List.of("x")),
        Fit.DEFAULT.withLikelihood("poisson"),
        Fit.DEFAULT.withIntensity(true),
        Fit.DEFAULT.withShape(Options.Shape.ADDITIVE),
        Fit.DEFAULT.withTransform(TargetTransform.LOG),
        Fit.DEFAULT.withTransform(TargetTransform.NONE),
        Fit.DEFAULT.withColumnMaps(false),
        Fit.DEFAULT.withPlace(Place.lonLat("lon", "lat")),
        Fit.DEFAULT.withAnisotropy(),
        Fit.DEFAULT.withNeighbours(20),
        Fit.DEFAULT.withGrid(GridChoice.DEFAULT.withPoints(50)),
        Fit.DEFAULT.withOutside(Outside.SKIP),
        Fit.DEFAULT.withEngine(Engine.EXACT),
        Fit.DEFAULT.withTolerance(0.1),
        Fit.DEFAULT.withTraining(false),
        Fit.DEFAULT.withLearning(
            new Options.Learning(learning.optimizer(), 3, 1, learning.progress())),
        Fit.DEFAULT.set("noise", 0.1),
        Fit.DEFAULT.withMaker("1", "test"),
        Fit.DEFAULT.withMemory(1L << 30),
        Fit.DEFAULT.withListener(LISTENER));
  }

  @Test
  void choicesOfAGridAreValues() {
    GridChoice any = GridChoice.DEFAULT;
    List<GridChoice> all =
        List.of(
            any,
            any.withPoints(50),
            any.including(0, 1, 2),
            any.bounded(0, 1, 2),
            any.withLengthscales(0.5),
            any.withCellsPerLengthscale(9),
            any.withMemory(1 << 20));
    assertEquals(all.size(), new HashSet<>(all).size());
    assertEquals(any.bounded(0, 1, 2), any.bounded(0, 3, 4).bounded(0, 1, 2));
  }

  @Test
  void callersDependOnNoListOfAllOptions() {
    assertTrue(!Fit.class.isRecord(), "a record's constructor changes with every option");
    assertEquals(0, Fit.class.getConstructors().length);
  }

  @Test
  void aFitIsAValueInEveryOption() throws ReflectiveOperationException {
    Class<?> options = Class.forName("lovelace.options.internal.Settings");
    assertEquals(options.getDeclaredFields().length, each().size(), "each() has every option");
    assertEquals(each(), each());
    assertEquals(each().hashCode(), each().hashCode());
    List<Fit> all = new ArrayList<>(each());
    all.add(Fit.DEFAULT);
    assertEquals(all.size(), new HashSet<>(all).size(), "every option tells fits apart");
    assertEquals(Fit.DEFAULT, Fit.DEFAULT.withTolerance(0.1).withTolerance(0.01));
    assertThrows(IllegalArgumentException.class, () -> Fit.DEFAULT.withTolerance(Double.NaN));
  }

  @Test
  void learnsFromDataAlone() {
    Dataset data = data(200, 3);
    Model model = Fit.DEFAULT.withTransform(TargetTransform.LOG).to(data);
    double likelihood = model.logMarginalLikelihood();
    assertTrue(likelihood > given().to(data).logMarginalLikelihood(), () -> "" + likelihood);
    assertEquals(0.01, model.noise(), 0.005);
    assertEquals(Math.exp(Math.sin(3)), model.predict(1).quantile(0, 0.5), 0.1);
    assertEquals(model.hyperparameters().size(), model.provenance().standardErrors().size());
    List<Provenance.Step> trace = model.provenance().trace();
    assertTrue(trace.getFirst().objective() > trace.getLast().objective());
    assertEquals(0, trace.getFirst().iteration());
    assertTrue(trace.getLast().gradientNorm() < trace.getFirst().gradientNorm());
    assertArrayEquals(
        model.hyperparameters().values(),
        trace.getLast().parameters().stream().mapToDouble(Double::doubleValue).toArray(),
        1e-12);
  }

  @Test
  void aGridFollowsTheHighestFrequencyOfASpectralMixture() {
    Dataset data = data(60, 3);
    Fit fit =
        Fit.DEFAULT
            .withTraining(false)
            .withEngine(Engine.KRYLOV)
            .set("weight", 1, 0.1)
            .set("bandwidth", 0.02, 0.02)
            .set("noise", 0.01)
            .set("mean", 0);
    int slow = points(fit.withKernel("sm(2)").set("frequency", 0.1, 0.5).to(data));
    int fast = points(fit.withKernel("sm(2)").set("frequency", 0.1, 5).to(data));
    assertTrue(slow < 200 && fast > 5 * slow, slow + " and " + fast + " points");
  }

  private static Grid grid(Model model) {
    return ((GridStatistics) ((LatticePosterior) model.posterior()).statistics()).grid();
  }

  private static int points(Model model) {
    return grid(model).size();
  }

  private static double lengthscale(Model model) {
    return model.hyperparameters().parameter("lengthscale").values()[0];
  }

  /// A draw of a process of a lengthscale, at n places of [0, 4], with noise of deviation 0.1.
  private static Dataset rough(int n, double lengthscale) {
    var random = new SplittableRandom(5);
    double[] x = new double[n];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = 4 * random.nextDouble();
      y[i] = 0.1 * random.nextGaussian();
    }
    for (int wave = 0; wave < 200; wave++) {
      double frequency = random.nextGaussian() / lengthscale;
      double phase = 2 * Math.PI * random.nextDouble();
      for (int i = 0; i < n; i++) y[i] += 0.1 * Math.cos(frequency * x[i] + phase);
    }
    return Dataset.of(x, 1, y);
  }

  @Test
  void readsAgainOnAFinerGridWhenTheLengthscaleIsShort() {
    Dataset data = rough(400, 0.15);
    GridChoice free = GridChoice.DEFAULT.including(0, 0, 4);
    Fit fit = Fit.DEFAULT.withGrid(free).withTolerance(0.1).set("lengthscale", 1);
    int first = GridRule.of(free.withLengthscales(1)).choose(data.inputs(), 1).grid().size();
    Model model = fit.to(data);
    double learned = lengthscale(model);
    Axis axis = grid(model).axis(0);
    assertTrue(points(model) > 3 * first, () -> first + " then " + points(model) + " points");
    assertTrue(learned > 5 * axis.step(), () -> "lengthscale " + learned + " on " + axis);
    // what is learned again is what a grid that was fine from the start gives; the first is not
    Model fine = fit.withGrid(GridChoice.DEFAULT.withPoints(400)).to(data);
    Model coarse = fit.withGrid(GridChoice.DEFAULT.withPoints(first)).to(data);
    assertEquals(lengthscale(fine), learned, 0.01 * lengthscale(fine));
    assertEquals(fine.logMarginalLikelihood(), model.logMarginalLikelihood(), 0.1);
    double off = Math.abs(fine.logMarginalLikelihood() - coarse.logMarginalLikelihood());
    assertTrue(off > 1, () -> "the coarse grid's likelihood is off by " + off + " only");
  }

  @Test
  void advisesMorePointsWhereThoseGivenAreTooFew() {
    Fit fit = given().set("lengthscale", 0.01);
    Model coarse = fit.withGrid(GridChoice.DEFAULT.withPoints(100)).to(data(400, 40));
    assertTrue(
        coarse.provenance().notes().stream().anyMatch(n -> n.kind() == Note.Kind.ADVICE),
        () -> coarse.provenance().notes().toString());
  }

  @Test
  void notesOnAGridAreOfTheLengthscaleLearned() {
    Fit fit = Fit.DEFAULT.withKernel("rbf").withGrid(GridChoice.DEFAULT.withPoints(60));
    for (Fit each : List.of(fit, fit.set("lengthscale", 9))) {
      Model model = each.to(data(200, 3));
      var lattice = model.lattice().orElseThrow().statistics().lattice();
      double cells = lengthscale(model) / ((Grid) lattice).axis(0).step();
      String wanted = String.format(Locale.ROOT, "(%.1f cells per lengthscale)", cells);
      assertTrue(
          model.provenance().notes().stream()
              .anyMatch(n -> n.kind() == Note.Kind.GRID && n.text().contains(wanted)),
          () -> wanted + ": " + model.provenance().notes());
    }
  }

  @Test
  void adviceNamesTheColumn() {
    Dataset rows = data(400, 40);
    Dataset named =
        Dataset.of(rows.inputs(), List.of(Column.of("depth")), rows.target(), Column.of("y"));
    Model coarse =
        given().set("lengthscale", 0.01).withGrid(GridChoice.DEFAULT.withPoints(100)).to(named);
    String advice =
        coarse.provenance().notes().stream()
            .filter(n -> n.kind() == Note.Kind.ADVICE)
            .map(Note::text)
            .collect(Collectors.joining());
    assertTrue(advice.startsWith("the lengthscale of depth, 0.01, is only"), advice);
  }

  /// A source that hands out rows in blocks of 7.
  private static Source blocks(Dataset data, List<Integer> order) {
    return new Source() {
      @Override
      public List<Column> columns() {
        return data.columns();
      }

      @Override
      public Column target() {
        return data.targetColumn();
      }

      @Override
      public void read(Sink sink) {
        for (int from = 0; from < order.size(); from += 7) {
          int count = Math.min(7, order.size() - from);
          double[] x = new double[7];
          double[] y = new double[7];
          for (int i = 0; i < count; i++) {
            x[i] = data.inputs()[order.get(from + i)];
            y[i] = data.target()[order.get(from + i)];
          }
          sink.accept(count, x, y, Optional.empty());
        }
      }
    };
  }

  @Test
  void rowsInBlocksGiveTheBitsOfRowsAtOnceAndAnyOrderTheFingerprint() throws IOException {
    Dataset data = data(150, 3);
    List<Integer> order = new java.util.ArrayList<>();
    for (int i = 0; i < 150; i++) order.add(i);
    Model whole = given().to(data);
    Model blocks = given().to(blocks(data, order));
    double[] x = {0.3, 2.2, 7};
    assertArrayEquals(whole.predict(x).means(), blocks.predict(x).means());
    assertArrayEquals(whole.predict(x).variances(), blocks.predict(x).variances());
    Model reversed = given().to(blocks(data, order.reversed()));
    assertEquals(whole.provenance().fingerprint(), reversed.provenance().fingerprint());
    order.removeLast();
    assertTrue(
        given().to(blocks(data, order)).provenance().fingerprint()
            != whole.provenance().fingerprint());
  }

  @Test
  void rowsOutsideBoundsAreAnErrorOrCounted() {
    Dataset data = data(50, 3);
    Fit fit = given().withGrid(GridChoice.DEFAULT.withPoints(60).bounded(0, 0.5, 4.5));
    var e = assertThrows(IllegalArgumentException.class, () -> fit.to(data));
    assertTrue(String.valueOf(e.getMessage()).contains("column 'x1'"), e.getMessage());
    Model skipped = fit.withOutside(Outside.SKIP).to(data);
    long inside = Arrays.stream(data.inputs()).filter(x -> x >= 0.5).count();
    assertEquals(inside, skipped.count());
    double[] z =
        java.util.stream.IntStream.range(0, 50)
            .filter(i -> data.inputs()[i] >= 0.5)
            .mapToDouble(i -> data.target()[i])
            .toArray();
    Dataset kept = Dataset.of(Arrays.stream(data.inputs()).filter(x -> x >= 0.5).toArray(), 1, z);
    assertEquals(fit.to(kept).logMarginalLikelihood(), skipped.logMarginalLikelihood(), 1e-9);
  }

  @Test
  void constantTargetsAndMissingValuesOfParametersAreRefused() {
    double[] x = {0, 1, 2};
    Dataset flat = Dataset.of(x, 1, new double[] {2, 2, 2});
    for (Engine engine : List.of(Engine.AUTO, Engine.EXACT)) {
      var e =
          assertThrows(
              IllegalArgumentException.class, () -> Fit.DEFAULT.withEngine(engine).to(flat));
      assertTrue(String.valueOf(e.getMessage()).contains("is constant"), e.getMessage());
    }
    var unset =
        assertThrows(
            IllegalArgumentException.class, () -> Fit.DEFAULT.withTraining(false).to(data(9, 3)));
    assertTrue(
        String.valueOf(unset.getMessage())
            .contains("not set: outputscale, rbf.lengthscale, noise, mean"),
        unset.getMessage());
  }

  @Test
  void whatLearningSaidComesBackFromAFile(@TempDir Path folder) throws IOException {
    Model model = Fit.DEFAULT.withGrid(GridChoice.DEFAULT.withPoints(60)).to(data(100, 3));
    Path file = folder.resolve("m.lvl");
    model.save(file);
    Model read = Model.load(file);
    assertTrue(model.provenance().trace().size() > 1);
    assertEquals(model.provenance().trace(), read.provenance().trace());
    assertEquals(model.provenance().standardErrors(), read.provenance().standardErrors());
  }
}
