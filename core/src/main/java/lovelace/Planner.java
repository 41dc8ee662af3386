package lovelace;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import lovelace.budget.Budget;
import lovelace.chain.ChainGp;
import lovelace.costs.Costs;
import lovelace.dense.DenseEngine;
import lovelace.engines.Engines;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.learning.Learned;
import lovelace.plan.Engine;
import lovelace.plan.Plan;
import lovelace.posterior.internal.RowPosterior;
import lovelace.sparse.SiteGp;
import lovelace.sparse.SparseEngine;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.Statistics;
import lovelace.tables.KernelChoice;
import lovelace.tables.TableChoice;
import org.jspecify.annotations.Nullable;

/// Decides how a model is computed, once for a fit: which engine, on the rows, on their places or
/// on which lattice. Nothing else chooses; what is learned may ask for a revision.
final class Planner {

  /// What a fit does next.
  sealed interface Way {
    Plan plan();

    /// Where parameters start, or what they are.
    Hyperparameters from();
  }

  /// The process of the rows, of all of them or of the nearest.
  ///
  /// @param asked whether it was asked for
  record OnRows(Plan plan, Hyperparameters from, boolean asked) implements Way {}

  /// The chain over the places of the rows.
  ///
  /// @param settled whether it stays a chain whatever is learned
  record OnPlaces(Plan plan, Hyperparameters from, boolean settled) implements Way {}

  /// A lattice with the rows as sites between its nodes.
  ///
  /// @param asked whether the sparse engine was asked for
  record OnSites(Plan plan, Hyperparameters from, boolean asked) implements Way {}

  /// An engine on a lattice.
  ///
  /// @param judged complete hyperparameters that the engine was chosen by
  /// @param choice the engine of the plan
  /// @param learning whether parameters are learned there
  /// @param regrid why the lattice before was left; empty for the first one
  record OnLattice(
      Plan plan,
      Hyperparameters from,
      Hyperparameters judged,
      Engines.Choice choice,
      GridChoice.Chosen chosen,
      boolean learning,
      String regrid)
      implements Way {}

  /// How many times as many points make it worth to read the rows again.
  private static final double WORTH = 1.5;

  /// How often the rows are read again on a finer grid.
  private static final int ROUNDS = 3;

  /// Up to so many rows nothing costs less than the exact process.
  private static final int FEW = 300;

  /// The most rows that are an exact model where nobody asks for one.
  static final int EXACTLY = 8000;

  /// The same for a rough kernel, beside the sparse engine.
  private static final int FEW_ROUGH = 1500;

  /// A point of a lattice costs as much as so many places of a chain: 3.3 of matern12, 2.2 of
  /// matern32, 1.6 of matern52, measured.
  private static final int LATTICE_POINT = 2;

  private static final String ROUGH = "the kernel is rough, and rows lie between grid points";

  private static final String NOISELESS = "there is no noise, and few rows";

  /// The most rows that become sites by themselves, for one to three inputs.
  private static final int[] SITES = {200_000, 200_000, 10_000};

  /// The most rows over three columns that predictions come from by themselves.
  private static final int NEAR = 200_000;

  private static final String SCATTERED =
      "rows scattered over three inputs need too many grid points";

  private static final String CHAIN = "a Matérn kernel in one dimension is a Markov chain";

  private final Fit fit;
  private final Survey survey;
  private final boolean mapped;
  private final LatticeChoice lattices;
  private int round; // of lattices
  private double finer = 1; // than the rule asks for
  private GridChoice.@Nullable Chosen better; // the lattice for what was learned

  /// @param survey of the columns, or of the features in their place
  /// @param mapped whether it is of features
  /// @param components the columns of each grid of a sum, null for one grid
  Planner(Fit fit, Survey survey, boolean mapped, @Nullable List<int[]> components) {
    this.fit = fit;
    this.survey = survey;
    this.mapped = mapped;
    lattices = new LatticeChoice(fit, survey, components);
  }

  // ---- the plan and its revisions ----

