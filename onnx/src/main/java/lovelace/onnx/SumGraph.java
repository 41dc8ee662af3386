package lovelace.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import lovelace.grid.AdditiveGrid;
import lovelace.grid.Grid;
import lovelace.lattice.LatticePosterior;
import lovelace.onnx.Graph.Value;

/// The mean `wᵀa` and the variance `wᵀPw` of a sum over grids, from the weights of its stencils and
/// the lower triangle of P.
final class SumGraph implements LatticeGraph.Cells {

  private final Graph graph;
  private final LatticePosterior posterior;
  private final int size;
  private final int stencil;
  private final Value weights; // rows × stencil
  private final Value places;

  /// @param x coordinates inside the grids, one vector per column
  SumGraph(Graph graph, LatticePosterior posterior, AdditiveGrid sum, List<Value> x) {
    this.graph = graph;
    this.posterior = posterior;
    size = sum.size();
    stencil = sum.stencilSize();
    List<Value> weight = new ArrayList<>();
    List<Value> place = new ArrayList<>();
    for (int c = 0; c < sum.components(); c++) {
      AdditiveGrid.Component part = sum.component(c);
      Grid grid = part.grid();
      List<Value> own =
          IntStream.range(0, grid.dimensions()).mapToObj(a -> x.get(part.column(a))).toList();
      CellGraph cells = new CellGraph(graph, posterior, grid, own);
      weight.add(cells.weights());
      place.add(cells.places(sum.start(c)));
    }
    weights = graph.join(1, weight);
    places = graph.join(1, place);
  }

  @Override
  public Value[] moments() {
    double[] table = posterior.table();
    int pairs = stencil * (stencil + 1) / 2;
    int[] first = new int[pairs]; // i ≥ j, and so are their indices
    int[] second = new int[pairs];
    double[] times = new double[pairs];
    for (int i = 0, k = 0; i < stencil; i++)
      for (int j = 0; j <= i; j++, k++) {
        first[k] = i;
        second[k] = j;
        times[k] = i == j ? 1 : 2;
      }
    Value rows = graph.wholes(i -> first[i], pairs);
    Value columns = graph.wholes(i -> second[i], pairs);
    Value starts = graph.wholes(i -> i * (i + 1L) / 2, size); // of the triangle's rows
    Value at =
        graph.add(
            graph.gather(starts, graph.gather(places, rows, 1), 0),
            graph.gather(places, columns, 1));
    Value entries = graph.gather(graph.numbers("covariance", table, table.length), at, 0);
    Value products = graph.mul(graph.gather(weights, rows, 1), graph.gather(weights, columns, 1));
    Value multiples = graph.numbers("times", times, 1, pairs);
    Value variance = graph.sum(graph.mul(graph.mul(products, multiples), entries), 1);
    return new Value[] {
      interpolated(posterior.latticeMean()), graph.max(variance, graph.number(posterior.floor()))
    };
  }

  @Override
  public Value interpolated(double[] nodes) {
    Value values = graph.gather(graph.numbers("mean", nodes, nodes.length), places, 0);
    return graph.sum(graph.mul(weights, values), 1);
  }
}
