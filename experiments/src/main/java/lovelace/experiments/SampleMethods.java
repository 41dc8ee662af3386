package lovelace.experiments;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import lovelace.data.Dataset;
import lovelace.engines.Engines;
import lovelace.exact.ExactGp;
import lovelace.experiments.baseline.FourierGp;
import lovelace.experiments.baseline.InducingPoints;
import lovelace.experiments.baseline.Sgpr;
import lovelace.grid.Lattice;
import lovelace.inference.LatticeDistribution;
import lovelace.inference.LatticeProblem;
import lovelace.kernel.Hyperparameters;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.PointSampler;
import lovelace.lattice.Sampling;
import lovelace.love.Love;
import lovelace.posterior.internal.JointNormal;
import lovelace.statistics.Statistics;

/// Joint samples of one model by every method, in three steps: the work that depends only on the
/// data, the work for the points, and the draws.
public final class SampleMethods {

  private static final double TOLERANCE = 0.01;

  /// The result of the first step, which does not depend on the points.
  @FunctionalInterface
  public interface Conditioning {
    /// Prepares for points, row-major.
    Drawing at(double[] points);
  }

  /// Draws at fixed points.
  @FunctionalInterface
  public interface Drawing {
    /// Writes `count` draws, row-major.
    void draw(int count, RandomGenerator random, double[] out);
  }

  private final Lattice lattice;
  private final Dataset data;
  private final Hyperparameters h;

  public SampleMethods(Lattice lattice, Dataset data, Hyperparameters h) {
    this.lattice = lattice;
    this.data = data;
    this.h = h;
  }

  private Statistics statistics() {
    return Statistics.of(lattice, data.inputs(), data.target(), null);
  }

  /// A sampler on the lattice that uses LOVE's caches.
  public Conditioning onLattice(Sampling sampling) {
    return sampler(
        LatticePosterior.love(LatticeProblem.of(statistics(), h), Love.DEFAULT), sampling);
  }

  /// The default posterior's default sampler.
  public Conditioning byDefault() {
    LatticeDistribution found = Engines.cheapest(statistics(), h, 1).posterior(h, TOLERANCE);
    return sampler(LatticePosterior.of(found, TOLERANCE), Sampling.DEFAULT);
  }

  private static Conditioning sampler(LatticePosterior posterior, Sampling sampling) {
    var sampler = posterior.sampler(sampling);
    return points -> {
      PointSampler at = sampler.at(points);
      return at::draw;
    };
  }

  /// The exact process, which draws by the Cholesky factor of its covariance at the points.
  public Conditioning exact() {
    ExactGp gp = ExactGp.of(data, h);
    return points -> joint(gp.joint(points));
  }

  /// SGPR with inducing points from a pivoted Cholesky factorisation. It also draws by Cholesky.
  public Conditioning sgpr(int inducing) {
    double[] z = InducingPoints.pivotedCholesky(data, h.kernel(), Math.min(inducing, data.size()));
    Sgpr gp = Sgpr.of(data, h, z);
    return points -> joint(gp.joint(points));
  }

  private static Drawing joint(JointNormal normal) {
    return (count, random, out) -> {
      double[] made = normal.draw(count, random);
      System.arraycopy(made, 0, out, 0, made.length);
    };
  }

  /// Bayesian linear regression on random Fourier features.
  public Conditioning fourier(int features, long seed) {
    FourierGp gp = FourierGp.of(data, h, features, new SplittableRandom(seed));
    return points ->
        (count, random, out) -> {
          double[] made = gp.sample(points, count, random);
          System.arraycopy(made, 0, out, 0, made.length);
        };
  }
}
