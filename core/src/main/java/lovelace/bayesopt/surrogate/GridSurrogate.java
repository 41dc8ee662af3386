package lovelace.bayesopt.surrogate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import lovelace.bayesopt.surrogate.Surrogate.FunctionDraw;
import lovelace.grid.Lattice;
import lovelace.lattice.LatticePosterior;
import lovelace.lattice.SampledFunction;
import lovelace.linear.Parallel;
import org.jspecify.annotations.Nullable;

/// A posterior on a lattice. Predictions cost the same for any number of observations.
///
/// A point whose mean is taken as observed changes the covariance by rank one. This needs only the
/// column `P w(x)` of P, a lattice vector that is then interpolated.
public final class GridSurrogate implements Surrogate {

  private static final int CHUNK = 2048;
  private static final int[] SCAN = {4001, 201, 41}; // places an axis

  private final LatticePosterior posterior;
  private final Lattice lattice;
  private final int d;
  private final List<double[]> believed; // rows of R, with P − RᵀR the covariance

  private GridSurrogate(LatticePosterior posterior, List<double[]> believed) {
    this.posterior = posterior;
    this.believed = believed;
    lattice = posterior.statistics().lattice();
    d = lattice.dimensions();
  }

  static GridSurrogate of(LatticePosterior posterior) {
    return new GridSurrogate(posterior, List.of());
  }

  public LatticePosterior posterior() {
    return posterior;
  }

  @Override
  public int dimensions() {
    return d;
  }

  @Override
  public double noise() {
    return posterior.noise();
  }

  @Override
  public void predict(int count, double[] points, double[] means, double[] variances) {
    Parallel.chunks(
        count,
        CHUNK,
        (chunk, from, to) -> {
          double[] out = new double[2];
          int[] index = new int[lattice.stencilSize()];
          double[] weight = new double[index.length];
          for (int i = from; i < to; i++) {
            posterior.evaluate(points, i * d, out);
            means[i] = out[0];
            variances[i] = out[1];
            if (believed.isEmpty()) continue;
            posterior.weights(points, i * d, index, weight);
            for (double[] row : believed) {
              double c = dot(index, weight, 0, row);
              variances[i] -= c * c;
            }
            variances[i] = Math.max(variances[i], posterior.floor());
          }
        });
  }

  private static double dot(int[] index, double[] weight, int at, double[] values) {
    double sum = 0;
    for (int k = 0; k < index.length; k++) sum += weight[at + k] * values[index[k]];
    return sum;
  }

  @Override
  public void gradient(double[] x, double[] out) {
    posterior.gradient(x, 0, out);
    if (!believed.isEmpty()) {
      int s = lattice.stencilSize();
      int[] index = new int[s];
      double[] weight = new double[s];
      double[] slope = new double[d * s];
      posterior.weights(x, 0, index, weight, slope);
      for (double[] row : believed) {
        double c = dot(index, weight, 0, row);
        out[1] -= c * c;
        for (int a = 0; a < d; a++) out[2 + d + a] -= 2 * c * dot(index, slope, a * s, row);
      }
    }
    if (out[1] >= posterior.floor()) return;
    out[1] = posterior.floor();
    Arrays.fill(out, 2 + d, 2 + 2 * d, 0);
  }

  @Override
  public Surrogate believing(double[] x) {
    int m = lattice.size();
    int[] index = new int[lattice.stencilSize()];
    double[] weight = new double[index.length];
    double residual = posterior.weights(x, 0, index, weight);
    double[] w = new double[m];
    for (int k = 0; k < index.length; k++) w[index[k]] += weight[k];
    double[] column = new double[m];
    posterior.covariance().apply(1, w, column);
    for (double[] row : believed) {
      double c = dot(index, weight, 0, row);
      for (int i = 0; i < m; i++) column[i] -= c * row[i];
    }
    double own = Math.max(dot(index, weight, 0, column), posterior.floor()) + residual + noise();
    double scale = 1 / Math.sqrt(own);
    for (int i = 0; i < m; i++) column[i] *= scale;
    List<double[]> more = new ArrayList<>(believed);
    more.add(column);
    return new GridSurrogate(posterior, List.copyOf(more));
  }

  /// Draws from the posterior itself. Points that are only believed in do not affect it.
  @Override
  public double[] sample(double[] points, int count, RandomGenerator random) {
    return posterior.sample(points, count, random);
  }

  @Override
  public List<FunctionDraw> functions(int count, RandomGenerator random) {
    List<FunctionDraw> draws = new ArrayList<>();
    for (SampledFunction f : posterior.sampler().functions(count, random))
      draws.add((x, gradient) -> gradient.length == 0 ? f.at(x, 0) : f.gradient(x, 0, gradient));
    return draws;
  }

  @Override
  public double @Nullable [] scan() {
    return d > SCAN.length ? null : places(d, SCAN[d - 1]);
  }

  /// The places of a regular grid over the unit cube, row-major.
  public static double[] places(int dimensions, int perAxis) {
    int count = Math.toIntExact(Math.round(Math.pow(perAxis, dimensions)));
    double[] points = new double[count * dimensions];
    int[] index = new int[dimensions];
    for (int i = 0; i < count; i++) {
      for (int a = 0; a < dimensions; a++)
        points[i * dimensions + a] = index[a] / (double) (perAxis - 1);
      for (int a = dimensions - 1; a >= 0 && ++index[a] == perAxis; a--) index[a] = 0;
    }
    return points;
  }

  @Override
  public String describe() {
    return "%s, %s".formatted(lattice, posterior.certificate());
  }
}
