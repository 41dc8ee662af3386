package lovelace.engines;

import java.util.Locale;
import java.util.function.BooleanSupplier;
import lovelace.budget.Budget;
import lovelace.dense.DenseEngine;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.inference.LatticeEngine;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.kernel.Radial;
import lovelace.krylov.KrylovEngine;
import lovelace.latticekernel.LatticeKernel;
import lovelace.markov.MarkovEngine;
import lovelace.markov.MaternTerm;
import lovelace.modes.ModeStatistics;
import lovelace.plan.Engine;
import lovelace.sparse.SparseEngine;
import lovelace.spectral.SpectralEngine;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;

/// Chooses an engine on a lattice from the kernel and the cost of an evaluation, and says why.
public final class Engines {

  /// Up to this many compressed observations, dense matrices are cheapest.
  private static final int SMALL = 300;

  private static final String FEW = "few enough observations for dense matrices";

  private Engines() {}

  /// An engine and why it was chosen.
  ///
  /// @param kind an engine on a lattice
  /// @param reason a phrase such as `547 modes`
  /// @param size the number of modes of the spectral engine, or the largest number of columns of
  ///   the dense engine's matrices; 0 for others
  public record Choice(Engine kind, String reason, long size) {

    /// Makes the engine for some data. The seed is for probes, if the likelihood is estimated.
    public LatticeEngine engine(Statistics statistics, long seed) {
      return Engines.engine(kind, statistics, seed);
    }
  }

  /// Makes an engine of a kind for some data. The same statistics, hyperparameters and seed always
  /// give the same bits.
  public static LatticeEngine engine(Engine kind, Statistics statistics, long seed) {
    return switch (kind) {
      case SPECTRAL -> spectral(statistics);
      case MARKOV -> new MarkovEngine((GridStatistics) statistics);
      case SPARSE -> new SparseEngine(statistics, 0, seed);
      case KRYLOV -> new KrylovEngine(statistics, KrylovEngine.Options.DEFAULT.withSeed(seed));
      case DENSE -> new DenseEngine(statistics);
      case AUTO, EXACT, CHAIN, SITES, NEIGHBOURS ->
          throw new IllegalArgumentException("no engine on a lattice: " + kind);
    };
  }

  /// Makes the cheapest engine for some data and complete hyperparameters.
  public static LatticeEngine cheapest(Statistics statistics, Hyperparameters h, long seed) {
    return engine(choose(statistics, h, Engine.AUTO).kind(), statistics, seed);
  }

  /// Chooses the engine for some data. Complete hyperparameters decide the cost.
  public static Choice choose(Statistics statistics, Hyperparameters h, Engine asked) {
    return choose(
        new Sight(
            statistics.lattice(),
            statistics.rankBound(),
            () -> DenseEngine.applies(statistics),
            () -> DenseEngine.isCheap(statistics, h)),
        h,
        asked);
  }

  /// The engine to expect on a lattice before the data are read for it.
  ///
  /// @param rank the expected [Statistics#rankBound]
  public static Choice expect(Lattice lattice, long rank, Hyperparameters h, Engine asked) {
    return choose(
        new Sight(
            lattice,
            rank,
            () ->
                lattice.size() <= DenseEngine.MOST_POINTS
                    && Math.min(rank, lattice.size()) <= DenseEngine.MOST_COLUMNS,
            () ->
                lattice instanceof Grid
                    && rank <= DenseEngine.FEW_COLUMNS
                    && rank * lattice.size() <= DenseEngine.ENTRIES),
        h,
        asked);
  }

  /// Returns the expected choice if the data confirm it, and otherwise a new choice.
  public static Choice confirm(
      Choice expected, Statistics statistics, Hyperparameters h, Engine asked) {
    boolean sure =
        switch (expected.kind) {
          case MARKOV, SPARSE -> true;
          case SPECTRAL -> asked == Engine.SPECTRAL || statistics.rankBound() > SMALL;
          case AUTO, KRYLOV, DENSE, EXACT, CHAIN, SITES, NEIGHBOURS -> false;
        };
    return sure ? expected : choose(statistics, h, asked);
  }

  /// The number of modes with which the spectral engine represents a kernel on a lattice, for any
  /// data; −1 if it is more than `most`.
  public static int modes(Lattice lattice, Hyperparameters h, int most) {
    return switch (lattice) {
      case Grid grid ->
          new SpectralEngine(GridStatistics.empty(grid), SpectralEngine.TOLERANCE, most).modes(h);
      case AdditiveGrid sum ->
          ModeStatistics.rank(
              LatticeKernel.of(sum, h.kernel()), 0.1 * SpectralEngine.TOLERANCE, most);
    };
  }

  /// The facts about the data on a lattice by which an engine is chosen.
  ///
  /// @param dense whether dense matrices are small enough
  /// @param cheap whether these cost less than probes
  private record Sight(Lattice lattice, long rank, BooleanSupplier dense, BooleanSupplier cheap) {}

