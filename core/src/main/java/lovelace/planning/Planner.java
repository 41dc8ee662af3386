package lovelace.planning;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import lovelace.budget.Budget;
import lovelace.chain.ChainGp;
import lovelace.data.Column;
import lovelace.engines.Engines;
import lovelace.exact.ExactGp;
import lovelace.grid.Lattice;
import lovelace.kernel.Hyperparameters;
import lovelace.latent.LatentNeighbourGp;
import lovelace.learning.Learned;
import lovelace.neighbours.NeighbourGp;
import lovelace.options.Options;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.planning.Planned.OnLattice;
import lovelace.planning.Planned.OnPlaces;
import lovelace.planning.Planned.OnRows;
import lovelace.planning.Planned.OnSites;
import lovelace.sparse.SparseEngine;
import lovelace.statistics.Statistics;
import lovelace.survey.Survey;
import lovelace.tables.TableChoice;
import org.jspecify.annotations.Nullable;

/// Decides how a model is computed, once for a fit: by which engine, on the rows, on their places
/// or on which lattice. No other class chooses. The learned values may lead to a revision.
public final class Planner {

  /// Rows are read again if a new grid has at least this many times as many points.
  private static final double WORTH = 1.5;

  /// How often the rows are read again on a finer grid.
  private static final int ROUNDS = 3;

  /// Up to this many rows, nothing costs less than the exact process.
  private static final int FEW = 300;

  /// The most rows for which the exact model is the default.
  public static final int EXACTLY = 8000;

  /// The same under a likelihood that is not Gaussian. Every step of a search needs several Newton
  /// steps, each with a factorisation.
  public static final int OBSERVED = 5000;

  /// The same for a rough kernel, for which the sparse engine also applies.
  static final int FEW_ROUGH = 1500;

  /// The most columns of one grid.
  private static final int MOST_COLUMNS = 3;

  private static final String AS_ASKED = "as asked";

  private static final String ROUGH = "the kernel is rough, and rows lie between grid points";

  private static final String NOISELESS = "there is no noise, and few rows";

  /// The most rows that become sites by default, for one to three inputs.
  private static final int[] SITES = {200_000, 200_000, 10_000};

  private static final String SCATTERED =
      "rows scattered over three inputs need too many grid points";

  private static final String CHAIN = "a Matérn kernel in one dimension is a Markov chain";

  private final Options fit;
  private final Survey survey;
  private final boolean mapped;
  private final LatticeChoice lattices;
  private final Allowed allowed;
  private final Prices prices;
  private int round; // of lattices
  private double finer = 1; // factor relative to the rule
  private @Nullable ChosenLattice better; // the lattice for the learned values

  /// @param survey of the columns, or of the features in their place
  /// @param mapped whether it is of features
  /// @param components the columns of each grid of a sum, null for one grid
  /// @param engines the price list of the engines on rows
  public Planner(
      Options fit,
      Survey survey,
      boolean mapped,
      @Nullable List<int[]> components,
      Prices.OfRows engines) {
    this.fit = fit;
    this.survey = survey;
    this.mapped = mapped;
    lattices = new LatticeChoice(fit, survey, components);
    allowed = new Allowed(fit, survey, mapped, lattices);
    prices = new Prices(fit, survey, engines);
  }

  // ---- the plan and its revisions ----

  /// The plan of a fit that starts from some values.
  public Planned first(Hyperparameters start) {
    return switch (fit.engine()) {
      case EXACT, NEIGHBOURS -> onRows(fit.engine(), start, AS_ASKED);
      case CHAIN -> {
        requireNumbers(start);
        Allowed.requireChain(start);
        yield onPlaces(start, true);
      }
      case SITES -> {
        requireNumbers(start);
        allowed.requireSites(start);
        yield onSites(start, true);
      }
      case AUTO, SPECTRAL, MARKOV, SPARSE, KRYLOV, DENSE -> chosen(start);
    };
  }

