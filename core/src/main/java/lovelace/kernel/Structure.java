package lovelace.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Answers questions about a composed kernel from its parts. Each method is one switch over the
/// kinds of kernel.
final class Structure {

  private Structure() {}

  static List<Kernel> parts(String what, List<Kernel> parts, Class<?>... not) {
    if (parts.size() < 2)
      throw new IllegalArgumentException(
          "a " + what + " has at least 2 parts, got " + parts.size());
    for (Kernel part : parts) {
      for (Class<?> type : not)
        if (type.isInstance(part))
          throw new IllegalArgumentException(
              "a " + what + " is written flat, with its scale in front; use plus and times");
      if (part.dimensions() != parts.getFirst().dimensions())
        throw new IllegalArgumentException(
            "%s (%s) and %s (%s) cannot be joined; bind the whole kernel at once"
                .formatted(parts.getFirst(), bound(parts.getFirst()), part, bound(part)));
    }
    return List.copyOf(parts);
  }

  /// The sum of one or more kernels, without nested sums.
  static Kernel sum(List<Kernel> terms) {
    if (terms.size() == 1) return terms.getFirst();
    List<Kernel> flat = new ArrayList<>();
    for (Kernel term : terms)
      if (term instanceof Kernel.Sum(var inner)) flat.addAll(inner);
      else flat.add(term);
    return new Kernel.Sum(flat);
  }

  /// The product of one or more kernels, without nested products and with its scale in front. The
  /// scale is fixed if all scales are.
  static Kernel product(List<Kernel> factors) {
    if (factors.size() == 1) return factors.getFirst();
    List<Kernel> flat = new ArrayList<>();
    double scale = 1;
    boolean scaled = false;
    boolean fixed = true;
    for (Kernel factor : factors) {
      Kernel bare = factor;
      if (factor instanceof Kernel.Scaled(double variance, boolean held, Kernel inner)) {
        scaled = true;
        fixed &= held;
        scale *= variance;
        bare = inner;
      }
      if (bare instanceof Kernel.Product(var inner)) flat.addAll(inner);
      else flat.add(bare);
    }
    Kernel product = new Kernel.Product(flat);
    return scaled ? new Kernel.Scaled(scale, fixed, product) : product;
  }

  private static String bound(Kernel kernel) {
    return kernel.dimensions() == 0 ? "not bound" : "bound to " + kernel.dimensions() + " columns";
  }

  static void requireUnbound(Kernel kernel) {
    if (kernel.dimensions() != 0)
      throw new IllegalArgumentException(
          kernel + " is bound already; choose its columns before bind");
  }

