package lovelace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.posterior.Prediction;

/// How a kernel does on a data set: by marginal likelihood and BIC of a fit to all rows, and by the
/// negative log predictive density of every row under a fit to the folds it is not in.
///
/// @param kernel the kernel as text, as it was asked for
/// @param logLikelihood log marginal likelihood of all rows, in the target's own unit
/// @param parameters free parameters p: kernel, noise and mean
/// @param bic `p log n − 2 log L`; lower is better
/// @param nlpd mean over all rows, each held out once, of `−log p(y)`, in the target's own unit;
///   lower is better
/// @param nlpdError the standard error of that mean
/// @param model the fit to all rows
public record Comparison(
    String kernel,
    double logLikelihood,
    int parameters,
    double bic,
    double nlpd,
    double nlpdError,
    Model model) {

  /// Fits every kernel, all else as `fit` has it; best first by BIC. The rows are dealt into folds
  /// with the seed, the same for all kernels.
  public static List<Comparison> of(
      Fit fit, Dataset data, List<String> kernels, int folds, long seed) {
    int n = data.size();
    if (!(folds >= 2 && folds <= n))
      throw new IllegalArgumentException(
          "folds must lie between 2 and the number of rows, %d, got %d".formatted(n, folds));
    return fit.budget().call(() -> compared(fit, data, kernels, folds, seed));
  }

  /// The time of a fit is that of the whole comparison, shared out evenly over its fits.
  private static List<Comparison> compared(
      Fit fit, Dataset data, List<String> kernels, int folds, long seed) {
    int[] order = shuffled(data.size(), seed);
    int fits = kernels.size() * (folds + 1);
    List<Comparison> all = new ArrayList<>();
    for (String kernel : kernels) {
      try {
        all.add(one(reaching(fit.withKernel(kernel), data), kernel, data, order, folds, fits));
        fits -= folds + 1;
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("kernel '%s': %s".formatted(kernel, e.getMessage()), e);
      }
    }
    all.sort(Comparator.comparingDouble(Comparison::bic));
    return List.copyOf(all);
  }

  private static Comparison one(
      Fit fit, String kernel, Dataset data, int[] order, int folds, int fits) {
    int n = data.size();
    int left = fits; // the fits that share what is left of the time
    Model model = Budget.current().share(1.0 / left--).call(() -> fit.to(data));
    int p = model.hyperparameters().freeSize();
    double likelihood = model.logMarginalLikelihood();
    double sum = 0;
    double squares = 0;
    for (int fold = 0; fold < folds; fold++) {
      int k = fold;
      Dataset seen = data.select(part(order, i -> i % folds != k));
      Dataset heldOut = data.select(part(order, i -> i % folds == k));
      Model part = Budget.current().share(1.0 / left--).call(() -> fit.to(seen));
      Prediction z = part.posterior().predict(part.rows(heldOut).inputs());
      for (int i = 0; i < heldOut.size(); i++) {
        double variance = z.variance(i) + part.noise() / heldOut.weight(i);
        double density = -part.transform().logDensity(heldOut.target()[i], z.mean(i), variance);
        sum += density;
        squares += density * density;
      }
    }
    double nlpd = sum / n;
    double error = n < 2 ? 0 : Math.sqrt(Math.max(0, squares / n - nlpd * nlpd) / (n - 1));
    return new Comparison(
        kernel, likelihood, p, p * Math.log(n) - 2 * likelihood, nlpd, error, model);
  }

  private static int[] part(int[] order, IntPredicate wanted) {
    return IntStream.range(0, order.length).filter(wanted).map(i -> order[i]).sorted().toArray();
  }

  /// The grid of a part must hold all rows, and a column that is constant in a part stays.
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

  /// The numbers from 0 to n − 1 in random order.
  static int[] shuffled(int n, long seed) {
    var random = new SplittableRandom(seed);
    List<Integer> order = new ArrayList<>(IntStream.range(0, n).boxed().toList());
    for (int i = n - 1; i > 0; i--) Collections.swap(order, i, random.nextInt(i + 1));
    return order.stream().mapToInt(Integer::intValue).toArray();
  }
}
