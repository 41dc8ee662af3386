package lovelace.tables;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.data.FeatureMap;
import lovelace.data.TargetTransform;
import lovelace.kernel.Hyperparameters;

/// A model that was tried, with its predictions of the rows held out.
///
/// @param name for people
/// @param form its parameters, unset if they are learned
/// @param learned the parameters of each fold; empty for a rival of another kind
/// @param map the features that its kernel reads in place of the columns, if it does
/// @param transform of the target
/// @param densities `log p(y)` of each row held out, in the target's own unit
record Trial(
    String name,
    Hyperparameters form,
    List<Hyperparameters> learned,
    Optional<FeatureMap> map,
    TargetTransform transform,
    List<Double> densities) {

  Trial {
    learned = List.copyOf(learned);
    densities = List.copyOf(densities);
  }

  /// The same under another name.
  Trial named(String other) {
    return new Trial(other, form, learned, map, transform, densities);
  }

  /// The mean of `−log p(y)`; infinite if one is not a number.
  double nlpd() {
    double sum = 0;
    for (double density : densities) sum -= density;
    return Double.isNaN(sum) ? Double.POSITIVE_INFINITY : sum / densities.size();
  }

  /// Whether it predicts clearly better than another. It must be better by `least` NLPD. It must
  /// also be better by more than two standard errors of the difference, row by row, or for clearly
  /// more than half of the rows. With long tails, a few rows make up most of the difference and of
  /// its error.
  boolean isBetter(Trial other, double least) {
    int n = densities.size();
    double sum = 0;
    double squares = 0;
    int won = 0;
    for (int i = 0; i < n; i++) {
      double gain = densities.get(i) - other.densities.get(i);
      if (gain > 0) won++;
      sum += gain;
      squares += gain * gain;
    }
    double mean = sum / n;
    double error = Math.sqrt(Math.max(0, squares / n - mean * mean) / Math.max(1, n - 1));
    boolean often = won > 0.5 * n + Math.sqrt(n); // two standard deviations of a fair coin
    return mean > least && (often || mean > 2 * error);
  }

  /// Name and score, such as `matern32 −1.274`.
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s %.3f", name, nlpd());
  }
}
