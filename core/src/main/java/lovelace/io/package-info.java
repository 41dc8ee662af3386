/// The state of a model and the layout of its file: written whole or not at all, read by mapping it
/// into memory. [lovelace.io.AtomicFile] writes every file that matters. Start at
/// [lovelace.io.ModelFile], which draws the layout.
@NullMarked
package lovelace.io;

import org.jspecify.annotations.NullMarked;
