package lovelace.features;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import lovelace.data.Column;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Term;

/// Kernels that are sums of functions of a few columns.
public final class Additive {

  /// The largest number of columns of one part.
  public static final int MOST = 3;

  private Additive() {}

  /// Whether every term of a kernel reads at most three of the columns, and not all of them.
  public static boolean isSum(Kernel kernel, int d) {
    return parts(kernel.bind(d)).stream().allMatch(part -> part.length <= Math.min(MOST, d - 1));
  }

  /// The kernel over d columns. If it is not such a sum yet, each column gets a copy with its own
  /// output scales.
  public static Kernel kernel(Kernel kernel, int d) {
    if (d == 1 || isSum(kernel, d)) return kernel.bind(d);
    return new Kernel.Additive(kernel).bind(d);
  }

  /// The columns that each component reads: those of the terms, without sets that others contain.
  public static List<int[]> components(Kernel bound, List<Column> columns) {
    List<int[]> all = new ArrayList<>();
    for (int[] part : parts(bound)) {
      if (all.stream().anyMatch(known -> contains(known, part))) continue;
      all.removeIf(known -> contains(part, known));
      all.add(part);
    }
    for (int j = 0; j < columns.size(); j++) {
      int column = j;
      if (all.stream().noneMatch(part -> contains(part, new int[] {column})))
        throw new IllegalArgumentException(
            "no term of the kernel reads the column '%s'; leave it out of the inputs"
                .formatted(columns.get(j).name()));
    }
    return all;
  }

  private static List<int[]> parts(Kernel bound) {
    List<int[]> all = new ArrayList<>();
    for (Term term : bound.terms()) {
      if (term.isWhite()) continue;
      var read = new TreeSet<Integer>();
      for (Leaf leaf : term.factors()) for (int column : leaf.columns()) read.add(column);
      if (!read.isEmpty()) all.add(read.stream().mapToInt(Integer::intValue).toArray());
    }
    return all;
  }

  private static boolean contains(int[] whole, int[] part) {
    return Arrays.stream(part).allMatch(c -> Arrays.stream(whole).anyMatch(o -> o == c));
  }
}
