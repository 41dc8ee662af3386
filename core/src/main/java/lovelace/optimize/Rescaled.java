package lovelace.optimize;

import java.util.Arrays;

/// An optimiser that works in multiples of a unit for each coordinate. Its steps, trace and result
/// are in the original coordinates; norms of gradients are in the units.
final class Rescaled implements Optimizer {

  private final Optimizer inner;
  private final double[] units;

  /// Takes over the units.
  Rescaled(Optimizer inner, double[] units) {
    for (int i = 0; i < units.length; i++)
      if (!(units[i] > 0 && units[i] < Double.POSITIVE_INFINITY))
        throw new IllegalArgumentException(
            "the unit of coordinate " + i + " must be finite and > 0, got " + units[i]);
    this.inner = inner;
    this.units = units;
  }

  @Override
  public Optimum minimize(
      Objective objective, double[] start, double[] lower, double[] upper, Progress progress) {
    if (start.length != units.length)
      throw new IllegalArgumentException(
          "there are " + units.length + " units, got a start of " + start.length + " coordinates");
    Optimum optimum =
        inner.minimize(
            (z, gradient) -> {
              double value = objective.evaluate(times(z), gradient);
              for (int i = 0; i < gradient.length; i++) gradient[i] *= units[i];
              return value;
            },
            over(start),
            over(lower),
            over(upper),
            (iteration, value, norm, z) -> progress.step(iteration, value, norm, times(z)));
    return optimum.map(this::times);
  }

  private double[] times(double[] z) {
    double[] x = z.clone();
    for (int i = 0; i < x.length; i++) x[i] *= units[i];
    return x;
  }

  private double[] over(double[] x) {
    double[] z = Arrays.copyOf(x, units.length);
    for (int i = 0; i < z.length; i++) z[i] /= units[i];
    return z;
  }
}
