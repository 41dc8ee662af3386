package lovelace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.data.Column;
import lovelace.data.Dataset;
import lovelace.data.LinearMap;
import lovelace.grid.AdditiveGrid;
import lovelace.kernel.Kernel;
import lovelace.kernel.KernelFunction;
import lovelace.lattice.LatticePosterior;
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.planning.Planner;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.RowPosterior;

/// Compares kernels on a data set. A kernel is scored by the marginal likelihood and the BIC of a
/// fit to all rows, and by cross-validation: every row is predicted by a fit that has not seen it.
///
/// @param kernel the kernel as text, as it was given
/// @param logLikelihood the log marginal likelihood of all rows, in the unit of the target
/// @param parameters the number p of free parameters: kernel, noise, mean, and the directions of a
///   projection
/// @param bic `p log n − 2 log L` for n rows; lower is better
/// @param nlpd the mean of `−log p(y)` over all rows, each held out once, in the unit of the
///   target; counts and classes enter by their probability; lower is better
/// @param nlpdError the standard error of `nlpd`
/// @param model the fit to all rows, as [Fit#to(Dataset)] makes it
public record Comparison(
    String kernel,
    double logLikelihood,
    int parameters,
    double bic,
    double nlpd,
    double nlpdError,
    Model model) {

  /// Fits every kernel with the options of `fit` and returns the results, best BIC first. All
  /// kernels share the same folds, which depend on the seed alone. The folds of a kernel use the
  /// shape, engine, target transform and number of neighbours that its fit to all rows chose. All
  /// kernels use the engine that was chosen for the first one, so that their likelihoods can be
  /// compared. To compare a kernel of your own, put its name into the list and pass its function.
  public static List<Comparison> of(
      Fit fit, Dataset data, List<String> kernels, int folds, long seed, KernelFunction... own) {
    int n = data.size();
    if (!(folds >= 2 && folds <= n))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "folds must lie between 2 and the number of rows, %d, got %d",
              n,
              folds));
    return fit.budget().call(() -> compared(fit, data, kernels, folds, seed, own));
  }

  /// Compares within the time of one fit, which is divided evenly over all fits.
  private static List<Comparison> compared(
      Fit fit, Dataset data, List<String> kernels, int folds, long seed, KernelFunction... own) {
    int[] order = shuffled(data.size(), seed);
    int fits = kernels.size() * (folds + 1);
    List<Comparison> all = new ArrayList<>();
    Fit each = fit;
    for (String kernel : kernels) {
      try {
        Comparison one =
            one(each.withKernel(Kernel.parse(kernel, own)), kernel, data, order, folds, fits);
        all.add(one);
        if (Planner.isWide(data.columns()) && one.model.held().isPresent())
          each = fit.withEngine(one.model.plan().chosen());
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
    int left = fits; // the fits that share the remaining time
    Model model = Budget.current().share(1.0 / left--).lenient().call(() -> fit.to(data));
    Fit ofPart = ofPart(fit, model, data);
    double sum = 0;
    double squares = 0;
    for (int fold = 0; fold < folds; fold++) {
      int k = fold;
      Dataset seen = data.select(part(order, i -> i % folds != k));
      Dataset heldOut = data.select(part(order, i -> i % folds == k));
      Model part = Budget.current().share(1.0 / left--).lenient().call(() -> ofPart.to(seen));
      for (double density : logDensities(part, heldOut)) {
        sum -= density;
        squares += density * density;
      }
    }
    double nlpd = sum / n;
    double error = n < 2 ? 0 : Math.sqrt(Math.max(0, squares / n - nlpd * nlpd) / (n - 1));
    int p = parameters(fit, model);
    double likelihood = model.logMarginalLikelihood();
    double bic = p * Math.log((double) model.count()) - 2 * likelihood;
    return new Comparison(kernel, likelihood, p, bic, nlpd, error, model);
  }

  /// The number of free parameters. A projection's features have directions of length one, so each
  /// has one weight less to learn.
  private static int parameters(Fit fit, Model model) {
    int weights =
        model.map().orElse(null) instanceof LinearMap map ? map.outputs() * (map.inputs() - 1) : 0;
    boolean angle = fit.anisotropy().map(a -> a.degrees().isEmpty()).orElse(false);
    return model.hyperparameters().freeSize() + weights + (angle ? 1 : 0);
  }

  /// `log p(y)` of rows that the model has not learned from, each with the noise, exposure or
  /// trials of its weight.
  static double[] logDensities(Model model, Dataset rows) {
    Prediction p = model.predictObservation(model.rows(rows).inputs(), rows.weights());
    double[] densities = new double[rows.size()];
    for (int i = 0; i < densities.length; i++) densities[i] = p.logDensity(i, rows.target()[i]);
    return densities;
  }

  private static int[] part(int[] order, IntPredicate wanted) {
    return IntStream.range(0, order.length).filter(wanted).map(i -> order[i]).sorted().toArray();
  }

  /// The options for a fit to a part of the rows. It has the shape that the fit to all rows chose,
  /// and a grid that reaches as far, so that a column that is constant in the part stays. The grid
  /// of a projection or of a plane of coordinates covers features, which differ from part to part.
  /// If the fit to all rows led to a model that holds its rows, nothing is left to choose.
  private static Fit ofPart(Fit fit, Model model, Dataset data) {
    RowPosterior rows = model.held().orElse(null);
    if (Planner.isWide(data.columns()) && rows != null) {
      Fit same =
          fit.withEngine(model.plan().chosen())
              .withTransform(model.transform())
              .withColumnMaps(model.map().isPresent());
      return rows.nearestRows().isPresent()
          ? same.withNeighbours(rows.nearestRows().getAsInt())
          : same;
    }
    Fit shaped = fit.withShape(shape(fit, model));
    boolean features = fit.place().isPresent() || fit.anisotropy().isPresent();
    if (shaped.shape() == Options.Shape.PROJECTION || features) return shaped;
    GridChoice grid = shaped.grid();
    int d = data.dimensions();
    int axis = 0;
    for (int j = 0; j < d; j++) {
      int column = j;
      if (isDrift(fit, data.columns().get(j))) continue;
      var range =
          IntStream.range(0, data.size())
              .mapToDouble(i -> data.inputs()[i * d + column])
              .summaryStatistics();
      if (range.getMin() < range.getMax())
        grid = grid.including(axis, range.getMin(), range.getMax());
      axis++;
    }
    return shaped.withGrid(grid);
  }

  /// Whether only the mean reads a column, so that it has no axis.
  private static boolean isDrift(Fit fit, Column column) {
    return fit.drift().map(names -> names.contains(column.name())).orElse(false);
  }

  private static Options.Shape shape(Fit fit, Model model) {
    LatticePosterior lattice = model.lattice().orElse(null);
    if (fit.shape() != Options.Shape.AUTO || lattice == null) return fit.shape();
    if (model.map().orElse(null) instanceof LinearMap && fit.drift().isEmpty())
      return Options.Shape.PROJECTION;
    return lattice.statistics().lattice() instanceof AdditiveGrid
        ? Options.Shape.ADDITIVE
        : Options.Shape.GRID;
  }

  /// The numbers from 0 to n − 1 in random order.
  static int[] shuffled(int n, long seed) {
    var random = new SplittableRandom(seed);
    List<Integer> order = new ArrayList<>(IntStream.range(0, n).boxed().toList());
    for (int i = n - 1; i > 0; i--) Collections.swap(order, i, random.nextInt(i + 1));
    return order.stream().mapToInt(Integer::intValue).toArray();
  }
}
