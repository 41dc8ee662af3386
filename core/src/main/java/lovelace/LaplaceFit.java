package lovelace;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import lovelace.budget.Budget;
import lovelace.chain.ChainGp;
import lovelace.data.Dataset;
import lovelace.data.Outside;
import lovelace.engines.Engines;
import lovelace.exact.ExactGp;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.OutsideGridException;
import lovelace.inference.Learnable;
import lovelace.io.Fingerprint;
import lovelace.kernel.Hyperparameters;
import lovelace.laplace.Fitted;
import lovelace.laplace.Laplace;
import lovelace.laplace.Mode;
import lovelace.laplace.Observations;
import lovelace.laplace.Varying;
import lovelace.laplace.WorkingExact;
import lovelace.laplace.WorkingLattice;
import lovelace.laplace.WorkingProcess;
import lovelace.laplace.WorkingRows;
import lovelace.lattice.LatticePosterior;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance.Note;
import lovelace.optimize.Lbfgs;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Posterior;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sparse.SiteGp;
import lovelace.sparse.WorkingNodes;
import lovelace.spectral.WorkingModes;
import lovelace.statistics.GridStatistics;
import org.jspecify.annotations.Nullable;

/// The fit under a likelihood that is not Gaussian: the way of the plan, with Laplace's
/// approximation in the place of each exact step.
final class LaplaceFit {

  /// The most rows whose exact process is computed.
  static final int EXACT_ROWS = 5000;

  /// The most places that the exact process learns from.
  private static final int LEARNING_ROWS = 1500;

  /// Up to so many places dense matrices cost less than a chain.
  private static final int FEW = 300;

  /// The relative improvement of the evidence that ends learning; the approximation is no better.
  private static final double ENOUGH = 1e-7;

  /// The most places that are held.
  private static final int MOST_PLACES = 50_000_000;

  private final Fit fit;
  private final Source source;
  private final Survey survey;

  LaplaceFit(Fit fit, Source source, Survey survey) {
    this.fit = fit;
    this.source = source;
    this.survey = survey;
  }

  /// What was read.
  record Read(Observations data, long fingerprint) {}

  /// What a fit leads to.
  record Outcome(Posterior posterior, Learned learned, Fitted fitted) {}

