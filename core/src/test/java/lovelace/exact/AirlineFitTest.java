package lovelace.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lovelace.data.Airline;
import lovelace.data.Dataset;
import lovelace.data.TargetTransform;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.learning.Learner;
import lovelace.optimize.Lbfgs;
import lovelace.optimize.Optimizer;
import lovelace.posterior.Scores;
import org.junit.jupiter.api.Test;

/// A ten-component spectral mixture on 96 months of airline passengers, its start and its optimum
/// chosen by marginal likelihood, judged on the next 48 months.
class AirlineFitTest {

  private static final Dataset ALL = Airline.dataset();
  private static final Dataset LATER = ALL.rows(96, 144);

  private static ExactGp fit(TargetTransform transform, Optimizer optimizer) {
    var h =
        Hyperparameters.of(
            Kernel.spectralMixture(10).bind(1), Double.NaN, PriorMean.named("constant", 1));
    Dataset seen = transform.apply(ALL.rows(0, 96));
    Learner learner = Learner.DEFAULT.withOptimizer(optimizer);
    return ExactGp.of(seen, learner.learn(ExactGp.likelihood(seen), h, seen, 1).hyperparameters());
  }

  private static double joint(ExactGp gp, TargetTransform transform) {
    return Scores.jointLogDensity(gp, LATER.inputs(), LATER.target(), transform);
  }

  private static double coverage(ExactGp gp, TargetTransform transform) {
    return Scores.of(gp.predictObservation(LATER.inputs()), LATER.target(), transform)
        .coverage(0.95);
  }

  @Test
  void forecastOfLogPassengersIsLikelyAndCalibrated() {
    ExactGp gp = fit(TargetTransform.LOG, Lbfgs.DEFAULT);
    double joint = joint(gp, TargetTransform.LOG);
    assertTrue(gp.logMarginalLikelihood() > 162, "likelihood " + gp.logMarginalLikelihood());
    assertTrue(joint > -200, "joint log density " + joint + ", Wilson and Nickisch (2015): -222");
    double coverage = coverage(gp, TargetTransform.LOG);
    assertTrue(coverage >= 0.85, "coverage " + coverage);
  }

  @Test
  void forecastOfRawPassengersIsBetterThanRandomStartsGive() {
    ExactGp gp = fit(TargetTransform.NONE, Lbfgs.DEFAULT);
    double joint = joint(gp, TargetTransform.NONE);
    assertTrue(joint > -240, "joint log density " + joint);
    double coverage = coverage(gp, TargetTransform.NONE);
    assertTrue(coverage >= 0.8, "coverage " + coverage);
  }

  @Test
  void fitsRepeatBitForBit() {
    Optimizer brief = Lbfgs.DEFAULT.withMaxIterations(5);
    ExactGp one = fit(TargetTransform.LOG, brief);
    assertEquals(one.hyperparameters(), fit(TargetTransform.LOG, brief).hyperparameters());
  }
}
