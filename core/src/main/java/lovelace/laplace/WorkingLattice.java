package lovelace.laplace;

import java.util.Arrays;
import java.util.function.Function;
import lovelace.data.Outside;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.grid.Lattice;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.inference.Evidence;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeEngine;
import lovelace.inference.WarmStart;
import lovelace.kernel.Hyperparameters;
import lovelace.linear.Parallel;
import lovelace.plan.Engine;
import lovelace.statistics.AdditiveAccumulator;
import lovelace.statistics.GridStatistics;
import lovelace.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/// Working observations on a lattice. Each solution makes one pass over the places, and an engine
/// uses the sums.
public final class WorkingLattice implements WorkingProcess {

  private static final int CHUNK = 2048;

  private final Lattice lattice;
  private final double[] places;
  private final Function<Statistics, LatticeEngine> engine;

  /// @param places row-major, inside the lattice; not copied
  /// @param engine makes a new engine for some statistics
  public WorkingLattice(
      Lattice lattice, double[] places, Function<Statistics, LatticeEngine> engine) {
    this.lattice = lattice;
    this.places = places;
    this.engine = engine;
  }

  @Override
  public String name() {
    return engine.apply(empty()).name();
  }

  @Override
  public int size() {
    return places.length / lattice.dimensions();
  }

  @Override
  public double[] prior(Hyperparameters working) {
    double[] c = working.mean().coefficients();
    if (c.length == 0) return new double[size()];
    return at(lattice.linear(c[0], Arrays.copyOfRange(c, 1, c.length)));
  }

  /// Lattice values interpolated at the places.
  private double[] at(double[] values) {
    double[] out = new double[size()];
    chunks(
        (points, from) -> {
          for (int i = 0; i < points.count(); i++) out[from + i] = points.dot(i, values, 0);
        });
    return out;
  }

  private interface Body {
    void accept(Stencils points, int from);
  }

  private void chunks(Body body) {
    int d = lattice.dimensions();
    Parallel.chunks(
        size(),
        CHUNK,
        (chunk, from, to) ->
            body.accept(Stencils.of(lattice, Arrays.copyOfRange(places, from * d, to * d)), from));
  }

  /// The sums of working observations.
  public Statistics statistics(double[] weights, double[] targets) {
    return statistics(places, weights, targets);
  }

  /// The statistics of no rows.
  public Statistics empty() {
    return statistics(new double[0], new double[0], new double[0]);
  }

  private Statistics statistics(double[] at, double[] weights, double[] targets) {
    return switch (lattice) {
      case Grid grid -> GridStatistics.of(grid, at, targets, weights, Outside.ERROR);
      case AdditiveGrid grid -> {
        AdditiveAccumulator sums = new AdditiveAccumulator(grid, Outside.ERROR);
        for (int i = 0; i < targets.length; i++)
          sums.add(at, i * grid.dimensions(), targets[i], weights[i]);
        yield sums.statistics();
      }
    };
  }

  @Override
  public Solution solve(
      Hyperparameters working, double[] weights, double[] targets, WarmStart start) {
    return new Solved(working, weights, targets, start);
  }

  private final class Solved implements Solution {
    private final Hyperparameters working;
    private final double[] weights;
    private final double[] targets;
    private final WarmStart start;
    private final LatticeEngine own;
    private @Nullable LatticeDistribution found;
    private @Nullable Evidence evidence;
    private double @Nullable [] means;
    private double @Nullable [] variances;

    Solved(Hyperparameters working, double[] weights, double[] targets, WarmStart start) {
      this.working = working;
      this.weights = weights;
      this.targets = targets;
      this.start = start;
      own = engine.apply(statistics(weights, targets));
    }

    private LatticeDistribution found() {
      LatticeDistribution known = found;
      if (known == null) found = known = own.conditioned(working, start);
      return known;
    }

    private Evidence full() {
      Evidence known = evidence;
      if (known == null) evidence = known = own.evidence(working, start);
      return known;
    }

    @Override
    public double[] means() {
      double[] known = means;
      if (known == null) {
        double[] values = found().mean();
        double[] prior = found().problem().prior();
        for (int i = 0; i < values.length; i++) values[i] += prior[i];
        means = known = at(values);
      }
      return known;
    }

    @Override
    public double[] variances() {
      double[] known = variances;
      if (known == null) variances = known = computed();
      return known;
    }

    private double[] computed() {
      double[] out = new double[size()];
      boolean byCell =
          lattice instanceof Grid grid
              && grid.dimensions() < 4
              && size() > grid.size() / 4
              && found().covariance().engine()
                  != Engine.KRYLOV; // LOVE, which the dense engine also uses
      if (byCell) {
        StencilMatrix p = found().stencil();
        chunks(
            (points, from) -> {
              int[] index = new int[points.width()];
              double[] weight = new double[points.width()];
              for (int i = 0; i < points.count(); i++) {
                points.copy(i, index, weight);
                out[from + i] = Math.max(0, p.quadratic(index[0], weight));
              }
            });
      } else {
        chunks(
            (points, from) -> {
              double[] some = own.variances(found(), points);
              for (int i = 0; i < some.length; i++) out[from + i] = Math.max(0, some[i]);
            });
      }
      return out;
    }

    @Override
    public double evidence() {
      return full().value();
    }

    /// `½ [E′(z + δ) − E′(z − δ)]` is exactly the slope along δ, because E′ is quadratic in z.
    @Override
    public double[] gradient(double[] delta) {
      double[] g = full().gradient();
      if (Arrays.stream(delta).allMatch(x -> x == 0)) return g;
      double[] up = moved(delta, 1).full().gradient();
      double[] down = moved(delta, -1).full().gradient();
      for (int k = 0; k < g.length; k++) g[k] += 0.5 * (up[k] - down[k]);
      return g;
    }

    private Solved moved(double[] delta, int sign) {
      double[] z = targets.clone();
      for (int i = 0; i < z.length; i++) z[i] += sign * delta[i];
      return with(z);
    }

    /// The mean for the targets μ + δ is μ + P diag(w) δ.
    @Override
    public double[] response(double[] delta) {
      double[] mu = prior(working);
      double[] z = mu.clone();
      for (int i = 0; i < z.length; i++) z[i] += delta[i];
      double[] f = with(z).means().clone();
      for (int i = 0; i < f.length; i++) f[i] -= mu[i];
      return f;
    }

    private Solved with(double[] others) {
      return new Solved(working, weights, others, start);
    }

    @Override
    public WarmStart next() {
      Evidence known = evidence;
      return known == null ? start : known.next();
    }
  }
}
