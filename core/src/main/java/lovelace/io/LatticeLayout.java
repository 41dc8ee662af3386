package lovelace.io;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import lovelace.dense.DenseEngine;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.inference.LatticeCovariance;
import lovelace.inference.LatticeEngine;
import lovelace.inference.LatticeProblem;
import lovelace.io.Sections.Part;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.love.Love;
import lovelace.love.LoveCovariance;
import lovelace.markov.MarkovEngine;
import lovelace.plan.Engine;
import lovelace.posterior.Certificate;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.Certificate.VarianceBound;
import lovelace.sparse.SparseCovariance;
import lovelace.sparse.SparseEngine;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.AdditiveStatistics;
import lovelace.statistics.CellChecks;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;

/// Writes and reads posteriors on a lattice as sections; [ModelFile] describes them.
final class LatticeLayout {

  private LatticeLayout() {}

  static void put(Text about, List<Part> parts, LatticePosterior posterior, boolean covariance) {
    Statistics data = posterior.statistics();
    about.numbers("origin", data.origin()).put("rows", data.count()).put("skipped", data.skipped());
    Certificate c = posterior.certificate();
    about
        .put("certificate", c.how(), c.tolerance(), c.reached())
        .put("bound", c.bound().kind(), c.bound().points())
        .numbers("solving", c.solving())
        .put(
            "interpolation",
            c.interpolation().mean(),
            c.interpolation().variance(),
            c.interpolation().places(),
            c.interpolation().measured() ? "measured" : "estimated")
        .numbers("floor", posterior.floor());
    switch (data) {
      case GridStatistics statistics -> putGrid(about, parts, statistics);
      case AdditiveStatistics statistics -> putAdditive(about, parts, statistics);
    }
    parts.add(Part.of("mean", posterior.latticeMean()));
    parts.add(Part.of("dual", posterior.dual()));
    parts.add(Part.of("tables", posterior.table()));
    if (posterior.kriges()) {
      about.put("between", "kriging");
      parts.add(Part.of("entries", (Object[]) posterior.entries()));
    }
    switch (c.engine()) {
      case SPECTRAL, MARKOV, DENSE -> about.put("engine", c.engine());
      case KRYLOV -> putLove(about, parts, (LoveCovariance) posterior.covariance(), covariance);
      case SPARSE ->
          about.put("engine", c.engine(), ((SparseCovariance) posterior.covariance()).neighbours());
      case AUTO, EXACT, CHAIN, SITES, NEIGHBOURS ->
          throw new IllegalArgumentException("no layout for engine " + c.engine());
    }
  }

  private static void putGrid(Text about, List<Part> parts, GridStatistics statistics) {
    putAxes(about, statistics.grid());
    if (statistics.grid().snaps()) about.put("nodes", "data");
    int count = statistics.occupiedCells();
    int[] cells = new int[count];
    long[] counts = new long[count];
    Object[] moments = new Object[count];
    for (int i = 0; i < count; i++) {
      cells[i] = statistics.occupiedCell(i);
      counts[i] = statistics.occupiedCount(i);
      moments[i] = statistics.occupiedMoments(i);
    }
    parts.add(Part.of("cells", cells));
    parts.add(Part.of("counts", counts));
    parts.add(Part.of("moments", moments));
  }

  private static void putAdditive(Text about, List<Part> parts, AdditiveStatistics statistics) {
    AdditiveGrid grid = statistics.grid();
    about.put("columns", grid.dimensions());
    Object[] counts = new Object[grid.components()];
    for (int c = 0; c < grid.components(); c++) {
      AdditiveGrid.Component part = grid.component(c);
      List<Object> fields = new ArrayList<>();
      for (int a = 0; a < part.grid().dimensions(); a++) {
        Axis axis = part.grid().axis(a);
        fields.addAll(List.of(part.column(a), axis.origin(), axis.step(), axis.points()));
      }
      about.put("component", fields.toArray());
      counts[c] = statistics.cellCounts(c);
    }
    about.numbers("totals", statistics.weightSum(), statistics.squares(), statistics.logWeights());
    parts.add(Part.of("counts", counts));
    parts.add(Part.of("projected", statistics.projected()));
    parts.add(Part.of("gram.k", statistics.gramKeys()));
    parts.add(Part.of("gram", statistics.gramValues()));
  }

  private static void putLove(
      Text about, List<Part> parts, LoveCovariance love, boolean covariance) {
    about.put("engine", "love", love.rank(), love.orthogonalityLoss(), love.shortfall());
    if (!covariance) return;
    parts.add(Part.of("love.s", love.pointCache()));
    parts.add(Part.of("love.b", love.dataCache()));
    parts.add(Part.of("love.t", love.diagonal(), love.subdiagonal()));
  }

