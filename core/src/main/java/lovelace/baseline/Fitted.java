package lovelace.baseline;

import lovelace.optimize.Optimizer.Optimum;
import lovelace.posterior.Posterior;

/// A fitted posterior and how the optimiser got there; the optimum's value is minus the objective,
/// in the free parameters' own scale.
public record Fitted<P extends Posterior>(P posterior, Optimum optimum) {}
