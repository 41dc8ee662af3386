package lovelace.experiments;

import lovelace.Model;
import lovelace.likelihood.Likelihood.Of;
import lovelace.posterior.Prediction;

/// The result of one problem of `bench likelihoods`.
///
/// @param runs the number of draws or folds over which the figures are averaged
/// @param nlpd negative log predictive density: of the latent function on a lattice, otherwise of
///   rows that were held out
/// @param mse mean squared error of the predictive mean, of the same
/// @param seconds of a fit
/// @param exactRatio of mse to that with the exact kernel on windows; NaN without windows
/// @param published mse and seconds of others; NaN if there are none
/// @param difference of nlpd from that of a peer, mean of the folds, and its standard error; NaN
///   without a peer
/// @param parameters that were learned; empty if they were given
public record LikelihoodScore(
    String problem,
    String likelihood,
    int runs,
    double nlpd,
    double mse,
    double seconds,
    long peakBytes,
    double exactRatio,
    Published published,
    Difference difference,
    String parameters) {

  /// Figures of others.
  public record Published(double mse, double seconds) {
    static final Published NONE = new Published(Double.NaN, Double.NaN);
  }

  /// A paired difference.
  public record Difference(double mean, double standardError) {
    static final Difference NONE = new Difference(Double.NaN, Double.NaN);
  }

  /// The mean negative log density and the mean squared error of observations under a model.
  static double[] of(Model model, double[] points, double[] y) {
    Prediction observation = model.predict(points, Of.OBSERVATION);
    double nlpd = 0;
    double mse = 0;
    for (int i = 0; i < y.length; i++) {
      double e = observation.mean(i) - y[i];
      nlpd -= observation.logDensity(i, y[i]) / y.length;
      mse += e * e / y.length;
    }
    return new double[] {nlpd, mse};
  }
}
