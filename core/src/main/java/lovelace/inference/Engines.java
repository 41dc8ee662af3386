package lovelace.inference;

import java.util.Locale;
import lovelace.grid.Grid;
import lovelace.grid.GridStatistics;
import lovelace.grid.Statistics;
import lovelace.kernel.Hyperparameters;
import lovelace.plan.Engine;

/// Chooses an engine by what the kernel is and what an evaluation would cost, and says why.
public final class Engines {

  /// Up to so many compressed observations dense matrices cost less than anything else.
  private static final int SMALL = 300;

  /// What a point of a grid with one to four axes costs, in operations of a dense factorisation.
  private static final double[] POINT = {30_000, 7_000, 30_000, 30_000};

  /// The most modes of a grid that is made finer for the tolerance, where rows are few.
  public static final int FEW_MODES = 2000;

  /// Operations of transforms that take some seconds.
  public static final double SECONDS = 5e9;

  private static final String FEW = "few enough observations for dense matrices";

  private Engines() {}

  /// An engine and the reason it was chosen, a phrase such as `547 modes`.
  public record Choice(LatticeEngine engine, String reason) {}

  /// The engine of a kind for some data, with complete hyperparameters to judge the cost by, and a
  /// seed for probes where the likelihood is estimated.
  public static Choice choose(Statistics statistics, Hyperparameters h, Engine kind, long seed) {
    return switch (kind) {
      case AUTO -> choose(statistics, h, seed);
      case SPECTRAL -> {
        SpectralEngine spectral =
            new SpectralEngine(statistics, SpectralEngine.TOLERANCE, SpectralEngine.MOST);
        if (!spectral.applies(h)) throw spectral.refusal(h);
        yield new Choice(spectral, "as asked");
      }
      case MARKOV -> {
        MaternTerm.require(h.kernel());
        yield new Choice(new MarkovEngine((GridStatistics) statistics), "as asked");
      }
      case KRYLOV ->
          DenseEngine.isCheap(statistics, h)
              ? new Choice(
                  new DenseEngine(statistics), "as asked; so few observations need no probes")
              : new Choice(krylov(statistics, seed), "as asked");
      case DENSE -> {
        if (!DenseEngine.applies(statistics))
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "the dense engine takes at most %,d observations or occupied places and %,d grid points; use auto",
                  DenseEngine.MOST_COLUMNS,
                  DenseEngine.MOST_POINTS));
        yield new Choice(new DenseEngine(statistics), "as asked");
      }
      case EXACT ->
          throw new IllegalArgumentException(
              "the exact engine needs all rows, and a model on a grid does not keep its rows;"
                  + " use another engine, or fit the rows with engine exact");
    };
  }

  /// Whether a kernel on a grid is served by an engine without iterations, or with at most so many
  /// modes, whatever the data.
  public static boolean isDirect(Grid grid, Hyperparameters h, int modes) {
    return MarkovEngine.applies(GridStatistics.empty(grid), h.kernel())
        || isSpectral(grid, h, modes);
  }

  /// Whether the spectral engine carries a kernel on a grid with at most so many modes, whatever
  /// the data.
  public static boolean isSpectral(Grid grid, Hyperparameters h, int modes) {
    return new SpectralEngine(GridStatistics.empty(grid), SpectralEngine.TOLERANCE, modes)
        .applies(h);
  }

  /// About how many operations the iterations of a posterior of some rows take on a grid: a product
  /// with the kernel, by transforms of 2ᵈ times as many points, for every step of LOVE and every
  /// check point.
  public static double iterations(Grid grid, long rows) {
    double products = Math.min(rows, Love.DEFAULT.limit()) + 2 * Love.DEFAULT.checks();
    double padded = Math.scalb((double) grid.size(), grid.dimensions());
    return products * padded * 10 * Math.log(padded);
  }

  private static KrylovEngine krylov(Statistics statistics, long seed) {
    return new KrylovEngine(statistics, KrylovEngine.Options.DEFAULT.withSeed(seed));
  }

  /// Whether a likelihood on a grid, by an engine without iterations, takes at most so many
  /// operations, whatever the data: 4r³ with r modes. With it counts a fiftieth, for as many
  /// likelihoods, of what tables, certificate and reading of the rows take for every point.
  public static boolean isCheaper(Grid grid, Hyperparameters h, double operations) {
    double left = operations - POINT[grid.dimensions() - 1] * (double) grid.size();
    if (!(left > 0)) return false;
    return isDirect(grid, h, (int) Math.min(SpectralEngine.MOST, Math.cbrt(left / 4)));
  }

  private static Choice choose(Statistics statistics, Hyperparameters h, long seed) {
    if (MarkovEngine.applies(statistics, h.kernel()))
      return new Choice(
          new MarkovEngine((GridStatistics) statistics),
          "a Matérn kernel in one dimension is a Markov chain");
    boolean dense = DenseEngine.applies(statistics);
    boolean small = statistics.rankBound() <= SMALL && statistics instanceof GridStatistics;
    if (dense && small) return new Choice(new DenseEngine(statistics), FEW);
    SpectralEngine spectral =
        new SpectralEngine(statistics, SpectralEngine.TOLERANCE, SpectralEngine.MOST);
    int modes = spectral.modes(h);
    if (modes > 0) return new Choice(spectral, String.format(Locale.ROOT, "%,d modes", modes));
    if (dense) return new Choice(new DenseEngine(statistics), FEW);
    return new Choice(krylov(statistics, seed), "the kernel needs too many modes on this grid");
  }
}
