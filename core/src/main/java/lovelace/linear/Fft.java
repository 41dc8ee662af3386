package lovelace.linear;

import java.util.Arrays;
import org.jtransforms.fft.DoubleFFT_1D;
import org.visnow.jlargearrays.ConcurrencyUtils;

/// Real discrete Fourier transforms in one to four dimensions, `F[k] = Σₓ f[x] exp(−2πi Σⱼ
/// kⱼxⱼ/nⱼ)`, over row-major arrays (the last axis runs fastest). Immutable; safe to share between
/// threads.
///
/// A spectrum keeps the half that determines the rest: shape n₁ × … × (n_d/2 + 1), with the real
/// and imaginary part of each entry next to each other. An array may fill only a corner box of the
/// transform; the rest counts as zero. Lines that are known to be zero, or that nobody asks for,
/// are not transformed. Large transforms run on several threads through [Parallel].
public final class Fft {

  private static final int LINES = 8; // columns gathered together: one cache line of their rows
  private static final int WORK = 1 << 14; // numbers per parallel piece

  static {
    ConcurrencyUtils.setNumberOfThreads(1); // JTransforms then starts no thread of its own
  }

  private final int[] lengths;
  private final DoubleFFT_1D[] plans;
  private final int rows;
  private final int half;

  private Fft(int[] lengths) {
    this.lengths = lengths;
    int d = lengths.length;
    if (d < 1 || d > 4)
      throw new IllegalArgumentException("a transform must have 1 to 4 axes, got " + d);
    long total = 1;
    for (int n : lengths) {
      if (n < 1) throw new IllegalArgumentException("length must be ≥ 1, got " + n);
      total *= n;
      if (total > 1 << 29)
        throw new IllegalArgumentException(
            "transform " + Arrays.toString(lengths) + " is too large: at most 2²⁹ points");
    }
    half = lengths[d - 1] / 2 + 1;
    rows = (int) (total / lengths[d - 1]);
    plans = new DoubleFFT_1D[d];
    for (int j = 0; j < d; j++) plans[j] = new DoubleFFT_1D(lengths[j]);
  }

  /// A transform of these lengths. It is fastest if their prime factors are 2, 3 and 5 ([#smooth]).
  public static Fft of(int... lengths) {
    return new Fft(lengths.clone());
  }

  /// The smallest number ≥ n with no prime factor above 5.
  public static int smooth(int n) {
    for (int s = Math.max(n, 1); ; s++) {
      int rest = s;
      for (int p : new int[] {2, 3, 5}) while (rest % p == 0) rest /= p;
      if (rest == 1) return s;
    }
  }

  /// The lengths of the axes, as a new array.
  public int[] lengths() {
    return lengths.clone();
  }

  /// The number of points of a whole array.
  public int size() {
    return rows * lengths[lengths.length - 1];
  }

  /// The length of an array that holds a spectrum: two numbers for each entry.
  public int spectrumSize() {
    return 2 * rows * half;
  }

  /// `spectrum ← F x` for a whole array.
  public void forward(double[] x, double[] spectrum) {
    forward(lengths, x, 0, spectrum);
  }

  /// `x ← F⁻¹ spectrum` for a whole array. The spectrum is destroyed.
  public void inverse(double[] spectrum, double[] x) {
    inverse(lengths, spectrum, x, 0);
  }

  /// `spectrum ← F x`, where x has shape `box`, starts at `x[xo]` and is zero outside the box.
  public void forward(int[] box, double[] x, int xo, double[] spectrum) {
    check(box, x.length - xo, spectrum);
    int d = lengths.length;
    int n = lengths[d - 1];
    int used = box[d - 1];
    int width = 2 * half;
    Arrays.fill(spectrum, 0, spectrumSize(), 0);
    Parallel.chunks(
        boxRows(box),
        lines(n),
        (index, from, to) -> {
          double[] line = new double[width];
          for (int r = from; r < to; r++) {
            System.arraycopy(x, xo + r * used, line, 0, used);
            Arrays.fill(line, used, width, 0);
            if (n > 1) plans[d - 1].realForward(line, 0);
            unpack(n, line);
            System.arraycopy(line, 0, spectrum, width * row(box, r), width);
          }
        });
    for (int axis = d - 2; axis >= 0; axis--) columns(axis, box, true, spectrum);
  }

  /// `x ← F⁻¹ spectrum`. Keeps only the entries in `box`, from `x[xo]` on. The spectrum is
  /// destroyed.
  public void inverse(int[] box, double[] spectrum, double[] x, int xo) {
    check(box, x.length - xo, spectrum);
    int d = lengths.length;
    int n = lengths[d - 1];
    int used = box[d - 1];
    int width = 2 * half;
    for (int axis = 0; axis < d - 1; axis++) columns(axis, box, false, spectrum);
    Parallel.chunks(
        boxRows(box),
        lines(n),
        (index, from, to) -> {
          double[] line = new double[width];
          for (int r = from; r < to; r++) {
            System.arraycopy(spectrum, width * row(box, r), line, 0, width);
            pack(n, line);
            if (n > 1) plans[d - 1].realInverse(line, 0, true);
            System.arraycopy(line, 0, x, xo + r * used, used);
          }
        });
  }

