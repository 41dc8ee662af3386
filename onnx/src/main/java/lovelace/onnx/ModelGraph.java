package lovelace.onnx;

import java.util.ArrayList;
import java.util.List;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.drift.DriftedPosterior;
import lovelace.drift.Terms;
import lovelace.drift.Trend;
import lovelace.lattice.LatticePosterior;
import lovelace.onnx.Graph.Value;
import lovelace.onnx.LatticeGraph.Latent;
import lovelace.onnx.OnnxExport.Inputs;

/// A whole model in operators: columns, features, the process, and the predicted quantity.
final class ModelGraph {

  private ModelGraph() {}

  static Graph of(Model model, OnnxExport options) {
    Graph graph = new Graph(options.float32() ? Type.FLOAT : Type.DOUBLE);
    List<Value> columns = columns(graph, model.columns(), options.inputs());
    LatticePosterior lattice = model.lattice().orElseThrow(() -> ofRows(model));
    List<Value> read = columns.subList(0, model.processColumns().size());
    List<Value> seen = model.map().map(map -> FeatureGraph.of(graph, map, read)).orElse(read);
    LatticeGraph process = new LatticeGraph(graph, lattice, seen);
    Latent f =
        model
            .drifted()
            .map(drifted -> drifted(graph, drifted, process, columns))
            .orElseGet(process::latent);
    TargetGraph.of(graph, model, options, f);
    return graph;
  }

  private static IllegalArgumentException ofRows(Model model) {
    return new IllegalArgumentException(
        "the model answers from its rows with engine %s, which a graph of tables cannot do; fit it on a grid (--grid, or --engine spectral or krylov)"
            .formatted(model.held().orElseThrow().engine()));
  }

  /// Follows [DriftedPosterior]: the process of the residuals, the mean of the coefficients, and
  /// their uncertainty, `rᵀA⁻¹r = |L⁻¹r|²`.
  private static Latent drifted(
      Graph graph, DriftedPosterior drifted, LatticeGraph process, List<Value> columns) {
    Trend trend = drifted.trend();
    Terms terms = trend.terms();
    Latent left = process.latent();
    int q = terms.size();
    double[] beta = trend.beta();
    Value mean = left.mean();
    List<Value> r = new ArrayList<>();
    for (int j = 0; j < q; j++) {
      Value f =
          j == 0
              ? graph.number(1)
              : graph.div(graph.sub(columns.get(terms.place(j)), terms.centre(j)), terms.scale(j));
      mean = graph.add(mean, graph.mul(f, beta[j]));
      r.add(graph.sub(f, process.term(drifted.nodes(j))));
    }
    double[] inverse = new double[q * q]; // (L⁻¹)ᵀ, row-major
    for (int j = 0; j < q; j++) {
      double[] unit = new double[q];
      unit[j] = 1;
      trend.whiten(unit, 0);
      System.arraycopy(unit, 0, inverse, j * q, q);
    }
    Value white = graph.product(graph.columns(r), graph.numbers("whitening", inverse, q, q));
    Value variance = graph.add(left.variance(), graph.sum(graph.square(white), 1));
    return new Latent(mean, variance, left.outside());
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
