package lovelace;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import lovelace.budget.Budget;
import lovelace.budget.Budget.Remedy;
import lovelace.costs.Costs;
import lovelace.data.Dataset;
import lovelace.dense.DenseEngine;
import lovelace.engines.Engines;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Parameter;
import lovelace.kernel.Term;
import lovelace.markov.MarkovEngine;
import lovelace.plan.Engine;
import lovelace.spectral.SpectralEngine;
import org.jspecify.annotations.Nullable;

/// Which lattice a fit would take for some parameters, by what a first look at the rows tells.
///
/// @param survey of the columns, or of the features in their place
/// @param components the columns of each grid of a sum, null for one grid
record LatticeChoice(Fit fit, Survey survey, @Nullable List<int[]> components) {

  /// An automatic grid of more points over one column is looked at twice.
  private static final int HUGE = 200_000;

  /// The fewest cells of an automatic grid along a lengthscale, unless it is to cost less.
  private static final double CELLS = 6;

  /// By how much finer the grids are that are looked at one after another.
  private static final double FINER = 1.25;

  /// The shortest lengthscale of an additive model's column is its range over this.
  private static final double SHORTEST = 50;

  /// The most modes of a grid that is made finer for the tolerance, where rows are few.
  private static final int FEW_MODES = 2000;

  /// Operations of transforms that take some seconds.
  private static final double SECONDS = 5e9;

  /// The most nodes of the data's own grid for each row, where it is chosen automatically: of a map
  /// three quarters may be hidden, and scattered rows of few digits have far more.
  private static final double NODES = 4;

  /// The rows that start values are taken from.
  static final int START_ROWS = 5000;

  /// Whether the rows are so few that the exact process is at hand.
  boolean few() {
    return survey.atMost(Closeness.MEASURED);
  }

  /// Complete hyperparameters: what is unset is as some of the rows suggest.
  Hyperparameters filled(Hyperparameters start) {
    Dataset rows = survey.sample(START_ROWS);
    return start.fill(rows.inputs(), rows.target());
  }

  /// Keeps the lengthscales of an additive model from going where a function is but noise: a column
  /// that says nothing would end there, on a grid without end.
  Hyperparameters bounded(Hyperparameters start) {
    List<Parameter> parameters = start.parameters();
    Hyperparameters bounded = start;
    for (Term term : start.kernel().terms())
      for (int f = 0; f < term.factors().size(); f++) {
        Leaf leaf = term.factors().get(f);
        if (leaf.lengthscaleOffset() < 0) continue;
        double range = Double.POSITIVE_INFINITY;
        for (int column : leaf.columns())
          range = Math.min(range, survey.high()[column] - survey.low()[column]);
        int at = term.offset(f) + leaf.lengthscaleOffset();
        int i = 0;
        while (at >= parameters.get(i).size()) at -= parameters.get(i++).size();
        Parameter p = parameters.get(i);
        double least = range / SHORTEST;
        double most = 100 * range;
        boolean given = Arrays.stream(p.values()).anyMatch(v -> v <= least || v >= most);
        if (range > 0 && !p.fixed() && !given && p.lower() < least)
          bounded = bounded.withBounds(p.path(), least, most);
      }
    return bounded;
  }

  /// Whether a fit might choose the data's own grid by itself: the kernel is rough, and the rows
  /// seen lie on a grid over two or three columns.
  static boolean mayBeOwn(Fit fit, Survey survey) {
    int d = survey.values().size();
    return fit.grid().isAutomatic()
        && fit.shape() == Fit.Shape.AUTO
        && d > 1
        && d < 4
        && survey.isRegular()
        && Engines.isRough(fit.kernel().bind(d));
  }

