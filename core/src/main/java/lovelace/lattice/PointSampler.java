package lovelace.lattice;

import java.util.Locale;
import java.util.random.RandomGenerator;
import lovelace.budget.Budget;
import lovelace.linear.Parallel;
import lovelace.linear.Sobol;

/// A [Sampler] at fixed points. Immutable; safe to share between threads.
public abstract class PointSampler {

  private static final int BATCH = 256;

  private final int size;
  private final double noise;
  private final Sampling sampling;

  PointSampler(int size, double noise, Sampling sampling) {
    this.size = size;
    this.noise = noise;
    this.sampling = sampling;
  }

  /// A sampler at the same points, with the same noise and settings.
  PointSampler(PointSampler other) {
    this(other.size, other.noise, other.sampling);
  }

  /// The number of points.
  public int size() {
    return size;
  }

  /// Joint draws of f, row-major, `count × t`.
  public double[] draw(int count, RandomGenerator random) {
    double[] out = room(count);
    draw(count, random, out);
    return out;
  }

  /// Like [#draw(int, RandomGenerator)], into an array of at least `count · t` numbers.
  public void draw(int count, RandomGenerator random, double[] out) {
    checked(count);
    if (out.length < (long) count * size)
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "out must hold %d draws at %d points, %,d numbers, got %,d",
              count,
              size,
              (long) count * size,
              out.length));
    fill(normals(random), 0, count, out);
  }

  /// Joint draws of observations of weight one: f with noise that is independent between points.
  public double[] observe(int count, RandomGenerator random) {
    double[] out = room(count);
    Normals normals = normals(random);
    fill(normals, 0, count, out);
    normals.addNoise(0, count, size, Math.sqrt(noise), out);
    return out;
  }

  /// The numbers of [#observe] or [#draw], made in batches. `between` runs before each batch. If it
  /// throws, the drawing ends.
  public double[] draw(int count, boolean observed, RandomGenerator random, Runnable between) {
    double[] out = room(count);
    Normals normals = normals(random);
    int most = batch(size);
    double[] batch = count <= most ? out : new double[most * size];
    for (int first = 0; first < count; first += most) {
      between.run();
      int rows = Math.min(most, count - first);
      fill(normals, first, rows, batch);
      if (observed) normals.addNoise(first, rows, size, Math.sqrt(noise), batch);
      if (count > most) System.arraycopy(batch, 0, out, first * size, rows * size);
    }
    return out;
  }

  /// The maximum of each draw of f over the points, and its position. Draws are made in batches and
  /// not kept.
  public Maxima maxima(int count, RandomGenerator random) {
    if (size == 0) throw new IllegalArgumentException("a maximum needs at least one point");
    double[] values = new double[checked(count)];
    int[] places = new int[count];
    Normals normals = normals(random);
    int most = batch(size);
    double[] draws = new double[Math.min(most, count) * size];
    for (int first = 0; first < count; first += most) {
      int start = first;
      int rows = Math.min(most, count - first);
      fill(normals, first, rows, draws);
      Parallel.forEach(
          rows,
          i -> {
            int best = i * size;
            for (int p = best + 1; p < (i + 1) * size; p++) if (draws[p] > draws[best]) best = p;
            values[start + i] = draws[best];
            places[start + i] = best - i * size;
          });
    }
    return new Maxima(values, places, size);
  }

  /// The variance of the draws as a share of the posterior's, both summed over these points.
  public double capturedVariance() {
    return 1;
  }

  /// The number of independent normals for a draw of f.
  public abstract int normals();

  /// Writes draws first … first + count, without noise, from `out[0]` on. `first` is even.
  abstract void fill(Normals normals, int first, int count, double[] out);

  /// The normals for which quasi-random numbers are most useful.
  abstract int[] leading(int most);

  final Normals normals(RandomGenerator random) {
    return new Normals(
        random.nextLong(), sampling.quasi() ? leading(Sobol.MAX_DIMENSIONS) : new int[0]);
  }

  /// The number of draws that are made at a time.
  private static int batch(int size) {
    return Math.min(BATCH, fitting(size));
  }

  /// The number of rows of `size` numbers that one array holds. If it holds two, the number is
  /// even, so that antithetic pairs stay together.
  static int fitting(int size) {
    int fit = (Integer.MAX_VALUE - 8) / Math.max(1, size);
    return fit < 2 ? 1 : fit / 2 * 2;
  }

  private double[] room(int count) {
    return new double[Budget.draws(checked(count), size)];
  }

  private static int checked(int count) {
    if (count < 0) throw new IllegalArgumentException("count must be >= 0, got " + count);
    return count;
  }

  /// Writes the normals of draws first … first + count with their signs, from `out[0]` on, `stride`
  /// apart.
  final void latent(Normals normals, int first, int count, int stride, double[] out) {
    if (count == 0) return;
    int n = normals();
    int from = source(first);
    normals.latent(from, source(first + count - 1) + 1 - from, n, stride, out);
    if (!sampling.antithetic()) return;
    // the last first: a row comes from one that is not behind it
    for (int i = count - 1; i >= 0; i--) {
      int row = (source(first + i) - from) * stride;
      for (int j = 0; j < n; j++) out[i * stride + j] = sign(first + i) * out[row + j];
    }
  }

  /// The draw whose normals are used. With antithetic pairs, draws 2i and 2i + 1 use the same ones.
  final int source(int draw) {
    return sampling.antithetic() ? draw / 2 : draw;
  }

  final boolean antithetic() {
    return sampling.antithetic();
  }

  final double sign(int draw) {
    return sampling.antithetic() && draw % 2 == 1 ? -1 : 1;
  }

  /// The largest value of each draw over a set of points, and its position.
  public static final class Maxima {

    private final double[] values;
    private final int[] places;
    private final int points;

    Maxima(double[] values, int[] places, int points) {
      this.values = values;
      this.places = places;
      this.points = points;
    }

    /// The number of draws.
    public int count() {
      return values.length;
    }

    /// The maximum of draw i.
    public double value(int i) {
      return values[i];
    }

    /// The number, counted from 0, of the point at which draw i is largest; the first if there are
    /// several.
    public int place(int i) {
      return places[i];
    }

    /// A copy of all maxima, draw by draw.
    public double[] values() {
      return values.clone();
    }

    /// A copy of all positions, draw by draw.
    public int[] places() {
      return places.clone();
    }

    /// For every point, the share of draws that are largest there.
    public double[] probabilities() {
      double[] share = new double[points];
      for (int place : places) share[place] += 1.0 / places.length;
      return share;
    }
  }
}
