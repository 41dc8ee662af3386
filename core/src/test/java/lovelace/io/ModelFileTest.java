package lovelace.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import lovelace.Fit;
import lovelace.Model;
import lovelace.data.Airline;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.LinearMap;
import lovelace.data.TargetTransform;
import lovelace.data.TimeScale;
import lovelace.data.Trust;
import lovelace.dense.DenseEngine;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Parameter.Prior;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.MappedPosterior;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Certificate;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.sites.SiteGp;
import lovelace.source.Source;
import lovelace.statistics.AdditiveStatistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelFileTest {

  @TempDir private Path folder;

  private static Model model(int d, int points, Engine engine) {
    var random = new SplittableRandom(d);
    int n = 120;
    double[] x = new double[n * d];
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < d; j++) x[i * d + j] = random.nextDouble();
      y[i] = Math.sin(5 * x[i * d]) + 0.1 * random.nextGaussian();
    }
    return fit(points).withEngine(engine).to(Dataset.of(x, d, y));
  }

  private static Model model(int d, int points) {
    return model(d, points, Engine.KRYLOV);
  }

  private static Fit fit(int points) {
    return Fit.DEFAULT
        .withTraining(false)
        .withGrid(GridChoice.DEFAULT.withPoints(points))
        .withKernel("matern52")
        .set("lengthscale", 0.4)
        .set("outputscale", 1.3)
        .set("noise", 0.01)
        .set("mean", 0.1)
        .withMaker("0.1", "fit 'a\tb\nc\\d' jdbc:postgresql://me:pw@host/db?password=xyz");
  }

  /// Points inside and beyond the unit cube.
  private static double[] places(int d, int count) {
    var random = new SplittableRandom(7);
    double[] x = new double[count * d];
    for (int i = 0; i < x.length; i++) x[i] = -1 + 3 * random.nextDouble();
    for (int i = 0; i < x.length / 2; i++) x[i] = random.nextDouble();
    return x;
  }

  private static void assertSameBits(Model a, Model b, boolean covariance) {
    int d = a.columns().size();
    double[] x = places(d, 40);
    Prediction p = a.predict(x);
    Prediction q = b.predict(x);
    assertArrayEquals(p.means(), q.means());
    assertArrayEquals(p.variances(), q.variances());
    for (int i = 0; i < p.size(); i++) {
      assertEquals(p.outside(i), q.outside(i));
      assertEquals(p.upper(i, 0.9), q.upper(i, 0.9));
    }
    if (covariance)
      assertArrayEquals(a.posterior().covariance(x, x), b.posterior().covariance(x, x));
    assertArrayEquals(
        a.sample(x, 2, new SplittableRandom(1)), b.sample(x, 2, new SplittableRandom(1)));
    assertEquals(a.logMarginalLikelihood(), b.logMarginalLikelihood());
    assertEquals(a.hyperparameters(), b.hyperparameters());
    assertEquals(a.plan(), b.plan());
    assertEquals(a.provenance(), b.provenance());
    assertEquals(a.columns(), b.columns());
    assertEquals(a.certificate(), b.certificate());
    assertEquals(a.count(), b.count());
  }

  @Test
  void threadsSavingOnePathEachLeaveAWholeFile() throws Exception {
    Model model = model(2, 12);
    Path file = folder.resolve("m.lvl");
    int threads = 8;
    var start = new CountDownLatch(1);
    List<Future<Boolean>> saves = new ArrayList<>();
    try (var pool = Executors.newFixedThreadPool(threads)) {
      for (int t = 0; t < threads; t++)
        saves.add(
            pool.submit(
                () -> {
                  start.await();
                  for (int i = 0; i < 5; i++) {
                    model.save(file);
                    Model.load(file); // whole at every moment
                  }
                  return true;
                }));
      start.countDown();
      for (Future<Boolean> save : saves) assertTrue(save.get());
    }
    assertSameBits(model, Model.load(file), true);
    try (var files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void predictsToTheBitAfterARoundTrip(int d) throws IOException {
    Model model = model(d, d == 4 ? 6 : 12);
    for (boolean covariance : new boolean[] {true, false}) {
      Path file = folder.resolve("m" + covariance);
      long length = model.save(file, covariance);
      assertEquals(Files.size(file), length);
      Model loaded = Model.load(file);
      assertSameBits(model, loaded, covariance);
      Path again = folder.resolve("again");
      loaded.save(again, covariance);
      assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(again));
    }
    assertTrue(Files.size(folder.resolve("mfalse")) < Files.size(folder.resolve("mtrue")));
  }

  @Test
  void enginesWithoutACacheRebuildToTheBit() throws IOException {
    for (Engine engine : List.of(Engine.MARKOV, Engine.SPECTRAL)) {
      Model model = model(1, 40, engine);
      Path file = folder.resolve(engine.toString());
      model.save(file);
      assertSameBits(model, Model.load(file), true);
    }
    LatticePosterior love = (LatticePosterior) model(2, 12).posterior();
    Certificate known = love.certificate();
    // as files of the dense engine say
    LatticePosterior dense =
        LatticePosterior.assemble(
            love.statistics(),
            love.hyperparameters(),
            love.latticeMean(),
            love.dual(),
            love.table(),
            null,
            love.floor(),
            new Certificate(
                Engine.DENSE,
                "dense, rank 40",
                0.01,
                known.bound(),
                known.solving(),
                known.interpolation()),
            system ->
                new DenseEngine(system.statistics())
                    .posterior(system.hyperparameters(), 0.01)
                    .covariance());
    ModelState contents =
        new ModelState(
            List.of(Column.of("a"), Column.of("b")),
            List.of(),
            Column.of("y"),
            TargetTransform.NONE,
            0,
            -1,
            dense,
            new Plan(Engine.AUTO, Engine.KRYLOV, "", "", 0.01, 1, Double.NaN, 0),
            model(1, 12).provenance());
    Path file = folder.resolve("dense");
    ModelFile.write(file, contents, true);
    double[] x = places(2, 20);
    Posterior loaded = ModelFile.read(file, Trust.DATA).posterior();
    assertArrayEquals(dense.predict(x).variances(), loaded.predict(x).variances());
    assertArrayEquals(dense.covariance(x, x), loaded.covariance(x, x));
  }

  @Test
  void exactModelKeepsItsRowsAndPredictsToTheBit() throws IOException {
    Dataset data = Airline.dataset();
    Model model =
        fit(20)
            .withEngine(Engine.EXACT)
            .withTransform(TargetTransform.LOG)
            .withMean("linear")
            .set("slope", 0.1)
            .to(data);
    Path file = folder.resolve("exact");
    model.save(file);
    Model loaded = Model.load(file);
    double[] x = {1949.5, 1970};
    assertArrayEquals(model.predict(x).means(), loaded.predict(x).means());
    assertArrayEquals(model.predict(x).variances(), loaded.predict(x).variances());
    assertEquals(model.logMarginalLikelihood(), loaded.logMarginalLikelihood());
    assertEquals(data.columns(), loaded.columns()); // the time scale too
    assertEquals(TargetTransform.LOG, loaded.transform());
    assertEquals(144, loaded.count());
  }

  @Test
  void boundsPriorsAndFixedParametersComeBack() throws IOException {
    Model model = model(1, 30);
    LatticePosterior own = assertInstanceOf(LatticePosterior.class, model.posterior());
    var h =
        own.hyperparameters()
            .fix("noise")
            .withBounds("lengthscale", 0.01, 4)
            .withPrior("outputscale", Prior.gamma(2, 0.1 + 0.2))
            .withPrior("mean", Prior.normal(0, 3));
    LatticePosterior changed =
        LatticePosterior.assemble(
            own.statistics(),
            h,
            own.latticeMean(),
            own.dual(),
            own.table(),
            null,
            own.floor(),
            own.certificate(),
            system -> own.covariance());
    var contents =
        new ModelState(
            List.of(Column.of("ü\t\\n")),
            List.of(),
            Column.of("y", "m³"),
            TargetTransform.NONE,
            0,
            Double.NaN,
            changed,
            model.plan(),
            model.provenance());
    Path file = folder.resolve("p");
    ModelFile.write(file, contents, true);
    ModelState read = ModelFile.read(file, Trust.DATA);
    LatticePosterior back = assertInstanceOf(LatticePosterior.class, read.posterior());
    assertEquals(h, back.hyperparameters());
    assertEquals(contents.inputs(), read.inputs());
    assertEquals("m³", read.target().unit());
  }

  /// Files that were written once and are kept beside this test, and what they said then. Another
  /// machine rounds otherwise.
  @ParameterizedTest
  @CsvSource({
    "grid.lvl, KRYLOV, 2.682835620721772, 0.007781080350289048, 10.875695982722402",
    "exact.lvl, EXACT, 2.7154958350834586, 0.017488955050654315, 15.146707967670235",
  })
  void aStoredFileSaysWhatItSaid(
      String name, Engine engine, double mean, double variance, double likelihood)
      throws IOException, URISyntaxException {
    var stored = Objects.requireNonNull(ModelFileTest.class.getResource(name));
    Model model = Model.load(Path.of(stored.toURI()));
    Prediction p = model.predict(0.25);
    assertEquals(mean, p.mean(0), 1e-9);
    assertEquals(variance, p.variance(0), 1e-9);
    assertEquals(likelihood, model.logMarginalLikelihood(), 1e-9);
    assertEquals(TargetTransform.LOG, model.transform());
    assertEquals(engine, model.plan().asked());
    assertEquals(0.01, model.plan().tolerance());
    assertEquals(1, model.plan().seed());
    assertEquals(30, model.count());
    assertEquals("fit rows.csv", model.provenance().command());
    assertEquals(31, model.with(Dataset.of(new double[] {0.5}, 1, new double[] {1})).count());
  }

  /// Files of earlier versions have one scale for a whole sum, which `bind` would not give it.
  @Test
  void aSumWithOneScaleKeepsIt() throws IOException {
    Dataset data = Airline.dataset().rows(0, 24);
    Kernel kernel =
        Kernel.parse("2.0*(rbf(lengthscale=0.5) + periodic(lengthscale=0.7, period=1.0))")
            .attach(1);
    ExactGp gp = ExactGp.of(data, Hyperparameters.of(kernel, 3, PriorMean.constant(200)));
    Path file = folder.resolve("old");
    var contents =
        new ModelState(
            data.columns(),
            List.of(),
            data.targetColumn(),
            TargetTransform.NONE,
            0,
            gp.logMarginalLikelihood(),
            gp,
            new Plan(Engine.AUTO, Engine.KRYLOV, "", "", 0.01, 1, Double.NaN, 0),
            model(1, 30).provenance());
    ModelFile.write(file, contents, true);
    Model loaded = Model.load(file);
    assertEquals(gp.hyperparameters(), loaded.hyperparameters());
    double[] x = {1949.5, 1952};
    assertArrayEquals(gp.predict(x).means(), loaded.posterior().predict(x).means());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.05, 1e-12})
  void sitesComeBackWithTheirGridAndNeighbours(double noise) throws IOException {
    double[] x = places(2, 60);
    Dataset data =
        Dataset.of(x, 2, new SplittableRandom(4).doubles(60).toArray())
            .named(List.of(Column.of("a"), Column.of("b")), Column.of("y"));
    Kernel kernel = Kernel.parse("2*matern32(lengthscale=[0.5,0.8])").bind(2);
    Hyperparameters h = Hyperparameters.of(kernel, noise, PriorMean.constant(0.3));
    SiteGp gp = SiteGp.of(data, SiteGp.grid(data, h), h, 17);
    Path file = folder.resolve("sites");
    var contents =
        new ModelState(
            data.columns(),
            List.of(),
            data.targetColumn(),
            TargetTransform.NONE,
            0,
            gp.logMarginalLikelihood(),
            gp,
            new Plan(Engine.AUTO, Engine.EXACT, "", "", 0.01, 1, Double.NaN, 0),
            model(1, 30).provenance());
    ModelFile.write(file, contents, true);
    SiteGp read = (SiteGp) ModelFile.read(file, Trust.DATA).posterior();
    assertEquals(gp.grid(), read.grid());
    assertEquals(17, read.neighbours());
    assertEquals(gp.logMarginalLikelihood(), read.logMarginalLikelihood());
    double[] at = places(2, 20);
    for (int i = 0; i < at.length; i++) at[i] *= 1.3; // some beyond the grid
    assertArrayEquals(gp.predict(at).means(), read.predict(at).means());
    assertArrayEquals(gp.predict(at).variances(), read.predict(at).variances());
  }

  @Test
  void holdsNoTrainingRowsAndNoSecrets() throws IOException {
    Model model = model(2, 10);
    Path file = folder.resolve("m");
    model.save(file);
    String all = Files.readString(file, StandardCharsets.ISO_8859_1);
    assertFalse(all.contains("xyz") || all.contains(":pw@"));
    assertTrue(all.contains("jdbc:postgresql://me:***@host/db?password=***"));
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    double first = new SplittableRandom(2).nextDouble(); // the first input of the first row
    for (int i = 0; i + 8 <= bytes.capacity(); i += 8) assertFalse(bytes.getDouble(i) == first);
  }

  @Test
  void failedWriteLeavesTheOldFileAlone() throws IOException {
    Model model = model(1, 10);
    Path file = folder.resolve("m");
    Files.writeString(file, "precious");
    Path missing = folder.resolve("no/such/m");
    assertThrows(IOException.class, () -> model.save(missing));
    assertEquals("precious", Files.readString(file));
    try (var list = Files.list(folder)) {
      assertEquals(List.of(file), list.toList());
    }
  }

  private String refusal(byte[] bytes) throws IOException {
    Path file = folder.resolve("bad");
    Files.write(file, bytes);
    var e = assertThrows(ModelFormatException.class, () -> Model.load(file));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.startsWith("'" + file + "'"), message);
    return message;
  }

  private byte[] good() throws IOException {
    return good("grid");
  }

  private byte[] good(String kind) throws IOException {
    Path file = folder.resolve("good");
    some(kind).save(file);
    return Files.readAllBytes(file);
  }

  /// A small model of a kind.
  private static Model some(String kind) {
    return switch (kind) {
      case "grid" -> model(1, 12);
      case "additive" -> additive(8, Engine.AUTO);
      case "projected" -> projected();
      case "table" -> table();
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static Model additive(int points, Engine engine) {
    var random = new SplittableRandom(5);
    double[] x = random.doubles(4 * 60).toArray();
    double[] y = new double[60];
    for (int i = 0; i < y.length; i++) y[i] = x[4 * i] - Math.sin(3 * x[4 * i + 2]);
    return fit(points)
        .withShape(Options.Shape.ADDITIVE)
        .withKernel("additive(0.8*rbf(lengthscale=0.5))")
        .withEngine(engine)
        .to(Dataset.of(x, 4, y));
  }

  /// Rows of numbers, words and dates behind a map of columns.
  static Model table() {
    List<Column> columns =
        List.of(
            Column.of("a", "mm").filledBy(0.25),
            new Column(
                "b", "", Optional.empty(), List.of("red\tish", "", "5"), OptionalDouble.of(-1)),
            Column.of("c", TimeScale.of("c", List.of("2024-02-01", "2024-03-07"))).filledBy(3));
    var random = new SplittableRandom(6);
    double[] x = new double[60];
    double[] y = new double[20];
    for (int i = 0; i < 20; i++) {
      x[3 * i] = Math.exp(2 * random.nextGaussian());
      x[3 * i + 1] = i % 3;
      x[3 * i + 2] = random.nextInt(100);
      y[i] = Math.log(x[3 * i]) + (i % 3 == 1 ? 1 : 0);
    }
    Dataset rows = Dataset.of(x, columns, y, Column.of("y"));
    FeatureMap map =
        FeatureMap.columns(
            rows, List.of(FeatureMap.Change.LOG, FeatureMap.Change.SAME, FeatureMap.Change.RANKS));
    try {
      return Fit.DEFAULT
          .withKernel("matern32(lengthscale=1.5)")
          .withEngine(Engine.EXACT)
          .withTraining(false)
          .set("noise", 0.1)
          .set("outputscale", 2)
          .set("mean", 0)
          .to(Source.of(rows), map, List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void wordsFillsAndMapsComeBack() throws IOException {
    Model model = table();
    Path file = folder.resolve("table");
    model.save(file);
    Model loaded = Model.load(file);
    assertEquals(model.columns(), loaded.columns());
    assertEquals(model.map(), loaded.map());
    assertEquals(model.hyperparameters(), loaded.hyperparameters());
    assertArrayEquals(
        model.held().orElseThrow().data().inputs(), loaded.held().orElseThrow().data().inputs());
    assertSameBits(model, loaded, true);
  }

  /// A posterior over two features of three columns.
  private static Model projected() {
    Model plane = model(2, 8);
    LinearMap map =
        LinearMap.of(new double[] {0.3, 0.2, 0.1, -0.1, 0.4, 0.2}, new double[] {0, -0.1, 0.2});
    ModelState contents =
        new ModelState(
            List.of(Column.of("a"), Column.of("b"), Column.of("c")),
            List.of(),
            Column.of("y"),
            TargetTransform.NONE,
            0,
            -1,
            MappedPosterior.of(map, (LatticePosterior) plane.posterior()),
            plane.plan(),
            plane.provenance());
    try {
      Path file = Files.createTempFile("projected", ".lvl");
      ModelFile.write(file, contents, true);
      Model loaded = Model.load(file);
      Files.delete(file);
      return loaded;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void additiveAndProjectedModelsPredictToTheBitAfterARoundTrip() throws IOException {
    List<Model> models =
        List.of(
            additive(12, Engine.AUTO),
            additive(20, Engine.SPECTRAL),
            additive(12, Engine.KRYLOV),
            additive(600, Engine.KRYLOV), // 2,400 points: no tables
            additive(1100, Engine.SPECTRAL), // 4,400 points: a sparse Gram matrix
            projected());
    for (Model model : models) {
      Path file = folder.resolve("m");
      model.save(file);
      Model loaded = Model.load(file);
      assertSameBits(model, loaded, true);
      Path again = folder.resolve("again");
      loaded.save(again);
      assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(again));
      assertEquals(model.map(), loaded.map());
    }
  }

  @Test
  void statisticsOfAnAdditiveModelAddUpAfterReading() throws IOException {
    Path file = folder.resolve("m");
    additive(12, Engine.AUTO).save(file);
    LatticePosterior posterior = (LatticePosterior) Model.load(file).posterior();
    AdditiveStatistics own = (AdditiveStatistics) posterior.statistics();
    AdditiveStatistics twice = own.plus(own);
    assertEquals(120, twice.count());
    assertEquals(2 * own.squares(), twice.squares(), 1e-12 * own.squares());
    assertEquals(own.count(), twice.minus(own).count());
    assertArrayEquals(own.projected(), twice.minus(own).projected(), 1e-12);
  }

  @Test
  void strangersTruncatedAndNewerFilesAreRefusedInWords() throws IOException {
    byte[] good = good();
    assertTrue(refusal(new byte[0]).contains("is not a Lovelace model"));
    assertTrue(
        refusal("x,y\n1,2\n".repeat(99).getBytes(StandardCharsets.UTF_8)).contains("is not"));
    String half = refusal(Arrays.copyOf(good, good.length / 2));
    assertTrue(half.contains("it ends after"), half);
    String longer = refusal(Arrays.copyOf(good, good.length + 64));
    assertTrue(longer.contains("is damaged"), longer);
    byte[] newer = good.clone();
    newer[8] = 9;
    assertTrue(refusal(newer).contains("format version 9, this program reads up to 3"));
    byte[] altered = good.clone();
    altered[good.length - 100] ^= 1;
    assertTrue(refusal(altered).contains("checksum"), refusal(altered));
    byte[] cut = Arrays.copyOf(good, 100); // too short for the table of its sections
    ByteBuffer.wrap(cut).order(ByteOrder.LITTLE_ENDIAN).putLong(16, cut.length);
    assertTrue(refusal(cut).contains("it names "), refusal(cut));
  }

  @ParameterizedTest
  @CsvSource({"grid, 3000", "additive, 1000", "projected, 1000", "table, 500"})
  void everyRandomDamageIsRefused(String kind, int few) throws IOException {
    byte[] good = good(kind);
    long seed = 11;
    var random = new SplittableRandom(seed);
    int rounds = Boolean.getBoolean("lovelace.long") ? 5_000 : few;
    Path file = folder.resolve("fuzzed");
    for (int round = 0; round < rounds; round++) {
      byte[] bytes = damaged(good, random);
      Files.write(file, bytes);
      int number = round;
      if (Arrays.equals(bytes, good)) continue;
      assertThrows(
          ModelFormatException.class,
          () -> Model.load(file),
          () -> "seed " + seed + ", round " + number);
    }
  }

  private static byte[] damaged(byte[] good, SplittableRandom random) {
    byte[] bytes = good.clone();
    switch (random.nextInt(5)) {
      case 0 -> bytes = Arrays.copyOf(good, random.nextInt(good.length));
      case 1 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      case 2 -> {
        for (int k = random.nextInt(1, 20); k > 0; k--)
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      case 3 -> {
        int from = random.nextInt(bytes.length);
        int to = Math.min(bytes.length, from + random.nextInt(1, 300));
        for (int i = from; i < to; i++) bytes[i] = 0;
        if (to > 400 && from < 400) bytes[from] ^= 1;
      }
      default -> {
        int at = random.nextInt(bytes.length);
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 8);
        System.arraycopy(bytes, at, longer, at + 8, bytes.length - at);
        bytes = longer;
      }
    }
    return bytes;
  }

  /// Damage whose checksums are right again: what is read must be valid or refused, and nothing
  /// larger than the file's own size is ever allocated.
  @ParameterizedTest
  @CsvSource({"grid, 2000", "additive, 1500", "projected, 1500", "table, 800"})
  void damageWithRightChecksumsIsRefusedOrHarmless(String kind, int few) throws IOException {
    byte[] good = good(kind);
    int d = some(kind).columns().size();
    long seed = 12;
    var random = new SplittableRandom(seed);
    int rounds = Boolean.getBoolean("lovelace.long") ? 5_000 : few;
    Path file = folder.resolve("forged");
    int refused = 0;
    for (int round = 0; round < rounds; round++) {
      byte[] bytes = good.clone();
      for (int k = random.nextInt(1, 4); k > 0; k--) {
        int range = random.nextBoolean() ? bytes.length : Math.min(bytes.length, 2600);
        bytes[random.nextInt(32, range)] =
            (byte) (random.nextBoolean() ? '0' + random.nextInt(10) : random.nextInt());
      }
      forge(bytes);
      Files.write(file, bytes);
      try {
        Model.load(file).predict(places(d, 8));
      } catch (ModelFormatException e) {
        refused++;
      } catch (IllegalArgumentException | ArithmeticException | IllegalStateException e) {
        refused++; // values that pass as numbers and fail as mathematics, in words
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + ", round " + round, e);
      }
    }
    assertTrue(refused > rounds / 10, "refused " + refused);
  }

  /// Writes right checksums over wrong ones, where the sections still lie inside the file.
  private static void forge(byte[] bytes) {
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int count = b.getInt(12);
    long at = 32 + 40L * count;
    for (int k = 0; k < count; k++) {
      int entry = 32 + 40 * k;
      long from = b.getLong(entry + 16);
      long end = (from + b.getLong(entry + 24) + 63) / 64 * 64;
      if (from < 0 || end < from || end > bytes.length) continue;
      CRC32C crc = new CRC32C();
      crc.update(bytes, (int) from, (int) (end - from));
      b.putLong(entry + 32, crc.getValue());
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, 24);
    crc.update(bytes, 32, (int) ((at + 63) / 64 * 64) - 32);
    b.putLong(24, crc.getValue());
  }
}
