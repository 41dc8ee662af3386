/// Where a model comes from, for people. Start with [lovelace.model.Provenance].
@NullMarked
package lovelace.model;

import org.jspecify.annotations.NullMarked;