  /// The data's own grid where nobody asked for another and it is a good one: every column has
  /// nodes, and there are at most [#NODES] of them to a row; else null. No plan takes it unless the
  /// engine profits from rows on nodes: a smooth kernel needs far fewer points.
  GridChoice.@Nullable Chosen own() {
    if (components != null
        || fit.grid().hasPoints()
        || !survey.hasValues()
        || survey.values().size() > 3) return null;
    GridChoice choice = fit.grid().onData().withNames(survey.names());
    double nodes = choice.ownNodes(survey.values());
    if (nodes == 0 || nodes > NODES * survey.count()) return null;
    GridChoice.Chosen chosen = choice.chooseOwn(survey.values(), null);
    return GridChoice.bytes(chosen.lattice()) <= Budget.current().memory() ? chosen : null;
  }

  private GridChoice.Chosen asked(double[] lengthscales) {
    GridChoice.Chosen chosen =
        fit.grid()
            .withLengthscales(lengthscales)
            .withNames(survey.names())
            .chooseOwn(survey.values(), components);
    Budget.require(
        GridChoice.bytes(chosen.lattice()),
        String.format(Locale.ROOT, "the data's own grid of %,d points", chosen.lattice().size()),
        Remedy.FEWER_GRID_POINTS);
    return chosen;
  }

  /// The lattice for a kernel, as fine as the tolerance asks for if that is not too dear.
  ///
  /// @param finer by how much finer than the rule says
  GridChoice.Chosen choose(Hyperparameters h, double finer) {
    double[] details = lengthscales(h.kernel());
    if (fit.grid().isOnData()) return asked(details);
    GridChoice.Chosen chosen = choose(h, finer, details);
    double[] lengths = shortest(h.kernel(), Leaf::lengths);
    if (components != null || fit.grid().hasPoints()) return chosen;
    requireUnit(chosen.grid(), h);
    if (Arrays.equals(details, lengths)) return chosen;
    // a grid for every detail of a period is worth it only where few modes carry the kernel
    GridChoice.Chosen usual = choose(h, finer, lengths);
    boolean larger = chosen.lattice().size() > usual.lattice().size();
    return larger && isDirect(chosen.grid(), filled(h), SpectralEngine.MOST) ? chosen : usual;
  }

