/// The model file: written whole or not at all, read by mapping it into memory. Entry type:
/// [lovelace.io.ModelFile], which draws the layout. [lovelace.io.AtomicFile] writes every file that
/// matters. May import posterior and what lies below it.
@NullMarked
package lovelace.io;

import org.jspecify.annotations.NullMarked;
