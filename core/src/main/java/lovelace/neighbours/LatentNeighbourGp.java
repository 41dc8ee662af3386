package lovelace.neighbours;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.inference.Evidence;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.PriorMean;
import lovelace.likelihood.Likelihood;
import lovelace.linear.Parallel;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Points;
import lovelace.posterior.internal.RowPosterior;
import org.jspecify.annotations.Nullable;

public final class LatentNeighbourGp {
  static int LOCAL = Integer.getInteger("local", 100);
  static int DRAWS = Integer.getInteger("draws", 128);
  private static final double LEAST = 1e-12;
  private final Dataset data;
  private final Hyperparameters h;
  private final LatentPrior prior;
  private final LatentSystem system;
  final LatentMode mode;
  private final Dataset places;
  private final int k;
  private final NeighbourGp near;
  private final LatentDraws draws;
  private final double[] values;

  LatentNeighbourGp(VecchiaLaplace laplace, Dataset data, Hyperparameters h, int k, long seed) {
    this.data = data;
    this.h = h;
    this.prior = laplace.prior(h);
    this.mode = laplace.mode(prior, h, WarmStart.NONE);
    this.places = laplace.places();
    int n = prior.size();
    this.k = Math.min(k, n);
    double[] w = mode.curvatures.clone();
    for (int j = 0; j < n; j++) w[j] = Math.max(w[j], LEAST);
    this.system = new LatentSystem(prior, w);
    this.near = NeighbourGp.of(places.withWeights(w), Hyperparameters.of(h.kernel(), 1, PriorMean.ZERO), LOCAL);
    this.draws = new LatentDraws(prior, system, w, DRAWS, seed);
    this.values = new double[n];
    double[] s = new double[n];
    double[] v = variances(places.inputs(), n, new double[n]);
    for (int j = 0; j < n; j++) s[j] = -0.5 * v[j] * mode.curvatureSlopes[j];
    double[] a = system.solve(s, 1e-8, 0);
    for (int j = 0; j < n; j++) values[j] = mode.values[j] + a[j];
  }

  NeighbourGp near() { return near; }
  double[] variances(double[] x, int count, double[] means) {
    int d = places.dimensions();
    int used = near.used();
    int[] nearest = near.nearest(x, count);
    double[] out = new double[count];
    Parallel.chunks(count, 64, (piece, from, to) -> {
      LocalSystem by = new LocalSystem(near.places(), near.hyperparameters(), used, false);
      LocalSystem exact = new LocalSystem(places, h, k, false);
      LatentDraws.Estimate e = draws.new Estimate();
      for (int t = from; t < to; t++) {
        by.around(x, t*d);
        for (int a = 0; a < used; a++) by.row(a, nearest[t*used+a]);
        by.point(used, x, t*d);
        by.factor(used);
        double whole = by.rest();
        by.solve();
        exact.around(x, t*d);
        for (int a = 0; a < k; a++) exact.point(a, places.inputs(), nearest[t*used+a]*d, values[nearest[t*used+a]]);
        exact.point(k, x, t*d);
        exact.factor(k);
        exact.solve();
        e.clear();
        for (int a = 0; a < k; a++) e.value(nearest[t*used+a], -exact.v[a]);
        for (int a = 0; a < used; a++) e.observation(nearest[t*used+a], -by.v[a]);
        means[t] = h.mean().at(x, t*d) - exact.error();
        out[t] = e.variance(Math.max(0, exact.rest()), whole);
      }
    });
    return out;
  }
}