  /// Reads the rows, added up where they add; those outside a lattice are refused or left out.
  Read read(@Nullable Lattice lattice) throws IOException {
    Likelihood likelihood = fit.likelihood();
    int d = source.columns().size();
    Observations.Builder all = new Observations.Builder(likelihood, d);
    Fingerprint print = new Fingerprint();
    long[] before = {0};
    source.read(
        (count, x, y, given) -> {
          Budget.check();
          double[] sizes = given.orElse(null);
          double[] row = new double[d];
          double[] one = new double[1];
          double[] size = new double[1];
          for (int i = 0; i < count; i++) {
            int column = lattice == null ? -1 : lattice.outsideColumn(x, i * d);
            if (column >= 0 && fit.outside() != Outside.ERROR) continue;
            if (column >= 0) {
              OutsideGridException e =
                  new OutsideGridException(lattice, before[0] + i, column, x[i * d + column]);
              throw new IllegalArgumentException(
                  e.message(
                      "column '" + source.columns().get(column).name() + "'",
                      OutsideGridException.REMEDY),
                  e);
            }
            System.arraycopy(x, i * d, row, 0, d);
            one[0] = y[i];
            size[0] = sizes == null ? 1 : sizes[i];
            all.add(1, row, one, size);
            print.add(x, i * d, d, y[i], size[0]);
          }
          before[0] += count;
          if (all.size() > MOST_PLACES)
            throw new IllegalArgumentException(
                String.format(
                    Locale.ROOT,
                    "the %s likelihood holds its rows, and there are more than %,d at different places; use fewer rows, or round their places to a grid",
                    likelihood.name(),
                    MOST_PLACES));
        });
    if (all.size() == 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "none of the %,d rows lies inside the %s; widen its bounds",
              before[0],
              lattice));
    return new Read(all.build(), print.value());
  }

  /// The exact process.
  Outcome exact(Observations data, Hyperparameters from) {
    if (data.size() > EXACT_ROWS)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the exact engine takes at most %,d places under the %s likelihood, got %,d; use another engine",
              EXACT_ROWS,
              fit.likelihood().name(),
              data.size()));
    return settled(data, learnExactly(data, from), exactly(data), rows(data, ExactGp::of));
  }

  /// The chain over the places of the rows.
  Outcome chain(Observations data, Hyperparameters from) {
    WorkingProcess process =
        new WorkingRows("markov", data.places(), data.dimensions(), ChainGp::of);
    WorkingProcess learning = data.size() <= FEW ? exactly(data) : process;
    return settled(
        data, learn(from, likelihood(data, learning)), process, rows(data, ChainGp::of));
  }

  /// A lattice with the rows as sites.
  Outcome sites(Observations data, Hyperparameters from) {
    WorkingProcess process =
        new WorkingRows("sparse", data.places(), data.dimensions(), LaplaceFit::sitesOf);
    return settled(data, learnExactly(data, from), process, rows(data, LaplaceFit::sitesOf));
  }

  private static SiteGp sitesOf(Dataset data, Hyperparameters h) {
    return SiteGp.of(data, SiteGp.grid(data, h), h, SiteGp.neighbours(data.dimensions()));
  }

  /// An engine on a lattice.
  Outcome lattice(
      Plan plan, Lattice lattice, Observations data, Hyperparameters from, boolean learning) {
    if (plan.chosen() == Engine.KRYLOV)
      throw new IllegalArgumentException(
          "the kernel needs too many modes on the %s for a likelihood that is not Gaussian; use a coarser grid, a Matérn kernel, or engine exact"
              .formatted(lattice));
    WorkingLattice sums =
        new WorkingLattice(
            lattice, data.places(), each -> Engines.engine(plan.chosen(), each, plan.seed()));
    WorkingProcess process = sums;
    if (plan.chosen() == Engine.SPECTRAL
        && data.size() <= WorkingModes.MOST
        && WorkingModes.applies(lattice, filled(from)))
      process = new WorkingModes(sums.empty(), data.places());
    if (plan.chosen() == Engine.SPARSE && lattice instanceof Grid grid) {
      WorkingNodes nodes = WorkingNodes.of(grid, data.places(), 0);
      if (nodes != null) process = nodes;
    }
    Learned learned =
        learning
            ? learn(from, likelihood(data, process))
            : Learned.given(from, plan.chosen().toString());
    return settled(
        data,
        learned.because(plan.reason()),
        process,
        (z, w, working) -> {
          Dataset rows =
              data.size() <= Closeness.MEASURED
                  ? Dataset.of(data.places(), data.dimensions(), z, w)
                  : null;
          return new LatticeFit(plan, sums.statistics(w, z)).posterior(working, rows);
        });
  }

  private Hyperparameters filled(Hyperparameters from) {
    Dataset rows = survey.sample(LatticeChoice.START_ROWS);
    return from.fill(rows.inputs(), rows.target());
  }

  /// Learns by the exact process of some of the places.
  private Learned learnExactly(Observations data, Hyperparameters from) {
    Observations some = data.thinned(LEARNING_ROWS);
    return learn(from, likelihood(some, exactly(some)));
  }

  private static WorkingExact exactly(Observations data) {
    return new WorkingExact(data.places(), data.dimensions());
  }

  private Learnable likelihood(Observations data, WorkingProcess process) {
    return fit.likelihood().isVarying()
        ? new Varying(data, process, process)
        : new Laplace(data, process);
  }

  /// The posterior of working observations.
  private interface Condition {
    Posterior of(double[] targets, double[] weights, Hyperparameters working);
  }

  private static Condition rows(
      Observations data, BiFunction<Dataset, Hyperparameters, RowPosterior> condition) {
    return (z, w, working) ->
        condition.apply(Dataset.of(data.places(), data.dimensions(), z, w), working);
  }

  /// The posterior at the mode.
  private static Outcome settled(
      Observations data, Learned learned, WorkingProcess process, Condition condition) {
    Hyperparameters h = learned.hyperparameters();
    if (h.likelihood().isVarying()) {
      Varying.Modes modes = new Varying(data, process, process).modes(h);
      Varying.Working working = modes.working();
      Posterior noise =
          condition.of(working.noiseTargets(), working.noiseWeights(), h.workingNoise());
      return outcome(
          data,
          learned.settled(modes.evidence(), 0),
          condition.of(data.values(), working.weights(), h.working()),
          Optional.of(noise),
          modes.steps(),
          modes.residual());
    }
    Mode mode = new Laplace(data, process).mode(h);
    return outcome(
        data,
        learned.settled(mode.evidence(), 0),
        condition.of(mode.corrected(), mode.weights(), h.working()),
        Optional.empty(),
        mode.steps(),
        mode.residual());
  }

  /// Observations are kept where the posterior holds its rows, or all lie on nodes.
  private static Outcome outcome(
      Observations data,
      Learned learned,
      Posterior posterior,
      Optional<Posterior> noise,
      int steps,
      double residual) {
    boolean kept =
        !(posterior instanceof LatticePosterior lattice)
            || (lattice.statistics() instanceof GridStatistics grid && grid.onNodes());
    Fitted fitted =
        new Fitted(
            learned.hyperparameters(),
            kept ? Optional.of(data) : Optional.empty(),
            noise,
            data.rows(),
            steps,
            residual);
    return new Outcome(posterior, learned, fitted);
  }

  /// What a model says of its mode.
  static Note note(Fitted fitted) {
    return new Note(
        Note.Kind.LIKELIHOOD,
        String.format(
            Locale.ROOT,
            "%s, by Laplace's approximation: %d Newton steps, the last %.1e posterior standard deviations long",
            fitted.hyperparameters().likelihood(),
            fitted.steps(),
            fitted.residual()));
  }

  private Learned learn(Hyperparameters from, Learnable laplace) {
    if (!fit.training() || from.freeSize() == 0) return Learned.given(from, laplace.name());
    Learner learner = LatticeFit.learner(fit.learning());
    if (learner.optimizer().equals(Lbfgs.DEFAULT))
      learner = learner.withOptimizer(Lbfgs.DEFAULT.withRelativeTolerance(ENOUGH));
    Learner own = learner;
    return Budget.current()
        .share(RowFit.LEARNING)
        .call(
            () ->
                own.learn(
                        laplace,
                        from,
                        survey.sample(LatticeChoice.START_ROWS),
                        fit.learning().starts()))
        .withErrors(laplace);
  }
}
