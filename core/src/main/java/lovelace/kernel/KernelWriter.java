package lovelace.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import lovelace.kernel.KernelFunction.Slot;

/// Writes kernels in the form that [KernelText] reads.
final class KernelWriter {

  private KernelWriter() {}

  static String print(Kernel kernel) {
    return switch (kernel) {
      case Leaf leaf -> leaf(leaf);
      case Kernel.Scaled(double variance, boolean fixed, Kernel inner) ->
          held(fixed, number(variance))
              + "*"
              + (inner instanceof Kernel.Sum ? "(" + print(inner) + ")" : print(inner));
      case Kernel.Sum(var terms) ->
          String.join(" + ", terms.stream().map(KernelWriter::print).toList());
      case Kernel.Product(var factors) ->
          String.join(
              "*",
              factors.stream()
                  .map(k -> k instanceof Kernel.Sum ? "(" + print(k) + ")" : print(k))
                  .toList());
      case Kernel.Additive(Kernel base) -> "additive(" + print(base) + ")";
    };
  }

  private static String leaf(Leaf leaf) {
    List<String> arguments = new ArrayList<>();
    if (leaf instanceof SpectralMixture) arguments.add(Integer.toString(leaf.components()));
    if (leaf.restricted())
      arguments.add("columns=" + list(leaf.cols().length, i -> "" + leaf.cols()[i]));
    int[] categories = leaf.categories();
    if (categories.length > 0)
      arguments.add("categories=" + list(categories.length, i -> "" + categories[i]));
    for (int s = 0; s < leaf.slots().size(); s++) {
      Slot slot = leaf.slots().get(s);
      double[] values = leaf.slot(s);
      boolean silent = true;
      for (double v : values) silent &= Double.compare(v, slot.fallback()) == 0;
      if (!silent || leaf.fixed(s))
        arguments.add(
            slot.name() + "=" + held(leaf.fixed(s), list(values.length, i -> number(values[i]))));
    }
    return arguments.isEmpty()
        ? leaf.kind()
        : leaf.kind() + "(" + String.join(", ", arguments) + ")";
  }

  private static String list(int size, IntFunction<String> entry) {
    if (size == 1) return entry.apply(0);
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < size; i++) text.append(i == 0 ? "" : ",").append(entry.apply(i));
    return text.append("]").toString();
  }

  private static String held(boolean fixed, String value) {
    return fixed ? "fixed(" + value + ")" : value;
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "unset" : Double.toString(value);
  }
}
