/// Maps: rasters with a coordinate system, polygons, contours.
@NullMarked
package lovelace.maps;

import org.jspecify.annotations.NullMarked;