  /// The plan of a fit that starts from some values.
  Way first(Hyperparameters start) {
    if (fit.engine() == Engine.EXACT || fit.engine() == Engine.NEIGHBOURS)
      return onRows(fit.engine(), start, "as asked");
    if (!mapped && TableFit.isWide(survey.columns()) && TableFit.mayHold(fit, survey))
      return onRows(
          survey.certainlyAtMost(mostExact(TableChoice.SMALL)) ? Engine.EXACT : Engine.NEIGHBOURS,
          start,
          "there are too many columns for one grid");
    if (start.kernel().categories().length > 0) throw ofWords(start);
    if (isChained(start)) return onPlaces(start, false);
    boolean exactly = mayBeExact(fit.grid().isAutomatic());
    boolean near = mayBeNeighbours(start);
    String cheaper =
        String.format(
            Locale.ROOT, "%,d rows take fewer operations this way than on a grid", survey.count());
    if (exactly && survey.atMost(FEW)) return onRows(Engine.EXACT, start, cheaper);
    if (exactly && start.noise() == 0 && survey.atMost(FEW_ROUGH))
      return onRows(Engine.EXACT, start, NOISELESS);
    Hyperparameters from =
        lattices.components() != null && fit.training() ? lattices.bounded(start) : start;
    if (!exactly || !survey.atMost(FEW_ROUGH)) {
      Way sparse = sparse(from);
      if (near && sparse instanceof OnSites) return onRows(Engine.NEIGHBOURS, start, SCATTERED);
      if (sparse != null) return sparse;
    }
    GridChoice.Chosen chosen = lattices.choose(from, finer);
    if (exactly) {
      Hyperparameters h = lattices.filled(start);
      // also the grid that the tolerance would ask for if the start values were right
      if (!isCheaper(chosen.grid(), h) || !isCheaper(lattices.choose(h, finer).grid(), h))
        return near
            ? onRows(Engine.NEIGHBOURS, start, SCATTERED)
            : onRows(Engine.EXACT, start, cheaper);
    }
    OnLattice way = onLattice(chosen, from, fit.training(), "");
    return near && way.choice.kind() == Engine.KRYLOV
        ? onRows(Engine.NEIGHBOURS, start, SCATTERED)
        : way;
  }

