package lovelace.planning;

import lovelace.chain.ChainGp;
import lovelace.engines.Engines;
import lovelace.grid.AdditiveCells;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.CellPolynomials;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.StencilMatrix;
import lovelace.kernel.Kernel;
import lovelace.love.Love;
import lovelace.plan.Engine;
import lovelace.sites.SiteGp;
import lovelace.sparse.SparseEngine;
import lovelace.tables.TableChoice;

/// Estimates what a fit costs, by counting operations. Rates are those of two cores of a server,
/// with native linear algebra.
///
/// @param seconds the time of learning and conditioning, without reading the rows
/// @param bytes the memory
public record Costs(double seconds, long bytes) {

  /// The number of likelihoods that learning takes, with scouting and standard errors.
  private static final double LIKELIHOODS = 50;

  /// Dense operations per second.
  private static final double DENSE = 2e10;

  /// Operations of transforms per second.
  private static final double TRANSFORMS = 4e8;

  /// Places of a chain per second, in a likelihood with its gradient.
  private static final double PLACES = 2e6;

  /// Operations of sparse factors over sites per second.
  private static final double SITES = 1e11;

  /// Seconds per row of learning by neighbours, for sites.
  private static final double NEIGHBOURS = 3e-4;

  /// Operations of sparse factors over grid points per second. [#FACTORS] is the number of factors
  /// that are tried with more and more neighbours, for grids of one to three axes.
  private static final double SPARSE = 1.5e11;

  private static final double[] FACTORS = {3, 1, 3};

  /// Seconds per row of learning by neighbours, for rows on grid points.
  private static final double NEAREST = 1e-4;

  /// Seconds per point of the mean, the check of variances and the likelihood by a sparse factor.
  private static final double SOLVES = 3e-5;

  /// Seconds per row of learning the kernel of many columns, and per row and column.
  private static final double ROW = 4e-4;

  private static final double COLUMN = 4e-5;

  /// Seconds to compare a model on held-out rows: a fixed part, a part per column, and a part per
  /// row, up to the number of rows that are scored.
  private static final double TRIAL = 0.2;

  private static final double TRIAL_COLUMN = 0.02;
  private static final double TRIAL_ROW = 5e-5;
  private static final long TRIAL_ROWS = 5000;

  /// Seconds that every fit takes in a process that has just started.
  private static final double START = 0.3;

  /// Seconds to read a row twice.
  private static final double READING = 6e-6;

  /// Seconds to choose among kernels, per row, up to the number of rows that are compared.
  private static final double KERNEL_ROW = 7.5e-4;

  private static final long KERNEL_ROWS = 2000;

  /// The largest number of places that learning uses under a likelihood that is not Gaussian, and
  /// on which its kernels are compared.
  private static final double OBSERVED = 1500;

  private static final double OBSERVED_COMPARED = 500;

  /// The number of Newton steps to a mode.
  private static final double NEWTON = 10;

  /// Operations per second for points, which are less dense.
  private static final double POINTS = 1e10;

  /// The cost of a grid point apart from likelihoods, in dense operations, for one to four axes:
  /// tables, certificate and reading the rows.
  private static final double[] POINT = {1.5e6, 3.5e5, 1.5e6, 1.5e6};

  /// The same for a sum over grids.
  private static final double SUM = 1.5e7;

  /// The operations per point, divided by [#LIKELIHOODS].
  public static double point(Grid grid) {
    return POINT[grid.dimensions() - 1] / LIKELIHOODS;
  }

  /// About how many operations the iterations for a posterior of some rows take on a grid. Every
  /// step of LOVE and every check point needs a product with the kernel, by transforms of 2ᵈ times
  /// as many points.
  public static double iterations(Lattice lattice, long rows) {
    double products = Math.min(rows, Love.DEFAULT.limit()) + 2 * Love.DEFAULT.checks();
    return products * product(lattice);
  }

  /// The operations of a product with the kernel by transforms.
  private static double product(Lattice lattice) {
    int d = lattice instanceof Grid grid ? grid.dimensions() : 1;
    double padded = Math.scalb((double) lattice.size(), d);
    return padded * 10 * Math.log(padded);
  }

  /// About how many bytes the statistics, matrices and tables of a lattice take.
  public static long bytes(Lattice lattice) {
    return switch (lattice) {
      case Grid grid when grid.dimensions() < 4 ->
          2 * StencilMatrix.bytes(grid) + CellPolynomials.bytes(grid, true);
      case Grid grid -> 64L * grid.size(); // statistics of occupied cells only
      case AdditiveGrid grid -> 8L * grid.size() * Math.min(grid.size(), AdditiveCells.MOST);
    };
  }

  /// The costs of the exact process.
  public static Costs exact(long rows, boolean learning) {
    double n = (double) rows;
    double operations = (learning ? LIKELIHOODS : 1.0 / 3) * n * n * n;
    return new Costs(START + operations / DENSE, (long) (24 * n * n));
  }

