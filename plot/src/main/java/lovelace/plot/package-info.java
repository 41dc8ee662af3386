/// Pictures of models: bands, lines, points, heat maps and rankings, written as PNG, SVG and HTML.
///
/// Start at [lovelace.plot.Pictures] for pictures of a model, at [lovelace.plot.Plot] and
/// [lovelace.plot.HeatMap] for pictures of your own. A picture is drawn once, on a canvas that is
/// either pixels or SVG, with glyphs of a bundled typeface, so a picture looks the same on a
/// machine without fonts or a display; a page draws the same data with ECharts, which is inside it.
/// Imports nothing but `java.desktop` and core.
@NullMarked
package lovelace.plot;

import org.jspecify.annotations.NullMarked;
