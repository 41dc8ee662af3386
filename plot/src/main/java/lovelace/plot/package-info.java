/// Pictures of posteriors: bands, lines, points and heat maps, written as PNG and SVG.
///
/// Start at [lovelace.plot.Plot] for one input and [lovelace.plot.HeatMap] for two. A picture is
/// drawn once, on a canvas that is either pixels or SVG, with glyphs of a bundled typeface, so a
/// picture looks the same on a machine without fonts or a display. Imports nothing but
/// `java.desktop` and core.
@NullMarked
package lovelace.plot;

import org.jspecify.annotations.NullMarked;
