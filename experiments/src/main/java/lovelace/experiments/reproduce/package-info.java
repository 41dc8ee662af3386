/// Reproduces the paper's tables and figures (Pleiss, Gardner, Weinberger and Wilson 2018) and sets
/// them beside the published ones. Entry: [lovelace.experiments.reproduce.Reproduction].
@NullMarked
package lovelace.experiments.reproduce;

import org.jspecify.annotations.NullMarked;