  /// Refuses a grid that is huge because of a period far shorter than the spacing of the rows: the
  /// unit is most likely another one.
  private void requireUnit(Grid grid, Hyperparameters h) {
    if (grid.dimensions() != 1 || grid.size() <= HUGE) return;
    double spacing = (survey.high()[0] - survey.low()[0]) / Math.max(1, survey.count() - 1);
    for (Parameter p : h.parameters())
      if (p.role() == Parameter.Role.PERIOD && p.values()[0] < spacing)
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "%s %.4g is shorter than the spacing of the data in column '%s', about %.4g, and needs a grid of %,d points; is its unit that of the column? If it is, give the number of grid points",
                p.path(),
                p.values()[0],
                survey.names().getFirst(),
                spacing,
                grid.size()));
  }

  private GridChoice.Chosen choose(Hyperparameters h, double finer, double[] lengthscales) {
    double cells =
        components != null || !h.unset().isEmpty()
            ? CELLS
            : Closeness.cells(h, survey, lengthscales, fit.tolerance(), CELLS);
    GridChoice choice = fit.grid().withLengthscales(lengthscales).withNames(survey.names());
    if (!choice.hasPoints())
      choice =
          choice.withMemory(Math.min(choice.memory(), Math.max(1, Budget.current().memory() / 4)));
    GridChoice.Chosen chosen = finest(h, choice, Math.min(Closeness.FINEST, finer * cells));
    Budget.require(
        GridChoice.bytes(chosen.lattice()), "the " + chosen.lattice(), Remedy.FEWER_GRID_POINTS);
    return chosen;
  }

  private GridChoice.Chosen finest(Hyperparameters h, GridChoice choice, double most) {
    if (components != null)
      return choice.withCellsPerLengthscale(most).choose(survey.low(), survey.high(), components);
    double least = fit.engine() == Engine.KRYLOV && few() ? GridChoice.POOR : CELLS;
    boolean known = h.unset().isEmpty() && !choice.hasPoints();
    double cells = known ? Math.min(least, most) : most;
    GridChoice.Chosen chosen =
        choice.withCellsPerLengthscale(cells).choose(survey.low(), survey.high());
    // finer from step to step: what costs too much is not even looked at, and the model will say
    // how far off it is
    while (cells < most) {
      cells = Math.min(most, FINER * cells);
      GridChoice.Chosen next =
          choice.withCellsPerLengthscale(cells).choose(survey.low(), survey.high());
      // a long lengthscale has the fewest points for many cells, so the same grid ends nothing
      if (!next.lattice().equals(chosen.lattice()) && !isCarried(next.grid(), h)) break;
      chosen = next;
    }
    return chosen;
  }

  /// Whether a grid finer than need be leaves the engine what it is, and costs seconds where the
  /// exact process takes no more.
  private boolean isCarried(Grid grid, Hyperparameters h) {
    int modes = few() ? FEW_MODES : SpectralEngine.MOST;
    return switch (fit.engine()) {
      case AUTO -> isDirect(grid, h, modes);
      case SPECTRAL -> Engines.modes(grid, h, modes) > 0;
      case KRYLOV -> !few() || Costs.iterations(grid, survey.count()) <= SECONDS;
      case DENSE -> grid.size() <= DenseEngine.MOST_POINTS;
      case MARKOV, EXACT, SPARSE, NEIGHBOURS -> true;
    };
  }

  /// Whether a kernel on a grid is served by an engine without iterations, or with at most so many
  /// modes, whatever the data.
  static boolean isDirect(Grid grid, Hyperparameters h, int modes) {
    return MarkovEngine.applies(grid, h.kernel()) || Engines.modes(grid, h, modes) > 0;
  }

  /// What [lovelace.statistics.Statistics#rankBound] is of the rows looked at.
  long rank(Lattice lattice) {
    if (!(lattice instanceof Grid grid)) return Math.min(survey.count(), lattice.size());
    Dataset rows = survey.sample(Integer.MAX_VALUE);
    int d = rows.dimensions();
    Map<Integer, Integer> counts = new HashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      int cell = grid.cell(rows.inputs(), i * d);
      if (cell >= 0) counts.merge(cell, 1, Integer::sum);
    }
    return counts.values().stream().mapToLong(n -> Math.min(n, grid.stencilSize())).sum();
  }

  /// Whether some column's lengthscale is under two cells.
  static boolean isPoor(Lattice lattice, Hyperparameters h) {
    double[] lengthscales = lengthscales(h.kernel());
    switch (lattice) {
      case Grid grid -> {
        for (int a = 0; a < grid.dimensions(); a++)
          if (lengthscales[a] < GridChoice.POOR * grid.axis(a).step()) return true;
      }
      case AdditiveGrid sum -> {
        for (int c = 0; c < sum.components(); c++) {
          AdditiveGrid.Component part = sum.component(c);
          for (int a = 0; a < part.grid().dimensions(); a++)
            if (lengthscales[part.column(a)] < GridChoice.POOR * part.grid().axis(a).step())
              return true;
        }
      }
    }
    return false;
  }

  /// The length of the finest detail along each column; NaN where none is known.
  static double[] lengthscales(Kernel bound) {
    return shortest(bound, Leaf::details);
  }

  private static double[] shortest(Kernel bound, Function<Leaf, double[]> lengths) {
    double[] shortest = new double[bound.dimensions()];
    Arrays.fill(shortest, Double.NaN);
    for (Term term : bound.terms())
      for (Leaf leaf : term.factors()) {
        int[] read = leaf.columns();
        double[] values = lengths.apply(leaf);
        for (int i = 0; i < values.length; i++) {
          int a = read[i % read.length];
          if (values[i] > 0 && !(values[i] >= shortest[a])) shortest[a] = values[i];
        }
      }
    return shortest;
  }
}
