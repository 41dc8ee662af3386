package lovelace.plot;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Rows of plots under one title. Plots of a row are of one height, and each row has its own.
final class Board extends Picture {

  private record Row(boolean legends, List<Plot> plots) {
    int width() {
      return plots.stream().mapToInt(Plot::width).sum();
    }

    int height() {
      return plots.stream().mapToInt(Plot::height).max().orElse(0);
    }
  }

  private final String title;
  private String subtitle = "";
  private @Nullable Plot legend;
  private final List<Row> rows = new ArrayList<>();

  private Board(String title) {
    this.title = title;
  }

  static Board titled(String title) {
    return new Board(title);
  }

  /// A line of smaller text under the title.
  Board subtitle(String text) {
    subtitle = text;
    return this;
  }

  /// Draws the legend of this plot under the title, for rows without legends of their own.
  Board legend(Plot plot) {
    legend = plot;
    return this;
  }

  /// Adds a row.
  ///
  /// @param legends whether each plot has its own legend
  Board row(boolean legends, List<Plot> plots) {
    rows.add(new Row(legends, List.copyOf(plots)));
    return this;
  }

  private int head() {
    boolean bare =
        legend == null && !rows.isEmpty() && rows.getFirst().plots.getFirst().title().isEmpty();
    return (subtitle.isEmpty() ? 45 : 66) + (legend == null ? 0 : 26) - (bare ? 14 : 0);
  }

  @Override
  String title() {
    return title;
  }

  @Override
  int width() {
    return rows.stream().mapToInt(Row::width).max().orElse(480);
  }

  @Override
  int height() {
    return head() + rows.stream().mapToInt(Row::height).sum();
  }

  @Override
  void draw(Canvas canvas) {
    canvas.fill(new Rectangle2D.Double(0, 0, width(), height()), Color.WHITE);
    int y = head();
    for (Row row : rows) {
      int x = 0;
      for (Plot plot : row.plots) {
        canvas.shift(x, y);
        plot.draw(canvas, row.legends);
        canvas.unshift();
        x += plot.width();
      }
      y += row.height();
    }
    double top = Axes.header(canvas, width(), title, subtitle); // last, since plots have a ground
    if (legend != null) legend.legend(canvas, top, width());
  }

  @Override
  List<Map<String, Object>> panels() {
    List<Map<String, Object>> all = new ArrayList<>();
    all.add(Page.ordered("kind", "head", "title", title, "subtitle", subtitle));
    for (Row row : rows) for (Plot plot : row.plots) all.addAll(plot.panels());
    return all;
  }
}