  /// The real spectrum of a real array with `f[x] = f[−x]` (indices modulo the lengths): one number
  /// for each entry. These are the eigenvalues of the circulant matrix `C[x, y] = f[x − y]`. The
  /// odd part of f is ignored.
  public double[] evenSpectrum(double[] f) {
    double[] spectrum = new double[spectrumSize()];
    forward(f, spectrum);
    double[] real = new double[spectrum.length / 2];
    for (int i = 0; i < real.length; i++) real[i] = spectrum[2 * i];
    return real;
  }

  /// `spectrum ← eigenvalues · spectrum`, entry by entry, with eigenvalues from [#evenSpectrum].
  static void scale(double[] eigenvalues, double[] spectrum) {
    for (int i = 0; i < eigenvalues.length; i++) {
      spectrum[2 * i] *= eigenvalues[i];
      spectrum[2 * i + 1] *= eigenvalues[i];
    }
  }

  /// Transforms the lines along an axis other than the last. Along the axes before it, only the box
  /// is non-zero (forward) or needed (inverse).
  private void columns(int axis, int[] box, boolean forward, double[] spectrum) {
    int n = lengths[axis];
    if (n == 1) return;
    int inner = half;
    for (int j = axis + 1; j < lengths.length - 1; j++) inner *= lengths[j];
    int outer = 1;
    for (int j = 0; j < axis; j++) outer *= box[j];
    int stride = 2 * inner;
    int across = inner;
    int groups = Parallel.pieces(inner, LINES);
    Parallel.chunks(
        outer * groups,
        Math.max(1, lines(n) / LINES),
        (index, from, to) -> {
          double[][] line = new double[LINES][2 * n];
          for (int g = from; g < to; g++) {
            int first = g % groups * LINES;
            int count = Math.min(LINES, across - first);
            int base = outerIndex(axis, box, g / groups) * n * stride + 2 * first;
            for (int i = 0; i < n; i++)
              for (int c = 0, p = base + i * stride; c < count; c++, p += 2) {
                line[c][2 * i] = spectrum[p];
                line[c][2 * i + 1] = spectrum[p + 1];
              }
            for (int c = 0; c < count; c++) {
              if (forward) plans[axis].complexForward(line[c]);
              else plans[axis].complexInverse(line[c], true);
            }
            for (int i = 0; i < n; i++)
              for (int c = 0, p = base + i * stride; c < count; c++, p += 2) {
                spectrum[p] = line[c][2 * i];
                spectrum[p + 1] = line[c][2 * i + 1];
              }
          }
        });
  }

  /// The position of the r-th index tuple inside the box, among all tuples of the first `axis`
  /// axes.
  private int outerIndex(int axis, int[] box, int r) {
    int index = 0;
    int stride = 1;
    for (int j = axis - 1; j >= 0; j--) {
      index += r % box[j] * stride;
      r /= box[j];
      stride *= lengths[j];
    }
    return index;
  }

  private int row(int[] box, int r) {
    return outerIndex(lengths.length - 1, box, r);
  }

  private static int boxRows(int[] box) {
    int rows = 1;
    for (int j = 0; j < box.length - 1; j++) rows *= box[j];
    return rows;
  }

  private static int lines(int n) {
    return Math.max(1, WORK / n);
  }

  /// Converts from the JTransforms order to pairs. In that order entry 1 holds the last real part
  /// (even n) or the last imaginary part (odd n).
  private static void unpack(int n, double[] line) {
    if (n == 1) return;
    line[n] = line[1];
    line[1] = 0;
    if (n % 2 == 0) line[n + 1] = 0;
  }

  private static void pack(int n, double[] line) {
    if (n > 1) line[1] = line[n];
  }

  private void check(int[] box, int available, double[] spectrum) {
    long points = 1;
    for (int j = 0; j < box.length; j++) {
      if (box.length != lengths.length || box[j] < 1 || box[j] > lengths[j])
        throw new IllegalArgumentException(
            "box " + Arrays.toString(box) + " must fit in " + Arrays.toString(lengths));
      points *= box[j];
    }
    if (available < points)
      throw new IllegalArgumentException(
          "x must hold " + points + " numbers from its offset on, got " + available);
    if (spectrum.length < spectrumSize())
      throw new IllegalArgumentException(
          "spectrum must hold " + spectrumSize() + " numbers, got " + spectrum.length);
  }
}
