package lovelace.plot;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// Plots side by side in one picture. Several plots stand in rows of two.
public final class Sheet extends Picture {

  private final String title;
  private String subtitle = "";
  private String hidden = "";
  private int most = Integer.MAX_VALUE;
  private int across = 2;
  private boolean shared;
  private final List<Plot> plots = new ArrayList<>();

  private Sheet(String title) {
    this.title = title;
  }

  public static Sheet titled(String title) {
    return new Sheet(title);
  }

  /// A line of smaller text under the title.
  public Sheet subtitle(String text) {
    subtitle = text;
    return this;
  }

  /// Sets the number of plots in a row.
  public Sheet across(int plots) {
    if (plots < 1) throw new IllegalArgumentException("plots across must be >= 1, got " + plots);
    across = plots;
    return this;
  }

  /// Draws one legend for all plots: that of the plot with the most layers in it.
  public Sheet sharingLegend() {
    shared = true;
    return this;
  }

  /// Leaves out plots after the first `count` in files of pixels and SVG. A page has all.
  ///
  /// @param words the text about the others, after the subtitle
  public Sheet atMost(int count, String words) {
    if (count < 1) throw new IllegalArgumentException("plots must be >= 1, got " + count);
    most = count;
    hidden = words;
    return this;
  }

  /// Puts another plot on the sheet.
  public Sheet add(Plot plot) {
    plots.add(plot);
    return this;
  }

  private int shown() {
    return Math.min(most, plots.size());
  }

  private int columns() {
    return Math.clamp(shown(), 1, across);
  }

  private int cellWidth() {
    return plots.stream().mapToInt(Plot::width).max().orElse(480);
  }

  private int cellHeight() {
    return plots.stream().mapToInt(Plot::height).max().orElse(320);
  }

  private int head() {
    return (subtitle.isEmpty() ? 48 : 70) + (shared ? 26 : 0);
  }

  @Override
  String title() {
    return title;
  }

  @Override
  int width() {
    return columns() * cellWidth();
  }

  @Override
  int height() {
    return head() + Math.ceilDiv(Math.max(1, shown()), columns()) * cellHeight();
  }

  @Override
  void draw(Canvas canvas) {
    canvas.fill(new Rectangle2D.Double(0, 0, width(), height()), Color.WHITE);
    String line = shown() < plots.size() ? subtitle + hidden : subtitle;
    double top = Axes.header(canvas, width(), title, line);
    if (shared)
      plots.stream()
          .max(Comparator.comparingLong(Plot::named))
          .ifPresent(plot -> plot.legend(canvas, top, width()));
    for (int i = 0; i < shown(); i++) {
      canvas.shift(
          i % columns() * (double) cellWidth(), head() + i / columns() * (double) cellHeight());
      plots.get(i).draw(canvas, !shared);
      canvas.unshift();
    }
  }

  @Override
  List<Map<String, Object>> panels() {
    List<Map<String, Object>> all = new ArrayList<>();
    all.add(Page.ordered("kind", "head", "title", title, "subtitle", subtitle));
    for (Plot plot : plots) all.addAll(plot.panels());
    return all;
  }
}
