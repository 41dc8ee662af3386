package lovelace.inference;

import lovelace.kernel.Hyperparameters;

/// Learned hyperparameters with the evidence for them.
///
/// @param logLikelihood the log marginal likelihood reached, priors not counted
/// @param engine the engine, ready to condition on the data
public record Trained(
    Hyperparameters hyperparameters, double logLikelihood, TrainingReport report, Engine engine) {}
