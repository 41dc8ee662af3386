package lovelace.series;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import lovelace.linear.Gaussian;

/// Draws joint paths of a forecast: a point of the library first, then a path of its process. Each
/// step is then moved so that it has the calibrated distribution.
public final class Paths {

  private final Library library;
  private final int horizon;
  private final Forecasting forecasting;

  Paths(Library library, int horizon, Forecasting forecasting) {
    this.library = library;
    this.horizon = horizon;
    this.forecasting = forecasting;
  }

  /// Paths by number, then step.
  double[][] draw(
      History history,
      Reading reading,
      Mixture mixture,
      Calibration calibration,
      int count,
      SplittableRandom random) {
    double[] shares = forecasting.shares(reading);
    double[][] paths = new double[count][];
    int[] point = new int[count];
    for (int i = 0; i < count; i++) point[i] = choose(shares, random.nextDouble());
    int[] order = Arrays.stream(point).distinct().sorted().toArray();
    SplittableRandom[] streams = new SplittableRandom[count];
    for (int i = 0; i < count; i++) streams[i] = random.split();
    for (int chosen : order) {
      PointPaths process = chosen < 0 ? null : process(history, chosen);
      for (int i = 0; i < count; i++)
        if (point[i] == chosen)
          paths[i] = process == null ? naive(history, streams[i]) : process.path(streams[i]);
    }
    for (double[] path : paths)
      for (int k = 0; k < horizon; k++) path[k] = mixture.moved(k, path[k], calibration);
    return paths;
  }

  /// A point by its share, or −1 for the naive process.
  private static int choose(double[] shares, double u) {
    if (u < Forecasting.NAIVE) return -1;
    double rest = (u - Forecasting.NAIVE) / (1 - Forecasting.NAIVE);
    int last = 0;
    for (int j = 0; j < shares.length; j++) {
      if (shares[j] == 0) continue;
      last = j;
      rest -= shares[j];
      if (rest < 0) return j;
    }
    return last;
  }

  private PointPaths process(History history, int point) {
    int w = point % library.warps().size();
    History seen = history.hasGaps() ? history.withoutGaps() : history;
    Group group = Group.of(List.of(seen), new int[1], (i, warp) -> warp == w);
    Factor factor =
        Factor.of(library.shape(point), Forecasting.steps(history, horizon), history.covariates);
    return new PointPaths(history, w, factor, group.whitened(factor).at(seen.size()));
  }

  /// The last season again and again, with changes from season to season.
  private double[] naive(History history, SplittableRandom random) {
    int n = history.size();
    int m = forecasting.naivePeriod(n);
    double width = forecasting.naiveWidth(history, n);
    double[] path = new double[horizon];
    for (int k = 0; k < horizon; k++) {
      double before = k < m ? history.values[n - m + k] : path[k - m];
      path[k] = before + width * Gaussian.quantile(open(random));
    }
    for (int k = 0; k < horizon; k++) path[k] *= history.scale;
    return path;
  }

  /// A number between 0 and 1, never one of them.
  private static double open(SplittableRandom random) {
    return Math.max(random.nextDouble(), 0x1p-60);
  }

  /// The paths of one point: `place + s √(ν/χ²) (L₂₂ z + r z₀/√o)`.
  private final class PointPaths {
    private final History history;
    private final int warp;
    private final Factor factor;
    private final Group.Whitened.Origin origin;
    private final double[] place;
    private final double[] rest;

    PointPaths(History history, int warp, Factor factor, Group.Whitened.Origin origin) {
      this.history = history;
      this.warp = warp;
      this.factor = factor;
      this.origin = origin;
      place = origin.ahead(horizon).place();
      rest = origin.rest(horizon);
    }

    double[] path(SplittableRandom random) {
      int n = origin.n;
      int nu = n - 1;
      double chi = 0;
      for (int i = 0; i < nu; i++) {
        double z = Gaussian.quantile(open(random));
        chi += z * z;
      }
      double width = Math.sqrt(origin.sum[0] / chi);
      double level = Gaussian.quantile(open(random)) / Math.sqrt(origin.squares);
      double[] z = new double[horizon];
      double[] path = new double[horizon];
      Warp back = library.warps().get(warp);
      for (int k = 0; k < horizon; k++) {
        z[k] = Gaussian.quantile(open(random));
        double sum = rest[k] * level;
        for (int j = 0; j <= k; j++) sum += factor.l[(n + k) * factor.size + n + j] * z[j];
        path[k] = history.scale * back.back(history.centre[warp] + place[k] + width * sum);
      }
      return path;
    }
  }
}