  private IllegalArgumentException ofWords(Hyperparameters start) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "column '%s' holds words, which have no place on a grid; use engine auto, exact (up to"
                + " %,d rows) or neighbours without a grid, or leave the column out",
            survey.names().get(start.kernel().categories()[0]),
            Fit.EXACT_ROWS));
  }

  /// The plan for a rough kernel, or where the sparse engine was asked for: the data's own grid, or
  /// the rows as sites; null where a lattice of other nodes is as good.
  private @Nullable Way sparse(Hyperparameters from) {
    boolean asked = fit.engine() == Engine.SPARSE;
    int d = from.kernel().dimensions();
    boolean free =
        !mapped && lattices.components() == null && fit.shape() != Fit.Shape.ADDITIVE && d <= 3;
    if (!free || !(asked || fit.engine() == Engine.AUTO)) return null;
    Hyperparameters h = lattices.filled(from);
    if (!asked && (d == 1 || !Engines.isRough(h.kernel()))) return null;
    GridChoice.Chosen own = lattices.own();
    if (own != null) {
      Lattice lattice = own.lattice();
      Engines.Choice choice = Engines.expect(lattice, lattices.rank(lattice), h, fit.engine());
      if (choice.kind() != Engine.KRYLOV) // a few modes may cost less than the sparse factor
      return onLattice(own, choice, from, h, fit.training(), "");
    }
    boolean sites =
        fit.grid().isAutomatic()
            && fit.shape() == Fit.Shape.AUTO
            && SparseEngine.applies(h)
            && (asked ? survey.certainlyAtMost(SiteGp.MOST_ROWS) : mayBeSites(survey, d));
    return sites ? onSites(from, asked) : null;
  }

  /// Whether rows may become sites where nobody asks for a grid.
  static boolean mayBeSites(Survey survey, int dimensions) {
    return dimensions <= SITES.length && survey.certainlyAtMost(SITES[dimensions - 1]);
  }

  /// The plan once a chain has learned: a lattice may cost less with what was learned.
  Way learned(OnPlaces way, Hyperparameters h) {
    return way.settled || isChained(h) ? way : onLattice(lattices.choose(h, finer), h, false, "");
  }

  /// The plan once the rows are read: their sums may ask for another engine.
  OnLattice read(OnLattice way, Statistics statistics) {
    Engines.Choice choice = Engines.confirm(way.choice, statistics, way.judged, fit.engine());
    return choice.equals(way.choice) ? way : by(way, choice);
  }

  /// The plan once an engine on a lattice has learned: the places of the rows or another lattice
  /// where the parameters ask for it, else the engine for them.
  Way learned(OnLattice way, Statistics statistics, Learned learned) {
    Hyperparameters h = learned.hyperparameters();
    if (way.learning && isChained(h)) return onPlaces(h, true);
    GridChoice.Chosen finest = way.chosen.isOwn() ? way.chosen : lattices.choose(h, finer);
    better = finest;
    boolean again =
        round < ROUNDS
            && !learned.timeUp()
            && !finest.lattice().equals(way.chosen.lattice())
            && isServed(finest, h);
    if (fit.training() && LatticeChoice.isPoor(way.chosen.lattice(), h) && again)
      return onLattice(
          finest,
          h,
          way.learning,
          "the lengthscale learned on the %s is under two cells; the rows are read again on a finer grid"
              .formatted(way.chosen.lattice()));
    if (!way.learning) return way;
    Engines.Choice choice = Engines.choose(statistics, h, fit.engine());
    return choice.kind() == way.choice.kind() ? way : by(way, choice);
  }

  /// The plan once a posterior on a lattice is known not to meet the tolerance: a finer lattice,
  /// the places of the rows, the rows, or the same.
  Way missed(OnLattice way, Learned learned) {
    if (lattices.components() != null || way.chosen.isOwn()) return way;
    Hyperparameters h = learned.hyperparameters();
    GridChoice.Chosen finest = better == null ? lattices.choose(h, finer) : better;
    boolean more = round < ROUNDS && !learned.timeUp();
    double worth = WORTH * way.chosen.lattice().size();
    while (more && finest.lattice().size() < worth && finer < 8) {
      finer *= 2; // the rule asked for less than is needed
      finest = lattices.choose(h, finer);
    }
    boolean exact = mayBeExact(fit.grid().isOnlyExtended());
    if (more
        && finest.lattice().size() >= worth
        && isServed(finest, h)
        && (!exact || isCheaper(finest.grid(), h)))
      return onLattice(
          finest,
          h,
          false,
          "the %s is too coarse for the tolerance; the rows are read again on a finer grid"
              .formatted(way.chosen.lattice()));
    if (mayBeChained(h)) return onPlaces(h, true);
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

  /// The plan for the sums of a model: of other rows, of other parameters, or to learn.
  static Plan of(
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

  /// The plan for a model that holds its rows.
  static Plan of(RowPosterior rows, Engine asked, double tolerance, long seed, boolean learning) {
    int n = rows.data().size();
    Engine own = Engine.parse(rows.engine());
    Kernel kernel = rows.hyperparameters().kernel();
    Costs costs =
        switch (own) {
          case MARKOV -> Costs.chain(kernel, n, learning);
          case SPARSE -> Costs.sites(n, kernel.dimensions(), learning);
          case NEIGHBOURS -> Costs.neighbours(n, kernel.dimensions(), learning);
          default -> Costs.exact(n, learning);
        };
    return new Plan(
        asked,
        own,
        "the model holds its rows",
        String.format(Locale.ROOT, "%,d rows", n),
        tolerance,
        seed,
        costs.seconds(),
        costs.bytes());
  }

  /// The plan for other rows than those it was made for.
  static Plan revised(Plan plan, RowPosterior rows) {
    return of(rows, plan.asked(), plan.tolerance(), plan.seed(), false);
  }

  /// The plan for other sums or parameters than those it was made for: the engine that was asked
  /// for stays, one that was chosen is chosen anew.
  static Plan revised(Plan plan, Statistics statistics, Hyperparameters h) {
    return of(statistics, h, plan.asked(), plan.tolerance(), plan.seed(), false);
  }

  private Plan plan(Engines.Choice choice, Lattice lattice, boolean learning) {
    Costs costs = costs(learning, learns -> Costs.lattice(choice, lattice, survey.count(), learns));
    return plan(choice.kind(), choice.reason(), "the " + lattice, costs);
  }

  private OnLattice by(OnLattice way, Engines.Choice other) {
    return new OnLattice(
        plan(other, way.chosen.lattice(), way.learning),
        way.from,
        way.judged,
        other,
        way.chosen,
        way.learning,
        way.regrid);
  }

  private OnLattice onLattice(
      GridChoice.Chosen chosen, Hyperparameters from, boolean learning, String regrid) {
    Hyperparameters h = learning ? lattices.filled(from) : from;
    Lattice lattice = chosen.lattice();
    Engines.Choice choice = Engines.expect(lattice, lattices.rank(lattice), h, fit.engine());
    return onLattice(chosen, choice, from, h, learning, regrid);
  }

  private OnLattice onLattice(
      GridChoice.Chosen chosen,
      Engines.Choice choice,
      Hyperparameters from,
      Hyperparameters judged,
      boolean learning,
      String regrid) {
    round++;
    return new OnLattice(
        plan(choice, chosen.lattice(), learning), from, judged, choice, chosen, learning, regrid);
  }

  private OnRows onRows(Engine engine, Hyperparameters from, String why) {
    boolean learning = fit.training() && from.freeSize() > 0;
    return new OnRows(rows(engine, why, learning, 0), from, fit.engine() == engine);
  }

  /// The plan for the process of the rows.
  ///
  /// @param compared how many models are compared on rows held out first
  Plan rows(Engine engine, String why, boolean learning, int compared) {
    int d = survey.low().length;
    if (engine == Engine.EXACT && !fit.likelihood().isGaussian()) {
      int kernels =
          TableFit.isWide(survey.columns()) && !fit.hasKernel() ? KernelChoice.KERNELS.size() : 0;
      Costs costs =
          costs(learning, learns -> Costs.observed(survey.count(), learns, learns ? kernels : 0));
      return plan(engine, why, String.format(Locale.ROOT, "%,d rows", survey.count()), costs);
    }
    boolean wide = TableFit.isWide(survey.columns());
    Costs costs =
        costs(
                learning,
                learns ->
                    wide
                        ? Costs.table(survey.count(), d, engine, learns)
                        : engine == Engine.NEIGHBOURS
                            ? Costs.neighbours(survey.count(), d, learns)
                            : Costs.exact(survey.count(), learns))
            .comparing(compared, survey.count(), d);
    return plan(engine, why, String.format(Locale.ROOT, "%,d rows", survey.count()), costs);
  }

  /// What is likely before a kernel of a map is chosen: the engine that was asked for, or the usual
  /// one of a rough process.
  Plan choosing() {
    int d = survey.low().length;
    long n = survey.count();
    Engine guess =
        fit.engine() != Engine.AUTO ? fit.engine() : d <= 3 ? Engine.SPARSE : Engine.NEIGHBOURS;
    Costs after =
        fit.likelihood().isGaussian()
            ? costs(
                true,
                learns ->
                    d <= 3 && mayBeSites(survey, d)
                        ? Costs.sites(n, d, learns)
                        : Costs.neighbours(n, d, learns))
            : Costs.observed(Math.min(n, LaplaceFit.EXACT_ROWS), true, KernelChoice.KERNELS.size());
    return plan(guess, "likely before a kernel is chosen", "", after.choosing(n));
  }

  private OnSites onSites(Hyperparameters from, boolean asked) {
    boolean learning = fit.training() && from.freeSize() > 0;
    int d = from.kernel().dimensions();
    Costs costs = costs(learning, learns -> Costs.sites(survey.count(), d, learns));
    Budget.require(
        costs.bytes(),
        String.format(Locale.ROOT, "the sparse process of %,d rows", survey.count()),
        "use fewer rows, use a grid of at most about %s points (a grid takes any number of rows),"
            .formatted(SparseEngine.largest(d, Budget.current().memory())));
    return new OnSites(
        plan(Engine.SPARSE, asked ? "as asked" : ROUGH, "a grid with the rows as sites", costs),
        from,
        asked);
  }

  private OnPlaces onPlaces(Hyperparameters from, boolean settled) {
    boolean learning = fit.training() && from.freeSize() > 0;
    Costs costs = costs(learning, learns -> Costs.chain(from.kernel(), survey.count(), learns));
    return new OnPlaces(plan(Engine.MARKOV, CHAIN, "the places of the rows", costs), from, settled);
  }

  /// The costs of learning from every start.
  private Costs costs(boolean learning, Function<Boolean, Costs> of) {
    Costs once = of.apply(learning);
    return learning ? once.again(fit.learning().starts() - 1, of.apply(false)) : once;
  }

  private Plan plan(Engine chosen, String why, String on, Costs costs) {
    return new Plan(
        fit.engine(),
        chosen,
        why,
        on,
        fit.tolerance(),
        fit.learning().seed(),
        costs.seconds(),
        costs.bytes());
  }

  // ---- what may be, and what costs less ----

  /// Whether the engine is free to be the exact process: nobody asked for a lattice (`free`), nor
  /// for what only a lattice offers.
  private boolean mayBeExact(boolean free) {
    return !mapped
        && fit.engine() == Engine.AUTO
        && fit.shape() == Fit.Shape.AUTO
        && free
        && survey.atMost(mostExact(EXACTLY));
  }

  /// Whether predictions may come from the nearest rows where nobody asks for that: three columns,
  /// time among them say, need a lattice of very many points, and more rows than the exact process
  /// answers in a moment.
  private boolean mayBeNeighbours(Hyperparameters h) {
    return !mapped
        && fit.engine() == Engine.AUTO
        && fit.shape() == Fit.Shape.AUTO
        && fit.grid().isAutomatic()
        && fit.likelihood().isGaussian()
        && h.kernel().dimensions() == 3
        && !survey.atMost(FEW_ROUGH)
        && survey.certainlyAtMost(NEAR);
  }

  /// The most rows of an exact model that nobody asks for: under Gaussian noise, or any other.
  private int mostExact(int gaussian) {
    return fit.likelihood().isGaussian() ? gaussian : LaplaceFit.EXACT_ROWS;
  }

  /// Whether the places of the rows may be the nodes of a Markov chain: the kernel is one, nobody
  /// asked for what only a lattice offers, and the rows can be held. Rows in a cluster are not
  /// counted, and stay there.
  private boolean mayBeChained(Hyperparameters h) {
    boolean asked = fit.engine() == Engine.MARKOV;
    return !mapped
        && (asked || fit.engine() == Engine.AUTO)
        && fit.shape() == Fit.Shape.AUTO
        && fit.grid().isAutomatic()
        && h.kernel().dimensions() == 1
        && ChainGp.serves(h.kernel())
        && survey.certainlyAtMost(asked ? Integer.MAX_VALUE : ChainGp.MOST_ROWS)
        && (asked || ChainGp.bytes(h.kernel(), survey.count()) <= Budget.current().memory());
  }

  /// Whether the model is a chain over the places of the rows and not on a lattice: where that was
  /// asked for, and where the lattice that the tolerance asks for costs more. A lattice is cheaper
  /// only if it has far fewer points than there are places; its file then holds no rows. As many
  /// rows as an exact model holds cost next to nothing. Learning follows the same rule with what it
  /// has learned as a fit that learns nothing.
  private boolean isChained(Hyperparameters h) {
    if (!mayBeChained(h)) return false;
    long places = survey.places();
    if (fit.engine() == Engine.MARKOV || places <= EXACTLY) return true;
    int points = lattices.choose(lattices.filled(h), 1).lattice().size();
    return places <= (long) LATTICE_POINT * points;
  }

  /// Whether a fit on a grid is clearly cheaper than the exact process: by operations of a
  /// likelihood, with a share of what comes after learning, 4r³ with r modes. Learning may find
  /// that a finer grid is needed, so only a third counts as clearly.
  private boolean isCheaper(Grid grid, Hyperparameters h) {
    double n = (double) survey.count();
    double left = n * n * (n + 100) / 3 - Costs.point(grid) * grid.size();
    if (!(left > 0)) return false;
    return LatticeChoice.isDirect(
        grid, h, (int) Math.min(SpectralEngine.MOST, Math.cbrt(left / 4)));
  }

  /// Whether the engine asked for still serves the kernel on another lattice.
  private boolean isServed(GridChoice.Chosen other, Hyperparameters h) {
    return switch (fit.engine()) {
      case SPECTRAL ->
          !(other.lattice() instanceof Grid grid)
              || Engines.modes(grid, h, SpectralEngine.MOST) > 0;
      case DENSE -> other.lattice().size() <= DenseEngine.MOST_POINTS;
      case AUTO, MARKOV, SPARSE, KRYLOV, EXACT, NEIGHBOURS -> true;
    };
  }
}
