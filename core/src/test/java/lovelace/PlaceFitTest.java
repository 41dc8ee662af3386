package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.FeatureMap;
import lovelace.data.Outside;
import lovelace.data.Place;
import lovelace.data.PlaceMap;
import lovelace.exact.ExactGp;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance.Note;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.MappedRows;
import lovelace.sites.SiteGp;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Fits of coordinates: local projections and directions under every engine.
class PlaceFitTest {

  private static final Place WGS = Place.lonLat("lon", "lat");
  private static final List<Column> COLUMNS = List.of(Column.of("lon"), Column.of("lat"));

  /// A function of kilometres at places around 10° E 48° N, some of 300 km.
  private static Dataset rows(int n, long seed) {
    var random = new SplittableRandom(seed);
    double[] x = new double[2 * n];
    for (int i = 0; i < n; i++) {
      x[2 * i] = 8 + 4 * random.nextDouble();
      x[2 * i + 1] = 46.6 + 2.8 * random.nextDouble();
    }
    return dataset(x, random);
  }

  /// The same on a grid of degrees.
  private static Dataset grid(int columns, int rows, long seed) {
    var random = new SplittableRandom(seed);
    double[] x = new double[2 * columns * rows];
    for (int i = 0; i < columns * rows; i++) {
      x[2 * i] = 8 + 0.05 * (i % columns);
      x[2 * i + 1] = 47 + 0.04 * (i / columns);
    }
    return dataset(x, random);
  }

  private static Dataset dataset(double[] x, SplittableRandom random) {
    double[] y = new double[x.length / 2];
    for (int i = 0; i < y.length; i++) {
      double east = 74.6 * (x[2 * i] - 10);
      double north = 111.2 * (x[2 * i + 1] - 48);
      y[i] = Math.sin(east / 60) + Math.cos((north + east / 2) / 50) + 0.1 * random.nextGaussian();
    }
    return Dataset.of(x, COLUMNS, y, Column.of("y"));
  }

  private static Fit given(String kernel) {
    return Fit.DEFAULT
        .withKernel(kernel)
        .withPlace(WGS)
        .withTraining(false)
        .set("lengthscale", 60, 45)
        .set("outputscale", 1.5)
        .set("noise", 0.02)
        .set("mean", 0.3);
  }

  private static FeatureMap map(Model model) {
    return model.map().orElseThrow();
  }

  @Test
  void anExactModelIsTheProcessOfKilometres() {
    Dataset data = rows(200, 3);
    Model model = given("matern32").withEngine(Engine.EXACT).to(data);
    ExactGp oracle = ExactGp.of(MappedRows.features(map(model), data), model.hyperparameters());
    double[] x = {8.5, 47, 11, 49.2};
    Prediction mine = model.predict(x);
    Prediction theirs = oracle.predict(model.features(x));
    assertEquals(oracle.logMarginalLikelihood(), model.logMarginalLikelihood(), 1e-9);
    for (int i = 0; i < 2; i++) {
      assertEquals(theirs.mean(i), mine.mean(i), 1e-12);
      assertEquals(theirs.variance(i), mine.variance(i), 1e-12);
    }
    assertEquals(WGS, model.place().orElseThrow());
    assertTrue(model.toString().contains("lon, lat in EPSG:4326: kilometres by the Lambert"));
    assertEquals(Engine.EXACT, given("matern32").to(rows(200, 3)).plan().chosen(), "by itself");
  }

