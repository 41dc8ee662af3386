package lovelace.experiments;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import lovelace.Fit;
import lovelace.budget.Budget;
import lovelace.data.Dataset;
import lovelace.exact.ExactGp;
import lovelace.kernel.Hyperparameters;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.optimize.Lbfgs;
import org.jspecify.annotations.Nullable;

/// The best exact process of a table that can be learned. Each of four kernels, with a lengthscale
/// for every column, learns by the likelihood of all rows until that stops growing. The likeliest
/// is kept. Everything else is measured against it.
///
/// @param kernel the name of the likeliest kernel
/// @param compared the log likelihoods of all kernels, for people
/// @param ended whether no kernel ran out of time
public record ExactBest(ExactGp posterior, String kernel, String compared, boolean ended) {

  /// The kernels that are tried.
  static final List<String> KERNELS = List.of("matern32", "matern52", "rbf", "matern12");

  /// The number of rows from which start values are learned.
  private static final int SOME = 1500;

  /// The share of the time that learning may take.
  private static final double LEARNING = 0.9;

  private static final Learner LEARNER =
      Learner.DEFAULT.withOptimizer(
          Lbfgs.DEFAULT
              .withMaxIterations(1000)
              .withMaxEvaluations(2000)
              .withRelativeTolerance(1e-8));

  /// Learns from standardised rows, within the current budget. The kernels share the time. If a
  /// kernel's time is up, it keeps its best values so far.
  static ExactBest of(Dataset rows, Consumer<String> progress) {
    List<String> lines = new ArrayList<>();
    @Nullable Learned best = null;
    String name = "";
    boolean ended = true;
    for (int i = 0; i < KERNELS.size(); i++) {
      String kernel = KERNELS.get(i);
      Optional<Hyperparameters> other = Optional.ofNullable(best).map(Learned::hyperparameters);
      Learned learned =
          Budget.current()
              .share(LEARNING / (KERNELS.size() - i))
              .call(() -> learn(kernel, rows, other, progress));
      lines.add(String.format(Locale.ROOT, "%s %.1f", kernel, learned.logLikelihood()));
      ended &= !learned.timeUp();
      if (best == null || learned.logLikelihood() > best.logLikelihood()) {
        best = learned;
        name = kernel;
      }
    }
    if (best == null) throw new IllegalStateException("there are kernels");
    return new ExactBest(
        ExactGp.of(rows, best.hyperparameters()),
        name,
        "log likelihood of all rows: " + String.join(", ", lines),
        ended);
  }

  /// Learns from the likelier of two starts: values learned from some rows, or the values of
  /// another kernel.
  private static Learned learn(
      String kernel, Dataset rows, Optional<Hyperparameters> other, Consumer<String> progress) {
    Hyperparameters unset = Fit.DEFAULT.withKernel(kernel).hyperparameters(rows.dimensions());
    Dataset some = rows.thinned(SOME);
    progress.accept("learning " + kernel);
    Learned start = LEARNER.learn(ExactGp.likelihood(some), unset, some, 1);
    List<Hyperparameters> starts = new ArrayList<>(List.of(start.hyperparameters()));
    other.ifPresent(values -> starts.add(unset.with(values.values())));
    return LEARNER
        .withProgress(
            (iteration, value, gradient, x) -> {
              if (iteration % 10 == 0)
                progress.accept(
                    String.format(
                        Locale.ROOT,
                        "learning %s: step %d, log likelihood %.2f, gradient %.1e",
                        kernel,
                        iteration,
                        -value,
                        gradient));
              return true;
            })
        .learn(ExactGp.likelihood(rows), starts, 1);
  }
}
