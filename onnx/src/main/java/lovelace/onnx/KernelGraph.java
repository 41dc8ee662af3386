package lovelace.onnx;

import java.util.Arrays;
import java.util.List;
import lovelace.kernel.Kernel;
import lovelace.kernel.Leaf;
import lovelace.kernel.Radial;
import lovelace.kernel.Term;
import lovelace.onnx.Graph.Value;
import org.jspecify.annotations.Nullable;

/// A kernel in operators: `k(x, y)` for coordinates that broadcast against each other.
final class KernelGraph {

  /// At this distance `exp(−r)` is 0. An infinite distance would give `∞ · 0`.
  private static final double FAR = 1e4;

  private final Graph graph;
  private final Kernel kernel;

  /// @param kernel without white noise, bound and with all its values
  KernelGraph(Graph graph, Kernel kernel) {
    this.graph = graph;
    this.kernel = kernel;
  }

  /// Whether the graph can express a kernel: all except a user's own.
  static boolean says(Kernel kernel) {
    return kernel.terms().stream()
        .flatMap(term -> term.factors().stream())
        .allMatch(leaf -> leaf instanceof Radial || KINDS.contains(leaf.kind()));
  }

  private static final List<String> KINDS = List.of("periodic", "cosine", "sm", "linear");

  /// k(x, y), one coordinate per column.
  Value at(List<Value> x, List<Value> y) {
    Value sum = null;
    for (Term term : kernel.terms()) {
      Value product = graph.number(term.amplitude());
      for (Leaf leaf : term.factors()) product = graph.mul(product, leaf(leaf, x, y));
      sum = sum == null ? product : graph.add(sum, product);
    }
    if (sum == null) throw new IllegalStateException("a kernel without terms");
    return sum;
  }

  private Value leaf(Leaf leaf, List<Value> x, List<Value> y) {
    if (leaf instanceof Radial radial) return radial(radial, x, y);
    double[] values = leaf.values();
    int[] columns = leaf.columns();
    int n = columns.length;
    return switch (leaf.kind()) {
      case "periodic" -> {
        Value sum = null;
        for (int c = 0; c < n; c++) {
          Value phase = graph.mul(graph.div(distance(x, y, columns[c]), values[n + c]), Math.PI);
          Value part = graph.mul(graph.square(graph.sin(phase)), -2 / (values[c] * values[c]));
          sum = sum == null ? part : graph.add(sum, part);
        }
        yield graph.exp(known(sum, leaf));
      }
      case "cosine" -> {
        Value product = null;
        for (int c = 0; c < n; c++) {
          Value turns = graph.div(distance(x, y, columns[c]), values[c]);
          Value part = graph.cos(graph.mul(turns, 2 * Math.PI));
          product = product == null ? part : graph.mul(product, part);
        }
        yield known(product, leaf);
      }
      case "sm" -> mixture(leaf, values, columns, x, y);
      case "linear" -> {
        Value sum = null;
        for (int c = 0; c < n; c++) {
          Value a = graph.sub(x.get(columns[c]), values[n + c]);
          Value b = graph.sub(y.get(columns[c]), values[n + c]);
          Value part = graph.mul(graph.mul(a, b), values[c]);
          sum = sum == null ? part : graph.add(sum, part);
        }
        yield known(sum, leaf);
      }
      default -> throw new IllegalStateException("a graph cannot express " + leaf);
    };
  }

  private Value mixture(Leaf leaf, double[] values, int[] columns, List<Value> x, List<Value> y) {
    int n = columns.length;
    int components = values.length / (1 + 2 * n);
    Value sum = null;
    for (int q = 0; q < components; q++) {
      Value exponent = null;
      Value product = graph.number(values[q]);
      for (int c = 0; c < n; c++) {
        Value tau = graph.mul(distance(x, y, columns[c]), 2 * Math.PI);
        double frequency = values[components + q * n + c];
        double bandwidth = values[components + components * n + q * n + c];
        Value part = graph.square(graph.mul(tau, bandwidth));
        exponent = exponent == null ? part : graph.add(exponent, part);
        product = graph.mul(product, graph.cos(graph.mul(tau, frequency)));
      }
      product = graph.mul(product, graph.exp(graph.mul(known(exponent, leaf), -0.5)));
      sum = sum == null ? product : graph.add(sum, product);
    }
    return known(sum, leaf);
  }

  private static Value known(@Nullable Value value, Leaf leaf) {
    if (value == null) throw new IllegalStateException(leaf + " reads no column");
    return value;
  }

  private Value distance(List<Value> x, List<Value> y, int column) {
    return graph.abs(graph.sub(x.get(column), y.get(column)));
  }

  private Value radial(Radial radial, List<Value> x, List<Value> y) {
    int[] columns = radial.columns();
    double[] lengthscales = radial.lengthscales();
    int[] words = radial.categories();
    Value square = null;
    for (int c = 0; c < columns.length; c++) {
      double inverse = 1 / lengthscales[c];
      Value part;
      if (Arrays.binarySearch(words, columns[c]) >= 0) {
        Value same = graph.equal(x.get(columns[c]), y.get(columns[c]));
        part = graph.where(same, graph.number(0), graph.number(inverse * inverse));
      } else {
        Value scaled = graph.mul(graph.sub(x.get(columns[c]), y.get(columns[c])), inverse);
        part = graph.square(scaled);
      }
      square = square == null ? part : graph.add(square, part);
    }
    Value s = known(square, radial);
    return switch (radial.shape()) {
      case RBF -> graph.exp(graph.mul(s, -0.5));
      case MATERN12 -> graph.exp(graph.neg(graph.sqrt(s)));
      case MATERN32 -> {
        Value a = distance(s, 3);
        yield graph.mul(graph.add(a, 1), graph.exp(graph.neg(a)));
      }
      case MATERN52 -> {
        Value a = distance(s, 5);
        Value polynomial = graph.add(graph.add(a, 1), graph.div(graph.square(a), 3));
        yield graph.mul(polynomial, graph.exp(graph.neg(a)));
      }
      case RATIONAL_QUADRATIC -> {
        double[] values = radial.values();
        double alpha = values[values.length - 1];
        Value u = graph.add(graph.div(s, 2 * alpha), 1);
        yield graph.exp(graph.mul(graph.log(u), -alpha));
      }
    };
  }

  private Value distance(Value square, double factor) {
    return graph.min(graph.sqrt(graph.mul(square, factor)), graph.number(FAR));
  }
}
