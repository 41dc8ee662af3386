package lovelace.planning;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import lovelace.budget.Budget;
import lovelace.budget.Budget.Remedy;
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
import lovelace.options.GridChoice;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.spectral.SpectralEngine;
import lovelace.survey.Survey;
import org.jspecify.annotations.Nullable;

/// Chooses the lattice of a fit for some parameters, from the first reading of the rows.
///
/// @param survey of the columns, or of the features in their place
/// @param components the columns of each grid of a sum, null for one grid
public record LatticeChoice(Options fit, Survey survey, @Nullable List<int[]> components) {

  /// If an automatic grid over one column has more points, its cause is checked.
  private static final int HUGE = 200_000;

  /// The fewest cells of an automatic grid per lengthscale, unless it must cost less.
  private static final double CELLS = 6;

  /// The factor by which each next grid that is tried is finer.
  private static final double FINER = 1.25;

  /// The shortest lengthscale of a column in an additive model is its range divided by this.
  private static final double SHORTEST = 50;

  /// The most modes of a grid that is made finer for the tolerance, if there are few rows.
  private static final int FEW_MODES = 2000;

  /// Operations of transforms that take some seconds.
  private static final double SECONDS = 5e9;

  /// The most nodes per row for which the data's own grid is chosen automatically. Three quarters
  /// of a map may be hidden. Scattered rows with few digits have far more nodes.
  private static final double NODES = 4;

  /// The number of rows from which start values come.
  public static final int START_ROWS = 5000;

  /// Whether there are so few rows that the exact process can be computed for comparison.
  public boolean few() {
    return survey.atMost(Fineness.MEASURED);
  }

  /// Complete hyperparameters. Unset ones are those that some rows suggest.
  public Hyperparameters filled(Hyperparameters start) {
    Dataset rows = survey.sample(START_ROWS);
    return start.fill(rows.inputs(), rows.target());
  }

