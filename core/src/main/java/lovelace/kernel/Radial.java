package lovelace.kernel;

import java.util.Arrays;
import java.util.List;
import lovelace.kernel.KernelFunction.Slot;
import org.jspecify.annotations.Nullable;

/// A kernel that depends on the scaled Euclidean distance `r² = Σᵢ τᵢ²/ℓᵢ²`: RBF, Matérn and
/// rational quadratic. Parameters: `lengthscale` (per column), and `alpha` for the rational
/// quadratic.
///
/// A column of codes ([Kernel#withCategories]) adds `1/ℓᵢ²` if the codes differ and 0 if they are
/// equal. This is the squared distance between indicators of the words, each of size `1/√2`, with
/// one lengthscale for all of them.
public final class Radial extends Leaf {

  /// The function of r, GPML chapter 4.
  public enum Shape {
    /// `exp(−r²/2)`.
    RBF("rbf"),
    /// `exp(−r)`.
    MATERN12("matern12"),
    /// `(1 + √3 r) exp(−√3 r)`.
    MATERN32("matern32"),
    /// `(1 + √5 r + 5r²/3) exp(−√5 r)`.
    MATERN52("matern52"),
    /// `(1 + r²/2α)^−α`.
    RATIONAL_QUADRATIC("rq");

    final String kind;

    Shape(String kind) {
      this.kind = kind;
    }

    List<Slot> slots() {
      return this == RATIONAL_QUADRATIC
          ? List.of(Slot.lengthscale(), Slot.positive("alpha", 1))
          : List.of(Slot.lengthscale());
    }
  }

  private final Shape shape;

  Radial(Shape shape, int dimensions, int @Nullable [] chosen, Values values) {
    super(shape.kind, shape.slots(), 1, dimensions, chosen, values);
    this.shape = shape;
  }

  static Radial of(Shape shape, double[] lengthscale) {
    return new Radial(shape, 0, null, Values.free(orUnset(lengthscale)));
  }

  static Radial rationalQuadratic(double alpha, double[] lengthscale) {
    return new Radial(
        Shape.RATIONAL_QUADRATIC, 0, null, Values.free(orUnset(lengthscale), new double[] {alpha}));
  }

  @Override
  Leaf rebuild(int dimensions, int @Nullable [] chosen, Values values) {
    return new Radial(shape, dimensions, chosen, values);
  }

  /// The function of r.
  public Shape shape() {
    return shape;
  }

  /// The lengthscales, one per column read if the kernel is bound, in a new array.
  public double[] lengthscales() {
    return slot(0).clone();
  }

  @Override
  public double[] lengths() {
    return lengthscales();
  }

  private double alpha() {
    return slot(1)[0];
  }

  /// `out[j] ← r²`.
  private void squares(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    int[] columns = cols();
    double[] lengthscale = slot(0);
    int d = dimensions();
    for (int c = 0; c < columns.length; c++) {
      double xc = x[xo + columns[c]];
      double inverse = 1 / lengthscale[c];
      int at = yo + columns[c];
      if (isCategory(columns[c])) {
        if (c == 0) Arrays.fill(out, oo, oo + ny, 0);
        for (int j = 0; j < ny; j++) if (xc != y[at + j * d]) out[oo + j] += inverse * inverse;
      } else if (c == 0)
        for (int j = 0; j < ny; j++) {
          double t = (xc - y[at + j * d]) * inverse;
          out[oo + j] = t * t;
        }
      else
        for (int j = 0; j < ny; j++) {
          double t = (xc - y[at + j * d]) * inverse;
          out[oo + j] += t * t;
        }
    }
  }

  @Override
  void row(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    squares(x, xo, y, yo, ny, out, oo);
    int end = oo + ny;
    switch (shape) {
      case RBF -> {
        for (int j = oo; j < end; j++) out[j] = Math.exp(-0.5 * out[j]);
      }
      case MATERN12 -> {
        for (int j = oo; j < end; j++) out[j] = Math.exp(-Math.sqrt(out[j]));
      }
      case MATERN32 -> {
        for (int j = oo; j < end; j++) {
          double a = Math.sqrt(3 * out[j]);
          out[j] = (1 + a) * Math.exp(-a);
        }
      }
      case MATERN52 -> {
        for (int j = oo; j < end; j++) {
          double a = Math.sqrt(5 * out[j]);
          out[j] = (1 + a + a * a / 3) * Math.exp(-a);
        }
      }
      case RATIONAL_QUADRATIC -> {
        double alpha = alpha();
        for (int j = oo; j < end; j++) out[j] = Math.exp(-alpha * Math.log1p(out[j] / (2 * alpha)));
      }
    }
  }

  /// `dk/d(r²)`, where k is the value at `s = r²`. For Matérn-1/2 it is 0 at r = 0, where the
  /// caller multiplies it by τ² = 0.
  private double slope(double s, double k) {
    return switch (shape) {
      case RBF -> -0.5 * k;
      case MATERN12 -> s == 0 ? 0 : -0.5 * k / Math.sqrt(s);
      case MATERN32 -> -1.5 * k / (1 + Math.sqrt(3 * s));
      case MATERN52 -> {
        double a = Math.sqrt(5 * s);
        yield -5.0 / 6 * k * (1 + a) / (1 + a + a * a / 3);
      }
      case RATIONAL_QUADRATIC -> -0.5 * k / (1 + s / (2 * alpha()));
    };
  }

  @Override
  void rowGradient(
      double[] x, int xo, double[] y, int yo, int ny, double[] w, double[] k, double[] g, int go) {
    double[] t = new double[ny];
    squares(x, xo, y, yo, ny, t, 0);
    if (shape == Shape.RATIONAL_QUADRATIC) {
      double alpha = alpha();
      double sum = 0;
      for (int j = 0; j < ny; j++) {
        double u = t[j] / (2 * alpha);
        sum += w[j] * k[j] * (u / (1 + u) - Math.log1p(u));
      }
      g[go + cols().length] += sum;
    }
    for (int j = 0; j < ny; j++) t[j] = w[j] * slope(t[j], k[j]);
    int[] columns = cols();
    double[] lengthscale = slot(0);
    int d = dimensions();
    for (int c = 0; c < columns.length; c++) {
      double xc = x[xo + columns[c]];
      double inverse = 1 / lengthscale[c];
      int at = yo + columns[c];
      double sum = 0;
      if (isCategory(columns[c])) {
        for (int j = 0; j < ny; j++) if (xc != y[at + j * d]) sum += t[j];
        sum *= inverse * inverse;
      } else
        for (int j = 0; j < ny; j++) {
          double e = (xc - y[at + j * d]) * inverse;
          sum += t[j] * (e * e);
        }
      g[go + c] -= 2 * inverse * sum;
    }
  }

  @Override
  void addInputGradient(double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {
    double[] s = new double[1];
    squares(x, xo, y, yo, 1, s, 0);
    double factor = 2 * weight * slope(s[0], value(x, xo, y, yo));
    double[] lengthscale = slot(0);
    for (int c = 0; c < lengthscale.length; c++) {
      int at = cols()[c];
      if (isCategory(at)) continue; // a column of words has no derivative
      g[go + at] += factor * ((x[xo + at] - y[yo + at]) / lengthscale[c]) / lengthscale[c];
    }
  }
}
