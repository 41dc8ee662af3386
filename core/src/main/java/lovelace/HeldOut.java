package lovelace;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.budget.Budget.MemoryLimitException;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.data.LinearMap;
import lovelace.lattice.MappedPosterior;
import org.jspecify.annotations.Nullable;

/// The choice between an additive model and a projection for more columns than a grid takes: both
/// learn from four fifths of some rows, and the one that predicts the last fifth better learns from
/// all.
///
/// @param shape the one that predicts better
/// @param why in words
/// @param known the directions of a projection
record HeldOut(Fit.Shape shape, String why, @Nullable LinearMap known) {

  /// The most rows to choose by.
  private static final int ROWS = 4000;

  private static final int LEAST = 25;

  /// The choice by some rows.
  static HeldOut choose(FitData data) throws IOException {
    Fit fit = data.fit();
    Dataset rows = data.survey().table(ROWS, data.source());
    long seed = fit.learning().seed();
    int n = rows.size();
    Fit quiet = fit.withListener(plan -> {});
    Fit additive = quiet.withShape(Fit.Shape.ADDITIVE);
    if (n < LEAST)
      return additive(String.format(Locale.ROOT, "additive, %d rows are too few to choose by", n));
    int[] order = Comparison.shuffled(n, seed);
    Dataset seen = rows.select(IntStream.of(order).skip(n / 5).sorted().toArray());
    Dataset out = rows.select(IntStream.of(order).limit(n / 5).sorted().toArray());
    Source part = Source.of(seen);
    // a column may vary in the table and be constant here: a sum leaves it out, a projection does
    // not weigh it
    Model sum = model(0.2, () -> new FitRun(FitData.of(additive, part)).model(null, null));
    Fit projection = quiet.withShape(Fit.Shape.PROJECTION);
    Model projected =
        model(0.25, () -> new FitRun(FitData.all(projection, part)).model(null, null));
    double ofSum = nlpd(sum, out);
    double ofProjection = nlpd(projected, out);
    if (sum == null && projected == null)
      return additive("additive, there was no time to try what predicts better");
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
    return new HeldOut(better ? Fit.Shape.PROJECTION : Fit.Shape.ADDITIVE, why, known);
  }

  private static HeldOut additive(String why) {
    return new HeldOut(Fit.Shape.ADDITIVE, why, null);
  }

  /// The model made in a share of the time left; null where its mathematics fails or the share or
  /// the memory is too small.
  private static @Nullable Model model(
      double share, ScopedValue.CallableOp<Model, IOException> making) throws IOException {
    try {
      return Budget.current().share(share).call(making);
    } catch (ArithmeticException | TimeUpException | MemoryLimitException e) {
      return null;
    }
  }

  /// The mean of −log p(y), each row with the noise of its weight.
  static double nlpd(@Nullable Model model, Dataset out) {
    if (model == null) return Double.POSITIVE_INFINITY;
    double sum = -Arrays.stream(Comparison.logDensities(model, out)).sum();
    return Double.isNaN(sum) ? Double.POSITIVE_INFINITY : sum / out.size();
  }
}
