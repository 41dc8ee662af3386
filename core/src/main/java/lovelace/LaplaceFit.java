package lovelace;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import lovelace.budget.Budget;
import lovelace.chain.ChainGp;
import lovelace.data.Column;
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
import lovelace.kernel.Parameter;
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
import lovelace.learning.InTime;
import lovelace.learning.Learned;
import lovelace.learning.Learner;
import lovelace.likelihood.Likelihood;
import lovelace.model.Provenance.Note;
import lovelace.neighbours.LatentLearning;
import lovelace.neighbours.LatentNeighbourGp;
import lovelace.optimize.Lbfgs;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Posterior;
import lovelace.posterior.Prediction;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sparse.SiteGp;
import lovelace.sparse.WorkingNodes;
import lovelace.spectral.WorkingModes;
import lovelace.statistics.GridStatistics;
import lovelace.tables.KernelChoice;
import org.jspecify.annotations.Nullable;

/// The fit under a likelihood that is not Gaussian: the way of the plan, with Laplace's
/// approximation in the place of each exact step.
final class LaplaceFit {

  /// The most rows whose exact process is computed.
  static final int EXACT_ROWS = 5000;

  /// The most places that the exact process learns from.
  private static final int LEARNING_ROWS = 1500;

  /// The places that an engine on a lattice starts from.
  private static final int FIRST_ROWS = 800;

  /// The rows that kernels are compared on.
  private static final int COMPARED_ROWS = 500;

  /// How many of the nearest rows predictions go by.
  private static final int NEIGHBOURS = 100;

  /// Up to so many places dense matrices cost less than a chain.
  private static final int FEW = 300;

  /// The relative improvement of the evidence that ends learning; the approximation is no better.
  private static final double ENOUGH = 1e-6;

  /// The most places that are held.
  private static final int MOST_PLACES = 50_000_000;

  /// A variance of the latent function at which probabilities are nearly 0 or 1.
  private static final double SATURATED = 25;

  private final Fit fit;
  private final Source source;
  private final IntFunction<Dataset> starts;

  /// @param starts at most so many rows to start learning from, each with the value of the function
  ///   that it suggests
  LaplaceFit(Fit fit, Source source, IntFunction<Dataset> starts) {
    this.fit = fit;
    this.source = source;
    this.starts = starts;
  }

  /// What was read.
  record Read(Observations data, long fingerprint) {}

  /// What a fit leads to.
  record Outcome(Posterior posterior, Learned learned, Fitted fitted) {

    /// The same after parameters were learned elsewhere.
    Outcome with(Learned other) {
      return new Outcome(posterior, other, fitted);
    }
  }

  /// Reads the rows, added up where they add; those outside a lattice are refused or left out.
  ///
  /// @param apart whether every row stays by itself
  Read read(@Nullable Lattice lattice, boolean apart) throws IOException {
    Likelihood likelihood = fit.likelihood();
    Observations.Builder all =
        new Observations.Builder(likelihood, source.columns().size(), !apart);
    long fingerprint =
        each(
            lattice,
            (x, from, y, size, number) -> {
              all.add(x, from, y, size);
              if (all.size() > MOST_PLACES)
                throw new IllegalArgumentException(
                    String.format(
                        Locale.ROOT,
                        "a model with the %s likelihood keeps its rows, and there are more than %,d at different places; use fewer rows, or round their places to a grid",
                        likelihood.name(),
                        MOST_PLACES));
            });
    if (all.size() == 0)
      throw new IllegalArgumentException(
          "none of the rows lies inside the %s; widen its bounds".formatted(lattice));
    return new Read(all.build(), fingerprint);
  }

  /// Takes one row: its inputs start at `x[from]`; rows are numbered from 1.
  interface Row {
    void accept(double[] x, int from, double y, double size, long number);
  }

