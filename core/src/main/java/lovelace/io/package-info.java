/// The state of a model and the layout of its file, which is written whole or not at all and read
/// by mapping it into memory. [lovelace.io.AtomicFile] writes every file that matters. Start at
/// [lovelace.io.ModelFile], which describes the layout.
@NullMarked
package lovelace.io;

import org.jspecify.annotations.NullMarked;
