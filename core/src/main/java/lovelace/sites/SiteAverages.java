package lovelace.sites;

import lovelace.linear.Parallel;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.Areas;
import lovelace.posterior.internal.PredictionArrays;
import lovelace.sparse.LocalRegressions;

/// Means of a [SiteGp] over areas.
final class SiteAverages {

  private SiteAverages() {}

  /// Half a solve with the factor for each area, and for its residuals half a kernel value for each
  /// pair of its points and of those that they are kriged from.
  static Prediction of(SiteGp gp, Areas areas) {
    int d = gp.dimensions();
    var all = new PredictionArrays(areas.count());
    double least = LocalRegressions.Point.NUGGET * gp.priorVariance();
    for (int from = 0; from < areas.count(); from += SiteFactor.PANEL) {
      int first = from;
      int count = Math.min(SiteFactor.PANEL, areas.count() - from);
      double[] block = new double[gp.factor.panel()];
      double[] losses = new double[count];
      boolean[] beyond = new boolean[count];
      Parallel.forEach(
          count,
          c -> {
            double[] x = areas.points(first + c);
            double[] w = areas.weights(first + c);
            SiteKriging kriging = gp.kriging(x);
            double mean = 0;
            for (int i = 0; i < w.length; i++) {
              beyond[c] |= w[i] > 0 && kriging.outside[i];
              mean +=
                  w[i]
                      * (gp.hyperparameters().mean().at(x, i * d) + kriging.mean(i, 1, 0, gp.mean));
            }
            all.means[first + c] = mean;
            kriging.addSum(w, SiteFactor.PANEL, c, block);
            losses[c] = kriging.sumVariance(w);
          });
      double[] inside = gp.factor.quadratics(block);
      for (int c = 0; c < count; c++)
        all.variance(first + c, inside[c] + losses[c], least, beyond[c]);
    }
    return all.done();
  }
}
