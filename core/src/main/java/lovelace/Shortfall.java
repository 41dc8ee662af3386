package lovelace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lovelace.chain.ChainGp;
import lovelace.data.PlaceMap;
import lovelace.engines.Engines;
import lovelace.exact.ExactGp;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Kernel;
import lovelace.lattice.LatticePosterior;
import lovelace.plan.Engine;
import lovelace.planning.Costs;
import lovelace.planning.LatticeChoice;
import lovelace.posterior.Certificate;
import lovelace.posterior.Certificate.Interpolation;
import lovelace.posterior.Certificate.Missed;
import lovelace.sparse.SparseEngine;
import lovelace.spectral.SpectralEngine;

/// Finds settings that meet a tolerance that a model on a lattice misses.
final class Shortfall {

  /// The error of interpolation falls at least with this power of the step, for smooth functions
  /// and for rough ones.
  private static final double SMOOTH = 3;

  private static final double ROUGH = 1;

  /// A factor for more points than the powers require, because errors are known only at some
  /// places.
  private static final double MARGIN = 1.15;

  /// The largest factor by which points along an axis are increased.
  private static final double FINEST = 64;

  /// With fewer cells for the finest detail, the detail is lost whatever the powers say. [#ENOUGH]
  /// cells represent it.
  private static final double FEW = 6;

  private static final double ENOUGH = 20;

  private Shortfall() {}

  /// The tolerance that a model misses; empty for one that is exact or meets its tolerance.
  static Optional<Missed> of(Model model) {
    LatticePosterior lattice = model.lattice().orElse(null);
    if (lattice == null || lattice.certificate().met()) return Optional.empty();
    Certificate certificate = lattice.certificate();
    double tolerance = certificate.tolerance();
    boolean mapped = model.map().isPresent() && !(model.map().get() instanceof PlaceMap);
    boolean gaussian = model.likelihood().isGaussian() && model.window().isEmpty();
    boolean rows = gaussian && !mapped && lattice.statistics().lattice() instanceof Grid;
    return Optional.of(
        new Missed(
            Interpolation.meanTolerance(tolerance),
            certificate.mean(),
            tolerance,
            certificate.variance(),
            finer(lattice, certificate),
            rows ? exact(lattice.hyperparameters().kernel(), model.count()) : Optional.empty(),
            met(certificate)));
  }

  /// The engine of an exact process of some rows; the cheapest if there are several.
  private static Optional<Engine> exact(Kernel kernel, long rows) {
    if (ChainGp.serves(kernel) && rows <= ChainGp.MOST_ROWS) return Optional.of(Engine.CHAIN);
    return rows <= ExactGp.MOST_ROWS ? Optional.of(Engine.EXACT) : Optional.empty();
  }

  /// The number of points that probably suffices for a grid of the same range; empty if there is
  /// none.
  private static List<Integer> finer(LatticePosterior lattice, Certificate certificate) {
    double tolerance = certificate.tolerance();
    Interpolation known = certificate.interpolation();
    double left = tolerance - certificate.reached(); // the error allowed to interpolation
    if (!(lattice.statistics().lattice() instanceof Grid grid)
        || !known.known()
        || lattice.kriges()
        || !(left > 0)) return List.of();
    Hyperparameters h = lattice.hyperparameters();
    double means = known.mean() / Interpolation.meanTolerance(tolerance);
    double excess = Math.max(known.variance() / left, means * means);
    double order = Engines.isRough(h.kernel()) ? ROUGH : SMOOTH;
    double more = MARGIN * Math.pow(Math.max(1, excess), 1 / order);
    double[] details = LatticeChoice.lengthscales(h.kernel());
    List<Integer> points = new ArrayList<>();
    Axis[] axes = new Axis[grid.dimensions()];
    double size = 1;
    for (int a = 0; a < axes.length; a++) {
      Axis axis = grid.axis(a);
      double cells = details[a] / axis.step();
      double factor = cells < FEW ? ENOUGH / cells : more;
      if (!(factor <= FINEST)) return List.of();
      int count = rounded(factor * axis.points());
      points.add(count);
      size *= count;
      if (size > Grid.MOST) return List.of();
      axes[a] = Axis.covering(axis.low(), axis.high(), count);
    }
    Grid finer = Grid.of(axes);
    if (Costs.bytes(finer) > Runtime.getRuntime().maxMemory() / 2) return List.of();
    return isServed(finer, h, certificate.engine()) ? points : List.of();
  }

  /// Rounds up to two digits.
  private static int rounded(double points) {
    double unit = Math.pow(10, Math.floor(Math.log10(points)) - 1);
    return (int) (Math.ceil(points / unit) * unit);
  }

  /// Whether the engine works on a finer grid without far more effort.
  private static boolean isServed(Grid finer, Hyperparameters h, Engine engine) {
    return switch (engine) {
      case SPECTRAL, DENSE -> Engines.modes(finer, h, SpectralEngine.MOST) > 0;
      case SPARSE ->
          SparseEngine.bytes(finer.dimensions(), finer.size())
              <= Runtime.getRuntime().maxMemory() / 2;
      case AUTO, MARKOV, KRYLOV, EXACT, CHAIN, SITES, NEIGHBOURS -> true;
    };
  }

  /// The smallest tolerance of two digits that the model meets; NaN if the errors of means are too
  /// large for any.
  private static double met(Certificate certificate) {
    double mean = certificate.mean();
    double least = Math.max(certificate.variance(), 4 * mean * mean);
    if (!(mean <= Interpolation.meanTolerance(0.5)) || !(least < 1)) return Double.NaN;
    double unit = Math.pow(10, Math.floor(Math.log10(least)) - 1);
    double tolerance = Math.ceil(1.05 * least / unit) * unit;
    return tolerance < 1 ? tolerance : Double.NaN;
  }
}