  /// Bounds the lengthscales of an additive model from below, where a function would be pure noise.
  /// Without the bound, a column without information would go there, and its grid would grow
  /// without limit.
  public Hyperparameters bounded(Hyperparameters start) {
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

  /// The data's own grid if no other was asked for and it is suitable: every column has nodes, and
  /// there are at most [#NODES] of them per row; otherwise null. A plan uses it only if the engine
  /// profits from rows on nodes, because a smooth kernel needs far fewer points.
  public @Nullable ChosenLattice own() {
    if (components != null
        || fit.grid().hasPoints()
        || !survey.hasValues()
        || survey.values().size() > 3) return null;
    GridChoice choice = fit.grid().onData().withNames(survey.names());
    OwnGrid own = new OwnGrid(GridRule.of(choice), choice);
    double nodes = own.nodes(survey.values());
    if (nodes == 0 || nodes > NODES * survey.count()) return null;
    ChosenLattice chosen = own.choose(survey.values(), null);
    return Costs.bytes(chosen.lattice()) <= Budget.current().memory() ? chosen : null;
  }

  private ChosenLattice asked(double[] lengthscales) {
    ChosenLattice chosen =
        GridRule.of(fit.grid().withLengthscales(lengthscales).withNames(survey.names()))
            .chooseOwn(survey.values(), components);
    Budget.require(
        Costs.bytes(chosen.lattice()),
        String.format(Locale.ROOT, "the data's own grid of %,d points", chosen.lattice().size()),
        Remedy.FEWER_GRID_POINTS);
    return chosen;
  }

  /// The lattice for a kernel, as fine as the tolerance requires if that does not cost too much.
  ///
  /// @param finer the factor by which it is finer than the rule says
  public ChosenLattice choose(Hyperparameters h, double finer) {
    double[] details = lengthscales(h.kernel());
    if (fit.grid().isOnData()) return asked(details);
    ChosenLattice chosen = choose(h, finer, details);
    double[] lengths = shortest(h.kernel(), Leaf::lengths);
    if (components != null || fit.grid().hasPoints()) return chosen;
    requireUnit(chosen.grid(), h);
    if (Arrays.equals(details, lengths)) return chosen;
    // a grid for every detail of a period is only worth it if few modes suffice for the kernel
    ChosenLattice usual = choose(h, finer, lengths);
    boolean larger = chosen.lattice().size() > usual.lattice().size();
    return larger && isDirect(chosen.grid(), filled(h), SpectralEngine.MOST) ? chosen : usual;
  }

  /// Refuses a huge grid that is due to a period far shorter than the spacing of the rows. Most
  /// likely the period is in another unit.
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

  private ChosenLattice choose(Hyperparameters h, double finer, double[] lengthscales) {
    double cells =
        components != null || !h.unset().isEmpty()
            ? CELLS
            : Fineness.cells(h, survey, lengthscales, fit.tolerance(), CELLS);
    GridChoice choice = fit.grid().withLengthscales(lengthscales).withNames(survey.names());
    if (!choice.hasPoints())
      choice =
          choice.withMemory(Math.min(choice.memory(), Math.max(1, Budget.current().memory() / 4)));
    ChosenLattice chosen = finest(h, choice, Math.min(Fineness.FINEST, finer * cells));
    Budget.require(
        Costs.bytes(chosen.lattice()), "the " + chosen.lattice(), Remedy.FEWER_GRID_POINTS);
    return chosen;
  }

  private ChosenLattice finest(Hyperparameters h, GridChoice choice, double most) {
    if (components != null)
      return GridRule.of(choice.withCellsPerLengthscale(most))
          .choose(survey.low(), survey.high(), components);
    double least = fit.engine() == Engine.KRYLOV && few() ? GridChoice.POOR : CELLS;
    boolean known = h.unset().isEmpty() && !choice.hasPoints();
    double cells = known ? Math.min(least, most) : most;
    ChosenLattice chosen =
        GridRule.of(choice.withCellsPerLengthscale(cells)).choose(survey.low(), survey.high());
    // make the grid finer step by step; grids that cost too much are not tried, and the model will
    // report its error
    while (cells < most) {
      cells = Math.min(most, FINER * cells);
      ChosenLattice next =
          GridRule.of(choice.withCellsPerLengthscale(cells)).choose(survey.low(), survey.high());
      // grids for a long lengthscale have a fixed fewest number of points, so an equal grid is no
      // reason to stop
      if (!next.lattice().equals(chosen.lattice()) && !isCarried(next.grid(), h)) break;
      chosen = next;
    }
    return chosen;
  }

  /// Whether a grid may be finer than necessary: the engine stays the same, and if there are few
  /// rows, the work takes only seconds.
  private boolean isCarried(Grid grid, Hyperparameters h) {
    int modes = few() ? FEW_MODES : SpectralEngine.MOST;
    return switch (fit.engine()) {
      case AUTO -> isDirect(grid, h, modes);
      case SPECTRAL -> Engines.modes(grid, h, modes) > 0;
      case KRYLOV -> !few() || Costs.iterations(grid, survey.count()) <= SECONDS;
      case DENSE -> grid.size() <= DenseEngine.MOST_POINTS;
      case MARKOV, SPARSE, EXACT, CHAIN, SITES, NEIGHBOURS -> true;
    };
  }

  /// Whether an engine without iterations applies to a kernel on a grid, or one with at most
  /// `modes` modes, for any data.
  public static boolean isDirect(Grid grid, Hyperparameters h, int modes) {
    return MarkovEngine.applies(grid, h.kernel()) || Engines.modes(grid, h, modes) > 0;
  }

  /// The value of [lovelace.statistics.Statistics#rankBound] for the rows of the first reading.
  public long rank(Lattice lattice) {
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

  /// Whether the lengthscale of some column is shorter than two cells.
  public static boolean isPoor(Lattice lattice, Hyperparameters h) {
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

  /// The length of the finest detail along each column; NaN if none is known.
  public static double[] lengthscales(Kernel bound) {
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