  /// Hands over every row that can be an observation and lies inside a lattice, and returns their
  /// fingerprint. One that cannot is refused, one outside too, unless those are left out.
  long each(@Nullable Lattice lattice, Row row) throws IOException {
    Likelihood likelihood = fit.likelihood();
    int d = source.columns().size();
    Fingerprint print = new Fingerprint();
    long[] before = {0};
    source.read(
        (count, x, y, given) -> {
          Budget.check();
          double[] sizes = given.orElse(null);
          for (int i = 0; i < count; i++) {
            double size = sizes == null ? 1 : sizes[i];
            long number = before[0] + i + 1;
            int column = lattice == null ? -1 : lattice.outsideColumn(x, i * d);
            if (column >= 0 && fit.outside() != Outside.ERROR) continue;
            if (lattice != null && column >= 0) {
              OutsideGridException e =
                  new OutsideGridException(lattice, number - 1, column, x[i * d + column]);
              throw new IllegalArgumentException(
                  e.message(
                      "column '" + source.columns().get(column).name() + "'",
                      OutsideGridException.REMEDY),
                  e);
            }
            String refusal = Survey.refusal(likelihood, y[i], size);
            if (refusal != null)
              throw Survey.refused(
                  source, likelihood, refusal, y[i], given.isPresent(), size, number);
            row.accept(x, i * d, y[i], size, number);
            print.add(x, i * d, d, y[i], size);
          }
          before[0] += count;
        });
    return print.value();
  }