  static LatticePosterior read(Sections sections, Text about, Hyperparameters parameters) {
    Engine engine =
        switch (about.text("engine")) {
          case "love" -> Engine.KRYLOV;
          case "spectral" -> Engine.SPECTRAL;
          case "markov" -> Engine.MARKOV;
          case "dense" -> Engine.DENSE;
          case "sparse" -> Engine.SPARSE;
          case String other ->
              throw new IllegalArgumentException("its engine '" + other + "' is not known");
        };
    Function<LatticeProblem, LatticeCovariance> covariance =
        engine == Engine.KRYLOV
            ? love(sections, about)
            : engine == Engine.SPARSE
                ? problem -> sparse(problem, about)
                : problem -> rebuilt(problem, engine, tolerance(about));
    int dimensions = parameters.kernel().dimensions();
    Statistics statistics =
        about.all("component").isEmpty()
            ? statistics(sections, about, grid(about, dimensions))
            : additive(sections, about, dimensions);
    if (statistics.count() != about.integer("rows"))
      throw new IllegalArgumentException(
          "the rows in its cells do not add up to its number of rows");
    List<String> c = about.fields("certificate", 3);
    Certificate certificate =
        new Certificate(
            engine,
            c.get(0),
            Text.toNumber(c.get(1)),
            bound(about, Text.toNumber(c.get(2))),
            about.all("solving").isEmpty() ? 0 : about.number("solving"), // older files state none
            interpolation(about));
    int m = statistics.lattice().size();
    return LatticePosterior.assemble(
        statistics,
        parameters,
        finite("mean", sections.doubles("mean", m)),
        finite("dual", sections.doubles("dual", m)),
        finite("tables", sections.doubles("tables")),
        kriges(about) ? finite("entries", sections.doubles("entries")) : null,
        about.number("floor"),
        certificate,
        covariance);
  }

  private static double[] finite(String name, double[] values) {
    for (double value : values)
      if (!Double.isFinite(value))
        throw new IllegalArgumentException("its section '" + name + "' holds " + value);
    return values;
  }

  /// Whether f between grid points is kriged. It is interpolated if the file does not say so.
  private static boolean kriges(Text about) {
    if (about.all("between").isEmpty()) return false;
    String how = about.text("between");
    if (!how.equals("kriging"))
      throw new IllegalArgumentException(
          "between grid points it uses '" + how + "', not kriging; use a newer Lovelace");
    return true;
  }

  /// Older files do not record this: they were checked at 48 points.
  private static VarianceBound bound(Text about, double reached) {
    if (about.all("bound").isEmpty())
      return new VarianceBound(VarianceBound.Kind.CHECKED, 48, reached);
    List<String> fields = about.fields("bound", 2);
    VarianceBound.Kind kind =
        switch (fields.get(0)) {
          case "certified" -> VarianceBound.Kind.CERTIFIED;
          case "checked" -> VarianceBound.Kind.CHECKED;
          case String other ->
              throw new IllegalArgumentException(
                  "its variances are '" + other + "', not certified or checked");
        };
    return new VarianceBound(kind, Math.toIntExact(Text.toInteger(fields.get(1))), reached);
  }

  /// Older files do not record this.
  private static Interpolation interpolation(Text about) {
    if (about.all("interpolation").isEmpty()) return Interpolation.UNKNOWN;
    List<String> fields = about.fields("interpolation", 4);
    return new Interpolation(
        Text.toNumber(fields.get(0)),
        Text.toNumber(fields.get(1)),
        Math.toIntExact(Text.toInteger(fields.get(2))),
        fields.get(3).equals("measured"));
  }

  /// Computes the covariance of an engine that keeps no cache in the file again, to the bit.
  private static LatticeCovariance rebuilt(LatticeProblem problem, Engine kind, double tolerance) {
    Statistics statistics = problem.statistics();
    LatticeEngine engine =
        switch (kind) {
          case SPECTRAL ->
              new SpectralEngine(statistics, SpectralEngine.TOLERANCE, SpectralEngine.MOST);
          case MARKOV -> new MarkovEngine((GridStatistics) statistics);
          case DENSE -> new DenseEngine(statistics);
          case AUTO, SPARSE, KRYLOV, EXACT, CHAIN, SITES, NEIGHBOURS ->
              throw new IllegalArgumentException("its engine %s keeps a cache".formatted(kind));
        };
    return engine.posterior(problem.hyperparameters(), tolerance).covariance();
  }

  /// Computes the factor of the sparse engine again, with the same number of neighbours.
  private static LatticeCovariance sparse(LatticeProblem problem, Text about) {
    int neighbours = Math.toIntExact(Text.toInteger(about.fields("engine", 2).get(1)));
    return new SparseEngine(problem.statistics(), neighbours, 0)
        .covariance(problem.hyperparameters());
  }

