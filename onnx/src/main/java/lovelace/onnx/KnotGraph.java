package lovelace.onnx;

import java.util.Arrays;
import lovelace.onnx.Graph.Value;

/// A piecewise linear function in operators. Its knots increase, and beyond them it continues with
/// the end slopes.
final class KnotGraph {

  private final Graph graph;
  private final double[] x;
  private final double[] z;

  /// Takes ownership of both arrays.
  KnotGraph(Graph graph, double[] x, double[] z) {
    this.graph = graph;
    this.x = x;
    this.z = z;
  }

  /// The value of z for a vector of x.
  Value at(Value value) {
    double[] slopes = new double[x.length - 1];
    for (int i = 0; i < slopes.length; i++) slopes[i] = (z[i + 1] - z[i]) / (x[i + 1] - x[i]);
    Value segment = segment(value);
    Value from =
        graph.gather(
            graph.numbers("knots", Arrays.copyOf(x, slopes.length), slopes.length), segment, 0);
    Value base =
        graph.gather(
            graph.numbers("scores", Arrays.copyOf(z, slopes.length), slopes.length), segment, 0);
    Value slope = graph.gather(graph.numbers("slopes", slopes, slopes.length), segment, 0);
    return graph.add(base, graph.mul(graph.sub(value, from), slope));
  }

  /// The number of inner knots that are at most the value.
  private Value segment(Value value) {
    int inner = x.length - 2;
    if (inner == 0) return graph.whole(graph.mul(graph.real(graph.atLeast(value, 0)), 0));
    Value knots = graph.numbers("inner", Arrays.copyOfRange(x, 1, 1 + inner), 1, inner);
    Value passed = graph.real(graph.atLeast(graph.widen(value, 1), knots));
    return graph.whole(graph.sum(passed, 1));
  }
}
