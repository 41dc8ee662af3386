package lovelace;

import java.util.Locale;
import lovelace.options.GridChoice;
import lovelace.plan.Engine;

/// The ways to a posterior, each with a kernel that suits it.
enum SmallWay {
  SPECTRAL(Engine.SPECTRAL, 2, true, "rbf", 0.4),
  SPECTRAL_LINE(Engine.SPECTRAL, 1, true, "rbf", 0.3),
  KRYLOV(Engine.KRYLOV, 2, true, "rbf", 0.7),
  MARKOV(Engine.MARKOV, 1, true, "matern32", 0.3),
  SPARSE(Engine.SPARSE, 2, true, "matern12", 0.6),
  DENSE(Engine.DENSE, 2, true, "matern52", 0.5),
  EXACT(Engine.EXACT, 2, false, "matern52", 0.5),
  CHAIN(Engine.CHAIN, 1, false, "matern32", 0.3),
  SITES(Engine.SITES, 2, false, "matern32", 0.5),
  NEIGHBOURS(Engine.NEIGHBOURS, 2, false, "matern32", 0.5),
  AUTO(Engine.AUTO, 2, false, "matern52", 0.5);

  private static final int[] POINTS = {24, 9};
  private static final int ROWS = 48;

  /// With fewer rows and points the engine would take dense matrices.
  private static final int KRYLOV_POINTS = 25;

  private static final int KRYLOV_ROWS = 824;

  final Engine engine;
  final int dimensions;
  final boolean lattice;
  final String kernel;
  final double lengthscale;

  SmallWay(Engine engine, int dimensions, boolean lattice, String kernel, double lengthscale) {
    this.engine = engine;
    this.dimensions = dimensions;
    this.lattice = lattice;
    this.kernel = kernel;
    this.lengthscale = lengthscale;
  }

  /// A fit with this engine and kernel and no other parameters.
  Fit free() {
    Fit fit = Fit.DEFAULT.withEngine(engine).withKernel(kernel).withLearning(SmallCase.FEW);
    if (engine == Engine.NEIGHBOURS) fit = fit.withNeighbours(8);
    return lattice ? fit.withGrid(grid()) : fit;
  }

  int rows() {
    return this == KRYLOV ? KRYLOV_ROWS : ROWS;
  }

  int points() {
    return this == KRYLOV ? KRYLOV_POINTS : POINTS[dimensions - 1];
  }

  /// A grid over the unit cube.
  GridChoice grid() {
    return over(GridChoice.DEFAULT.withPoints(points()), dimensions);
  }

  /// A grid over each of some columns.
  static GridChoice lines(int columns) {
    return over(GridChoice.DEFAULT.withPoints(POINTS[0]), columns);
  }

  /// The grid of the rows themselves.
  static GridChoice nodes(int dimensions) {
    return over(GridChoice.DEFAULT.onData(), dimensions);
  }

  private static GridChoice over(GridChoice choice, int dimensions) {
    GridChoice grid = choice;
    for (int j = 0; j < dimensions; j++) grid = grid.bounded(j, 0, 1);
    return grid;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
