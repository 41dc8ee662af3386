package lovelace.onnx;

import lovelace.Model;
import lovelace.data.TargetTransform;
import lovelace.likelihood.Likelihood.Of;
import lovelace.linear.Gaussian;
import lovelace.onnx.Graph.Value;
import lovelace.onnx.LatticeGraph.Latent;

/// What is asked for of a Gaussian f, in the units of the table: the outputs of a graph.
final class TargetGraph {

  private final Graph graph;
  private final double deviations; // from the mean to the end of an interval

  private TargetGraph(Graph graph, double interval) {
    this.graph = graph;
    deviations = Gaussian.quantile(0.5 * (1 + interval));
  }

  static void of(Graph graph, Model model, OnnxExport options, Latent f) {
    new TargetGraph(graph, options.interval()).outputs(model, options.of(model), f);
  }

  private void outputs(Model model, Of of, Latent f) {
    Value noisy = of == Of.OBSERVATION ? graph.add(f.variance(), model.noise()) : f.variance();
    Value half = graph.mul(graph.sqrt(noisy), deviations);
    Value lower = graph.sub(f.mean(), half);
    Value upper = graph.add(f.mean(), half);
    Value mean = f.mean();
    Value variance = noisy;
    if (model.transform().equals(TargetTransform.LOG)) {
      // exp(v) − 1 without loss of digits: tanh(v/2) (exp(v) + 1)
      Value less = graph.mul(graph.tanh(graph.mul(noisy, 0.5)), graph.add(graph.exp(noisy), 1));
      Value twice = graph.add(graph.mul(f.mean(), 2), noisy);
      mean = graph.exp(graph.add(f.mean(), graph.mul(noisy, 0.5)));
      variance = graph.mul(less, graph.exp(twice));
      lower = graph.exp(lower);
      upper = graph.exp(upper);
    }
    String what = of.toString();
    graph.output("mean", mean, "mean of the " + what);
    graph.output("variance", variance, "variance of the " + what);
    graph.output("stddev", graph.sqrt(variance), "standard deviation of the " + what);
    graph.output("lower", lower, "lower end of the interval");
    graph.output("upper", upper, "upper end of the interval");
    graph.output("outside", f.outside(), "whether the row lies outside the grid of the model");
  }
}
