package lovelace.baseline;

import java.util.List;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.kernel.Hyperparameters;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.MultiStart;
import lovelace.optimize.Optimizer;
import lovelace.optimize.Optimizer.Optimum;
import lovelace.optimize.Optimizer.Progress;

/// How [ExactGp#fit] maximises the marginal likelihood: the optimiser, who is told of its steps,
/// and how many rows, evenly spaced, decide between several starts. Those of a spectral mixture are
/// followed for 40 iterations, the best three to the end.
public record Fitting(Optimizer optimizer, Progress progress, int startRows) {

  /// L-BFGS, silent, 300 rows.
  public static final Fitting DEFAULT = new Fitting(Lbfgs.DEFAULT, Progress.NONE, 300);

  private static final int SCOUTING = 40;
  private static final int RUNS = 3;

  /// The share of the time left that learning may take; the rest is for the posterior.
  private static final double LEARNING = 0.7;

  public Fitting {
    if (!(startRows >= 1))
      throw new IllegalArgumentException("startRows must be >= 1, got " + startRows);
  }

  public Fitting withOptimizer(Optimizer other) {
    return new Fitting(other, progress, startRows);
  }

  public Fitting withProgress(Progress other) {
    return new Fitting(optimizer, other, startRows);
  }

  public Fitting withStartRows(int rows) {
    return new Fitting(optimizer, progress, rows);
  }

  Fitted<ExactGp> fit(Dataset data, Hyperparameters start) {
    List<Hyperparameters> starts =
        start.hasManyOptima()
            ? start.starts(data.inputs(), data.target())
            : List.of(start(data, start));
    Hyperparameters form = starts.getFirst();
    if (form.freeSize() == 0)
      throw new IllegalArgumentException(
          "every parameter is fixed, so there is nothing to fit; use ExactGp.of");
    Optimum optimum =
        Budget.current()
            .share(LEARNING)
            .call(
                () ->
                    MultiStart.race(
                            optimizer,
                            (at, gradient) -> {
                              Budget.check();
                              Hyperparameters h = form.fromFree(at);
                              ExactGp gp;
                              try {
                                gp = ExactGp.of(data, h);
                              } catch (ArithmeticException notPositiveDefinite) {
                                return Double.POSITIVE_INFINITY;
                              }
                              double[] free = freeGradient(h, gp.likelihoodGradient());
                              for (int i = 0; i < free.length; i++) gradient[i] = -free[i];
                              return -(gp.logMarginalLikelihood() + h.logPrior());
                            },
                            starts.stream().map(Hyperparameters::toFree).toList(),
                            form.freeLower(),
                            form.freeUpper(),
                            SCOUTING,
                            RUNS,
                            progress)
                        .best());
    if (!Double.isFinite(optimum.value()))
      throw new ArithmeticException(
          "the marginal likelihood is not finite at the start: "
              + form
              + "; give a larger noise or other start values");
    return new Fitted<>(ExactGp.of(data, form.fromFree(optimum.x())), optimum);
  }

  /// The gradient of likelihood plus log prior in the free parameters; adds to `natural`.
  static double[] freeGradient(Hyperparameters h, double[] natural) {
    double[] prior = h.logPriorGradient();
    for (int i = 0; i < prior.length; i++) natural[i] += prior[i];
    return h.freeGradient(natural);
  }

  /// The likeliest candidate start on some of the rows.
  private Hyperparameters start(Dataset data, Hyperparameters start) {
    var candidates = start.starts(data.inputs(), data.target());
    if (candidates.size() == 1) return candidates.getFirst();
    int rows = Math.min(data.size(), startRows);
    int[] chosen = new int[rows];
    for (int i = 0; i < rows; i++) chosen[i] = (int) ((long) i * data.size() / rows);
    Dataset part = data.select(chosen);
    Hyperparameters best = candidates.getFirst();
    double highest = Double.NEGATIVE_INFINITY;
    for (Hyperparameters h : candidates) {
      try {
        double likelihood = ExactGp.of(part, h).logMarginalLikelihood() + h.logPrior();
        if (likelihood > highest) {
          highest = likelihood;
          best = h;
        }
      } catch (ArithmeticException notPositiveDefinite) {
        // another candidate will do
      }
    }
    return best;
  }
}