  private static SpectralEngine spectral(Statistics statistics) {
    return new SpectralEngine(statistics, SpectralEngine.TOLERANCE, SpectralEngine.MOST);
  }

  private static Choice choose(Sight sight, Hyperparameters h, Engine asked) {
    return switch (asked) {
      case AUTO -> cheapest(sight, h);
      case SPECTRAL -> {
        int modes = modes(sight.lattice, h, SpectralEngine.MOST);
        if (modes <= 0)
          throw SpectralEngine.refusal(
              sight.lattice, h, SpectralEngine.TOLERANCE, SpectralEngine.MOST);
        yield new Choice(Engine.SPECTRAL, "as asked", modes);
      }
      case MARKOV -> {
        MaternTerm.require(h.kernel(), Engine.MARKOV);
        yield new Choice(Engine.MARKOV, "as asked", 0);
      }
      case SPARSE -> {
        if (!(sight.lattice instanceof Grid grid && SparseEngine.applies(grid, h)))
          throw SparseEngine.refusal(sight.lattice);
        yield new Choice(Engine.SPARSE, "as asked", 0);
      }
      case KRYLOV ->
          sight.cheap.getAsBoolean()
              ? new Choice(Engine.DENSE, "as asked; so few observations need no probes", sight.rank)
              : new Choice(Engine.KRYLOV, "as asked", 0);
      case DENSE -> {
        if (!sight.dense.getAsBoolean())
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "the dense engine takes at most %,d observations or occupied places and %,d grid points; use auto",
                  DenseEngine.MOST_COLUMNS,
                  DenseEngine.MOST_POINTS));
        yield new Choice(Engine.DENSE, "as asked", sight.rank);
      }
      case EXACT, CHAIN, SITES, NEIGHBOURS ->
          throw new IllegalArgumentException(
              "engine %s needs all rows, and a model on a grid does not keep its rows; use another engine, or fit the rows with engine %s"
                  .formatted(asked, asked));
    };
  }

  /// Whether a sparse factor costs less than the modes of a kernel, or is the only choice: it fits
  /// into memory, and local regressions represent the kernel.
  private static boolean isSparse(Lattice lattice, Hyperparameters h, int modes) {
    if (!(lattice instanceof Grid grid) || !SparseEngine.applies(grid, h)) return false;
    int d = grid.dimensions();
    if (SparseEngine.bytes(d, grid.size()) > Budget.current().memory()) return false;
    boolean rough = isRough(h.kernel());
    double r = modes;
    if (modes > 0) return rough && 4 * r * r * r > SparseEngine.operations(d, grid.size());
    return rough || SparseEngine.carries(grid, h);
  }

  /// Whether functions are rough, that is whether some factor of the kernel is a Matérn kernel with
  /// ν ≤ 3/2.
  public static boolean isRough(Kernel kernel) {
    return kernel.terms().stream()
        .flatMap(t -> t.factors().stream())
        .anyMatch(
            f ->
                f instanceof Radial radial
                    && (radial.shape() == Radial.Shape.MATERN12
                        || radial.shape() == Radial.Shape.MATERN32));
  }

  private static Choice cheapest(Sight sight, Hyperparameters h) {
    if (MarkovEngine.applies(sight.lattice, h.kernel()))
      return new Choice(Engine.MARKOV, "a Matérn kernel in one dimension is a Markov chain", 0);
    boolean noiseless =
        h.noise() + h.kernel().whiteVariance() == 0 // no other engine works without noise
            || (isRough(h.kernel()) && SparseEngine.isNoiseless(h));
    if (noiseless && sight.lattice instanceof Grid grid && SparseEngine.applies(grid, h))
      return new Choice(Engine.SPARSE, "there is no noise, so observed grid points are known", 0);
    boolean small = sight.rank <= SMALL && sight.lattice instanceof Grid;
    if (small && sight.dense.getAsBoolean()) return new Choice(Engine.DENSE, FEW, sight.rank);
    int modes = modes(sight.lattice, h, SpectralEngine.MOST);
    boolean sparse = isSparse(sight.lattice, h, modes);
    if (modes > 0 && !sparse)
      return new Choice(Engine.SPECTRAL, String.format(Locale.ROOT, "%,d modes", modes), modes);
    if (sparse)
      return new Choice(
          Engine.SPARSE,
          modes > 0
              ? String.format(
                  Locale.ROOT,
                  "a rough kernel, whose %,d modes on this grid cost more than a sparse factor",
                  modes)
              : "the kernel needs too many modes on this grid; a sparse factor represents it",
          0);
    if (sight.dense.getAsBoolean()) return new Choice(Engine.DENSE, FEW, sight.rank);
    return new Choice(Engine.KRYLOV, "the kernel needs too many modes on this grid", 0);
  }
}
