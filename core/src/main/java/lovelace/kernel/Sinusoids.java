package lovelace.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Finds the strongest frequencies of a target over one or several columns, by orthogonal matching
/// pursuit. A constant and a plane are removed first. Then the peak of the periodogram of the
/// remainder is added to the frequencies, again and again. After each step all frequencies are
/// fitted together by least squares, so that a strong one does not leak into the next. With several
/// columns a frequency is a vector and stands for the product of cosines, `Πᵢ cos(2πfᵢxᵢ + φᵢ)`.
///
/// More than about 1,000 observations are first averaged in about 1,000 boxes. Candidates lie
/// between one cycle over the range and the mean Nyquist frequency. They are a quarter of a cycle
/// apart for one column, and half a cycle for several.
final class Sinusoids {

  private static final int BOXES = 1000;

  private final int d;
  private final double[] x; // row-major, from the lowest value, in units of the range
  private final double[] y;
  private final double[] range;
  private final int oversampling;
  private final int[] steps; // candidates per column: multiples 0 … steps of 1/oversampling cycle
  private final List<double[]> basis = new ArrayList<>();
  private final List<double[]> found = new ArrayList<>();
  private final List<Double> powers = new ArrayList<>();
  private double left;

  /// The `count` strongest frequencies, strongest first; fewer if nothing is left to explain.
  static Sinusoids of(double[] inputs, int width, int[] columns, double[] target, int count) {
    Sinusoids s = new Sinusoids(inputs, width, columns, target);
    s.pursue(count);
    return s;
  }

  private Sinusoids(double[] inputs, int width, int[] columns, double[] target) {
    d = columns.length;
    int n = target.length;
    double[] low = new double[d];
    range = new double[d];
    for (int a = 0; a < d; a++) {
      int column = columns[a];
      double[] values =
          IntStream.range(0, n).mapToDouble(i -> inputs[i * width + column]).toArray();
      low[a] = Arrays.stream(values).min().orElse(0);
      double reach = Arrays.stream(values).max().orElse(0) - low[a];
      range[a] = reach > 0 ? reach : 1;
    }
    double[] scaled = new double[n * d];
    for (int i = 0; i < n; i++)
      for (int a = 0; a < d; a++)
        scaled[i * d + a] = (inputs[i * width + columns[a]] - low[a]) / range[a];
    int perAxis = (int) Math.round(Math.pow(BOXES, 1.0 / d));
    Boxes boxes = n > BOXES ? Boxes.of(scaled, d, target, perAxis) : new Boxes(scaled, target);
    x = boxes.x;
    y = boxes.y;
    oversampling = d == 1 ? 4 : 2;
    steps = new int[d];
    for (int a = 0; a < d; a++) {
      int axis = a;
      int distinct =
          (int) IntStream.range(0, y.length).mapToDouble(i -> x[i * d + axis]).distinct().count();
      double most = d == 1 ? distinct - 1 : 1.5 * Math.pow(y.length, 1.0 / d);
      steps[a] = (int) (oversampling * Math.min(most, distinct - 1) / 2);
    }
    residual();
  }

  /// The number of frequencies found.
  int count() {
    return found.size();
  }

  /// A frequency, in cycles per unit of each column.
  double[] frequency(int q) {
    double[] f = new double[d];
    for (int a = 0; a < d; a++) f[a] = found.get(q)[a] / range[a];
    return f;
  }

  /// The variance that a frequency explains in addition to those before it.
  double power(int q) {
    return powers.get(q);
  }

  /// The variance that no frequency explains.
  double left() {
    return left;
  }

  /// Subtracts the constant and the plane from y.
  private void residual() {
    double[] one = new double[y.length];
    Arrays.fill(one, 1);
    remove(one);
    for (int a = 0; a < d; a++) {
      double[] column = new double[y.length];
      for (int i = 0; i < column.length; i++) column[i] = x[i * d + a];
      remove(column);
    }
    left = variance();
  }

  private double variance() {
    double sum = 0;
    for (double e : y) sum += e * e;
    return sum / y.length;
  }

  /// Makes `column` orthogonal to the basis, twice for accuracy. Adds it to the basis and projects
  /// y.
  private void remove(double[] column) {
    double before = Math.sqrt(dot(column, column));
    for (int pass = 0; pass < 2; pass++)
      for (double[] b : basis) {
        double c = dot(b, column);
        for (int i = 0; i < column.length; i++) column[i] -= c * b[i];
      }
    double norm = Math.sqrt(dot(column, column));
    if (!(norm > 1e-8 * before)) return;
    for (int i = 0; i < column.length; i++) column[i] /= norm;
    basis.add(column);
    double c = dot(column, y);
    for (int i = 0; i < y.length; i++) y[i] -= c * column[i];
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
    return sum;
  }

