/// Joint draws of many series and of sums of them, so that the sums agree in every draw.
@NullMarked
package lovelace.series.sums;

import org.jspecify.annotations.NullMarked;
