package lovelace.experiments;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import lovelace.data.Column;
import lovelace.kernel.Kernel;
import lovelace.linear.Fft;
import lovelace.linear.Parallel;
import lovelace.source.Source;

/// Rows that are made on the fly: uniform places in the unit box, and the value of one function
/// with noise at each. The function is a draw of a Gaussian process of variance 1. It is kept as a
/// table and is linear between its nodes, so a row takes nanoseconds. The same seed gives the same
/// rows in the same order, with any number of threads.
public final class DrawnRows implements Source {

  private static final int CHUNK = 1 << 13;
  private static final int CHUNKS = 128; // made at the same time

  private final int dimensions;
  private final long rows;
  private final double noise;
  private final long seed;
  private final int cells;
  private final float[] table; // (cells + 1)^d values

  private DrawnRows(int dimensions, long rows, double noise, long seed, int cells, float[] table) {
    this.dimensions = dimensions;
    this.rows = rows;
    this.noise = noise;
    this.seed = seed;
    this.cells = cells;
    this.table = table;
  }

  /// Makes rows from a draw with a stationary kernel.
  ///
  /// @param noise its standard deviation
  /// @param cells of the table along each axis
  public static DrawnRows of(Kernel kernel, long rows, double noise, int cells, long seed) {
    int d = kernel.dimensions();
    if (d < 2 || d > 3)
      throw new IllegalArgumentException("rows are drawn in two or three dimensions, got " + d);
    return new DrawnRows(d, rows, noise, seed, cells, draw(kernel, cells, seed));
  }

  /// The same function with another number of rows.
  public DrawnRows withRows(long count) {
    return new DrawnRows(dimensions, count, noise, seed, cells, table);
  }

  /// A draw on a torus with twice the side of the box, by the kernel's spectrum on it.
  private static float[] draw(Kernel kernel, int cells, long seed) {
    int d = kernel.dimensions();
    int n = 2 * cells;
    int[] lengths = new int[d];
    Arrays.fill(lengths, n);
    Fft fft = Fft.of(lengths);
    double[] values = new double[fft.size()];
    Parallel.chunks(
        fft.size() / n,
        64,
        (index, from, to) -> {
          double[] origin = new double[d];
          double[] line = new double[n * d];
          double[] k = new double[n];
          for (int r = from; r < to; r++) {
            for (int i = 0; i < n; i++)
              for (int a = d - 1, rest = r * n + i; a >= 0; a--, rest /= n)
                line[i * d + a] = Math.min(rest % n, n - rest % n) / (double) cells;
            kernel.matrix(origin, 1, line, n, k);
            System.arraycopy(k, 0, values, r * n, n);
          }
        });
    double[] spectrum = new double[fft.spectrumSize()];
    fft.forward(values, spectrum);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < values.length; i++) values[i] = random.nextGaussian();
    double[] white = new double[fft.spectrumSize()];
    fft.forward(values, white);
    for (int i = 0; i < white.length; i += 2) {
      double root = Math.sqrt(Math.max(0, spectrum[i]));
      white[i] *= root;
      white[i + 1] *= root;
    }
    fft.inverse(white, values);
    int side = cells + 1;
    int size = 1;
    for (int a = 0; a < d; a++) size *= side;
    float[] table = new float[size];
    for (int i = 0; i < size; i++) {
      int from = 0;
      for (int a = d - 1, rest = i, stride = 1; a >= 0; a--, rest /= side, stride *= n)
        from += rest % side * stride;
      table[i] = (float) values[from];
    }
    return table;
  }

  /// The function at the place in the unit box whose coordinates start at `x[xo]`.
  public double value(double[] x, int xo) {
    if (dimensions == 2) return plane(x[xo] * cells, x[xo + 1] * cells, 0);
    int i = Math.min(cells - 1, (int) (x[xo] * cells));
    double t = x[xo] * cells - i;
    int layer = (cells + 1) * (cells + 1);
    double b = x[xo + 1] * cells;
    double c = x[xo + 2] * cells;
    return (1 - t) * plane(b, c, i * layer) + t * plane(b, c, (i + 1) * layer);
  }

  /// Interpolates linearly along two axes, in a layer of the table.
  private double plane(double a, double b, int layer) {
    int i = Math.min(cells - 1, (int) a);
    int j = Math.min(cells - 1, (int) b);
    double s = a - i;
    double t = b - j;
    int at = layer + i * (cells + 1) + j;
    int next = at + cells + 1;
    return (1 - s) * ((1 - t) * table[at] + t * table[at + 1])
        + s * ((1 - t) * table[next] + t * table[next + 1]);
  }

  @Override
  public List<Column> columns() {
    return List.of(Column.of("a"), Column.of("b"), Column.of("c")).subList(0, dimensions);
  }

  @Override
  public Column target() {
    return Column.of("y");
  }

  /// The number of rows.
  public long count() {
    return rows;
  }

  @Override
  public Optional<Overview> overview(int count, long seed) {
    double[] x = new double[count * dimensions];
    double[] y = new double[count];
    fill(new SplittableRandom(~seed), 0, count, x, y);
    double[] high = new double[dimensions];
    Arrays.fill(high, 1);
    return Optional.of(new Overview(new double[dimensions], high, x, y, Optional.empty(), rows));
  }

  /// Makes many rows in parallel. Each chunk of them has a seed of its own.
  @Override
  public void read(Sink sink) {
    double[] x = new double[CHUNKS * CHUNK * dimensions];
    double[] y = new double[CHUNKS * CHUNK];
    for (long done = 0; done < rows; done += y.length) {
      long from = done;
      int count = (int) Math.min(y.length, rows - done);
      Parallel.chunks(
          count,
          CHUNK,
          (index, low, high) ->
              fill(new SplittableRandom(seed + 1 + from / CHUNK + index), low, high, x, y));
      sink.accept(count, x, y, Optional.empty());
    }
  }

  /// Makes rows `low` to `high`. The noise is a sum of four uniforms, which is cheaper than a
  /// Gaussian.
  private void fill(SplittableRandom random, int low, int high, double[] x, double[] y) {
    for (int i = low; i < high; i++) {
      for (int a = 0; a < dimensions; a++) x[i * dimensions + a] = random.nextDouble();
      long bits = random.nextLong();
      double sum = 0;
      for (int k = 0; k < 4; k++) sum += (bits >>> (16 * k)) & 0xffff;
      y[i] = value(x, i * dimensions) + noise * Math.sqrt(3) * (sum / 65535 - 2);
    }
  }
}
