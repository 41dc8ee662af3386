@NullMarked
package lovelace.maps;

import org.jspecify.annotations.NullMarked;
