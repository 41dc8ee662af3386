package lovelace.onnx;

import java.util.List;
import lovelace.linear.Gaussian;
import lovelace.onnx.Graph.Value;

/// The standard normal distribution in operators, because onnxruntime has no `Erf` of float64. Φ is
/// a table of its Taylor series, one per cell of width ¼ from −9 to 9, exact to 1e-15.
final class NormalGraph {

  private static final double REACH = 9;
  private static final double WIDTH = 0.25;
  private static final int CELLS = 72;
  private static final int TERMS = 13;

  private final Graph graph;
  private final Value table;

  NormalGraph(Graph graph) {
    this.graph = graph;
    double[] all = new double[CELLS * TERMS];
    for (int c = 0; c < CELLS; c++) series(WIDTH * (c + 0.5) - REACH, all, c * TERMS);
    table = graph.numbers("normal", all, CELLS, TERMS);
  }

  /// The coefficients `Φ⁽ⁿ⁾ = (−1)ⁿ⁻¹ Heₙ₋₁ φ`, divided by n!.
  private static void series(double at, double[] out, int from) {
    out[from] = Gaussian.cdf(at);
    double older = 0;
    double hermite = 1; // He of n − 1
    double scale = Gaussian.density(at);
    for (int n = 1; n < TERMS; n++) {
      scale /= n;
      out[from + n] = (n % 2 == 1 ? 1 : -1) * hermite * scale;
      double next = at * hermite - (n - 1) * older;
      older = hermite;
      hermite = next;
    }
  }

  /// φ(z).
  Value density(Value z) {
    return graph.exp(graph.sub(graph.mul(graph.square(z), -0.5), 0.5 * Math.log(2 * Math.PI)));
  }

  /// Φ(z) for a z with `axes` axes.
  Value cdf(Value z, int axes) {
    Value inner = graph.min(z, graph.number(REACH));
    Value safe = graph.where(graph.greater(z, -REACH), inner, graph.number(-REACH));
    Value steps = graph.floor(graph.div(graph.add(safe, REACH), WIDTH));
    Value cell = graph.min(steps, graph.number(CELLS - 1));
    Value middle = graph.sub(graph.mul(graph.add(cell, 0.5), WIDTH), REACH);
    Value t = graph.widen(graph.sub(safe, middle), axes);
    List<Value> powers = graph.split(graph.gather(table, graph.whole(cell), 0), axes, TERMS);
    Value sum = powers.getLast();
    for (int p = TERMS - 2; p >= 0; p--) sum = graph.add(powers.get(p), graph.mul(t, sum));
    return graph.where(graph.equal(z, z), graph.narrow(sum, axes), z); // NaN stays NaN
  }
}
