package lovelace;

import java.io.IOException;
import java.util.Locale;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.data.LinearMap;
import lovelace.posterior.MappedPosterior;
import lovelace.posterior.Prediction;
import org.jspecify.annotations.Nullable;

/// The choice between an additive model and a projection for more columns than a grid takes: both
/// learn from four fifths of some rows, and the one that predicts the last fifth better learns from
/// all.
final class HeldOut {

  private static final int ROWS = 4000;
  private static final int LEAST = 25;

  private HeldOut() {}

  static Model choose(Fit fit, Source source) throws IOException {
    long seed = fit.learning().seed();
    Dataset rows = Survey.of(source, fit.transform(), seed).table(ROWS, source);
    int n = rows.size();
    Fit additive = fit.withShape(Fit.Shape.ADDITIVE);
    if (n < LEAST)
      return new Fitter(additive, source)
          .model("additive, %d rows are too few to choose by".formatted(n), null);
    int[] order = Comparison.shuffled(n, seed);
    Dataset seen = rows.select(IntStream.of(order).skip(n / 5).sorted().toArray());
    Dataset out = rows.select(IntStream.of(order).limit(n / 5).sorted().toArray());
    Model sum = part(additive, seen);
    Fit projection = fit.withShape(Fit.Shape.PROJECTION);
    Model projected = part(projection, seen);
    double ofSum = nlpd(sum, out);
    double ofProjection = nlpd(projected, out);
    boolean better = ofProjection < ofSum;
    String why =
        String.format(
            Locale.ROOT,
            "%s, NLPD %.4f of %,d rows held out; %s %.4f",
            better ? "a projection on two features" : "additive, a function of each column",
            better ? ofProjection : ofSum,
            out.size(),
            better ? "additive" : "a projection on two features",
            better ? ofSum : ofProjection);
    LinearMap known =
        better && projected != null && projected.posterior() instanceof MappedPosterior mapped
            ? (LinearMap) mapped.map()
            : null;
    return new Fitter(better ? projection : additive, source).model(why, known);
  }

  /// The model of some rows, null where its mathematics fails.
  private static @Nullable Model part(Fit fit, Dataset seen) {
    try {
      return fit.to(seen);
    } catch (ArithmeticException e) {
      return null;
    }
  }

  /// The mean of −log p(y), each row with the noise of its weight.
  static double nlpd(@Nullable Model model, Dataset out) {
    if (model == null) return Double.POSITIVE_INFINITY;
    Prediction z = model.posterior().predict(out.inputs());
    double sum = 0;
    for (int i = 0; i < out.size(); i++) {
      double variance = z.variance(i) + model.noise() / out.weight(i);
      sum -= model.transform().logDensity(out.target()[i], z.mean(i), variance);
    }
    return Double.isNaN(sum) ? Double.POSITIVE_INFINITY : sum / out.size();
  }
}
