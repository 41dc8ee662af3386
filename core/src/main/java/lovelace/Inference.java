package lovelace;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.baseline.ExactGp;
import lovelace.baseline.Fitting;
import lovelace.data.Dataset;
import lovelace.grid.Grid;
import lovelace.grid.GridChoice;
import lovelace.grid.GridStatistics;
import lovelace.inference.Conditioned;
import lovelace.inference.Engine;
import lovelace.inference.GridSystem;
import lovelace.inference.Love;
import lovelace.inference.MarkovEngine;
import lovelace.inference.SpectralEngine;
import lovelace.inference.Trained;
import lovelace.inference.Training;
import lovelace.inference.TrainingReport;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.StartValues;
import lovelace.posterior.GridPosterior;
import org.jspecify.annotations.Nullable;

/// A fit's choice of engine on the statistics of a grid, and what the engine does for it.
record Inference(Fit.Engine asked, double tolerance, GridStatistics statistics) {

  /// The most rows the exact process learns from where no engine has a likelihood.
  private static final int EXACT_ROWS = 500;

  /// The rows that start values are taken from.
  private static final int START_ROWS = 5000;

  /// The engine for a kernel, made anew; null where only LOVE serves, which has no likelihood.
  private @Nullable Engine engine(Hyperparameters h) {
    Kernel kernel = h.kernel();
    boolean any = asked == Fit.Engine.AUTO;
    if (any || asked == Fit.Engine.MARKOV) {
      if (MarkovEngine.applies(statistics, kernel)) return new MarkovEngine(statistics);
      if (!any)
        throw new IllegalArgumentException(
            "the markov engine serves one Matérn kernel of one input, not '%s' of %d; use auto"
                .formatted(kernel, kernel.dimensions()));
    }
    if (any || asked == Fit.Engine.SPECTRAL) {
      SpectralEngine spectral =
          new SpectralEngine(statistics, SpectralEngine.TOLERANCE, SpectralEngine.MOST);
      if (spectral.applies(h)) return spectral;
      if (!any)
        throw new IllegalArgumentException(
            "the spectral engine does not serve '%s' on this %s: it needs a stationary kernel carried by at most %,d Fourier modes; use auto or krylov"
                .formatted(kernel, statistics.grid(), SpectralEngine.MOST));
    }
    return null;
  }

  /// Hyperparameters used as they are.
  Learned evaluate(Hyperparameters h) {
    Engine engine = engine(h);
    return new Learned(
        h,
        engine == null ? Double.NaN : engine.evidence(h).value(),
        List.of(),
        List.of("parameters used as given, nothing learned"));
  }

  /// Learns the parameters that are not fixed; unset ones start from some of the rows.
  Learned learn(Hyperparameters start, Survey survey, Fit.Learning learning) {
    if (start.freeSize() == 0) return evaluate(start);
    Dataset rows = survey.sample(START_ROWS);
    List<Hyperparameters> starts = StartValues.candidates(start, rows.inputs(), rows.target());
    Engine engine = engine(starts.getFirst());
    if (engine == null) return learnFromRows(start, survey, learning);
    Trained trained =
        Training.DEFAULT
            .withOptimizer(learning.optimizer())
            .train(engine, starts, learning.starts());
    TrainingReport report = trained.report();
    double[] errors = Training.standardErrors(engine, trained.hyperparameters());
    return new Learned(
        trained.hyperparameters(),
        trained.logLikelihood(),
        Arrays.stream(errors).boxed().toList(),
        List.of(
            String.format(
                Locale.ROOT,
                "training: %s engine, %d iterations, %d likelihoods, %.2f s; %s",
                report.engine(),
                report.iterations(),
                report.evaluations(),
                report.seconds(),
                report.reason())));
  }

  private Learned learnFromRows(Hyperparameters start, Survey survey, Fit.Learning learning) {
    Dataset rows = survey.sample(EXACT_ROWS);
    var fitted = ExactGp.fit(rows, start, Fitting.DEFAULT.withOptimizer(learning.optimizer()));
    return new Learned(
        fitted.posterior().hyperparameters(),
        Double.NaN,
        List.of(),
        List.of(
            "training: on %,d of %,d rows; %s"
                .formatted(rows.size(), statistics.count(), fitted.optimum().reason())));
  }

  /// The posterior under complete hyperparameters. The engine is new, so that the same statistics
  /// and hyperparameters always give the same bits.
  GridPosterior posterior(Hyperparameters h) {
    Engine engine = engine(h);
    if (engine == null)
      return GridPosterior.love(
          GridSystem.of(statistics, h), Love.DEFAULT.withTolerance(tolerance));
    Conditioned c = engine.condition(h, tolerance);
    return GridPosterior.of(c.system(), c.covariance(), c.mean(), tolerance);
  }

  /// Whether some lengthscale is under two cells.
  static boolean isPoor(Grid grid, double[] lengthscales) {
    for (int a = 0; a < lengthscales.length; a++)
      if (lengthscales[a] < GridChoice.POOR * grid.axis(a).step()) return true;
    return false;
  }
}
