/// What a model is, as types. Entry type: [lovelace.model.ModelState], which [lovelace.Model]
/// answers from and `io` reads and writes. May import posterior and what lies below it.
@NullMarked
package lovelace.model;

import org.jspecify.annotations.NullMarked;
