package lovelace.online;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import lovelace.data.Outside;
import lovelace.engines.Engines;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.krylov.KrylovEngine;
import lovelace.lattice.LatticePosterior;
import lovelace.linear.ConjugateGradients;
import lovelace.love.Love;
import lovelace.love.LoveCovariance;
import lovelace.plan.Engine;
import lovelace.statistics.GridStatistics;
import org.jspecify.annotations.Nullable;

/// A posterior that follows a stream of observations. Its hyperparameters do not change.
///
/// ```java
/// Online online = Online.of(grid, hyperparameters, Online.Options.DEFAULT.withRefreshRows(500));
/// online.add(x, y);
/// online.posterior().predict(points);   // as of the last refresh
/// ```
///
/// Adding an observation changes a few sums. After a number of observations, or after some time,
/// the sums become a posterior with its tables, which readers use without waiting. If the krylov
/// engine computes it, conjugate gradients start from the last mean. A *live* online posterior also
/// follows every single observation by a rank-one update of the spectral engine's factor. So
/// [#predict] always takes every observation into account, at a cost of O(r²) with r Fourier modes.
///
/// Threads may share it; they add one after another.
public final class Online implements Consumer<Online.Row> {

  /// One observation.
  public static final class Row {
    private final double[] point;
    private final double target;
    private final double weight;

    private Row(double[] point, double target, double weight) {
      this.point = point;
      this.target = target;
      this.weight = weight;
    }

    /// Makes an observation of a target at a point, with weight one.
    public static Row of(double target, double... point) {
      return weighted(target, 1, point);
    }

    /// Makes an observation with noise variance σ²/weight.
    public static Row weighted(double target, double weight, double... point) {
      return new Row(point.clone(), target, weight);
    }
  }

  /// How a stream is followed.
  ///
  /// @param window which observations count
  /// @param refreshRows the number of observations after which the posterior is recomputed
  /// @param refreshInterval the time after which the posterior is recomputed, checked when an
  ///   observation arrives
  /// @param live whether [Online#predict] follows every observation
  /// @param engine the engine that computes the posterior
  /// @param tolerance the largest relative error of a variance
  /// @param outside what happens to an observation outside the grid
  public record Options(
      Window window,
      long refreshRows,
      Duration refreshInterval,
      boolean live,
      Engine engine,
      double tolerance,
      Outside outside) {

    /// All observations count. The posterior is recomputed after 1,000 of them, however long that
    /// takes. Not live; one per cent tolerance.
    public static final Options DEFAULT =
        new Options(
            Window.ALL, 1000, Duration.ofDays(36500), false, Engine.AUTO, 0.01, Outside.ERROR);

    public Options {
      if (refreshRows < 1)
        throw new IllegalArgumentException("refreshRows must be >= 1, got " + refreshRows);
      if (refreshInterval.isNegative() || refreshInterval.isZero())
        throw new IllegalArgumentException("refreshInterval must be > 0, got " + refreshInterval);
      if (!(tolerance > 0 && tolerance < 1))
        throw new IllegalArgumentException("tolerance must lie between 0 and 1, got " + tolerance);
      if (live && window instanceof Window.Decaying)
        throw new IllegalArgumentException(
            "live predictions cannot follow a decaying window, which changes every weight with every observation; use a sliding window, or refreshRows 1");
    }

    public Options withWindow(Window value) {
      return new Options(value, refreshRows, refreshInterval, live, engine, tolerance, outside);
    }

    public Options withRefreshRows(long value) {
      return new Options(window, value, refreshInterval, live, engine, tolerance, outside);
    }

    public Options withRefreshInterval(Duration value) {
      return new Options(window, refreshRows, value, live, engine, tolerance, outside);
    }

    public Options withLive(boolean value) {
      return new Options(window, refreshRows, refreshInterval, value, engine, tolerance, outside);
    }

    public Options withEngine(Engine value) {
      return new Options(window, refreshRows, refreshInterval, live, value, tolerance, outside);
    }

    public Options withTolerance(double value) {
      return new Options(window, refreshRows, refreshInterval, live, engine, value, outside);
    }

    public Options withOutside(Outside value) {
      return new Options(window, refreshRows, refreshInterval, live, engine, tolerance, value);
    }
  }

  private static final long SEED = 1;

  private final Hyperparameters hyperparameters;
  private final Options options;
  private final Grid grid;
  private final WindowedStatistics sums;
  private @Nullable SpectralUpdates live;
  private double @Nullable [] start; // the last mean less the prior mean
  private int iterations;
  private long since;
  private long refreshed = System.nanoTime();
  private volatile @Nullable LatticePosterior posterior;

