package lovelace.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.engines.Engines;
import lovelace.inference.LatticeEngine;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.linear.Gaussian;
import lovelace.options.Options;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;
import lovelace.source.Source;
import lovelace.statistics.GridStatistics;

/// Checks whether a model's intervals contain the right share of data that it has not seen. In five
/// rounds, a fifth of the rows is subtracted from the statistics and predicted. If there are no
/// rows, a fifth of the grid's occupied cells is left out, and their averages are predicted.
/// Hyperparameters stay.
final class StudioChecks {

  static final int FOLDS = 5;
  private static final int MOST = 20_000;
  private static final int LEAST = 10;
  static final int SHOWN = 1500;
  static final int MANY = 400; // with this many targets, bins are narrow

  private final String kind;
  private final String transform;
  private final double[] mean; // of the modelled target
  private final double[] variance;
  private final double[] target;
  private int next = 0;

  private StudioChecks(String kind, String transform, int n) {
    this.kind = kind;
    this.transform = transform;
    mean = new double[n];
    variance = new double[n];
    target = new double[n];
  }

  static Map<String, Object> of(StudioSession session, Options.Maker maker) {
    StudioSession.State state = session.state();
    Model model = state.model();
    Dataset rows = session.rows();
    String transform = model.transform().text();
    if (rows != null) {
      if (rows.size() < LEAST) throw tooFew("rows", rows.size());
      int[] chosen = shuffled(rows.size());
      int n = Math.min(chosen.length, MOST);
      if (model.laplace().isPresent()) return StudioScores.of(model, rows, chosen, n, maker);
      StudioChecks checks = new StudioChecks("rows", transform, n);
      for (int f = 0; f < FOLDS; f++) checks.rows(model, rows.select(fold(chosen, n, f)), maker);
      return checks.answer();
    }
    LatticePosterior lattice = model.lattice().orElse(null);
    if (model.laplace().isPresent())
      throw Refusal.wrong(
          "a model file of likelihood %s keeps no rows that could be left out; upload the table to check it",
          model.likelihood());
    if (lattice == null || !(lattice.statistics() instanceof GridStatistics statistics))
      throw Refusal.wrong(
          "this model is a sum of functions and keeps no cells that could be left out; upload its rows to check it");
    int n = statistics.occupiedCells();
    if (n < LEAST) throw tooFew("occupied cells", n);
    StudioChecks checks = new StudioChecks("averages", transform, n);
    int[] chosen = shuffled(n);
    for (int f = 0; f < FOLDS; f++) checks.cells(lattice, statistics, fold(chosen, n, f));
    return checks.answer();
  }

  private static Refusal tooFew(String what, int count) {
    return Refusal.wrong("%d %s are too few for a check; it needs at least %d", count, what, LEAST);
  }

  private static int[] shuffled(int n) {
    SplittableRandom random = new SplittableRandom(1);
    int[] order = IntStream.range(0, n).toArray();
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swap = order[i];
      order[i] = order[j];
      order[j] = swap;
    }
    return order;
  }

  static int[] fold(int[] chosen, int n, int fold) {
    return IntStream.range(0, n)
        .filter(i -> i % FOLDS == fold)
        .map(i -> chosen[i])
        .sorted()
        .toArray();
  }

  private void rows(Model model, Dataset held, Options.Maker maker) {
    Model rest;
    try {
      rest = model.without(Source.of(held), Outside.SKIP, maker);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    Prediction p = rest.posterior().predictObservation(held.inputs());
    for (int i = 0; i < held.size(); i++)
      add(p.mean(i), p.variance(i), model.transform().apply(held.target()[i]));
  }

  private void cells(LatticePosterior whole, GridStatistics s, int[] held) {
    int count = s.occupiedCells() - held.length;
    int[] cells = new int[count];
    long[] counts = new long[count];
    double[][] moments = new double[count][];
    int at = 0;
    for (int c = 0; c < s.occupiedCells(); c++) {
      if (Arrays.binarySearch(held, c) >= 0) continue;
      cells[at] = s.occupiedCell(c);
      counts[at] = s.occupiedCount(c);
      moments[at++] = s.occupiedMoments(c);
    }
    GridStatistics rest =
        GridStatistics.assemble(s.grid(), s.origin(), cells, counts, moments, s.skipped());
    LatticePosterior posterior =
        posterior(rest, whole.hyperparameters(), whole.certificate().tolerance());
    double[] averages = s.averages();
    int d = s.grid().dimensions();
    double[] points = new double[held.length * d];
    for (int i = 0; i < held.length; i++)
      System.arraycopy(averages, held[i] * (d + 1), points, i * d, d);
    Prediction p = posterior.predict(points);
    for (int i = 0; i < held.length; i++)
      add(
          p.mean(i),
          p.variance(i) + posterior.noise() / s.occupiedMoments(held[i])[0],
          averages[held[i] * (d + 1) + d]);
  }

  private static LatticePosterior posterior(GridStatistics s, Hyperparameters h, double tolerance) {
    LatticeEngine engine = Engines.cheapest(s, h, 1);
    return LatticePosterior.of(engine.posterior(h, tolerance), tolerance);
  }

  private void add(double m, double v, double y) {
    mean[next] = m;
    variance[next] = v;
    target[next++] = y;
  }

  private Map<String, Object> answer() {
    int n = next;
    double[] z = new double[n];
    long[] bins = new long[n < MANY ? 10 : 20];
    for (int i = 0; i < n; i++) {
      z[i] = (target[i] - mean[i]) / Math.sqrt(variance[i]);
      bins[Math.clamp((int) (Gaussian.cdf(z[i]) * bins.length), 0, bins.length - 1)]++;
    }
    List<double[]> coverage = new ArrayList<>();
    for (int level = 5; level <= 95; level += 5) coverage.add(covered(z, level / 100.0));
    coverage.add(covered(z, 0.99));
    Scores scores = Scores.of(mean, variance, target);
    int step = Math.max(1, n / SHOWN);
    int shown = (n + step - 1) / step;
    double[] m = new double[shown];
    double[] r = new double[shown];
    for (int i = 0; i < shown; i++) {
      m[i] = mean[i * step];
      r[i] = z[i * step];
    }
    return Answers.map(
        "kind", kind,
        "transform", transform,
        "count", n,
        "bins", bins,
        "coverage", coverage,
        "mean", StudioView.floats(m),
        "residual", StudioView.floats(r),
        "rmse", scores.rmse(),
        "mae", scores.mae(),
        "nlpd", scores.nlpd(),
        "crps", scores.crps(),
        "spread", deviation(z));
  }

  /// A level, and the share of targets inside the central interval of that level.
  static double[] covered(double[] z, double level) {
    double half = Gaussian.quantile(0.5 * (1 + level));
    long inside = Arrays.stream(z).filter(value -> Math.abs(value) <= half).count();
    return new double[] {level, inside / (double) z.length};
  }

  /// The root mean square of standardised residuals. It is 1 if the intervals are right.
  static double deviation(double[] z) {
    return Math.sqrt(Arrays.stream(z).map(v -> v * v).average().orElse(0));
  }
}
