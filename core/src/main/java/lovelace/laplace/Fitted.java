package lovelace.laplace;

import java.util.Optional;
import lovelace.kernel.Hyperparameters;
import lovelace.posterior.Posterior;

/// What a model knows of Laplace's approximation besides its posterior, which is that of working
/// observations.
///
/// @param hyperparameters with the likelihood's parameters
/// @param data what was observed, where it can be added to: the model holds its rows, or all lie on
///   nodes of its lattice
/// @param noise the posterior of the log of the noise's deviation, where that varies
/// @param rows how many rows were observed
/// @param steps how many Newton steps led to the mode
/// @param residual the length of the last step, in posterior standard deviations
public record Fitted(
    Hyperparameters hyperparameters,
    Optional<Observations> data,
    Optional<Posterior> noise,
    long rows,
    int steps,
    double residual) {}
