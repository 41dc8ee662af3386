package lovelace.plot;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Plots side by side in one picture, in rows of two where there are more than one.
public final class Sheet extends Picture {

  private final String title;
  private String subtitle = "";
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

  /// Puts another plot on the sheet.
  public Sheet add(Plot plot) {
    plots.add(plot);
    return this;
  }

  private int columns() {
    return Math.clamp(plots.size(), 1, 2);
  }

  private int cellWidth() {
    return plots.stream().mapToInt(Plot::width).max().orElse(480);
  }

  private int cellHeight() {
    return plots.stream().mapToInt(Plot::height).max().orElse(320);
  }

  private int head() {
    return subtitle.isEmpty() ? 48 : 70;
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
    return head() + Math.ceilDiv(Math.max(1, plots.size()), columns()) * cellHeight();
  }

  @Override
  void draw(Canvas canvas) {
    canvas.fill(new Rectangle2D.Double(0, 0, width(), height()), Color.WHITE);
    Axes.header(canvas, width(), title, subtitle);
    for (int i = 0; i < plots.size(); i++) {
      canvas.shift(
          i % columns() * (double) cellWidth(), head() + i / columns() * (double) cellHeight());
      plots.get(i).draw(canvas);
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