  @Test
  void everyEngineAgreesWithTheExactProcess() {
    Dataset scattered = rows(800, 4);
    Dataset regular = grid(40, 39, 4);
    record Case(String name, Dataset data, Fit fit, double tolerance) {}
    List<Case> cases =
        List.of(
            new Case("spectral", scattered, given("rbf").withEngine(Engine.SPECTRAL), 0.01),
            new Case("krylov", scattered, given("rbf").withEngine(Engine.KRYLOV), 0.01),
            new Case("sites", scattered, given("matern12").withEngine(Engine.SITES), 0.05),
            new Case("own grid", regular, given("matern32").withEngine(Engine.SPARSE), 0.05),
            new Case(
                "neighbours", scattered, given("matern32").withEngine(Engine.NEIGHBOURS), 0.05));
    double[] x = {8.61, 47.11, 9.5, 48.2, 10.23, 47.9};
    for (Case c : cases) {
      Model model = c.fit.to(c.data);
      Model exact = c.fit.withEngine(Engine.EXACT).to(c.data);
      // the own grid keeps degrees, so the exact process is that of its plane
      ExactGp oracle = ExactGp.of(MappedRows.features(map(model), c.data), exact.hyperparameters());
      Prediction mine = model.predict(x);
      Prediction theirs = oracle.predict(model.features(x));
      for (int i = 0; i < 3; i++) {
        assertEquals(theirs.mean(i), mine.mean(i), c.tolerance, c.name);
        assertEquals(
            1, mine.variance(i) / theirs.variance(i), 4 * c.tolerance, c.name + " variance");
      }
    }
    Model own = given("matern32").to(regular);
    assertEquals(
        PlaceMap.Projection.EQUIRECTANGULAR, ((PlaceMap) map(own)).projection(), own.toString());
    assertTrue(own.lattice().orElseThrow().kriges(), "rows lie on nodes");
    Model sites = given("matern12").withEngine(Engine.SITES).to(scattered);
    assertInstanceOf(SiteGp.class, sites.held().orElseThrow().inner());
  }

  @Test
  void aModelFileKeepsCoordinates(@TempDir Path folder) throws IOException {
    Dataset scattered = rows(700, 5);
    List<Fit> fits =
        List.of(
            given("matern32").withEngine(Engine.EXACT),
            given("matern12").withEngine(Engine.SITES),
            given("rbf").withEngine(Engine.SPECTRAL).withAnisotropy(35),
            Fit.DEFAULT
                .withPlace(Place.projected("lon", "lat", "LOCAL[\"a\tb\n\"]", 1))
                .withEngine(Engine.SPECTRAL));
    double[] x = {8.6, 47.1, 9.5, 48.2};
    for (Fit fit : fits) {
      Model model = fit.to(scattered);
      Path file = folder.resolve("m.lvl");
      model.save(file);
      Model again = Model.load(file);
      assertEquals(model.place(), again.place());
      assertEquals(model.map(), again.map());
      assertEquals(model.predict(x).mean(0), again.predict(x).mean(0));
      assertEquals(model.predict(x).variance(1), again.predict(x).variance(1));
      assertEquals(model.toString(), again.toString());
    }
  }

