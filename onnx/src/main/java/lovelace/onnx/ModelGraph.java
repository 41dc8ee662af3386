package lovelace.onnx;

import java.util.ArrayList;
import java.util.List;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.lattice.LatticePosterior;
import lovelace.onnx.Graph.Value;
import lovelace.onnx.OnnxExport.Inputs;
import lovelace.posterior.internal.RowPosterior;

/// A whole model in operators: columns, features, the process, and what is asked for of it.
final class ModelGraph {

  private ModelGraph() {}

  static Graph of(Model model, OnnxExport options) {
    Graph graph = new Graph(options.float32() ? Type.FLOAT : Type.DOUBLE);
    List<Value> columns = columns(graph, model.columns(), options.inputs());
    LatticePosterior lattice =
        switch (model.posterior()) {
          case LatticePosterior own -> own;
          case RowPosterior rows ->
              throw new IllegalArgumentException(
                  "the model holds its rows and answers from them, which a graph of tables cannot; fit it on a grid (--engine spectral, krylov or markov, or --grid)");
          default -> throw new IllegalArgumentException("a graph cannot say this model yet");
        };
    LatticeGraph process = new LatticeGraph(graph, lattice, columns);
    TargetGraph.of(graph, model, options, process.latent(), process.outside());
    return graph;
  }

  /// The columns as vectors of numbers.
  private static List<Value> columns(Graph graph, List<Column> columns, Inputs inputs) {
    List<Value> all = new ArrayList<>();
    if (inputs == Inputs.X) {
      String names = String.join(", ", columns.stream().map(Column::name).toList());
      String count = Integer.toString(columns.size());
      Value x = graph.input("x", graph.real(), "columns: " + names, "rows", count);
      for (int j = 0; j < columns.size(); j++) all.add(graph.column(x, j));
      return all;
    }
    for (Column column : columns) {
      String about = Metadata.describe(column, true);
      if (!column.isText()) all.add(graph.input(column.name(), graph.real(), about, "rows"));
      else {
        Value words = graph.input(column.name(), Type.STRING, about, "rows");
        all.add(graph.real(graph.words(words, column.values())));
      }
    }
    return all;
  }
}
