package lovelace.costs;

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
import lovelace.sparse.SiteGp;
import lovelace.sparse.SparseEngine;
import lovelace.tables.TableChoice;

/// About what a fit costs, by counting operations. Rates are those of two cores of a server, with
/// native linear algebra.
///
/// @param seconds of learning and conditioning, the reading of rows not counted
/// @param bytes of memory
public record Costs(double seconds, long bytes) {

  /// How many likelihoods learning takes, scouting and standard errors included.
  private static final double LIKELIHOODS = 50;

  /// Dense operations a second.
  private static final double DENSE = 2e10;

  /// Operations of transforms a second.
  private static final double TRANSFORMS = 4e8;

  /// Places of a chain, in a likelihood with its gradient, a second.
  private static final double PLACES = 2e6;

  /// Operations of sparse factors over sites a second.
  private static final double SITES = 1e11;

  /// Seconds of learning by neighbours for sites, a row.
  private static final double NEIGHBOURS = 3e-4;

  /// Operations of sparse factors over grid points a second, and how many factors are tried with
  /// more and more neighbours, for grids of one to three axes.
  private static final double SPARSE = 1.5e11;

  private static final double[] FACTORS = {3, 1, 3};

  /// Seconds of learning by neighbours for rows on grid points, a row.
  private static final double NEAREST = 1e-4;

  /// Seconds of the mean, the check of variances and the likelihood by a sparse factor, a point.
  private static final double SOLVES = 3e-5;

  /// Seconds of learning the kernel of many columns, a row; and a row and column.
  private static final double ROW = 4e-4;

  private static final double COLUMN = 4e-5;

  /// Seconds of a model that is compared on rows held out: of any, for a column, and for a row up
  /// to so many, which are scored.
  private static final double TRIAL = 0.2;

  private static final double TRIAL_COLUMN = 0.02;
  private static final double TRIAL_ROW = 5e-5;
  private static final long TRIAL_ROWS = 5000;

  /// Seconds of what always is there, in a process that has just started.
  private static final double START = 0.3;

  /// Seconds of reading a row, twice.
  private static final double READING = 6e-6;

  /// Seconds of choosing among kernels, for each of the rows up to so many that are compared.
  private static final double KERNEL_ROW = 7.5e-4;

  private static final long KERNEL_ROWS = 2000;

  /// The most places that a likelihood that is not Gaussian learns from, and those that its kernels
  /// are compared on.
  private static final double OBSERVED = 1500;

  private static final double OBSERVED_COMPARED = 500;

  /// The Newton steps of a mode.
  private static final double NEWTON = 10;

  /// Points' operations a second, which are less dense.
  private static final double POINTS = 1e10;

  /// What a point of a grid with one to four axes costs beside likelihoods, in dense operations:
  /// tables, certificate and the reading of the rows.
  private static final double[] POINT = {1.5e6, 3.5e5, 1.5e6, 1.5e6};

  /// The same of a sum over grids.
  private static final double SUM = 1.5e7;

  /// The operations of a point for one of [#LIKELIHOODS].
  public static double point(Grid grid) {
    return POINT[grid.dimensions() - 1] / LIKELIHOODS;
  }

  /// About how many operations the iterations of a posterior of some rows take on a grid: a product
  /// with the kernel, by transforms of 2ᵈ times as many points, for every step of LOVE and every
  /// check point.
  public static double iterations(Lattice lattice, long rows) {
    double products = Math.min(rows, Love.DEFAULT.limit()) + 2 * Love.DEFAULT.checks();
    return products * product(lattice);
  }

  /// A product with the kernel by transforms.
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

  /// Of the exact process.
  public static Costs exact(long rows, boolean learning) {
    double n = (double) rows;
    double operations = (learning ? LIKELIHOODS : 1.0 / 3) * n * n * n;
    return new Costs(START + operations / DENSE, (long) (24 * n * n));
  }

  /// Of the exact process under a likelihood that is not Gaussian: it learns from some places, and
  /// has one mode of all.
  ///
  /// @param kernels how many are compared first
  public static Costs observed(long rows, boolean learning, int kernels) {
    double n = (double) rows;
    double operations = NEWTON * n * n * n / 3;
    if (learning) {
      operations += LIKELIHOODS * Math.pow(Math.min(n, OBSERVED), 3);
      operations += kernels * LIKELIHOODS * Math.pow(Math.min(n, OBSERVED_COMPARED), 3);
    }
    return new Costs(START + operations / DENSE, (long) (24 * n * n));
  }

  /// The same with a choice among kernels by the likelihood of some rows before.
  public Costs choosing(long rows) {
    return new Costs(seconds + KERNEL_ROW * (double) Math.min(rows, KERNEL_ROWS), bytes);
  }

  /// Of the nearest rows: `k²` kernel values of d columns for each row and likelihood.
  public static Costs neighbours(long rows, int d, boolean learning) {
    double n = (double) rows;
    double seconds = START + (learning ? n * (ROW + COLUMN * d) : n * 1e-5);
    return new Costs(seconds, (long) (n * (8.0 * d + 400) + 1e8));
  }

  /// Of a table of many columns: neighbours learn.
  public static Costs table(long rows, int d, Engine engine, boolean learning) {
    Costs neighbours = neighbours(rows, d, learning);
    double n = (double) rows;
    if (engine != Engine.EXACT) return neighbours;
    double seconds = neighbours.seconds() + n * n * n / 3 / DENSE;
    return new Costs(seconds, neighbours.bytes() + (long) (8 * n * n));
  }

  /// The same with models that are compared on rows held out before: each learns from batches,
  /// which cost the same for any number of rows, and is scored.
  ///
  /// @param models how many are compared
  public Costs comparing(int models, long rows, int d) {
    double each = TRIAL + TRIAL_COLUMN * d + TRIAL_ROW * (double) Math.min(rows, TRIAL_ROWS);
    return new Costs(seconds + models * TableChoice.folds(rows) * each, bytes);
  }

  /// The same with learning from more starts.
  ///
  /// @param without the costs without learning
  public Costs again(int more, Costs without) {
    return new Costs(seconds + more * (seconds - without.seconds), bytes);
  }

  /// Of a chain over the places of the rows.
  public static Costs chain(Kernel kernel, long rows, boolean learning) {
    double likelihoods = learning ? LIKELIHOODS : 1;
    return new Costs(START + likelihoods * rows / PLACES, ChainGp.bytes(kernel, rows));
  }

  /// Of a lattice with the rows as sites, about one a cell.
  public static Costs sites(long rows, int dimensions, boolean learning) {
    double unknowns = 2.0 * rows;
    double seconds = START + SparseEngine.operations(dimensions, unknowns) / SITES;
    if (learning) seconds += rows * NEIGHBOURS;
    int k = SiteGp.neighbours(dimensions);
    return new Costs(seconds, SiteGp.bytes(dimensions, 1.5 * rows, k));
  }

  /// Of an engine on a lattice.
  ///
  /// @param rows how many there are
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
      default -> {
        double rank = Math.min(Math.min((double) rows, m), Love.DEFAULT.limit());
        seconds += (iterations(lattice, rows) + count * 1000 * product(lattice)) / TRANSFORMS;
        bytes += 16 * m * rank;
      }
    }
    return new Costs(seconds, (long) bytes);
  }
}