  @Test
  void updatesKeepTheProjection() {
    Dataset all = rows(900, 6);
    Dataset first = all.rows(0, 600);
    Dataset more = all.rows(600, 900);
    double[] x = {8.6, 47.1, 9.5, 48.2};
    for (Engine engine : List.of(Engine.EXACT, Engine.SPECTRAL)) {
      Fit fit = given("rbf").withEngine(engine).withGrid(GridChoice.DEFAULT);
      Model part = fit.to(first);
      Model whole = part.with(more);
      assertEquals(map(part), map(whole));
      assertEquals(part.place(), whole.place());
      ExactGp oracle = ExactGp.of(MappedRows.features(map(part), all), part.hyperparameters());
      assertEquals(oracle.predict(part.features(x)).mean(0), whole.predict(x).mean(0), 2e-3);
      assertEquals(
          part.predict(x).mean(1), whole.without(more).predict(x).mean(1), 1e-6, "" + engine);
    }
    Model a = given("rbf").withEngine(Engine.EXACT).to(first);
    Model b = given("rbf").withEngine(Engine.EXACT).to(more);
    assertEquals(
        a.with(more).predict(x).mean(0), Model.merge(a, b).predict(x).mean(0), 1e-9, "merged");
    Model c = given("rbf").withEngine(Engine.SPECTRAL).to(first);
    Model d = given("rbf").withEngine(Engine.SPECTRAL).to(more);
    String refused =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> Model.merge(c, d)).getMessage());
    assertTrue(refused.contains("different planes"), refused);
  }

  @Test
  void otherColumnsPassThrough() {
    Dataset two = rows(400, 7);
    double[] x = new double[3 * 400];
    for (int i = 0; i < 400; i++) {
      x[3 * i] = two.inputs()[2 * i + 1];
      x[3 * i + 1] = i / 400.0;
      x[3 * i + 2] = two.inputs()[2 * i];
    }
    List<Column> columns = List.of(Column.of("lat"), Column.of("t"), Column.of("lon"));
    Dataset data = Dataset.of(x, columns, two.target(), Column.of("y"));
    Fit fit =
        Fit.DEFAULT
            .withTraining(false)
            .set("lengthscale", 45, 2, 60)
            .set("outputscale", 1.5)
            .set("noise", 0.02)
            .set("mean", 0.3)
            .withEngine(Engine.EXACT)
            .withPlace(WGS);
    Model model = fit.to(data);
    double[] z = model.features(new double[] {48, 0.25, 10});
    assertEquals(0.25, z[1]);
    ExactGp oracle = ExactGp.of(MappedRows.features(map(model), data), model.hyperparameters());
    assertEquals(oracle.logMarginalLikelihood(), model.logMarginalLikelihood(), 1e-9);
    assertEquals(
        List.of("north", "t", "east"),
        model.inFeatures().columns().stream().map(Column::name).toList());
  }

  @Test
  void likelihoodsWorkOverCoordinates(@TempDir Path folder) throws IOException {
    Dataset base = rows(150, 8);
    double[] counts = new double[150];
    for (int i = 0; i < 150; i++) counts[i] = Math.rint(Math.exp(base.target()[i]));
    Dataset data = Dataset.of(base.inputs(), COLUMNS, counts, Column.of("n"));
    Model model = Fit.DEFAULT.withLikelihood("poisson").withPlace(WGS).to(data);
    double[] rate = model.predict(base.inputs(), Likelihood.Of.RATE, new double[0]).means();
    double error = 0;
    for (int i = 0; i < 150; i++) error += Math.abs(rate[i] - Math.exp(base.target()[i])) / 150;
    assertTrue(error < 0.5, () -> "" + model);
    assertTrue(model.held().isPresent(), "few rows are held");
    assertArrayEquals(base.inputs(), model.held().orElseThrow().data().inputs(), 1e-9);
    assertArrayEquals(base.inputs(), model.observed().orElseThrow().inputs(), 1e-9);
    Path file = folder.resolve("counts.lvl");
    model.save(file);
    Model again = Model.load(file);
    assertEquals(model.predict(9.5, 48.1).mean(0), again.predict(9.5, 48.1).mean(0), "to the bit");
    assertEquals(model.predict(9.5, 48.1).variance(0), again.predict(9.5, 48.1).variance(0));
    Model more = again.with(data.rows(0, 50));
    assertEquals(200, more.count());
    assertEquals(model.map(), more.map());
    assertEquals(
        model.predict(9.5, 48.1).mean(0),
        more.without(data.rows(0, 50)).predict(9.5, 48.1).mean(0),
        1e-6);
  }

  @Test
  void rangesOfDegreesWidenTheGrid() {
    Dataset base = rows(500, 8);
    Model wide =
        given("rbf")
            .withEngine(Engine.SPECTRAL)
            .withGrid(GridChoice.DEFAULT.including(0, 6, 14))
            .to(base);
    assertTrue(Double.isFinite(wide.predict(6.0, 48).mean(0)));
    assertTrue(wide.lattice().orElseThrow().statistics().lattice().low(0) < -290);
    Fit bounded = given("rbf").withGrid(GridChoice.DEFAULT.bounded(0, 6, 14));
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> bounded.to(base)).getMessage());
    assertTrue(
        message.contains("'lon' cannot have exact bounds") && message.contains("unchanged"),
        message);
  }

  @Test
  void wrongCoordinatesAreNamed() {
    Dataset good = rows(50, 9);
    double[] x = good.inputs().clone();
    x[2 * 30 + 1] = 95;
    assertMessage(x, "row 31", "'lat' is 95.0", "-90 to 90", "drop the row");
    double[] swapped = new double[x.length];
    for (int i = 0; i < 50; i++) {
      swapped[2 * i] = good.inputs()[2 * i + 1];
      swapped[2 * i + 1] = good.inputs()[2 * i] - 110;
    }
    assertMessage(swapped, "'lat'", "look swapped", "the other way round");
    double[] metres = good.inputs().clone();
    for (int i = 0; i < metres.length; i++) metres[i] = 500_000 + 1000 * metres[i];
    assertMessage(metres, "'lon'", "not degrees", "metres");
    Model model = given("rbf").to(good);
    String outside =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> model.predict(9, 48, 9, 95))
                .getMessage());
    assertTrue(outside.contains("row 2") && outside.contains("'lat' is 95.0"), outside);
    Fit other = given("rbf").withPlace(Place.lonLat("long", "lat"));
    assertTrue(
        String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> other.to(good)).getMessage())
            .contains("no input 'long'"));
    Dataset update = Dataset.of(x, COLUMNS, good.target(), Column.of("y"));
    Model lattice = given("rbf").withEngine(Engine.SPECTRAL).to(good);
    String updated =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> lattice.with(Source.of(update), Outside.ERROR, Options.Maker.LIBRARY))
                .getMessage());
    assertTrue(updated.contains("row 31") && updated.contains("'lat' is 95.0"), updated);
  }

  private static void assertMessage(double[] x, String... parts) {
    Dataset data = Dataset.of(x, COLUMNS, rows(50, 9).target(), Column.of("y"));
    String message =
        String.valueOf(
            assertThrows(IllegalArgumentException.class, () -> given("rbf").to(data)).getMessage());
    for (String part : parts) assertTrue(message.contains(part), message);
  }

  @Test
  void aLargeExtentIsWarnedOf() {
    Dataset good = rows(100, 10);
    double[] x = good.inputs().clone();
    for (int i = 0; i < 100; i++) x[2 * i] = -40 + 25 * (x[2 * i] - 8);
    Model model = given("rbf").to(Dataset.of(x, COLUMNS, good.target(), Column.of("y")));
    assertTrue(
        model.provenance().notes().stream()
            .anyMatch(
                note ->
                    note.kind() == Note.Kind.ADVICE
                        && note.toString().contains("changes distances")));
    double[] line = good.inputs().clone();
    for (int i = 0; i < 100; i++) line[2 * i + 1] = 48;
    Model flat =
        Fit.DEFAULT.withPlace(WGS).to(Dataset.of(line, COLUMNS, good.target(), Column.of("y")));
    assertTrue(flat.place().isEmpty() && flat.map().isEmpty());
    assertTrue(flat.provenance().notes().stream().anyMatch(note -> note.kind() == Note.Kind.PLACE));
  }

  @Test
  void whatCannotBeDoneWithCoordinatesIsRefused() {
    Dataset data = rows(60, 11);
    assertThrows(
        IllegalArgumentException.class,
        () -> given("rbf").withIntensity(true).to(Dataset.events(data.inputs(), COLUMNS)));
    assertThrows(
        IllegalArgumentException.class,
        () -> Fit.DEFAULT.withPlace(WGS).withShape(Options.Shape.PROJECTION).to(data));
    assertThrows(
        IllegalArgumentException.class,
        () -> Fit.DEFAULT.withAnisotropy().to(Dataset.of(data.target(), 1, data.target())));
    assertThrows(IllegalArgumentException.class, () -> Fit.DEFAULT.withAnisotropy(1000));
  }

  /// A rough surface: sums of many waves, those of short length as a Matérn-1/2 process has them.
  private static Dataset rough(int n, long seed) {
    var random = new SplittableRandom(seed);
    Dataset base = rows(n, seed);
    double[] y = new double[n];
    for (int wave = 0; wave < 400; wave++) {
      double w = 1 / Math.abs(random.nextGaussian()) / 80; // of Student's t with one degree
      double a = w * random.nextGaussian();
      double b = w * random.nextGaussian();
      double phase = 2 * Math.PI * random.nextDouble();
      for (int i = 0; i < n; i++)
        y[i] +=
            0.07
                * Math.cos(
                    a * 74.6 * base.inputs()[2 * i] + b * 111.2 * base.inputs()[2 * i + 1] + phase);
    }
    return Dataset.of(base.inputs(), COLUMNS, y, Column.of("y"));
  }

  private static String compared(Model model) {
    return model.provenance().notes().stream()
        .filter(note -> note.kind() == Note.Kind.COMPARED)
        .map(Note::toString)
        .findFirst()
        .orElse("");
  }

  private static String kernel(Model model) {
    return model.hyperparameters().kernel().toString();
  }

  @Test
  void aMapChoosesItsKernel() {
    Dataset wavy = rows(250, 12);
    Model smooth = Fit.DEFAULT.withPlace(WGS).to(wavy);
    assertTrue(kernel(smooth).contains("rbf"), smooth.toString());
    assertTrue(
        compared(smooth)
            .startsWith(
                "compared: kernel rbf, chosen among 4 by the likelihood of 250 rows given their nearest"),
        compared(smooth));
    Dataset coarse = rough(250, 12);
    Model jagged = Fit.DEFAULT.withPlace(WGS).to(coarse);
    assertTrue(kernel(jagged).contains("matern12"), compared(jagged));
    Fit local = Fit.DEFAULT.withPlace(Place.projected("lon", "lat", "local", 1));
    assertTrue(kernel(local.to(coarse)).contains("matern12"), "on a plane");
    assertTrue(
        kernel(Fit.DEFAULT.withAnisotropy(20).to(coarse)).contains("matern12"), "a direction");
    Model asked = Fit.DEFAULT.withPlace(WGS).withKernel("rbf").to(coarse);
    assertTrue(kernel(asked).contains("rbf"), "a kernel that is given is taken");
    assertEquals("", compared(asked));
    Model plain = Fit.DEFAULT.to(coarse);
    assertTrue(kernel(plain).contains("rbf") && compared(plain).isEmpty(), "no map");
    // what was learned to choose is where learning starts, and learning does not get worse by it
    Model told = Fit.DEFAULT.withPlace(WGS).withKernel("matern12").to(coarse);
    assertEquals(told.logMarginalLikelihood(), jagged.logMarginalLikelihood(), 0.01);
  }

  @Test
  void countsOnAMapChooseTheirKernel() {
    Dataset base = rough(300, 14);
    double[] counts = new double[300];
    for (int i = 0; i < 300; i++) counts[i] = Math.rint(Math.exp(3 + base.target()[i]));
    Dataset data = Dataset.of(base.inputs(), COLUMNS, counts, Column.of("n"));
    Model model = Fit.DEFAULT.withLikelihood("poisson").withPlace(WGS).to(data);
    assertTrue(compared(model).contains("chosen among 4 by the evidence of"), compared(model));
    assertTrue(kernel(model).contains("matern"), "no smooth function: " + compared(model));
    assertTrue(
        compared(model).contains("kernel " + kernel(model).replaceAll(".*\\*|\\(.*", "") + ","),
        compared(model));
  }
}
