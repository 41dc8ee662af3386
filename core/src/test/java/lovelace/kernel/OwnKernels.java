package lovelace.kernel;

import java.util.List;
import java.util.Optional;
import lovelace.kernel.KernelFunction.Slot;

/// Kernels as a user writes them, for tests.
@SuppressWarnings("missing-explicit-ctor") // as users write them
public final class OwnKernels {

  private OwnKernels() {}

  private static double squares(double[] distance, double[] lengthscale) {
    double s = 0;
    for (int i = 0; i < distance.length; i++) {
      double t = distance[i] / lengthscale[i];
      s += t * t;
    }
    return s;
  }

  /// The library's `matern32` again, without derivatives.
  public static class Plain32 implements KernelFunction.Stationary {
    @Override
    public String name() {
      return "plain32";
    }

    @Override
    public List<Slot> parameters() {
      return List.of(Slot.lengthscale());
    }

    @Override
    public double value(double[] distance, double[][] p) {
      double a = Math.sqrt(3 * squares(distance, p[0]));
      return (1 + a) * Math.exp(-a);
    }
  }

  /// The library's `matern32` again, with derivatives.
  public static final class Twin32 extends Plain32 {
    @Override
    public String name() {
      return "twin32";
    }

    @Override
    public Optional<Derivatives> derivatives() {
      return Optional.of(
          (distance, p, g) -> {
            double e = 3 * Math.exp(-Math.sqrt(3 * squares(distance, p[0])));
            for (int i = 0; i < distance.length; i++)
              g[0][i] = e * distance[i] * distance[i] / (p[0][i] * p[0][i] * p[0][i]);
          });
    }
  }

  /// `exp(−r^γ)`, `r² = Σᵢ τᵢ²/ℓᵢ²`, GPML eq. (4.18): the library has it for γ = 1 and, as `r²/2`,
  /// for γ = 2.
  public static final class Gamma implements KernelFunction.Stationary {
    @Override
    public String name() {
      return "gammaexp";
    }

    @Override
    public List<Slot> parameters() {
      return List.of(Slot.lengthscale(), Slot.positive("gamma", 1.5).within(0.1, 2));
    }

    @Override
    public double value(double[] distance, double[][] p) {
      return Math.exp(-Math.pow(squares(distance, p[0]), p[1][0] / 2));
    }
  }

  /// `rbf*cosine` as one kernel.
  public static final class Wave implements KernelFunction.Stationary {
    @Override
    public String name() {
      return "wave";
    }

    @Override
    public List<Slot> parameters() {
      return List.of(Slot.lengthscale(), Slot.period());
    }

    @Override
    public double value(double[] distance, double[][] p) {
      double k = Math.exp(-0.5 * squares(distance, p[0]));
      for (int i = 0; i < distance.length; i++) k *= Math.cos(2 * Math.PI * distance[i] / p[1][i]);
      return k;
    }
  }

  /// `v exp(−Σᵢ τᵢ²/2w)`: an amplitude of its own, and names that mean something else elsewhere.
  public static final class Bump implements KernelFunction.Stationary {
    @Override
    public String name() {
      return "bump";
    }

    @Override
    public List<Slot> parameters() {
      return List.of(Slot.variance(), Slot.positive("frequency", 0.3));
    }

    @Override
    public double value(double[] distance, double[][] p) {
      double s = 0;
      for (double t : distance) s += t * t;
      return p[0][0] * Math.exp(-s / (2 * p[1][0]));
    }
  }

  /// `(c + Σᵢ xᵢyᵢ)²`, which is `(constant + linear)*(constant + linear)`.
  public static final class Quadratic implements KernelFunction.General {
    @Override
    public String name() {
      return "quadratic";
    }

    @Override
    public List<Slot> parameters() {
      return List.of(Slot.positive("offset", 1));
    }

    @Override
    public double value(double[] x, double[] y, double[][] p) {
      double s = p[0][0];
      for (int i = 0; i < x.length; i++) s += x[i] * y[i];
      return s * s;
    }
  }

  /// Gibbs (1997) in one column, GPML eq. (4.32), with the lengthscale `ℓ(x) = a exp(bx)`.
  public static final class Gibbs implements KernelFunction.General {
    @Override
    public String name() {
      return "gibbs";
    }

    @Override
    public List<Slot> parameters() {
      return List.of(Slot.positive("shortest", 0.5), Slot.real("growth", 0));
    }

    @Override
    public double value(double[] x, double[] y, double[][] p) {
      double a = p[0][0] * Math.exp(p[1][0] * x[0]);
      double b = p[0][0] * Math.exp(p[1][0] * y[0]);
      double s = a * a + b * b;
      double t = x[0] - y[0];
      return Math.sqrt(2 * a * b / s) * Math.exp(-t * t / s);
    }
  }

  /// All of them.
  public static KernelFunction[] all() {
    return new KernelFunction[] {
      new Plain32(), new Twin32(), new Gamma(), new Wave(), new Bump(), new Quadratic(), new Gibbs()
    };
  }
}