  private void pursue(int count) {
    double floor = 1e-12 * left;
    int total = 1;
    for (int k : steps) total *= k + 1;
    boolean[] taken = new boolean[total];
    for (int c = 0; c < total; c++) {
      int most = 0;
      for (int k : index(c)) most = Math.max(most, k);
      taken[c] = most < oversampling;
    }
    while (found.size() < count && left > floor && basis.size() < y.length) {
      double[] power = periodogram(total);
      int best = -1;
      for (int c = 0; c < total; c++)
        if (!taken[c] && (best < 0 || power[c] > power[best])) best = c;
      if (best < 0) return;
      int[] peak = index(best);
      double[] cycles = new double[d];
      for (int a = 0; a < d; a++) cycles[a] = (double) peak[a] / oversampling;
      for (int signs = 0; signs < 1 << (d - 1); signs++) {
        remove(wave(cycles, signs, 0));
        remove(wave(cycles, signs, 0.25));
      }
      double before = left;
      left = variance();
      found.add(cycles);
      powers.add(Math.max(0, before - left));
      for (int c = 0; c < total; c++) taken[c] |= near(index(c), peak);
    }
  }

  /// Whether two candidates are less than half a cycle apart in every column.
  private boolean near(int[] a, int[] b) {
    for (int i = 0; i < d; i++) if (2 * Math.abs(a[i] - b[i]) >= oversampling) return false;
    return true;
  }

  private int[] index(int candidate) {
    int[] k = new int[d];
    int rest = candidate;
    for (int a = d - 1; a >= 0; a--) {
      k[a] = rest % (steps[a] + 1);
      rest /= steps[a] + 1;
    }
    return k;
  }

  /// `cos 2π(Σ ±fᵢxᵢ − shift)`. Bit a − 1 of `signs` changes the sign of column a.
  private double[] wave(double[] cycles, int signs, double shift) {
    double[] wave = new double[y.length];
    for (int i = 0; i < wave.length; i++) {
      double phase = -shift;
      for (int a = 0; a < d; a++) phase += (turned(signs, a) ? -1 : 1) * cycles[a] * x[i * d + a];
      wave[i] = Math.cos(2 * Math.PI * phase);
    }
    return wave;
  }

  private static boolean turned(int signs, int axis) {
    return axis > 0 && (signs >> (axis - 1) & 1) != 0;
  }

  /// The periodogram `Σ_± |Σ yᵢ e^{2πi f·xᵢ}|²` of the remainder, summed over the signs of the
  /// columns after the first.
  private double[] periodogram(int total) {
    double[] power = new double[total];
    for (int signs = 0; signs < 1 << (d - 1); signs++) {
      double[] re = new double[total];
      double[] im = new double[total];
      double[] wr = new double[total];
      double[] wi = new double[total];
      for (int i = 0; i < y.length; i++) {
        waves(i, signs, wr, wi);
        for (int c = 0; c < total; c++) {
          re[c] += wr[c];
          im[c] += wi[c];
        }
      }
      for (int c = 0; c < total; c++) power[c] += re[c] * re[c] + im[c] * im[c];
    }
    return power;
  }

  /// Writes `yᵢ e^{2πi f·xᵢ}` for all candidates, by rotation along one axis after another.
  private void waves(int i, int signs, double[] wr, double[] wi) {
    wr[0] = y[i];
    wi[0] = 0;
    int filled = 1;
    for (int a = d - 1; a >= 0; a--) {
      double angle = 2 * Math.PI * x[i * d + a] / oversampling * (turned(signs, a) ? -1 : 1);
      double cos = Math.cos(angle);
      double sin = Math.sin(angle);
      int end = filled * (steps[a] + 1);
      for (int c = filled; c < end; c++) {
        wr[c] = wr[c - filled] * cos - wi[c - filled] * sin;
        wi[c] = wr[c - filled] * sin + wi[c - filled] * cos;
      }
      filled = end;
    }
  }

  /// Points in the unit cube and their targets, averaged box by box.
  private static final class Boxes {
    final double[] x;
    final double[] y;

    /// Keeps x and copies y.
    Boxes(double[] x, double[] y) {
      this.x = x;
      this.y = y.clone();
    }

    static Boxes of(double[] x, int d, double[] y, int perAxis) {
      int total = 1;
      for (int a = 0; a < d; a++) total *= perAxis;
      double[] count = new double[total];
      double[] sums = new double[total * (d + 1)];
      for (int i = 0; i < y.length; i++) {
        int box = 0;
        for (int a = 0; a < d; a++)
          box = box * perAxis + Math.min(perAxis - 1, (int) (x[i * d + a] * perAxis));
        count[box]++;
        for (int a = 0; a < d; a++) sums[box * (d + 1) + a] += x[i * d + a];
        sums[box * (d + 1) + d] += y[i];
      }
      int[] full = IntStream.range(0, total).filter(b -> count[b] > 0).toArray();
      double[] bx = new double[full.length * d];
      double[] by = new double[full.length];
      for (int b = 0; b < full.length; b++) {
        for (int a = 0; a < d; a++) bx[b * d + a] = sums[full[b] * (d + 1) + a] / count[full[b]];
        by[b] = sums[full[b] * (d + 1) + d] / count[full[b]];
      }
      return new Boxes(bx, by);
    }
  }
}
