package lovelace.markov;

import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.inference.LatticeCovariance;
import lovelace.inference.LatticeProblem;
import lovelace.inference.PosteriorRoot;
import lovelace.linear.Parallel;
import lovelace.plan.Engine;
import lovelace.statistics.GramRounding;

/// P of the Markov engine. It is exact, and every variance is a sum of squares.
final class MarkovCovariance extends LatticeCovariance {

  private final MarkovSolution system;

  MarkovCovariance(LatticeProblem grid, MarkovSolution system) {
    super(grid.statistics(), grid.kernel(), grid.noise());
    this.system = system;
  }

  @Override
  public double[] variances(Stencils points) {
    double[] out = new double[points.count()];
    Parallel.chunks(
        out.length,
        256,
        (chunk, from, to) -> {
          int[] index = new int[points.width()];
          double[] weight = new double[points.width()];
          for (int p = from; p < to; p++) {
            points.copy(p, index, weight);
            out[p] = system.variance(index[0], weight);
          }
        });
    return out;
  }

  @Override
  public StencilMatrix stencil() {
    return StencilMatrix.adopt((Grid) statistics.lattice(), system.covarianceDiagonals());
  }

  @Override
  public void apply(int count, double[] v, double[] pv) {
    int m = size();
    Parallel.forEach(
        count,
        c -> {
          double[] from = new double[m];
          System.arraycopy(v, c * m, from, 0, m);
          double[] to = new double[m];
          system.apply(from, to);
          System.arraycopy(to, 0, pv, c * m, m);
        });
  }

  @Override
  public double floor() {
    return 20 * EPSILON * kernel.maxVariance();
  }

  /// The effect of rounding on a variance is that of rounding K and G. With `e = w − GPw/σ²` it is
  /// `eᵀδKe` and `(Pw)ᵀδG(Pw)/σ²`.
  @Override
  public void certify(Stencils points, double[] lower, double[] upper) {
    int m = size();
    double[] variances = variances(points);
    Parallel.forEach(
        points.count(),
        p -> {
          double[] w = new double[m];
          points.scatter(p, 1, w, 0);
          double[] pw = new double[m];
          system.apply(w, pw);
          double[] e = new double[m];
          statistics.gram().apply(pw, e);
          double norm = 0;
          for (int i = 0; i < m; i++) norm += Math.abs(w[i] - e[i] / noise);
          double error =
              floor() * Math.max(1, norm * norm)
                  + 1e-10 * variances[p]
                  + 16 * gramRounding.quadratic(pw, 0) / noise;
          lower[p] = Math.max(0, variances[p] - error);
          upper[p] = variances[p] + error;
        });
  }

  @Override
  public double everywhere(StencilMatrix entries) {
    double least = GramRounding.least(entries);
    if (!(least > 0)) return Double.POSITIVE_INFINITY;
    double freedom = ((StencilMatrix) statistics.gram()).dot(entries) / noise * (1 + 1e-9);
    double e = GramRounding.predictor(statistics, least, freedom, noise);
    return 2
        * (floor() * Math.max(1 / least, e * e)
            + 1e-10
            + 16 * gramRounding.relative(entries) / noise);
  }

  /// The size of a few blocks of the state for each lattice point.
  @Override
  public long bytes() {
    return 8L * 32 * size();
  }

  @Override
  public Engine engine() {
    return Engine.MARKOV;
  }

  @Override
  public String describe() {
    return "markov, exact";
  }

  @Override
  public PosteriorRoot root() {
    return new Root(system);
  }

  /// Draws by a pass along the chain.
  private record Root(MarkovSolution system) implements PosteriorRoot {
    @Override
    public int size() {
      return system.size();
    }

    @Override
    public int normals() {
      return system.normals();
    }

    @Override
    public void apply(int count, double[] xi, double[] u) {
      Parallel.forEach(count, c -> system.draw(xi, c * normals(), u, c * size()));
    }

    @Override
    public String describe() {
      return "markov, exact";
    }
  }
}
