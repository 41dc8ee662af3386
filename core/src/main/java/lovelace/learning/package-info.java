/// Learning hyperparameters: [lovelace.learning.Learner] maximises a likelihood, and
/// [lovelace.learning.Learned] says what came of it. The exact process, the chain of the rows and
/// the engines of a lattice all learn this way. Imports inference and below.
@NullMarked
package lovelace.learning;

import org.jspecify.annotations.NullMarked;
