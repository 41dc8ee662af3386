package lovelace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.laplace.Window;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.posterior.Prediction;
import lovelace.source.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Events as a log-Gaussian Cox process.
class IntensityTest {

  private static final GridChoice TEN = GridChoice.DEFAULT.bounded(0, 0, 10);

  private static final GridChoice SQUARE =
      GridChoice.DEFAULT.bounded(0, 0, 4).bounded(1, -1, 3).withPoints(16);

  private static final Fit EVENTS = Fit.DEFAULT.withIntensity(true);

  @TempDir private Path folder;

  /// Events of an inhomogeneous Poisson process, by thinning one whose rate is `most`.
  private static double[] draw(
      ToDoubleFunction<double[]> rate, double most, double[] low, double[] high, long seed) {
    int d = low.length;
    SplittableRandom random = new SplittableRandom(seed);
    double size = 1;
    for (int j = 0; j < d; j++) size *= high[j] - low[j];
    double[] all = new double[0];
    double time = 0; // of a process of rate one, whose events get places
    while ((time -= Math.log(1 - random.nextDouble())) < most * size) {
      double[] x = new double[d];
      for (int j = 0; j < d; j++) x[j] = low[j] + random.nextDouble() * (high[j] - low[j]);
      if (random.nextDouble() * most > rate.applyAsDouble(x)) continue;
      all = Arrays.copyOf(all, all.length + d);
      System.arraycopy(x, 0, all, all.length - d, d);
    }
    return all;
  }

  private static double wave(double... x) {
    return 20 * Math.exp(Math.sin(2 * Math.PI * x[0] / 5));
  }

  private static double hill(double... x) {
    return 60 * Math.exp(-((x[0] - 1) * (x[0] - 1) + x[1] * x[1]) / 2) + 5;
  }

  private static double[] times(long seed) {
    return draw(IntensityTest::wave, 55, new double[] {0}, new double[] {10}, seed);
  }

  private static double[] places(long seed) {
    return draw(IntensityTest::hill, 65, new double[] {0, -1}, new double[] {4, 3}, seed);
  }

  /// The share of the true intensity in its 95 % interval, at the centres of the cells.
  private static double covered(Model model, ToDoubleFunction<double[]> truth) {
    double[] x = model.window().orElseThrow().centres();
    int d = model.columns().size();
    Prediction rate = model.predict(x, Of.RATE);
    int inside = 0;
    for (int i = 0; i < rate.size(); i++) {
      double[] at = Arrays.copyOfRange(x, i * d, (i + 1) * d);
      double value = truth.applyAsDouble(at);
      if (value >= rate.lower(i, 0.95) && value <= rate.upper(i, 0.95)) inside++;
    }
    return inside / (double) rate.size();
  }

  private static double integral(Model model) {
    Window window = model.window().orElseThrow();
    Prediction rate = model.predict(window.centres(), Of.RATE);
    double[] sizes = window.sizes();
    double sum = 0;
    for (int i = 0; i < rate.size(); i++) sum += rate.mean(i) * sizes[i];
    return sum;
  }

  @Test
  void intensityOfTimesIsFound() {
    for (long seed = 1; seed <= 3; seed++) {
      double[] times = times(seed);
      Model model = EVENTS.withGrid(TEN).to(Dataset.events(times, 1));
      assertEquals(times.length, model.count(), "seed " + seed);
      assertEquals(1, integral(model) / times.length, 0.05, "seed " + seed);
      double covered = covered(model, IntensityTest::wave);
      assertTrue(covered >= 0.85, "seed " + seed + ": " + covered + "\n" + model);
    }
  }

  @Test
  void intensityOfPlacesIsFound() {
    double[] places = places(1);
    Model model = EVENTS.withGrid(SQUARE).to(Dataset.events(places, 2));
    assertEquals(places.length / 2, model.count());
    assertEquals(1, integral(model) / model.count(), 0.05);
    double covered = covered(model, IntensityTest::hill);
    assertTrue(covered >= 0.85, covered + "\n" + model);
  }

