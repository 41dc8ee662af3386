package lovelace.kernel;

import java.util.ArrayList;
import java.util.List;

/// Adds the coefficients that a kernel lacks.
///
/// Every term of a sum gets one, and so does a kernel that is not a sum. A product has one in all:
/// if a factor is a sum, the coefficients of its terms serve for the product. If something else
/// sets the scale of a sum (a coefficient in front, or another factor), its first term without a
/// coefficient gets none, and the others are relative to it. So the data can tell all of them
/// apart.
final class Coefficients {

  private Coefficients() {}

  /// The kernel with an unset coefficient wherever one is missing.
  static Kernel complete(Kernel kernel) {
    return switch (kernel) {
      case Leaf leaf -> has(leaf) ? leaf : leaf.times(Double.NaN);
      case Kernel.Scaled s -> unit(s);
      case Kernel.Sum(var terms) -> new Kernel.Sum(terms.stream().map(k -> complete(k)).toList());
      case Kernel.Product(var factors) -> {
        int carrier = carrier(factors);
        if (carrier < 0) yield kernel.times(Double.NaN);
        List<Kernel> next = new ArrayList<>();
        for (int f = 0; f < factors.size(); f++)
          next.add(f == carrier ? complete(factors.get(f)) : unit(factors.get(f)));
        yield new Kernel.Product(next);
      }
      case Kernel.Additive additive -> throw Evaluation.unbound(additive);
    };
  }

  /// The same kernel as a factor of a product whose scale is set elsewhere.
  private static Kernel unit(Kernel kernel) {
    return switch (kernel) {
      case Leaf leaf -> leaf;
      case Kernel.Scaled(double variance, boolean fixed, Kernel inner) ->
          new Kernel.Scaled(variance, fixed, unit(inner));
      case Kernel.Sum(var terms) -> {
        List<Kernel> next = new ArrayList<>();
        boolean found = false;
        for (Kernel term : terms) {
          boolean isUnit = !found && !has(term);
          found |= isUnit;
          next.add(isUnit ? unit(term) : complete(term));
        }
        yield new Kernel.Sum(next);
      }
      case Kernel.Product(var factors) ->
          new Kernel.Product(factors.stream().map(k -> unit(k)).toList());
      case Kernel.Additive additive -> throw Evaluation.unbound(additive);
    };
  }

  /// The factor that sets the scale of a product without a coefficient: the first that has its own
  /// amplitude, otherwise the first sum, otherwise −1.
  static int carrier(List<Kernel> factors) {
    int sum = -1;
    for (int f = 0; f < factors.size(); f++) {
      if (has(factors.get(f))) return f;
      if (sum < 0 && factors.get(f) instanceof Kernel.Sum) sum = f;
    }
    return sum;
  }

  /// Whether a kernel has an amplitude: an output scale, mixture weights, or the variance of a
  /// constant, linear or white kernel. A sum has one if all of its terms do.
  static boolean has(Kernel kernel) {
    return switch (kernel) {
      case Radial r -> false;
      case Periodic p -> false;
      case Cosine c -> false;
      case SpectralMixture s -> true;
      case Constant c -> true;
      case Linear l -> true;
      case White w -> true;
      case Custom own -> own.hasAmplitude();
      case Kernel.Scaled s -> true;
      case Kernel.Sum(var terms) -> terms.stream().allMatch(k -> has(k));
      case Kernel.Product(var factors) -> factors.stream().anyMatch(k -> has(k));
      case Kernel.Additive(Kernel base) -> has(base);
    };
  }

  /// `k(x, x)` of a stationary kernel, with every unset amplitude taken as 1.
  static double peak(Kernel kernel) {
    return switch (kernel) {
      case Leaf leaf -> 1;
      case Kernel.Scaled(double variance, boolean fixed, Kernel inner) ->
          (Double.isNaN(variance) ? 1 : variance) * peak(inner);
      case Kernel.Sum(var terms) -> terms.stream().mapToDouble(k -> peak(k)).sum();
      case Kernel.Product(var factors) ->
          factors.stream().mapToDouble(k -> peak(k)).reduce(1, (a, b) -> a * b);
      case Kernel.Additive additive -> throw Evaluation.unbound(additive);
    };
  }
}
