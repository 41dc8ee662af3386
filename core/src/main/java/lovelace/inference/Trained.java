package lovelace.inference;

import lovelace.kernel.Hyperparameters;

/// Learned hyperparameters with the evidence for them.
///
/// @param logLikelihood the log marginal likelihood reached, priors not counted
/// @param next what an evaluation close by may start from
public record Trained(
    Hyperparameters hyperparameters, double logLikelihood, TrainingReport report, WarmStart next) {}
