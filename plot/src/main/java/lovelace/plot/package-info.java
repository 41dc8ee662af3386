/// Pictures of models: bands, lines, points, heat maps and rankings, written as PNG, SVG and HTML.
///
/// Start at [lovelace.plot.Pictures] for pictures of a model, at [lovelace.plot.Plot] and
/// [lovelace.plot.HeatMap] for pictures of your own. A picture is drawn on a canvas that is either
/// pixels or SVG, with glyphs of a bundled typeface. So it looks the same on a machine without
/// fonts or a display. A page draws the same data with ECharts, which it contains. The package
/// imports only `java.desktop` and core.
@NullMarked
package lovelace.plot;

import org.jspecify.annotations.NullMarked;