  static int dimensions(Kernel kernel) {
    return switch (kernel) {
      case Leaf leaf -> leaf.dimensions();
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) -> dimensions(inner);
      case Kernel.Sum(var terms) -> dimensions(terms.getFirst());
      case Kernel.Product(var factors) -> dimensions(factors.getFirst());
      case Kernel.Additive a -> 0;
    };
  }

  /// The base kernels, in the order of their parameters.
  static List<Leaf> leaves(Kernel kernel) {
    List<Leaf> leaves = new ArrayList<>();
    collect(kernel, leaves);
    return leaves;
  }

  private static void collect(Kernel kernel, List<Leaf> leaves) {
    switch (kernel) {
      case Leaf leaf -> leaves.add(leaf);
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) -> collect(inner, leaves);
      case Kernel.Sum(var terms) -> terms.forEach(k -> collect(k, leaves));
      case Kernel.Product(var factors) -> factors.forEach(k -> collect(k, leaves));
      case Kernel.Additive(Kernel base) -> collect(base, leaves);
    }
  }

  static boolean namesColumns(Kernel kernel) {
    return leaves(kernel).stream().anyMatch(Leaf::namesColumns);
  }

  /// Throws unless columns are among those of a kernel, if it is bound.
  static void requireColumns(Kernel kernel, int[] columns) {
    int d = dimensions(kernel);
    for (int c : columns)
      if (c < 0 || (d > 0 && c >= d))
        throw new IllegalArgumentException(
            "a column must be %s, got %s; columns are counted from 0"
                .formatted(d > 0 ? "0 to " + (d - 1) : "0 or more", c));
  }

  static Kernel withCategories(Kernel kernel, int[] columns) {
    return switch (kernel) {
      case Leaf leaf -> leaf.coded(columns);
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) ->
          new Kernel.Scaled(v, fixed, withCategories(inner, columns));
      case Kernel.Sum(var terms) ->
          new Kernel.Sum(terms.stream().map(k -> withCategories(k, columns)).toList());
      case Kernel.Product(var factors) ->
          new Kernel.Product(factors.stream().map(k -> withCategories(k, columns)).toList());
      case Kernel.Additive additive ->
          throw new IllegalArgumentException(
              additive + " names no columns; bind it, then say which of them hold words");
    };
  }

  static Kernel on(Kernel kernel, int[] columns) {
    if (columns.length == 0)
      throw new IllegalArgumentException("a kernel reads at least one column, got none");
    if (Arrays.stream(columns).anyMatch(c -> c < 0)
        || Arrays.stream(columns).distinct().count() < columns.length)
      throw new IllegalArgumentException(
          "columns are counted from 0 and each is named once, got " + Arrays.toString(columns));
    return switch (kernel) {
      case Leaf leaf -> leaf.read(columns);
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) ->
          new Kernel.Scaled(v, fixed, on(inner, columns));
      case Kernel.Sum(var terms) -> sum(terms.stream().map(k -> on(k, columns)).toList());
      case Kernel.Product(var factors) ->
          product(factors.stream().map(k -> on(k, columns)).toList());
      case Kernel.Additive(Kernel base) -> on(Kernel.additive(base, columns.length), columns);
    };
  }

  static Kernel bind(Kernel kernel, int d) {
    Kernel attached = attach(kernel, d);
    return kernel.dimensions() > 0 ? attached : Coefficients.complete(attached);
  }

  static Kernel attach(Kernel kernel, int d) {
    if (d < 1)
      throw new IllegalArgumentException("a kernel needs at least one input column, got " + d);
    return switch (kernel) {
      case Leaf leaf -> leaf.over(d);
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) ->
          new Kernel.Scaled(v, fixed, attach(inner, d));
      case Kernel.Sum(var terms) -> sum(terms.stream().map(k -> attach(k, d)).toList());
      case Kernel.Product(var factors) -> product(factors.stream().map(k -> attach(k, d)).toList());
      case Kernel.Additive(Kernel base) -> attach(Kernel.additive(base, d), d);
    };
  }

  static int count(Kernel kernel) {
    return switch (kernel) {
      case Leaf leaf -> {
        int count = 0;
        for (int s = 0; s < leaf.slots().size(); s++) count += leaf.slot(s).length;
        yield count;
      }
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) -> 1 + count(inner);
      case Kernel.Sum(var terms) -> terms.stream().mapToInt(Structure::count).sum();
      case Kernel.Product(var factors) -> factors.stream().mapToInt(Structure::count).sum();
      case Kernel.Additive(Kernel base) -> count(base);
    };
  }

  static int values(Kernel kernel, double[] out, int at) {
    switch (kernel) {
      case Leaf leaf -> {
        for (int s = 0; s < leaf.slots().size(); s++) for (double v : leaf.slot(s)) out[at++] = v;
      }
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) -> {
        out[at] = v;
        at = values(inner, out, at + 1);
      }
      case Kernel.Sum(var terms) -> {
        for (Kernel k : terms) at = values(k, out, at);
      }
      case Kernel.Product(var factors) -> {
        for (Kernel k : factors) at = values(k, out, at);
      }
      case Kernel.Additive(Kernel base) -> at = values(base, out, at);
    }
    return at;
  }

  /// `at[0]` is the next value to read.
  static Kernel with(Kernel kernel, double[] values, int[] at) {
    return switch (kernel) {
      case Leaf leaf -> {
        Leaf next = leaf.with(values, at[0]);
        at[0] += count(leaf);
        yield next;
      }
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) -> {
        double variance = values[at[0]++];
        yield new Kernel.Scaled(variance, fixed, with(inner, values, at));
      }
      case Kernel.Sum(var terms) -> {
        List<Kernel> next = new ArrayList<>();
        for (Kernel k : terms) next.add(with(k, values, at));
        yield new Kernel.Sum(next);
      }
      case Kernel.Product(var factors) -> {
        List<Kernel> next = new ArrayList<>();
        for (Kernel k : factors) next.add(with(k, values, at));
        yield new Kernel.Product(next);
      }
      case Kernel.Additive(Kernel base) -> new Kernel.Additive(with(base, values, at));
    };
  }

  /// The kernel in which parameter i, in the order of [#parameters], is fixed if `held[i]`. `at[0]`
  /// is the next parameter.
  static Kernel withFixed(Kernel kernel, boolean[] held, int[] at) {
    return switch (kernel) {
      case Leaf leaf -> {
        Leaf next = leaf.withFixed(held, at[0]);
        at[0] += leaf.slots().size();
        yield next;
      }
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) -> {
        boolean hold = held[at[0]++];
        yield new Kernel.Scaled(v, hold, withFixed(inner, held, at));
      }
      case Kernel.Sum(var terms) -> {
        List<Kernel> next = new ArrayList<>();
        for (Kernel k : terms) next.add(withFixed(k, held, at));
        yield new Kernel.Sum(next);
      }
      case Kernel.Product(var factors) -> {
        List<Kernel> next = new ArrayList<>();
        for (Kernel k : factors) next.add(withFixed(k, held, at));
        yield new Kernel.Product(next);
      }
      case Kernel.Additive(Kernel base) -> new Kernel.Additive(withFixed(base, held, at));
    };
  }

  /// The parameters with their paths. The path of a base kernel's parameter starts with its kind,
  /// with a number from the second of a kind on. The scale of the whole kernel is `outputscale`. An
  /// inner scale is named after the first base kernel that it scales.
  static List<Parameter> parameters(Kernel kernel) {
    Map<String, Integer> seen = new HashMap<>();
    Set<String> labels = new LinkedHashSet<>();
    for (Leaf leaf : leaves(kernel)) {
      int nth = seen.merge(leaf.kind(), 1, Integer::sum);
      String label = nth == 1 ? leaf.kind() : leaf.kind() + nth;
      while (!labels.add(label)) label = leaf.kind() + ++nth; // kinds may end in digits
    }
    List<Parameter> parameters = new ArrayList<>();
    name(kernel, true, List.copyOf(labels), new int[1], new HashMap<>(), parameters);
    return List.copyOf(parameters);
  }

  private static void name(
      Kernel kernel,
      boolean root,
      List<String> labels,
      int[] leaf,
      Map<String, Integer> scales,
      List<Parameter> out) {
    switch (kernel) {
      case Leaf base -> {
        String label = labels.get(leaf[0]++);
        for (int s = 0; s < base.slots().size(); s++)
          out.add(base.slots().get(s).parameter(label, base.slot(s), base.fixed(s)));
      }
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) -> {
        String path = root ? "outputscale" : labels.get(leaf[0]) + ".outputscale";
        int nth = scales.merge(path, 1, Integer::sum);
        String name = nth == 1 ? path : path + nth;
        out.add(Parameter.positive(Parameter.Role.OUTPUTSCALE, name, v).withFixed(fixed));
        name(inner, false, labels, leaf, scales, out);
      }
      case Kernel.Sum(var terms) -> terms.forEach(k -> name(k, false, labels, leaf, scales, out));
      case Kernel.Product(var factors) ->
          factors.forEach(k -> name(k, false, labels, leaf, scales, out));
      case Kernel.Additive(Kernel base) -> name(base, false, labels, leaf, scales, out);
    }
  }

  static boolean separable(Kernel kernel) {
    if (dimensions(kernel) > 0 && kernel.activeColumns().length <= 1) return true;
    return switch (kernel) {
      case Radial radial -> radial.shape() == Radial.Shape.RBF;
      case Periodic p -> true;
      case Cosine c -> true;
      case SpectralMixture mixture -> mixture.size() == 1;
      case Constant c -> true;
      case Linear l -> false;
      case Custom c -> false;
      case White w -> true;
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) -> separable(inner);
      case Kernel.Product(var factors) -> factors.stream().allMatch(Structure::separable);
      case Kernel.Sum s -> false;
      case Kernel.Additive a -> false;
    };
  }

  static boolean isotropic(Kernel kernel) {
    if (!kernel.isStationary() || kernel instanceof Kernel.Additive) return false;
    if (dimensions(kernel) == 1) return kernel.categories().length == 0;
    Leaf first = null;
    for (Leaf leaf : leaves(kernel)) {
      if (!leaf.readsColumns()) continue;
      if (!(leaf instanceof Radial) || leaf.cols().length < dimensions(kernel)) return false;
      if (leaf.categories().length > 0) return false;
      if (first == null) first = leaf;
      else if (!Arrays.equals(first.cols(), leaf.cols())
          || !Arrays.equals(first.slot(0), leaf.slot(0))) return false;
    }
    return true;
  }

  static @Nullable Kernel withoutWhite(Kernel kernel) {
    return switch (kernel) {
      case White w -> null;
      case Leaf leaf -> leaf;
      case Kernel.Scaled(double v, boolean fixed, Kernel inner) -> {
        Kernel rest = withoutWhite(inner);
        yield rest == null ? null : new Kernel.Scaled(v, fixed, rest);
      }
      case Kernel.Sum(var terms) -> {
        List<Kernel> rest =
            terms.stream().map(Structure::withoutWhite).filter(Objects::nonNull).toList();
        yield rest.isEmpty() ? null : sum(rest);
      }
      case Kernel.Product(var factors) -> {
        List<Kernel> rest =
            factors.stream().map(Structure::withoutWhite).filter(Objects::nonNull).toList();
        yield rest.size() < factors.size() ? null : product(rest);
      }
      case Kernel.Additive(Kernel base) -> {
        Kernel rest = withoutWhite(base);
        yield rest == null ? null : new Kernel.Additive(rest);
      }
    };
  }

  /// See [Kernel#latentPlaces].
  static int[] latentPlaces(Kernel kernel) {
    double[] numbers = new double[kernel.parameterCount()];
    for (int i = 0; i < numbers.length; i++) numbers[i] = i + 1; // values must be positive
    double[] left = kernel.with(numbers).withoutWhite().values();
    return Arrays.stream(left).mapToInt(number -> (int) number - 1).toArray();
  }
}