  /// A posterior of the same kind as another, of other observations or parameters.
  Outcome like(Posterior old, Plan plan, Observations data, Hyperparameters from) {
    return switch (old) {
      case LatticePosterior grid ->
          lattice(plan, grid.statistics().lattice(), data, from, fit.training());
      case RowPosterior rows ->
          switch (Engine.parse(rows.engine())) {
            case MARKOV -> chain(data, from);
            case SPARSE -> sites(data, from);
            case NEIGHBOURS -> neighbours(data, from);
            default -> exact(data, from);
          };
      default -> throw new IllegalArgumentException("no such posterior: " + old);
    };
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

  /// The process of the nearest rows.
  Outcome neighbours(Observations data, Hyperparameters from) {
    Dataset rows = Dataset.of(data.places(), data.dimensions(), data.values(), data.sizes());
    long seed = fit.learning().seed();
    int k = fit.neighbours() > 0 ? fit.neighbours() : NEIGHBOURS;
    Learned learned = Learned.given(from, Engine.NEIGHBOURS.toString());
    if (fit.training() && from.freeSize() > 0)
      learned =
          InTime.learned(
              () ->
                  LatentLearning.learn(
                      rows,
                      from,
                      this::exactly,
                      RowFit.learning(k),
                      learner(),
                      fit.learning().starts(),
                      seed),
              () -> filled(from),
              Engine.NEIGHBOURS.toString());
    Hyperparameters h = learned.hyperparameters();
    LatentNeighbourGp gp = LatentNeighbourGp.of(rows, h, k, seed);
    Fitted fitted =
        new Fitted(
            h,
            Optional.of(data),
            Optional.empty(),
            data.rows(),
            gp.steps(),
            gp.residual(),
            Optional.empty());
    return new Outcome(
        gp, learned.settled(gp.logMarginalLikelihood(), gp.likelihoodError()), fitted);
  }

  /// The evidence of rows under the exact process.
  private Learnable exactly(Dataset rows) {
    Observations some = Observations.of(rows, fit.likelihood());
    return likelihood(some, exactly(some));
  }

  /// Where no kernel was given: the one of four whose evidence is largest, on some of the rows,
  /// with what was learned there.
  KernelChoice likeliest(Observations data, List<Column> columns) {
    Observations some = data.thinned(COMPARED_ROWS);
    return KernelChoice.of(
        kernel ->
            learn(fit.bound(kernel).hyperparameters(columns), likelihood(some, exactly(some))),
        String.format(Locale.ROOT, "the evidence of %,d places", some.size()));
  }

  /// The chain over the places of the rows.
  Outcome chain(Observations data, Hyperparameters from) {
    WorkingProcess process =
        new WorkingRows("markov", data.places(), data.dimensions(), ChainGp::of);
    WorkingProcess learning = data.size() <= FEW ? exactly(data) : process;
    return settled(data, learn(from, likelihood(data, learning)), process, rows(data, ChainGp::of));
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
    if (plan.chosen() == Engine.DENSE
        && data.size() <= LEARNING_ROWS
        && sums.statistics(data.sizes(), data.values()) instanceof GridStatistics rows
        && rows.onNodes()) process = exactly(data); // the same, without the nodes that have no row
    if (plan.chosen() == Engine.SPARSE && lattice instanceof Grid grid) {
      WorkingNodes nodes = WorkingNodes.of(grid, data.places(), 0);
      if (nodes != null) process = nodes;
    }
    Learned learned =
        learning
            ? learnInTwo(data, from, likelihood(data, process))
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
    Dataset rows = starts.apply(LatticeChoice.START_ROWS);
    return from.fill(rows.inputs(), rows.target());
  }

  /// Learns by the exact process of some of the places.
  private Learned learnExactly(Observations data, Hyperparameters from) {
    Observations some = data.thinned(LEARNING_ROWS);
    return learn(from, likelihood(some, exactly(some)));
  }

  /// Learns by the exact process of some of the places, and goes on from there with all.
  private Learned learnInTwo(Observations data, Hyperparameters from, Learnable all) {
    if (data.size() <= FIRST_ROWS || !fit.training() || from.freeSize() == 0)
      return learn(from, all);
    Observations some = data.thinned(FIRST_ROWS);
    Hyperparameters start = learn(from, likelihood(some, exactly(some))).hyperparameters();
    return InTime.from(start, () -> learner().learn(all, List.of(start), 1), all.name())
        .withErrors(all);
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
            residual,
            Optional.empty());
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

  /// Advice where classes are told apart without a mistake, and a large variance of the kernel was
  /// learned from them: the larger it is, the better they are told apart, without end.
  static Optional<Note> separation(Outcome found, Observations data) {
    Hyperparameters h = found.learned().hyperparameters();
    boolean learned =
        h.kernel().parameters().stream()
            .anyMatch(p -> p.role() == Parameter.Role.OUTPUTSCALE && !p.fixed());
    double variance = h.kernel().value(data.places(), 0, data.places(), 0);
    if (!h.likelihood().has(Likelihood.Of.PROBABILITY) || !learned || !(variance > SATURATED))
      return Optional.empty();
    Prediction f = found.posterior().predict(data.places());
    for (int i = 0; i < data.size(); i++) {
      double y = data.values()[i];
      boolean right = f.mean(i) > 0 ? y == data.sizes()[i] : y == 0;
      if (!right) return Optional.empty();
    }
    return Optional.of(
        new Note(
            Note.Kind.ADVICE,
            String.format(
                Locale.ROOT,
                "the model separates the classes without a mistake, so the rows do not say how large the function is, and the kernel's variance %.4g is hardly known; fix the outputscale, for example at 10, or give rows where the classes mix",
                variance)));
  }

  private Learner learner() {
    Learner learner = LatticeFit.learner(fit.learning());
    return learner.optimizer().equals(Lbfgs.DEFAULT)
        ? learner.withOptimizer(Lbfgs.DEFAULT.withRelativeTolerance(ENOUGH))
        : learner;
  }

  private Learned learn(Hyperparameters from, Learnable laplace) {
    if (!fit.training() || from.freeSize() == 0) return Learned.given(from, laplace.name());
    return InTime.learned(
            () ->
                learner()
                    .learn(
                        laplace,
                        from,
                        starts.apply(LatticeChoice.START_ROWS),
                        fit.learning().starts(),
                        fit.learning().seed()),
            () -> filled(from),
            laplace.name())
        .withErrors(laplace);
  }
}