  /// The relative error of variances that was asked for.
  private static double tolerance(Text about) {
    return Text.toNumber(about.fields("certificate", 3).get(1));
  }

  static void putAxes(Text about, Grid grid) {
    for (Axis axis : grid.axes()) about.put("axis", axis.origin(), axis.step(), axis.points());
  }

  static Grid grid(Text about, int dimensions) {
    List<Axis> axes = new ArrayList<>();
    for (List<String> line : about.all("axis")) {
      if (line.size() != 3) throw new IllegalArgumentException("an axis has " + line);
      axes.add(axis(line));
    }
    if (axes.size() != dimensions)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "it has %d axes and %d input columns", axes.size(), dimensions));
    Grid grid = Grid.of(axes);
    return about.all("nodes").isEmpty() ? grid : grid.snapping();
  }

  private static GridStatistics statistics(Sections sections, Text about, Grid grid) {
    int[] cells = sections.ints("cells");
    int width = GridStatistics.momentCount(grid.dimensions());
    long[] counts = sections.longs("counts", cells.length);
    double[] sums = sections.doubles("moments", (long) width * cells.length);
    double[][] moments = new double[cells.length][];
    for (int i = 0; i < cells.length; i++)
      moments[i] = Arrays.copyOfRange(sums, i * width, (i + 1) * width);
    // working observations, and those of the noise, may have any weights
    boolean plain = about.all("mode").isEmpty() && !about.all("input").isEmpty();
    CellChecks.require(moments, grid.dimensions(), plain);
    return GridStatistics.assemble(
        grid, about.number("origin"), cells, counts, moments, about.integer("skipped"));
  }

  private static AdditiveStatistics additive(Sections sections, Text about, int dimensions) {
    if (about.integer("columns") != dimensions)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "it has grids over %s columns, but its kernel has %d",
              about.text("columns"),
              dimensions));
    List<AdditiveGrid.Component> parts = new ArrayList<>();
    for (List<String> line : about.all("component")) {
      if (line.isEmpty() || line.size() % 4 != 0 || line.size() > 16)
        throw new IllegalArgumentException("a component has " + line);
      int[] columns = new int[line.size() / 4];
      Axis[] axes = new Axis[columns.length];
      for (int a = 0; a < axes.length; a++) {
        columns[a] = Math.toIntExact(Text.toInteger(line.get(4 * a)));
        axes[a] = axis(line.subList(4 * a + 1, 4 * a + 4));
      }
      parts.add(new AdditiveGrid.Component(Grid.of(axes), columns));
    }
    AdditiveGrid grid = AdditiveGrid.of(dimensions, parts);
    double[] totals = Text.toNumbers(about.fields("totals", 3));
    long[] keys = sections.longs("gram.k");
    return AdditiveStatistics.assemble(
        grid,
        about.number("origin"),
        keys,
        sections.doubles("gram"),
        sections.doubles("projected", grid.size()),
        sections.longs("counts"),
        about.integer("rows"),
        about.integer("skipped"),
        totals);
  }

  private static Axis axis(List<String> fields) {
    int points = Math.toIntExact(Text.toInteger(fields.get(2)));
    return new Axis(Text.toNumber(fields.get(0)), Text.toNumber(fields.get(1)), points);
  }

  private static Function<LatticeProblem, LatticeCovariance> love(Sections sections, Text about) {
    List<String> fields = about.fields("engine", 3);
    int rank = Math.toIntExact(Text.toInteger(fields.get(1)));
    double loss = Text.toNumber(fields.get(2));
    double tolerance = tolerance(about);
    // older files do not record it; theirs was at most this
    double shortfall = fields.size() > 3 ? Text.toNumber(fields.get(3)) : 1e-3 * tolerance;
    if (!(rank >= 0 && loss >= 0 && shortfall >= 0))
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "its engine has rank %d, loss %s, shortfall %s", rank, loss, shortfall));
    if (!sections.has("love.s"))
      return Love.DEFAULT.withTolerance(tolerance).withRank(Math.max(1, rank))::build;
    long size = (long) sections.size("mean", 8) * rank;
    sections.require("love.s", 8, size);
    sections.require("love.b", 8, size);
    sections.require("love.t", 8, 2L * rank);
    return problem -> {
      double[] t = sections.doubles("love.t");
      return LoveCovariance.assemble(
          problem,
          sections.doubles("love.s"),
          sections.doubles("love.b"),
          Arrays.copyOf(t, rank),
          Arrays.copyOfRange(t, rank, 2 * rank),
          loss,
          shortfall);
    };
  }
}
