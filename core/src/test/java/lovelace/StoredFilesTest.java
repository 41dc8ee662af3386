package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lovelace.data.Dataset;
import lovelace.likelihood.Likelihood;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Files of every layout, written once, are read and predict what they did.
///
/// `stored/expected.tsv` has a line for each file: name, points, means, variances, covariances of
/// the first points, likelihood and rows. Files of a new layout are added with
/// `-Dlovelace.stored=write`, which keeps those that are there.
class StoredFilesTest {

  private static final Path FOLDER = Path.of("src/test/resources/lovelace/stored");
  private static final Path EXPECTED = FOLDER.resolve("expected.tsv");
  private static final long LARGEST = 30_000;
  private static final int POINTS = 5;
  private static final int FEW = 6;
  private static final int COVARIANCES = 3;

  /// The relative difference between libraries for dense algebra.
  private static final double ROUNDING = 1e-8;

  /// The small models that have a file. Each has a section or a line that no other has, or is the
  /// only one of its engine with them.
  private static final List<String> STORED =
      List.of(
          "spectral/plain",
          "spectral/weights",
          "markov/plain",
          "sparse/plain",
          "dense/plain",
          "markov/nodes",
          "sparse-line/nodes",
          "krylov/additive",
          "spectral/additive-poisson",
          "exact/plain",
          "exact/weights",
          "exact/mean-linear",
          "exact/kernel-product",
          "exact/log",
          "exact/ranks",
          "exact/dates",
          "exact/constant-column",
          "exact/words",
          "exact/wide-words",
          "chain/plain",
          "sites/plain",
          "neighbours/plain",
          "exact/gaussian(noise=known)",
          "exact/gaussian(noise=varying)",
          "exact/student-t",
          "chain/poisson",
          "sites/bernoulli",
          "neighbours/poisson",
          "markov/poisson",
          "markov/poisson-nodes",
          "markov/gaussian(noise=varying)-nodes",
          "markov/intensity",
          "markov/drift",
          "markov/drift-log",
          "exact/drift-two",
          "chain/drift",
          "sites/drift-none",
          "neighbours/drift-linear",
          "sparse/map",
          "exact/map",
          "exact/map-columns",
          "sparse/map-poisson",
          "exact/geographic",
          "exact/projected",
          "exact/turned",
          "exact/geographic-drift",
          "sparse/geographic-turned",
          "sparse/geographic-drift");

  /// Models that have learned, so that they hold a trace and standard errors.
  private static final List<String> TRAINED = List.of("exact/plain", "markov/plain");

