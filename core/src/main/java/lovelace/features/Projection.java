package lovelace.features;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import lovelace.budget.Budget;
import lovelace.budget.Budget.TimeUpException;
import lovelace.data.Dataset;
import lovelace.data.LinearMap;
import lovelace.grid.Axis;
import lovelace.grid.Grid;
import lovelace.kernel.Hyperparameters;
import lovelace.kernel.Parameter;
import lovelace.learning.MultiStart;
import lovelace.linear.Blas;
import lovelace.linear.Cholesky;
import lovelace.optimize.Optimizer;
import lovelace.optimize.Optimizer.Optimum;
import lovelace.optimize.Optimizer.Progress;
import org.jspecify.annotations.Nullable;

/// Learns a linear projection of many columns to two features, `z = A(x − c)`, together with the
/// kernel's parameters, noise and mean. It maximises the marginal likelihood of the features
/// ([FeatureEvidence]).
///
/// Columns are standardised, and every row of A has length one. So the scale is left to the
/// lengthscales, every feature is bounded by `‖x‖`, and one grid covers every possible A. It starts
/// from the direction of least squares, from principal Hessian directions (Li 1992) and from random
/// ones. It follows each for a few steps, and the best one to the end.
public final class Projection {

  /// The number of features.
  public static final int FEATURES = 2;

  private static final int POINTS = 40;
  private static final double TOLERANCE = 1e-5; // directions need no finer modes
  private static final int SCOUTING = 8;
  private static final double FAR = 4; // rows farther than this many median lengths are not used

  private final LinearMap map;
  private final Hyperparameters hyperparameters;
  private final double[] directions;
  private final boolean timeUp;

  private Projection(
      LinearMap map, Hyperparameters hyperparameters, double[] directions, boolean timeUp) {
    this.map = map;
    this.hyperparameters = hyperparameters;
    this.directions = directions;
    this.timeUp = timeUp;
  }

  /// The projection of the table's columns.
  public LinearMap map() {
    return map;
  }

  /// The hyperparameters over the features, learned together with the projection.
  public Hyperparameters hyperparameters() {
    return hyperparameters;
  }

  /// The weight of a standardised column in a feature.
  public double direction(int feature, int column) {
    return directions[feature * map.inputs() + column];
  }

  /// Whether learning stopped because its time was up. Directions are then the best so far, or
  /// those that it would have started from.
  public boolean timeUp() {
    return timeUp;
  }

  /// Learns from some rows, which represent all rows.
  ///
  /// @param unset hyperparameters over [#FEATURES] columns; unset values start from the features
  /// @param known a projection to start from, or null
  /// @param starts the number of random directions to try, in addition to those that the data
  ///   suggest
  /// @param share the share of the remaining time that learning may take
  public static Projection learn(
      Dataset rows,
      Hyperparameters unset,
      @Nullable LinearMap known,
      Optimizer optimizer,
      int starts,
      long seed,
      double share,
      Progress progress) {
    Problem problem = new Problem(rows, seed);
    List<double[]> directions =
        known == null
            ? problem.suggested(starts, new SplittableRandom(seed))
            : List.of(problem.directions(known));
    Hyperparameters form = problem.bounded(problem.filled(unset, directions.getFirst()));
    int p = form.freeSize();
    int size = problem.d * FEATURES;
    double[] lower = new double[p + size];
    double[] upper = new double[p + size];
    Arrays.fill(lower, Double.NEGATIVE_INFINITY);
    Arrays.fill(upper, Double.POSITIVE_INFINITY);
    System.arraycopy(form.freeLower(), 0, lower, 0, p);
    System.arraycopy(form.freeUpper(), 0, upper, 0, p);
    List<double[]> all = new ArrayList<>();
    for (double[] a : directions) {
      double[] x = Arrays.copyOf(problem.filled(unset, a).toFree(), p + size);
      for (int i = 0; i < p; i++) x[i] = Math.clamp(x[i], lower[i], upper[i]);
      System.arraycopy(a, 0, x, p, size);
      all.add(x);
    }
    double[] end;
    boolean timeUp;
    try {
      Optimum best =
          Budget.current()
              .share(share)
              .call(
                  () ->
                      MultiStart.race(
                              optimizer,
                              (x, gradient) -> problem.objective(form, x, gradient),
                              all,
                              lower,
                              upper,
                              SCOUTING,
                              1,
                              progress)
                          .best());
      if (!Double.isFinite(best.value()))
        throw new ArithmeticException(
            "no projection could be learned, the marginal likelihood is not finite; use an additive model");
      end = best.x();
      timeUp = best.timeUp();
    } catch (TimeUpException e) {
      end = all.getFirst();
      timeUp = true;
    }
    double[] found = problem.unit(Arrays.copyOfRange(end, p, p + size));
    Hyperparameters h = form.fromFree(Arrays.copyOf(end, p));
    return new Projection(problem.map(found), unset.with(h.values()), found, timeUp);
  }

