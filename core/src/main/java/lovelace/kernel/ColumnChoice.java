package lovelace.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import lovelace.kernel.KernelFunction.Slot;
import org.jspecify.annotations.Nullable;

/// Rewrites kernels that were written for the columns of a table for fewer of these columns.
final class ColumnChoice {

  private ColumnChoice() {}

  /// Whether the kernel reads any column. A constant and white noise do not.
  static boolean reads(Kernel kernel) {
    return switch (kernel) {
      case Leaf leaf -> leaf.readsColumns();
      case Kernel.Scaled scaled -> reads(scaled.kernel());
      case Kernel.Sum(var terms) -> terms.stream().anyMatch(ColumnChoice::reads);
      case Kernel.Product(var factors) -> factors.stream().anyMatch(ColumnChoice::reads);
      case Kernel.Additive additive -> true;
    };
  }

  /// The kernel over the kept columns of d. Leaves out parts that read none of these columns.
  /// Returns null if nothing remains.
  static @Nullable Kernel keep(Kernel kernel, int d, int[] kept) {
    return switch (kernel) {
      case Leaf leaf -> leaf(leaf, d, kept);
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) -> {
        Kernel rest = keep(inner, d, kept);
        yield rest == null ? null : new Kernel.Scaled(v, fixed, rest);
      }
      case Kernel.Sum(var terms) -> {
        List<Kernel> rest = rest(terms, d, kept);
        yield rest.isEmpty() ? null : Structure.sum(rest);
      }
      case Kernel.Product(var factors) -> {
        List<Kernel> rest = rest(factors, d, kept);
        yield rest.isEmpty() ? null : Structure.product(rest);
      }
      case Kernel.Additive additive -> additive; // it names no columns
    };
  }

  private static List<Kernel> rest(List<Kernel> parts, int d, int[] kept) {
    List<Kernel> rest = new ArrayList<>();
    for (Kernel part : parts) {
      Kernel left = keep(part, d, kept);
      if (left != null) rest.add(left);
    }
    return rest;
  }

  private static @Nullable Kernel leaf(Leaf leaf, int d, int[] kept) {
    if (!leaf.readsColumns()) return leaf;
    int[] read = leaf.restricted() ? leaf.cols() : new int[0];
    int width = leaf.restricted() ? read.length : d;
    List<Integer> places = new ArrayList<>(); // positions among the columns that the leaf reads
    List<Integer> columns = new ArrayList<>(); // positions among the kept columns
    for (int i = 0; i < width; i++) {
      int at = Arrays.binarySearch(kept, leaf.restricted() ? read[i] : i);
      if (at < 0) continue;
      places.add(i);
      columns.add(at);
    }
    if (places.isEmpty()) return null;
    double[][] values = new double[leaf.slots().size()][];
    boolean[] fixed = new boolean[values.length];
    for (int s = 0; s < values.length; s++) {
      fixed[s] = leaf.fixed(s);
      double[] all = leaf.slot(s);
      Slot slot = leaf.slots().get(s);
      int groups = slot.isPerComponent() ? leaf.components() : 1;
      boolean each = slot.isPerColumn() && all.length == groups * width;
      values[s] = each ? chosen(all, width, places) : all;
    }
    int[] chosen = columns.stream().mapToInt(Integer::intValue).toArray();
    int[] categories =
        Arrays.stream(leaf.categories())
            .map(c -> Arrays.binarySearch(kept, c))
            .filter(c -> c >= 0)
            .toArray();
    return leaf.rebuild(
        0, leaf.restricted() ? chosen : null, new Leaf.Values(values, fixed, categories));
  }

  private static double[] chosen(double[] all, int width, List<Integer> places) {
    double[] some = new double[all.length / width * places.size()];
    for (int i = 0; i < some.length; i++)
      some[i] = all[i / places.size() * width + places.get(i % places.size())];
    return some;
  }
}
