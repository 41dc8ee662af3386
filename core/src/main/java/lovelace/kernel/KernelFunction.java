package lovelace.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The formula of a kernel of your own: the one open door in the sealed family of kernels.
///
/// Implement [Stationary], or [General] where k does not depend on distances alone, and make a
/// kernel of it with [Kernel#of(KernelFunction, double...)]. Columns, sums, products, output
/// scales, start values, bounds, priors, matrices, learning and the text form `name(p=…, q=…)` come
/// from the library.
///
/// ```java
/// /// `exp(−r) cos(2πr)`, `r² = Σᵢ τᵢ²/ℓᵢ²`.
/// final class Ripple implements KernelFunction.Stationary {
///   public String name() { return "ripple"; }
///   public List<Slot> parameters() { return List.of(Slot.lengthscale()); }
///   public double value(double[] distance, double[][] p) {
///     double s = 0;
///     for (int i = 0; i < distance.length; i++) s += Math.pow(distance[i] / p[0][i], 2);
///     return Math.exp(-Math.sqrt(s)) * Math.cos(2 * Math.PI * Math.sqrt(s));
///   }
/// }
/// ```
///
/// A function has no state: its name and parameters say all about it, so that text and model files
/// can name it. It is called from several threads at once and must not modify its arguments. It
/// must be positive definite; where it is not, a factorisation fails and says so.
///
/// Who reads the text or a model file needs the class too. [Kernel#parse(String,
/// KernelFunction...)] and `Model.load` take functions as arguments, and find those of jars on the
/// class path that are registered as services: a line with the class's name in
/// `META-INF/services/lovelace.kernel.KernelFunction`, or `provides` in a module.
public sealed interface KernelFunction {

  /// The name in the text form: lower-case letters and digits, a letter first; none of the
  /// library's.
  String name();

  /// The parameters, in the order in which `p` holds their values.
  List<Slot> parameters();

  /// A function of the distances `|xᵢ − x′ᵢ|` along the columns that the kernel reads. It works
  /// with every engine but markov.
  non-sealed interface Stationary extends KernelFunction {

    /// k at the distances, one per column read. `p[s]` holds the values of parameter s: one, or one
    /// per column read.
    double value(double[] distance, double[][] p);

    /// The derivatives in the parameters. Null, the default, makes the library take central
    /// differences of fourth order, four values for each parameter; a note of the model says so.
    default @Nullable Derivatives derivatives() {
      return null;
    }
  }

  /// A symmetric function of two points. It works with the exact engine; on a lattice of up to
  /// 12,000 points with the engines krylov and dense, by dense matrices.
  non-sealed interface General extends KernelFunction {

    /// `k(x, y)`, where x and y hold the columns that the kernel reads. `p[s]` holds the values of
    /// parameter s: one, or one per column read.
    double value(double[] x, double[] y, double[][] p);

    /// As [Stationary#derivatives].
    default @Nullable PairDerivatives derivatives() {
      return null;
    }
  }

  /// The derivatives of a [Stationary] function in its parameters.
  @FunctionalInterface
  interface Derivatives {
    /// Writes `∂k/∂p[s][i]` at the distances to `g[s][i]`, which holds zeros.
    void at(double[] distance, double[][] p, double[][] g);
  }

  /// The derivatives of a [General] function in its parameters.
  @FunctionalInterface
  interface PairDerivatives {
    /// Writes `∂k(x, y)/∂p[s][i]` to `g[s][i]`, which holds zeros.
    void at(double[] x, double[] y, double[][] p, double[][] g);
  }
}