  /// The costs of the exact process under a likelihood that is not Gaussian. It learns from some
  /// places, and finds one mode for all.
  ///
  /// @param kernels the number of kernels that are compared first
  public static Costs observed(long rows, boolean learning, int kernels) {
    double n = (double) rows;
    double operations = NEWTON * n * n * n / 3;
    if (learning) {
      operations += LIKELIHOODS * Math.pow(Math.min(n, OBSERVED), 3);
      operations += kernels * LIKELIHOODS * Math.pow(Math.min(n, OBSERVED_COMPARED), 3);
    }
    return new Costs(START + operations / DENSE, (long) (24 * n * n));
  }

  /// Adds a choice among kernels by the likelihood of some rows.
  public Costs choosing(long rows) {
    return new Costs(seconds + KERNEL_ROW * (double) Math.min(rows, KERNEL_ROWS), bytes);
  }

  /// The costs of predicting from the nearest rows: `k²` kernel values of d columns for each row
  /// and likelihood.
  public static Costs neighbours(long rows, int d, boolean learning) {
    double n = (double) rows;
    double seconds = START + (learning ? n * (ROW + COLUMN * d) : n * 1e-5);
    return new Costs(seconds, (long) (n * (8.0 * d + 400) + 1e8));
  }

  /// The costs of a table of many columns, where neighbours learn.
  public static Costs table(long rows, int d, Engine engine, boolean learning) {
    Costs neighbours = neighbours(rows, d, learning);
    double n = (double) rows;
    if (engine != Engine.EXACT) return neighbours;
    double seconds = neighbours.seconds() + n * n * n / 3 / DENSE;
    return new Costs(seconds, neighbours.bytes() + (long) (8 * n * n));
  }

  /// Adds the comparison of models on held-out rows. Each model learns from batches, which cost the
  /// same for any number of rows, and is scored.
  ///
  /// @param models the number of models compared
  public Costs comparing(int models, long rows, int d) {
    double each = TRIAL + TRIAL_COLUMN * d + TRIAL_ROW * (double) Math.min(rows, TRIAL_ROWS);
    return new Costs(seconds + models * TableChoice.folds(rows) * each, bytes);
  }

  /// Adds learning from more starts.
  ///
  /// @param without the costs without learning
  public Costs again(int more, Costs without) {
    return new Costs(seconds + more * (seconds - without.seconds), bytes);
  }

  /// The costs of a chain over the places of the rows.
  public static Costs chain(Kernel kernel, long rows, boolean learning) {
    double likelihoods = learning ? LIKELIHOODS : 1;
    return new Costs(START + likelihoods * rows / PLACES, ChainGp.bytes(kernel, rows));
  }

  /// The costs of a lattice with the rows as sites, about one per cell.
  public static Costs sites(long rows, int dimensions, boolean learning) {
    double unknowns = 2.0 * rows;
    double seconds = START + SparseEngine.operations(dimensions, unknowns) / SITES;
    if (learning) seconds += rows * NEIGHBOURS;
    int k = SiteGp.neighbours(dimensions);
    return new Costs(seconds, SiteGp.bytes(dimensions, 1.5 * rows, k));
  }

  /// The costs of an engine on a lattice.
  ///
  /// @param rows the number of rows
  public static Costs lattice(Engines.Choice choice, Lattice lattice, long rows, boolean learning) {
    double m = lattice.size();
    double r = (double) choice.size();
    double points = m * (lattice instanceof Grid grid ? POINT[grid.dimensions() - 1] : SUM);
    double count = learning ? LIKELIHOODS : 1;
    double seconds = START + READING * rows + points / POINTS;
    double bytes = bytes(lattice);
    switch (choice.kind()) {
      case SPECTRAL -> {
        seconds += (count + 4) * 4 * r * r * r / DENSE;
        bytes += 32 * r * r;
      }
      case DENSE -> {
        double n = Math.min(r, m);
        seconds += count * (n * n * n + n * n * m) / DENSE;
        bytes += 24 * n * n;
      }
      case MARKOV -> {
        seconds += count * m / PLACES;
        bytes += 200 * m;
      }
      case SPARSE -> {
        int d = lattice instanceof Grid grid ? grid.dimensions() : 3;
        if (learning) seconds += Math.min((double) rows, m) * NEAREST;
        seconds += FACTORS[d - 1] * SparseEngine.operations(d, m) / SPARSE + SOLVES * m;
        bytes += SparseEngine.bytes(d, m);
      }
      case AUTO, KRYLOV, EXACT, CHAIN, SITES, NEIGHBOURS -> {
        double rank = Math.min(Math.min((double) rows, m), Love.DEFAULT.limit());
        seconds += (iterations(lattice, rows) + count * 1000 * product(lattice)) / TRANSFORMS;
        bytes += 16 * m * rank;
      }
    }
    return new Costs(seconds, (long) bytes);
  }
}
