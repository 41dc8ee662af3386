package lovelace.inference;

import lovelace.budget.Budget;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.grid.Stencils;
import lovelace.linear.Blas;
import lovelace.linear.Parallel;
import lovelace.plan.Engine;

/// P of the Markov engine: exact, every variance a sum of squares.
final class MarkovCovariance implements GridCovariance {

  private static final double EPSILON = 0x1p-52;

  private final GridSystem grid;
  private final MarkovSystem system;

  MarkovCovariance(GridSystem grid, MarkovSystem system) {
    this.grid = grid;
    this.system = system;
  }

  @Override
  public int size() {
    return system.size();
  }

  @Override
  public double[] between(Stencils a, Stencils b) {
    int m = size();
    double[] out = new double[Budget.covariance(a.count(), b.count())];
    Parallel.forEach(
        a.count(),
        i -> {
          double[] w = new double[m];
          a.scatter(i, 1, w, 0);
          double[] pw = new double[m];
          system.apply(w, pw);
          for (int j = 0; j < b.count(); j++) out[i * b.count() + j] = b.dot(j, pw, 0);
        });
    return out;
  }

  @Override
  public double variance(int[] index, double[] weight) {
    return system.variance(index[0], weight);
  }

  @Override
  public StencilMatrix stencil() {
    return StencilMatrix.adopt((Grid) grid.statistics().lattice(), system.covarianceDiagonals());
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
    return 20 * EPSILON * grid.kernel().maxVariance();
  }

  @Override
  public double explained(double[] k1, double[] k2) {
    int m = size();
    double[] g1 = new double[m];
    double[] g2 = new double[m];
    double[] pg = new double[m];
    grid.statistics().gram().apply(k1, g1);
    grid.statistics().gram().apply(k2, g2);
    system.apply(g2, pg);
    double noise = grid.noise();
    return (Blas.dot(m, g1, 0, k2, 0) - Blas.dot(m, g1, 0, pg, 0) / noise) / noise;
  }

  @Override
  public double outsideFloor(double[] k) {
    double[] gk = new double[size()];
    grid.statistics().gram().apply(k, gk);
    return floor() + 16 * EPSILON * Blas.dot(k.length, k, 0, gk, 0) / grid.noise();
  }

  @Override
  public double[] cross(double[] k, Stencils inside) {
    int m = size();
    double[] g = new double[m];
    double[] pg = new double[m];
    grid.statistics().gram().apply(k, g);
    system.apply(g, pg);
    double[] out = new double[inside.count()];
    for (int p = 0; p < out.length; p++)
      out[p] = inside.dot(p, k, 0) - inside.dot(p, pg, 0) / grid.noise();
    return out;
  }

  /// Rounding counts as the variance depends on K and G: with `e = w − GPw/σ²`, `eᵀδKe` and
  /// `(Pw)ᵀδG(Pw)/σ²`.
  @Override
  public void certify(Stencils points, double[] lower, double[] upper) {
    GramRounding rounding = GramRounding.of(grid.statistics());
    int m = size();
    Parallel.forEach(
        points.count(),
        p -> {
          double[] w = new double[m];
          points.scatter(p, 1, w, 0);
          double[] pw = new double[m];
          system.apply(w, pw);
          double[] e = new double[m];
          grid.statistics().gram().apply(pw, e);
          double norm = 0;
          for (int i = 0; i < m; i++) norm += Math.abs(w[i] - e[i] / grid.noise());
          int[] index = new int[points.width()];
          double[] weight = new double[points.width()];
          points.copy(p, index, weight);
          double v = variance(index, weight);
          double error =
              floor() * Math.max(1, norm * norm)
                  + 1e-10 * v
                  + 16 * rounding.quadratic(pw, 0) / grid.noise();
          lower[p] = Math.max(0, v - error);
          upper[p] = v + error;
        });
  }

  @Override
  public double everywhere(StencilMatrix entries) {
    double least = GramRounding.least(entries);
    if (!(least > 0)) return Double.POSITIVE_INFINITY;
    double freedom =
        ((StencilMatrix) grid.statistics().gram()).dot(entries) / grid.noise() * (1 + 1e-9);
    double e = GramRounding.predictor(grid.statistics(), least, freedom, grid.noise());
    return 2
        * (floor() * Math.max(1 / least, e * e)
            + 1e-10
            + 16 * GramRounding.of(grid.statistics()).relative(entries) / grid.noise());
  }

  /// A few blocks of the state for each lattice point.
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
  public CovarianceRoot root() {
    return new Root(system);
  }

  /// A pass along the chain.
  private record Root(MarkovSystem system) implements CovarianceRoot {
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