  /// Counts as rows of a Poisson fit are the same model.
  @Test
  void cellsAreRowsOfPoissonCounts() {
    double[] times = {0, 0.3, 1.1, 1.2, 1.2, 3.9, 4}; // both ends are inside
    Fit fixed =
        Fit.DEFAULT
            .withKernel("matern32")
            .withTraining(false)
            .set("lengthscale", 1)
            .set("outputscale", 0.5)
            .set("mean", 0.2);
    GridChoice cells = GridChoice.DEFAULT.bounded(0, 0, 4).withPoints(8);
    Model model = fixed.withIntensity(true).withGrid(cells).to(Dataset.events(times, 1));
    Window window = model.window().orElseThrow();
    assertEquals(0.5, window.sizes()[3]);
    double[] centres = {0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.25, 3.75};
    assertArrayEquals(centres, window.centres(), 1e-15);
    double[] sizes = new double[8];
    Arrays.fill(sizes, 0.5);
    double[] counts = {2, 0, 3, 0, 0, 0, 0, 2};
    Model same =
        fixed
            .withLikelihood(Likelihood.poisson())
            .withEngine(Engine.EXACT)
            .to(Dataset.of(centres, 1, counts, sizes));
    Prediction a = model.predict(centres, Of.RATE);
    Prediction b = same.predict(centres, Of.RATE);
    for (int i = 0; i < 8; i++) {
      assertEquals(b.mean(i), a.mean(i), 1e-6);
      assertEquals(b.variance(i), a.variance(i), 1e-6);
    }
    assertEquals(same.logMarginalLikelihood(), model.logMarginalLikelihood(), 1e-6);
  }