  private Online(GridStatistics from, Hyperparameters hyperparameters, Options options) {
    if (!hyperparameters.likelihood().isGaussian())
      throw new IllegalArgumentException(
          "a stream takes Gaussian noise, and the likelihood is %s; add rows to a model instead"
              .formatted(hyperparameters.likelihood()));
    this.hyperparameters = hyperparameters;
    this.options = options;
    grid = from.grid();
    sums = new WindowedStatistics(from, options.window, options.outside);
    if (options.live) live = follow();
  }

  /// Starts an empty stream on a grid. All hyperparameters must be set.
  public static Online of(Grid grid, Hyperparameters hyperparameters, Options options) {
    return new Online(GridStatistics.empty(grid), hyperparameters, options);
  }

  /// Continues a stream from the data of a posterior. A sliding window starts empty and never drops
  /// the observations of the posterior.
  public static Online from(LatticePosterior posterior, Options options) {
    if (!(posterior.statistics() instanceof GridStatistics statistics))
      throw new IllegalArgumentException(
          "a stream needs one grid, the posterior is a sum over several; add rows to the model instead");
    Online online = new Online(statistics, posterior.hyperparameters(), options);
    online.posterior = posterior;
    return online;
  }

  /// Adds an observation y at x.
  public void add(double[] x, double y) {
    add(x, 0, y, 1);
  }

  /// Adds an observation y at the point that starts at `x[xo]`, with noise variance σ²/weight.
  public synchronized void add(double[] x, int xo, double y, double weight) {
    boolean inside = sums.add(x, xo, y, weight);
    SpectralUpdates following = live;
    if (inside && following != null) {
      following.add(x, xo, y, weight);
      sums.leaving((p, po, target, w) -> forgetLive(p, po, target, w));
    }
    if (inside) since++;
    if (since > 0 && due() && sums.statistics().count() > 0) refresh();
  }

  private boolean due() {
    return since >= options.refreshRows
        || System.nanoTime() - refreshed >= options.refreshInterval.toNanos();
  }

  @Override
  public void accept(Row row) {
    requireColumns(row.point);
    add(row.point, 0, row.target, row.weight);
  }

  /// Removes an observation that was added earlier. The window must be [Window#REVOCABLE]. An
  /// observation that was never added is refused, and nothing changes.
  public synchronized void forget(double[] x, int xo, double y, double weight) {
    if (!sums.forget(x, xo, y, weight)) return;
    forgetLive(x, xo, y, weight);
    since++;
  }

  private void forgetLive(double[] x, int xo, double y, double weight) {
    SpectralUpdates following = live;
    if (following == null) return;
    try {
      following.forget(x, xo, y, weight);
    } catch (ArithmeticException e) {
      live = follow(); // rounding is larger than the rest: starts again from the sums
    }
  }

