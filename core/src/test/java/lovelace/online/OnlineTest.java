package lovelace.online;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import lovelace.data.Outside;
import lovelace.engines.Engines;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.HonestBoundsTest;
import lovelace.inference.Interpolated;
import lovelace.inference.LatticeDistribution;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.online.Online.Subscriber;
import lovelace.online.Online.Window;
import lovelace.plan.Engine;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.statistics.GridStatistics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OnlineTest {

  private static final Grid LINE = Grid.of(new Axis(-0.1, 0.02, 61));
  private static final Grid PLANE = Grid.of(new Axis(-0.2, 0.1, 15), new Axis(-0.2, 0.1, 15));

  private static Hyperparameters smooth(int d) {
    return Hyperparameters.of(
        Kernel.parse("1.5*rbf(lengthscale=0.25)").bind(d), 0.05, PriorMean.constant(0.4));
  }

  private static Hyperparameters rough() {
    return Hyperparameters.of(
        Kernel.parse("1.5*matern32(lengthscale=0.3)").bind(2), 0.05, PriorMean.constant(0.4));
  }

  /// A stream of rows of d columns, and targets that drift.
  private static final class Rows {
    final int d;
    final double[] x;
    final double[] y;

    Rows(int d, double[] x, double[] y) {
      this.d = d;
      this.x = x;
      this.y = y;
    }

    static Rows of(int n, int d, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      double[] x = random.doubles((long) n * d).toArray();
      double[] y = new double[n];
      for (int i = 0; i < n; i++)
        y[i] = Math.sin(6 * x[i * d]) + i / (double) n + 0.2 * random.nextGaussian();
      return new Rows(d, x, y);
    }

    void feed(Online online, int from, int to) {
      for (int i = from; i < to; i++) online.add(x, i * d, y[i], 1);
    }

    Rows rows(int from, int to) {
      return new Rows(d, Arrays.copyOfRange(x, from * d, to * d), Arrays.copyOfRange(y, from, to));
    }
  }

  private static LatticePosterior refit(
      Grid grid, Rows rows, double @Nullable [] weights, Hyperparameters h) {
    GridStatistics s = GridStatistics.of(grid, rows.x, rows.y, weights, Outside.SKIP);
    LatticeDistribution c = Engines.cheapest(s, h, 1).posterior(h, 0.01);
    return LatticePosterior.of(c, 0.01);
  }

  private static void assertSamePredictions(Posterior a, Posterior b, double tolerance) {
    int d = a.dimensions();
    double[] points = new SplittableRandom(9).doubles(40L * d).toArray();
    Prediction p = a.predict(points);
    Prediction q = b.predict(points);
    for (int i = 0; i < 40; i++) {
      assertEquals(q.mean(i), p.mean(i), tolerance);
      assertEquals(q.variance(i), p.variance(i), tolerance * (1 + q.variance(i)));
    }
  }

  @Test
  void streamOfAllRowsEqualsARefit() {
    for (Grid grid : new Grid[] {LINE, PLANE}) {
      int d = grid.dimensions();
      Rows rows = Rows.of(3000, d, 11);
      Online online = Online.of(grid, smooth(d), Online.Options.DEFAULT);
      rows.feed(online, 0, 3000);
      assertSamePredictions(online.refresh(), refit(grid, rows, null, smooth(d)), 1e-9);
    }
  }

  @Test
  void slidingWindowEqualsARefitToTheLastRows() {
    Rows rows = Rows.of(4000, 2, 12);
    Online online =
        Online.of(PLANE, smooth(2), Online.Options.DEFAULT.withWindow(Window.sliding(150)));
    rows.feed(online, 0, 4000); // 26 windows: added up anew on the way
    assertEquals(150, online.statistics().count());
    assertSamePredictions(
        online.refresh(), refit(PLANE, rows.rows(3850, 4000), null, smooth(2)), 1e-8);
  }

  @Test
  void decayingWindowEqualsARefitWithFadingWeights() {
    int n = 2500;
    Rows rows = Rows.of(n, 1, 13);
    Online online =
        Online.of(
            LINE,
            smooth(1),
            Online.Options.DEFAULT.withWindow(Window.decaying(60)).withRefreshRows(700));
    rows.feed(online, 0, n);
    double[] weights = new double[n];
    for (int i = 0; i < n; i++) weights[i] = Math.pow(0.5, (n - 1 - i) / 60.0);
    assertSamePredictions(online.refresh(), refit(LINE, rows, weights, smooth(1)), 1e-8);
    GridStatistics s = GridStatistics.of(LINE, rows.x, rows.y, weights, Outside.ERROR);
    assertEquals(n, online.statistics().count());
    assertEquals(s.logWeights(), online.statistics().logWeights(), 1e-9 * Math.abs(s.logWeights()));
    assertEquals(s.weightSum(), online.statistics().weightSum(), 1e-9);
  }

  @Test
  void livePredictionsKnowEveryRow() {
    Rows rows = Rows.of(900, 2, 14);
    Online online =
        Online.of(
            PLANE,
            smooth(2),
            Online.Options.DEFAULT
                .withLive(true)
                .withWindow(Window.sliding(300))
                .withRefreshRows(500));
    double[] x = {0.4, 0.7};
    double[] out = new double[2];
    rows.feed(online, 0, 480);
    online.predict(x, out);
    LatticePosterior refitted = refit(PLANE, rows.rows(180, 480), null, smooth(2));
    assertEquals(refitted.predict(x).mean(0), out[0], 1e-6);
    assertEquals(refitted.predict(x).variance(0), out[1], 1e-6);
    rows.feed(online, 480, 900);
    online.predict(x, out);
    refitted = refit(PLANE, rows.rows(600, 900), null, smooth(2));
    assertEquals(refitted.predict(x).mean(0), out[0], 1e-6);
    assertEquals(refitted.predict(x).variance(0), out[1], 1e-6);
  }

  @Test
  void forgettingUndoesAdding() {
    Rows rows = Rows.of(400, 1, 15);
    Online online =
        Online.of(
            LINE,
            smooth(1),
            Online.Options.DEFAULT
                .withWindow(Window.REVOCABLE)
                .withLive(true)
                .withRefreshRows(10_000));
    rows.feed(online, 0, 400);
    for (int i = 300; i < 400; i++) online.forget(rows.x, i, rows.y[i], 1);
    LatticePosterior refitted = refit(LINE, rows.rows(0, 300), null, smooth(1));
    assertSamePredictions(online.refresh(), refitted, 1e-9);
    double[] out = new double[2];
    online.predict(new double[] {0.5}, out);
    assertEquals(refitted.predict(new double[] {0.5}).mean(0), out[0], 1e-6);
  }

  @Test
  void krylovStartsFromTheLastMean() {
    Rows rows = Rows.of(3000, 2, 16);
    Online.Options krylov =
        Online.Options.DEFAULT.withEngine(Engine.KRYLOV).withRefreshRows(100_000);
    Online cold = Online.of(PLANE, rough(), krylov);
    rows.feed(cold, 0, 3000);
    cold.refresh();
    Online warm = Online.of(PLANE, rough(), krylov);
    rows.feed(warm, 0, 2990);
    warm.refresh();
    rows.feed(warm, 2990, 3000);
    warm.refresh();
    assertTrue(warm.iterations() < cold.iterations(), warm.iterations() + " " + cold.iterations());
    assertSamePredictions(warm.posterior(), cold.posterior(), 1e-6);
    assertSamePredictions(warm.posterior(), refit(PLANE, rows, null, rough()), 0.02);
  }

  @Test
  void posteriorIsMadeAnewAtTheChosenRate() {
    Rows rows = Rows.of(50, 1, 17);
    Online online = Online.of(LINE, smooth(1), Online.Options.DEFAULT.withRefreshRows(20));
    assertThrows(IllegalStateException.class, online::posterior);
    rows.feed(online, 0, 20);
    LatticePosterior first = online.posterior();
    assertEquals(20, first.statistics().count());
    rows.feed(online, 20, 39);
    assertSame(first, online.posterior());
    assertEquals(19, online.waiting());
    rows.feed(online, 39, 40);
    assertNotSame(first, online.posterior());
    Online often =
        Online.of(LINE, smooth(1), Online.Options.DEFAULT.withRefreshInterval(Duration.ofNanos(1)));
    rows.feed(often, 0, 3);
    assertEquals(3, often.posterior().statistics().count());
  }

  @Test
  void streamGoesOnFromAPosterior() {
    Rows rows = Rows.of(1000, 1, 18);
    LatticePosterior first = refit(LINE, rows.rows(0, 600), null, smooth(1));
    Online online = Online.from(first, Online.Options.DEFAULT);
    assertSame(first, online.posterior());
    rows.feed(online, 600, 1000);
    assertSamePredictions(online.refresh(), refit(LINE, rows, null, smooth(1)), 1e-9);
  }

  @Test
  void publisherFeedsASubscriber() {
    Rows rows = Rows.of(700, 1, 19);
    Online online = Online.of(LINE, smooth(1), Online.Options.DEFAULT);
    Subscriber subscriber = online.subscriber(16);
    try (var publisher = new SubmissionPublisher<Online.Row>()) {
      publisher.subscribe(subscriber);
      for (int i = 0; i < 700; i++) publisher.submit(Online.Row.of(rows.y[i], rows.x[i]));
    }
    assertSamePredictions(subscriber.completion().join(), refit(LINE, rows, null, smooth(1)), 1e-9);
  }

  @Test
  void rowThatCannotBeAddedEndsTheSubscription() {
    Online online = Online.of(LINE, smooth(1), Online.Options.DEFAULT);
    Subscriber subscriber = online.subscriber(16);
    try (var publisher = new SubmissionPublisher<Online.Row>()) {
      publisher.subscribe(subscriber);
      publisher.submit(Online.Row.of(1, 0.5));
      publisher.submit(Online.Row.of(Double.NaN, 0.5));
      publisher.submit(Online.Row.of(1, 0.5));
    }
    var failure = assertThrows(CompletionException.class, () -> subscriber.completion().join());
    assertEquals(
        "observation 2: the target must be finite, got NaN",
        String.valueOf(failure.getCause()).replaceFirst("^[^:]*: ", ""));
    assertEquals(1, online.statistics().count());
  }

  @Test
  void consumerSkipsRowsOutsideIfAsked() {
    Online strict = Online.of(LINE, smooth(1), Online.Options.DEFAULT);
    Consumer<Online.Row> consumer = strict;
    consumer.accept(Online.Row.weighted(1, 2, 0.5));
    var e = assertThrows(IllegalArgumentException.class, () -> strict.accept(Online.Row.of(1, 7)));
    assertTrue(String.valueOf(e.getMessage()).startsWith("observation 2: input column 1 is 7.0"));
    Online lenient =
        Online.of(LINE, smooth(1), Online.Options.DEFAULT.withOutside(Outside.SKIP).withLive(true));
    lenient.accept(Online.Row.of(1, 0.5));
    lenient.accept(Online.Row.of(1, 7));
    assertEquals(1, lenient.statistics().count());
    assertEquals(1, lenient.statistics().skipped());
  }

  @Test
  void rowsOutsideAtTheBeginningAreSkippedLikeAnyOther() throws Exception {
    var options = Online.Options.DEFAULT.withOutside(Outside.SKIP).withRefreshRows(5);
    Online online = Online.of(LINE, smooth(1), options);
    Subscriber subscriber = online.subscriber(4);
    Rows rows = Rows.of(40, 1, 3);
    try (var publisher = new SubmissionPublisher<Online.Row>(Runnable::run, 64)) {
      publisher.subscribe(subscriber);
      for (int i = 0; i < 12; i++) publisher.submit(Online.Row.of(1, 7)); // outside
      for (int i = 0; i < 40; i++) publisher.submit(Online.Row.of(rows.y[i], rows.x[i]));
    }
    assertSamePredictions(
        refit(LINE, rows, null, smooth(1)),
        subscriber.completion().get(60, TimeUnit.SECONDS),
        1e-8);
    assertEquals(12, online.statistics().skipped());
    assertEquals(40, online.statistics().count());
  }

  @Test
  void rowThatWasNeverAddedCannotBeForgotten() {
    var options = Online.Options.DEFAULT.withWindow(Window.REVOCABLE).withRefreshRows(10);
    Rows rows = Rows.of(30, 1, 4);
    Online online = Online.of(LINE, smooth(1), options);
    rows.feed(online, 0, 30);
    online.add(rows.x, 0, rows.y[0], 1); // the first row a second time
    double[] point = {rows.x[5]};
    for (double[] wrong :
        new double[][] {{0.999, 1, 1}, {point[0], rows.y[5] + 1, 1}, {point[0], rows.y[5], 2}}) {
      var e =
          assertThrows(
              IllegalArgumentException.class,
              () -> online.forget(new double[] {wrong[0]}, 0, wrong[1], wrong[2]));
      assertTrue(
          String.valueOf(e.getMessage()).contains("was not added, or is forgotten already"),
          e.getMessage());
    }
    online.forget(rows.x, 0, rows.y[0], 1); // one of two
    assertSamePredictions(refit(LINE, rows, null, smooth(1)), online.refresh(), 1e-8);
    online.forget(rows.x, 0, rows.y[0], 1);
    assertThrows(IllegalArgumentException.class, () -> online.forget(rows.x, 0, rows.y[0], 1));
    assertSamePredictions(refit(LINE, rows.rows(1, 30), null, smooth(1)), online.refresh(), 1e-8);
    Online all = Online.of(LINE, smooth(1), Online.Options.DEFAULT);
    all.add(rows.x, 0, rows.y[0], 1);
    var e =
        assertThrows(
            UnsupportedOperationException.class, () -> all.forget(rows.x, 0, rows.y[0], 1));
    assertTrue(String.valueOf(e.getMessage()).contains("Window.REVOCABLE"), e.getMessage());
  }

  @Test
  void decayingWindowCannotBeLive() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Online.Options.DEFAULT.withWindow(Window.decaying(5)).withLive(true));
    assertThrows(IllegalArgumentException.class, () -> Window.sliding(0));
    assertThrows(IllegalArgumentException.class, () -> Window.decaying(Double.NaN));
  }

  /// Remembers what it was asked for.
  private static final class Asked implements Flow.Subscription {
    final List<Long> requests = new ArrayList<>();
    int cancelled;

    @Override
    public void request(long n) {
      requests.add(n);
    }

    @Override
    public void cancel() {
      cancelled++;
    }
  }

  @Test
  void subscriberAsksForTheNextRowsWhenItHasThoseItAskedFor() {
    Subscriber subscriber = Online.of(LINE, smooth(1), Online.Options.DEFAULT).subscriber(3);
    Asked asked = new Asked();
    subscriber.onSubscribe(asked);
    assertEquals(List.of(3L), asked.requests);
    for (int i = 0; i < 8; i++) {
      subscriber.onNext(Online.Row.of(1, 0.1 * i));
      assertEquals(1 + (i + 1) / 3, asked.requests.size(), "after row " + i);
    }
    Asked second = new Asked();
    subscriber.onSubscribe(second);
    assertEquals(1, second.cancelled);
    assertEquals(List.of(), second.requests);
    assertEquals(0, asked.cancelled);
    Asked whole = new Asked();
    Online.of(LINE, smooth(1), Online.Options.DEFAULT).subscriber().onSubscribe(whole);
    assertEquals(List.of(256L), whole.requests);
  }

  @Test
  void rowsWithMoreColumnsThanTheGridAreRefused() {
    Online online = Online.of(LINE, smooth(1), Online.Options.DEFAULT);
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> online.accept(Online.Row.of(1, 0.5, 0.6)));
    assertEquals("a point needs 1 columns, got 2", e.getMessage());
    assertEquals(0, online.statistics().count());
  }

  @Test
  void theShortestWindowHoldsTheLastRow() {
    Rows rows = Rows.of(9, 1, 20);
    Online online =
        Online.of(LINE, smooth(1), Online.Options.DEFAULT.withWindow(Window.sliding(1)));
    rows.feed(online, 0, 9);
    assertEquals(1, online.statistics().count());
    assertSamePredictions(online.refresh(), refit(LINE, rows.rows(8, 9), null, smooth(1)), 1e-8);
  }

  @Test
  void jitterOfUpdatesIsCounted() {
    Hyperparameters h =
        Hyperparameters.of(Kernel.parse("1*rbf(lengthscale=0.3)").bind(1), 1e-18, PriorMean.ZERO);
    GridStatistics crowded = HonestBoundsTest.crowded(Interpolated.cube(1, 60));
    SpectralUpdates updates = Objects.requireNonNull(SpectralUpdates.of(crowded, h));
    double[] out = new double[2];
    updates.predict(new double[] {0.4}, 0, out);
    assertTrue(out[1] >= 0.1, "variance " + out[1]);
  }
}
