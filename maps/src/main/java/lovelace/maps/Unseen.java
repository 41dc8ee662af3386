package lovelace.maps;

import java.util.Arrays;
import java.util.Optional;
import lovelace.Model;
import lovelace.data.Dataset;
import lovelace.kernel.Kernel;
import lovelace.likelihood.Likelihood.Of;
import lovelace.posterior.Prediction;

/// Finds places that are far from every row of a model that holds its rows. The standard deviation
/// there is within one per cent of its value without any row.
public final class Unseen {

  private static final double SHARE = 0.99;

  private final double least; // variance

  private Unseen(double least) {
    this.least = least;
  }

  /// Makes the test for a model and a quantity. Empty for a model on a grid, which knows its
  /// limits, and for a kernel whose variance is not the same everywhere.
  public static Optional<Unseen> of(Model model, Of of) {
    Dataset rows = model.held().map(held -> held.data()).orElse(null);
    Kernel kernel = model.hyperparameters().kernel();
    if (rows == null || !kernel.isStationary()) return Optional.empty();
    double[] row = Arrays.copyOf(rows.inputs(), rows.dimensions());
    double prior = kernel.variance(model.features(row), 0);
    double noise = of == Of.OBSERVATION && model.likelihood().isGaussian() ? model.noise() : 0;
    return Optional.of(new Unseen(SHARE * SHARE * prior + noise));
  }

  /// Whether a point of a prediction is far from every row.
  public boolean at(Prediction prediction, int i) {
    return prediction.gaussianVariance(i) >= least;
  }
}