  private void requireColumns(double[] point) {
    if (point.length != grid.dimensions())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "a point needs %d columns, got %d", grid.dimensions(), point.length));
  }

  private SpectralUpdates follow() {
    SpectralUpdates made = SpectralUpdates.of(sums.statistics(), hyperparameters);
    if (made == null)
      throw new IllegalArgumentException(
          "Fourier modes cannot represent the kernel %s on the %s: %s; turn live off"
              .formatted(
                  hyperparameters.kernel(),
                  grid,
                  SpectralUpdates.obstacle(sums.statistics(), hyperparameters)));
    return made;
  }

  /// Computes the posterior of all observations so far. Live predictions continue from it too.
  public synchronized LatticePosterior refresh() {
    GridStatistics statistics = sums.statistics();
    if (statistics.count() == 0)
      throw new IllegalStateException(
          "no observation inside the grid has come yet, or all are forgotten; add some first");
    LatticeEngine engine =
        Engines.choose(statistics, hyperparameters, options.engine).engine(statistics, SEED);
    LatticePosterior made;
    if (engine instanceof KrylovEngine) {
      LatticeProblem problem = LatticeProblem.of(statistics, hyperparameters);
      LatticeProblem.Mean mean = problem.mean(ConjugateGradients.DEFAULT, start);
      start = mean.values();
      iterations = mean.iterations();
      LoveCovariance love = Love.DEFAULT.withTolerance(options.tolerance).build(problem);
      made = LatticePosterior.of(new LatticeDistribution(problem, love, mean), options.tolerance);
    } else {
      LatticeDistribution c = engine.posterior(hyperparameters, options.tolerance);
      made = LatticePosterior.of(c, options.tolerance);
    }
    if (options.live) live = follow();
    posterior = made;
    since = 0;
    refreshed = System.nanoTime();
    return made;
  }

  /// The posterior of the last refresh. If there was none, it is computed now.
  public LatticePosterior posterior() {
    LatticePosterior made = posterior;
    return made == null ? refresh() : made;
  }

  /// The number of observations added or removed since the last refresh, without skipped ones.
  public synchronized long waiting() {
    return since;
  }

  /// The number of steps of conjugate gradients in the last refresh; 0 if the engine was not
  /// krylov.
  public synchronized int iterations() {
    return iterations;
  }

  /// The statistics of all observations in the window.
  public synchronized GridStatistics statistics() {
    return sums.statistics();
  }

  /// Fills `out[0]` with the mean and `out[1]` with the variance of f at a point of the grid. If
  /// the stream is live, they include every observation so far; otherwise they are as of the last
  /// refresh.
  public void predict(double[] x, double[] out) {
    requireColumns(x);
    if (!options.live) {
      posterior().evaluate(x, 0, out);
      return;
    }
    synchronized (this) {
      if (live == null) live = follow();
      live.predict(x, 0, out);
    }
  }

  /// Returns a subscriber that adds published observations, and requests `batch` of them at a time.
  public Subscriber subscriber(int batch) {
    return new Subscriber(this, batch);
  }

  /// Returns a subscriber that requests 256 observations at a time.
  public Flow.Subscriber<Row> subscriber() {
    return subscriber(256);
  }

  /// The grid.
  public Lattice lattice() {
    return grid;
  }

  /// Which observations of a stream count.
  public sealed interface Window {

    /// All observations, with their original weights.
    Window ALL = new All(false);

    /// All observations, and [Online#forget] can remove each of them. Every observation is
    /// remembered, in some hundred bytes, so that only added ones can be removed.
    Window REVOCABLE = new All(true);

    /// The last `rows` observations. Older ones are forgotten.
    static Window sliding(int rows) {
      return new Sliding(rows);
    }

    /// All observations, but older ones count less: `weight · 2^(−age/halfLife)`, where the age is
    /// the number of later observations. An observation that fades has noise variance σ²/weight and
    /// stays in the count.
    static Window decaying(double halfLife) {
      return new Decaying(halfLife);
    }

    /// See [#ALL] and [#REVOCABLE].
    record All(boolean revocable) implements Window {}

    /// See [#sliding].
    record Sliding(int rows) implements Window {
      public Sliding {
        if (rows < 1) throw new IllegalArgumentException("rows must be >= 1, got " + rows);
      }
    }

    /// See [#decaying].
    record Decaying(double halfLife) implements Window {
      public Decaying {
        if (!(halfLife >= 1 && halfLife < Double.POSITIVE_INFINITY))
          throw new IllegalArgumentException(
              "halfLife must be >= 1 observation and finite, got " + halfLife);
      }

      /// The factor by which every later observation multiplies a weight.
      public double factor() {
        return Math.exp(-Math.log(2) / halfLife);
      }
    }
  }

  /// Adds the observations of a publisher to an [Online] posterior, and refreshes it when the
  /// stream ends. An observation that cannot be added cancels the subscription, and [#completion]
  /// fails.
  public static final class Subscriber implements Flow.Subscriber<Online.Row> {

    private final Online online;
    private final int batch;
    private final CompletableFuture<LatticePosterior> completion = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private int left;

    Subscriber(Online online, int batch) {
      if (batch < 1) throw new IllegalArgumentException("batch must be >= 1, got " + batch);
      this.online = online;
      this.batch = batch;
    }

    /// The posterior of the whole stream once it has ended, or the reason why it failed.
    public CompletableFuture<LatticePosterior> completion() {
      return completion;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      if (subscription != null) {
        given.cancel();
        return;
      }
      subscription = given;
      left = batch;
      given.request(batch);
    }

    @Override
    public void onNext(Online.Row row) {
      Flow.Subscription own = subscription;
      if (own == null || completion.isDone()) return;
      try {
        online.accept(row);
      } catch (RuntimeException e) {
        own.cancel();
        completion.completeExceptionally(e);
        return;
      }
      if (--left == 0) {
        left = batch;
        own.request(batch);
      }
    }

    @Override
    public void onError(Throwable failure) {
      completion.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      if (completion.isDone()) return;
      try {
        completion.complete(online.refresh());
      } catch (RuntimeException e) {
        completion.completeExceptionally(e);
      }
    }
  }
}
