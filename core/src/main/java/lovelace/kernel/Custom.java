package lovelace.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import lovelace.kernel.KernelFunction.Slot;
import org.jspecify.annotations.Nullable;

/// A base kernel that the user defines by a [KernelFunction].
///
/// If the function gives no derivatives, they are central differences of fourth order, `(8(k₊₁ −
/// k₋₁) − (k₊₂ − k₋₂))/12h`. For a parameter, h is a ten-thousandth of it. For an input, h is a
/// ten-thousandth of the length over which the kernel varies.
final class Custom extends Leaf {

  private static final double STEP = 1e-4;
  private static final double[] STENCIL = {1, -8, 8, -1}; // at −2h, −h, h, 2h; over 12h

  private final KernelFunction function;

  private Custom(
      KernelFunction function,
      List<Slot> slots,
      int dimensions,
      int @Nullable [] chosen,
      Values values) {
    super(function.name(), slots, 1, dimensions, chosen, values);
    this.function = function;
  }

  /// Takes one value for each parameter, or none to leave all unset.
  static Custom of(KernelFunction function, double[] given) {
    List<Slot> slots = slots(function);
    if (given.length != 0 && given.length != slots.size())
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s has %d parameters, got %d values",
              function.name(),
              slots.size(),
              given.length));
    double[][] values = new double[slots.size()][];
    for (int s = 0; s < values.length; s++)
      values[s] = new double[] {given.length == 0 ? Double.NaN : given[s]};
    return of(function, slots, Values.free(values));
  }

  static Custom of(KernelFunction function, List<Slot> slots, Values values) {
    Custom kernel = new Custom(function, slots, 0, null, values);
    for (int s = 0; s < slots.size(); s++)
      for (double v : kernel.slot(s)) slots.get(s).checkBounds(function.name(), v);
    return kernel;
  }

  /// Checks the parameters that a function declares, and returns them.
  static List<Slot> slots(KernelFunction function) {
    String name = function.name();
    KernelText.requireName("the kernel of " + function.getClass().getName(), name);
    List<Slot> slots = List.copyOf(function.parameters());
    for (Slot slot : slots) {
      KernelText.requireName("a parameter of " + name, slot.name());
      if (slots.stream().filter(s -> s.name().equals(slot.name())).count() > 1)
        throw new IllegalArgumentException(
            "the kernel %s has two parameters called '%s'; give them different names"
                .formatted(name, slot.name()));
    }
    return slots;
  }

  @Override
  Leaf rebuild(int dimensions, int @Nullable [] chosen, Values values) {
    return new Custom(function, slots(), dimensions, chosen, values);
  }

  /// The formula.
  public KernelFunction function() {
    return function;
  }

  /// Whether the derivatives in the parameters are central differences, because the function gives
  /// none.
  public boolean isDifferenced() {
    return switch (function) {
      case KernelFunction.Stationary f -> f.derivatives().isEmpty();
      case KernelFunction.General f -> f.derivatives().isEmpty();
    };
  }

  /// Notes for a model with this kernel: one line for each user's function in it.
  static List<String> remarks(Kernel kernel) {
    List<String> lines = new ArrayList<>();
    for (Leaf leaf : Structure.leaves(kernel)) {
      if (!(leaf instanceof Custom own)) continue;
      String line =
          "kernel: %s is your own; loading the model requires its class, %s"
              .formatted(own.kind(), own.function.getClass().getName());
      if (own.isDifferenced()) line += "; its derivatives are central differences";
      if (!lines.contains(line)) lines.add(line);
    }
    return lines;
  }

  boolean hasAmplitude() {
    return slots().stream().anyMatch(s -> s.role() == Parameter.Role.VARIANCE);
  }

  @Override
  boolean stationary() {
    return function instanceof KernelFunction.Stationary;
  }

  @Override
  boolean readsColumns() {
    return true;
  }

  @Override
  Object identity() {
    return function.getClass();
  }

  // ---- values ----

  /// Two points as the function reads them, copied into arrays of this object.
  private final class Pair {
    private final double[] a = new double[cols().length];
    private final double[] b = new double[cols().length];
    private final double[][] p = new double[slots().size()][];

    Pair() {
      for (int s = 0; s < p.length; s++) p[s] = slot(s).clone();
    }

    Pair at(double[] x, int xo, double[] y, int yo) {
      int[] columns = cols();
      for (int c = 0; c < columns.length; c++) {
        a[c] = x[xo + columns[c]];
        b[c] = y[yo + columns[c]];
      }
      if (stationary()) for (int c = 0; c < a.length; c++) a[c] = Math.abs(a[c] - b[c]);
      return this;
    }

    double value() {
      double k =
          switch (function) {
            case KernelFunction.Stationary f -> f.value(a, p);
            // in a fixed order of the points, so that rounding is symmetric
            case KernelFunction.General f ->
                Arrays.compare(a, b) <= 0 ? f.value(a, b, p) : f.value(b, a, p);
          };
      return finite(k, "value");
    }

    /// Writes the derivatives that the function gives; returns false if it gives none.
    boolean derivatives(double[][] g) {
      for (double[] own : g) Arrays.fill(own, 0);
      switch (function) {
        case KernelFunction.Stationary f -> {
          KernelFunction.Derivatives given = f.derivatives().orElse(null);
          if (given == null) return false;
          given.at(a, p, g);
        }
        case KernelFunction.General f -> {
          KernelFunction.PairDerivatives given = f.derivatives().orElse(null);
          if (given == null) return false;
          if (Arrays.compare(a, b) <= 0) given.at(a, b, p, g);
          else given.at(b, a, p, g);
        }
      }
      return true;
    }

    double finite(double k, String what) {
      if (Math.abs(k) < Double.POSITIVE_INFINITY) return k;
      throw new ArithmeticException(
          "the kernel %s has the %s %s at %s with parameters %s; it must be finite"
              .formatted(
                  kind(),
                  what,
                  k,
                  stationary()
                      ? "distance " + Arrays.toString(a)
                      : Arrays.toString(a) + " and " + Arrays.toString(b),
                  Arrays.deepToString(p)));
    }
  }

  @Override
  void row(double[] x, int xo, double[] y, int yo, int ny, double[] out, int oo) {
    Pair pair = new Pair();
    for (int j = 0; j < ny; j++) out[oo + j] = pair.at(x, xo, y, yo + j * dimensions()).value();
  }

  @Override
  void rowGradient(
      double[] x, int xo, double[] y, int yo, int ny, double[] w, double[] k, double[] g, int go) {
    Pair pair = new Pair();
    if (isDifferenced()) {
      differences(pair, x, xo, y, yo, ny, w, g, go);
      return;
    }
    double[][] own = new double[slots().size()][];
    for (int s = 0; s < own.length; s++) own[s] = new double[slot(s).length];
    for (int j = 0; j < ny; j++) {
      if (!pair.at(x, xo, y, yo + j * dimensions()).derivatives(own)) continue;
      int at = go;
      for (double[] slot : own)
        for (double slope : slot) g[at++] += w[j] * pair.finite(slope, "derivative");
    }
  }

  private void differences(
      Pair pair, double[] x, int xo, double[] y, int yo, int ny, double[] w, double[] g, int go) {
    int at = go;
    for (int s = 0; s < slots().size(); s++) {
      boolean positive = slots().get(s).isPositive();
      for (int i = 0; i < slot(s).length; i++) {
        double here = slot(s)[i];
        double h = STEP * (positive ? here : Math.max(1, Math.abs(here)));
        double sum = 0;
        for (int q = 0; q < 4; q++) {
          pair.p[s][i] = here + (q < 2 ? q - 2 : q - 1) * h;
          for (int j = 0; j < ny; j++)
            sum += STENCIL[q] * w[j] * pair.at(x, xo, y, yo + j * dimensions()).value();
        }
        pair.p[s][i] = here;
        g[at++] += sum / (12 * h);
      }
    }
  }

  @Override
  void addInputGradient(double[] x, int xo, double[] y, int yo, double weight, double[] g, int go) {
    Pair pair = new Pair();
    int[] columns = cols();
    double[] lengths = lengths();
    double[] moved = Arrays.copyOfRange(x, xo, xo + dimensions());
    for (int c = 0; c < columns.length; c++) {
      int at = columns[c];
      double here = x[xo + at];
      double gap = Math.abs(here - y[yo + at]);
      double scale = lengths[c];
      if (Double.isNaN(scale)) scale = Math.max(gap, Math.max(Math.abs(here), STEP));
      double h = STEP * scale;
      if (stationary()) {
        if (gap == 0) continue; // even in the distance
        h = Math.min(h, gap / 4); // no step across 0
      }
      double sum = 0;
      double reach = 0; // 12h, as the rounded coordinates give it
      for (int q = 0; q < 4; q++) {
        moved[at] = here + (q < 2 ? q - 2 : q - 1) * h;
        sum += STENCIL[q] * pair.at(moved, 0, y, yo).value();
        reach += STENCIL[q] * (moved[at] - here);
      }
      moved[at] = here;
      if (reach > 0) g[go + at] += weight * sum / reach;
    }
  }

  // ---- of a stationary kernel ----

  /// k at distance 0.
  double peak() {
    double[] zero = new double[dimensions()];
    return new Pair().at(zero, 0, zero, 0).value();
  }

  /// Adds `weight · ∂k/∂θ` at distance 0.
  void addPeakGradient(double weight, double[] g, int go) {
    double[] zero = new double[dimensions()];
    rowGradient(zero, 0, zero, 0, 1, new double[] {weight}, new double[] {peak()}, g, go);
  }

  /// The shortest of the lengthscales and `period/π`. If a stationary kernel has neither, it is the
  /// distance at which k has fallen to `e^{−½}` of its peak, as an RBF has at its lengthscale.
  @Override
  public double[] lengths() {
    double[] lengths = super.lengths();
    if (dimensions() == 0) return lengths;
    boolean told = false;
    for (int s = 0; s < slots().size(); s++) {
      Parameter.Role role = slots().get(s).role();
      if (role != Parameter.Role.LENGTHSCALE && role != Parameter.Role.PERIOD) continue;
      told = true;
      for (int c = 0; c < lengths.length; c++) {
        double length = slot(s)[c] / (role == Parameter.Role.PERIOD ? Math.PI : 1);
        if (!(length >= lengths[c])) lengths[c] = length;
      }
    }
    boolean set = Arrays.stream(values()).noneMatch(Double::isNaN);
    if (!told && set && stationary()) for (int c = 0; c < lengths.length; c++) lengths[c] = fall(c);
    return lengths;
  }

  /// The first distance along a column at which k has fallen to `e^{−½}` of its peak; NaN if there
  /// is none.
  private double fall(int column) {
    Pair pair = new Pair();
    double limit = pair.value() * Math.exp(-0.5);
    double before = 0;
    for (double t = 1e-30; t < 1e30; t *= 1.5) {
      pair.a[column] = t;
      if (pair.value() > limit) {
        before = t;
        continue;
      }
      if (before == 0) break;
      double after = t;
      for (int step = 0; step < 40; step++) {
        double middle = 0.5 * (before + after);
        pair.a[column] = middle;
        if (pair.value() > limit) before = middle;
        else after = middle;
      }
      return after;
    }
    return Double.NaN;
  }
}