  /// The predictions of a model at some points.
  private record Line(
      String name,
      List<Double> points,
      List<Double> means,
      List<Double> variances,
      List<Double> covariances,
      double likelihood,
      long rows) {

    static Line of(String name, Model model, double[] points) {
      double[] first = SmallCase.few(points, model.columns().size(), COVARIANCES);
      return new Line(
          name,
          boxed(points),
          boxed(model.predict(points).means()),
          boxed(model.predict(points).variances()),
          boxed(model.posterior().covariance(first, first)),
          model.logMarginalLikelihood(),
          model.count());
    }

    static Line parse(String line) {
      String[] fields = line.split("\t", -1);
      return new Line(
          fields[0],
          numbers(fields[1]),
          numbers(fields[2]),
          numbers(fields[3]),
          numbers(fields[4]),
          Double.parseDouble(fields[5]),
          Long.parseLong(fields[6]));
    }

    private static List<Double> boxed(double[] numbers) {
      return Arrays.stream(numbers).boxed().toList();
    }

    private static List<Double> numbers(String text) {
      return Arrays.stream(text.split(" ", -1)).map(Double::valueOf).toList();
    }

    private static String text(List<Double> numbers) {
      return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    @Override
    public String toString() {
      return String.join(
          "\t",
          name,
          text(points),
          text(means),
          text(variances),
          text(covariances),
          Double.toString(likelihood),
          Long.toString(rows));
    }
  }

  private static double[] array(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static List<Line> expected() throws IOException {
    return Files.readAllLines(EXPECTED).stream().map(Line::parse).toList();
  }

  @TestFactory
  Stream<DynamicTest> storedFilesPredictWhatTheyDid() throws IOException {
    return expected().stream()
        .map(line -> DynamicTest.dynamicTest(line.name(), () -> assertAlike(line)));
  }

  private static void assertAlike(Line line) throws IOException {
    Line found =
        Line.of(line.name(), Model.load(FOLDER.resolve(line.name())), array(line.points()));
    assertClose(line.means(), found.means());
    assertClose(line.variances(), found.variances());
    assertClose(line.covariances(), found.covariances());
    assertEquals(line.rows(), found.rows());
    double slack = ROUNDING * (1 + Math.abs(line.likelihood()));
    assertEquals(line.likelihood(), found.likelihood(), slack);
  }

  private static void assertClose(List<Double> expected, List<Double> found) {
    double largest = expected.stream().mapToDouble(Math::abs).max().orElse(0);
    assertArrayEquals(array(expected), array(found), ROUNDING * (1e-3 + largest));
  }

  @Test
  void whatIsLoadedAndSavedHasTheSameBytes(@TempDir Path folder) throws IOException {
    List<String> others = new ArrayList<>();
    Path again = folder.resolve("again.lvl");
    for (Line line : expected()) {
      Path file = FOLDER.resolve(line.name());
      boolean cache = !line.name().contains("no-cache");
      Model.load(file).save(again, cache);
      byte[] expected = Files.readAllBytes(file);
      if (!cache) {
        // The tables are built anew, and their last bits are those of the machine's processor.
        expected = Files.readAllBytes(again);
        Model.load(again).save(again, false);
      }
      if (!Arrays.equals(expected, Files.readAllBytes(again))) others.add(line.name());
    }
    assertEquals(List.of(), others);
  }

  /// Files from before an engine on rows had a name of its own.
  @Test
  void filesOfChainsAndSitesHaveTheirOwnEngine() throws IOException {
    for (Line line : expected()) {
      Model model = Model.load(FOLDER.resolve(line.name()));
      Engine chosen = model.plan().chosen();
      if (line.name().startsWith("chain-")) assertEquals(Engine.CHAIN, chosen);
      if (line.name().startsWith("sites-")) assertEquals(Engine.SITES, chosen);
      assertEquals(chosen.holdsRows(), model.held().isPresent(), line.name());
      model.held().ifPresent(rows -> assertEquals(chosen, rows.engine(), line.name()));
    }
  }

  @Test
  void everyFileIsExpectedAndSmall() throws IOException {
    List<String> names = expected().stream().map(Line::name).sorted().toList();
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Path> models = files.filter(file -> !file.equals(EXPECTED)).sorted().toList();
      assertEquals(names, models.stream().map(file -> file.getFileName().toString()).toList());
      for (Path model : models) assertTrue(Files.size(model) <= LARGEST, model::toString);
    }
  }

  /// Writes the files that are missing, if that is asked for.
  @BeforeAll
  static void write() throws IOException {
    if (!"write".equals(System.getProperty("lovelace.stored"))) return;
    Files.createDirectories(FOLDER);
    List<String> lines =
        Files.exists(EXPECTED) ? new ArrayList<>(Files.readAllLines(EXPECTED)) : new ArrayList<>();
    Predicate<String> known = name -> lines.stream().anyMatch(line -> line.startsWith(name + "\t"));
    List<SmallCase> cases = new ArrayList<>(SmallCases.all());
    cases.add(kriged());
    for (SmallCase usual : cases) {
      SmallCase one = coarse(usual);
      String name = one.name().replaceAll("[^a-z0-9]+", "-").replaceAll("-$", "");
      if (STORED.contains(one.name()) && !known.test(name + ".lvl"))
        lines.add(stored(name + ".lvl", one, one.model(), true));
      if (one.name().equals("dense/plain") && !known.test(name + "-no-cache.lvl"))
        lines.add(stored(name + "-no-cache.lvl", one, one.model(), false));
      if (TRAINED.contains(one.name()) && !known.test(name + "-trained.lvl"))
        lines.add(stored(name + "-trained.lvl", one, one.model(one.free(), one.first()), true));
    }
    Files.write(EXPECTED, lines.stream().sorted().toList());
  }

  /// Rows on the nodes of a line, between which a model is kriged.
  private static SmallCase kriged() {
    double[] x = SmallTables.nodes(20, 1, 1);
    Dataset rows = SmallTables.rows(Likelihood.gaussian(), x, SmallTables.columns(1), 2);
    Fit fit =
        Fit.DEFAULT
            .withEngine(Engine.SPARSE)
            .withGrid(GridChoice.DEFAULT.onData())
            .withKernel("1.3*matern12(lengthscale=0.6)")
            .withTraining(false)
            .set("noise", 0.07)
            .set("mean", 0.2);
    return SmallCase.of("sparse-line/nodes", fit, fit, rows);
  }

  /// The same on fewer points, if it is on a plane or a sum.
  private static SmallCase coarse(SmallCase one) {
    if (!one.fit().grid().hasPoints() || one.name().startsWith("markov")) return one;
    Fit fit = one.fit().withGrid(one.fit().grid().withPoints(FEW));
    return new SmallCase(one.name(), fit, one.free(), one.rows(), one.map());
  }

  private static String stored(String name, SmallCase one, Model model, boolean cache)
      throws IOException {
    long length = model.save(FOLDER.resolve(name), cache);
    if (length > LARGEST)
      throw new IllegalStateException(
          String.format(Locale.ROOT, "%s has %,d bytes; store a smaller one", name, length));
    double[] points = SmallCase.few(one.points(model), model.columns().size(), POINTS);
    return Line.of(name, model, points).toString();
  }
}