  /// Four times as many cells move the intensity by less than two times as many do.
  @Test
  void smallerCellsConverge() {
    Dataset events = Dataset.events(times(4), 1);
    Fit fixed =
        EVENTS.withTraining(false).set("lengthscale", 1.5).set("outputscale", 0.5).set("mean", 3);
    double[] x = new SplittableRandom(5).doubles(50, 1, 9).toArray();
    Prediction[] rates = new Prediction[4];
    for (int k = 0; k < 4; k++)
      rates[k] = fixed.withGrid(TEN.withPoints(40 << (2 * k))).to(events).predict(x, Of.RATE);
    double[] moved = new double[3];
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < x.length; i++)
        moved[k] =
            Math.max(moved[k], Math.abs(rates[k].mean(i) - rates[3].mean(i)) / rates[3].mean(i));
    assertTrue(moved[1] < 0.5 * moved[0] && moved[2] < 0.5 * moved[1], Arrays.toString(moved));
    assertTrue(moved[2] < 0.01, Arrays.toString(moved));
  }

  /// Quick changes ask for smaller cells by themselves.
  @Test
  void shortLengthscaleGetsSmallerCells() {
    Dataset events = Dataset.events(times(6), 1);
    Fit fixed = EVENTS.withTraining(false).set("outputscale", 1).set("mean", 3).withGrid(TEN);
    int usual = fixed.set("lengthscale", 1).to(events).window().orElseThrow().cells(0);
    Model model = fixed.set("lengthscale", 0.01).to(events);
    Window window = model.window().orElseThrow();
    assertTrue(window.cells(0) > usual, model::toString);
    assertTrue(window.step(0) <= 0.01 / 3, model::toString);
    String notes = model.provenance().notes().toString();
    assertTrue(notes.contains("the events are counted again in smaller cells"), notes);
    int given =
        fixed
            .withGrid(TEN.withPoints(300))
            .set("lengthscale", 0.01)
            .to(events)
            .window()
            .orElseThrow()
            .cells(0);
    assertEquals(300, given);
  }

  @Test
  void windowIsTheRangeWhereNoneIsGiven() {
    double[] times = times(7);
    Model model = EVENTS.to(Dataset.events(times, 1));
    Window window = model.window().orElseThrow();
    assertEquals(Arrays.stream(times).min().orElseThrow(), window.low(0));
    assertEquals(Arrays.stream(times).max().orElseThrow(), window.high(0));
    assertTrue(model.provenance().notes().toString().contains("a little too high"));
    assertTrue(model.toString().startsWith("model of the intensity of events over x1, "));
  }

  /// Whole days are counted day by day, or by a few days, and the last cell ends with the window.
  @Test
  void cellsHoldWholeDays() {
    SplittableRandom random = new SplittableRandom(14);
    double[] days = random.doubles(3000, 0, 1000).map(Math::floor).toArray();
    Fit fit =
        EVENTS.withTraining(false).set("lengthscale", 100).set("outputscale", 1).set("mean", 1);
    Window window = fit.to(Dataset.events(days, 1)).window().orElseThrow();
    assertEquals(2, window.step(0));
    assertEquals(Arrays.stream(days).max().orElseThrow() + 1, window.high(0));
    Model model = fit.withGrid(GridChoice.DEFAULT.bounded(0, 0, 1001)).to(Dataset.events(days, 1));
    window = model.window().orElseThrow();
    assertEquals(501, window.size());
    assertEquals(2, window.sizes()[0]);
    assertEquals(1, window.sizes()[500], 1e-9);
    assertEquals(1001, Arrays.stream(window.sizes()).sum(), 1e-9);
    Prediction rate = model.predict(window.centres(), Of.RATE);
    for (int i = 0; i < 490; i++) assertEquals(3, rate.mean(i), 0.6);
  }

  @Test
  void cellsAtTheEdgeOfAWindowHaveTheirPart() {
    Window window = Window.of(new double[] {0, 10}, new double[] {3.5, 12}, new double[] {1, 0.5});
    assertEquals(16, window.size());
    double[] sizes = window.sizes();
    assertEquals(0.5, sizes[0]);
    assertEquals(0.25, sizes[15], 1e-12);
    assertEquals(7, Arrays.stream(sizes).sum(), 1e-12);
    double[] centres = window.centres();
    for (int i = 0; i < 16; i++) assertEquals(i, window.cell(centres, 2 * i), "cell " + i);
    assertEquals(15, window.cell(new double[] {3.5, 12}, 0));
    assertEquals(-1, window.outsideColumn(new double[] {3.5, 12}, 0));
    assertEquals(1, window.outsideColumn(new double[] {1, 12.1}, 0));
    assertEquals(0, window.outsideColumn(new double[] {Double.NaN, 11}, 0));
  }

  @Test
  void emptyPartOfTheWindowCounts() {
    double[] times = times(8);
    double inside = integral(EVENTS.withGrid(TEN).to(Dataset.events(times, 1)));
    GridChoice wide = GridChoice.DEFAULT.bounded(0, 0, 20);
    Model half = EVENTS.withGrid(wide).to(Dataset.events(times, 1));
    assertEquals(inside, integral(half), 0.05 * inside);
    double late = half.predict(new double[] {17}, Of.RATE).mean(0);
    assertTrue(late < 1, "rate " + late);
  }

  @Test
  void eventsOutsideAreRefusedOrLeftOut() {
    Dataset events = Dataset.events(new double[] {1, 2, 2, 5, 11}, 1);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> EVENTS.withGrid(TEN).to(events));
    assertEquals(
        "row 5 (data rows count from 1): 'x1' is 11.0, outside the window from 0.0 to 10.0; widen the bounds, or skip events outside them",
        e.getMessage());
    Model model = EVENTS.withGrid(TEN).withOutside(Outside.SKIP).to(events);
    assertEquals(4, model.count());
  }

  @Test
  void filesKeepTheWindow() throws IOException {
    Model model =
        EVENTS
            .withTraining(false)
            .set("lengthscale", 1, 1)
            .set("outputscale", 1)
            .set("mean", 3)
            .withGrid(SQUARE)
            .to(Dataset.events(places(3), 2));
    Path file = folder.resolve("m.lvl");
    model.save(file);
    Model again = Model.load(file);
    assertEquals(model.window(), again.window());
    assertEquals(model.count(), again.count());
    assertEquals(model.toString(), again.toString());
    double[] x = {1.2, 0.3, 3.9, 2.8};
    assertArrayEquals(model.predict(x).means(), again.predict(x).means());
  }

  /// Events added, merged and forgotten lead to the model of all of them.
  @Test
  void eventsAddUp() {
    double[] times = times(9);
    Dataset all = Dataset.events(times, 1);
    Dataset first = Dataset.events(Arrays.copyOf(times, times.length / 3), 1);
    Dataset rest = Dataset.events(Arrays.copyOfRange(times, times.length / 3, times.length), 1);
    Fit fit = EVENTS.withGrid(TEN.withPoints(100));
    Model whole = fit.to(all);
    Fit fixed =
        fit.withKernel(whole.hyperparameters().kernel())
            .withTraining(false)
            .set("mean", whole.hyperparameters().mean().coefficients());
    Model part = fixed.to(first);
    Model updated = part.with(rest);
    assertSame(whole, updated);
    assertSame(whole, Model.merge(part, fixed.to(rest)));
    assertSame(part, updated.without(rest));
    assertEquals(whole.window(), updated.window());
    assertThrows(IllegalArgumentException.class, () -> part.without(all));
    Model learned = updated.with(updated.hyperparameters());
    assertSame(whole, learned);
    assertEquals(whole.window(), learned.window());
  }

  private static void assertSame(Model a, Model b) {
    double[] x = new SplittableRandom(10).doubles(30, 0, 10).toArray();
    Prediction p = a.predict(x, Of.RATE);
    Prediction q = b.predict(x, Of.RATE);
    for (int i = 0; i < x.length; i++) {
      assertEquals(p.mean(i), q.mean(i), 1e-6 * p.mean(i));
      assertEquals(p.deviation(i), q.deviation(i), 1e-6 * p.deviation(i));
    }
    assertEquals(a.count(), b.count());
    assertEquals(a.logMarginalLikelihood(), b.logMarginalLikelihood(), 1e-6);
    assertEquals(a.provenance().fingerprint(), b.provenance().fingerprint());
  }

  @Test
  void windowsMustBeOneToMerge() {
    Dataset events = Dataset.events(times(11), 1);
    Fit fit = EVENTS.withTraining(false).set("lengthscale", 1).set("outputscale", 1).set("mean", 3);
    Model a = fit.withGrid(TEN.withPoints(50)).to(events);
    Model b = fit.withGrid(GridChoice.DEFAULT.bounded(0, 0, 20).withPoints(50)).to(events);
    assertThrows(IllegalArgumentException.class, () -> Model.merge(a, b));
  }

  @Test
  void countsOfNewEventsAreObservations() throws IOException {
    Model model = EVENTS.withGrid(TEN.withPoints(20)).to(Dataset.events(times(12), 1));
    Dataset counts =
        model.counts(Source.of(Dataset.events(new double[] {0.1, 0.2, 9.9}, 1)), Outside.ERROR);
    assertEquals(20, counts.size());
    assertEquals(2, counts.target()[0]);
    assertEquals(1, counts.target()[19]);
    assertEquals(0.5, counts.weights()[7]);
  }

  private static void assertRefused(String part, Fit fit, Dataset events) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> fit.to(events));
    assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
  }

  @Test
  void whatCannotBeEventsIsRefused() {
    Dataset events = Dataset.events(times(13), 1);
    assertRefused("one to three columns", EVENTS, Dataset.events(new double[8], 4));
    assertRefused(
        "holds words",
        EVENTS,
        Dataset.events(new double[] {0, 1}, List.of(Column.of("kind", List.of("a", "b")))));
    assertRefused("the likelihood is bernoulli", EVENTS.withLikelihood("bernoulli"), events);
    assertRefused("holds rows", EVENTS.withEngine(Engine.EXACT), events);
    assertRefused("shape is additive", EVENTS.withShape(Options.Shape.ADDITIVE), events);
    assertRefused(
        "events have no weights",
        EVENTS,
        Dataset.of(new double[] {1, 2}, 1, new double[] {1, 1}, new double[] {2, 3}));
    assertRefused(
        "how often it happened", EVENTS, Dataset.of(new double[] {1, 2}, 1, new double[] {1, 0.5}));
    assertRefused("the same 'x1'", EVENTS, Dataset.events(new double[] {3, 3}, 1));
    assertRefused(
        "no event lies in the window",
        EVENTS.withGrid(TEN).withOutside(Outside.SKIP),
        Dataset.events(new double[] {-1, 12}, 1));
    assertRefused("own grid", EVENTS.withGrid(GridChoice.DEFAULT.onData()), events);
  }
}
