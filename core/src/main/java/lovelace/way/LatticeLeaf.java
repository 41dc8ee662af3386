package lovelace.way;

import java.util.List;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.engines.Engines;
import lovelace.grid.Grid;
import lovelace.inference.CheckPoints;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.lattice.InterpolationLoss;
import lovelace.lattice.LatticePosterior;
import lovelace.latticekernel.LocalKriging;
import lovelace.learning.Learned;
import lovelace.learning.Starts;
import lovelace.love.Love;
import lovelace.neighbours.VecchiaLikelihood;
import lovelace.optimize.Lbfgs;
import lovelace.options.Options.Learning;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.Prediction;
import lovelace.sparse.SparseEngine;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// The engine of a plan on the statistics of a lattice: it learns and conditions.
public record LatticeLeaf(Plan plan, Statistics statistics) {

  /// The number of optimiser steps with the sums of all rows, after learning by neighbours.
  private static final int POLISH = 12;

  /// A smaller difference of log-likelihoods is not significant.
  private static final double TELLS = 0.5;

  /// A new engine, so that the same statistics and hyperparameters always give the same bits.
  private LatticeEngine engine() {
    return Engines.engine(plan.chosen(), statistics, plan.seed());
  }

  /// The given hyperparameters with their likelihood, without learning.
  Learned evaluate(Hyperparameters h) {
    LatticeEngine engine = engine();
    Learned given =
        plan.chosen() == Engine.SPARSE // its posterior comes with the likelihood
            ? Learned.given(h, engine.name())
            : Learned.given(h, engine.name(), engine.evidence(h));
    return given.because(plan.reason());
  }

  /// Learns the parameters that are not fixed. Unset ones start from values that some rows suggest.
  Learned learn(Hyperparameters start, Dataset rows, Learning learning) {
    if (start.freeSize() == 0) return evaluate(start);
    LatticeEngine engine = engine();
    if (engine instanceof SparseEngine sparse) return byNeighbours(sparse, start, learning);
    return Learners.of(learning)
        .learn(engine, start, rows, learning.starts(), learning.seed())
        .withErrors(engine)
        .because(plan.reason());
  }

  /// Continues learning from complete hyperparameters, without any rows. Further starts are drawn
  /// around them with the seed.
  Learned learn(Hyperparameters start, Learning learning) {
    if (start.freeSize() == 0) return evaluate(start);
    LatticeEngine engine = engine();
    if (engine instanceof SparseEngine sparse) return byNeighbours(sparse, start, learning);
    List<Hyperparameters> starts = Starts.around(start, learning.starts(), learning.seed());
    return Learners.of(learning)
        .learn(engine, starts, starts.size())
        .withErrors(engine)
        .because(plan.reason());
  }

  /// Learns by the neighbours of the rows. Unless every row has a node of its own, it then
  /// continues with the sums of all rows.
  private Learned byNeighbours(SparseEngine engine, Hyperparameters start, Learning learning) {
    Dataset rows = engine.rows();
    Learned found = NearestLeaf.learnInTime(rows, start, NearestLeaf.LEARNING, learning);
    if (found.timeUp()) return found.because(plan.reason());
    if (engine.isRowPerNode()) return interpolating(rows, start, found).because(plan.reason());
    Lbfgs few = Lbfgs.DEFAULT.withMaxIterations(POLISH).withRelativeTolerance(1e-6);
    return Learners.of(learning)
        .withOptimizer(few)
        .learn(engine, List.of(found.hyperparameters()), 1)
        .because(plan.reason());
  }

  /// Returns the same without noise if the likelihood hardly differs. Then observed nodes have
  /// fixed values, and the model interpolates.
  private static Learned interpolating(Dataset rows, Hyperparameters start, Learned found) {
    Hyperparameters h = found.hyperparameters();
    double none =
        0.1 * SparseEngine.NO_NOISE * h.kernel().withoutWhite().variance(rows.inputs(), 0);
    Parameter noise = start.parameter("noise");
    boolean asked =
        noise.fixed() || noise.prior().isPresent() || noise.lower() > Hyperparameters.NOISE_FLOOR;
    if (asked || h.kernel().whiteVariance() > 0 || h.noise() <= none) return found;
    double[] values = h.values();
    values[h.kernel().parameterCount()] = none;
    Hyperparameters without = h.with(values);
    try {
      VecchiaLikelihood likelihood = VecchiaLikelihood.of(rows, h, NearestLeaf.LEARNING, 1);
      double loss = likelihood.evidence(h).value() - likelihood.evidence(without).value();
      return loss <= TELLS ? found.with(without) : found;
    } catch (TimeUpException e) {
      return found; // with the noise that was learned
    }
  }

  /// The learned parameters, with the likelihood that came with the posterior, if any.
  static Learned settled(Learned learned, LatticePosterior posterior) {
    return posterior
        .likelihood()
        .map(l -> learned.settled(l.value(), l.standardError()))
        .orElse(learned);
  }

  /// The posterior under complete hyperparameters, with an estimate of the loss by interpolation.
  public LatticePosterior posterior(Hyperparameters h) {
    return posterior(h, null);
  }

  /// The posterior under complete hyperparameters, with the loss by interpolation. If there are
  /// rows, it is measured against their exact process; otherwise it is estimated.
  LatticePosterior posterior(Hyperparameters h, @Nullable Dataset rows) {
    LatticeDistribution found = engine().posterior(h, plan.tolerance());
    if (rows != null) {
      LatticePosterior posterior = LatticePosterior.of(found, plan.tolerance());
      Interpolation measured = Closeness.measure(posterior, rows);
      if (measured != null) return posterior.with(measured);
    }
    if (found.covariance().kriges()) return kriged(found);
    double[] places = Love.checkPoints(found.problem(), CheckPoints.COUNT);
    double[] errors = InterpolationLoss.estimate(found, places);
    return LatticePosterior.of(found, plan.tolerance())
        .with(new Interpolation(errors[0], errors[1], CheckPoints.COUNT, false));
  }

  /// A posterior whose rows lie on nodes, with the possible loss by kriging from a stencil between
  /// them.
  private LatticePosterior kriged(LatticeDistribution found) {
    LatticePosterior posterior = LatticePosterior.of(found, plan.tolerance());
    double[] places = CheckPoints.of(statistics, CheckPoints.COUNT);
    Prediction prediction = posterior.predict(places);
    double lost =
        LocalKriging.of(
                (Grid) statistics.lattice(),
                found.problem().hyperparameters().kernel().withoutWhite())
            .shortfall();
    double most = 0;
    for (int p = 0; p < CheckPoints.COUNT; p++)
      if (prediction.variance(p) > 0) most = Math.max(most, lost / prediction.variance(p));
    return posterior.with(new Interpolation(Math.sqrt(most), most, CheckPoints.COUNT, false));
  }
}
