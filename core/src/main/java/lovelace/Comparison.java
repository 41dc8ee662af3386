package lovelace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.data.Dataset;
import lovelace.posterior.Scores;

/// How a kernel does on a data set: by marginal likelihood and BIC of a fit to all rows, and by the
/// negative log predictive density of rows held out from a second fit.
///
/// @param kernel the kernel as text, as it was asked for
/// @param logLikelihood log marginal likelihood of all rows, in the target's own unit
/// @param parameters free parameters p: kernel, noise and mean
/// @param bic `p log n − 2 log L`; lower is better
/// @param nlpd mean over held-out rows of `−log p(y)`, in the target's own unit; lower is better
/// @param model the fit to all rows
public record Comparison(
    String kernel, double logLikelihood, int parameters, double bic, double nlpd, Model model) {

  /// Fits every kernel, all else as `fit` has it; best first by BIC. One split serves all kernels:
  /// `share` of the rows is held out, drawn with the seed.
  public static List<Comparison> of(
      Fit fit, Dataset data, List<String> kernels, double share, long seed) {
    int n = data.size();
    int out = (int) Math.round(share * n);
    if (!(share > 0 && share < 1 && out > 0 && out < n))
      throw new IllegalArgumentException(
          "share must lie between 0 and 1 and leave rows on both sides, got %s of %d rows"
              .formatted(share, n));
    int[] order = shuffled(n, seed);
    Dataset seen = data.select(IntStream.of(order).skip(out).sorted().toArray());
    Dataset heldOut = data.select(IntStream.of(order).limit(out).sorted().toArray());
    List<Comparison> all = new ArrayList<>();
    for (String kernel : kernels) {
      Fit one = reaching(fit.withKernel(kernel), data);
      Model model = one.to(data);
      int p = model.hyperparameters().freeSize();
      double likelihood = model.logMarginalLikelihood();
      Model part = one.to(seen);
      double nlpd =
          Scores.of(part.predict(heldOut.inputs()).withNoise(part.noise()), heldOut.target())
              .nlpd();
      all.add(new Comparison(kernel, likelihood, p, p * Math.log(n) - 2 * likelihood, nlpd, model));
    }
    all.sort(Comparator.comparingDouble(Comparison::bic));
    return List.copyOf(all);
  }

  /// The grid of a part must hold all rows.
  private static Fit reaching(Fit fit, Dataset data) {
    Fit wide = fit;
    int d = data.dimensions();
    for (int j = 0; j < d; j++) {
      int column = j;
      var range =
          IntStream.range(0, data.size())
              .mapToDouble(i -> data.inputs()[i * d + column])
              .summaryStatistics();
      if (range.getMin() < range.getMax())
        wide = wide.withGrid(wide.grid().including(column, range.getMin(), range.getMax()));
    }
    return wide;
  }

  static int[] shuffled(int n, long seed) {
    var random = new SplittableRandom(seed);
    List<Integer> order = new ArrayList<>(IntStream.range(0, n).boxed().toList());
    for (int i = n - 1; i > 0; i--) Collections.swap(order, i, random.nextInt(i + 1));
    return order.stream().mapToInt(Integer::intValue).toArray();
  }
}
