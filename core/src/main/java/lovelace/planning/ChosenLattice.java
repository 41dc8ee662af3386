package lovelace.planning;

import java.util.Locale;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.grid.GridText;
import lovelace.grid.Lattice;
import lovelace.options.GridChoice;
import org.jspecify.annotations.Nullable;

/// A lattice, and the reasons for its form.
public final class ChosenLattice {

  private final GridChoice choice;
  private final Lattice lattice;
  private final Axis[] axes;
  private final Span[] spans;
  private final String limit;
  private final String what;

  ChosenLattice(
      GridChoice choice, Lattice lattice, Axis[] axes, Span[] spans, String what, String limit) {
    this.choice = choice;
    this.what = what;
    this.lattice = lattice;
    this.axes = axes;
    this.spans = spans;
    this.limit = limit;
  }

  public Lattice lattice() {
    return lattice;
  }

  /// Whether its nodes are those of the data.
  public boolean isOwn() {
    return lattice instanceof Grid grid && grid.snaps();
  }

  /// The grid, if the lattice is a single one.
  public Grid grid() {
    return (Grid) lattice;
  }

  /// The same lattice with lengthscales that became known later, one per column; NaN if unknown.
  public ChosenLattice withLengthscales(double... perAxis) {
    Span[] known = new Span[spans.length];
    for (int a = 0; a < known.length; a++) known[a] = spans[a].with(perAxis[a]);
    return new ChosenLattice(choice, lattice, axes, known, what, limit);
  }

  /// Describes the lattice and how fine it is.
  public String explanation() {
    return explain();
  }

  /// Advice for a poor lattice; empty if the lattice is good.
  public String advice() {
    return advise();
  }

  private String explain() {
    StringBuilder text = new StringBuilder(what);
    for (int a = 0; a < spans.length; a++) {
      text.append(a == 0 ? ": " : ", ").append(spans.length == 1 ? "" : choice.name(a) + " ");
      text.append(GridText.number(round(axes[a].step()))).append(" apart");
      double cells = spans[a].lengthscale() / axes[a].step();
      if (cells > 0)
        text.append(String.format(Locale.ROOT, " (%.1f cells per lengthscale)", cells));
      if (spans[a].fixed()) text.append(" within the bounds given, and one point beyond each");
    }
    if (choice.hasPoints()) text.append("; points as given");
    return text.append(limit).toString();
  }

  private static double round(double value) {
    double unit = Math.pow(10, Math.floor(Math.log10(value)) - 2);
    return Math.rint(value / unit) * unit;
  }

  private String advise() {
    @Nullable String worst = null;
    StringBuilder better = new StringBuilder();
    for (int a = 0; a < spans.length; a++) {
      Axis axis = axes[a];
      double cells = spans[a].lengthscale() / axis.step();
      int need = axis.points();
      if (cells < GridChoice.POOR) { // false for an unknown lengthscale
        need = 3 + (int) Math.ceil(axis.cells() * choice.cellsPerLengthscale() / cells);
        if (worst == null)
          worst =
              String.format(
                  Locale.ROOT,
                  "the lengthscale of %s, %s, is only %.1f cells; below about 2 the model"
                      + " misses detail between grid points",
                  choice.name(a),
                  GridText.number(spans[a].lengthscale()),
                  cells);
      }
      better.append(a == 0 ? "" : "x").append(need);
    }
    return worst == null ? "" : worst + ". Use a grid of " + better + " points or a shorter range.";
  }
}