  /// The rows, standardised, and the grid that covers every projection of them.
  private static final class Problem {
    final int n;
    final int d;
    final double[] x;
    final double[] y;
    final double @Nullable [] weights;
    final double[] centre;
    final double[] scale;
    final Grid grid;
    final long seed;

    Problem(Dataset all, long seed) {
      this.seed = seed;
      d = all.dimensions();
      centre = new double[d];
      scale = new double[d];
      standardise(all);
      Dataset rows = near(all);
      n = rows.size();
      y = rows.target();
      weights = rows.weighted() ? rows.weights() : null;
      x = new double[n * d];
      double longest = 0;
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < d; j++) x[i * d + j] = standard(rows.inputs()[i * d + j], j);
        longest = Math.max(longest, Blas.nrm2(d, x, i * d));
      }
      double reach = 1.001 * Math.max(longest, 1);
      Axis axis = Axis.covering(-reach, reach, POINTS);
      Axis[] axes = new Axis[FEATURES];
      Arrays.fill(axes, axis);
      grid = Grid.of(axes);
    }

    private void standardise(Dataset all) {
      int count = all.size();
      for (int j = 0; j < d; j++) {
        double sum = 0;
        for (int i = 0; i < count; i++) sum += all.inputs()[i * d + j];
        centre[j] = sum / count;
        double squares = 0;
        for (int i = 0; i < count; i++) squares += Math.pow(all.inputs()[i * d + j] - centre[j], 2);
        scale[j] = Math.sqrt(squares / count);
      }
    }

    /// Standardises a value. A constant column becomes 0.
    private double standard(double value, int column) {
      return scale[column] > 0 ? (value - centre[column]) / scale[column] : 0;
    }

    private Dataset near(Dataset all) {
      double[] lengths = new double[all.size()];
      for (int i = 0; i < lengths.length; i++) {
        double sum = 0;
        for (int j = 0; j < d; j++) sum += Math.pow(standard(all.inputs()[i * d + j], j), 2);
        lengths[i] = Math.sqrt(sum);
      }
      double[] sorted = lengths.clone();
      Arrays.sort(sorted);
      double most = FAR * sorted[sorted.length / 2];
      int[] kept = IntStream.range(0, lengths.length).filter(i -> lengths[i] <= most).toArray();
      return kept.length == lengths.length ? all : all.select(kept);
    }

    /// Scales rows to length one.
    double[] unit(double[] a) {
      double[] unit = a.clone();
      for (int f = 0; f < FEATURES; f++) {
        double length = Blas.nrm2(d, a, f * d);
        for (int j = 0; j < d; j++) unit[f * d + j] /= length;
      }
      return unit;
    }

    double[] features(double[] unit) {
      double[] z = new double[n * FEATURES];
      Blas.gemm(false, true, n, FEATURES, d, 1, x, 0, d, unit, 0, d, 0, z, 0, FEATURES);
      return z;
    }

    LinearMap map(double[] unit) {
      double[] matrix = unit.clone();
      for (int f = 0; f < FEATURES; f++)
        for (int j = 0; j < d; j++)
          matrix[f * d + j] = scale[j] > 0 ? matrix[f * d + j] / scale[j] : 0;
      return LinearMap.of(matrix, centre);
    }

    /// The rows of a known projection, for standardised columns.
    double[] directions(LinearMap known) {
      double[] a = new double[FEATURES * d];
      for (int f = 0; f < FEATURES; f++)
        for (int j = 0; j < d; j++) a[f * d + j] = known.weight(f, j) * scale[j];
      return unit(a);
    }

    Hyperparameters filled(Hyperparameters unset, double[] a) {
      return unset.fill(features(unit(a)), y);
    }

    /// Bounds lengthscales below at what the grid resolves.
    Hyperparameters bounded(Hyperparameters h) {
      Hyperparameters bounded = h;
      double least = 2 * grid.axis(0).step();
      for (Parameter p : h.parameters())
        if (p.role() == Parameter.Role.LENGTHSCALE && !p.fixed() && p.lower() < least) {
          double[] values = p.values();
          for (int i = 0; i < values.length; i++) values[i] = Math.max(values[i], least);
          bounded = bounded.set(p.path(), values);
          bounded = bounded.withBounds(p.path(), least, Math.max(p.upper(), 10 * least));
        }
      return bounded;
    }

    /// Minus the log posterior density, with its gradient in free parameters and in A.
    double objective(Hyperparameters form, double[] at, double[] gradient) {
      Budget.check();
      int p = form.freeSize();
      Hyperparameters h = form.fromFree(Arrays.copyOf(at, p));
      double[] a = Arrays.copyOfRange(at, p, at.length);
      double[] unit = unit(a);
      FeatureEvidence found;
      try {
        found = FeatureEvidence.of(grid, features(unit), y, weights, h, TOLERANCE, seed);
      } catch (ArithmeticException notPositiveDefinite) {
        return Double.POSITIVE_INFINITY;
      }
      double value = found.evidence().objective(h, gradient);
      if (value == Double.POSITIVE_INFINITY) return value;
      double[] g = new double[FEATURES * d]; // for unit rows: Σᵢ ∂L/∂zᵢ xᵢᵀ
      Blas.gemm(
          true,
          false,
          FEATURES,
          d,
          n,
          1,
          found.featureGradient(),
          0,
          FEATURES,
          x,
          0,
          d,
          0,
          g,
          0,
          d);
      for (int f = 0; f < FEATURES; f++) {
        double along = Blas.dot(d, g, f * d, unit, f * d);
        double length = Blas.nrm2(d, a, f * d);
        for (int j = 0; j < d; j++)
          gradient[p + f * d + j] = -(g[f * d + j] - along * unit[f * d + j]) / length;
      }
      return value;
    }

    /// Pairs of directions that the data suggest, then random pairs.
    List<double[]> suggested(int random, SplittableRandom source) {
      List<double[]> pairs = new ArrayList<>();
      double[] line = leastSquares();
      double[][] bends = bends(line);
      pairs.add(pair(line, bends[0]));
      if (d > 1) pairs.add(pair(bends[0], bends[1]));
      for (int r = 0; r < random; r++) {
        double[] a = new double[d];
        double[] b = new double[d];
        for (int j = 0; j < d; j++) {
          a[j] = source.nextGaussian();
          b[j] = source.nextGaussian();
        }
        pairs.add(pair(a, b));
      }
      return pairs;
    }

    private double[] pair(double[] a, double[] b) {
      double[] both = new double[2 * d];
      System.arraycopy(a, 0, both, 0, d);
      System.arraycopy(b, 0, both, d, d);
      return unit(both);
    }

    /// The slopes of the least-squares plane, with a little ridge.
    private double[] leastSquares() {
      double[] gram = new double[d * d];
      Blas.syrk(true, d, n, 1, x, 0, d, 0, gram, 0, d);
      for (int j = 0; j < d; j++) gram[j * d + j] += 1e-3 * n;
      double[] slopes = new double[d];
      double mean = Arrays.stream(y).average().orElse(0);
      for (int i = 0; i < n; i++) Blas.axpy(d, y[i] - mean, x, i * d, slopes, 0);
      Cholesky.of(gram, d).solve(slopes);
      if (!(Blas.nrm2(d, slopes, 0) > 0)) Arrays.fill(slopes, 1);
      return slopes;
    }

    /// The two directions in which the residuals of the line bend most: eigenvectors of `Σ
    /// rᵢxᵢxᵢᵀ`.
    private double[][] bends(double[] line) {
      double mean = Arrays.stream(y).average().orElse(0);
      double[] bent = new double[d * d];
      double[] scaled = new double[n * d];
      for (int i = 0; i < n; i++) {
        double rest = y[i] - mean - Blas.dot(d, line, 0, x, i * d);
        Blas.axpy(d, rest, x, i * d, scaled, i * d);
      }
      Blas.gemm(true, false, d, d, n, 1, scaled, 0, d, x, 0, d, 0, bent, 0, d);
      double[] values = new double[d];
      Blas.eigen(d, bent, values);
      Integer[] order = IntStream.range(0, d).boxed().toArray(Integer[]::new);
      Arrays.sort(order, Comparator.comparingDouble(i -> -Math.abs(values[i])));
      double[][] found = new double[2][];
      for (int f = 0; f < 2; f++) {
        int e = order[Math.min(f, d - 1)];
        found[f] = Arrays.copyOfRange(bent, e * d, (e + 1) * d);
      }
      return found;
    }
  }
}
