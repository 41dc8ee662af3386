package lovelace.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lovelace.grid.Axis;
import lovelace.grid.ColumnValues;
import lovelace.grid.ColumnValues.Nodes;
import lovelace.grid.Grid;
import lovelace.grid.GridText;
import lovelace.grid.Lattice;
import lovelace.options.GridChoice;
import lovelace.options.GridChoice.Range;
import org.jspecify.annotations.Nullable;

/// The grid whose nodes are the values of the data.
///
/// @param rule of the grid that was asked for
record OwnGrid(GridRule rule, GridChoice choice) {

  /// If rows are farther from their nodes, in steps, they are reported as moved. Smaller distances
  /// are rounding.
  private static final double MOVED = 1e-9;

  /// The grid whose nodes are the values of the columns. Fails if the values of a column are not
  /// nodes.
  ///
  /// @param components the columns of each grid of a sum, null for one grid
  ChosenLattice choose(List<ColumnValues> values, @Nullable List<int[]> components) {
    int d = values.size();
    rule.requireColumns(d);
    Axis[] axes = new Axis[d];
    Span[] spans = new Span[d];
    List<String> sizes = new ArrayList<>();
    double size = 1;
    double off = 0;
    boolean extended = false;
    boolean margin = false;
    for (int a = 0; a < d; a++) {
      Nodes nodes = nodes(a, values.get(a));
      if (nodes == null) throw new IllegalArgumentException(reason(a, values.get(a)));
      boolean fixed = choice.bound(a) != null;
      Range reach = reach(a, nodes);
      axes[a] =
          fixed
              ? Axis.covering(nodes.first(), nodes.last(), nodes.count() + 2)
              : nodes.axis(reach.low(), reach.high());
      double lengthscale = GridRule.pick(choice.lengthscales(), a, Double.NaN);
      spans[a] = new Span(reach.low(), reach.high(), 2 * nodes.step(), lengthscale, fixed, 0);
      sizes.add(Integer.toString(nodes.count()));
      size *= axes[a].points();
      off = Math.max(off, nodes.off());
      extended |= !fixed && axes[a].points() > nodes.count() + 4;
      margin |= !fixed;
    }
    if (components == null && size > Grid.MOST)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the data's own grid has %,.0f points (%s and their margin), and a grid may have at most %,d; give a number of grid points instead",
              size,
              String.join(" × ", sizes),
              Grid.MOST));
    Lattice lattice =
        components == null ? Grid.of(axes).snapping() : GridRule.sum(axes, components);
    rule.requireRoom(lattice);
    String what =
        "the data's own "
            + (d == 1
                ? "grid of " + sizes.getFirst() + " nodes"
                : String.join("×", sizes) + " grid")
            + (extended ? ", continued over the ranges given" : "")
            + (margin ? ", with a margin of two" : "")
            + (components == null ? "" : ", in a " + lattice);
    String moved =
        components == null && off > MOVED
            ? String.format(
                Locale.ROOT, "; rows up to %.1g of a step off a node are moved onto it", off)
            : "";
    return new ChosenLattice(choice, lattice, axes, spans, what, moved);
  }

  /// The number of nodes of the data's own grid without a margin; 0 if there is no such grid.
  double nodes(List<ColumnValues> values) {
    double product = 1;
    for (int a = 0; a < values.size(); a++) {
      Nodes nodes = nodes(a, values.get(a));
      if (nodes == null) return 0;
      Range reach = reach(a, nodes);
      product *= 1 + Math.rint((reach.high() - reach.low()) / nodes.step());
    }
    return product;
  }

  /// The range of a column that covers the data's nodes and the ranges that were asked for.
  private Range reach(int a, Nodes nodes) {
    double low = nodes.first();
    double high = nodes.last();
    for (Range range : choice.ranges())
      if (range.column() == a && choice.bound(a) == null) {
        low = Math.min(low, range.low());
        high = Math.max(high, range.high());
      }
    return new Range(a, low, high);
  }

  private String reason(int a, ColumnValues values) {
    String column = choice.names().isEmpty() ? choice.name(a) : "column '" + choice.name(a) + "'";
    Range bound = choice.bound(a);
    if (bound == null) return values.reason(column);
    ColumnValues inside = values.within(bound.low(), bound.high());
    return inside.nodes() == null
        ? inside.reason(column)
        : "the bounds of %s, %s to %s, are not nodes of the data's own grid, whose step is %s; give bounds that are nodes, or a number of grid points"
            .formatted(
                column,
                GridText.number(bound.low()),
                GridText.number(bound.high()),
                GridText.number(inside.nodes().step()));
  }

  private @Nullable Nodes nodes(int a, ColumnValues values) {
    Range bound = choice.bound(a);
    return bound == null
        ? values.nodes()
        : values.within(bound.low(), bound.high()).nodes(bound.low(), bound.high());
  }
}
