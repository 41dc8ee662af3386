/// The paper's tables and figures (Pleiss, Gardner, Weinberger and Wilson 2018), made again and set
/// beside the printed ones. Entry: [lovelace.experiments.reproduce.Reproduction].
@NullMarked
package lovelace.experiments.reproduce;

import org.jspecify.annotations.NullMarked;
