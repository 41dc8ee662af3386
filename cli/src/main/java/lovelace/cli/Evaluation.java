package lovelace.cli;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import lovelace.Model;
import lovelace.Source;
import lovelace.posterior.Prediction;
import lovelace.posterior.Scores;

/// The scores of a model on rows it may not have seen.
///
/// @param outside how many rows lie beyond the model's grid
record Evaluation(Scores scores, long outside) {

  /// Scores of predictions of observations, each with the noise of its weight.
  static Evaluation of(Model model, Source source, String name) throws IOException {
    int d = model.columns().size();
    var all =
        new Object() {
          double[] means = new double[1024];
          double[] variances = new double[1024];
          double[] targets = new double[1024];
          int size = 0;
          long outside = 0;
        };
    source.read(
        (count, x, y, given) -> {
          double[] weights = given.orElse(null);
          if (all.size + count > all.means.length) {
            int room = 2 * (all.size + count);
            all.means = Arrays.copyOf(all.means, room);
            all.variances = Arrays.copyOf(all.variances, room);
            all.targets = Arrays.copyOf(all.targets, room);
          }
          double[] points = Arrays.copyOf(x, count * d);
          Prediction p =
              weights == null
                  ? model.posterior().predictObservation(points)
                  : model
                      .posterior()
                      .predict(points)
                      .withNoise(model.noise(), Arrays.copyOf(weights, count));
          for (int i = 0; i < count; i++) {
            if (!model.transform().takes(y[i]))
              throw new IllegalArgumentException(
                  String.format(
                      Locale.ROOT,
                      "row %,d of '%s': target '%s' is %s, the model's log transform needs values > 0; correct or drop the row",
                      all.size + i + 1,
                      name,
                      model.target().name(),
                      y[i]));
            all.means[all.size + i] = p.mean(i);
            all.variances[all.size + i] = p.variance(i);
            all.targets[all.size + i] = y[i];
            if (p.outside(i)) all.outside++;
          }
          all.size += count;
        });
    if (all.size == 0)
      throw new IllegalArgumentException(
          "'%s' has no rows to evaluate; check filters and missing values".formatted(name));
    Prediction observed =
        Prediction.adopt(
            Arrays.copyOf(all.means, all.size), Arrays.copyOf(all.variances, all.size));
    Scores scores =
        Scores.of(observed.undo(model.transform()), Arrays.copyOf(all.targets, all.size));
    return new Evaluation(scores, all.outside);
  }
}
