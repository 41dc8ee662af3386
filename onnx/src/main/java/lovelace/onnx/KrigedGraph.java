package lovelace.onnx;

import java.util.ArrayList;
import java.util.List;
import lovelace.grid.Grid;
import lovelace.grid.StencilMatrix;
import lovelace.grid.StencilPairs;
import lovelace.kernel.Kernel;
import lovelace.kernel.PriorMean;
import lovelace.lattice.LatticePosterior;
import lovelace.latticekernel.LocalKriging;
import lovelace.onnx.Graph.Value;

/// A grid of a rough kernel in operators. f is kriged from the points of its stencil, as
/// [LocalKriging] describes, because polynomials would lose variance.
final class KrigedGraph implements LatticeGraph.Cells {

  private final Graph graph;
  private final LatticePosterior posterior;
  private final Grid grid;
  private final List<Value> x;
  private final CellGraph cells;
  private final Value weights; // B, rows × stencil
  private final Value loss; // D

  /// @param x coordinates inside the grid, one vector per axis
  KrigedGraph(Graph graph, LatticePosterior posterior, Grid grid, List<Value> x) {
    this.graph = graph;
    this.posterior = posterior;
    this.grid = grid;
    this.x = x;
    cells = new CellGraph(graph, posterior, grid, x);
    Kernel kernel = posterior.hyperparameters().kernel().withoutWhite();
    LocalKriging kriging = LocalKriging.of(grid, kernel);
    int d = grid.dimensions();
    int s = grid.stencilSize();
    List<Value> places = new ArrayList<>();
    List<Value> nodes = new ArrayList<>();
    Value on = null;
    Value point = graph.number(0); // the index in the stencil of the grid point that it lies on
    for (int a = 0; a < d; a++) {
      int axis = a;
      Value t = cells.offsets().get(a);
      places.add(graph.widen(graph.mul(graph.add(t, 1.5), grid.axis(a).step()), 1));
      nodes.add(
          graph.numbers(
              "nodes",
              place -> ((int) place >> (2 * (d - 1 - axis)) & 3) * grid.axis(axis).step(),
              1,
              s));
      Value own = graph.atMost(graph.abs(graph.sub(graph.abs(t), 0.5)), kriging.near());
      on = on == null ? own : graph.and(on, own);
      Value which = graph.where(graph.less(t, 0), graph.number(1), graph.number(2));
      point = graph.add(graph.mul(point, 4), which);
    }
    if (on == null) throw new IllegalStateException("a grid without axes");
    Value k = new KernelGraph(graph, kernel).at(places, nodes);
    Value own;
    Value left;
    if (kriging.kriges()) {
      double[] inverse = inverse(kriging.factor(), s);
      Value upper = graph.numbers("root", p -> inverse[(int) (p % s * s + p / s)], s, s);
      Value white = graph.product(k, upper);
      own = graph.product(white, graph.numbers("root", inverse, s, s));
      left = graph.sub(graph.number(kriging.variance()), graph.sum(graph.square(white), 1));
    } else {
      own = cells.weights();
      Value with = graph.product(own, graph.numbers("among", kriging.covariance(), s, s));
      Value terms = graph.mul(own, graph.sub(with, graph.mul(k, 2)));
      left = graph.add(graph.sum(terms, 1), kriging.variance());
    }
    Value numbers = graph.numbers("places", p -> p, 1, s);
    Value picked = graph.real(graph.equal(graph.widen(point, 1), numbers));
    weights = graph.where(graph.widen(on, 1), picked, own);
    loss = graph.where(on, graph.number(0), graph.max(left, graph.number(0)));
  }

  /// L⁻¹ of a lower triangle, row-major.
  private static double[] inverse(double[] l, int s) {
    double[] inverse = new double[s * s];
    for (int j = 0; j < s; j++)
      for (int i = j; i < s; i++) {
        double sum = i == j ? 1 : 0;
        for (int k = j; k < i; k++) sum -= l[i * s + k] * inverse[k * s + j];
        inverse[i * s + j] = sum / l[i * s + i];
      }
    return inverse;
  }

  @Override
  public Value[] moments() {
    PriorMean prior = posterior.hyperparameters().mean();
    double[] values = posterior.latticeMean();
    double[] points = grid.points();
    for (int i = 0; i < values.length; i++) values[i] -= prior.at(points, i * grid.dimensions());
    Value[] smooth = cells.polynomials();
    Value mean = graph.add(LatticeGraph.prior(graph, prior, x), interpolated(values));
    Value variance = graph.add(loss, quadratic());
    Value enough = graph.greater(smooth[1], posterior.smoothFrom());
    Value found = graph.where(enough, smooth[1], variance);
    Value known = graph.equal(found, graph.number(0)); // a grid point whose value is known
    Value floored = graph.max(found, graph.number(posterior.floor()));
    return new Value[] {graph.where(enough, smooth[0], mean), graph.where(known, found, floored)};
  }

  /// `B P_SS Bᵀ`.
  private Value quadratic() {
    int d = grid.dimensions();
    StencilPairs pairs = StencilPairs.of(grid);
    int count = pairs.count();
    int m = grid.size();
    int diagonals = StencilMatrix.diagonalCount(d);
    double[] packed = posterior.table();
    double[][] entries = posterior.entries();
    Value table =
        d == 3
            ? graph.numbers("covariance", packed, packed.length)
            : graph.numbers(
                "covariance",
                place -> entries[(int) (place % diagonals)][(int) (place / diagonals)],
                (long) m * diagonals);
    Value first = graph.mul(cells.corner(), graph.whole(diagonals));
    Value at =
        graph.add(
            graph.widen(first, 1),
            graph.wholes(k -> (long) pairs.place(k) * diagonals + pairs.diagonal(k), count));
    Value from = graph.gather(weights, graph.wholes(pairs::from, count), 1);
    Value to = graph.gather(weights, graph.wholes(pairs::to, count), 1);
    Value times =
        graph.numbers("times", k -> pairs.from((int) k) == pairs.to((int) k) ? 1 : 2, 1, count);
    Value products = graph.mul(graph.mul(from, to), times);
    return graph.sum(graph.mul(products, graph.gather(table, at, 0)), 1);
  }

  @Override
  public Value interpolated(double[] nodes) {
    Value values = graph.gather(graph.numbers("mean", nodes, nodes.length), cells.places(0), 0);
    return graph.sum(graph.mul(weights, values), 1);
  }
}
