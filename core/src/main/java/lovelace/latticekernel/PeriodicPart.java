package lovelace.latticekernel;

import java.util.Arrays;
import lovelace.grid.Grid;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Parameter;
import lovelace.kernel.Term;

/// A term that is periodic without end over the one axis of a grid: a periodic kernel or a cosine,
/// without other factors. It never dies out, so it cannot be embedded in a circle. But on any grid
/// it has few modes of its own, the Fourier modes of its period p: `k(τ) = Σⱼ λⱼ cos(2πjτ/p)`, so
/// that
///
/// ```
/// k(x − x′) = Σⱼ λⱼ (cos(ωⱼx) cos(ωⱼx′) + sin(ωⱼx) sin(ωⱼx′)),  ωⱼ = 2πj/p
/// ```
///
/// with `λ₀` the mean of k over a period and `λⱼ` twice that of `k(τ) cos ωⱼτ`. Places are measured
/// from the middle of the grid.
public final class PeriodicPart {

  /// The number of values in a period from which the weights are computed.
  private static final int SAMPLES = 2048;

  /// The most multiples of the frequency.
  private static final int MOST = SAMPLES / 8;

  private final Grid grid;
  private final int column;
  private final StationaryPart part;
  private final double period;
  private final int place; // of the period among the values of the term
  private final boolean fixed;

  private PeriodicPart(Grid grid, int column, StationaryPart part) {
    this.grid = grid;
    this.column = column;
    this.part = part;
    int at = 0;
    for (Parameter p : part.kernel().parameters()) {
      if (p.role() == Parameter.Role.PERIOD) {
        period = p.values()[0];
        place = at;
        fixed = p.fixed();
        return;
      }
      at += p.size();
    }
    throw new IllegalArgumentException(part.kernel() + " has no period");
  }

  /// Whether a term over the one axis of a grid is periodic without end.
  static boolean serves(Grid grid, Term term) {
    if (grid.dimensions() > 1 || term.factors().size() != 1) return false;
    Leaf leaf = term.factors().getFirst();
    return leaf.repeats() && leaf.columns().length == 1;
  }

  static PeriodicPart of(Grid grid, int[] columns, Kernel whole, Term term) {
    return new PeriodicPart(grid, columns[0], StationaryPart.of(grid, columns, whole, term));
  }

  /// p.
  public double period() {
    return period;
  }

  /// Whether learning may change the period, and with it the modes.
  public boolean moves() {
    return !fixed;
  }

  /// k(0).
  public double variance() {
    return part.variance();
  }

  /// The number of multiples of the frequency, without 0, whose weight is above the tolerance,
  /// relative to the largest; −1 if there are too many.
  public int multiples(double tolerance) {
    double[] lambda = lambda(MOST + 1);
    double heaviest = Arrays.stream(lambda).max().orElseThrow();
    int last = lambda.length - 1;
    while (last > 0 && !(Math.abs(lambda[last]) > tolerance * heaviest)) last--;
    return last > MOST ? -1 : last;
  }

  /// The number of modes of that many multiples.
  public static int modes(int multiples) {
    return 2 * multiples + 1;
  }

  /// The modes at the grid points, one after another: 1, then a cosine and a sine of every multiple
  /// of the frequency.
  public double[] vectors(int multiples) {
    int m = grid.size();
    double[] rows = new double[Math.multiplyExact(modes(multiples), m)];
    Arrays.fill(rows, 0, m, 1);
    for (int j = 1; j <= multiples; j++)
      for (int i = 0; i < m; i++) {
        double angle = angle(j, i);
        rows[(2 * j - 1) * m + i] = Math.cos(angle);
        rows[2 * j * m + i] = Math.sin(angle);
      }
    return rows;
  }

  /// The derivative of [#vectors] in the period.
  public double[] motion(int multiples) {
    int m = grid.size();
    double[] rows = new double[Math.multiplyExact(modes(multiples), m)];
    for (int j = 1; j <= multiples; j++)
      for (int i = 0; i < m; i++) {
        double angle = angle(j, i);
        double slope = -2 * Math.PI * j * place(i) / (period * period);
        rows[(2 * j - 1) * m + i] = -slope * Math.sin(angle);
        rows[2 * j * m + i] = slope * Math.cos(angle);
      }
    return rows;
  }

  private double place(int i) {
    return (i - grid.size() / 2) * grid.axis(0).step();
  }

  private double angle(int multiple, int i) {
    double turns = place(i) / period;
    return 2 * Math.PI * Math.IEEEremainder(multiple * (turns - Math.rint(turns)), 1);
  }

  /// λ, the prior variance of every mode. Negative values, due to rounding, become zero.
  public double[] weights(int multiples) {
    double[] lambda = lambda(multiples);
    double[] all = new double[modes(multiples)];
    for (int c = 0; c < all.length; c++) all[c] = Math.max(0, lambda[(c + 1) / 2]);
    return all;
  }

  private double[] lambda(int multiples) {
    int d = part.kernel().dimensions();
    double[] k = new double[SAMPLES];
    part.kernel().matrix(new double[d], 1, samples(), SAMPLES, k);
    double[] all = KernelSpectrum.spectrum(Arrays.copyOf(k, SAMPLES / 2), SAMPLES);
    double[] lambda = new double[multiples + 1];
    for (int j = 0; j <= multiples; j++) {
      // the circle holds half a period on each side; the value between the halves counts once
      double end = k[SAMPLES / 2] * (j % 2 == 0 ? 1 : -1) / SAMPLES;
      lambda[j] = (j == 0 ? 1 : 2) * (all[j] + end);
    }
    return lambda;
  }

  /// Distances over a period, as points of all input columns.
  private double[] samples() {
    int d = part.kernel().dimensions();
    double[] points = new double[SAMPLES * d];
    for (int i = 0; i < SAMPLES; i++) points[i * d + column] = i * period / SAMPLES;
    return points;
  }

  /// Adds to g `Σ slopeⱼ ∂λⱼ/∂θ` over the modes, and `byPeriod` for the period, which changes no λ.
  /// The order is that of the whole kernel's values.
  public void pullBack(double[] slope, double byPeriod, double[] g) {
    double[] weight = new double[SAMPLES];
    for (int c = 0; c < slope.length; c++) {
      int j = (c + 1) / 2;
      double scale = (j == 0 ? 1.0 : 2.0) * slope[c] / SAMPLES;
      for (int i = 0; i < SAMPLES; i++)
        weight[i] += scale * Math.cos(2 * Math.PI * ((long) j * i % SAMPLES) / SAMPLES);
    }
    Kernel kernel = part.kernel();
    double[] local = new double[kernel.parameterCount()];
    kernel.gradientSum(new double[kernel.dimensions()], 1, samples(), SAMPLES, weight, local);
    local[place] = byPeriod;
    part.place(local, g);
  }
}