  /// The first plan of a fit for which no engine on rows was asked.
  private Planned chosen(Hyperparameters start) {
    if (!mapped && isWide(survey.columns()) && mayHold(fit, survey))
      return onRows(
          survey.certainlyAtMost(allowed.mostExact(TableChoice.SMALL))
              ? Engine.EXACT
              : Engine.NEIGHBOURS,
          start,
          "there are too many columns for one grid");
    requireNumbers(start);
    if (allowed.isChained(start)) return onPlaces(start, false);
    boolean exactly = allowed.mayBeExact(fit.grid().isAutomatic());
    boolean near = allowed.mayBeNeighbours(start);
    String cheaper =
        String.format(
            Locale.ROOT, "%,d rows take fewer operations this way than on a grid", survey.count());
    if (exactly && survey.atMost(FEW)) return onRows(Engine.EXACT, start, cheaper);
    if (exactly && start.noise() == 0 && survey.atMost(FEW_ROUGH))
      return onRows(Engine.EXACT, start, NOISELESS);
    Hyperparameters from =
        lattices.components() != null && fit.training() ? lattices.bounded(start) : start;
    if (!exactly || !survey.atMost(FEW_ROUGH)) {
      Planned sparse = sparse(from);
      if (near && sparse instanceof OnSites) return onRows(Engine.NEIGHBOURS, start, SCATTERED);
      if (sparse != null) return sparse;
    }
    ChosenLattice chosen = lattices.choose(from, finer);
    if (exactly) {
      Hyperparameters h = lattices.filled(start);
      // also for the grid that the tolerance would require if the start values were right
      if (!allowed.isCheaper(chosen.grid(), h)
          || !allowed.isCheaper(lattices.choose(h, finer).grid(), h))
        return near
            ? onRows(Engine.NEIGHBOURS, start, SCATTERED)
            : onRows(Engine.EXACT, start, cheaper);
    }
    OnLattice way = onLattice(chosen, from, fit.training(), "");
    return near && way.choice().kind() == Engine.KRYLOV
        ? onRows(Engine.NEIGHBOURS, start, SCATTERED)
        : way;
  }

  /// Whether there are more columns than a grid can have, or columns of words.
  public static boolean isWide(List<Column> columns) {
    return columns.size() > MOST_COLUMNS || columns.stream().anyMatch(Column::isText);
  }

  /// Whether a model of many columns may hold the rows: an engine that takes them was asked for or
  /// may be chosen, no grid was asked for, and there are not too many.
  public static boolean mayHold(Options fit, Survey survey) {
    boolean engine =
        switch (fit.engine()) {
          case AUTO, NEIGHBOURS ->
              survey.certainlyAtMost(
                  fit.likelihood().isGaussian()
                      ? NeighbourGp.MOST_ROWS
                      : LatentNeighbourGp.MOST_ROWS);
          case EXACT -> survey.certainlyAtMost(ExactGp.MOST_ROWS);
          case SPECTRAL, MARKOV, SPARSE, KRYLOV, DENSE, CHAIN, SITES -> false;
        };
    return engine && fit.shape() == Options.Shape.AUTO && fit.grid().isAutomatic();
  }

  /// Refuses columns of words.
  private void requireNumbers(Hyperparameters start) {
    int[] words = start.kernel().categories();
    if (words.length > 0)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "column '%s' holds words, which have no place on a grid; use engine auto, exact (up"
                  + " to %,d rows) or neighbours without a grid, or leave the column out",
              survey.names().get(words[0]),
              Options.EXACT_ROWS));
  }

  /// The plan for a rough kernel, or if the sparse engine was asked for: the data's own grid, or
  /// the rows as sites. Null if a lattice with other nodes is as good, or was asked for.
  private @Nullable Planned sparse(Hyperparameters from) {
    boolean asked = fit.engine() == Engine.SPARSE;
    int d = from.kernel().dimensions();
    boolean free =
        !mapped && lattices.components() == null && fit.shape() != Options.Shape.ADDITIVE && d <= 3;
    if (!free || !(asked || fit.engine() == Engine.AUTO)) return null;
    Hyperparameters h = lattices.filled(from);
    if (!asked && (d == 1 || !Engines.isRough(h.kernel()))) return null;
    ChosenLattice own = lattices.own();
    if (own != null) {
      Lattice lattice = own.lattice();
      Engines.Choice choice = Engines.expect(lattice, lattices.rank(lattice), h, fit.engine());
      if (choice.kind() != Engine.KRYLOV) // a few modes may cost less than the sparse factor
      return onLattice(own, choice, from, h, fit.training(), "");
    }
    boolean sites =
        fit.grid().isAutomatic()
            && fit.shape() == Options.Shape.AUTO
            && SparseEngine.applies(h)
            && !asked
            && mayBeSites(survey, d);
    return sites ? onSites(from, false) : null;
  }

  /// Whether rows may become sites if no grid was asked for.
  public static boolean mayBeSites(Survey survey, int dimensions) {
    return dimensions <= SITES.length && survey.certainlyAtMost(SITES[dimensions - 1]);
  }

  /// The plan after the rows were read. Their sums on a lattice may call for another engine.
  ///
  /// @param sums empty if rows or observations are kept
  public Planned read(Planned way, Optional<Statistics> sums) {
    if (!(way instanceof OnLattice on) || sums.isEmpty()) return way;
    Engines.Choice choice = Engines.confirm(on.choice(), sums.get(), on.judged(), fit.engine());
    return choice.equals(on.choice()) ? on : by(on, choice);
  }

  /// The plan after learning. A lattice may now cost less than a chain, or a chain less than a
  /// lattice; another lattice or engine may be better.
  ///
  /// @param sums on the lattice; empty if rows or observations are kept
  public Planned learned(Planned way, Optional<Statistics> sums, Learned learned) {
    Hyperparameters h = learned.hyperparameters();
    return switch (way) {
      case OnRows rows -> rows;
      case OnSites sites -> sites;
      case OnPlaces places ->
          places.settled() || !fit.likelihood().isGaussian() || allowed.isChained(h)
              ? places
              : onLattice(lattices.choose(h, finer), h, false, "");
      case OnLattice on -> learned(on, sums, learned);
    };
  }

  private Planned learned(OnLattice way, Optional<Statistics> sums, Learned learned) {
    Hyperparameters h = learned.hyperparameters();
    if (way.learning() && allowed.isChained(h)) return onPlaces(h, true);
    ChosenLattice finest = way.chosen().isOwn() ? way.chosen() : lattices.choose(h, finer);
    better = finest;
    boolean again =
        round < ROUNDS
            && !learned.timeUp()
            && !finest.lattice().equals(way.chosen().lattice())
            && allowed.isServed(finest, h);
    if (fit.training() && LatticeChoice.isPoor(way.chosen().lattice(), h) && again)
      return onLattice(
          finest,
          h,
          way.learning(),
          "the lengthscale learned on the %s is under two cells; the rows are read again on a finer grid"
              .formatted(way.chosen().lattice()));
    if (!way.learning() || sums.isEmpty()) return way;
    Engines.Choice choice = Engines.choose(sums.get(), h, fit.engine());
    return choice.kind() == way.choice().kind() ? way : by(way, choice);
  }

  /// The plan if a posterior on a lattice turns out to miss the tolerance: a finer lattice, the
  /// places of the rows, the rows, or the same.
  public Planned missed(OnLattice way, Learned learned) {
    if (lattices.components() != null || way.chosen().isOwn()) return way;
    Hyperparameters h = learned.hyperparameters();
    ChosenLattice finest = better == null ? lattices.choose(h, finer) : better;
    boolean more = round < ROUNDS && !learned.timeUp();
    double worth = WORTH * way.chosen().lattice().size();
    while (more && finest.lattice().size() < worth && finer < 8) {
      finer *= 2; // the rule was not fine enough
      finest = lattices.choose(h, finer);
    }
    boolean exact = allowed.mayBeExact(fit.grid().isOnlyExtended());
    if (more
        && finest.lattice().size() >= worth
        && allowed.isServed(finest, h)
        && (!exact || allowed.isCheaper(finest.grid(), h)))
      return onLattice(
          finest,
          h,
          false,
          "the %s is too coarse for the tolerance; the rows are read again on a finer grid"
              .formatted(way.chosen().lattice()));
    if (allowed.mayBeChained(h)) return onPlaces(h, true);
    if (exact)
      return onRows(
          Engine.EXACT,
          h,
          String.format(
              Locale.ROOT,
              "a grid that meets the tolerance costs more for %,d rows",
              survey.count()));
    return way;
  }

  /// The plan for the sums of an existing model, with other rows or parameters, or to learn.
  public static Plan of(
      Statistics statistics,
      Hyperparameters h,
      Engine asked,
      double tolerance,
      long seed,
      boolean learning) {
    Engines.Choice choice = Engines.choose(statistics, h, asked);
    Costs costs = Costs.lattice(choice, statistics.lattice(), statistics.count(), learning);
    return new Plan(
        asked,
        choice.kind(),
        choice.reason(),
        "the " + statistics.lattice(),
        tolerance,
        seed,
        costs.seconds(),
        costs.bytes());
  }

  private OnLattice by(OnLattice way, Engines.Choice other) {
    return new OnLattice(
        prices.lattice(other, way.chosen().lattice(), way.learning()),
        way.from(),
        way.judged(),
        other,
        way.chosen(),
        way.learning(),
        way.regrid());
  }

  private OnLattice onLattice(
      ChosenLattice chosen, Hyperparameters from, boolean learning, String regrid) {
    Hyperparameters h = learning ? lattices.filled(from) : from;
    Lattice lattice = chosen.lattice();
    Engines.Choice choice = Engines.expect(lattice, lattices.rank(lattice), h, fit.engine());
    return onLattice(chosen, choice, from, h, learning, regrid);
  }

  private OnLattice onLattice(
      ChosenLattice chosen,
      Engines.Choice choice,
      Hyperparameters from,
      Hyperparameters judged,
      boolean learning,
      String regrid) {
    round++;
    return new OnLattice(
        prices.lattice(choice, chosen.lattice(), learning),
        from,
        judged,
        choice,
        chosen,
        learning,
        regrid);
  }

  private OnRows onRows(Engine engine, Hyperparameters from, String why) {
    return new OnRows(
        prices.rows(engine, from.kernel(), why, learns(from)), from, fit.engine() == engine);
  }

  private OnSites onSites(Hyperparameters from, boolean asked) {
    Plan plan = prices.sites(from.kernel(), asked ? AS_ASKED : ROUGH, learns(from));
    Budget.require(
        plan.bytes(),
        String.format(Locale.ROOT, "the sparse process of %,d rows", survey.count()),
        "use fewer rows, use a grid of at most about %s points (a grid takes any number of rows),"
            .formatted(
                SparseEngine.largest(from.kernel().dimensions(), Budget.current().memory())));
    return new OnSites(plan, from, asked);
  }

  private OnPlaces onPlaces(Hyperparameters from, boolean settled) {
    return new OnPlaces(prices.chain(from.kernel(), CHAIN, learns(from)), from, settled);
  }

  private boolean learns(Hyperparameters from) {
    return fit.training() && from.freeSize() > 0;
  }

  /// Advice if the tolerance is not met.
  public String closer(Plan plan) {
    if (fit.intensity())
      return "the cells are larger than the tolerance asks for; give more grid points, a larger tolerance or a smoother kernel";
    String exact =
        plan.chosen() == Engine.MARKOV && survey.certainlyAtMost(ChainGp.MOST_ROWS) && !mapped
            ? "use engine chain without a grid, which is not an approximation"
            : survey.atMost(EXACTLY)
                ? "use engine exact, which is not an approximation"
                : plan.chosen() == Engine.SPARSE && mayBeSites(survey, survey.low().length)
                    ? "use engine sites without a grid: rows become points of the model"
                    : "use fewer columns";
    return "the grid is coarser than the tolerance asks for; give more grid points, a larger"
        + " tolerance or a shorter range, or "
        + exact;
  }
}
