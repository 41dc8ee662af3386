package lovelace.onnx;

import java.util.Arrays;
import java.util.List;
import lovelace.Model;
import lovelace.data.TargetTransform;
import lovelace.grid.Lattice;
import lovelace.kernel.Kernel;
import lovelace.lattice.LatticePosterior;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Link;
import lovelace.likelihood.Likelihood.Of;
import lovelace.linear.Gaussian;
import lovelace.onnx.Graph.Value;
import lovelace.onnx.LatticeGraph.Latent;

/// The outputs of a graph: the quantity to predict from a Gaussian f, in the units of the table.
final class TargetGraph {

  /// The number of standard deviations beyond which probabilities are neglected.
  private static final double REACH = 9;

  private final Graph graph;
  private final Value m;
  private final Value v;
  private final Value lower; // the ends of the interval of the Gaussian
  private final Value upper;

  private TargetGraph(Graph graph, Value mean, Value variance, double interval) {
    this.graph = graph;
    m = mean;
    v = variance;
    Value half = graph.mul(graph.sqrt(v), Gaussian.quantile(0.5 * (1 + interval)));
    lower = graph.sub(m, half);
    upper = graph.add(m, half);
  }

  /// Mean, variance and the ends of the interval.
  private record Law(Value mean, Value variance, Value lower, Value upper) {}

  static void of(Graph graph, Model model, OnnxExport options, Latent f) {
    Of of = options.of(model);
    Likelihood likelihood = model.likelihood();
    if (of == Of.OBSERVATION) requireNoise(likelihood);
    Value variance = of == Of.OBSERVATION ? graph.add(f.variance(), model.noise()) : f.variance();
    TargetGraph own = new TargetGraph(graph, f.mean(), variance, options.interval());
    Law law =
        switch (of) {
          case RATE -> own.exponential();
          case PROBABILITY -> own.probability(likelihood.probabilityLink().orElseThrow(), model);
          case FUNCTION, OBSERVATION -> own.undone(model.transform());
        };
    graph.output("mean", law.mean, "mean of the " + of);
    graph.output("variance", law.variance, "variance of the " + of);
    graph.output("stddev", graph.sqrt(law.variance), "standard deviation of the " + of);
    graph.output("lower", law.lower, "lower end of the interval");
    graph.output("upper", law.upper, "upper end of the interval");
    graph.output("outside", f.outside(), "whether the row lies outside the grid of the model");
  }

  private static void requireNoise(Likelihood likelihood) {
    if (!likelihood.isGaussian())
      throw new IllegalArgumentException(
          "the interval of an observation under %1$s needs a search, which a graph cannot do; export predictions of the %2$s instead (--of %2$s)"
              .formatted(likelihood, likelihood.usual()));
    if (likelihood.size() == Likelihood.Size.PRECISION)
      throw new IllegalArgumentException(
          "this model needs the noise of each row, and the graph has no input for it; export predictions of the function (--of function), and add the noise variance yourself");
  }

  private Law undone(TargetTransform transform) {
    if (transform.equals(TargetTransform.NONE)) return new Law(m, v, lower, upper);
    if (transform.equals(TargetTransform.LOG)) return exponential();
    return ranks(transform.text());
  }

  /// The law of exp(f), which is log-normal.
  private Law exponential() {
    // exp(v) − 1 without loss of digits: tanh(v/2) (exp(v) + 1)
    Value less = graph.mul(graph.tanh(graph.mul(v, 0.5)), graph.add(graph.exp(v), 1));
    Value variance = graph.mul(less, graph.exp(graph.add(graph.mul(m, 2), v)));
    Value mean = graph.exp(graph.add(m, graph.mul(v, 0.5)));
    return new Law(mean, variance, graph.exp(lower), graph.exp(upper));
  }

  // ---- probabilities ----

  private Law probability(Link link, Model model) {
    double widest = Math.sqrt(largest(model));
    // the trapezoidal rule errs by exp(−2π²/(sd·step)) for the logistic function
    double step = Math.min(0.5, (link == Link.LOGIT ? 0.55 : 1.0) / widest);
    int side = (int) Math.ceil(REACH / step);
    double[] nodes = new double[2 * side + 1];
    double[] weights = new double[nodes.length];
    double sum = 0;
    for (int k = 0; k < nodes.length; k++) {
      nodes[k] = (k - side) * step;
      weights[k] = Math.exp(-0.5 * nodes[k] * nodes[k]);
      sum += weights[k];
    }
    for (int k = 0; k < nodes.length; k++) weights[k] /= sum;
    Value u = graph.numbers("nodes", nodes, 1, nodes.length);
    Value w = graph.numbers("weights", weights, 1, nodes.length);
    Value f = graph.add(graph.widen(m, 1), graph.mul(graph.widen(graph.sqrt(v), 1), u));
    NormalGraph normal = new NormalGraph(graph);
    Value p = probability(link, normal, f, 2);
    Value mean =
        link == Link.LOGIT
            ? graph.sum(graph.mul(p, w), 1)
            : normal.cdf(graph.div(m, graph.sqrt(graph.add(v, 1))), 1);
    Value off = graph.square(graph.sub(p, graph.widen(mean, 1)));
    return new Law(
        mean,
        graph.sum(graph.mul(off, w), 1),
        probability(link, normal, lower, 1),
        probability(link, normal, upper, 1));
  }

  private Value probability(Link link, NormalGraph normal, Value f, int axes) {
    if (link == Link.PROBIT) return normal.cdf(f, axes);
    return graph.div(graph.number(1), graph.add(graph.exp(graph.neg(f)), 1));
  }

  /// The largest prior variance at a corner of the lattice's box.
  private static double largest(Model model) {
    LatticePosterior lattice = model.lattice().orElseThrow();
    Kernel kernel = lattice.hyperparameters().kernel().withoutWhite();
    Lattice box = lattice.statistics().lattice();
    int d = lattice.dimensions();
    double most = 0;
    for (int corner = 0; corner < 1 << Math.min(d, 10); corner++) {
      double[] x = new double[d];
      for (int j = 0; j < d; j++) x[j] = (corner >> j & 1) == 0 ? box.low(j) : box.high(j);
      most = Math.max(most, kernel.variance(x, 0));
    }
    return most;
  }

  // ---- ranks ----

  /// Undoes ranks. It sums over the segments of [lovelace.data.TargetTransform], whose text has the
  /// knots y:z. On a segment from α to β, in standard deviations from m, y is `a + b u`.
  private Law ranks(String text) {
    String[] knots = text.substring("ranks(".length(), text.length() - 1).split(",", -1);
    int n = knots.length;
    double[] y = new double[n];
    double[] z = new double[n];
    for (int i = 0; i < n; i++) {
      int colon = knots[i].indexOf(':');
      y[i] = Double.parseDouble(knots[i].substring(0, colon));
      z[i] = Double.parseDouble(knots[i].substring(colon + 1));
    }
    KnotGraph inverse = new KnotGraph(graph, z, y);
    Value origin = inverse.at(m);
    Value sd = graph.max(graph.sqrt(v), graph.number(1e-30));
    double[] slopes = new double[n - 1];
    for (int i = 0; i < n - 1; i++) slopes[i] = (y[i + 1] - y[i]) / (z[i + 1] - z[i]);
    Value slope = graph.numbers("slopes", slopes, 1, n - 1);
    Value from = graph.numbers("scores", Arrays.copyOf(z, n - 1), 1, n - 1);
    Value start = graph.numbers("values", Arrays.copyOf(y, n - 1), 1, n - 1);
    Value a =
        graph.add(
            graph.sub(start, graph.widen(origin, 1)),
            graph.mul(graph.sub(graph.widen(m, 1), from), slope));
    Value b = graph.mul(graph.widen(sd, 1), slope);
    Value p = graph.number(1);
    Value first = graph.number(0);
    Value second = graph.number(1);
    if (n > 2) {
      NormalGraph normal = new NormalGraph(graph);
      Value inner = graph.numbers("inner", Arrays.copyOfRange(z, 1, n - 1), 1, n - 2);
      Value u = graph.div(graph.sub(inner, graph.widen(m, 1)), graph.widen(sd, 1));
      Value far = graph.max(graph.min(u, graph.number(40)), graph.number(-40));
      Value density = normal.density(far);
      p = graph.neg(between(normal.cdf(far, 2), 0, 1));
      first = between(density, 0, 0);
      second = graph.add(p, between(graph.mul(far, density), 0, 0));
    }
    Value linear = graph.add(graph.mul(a, p), graph.mul(b, first));
    Value cross = graph.mul(graph.mul(a, b), graph.mul(first, graph.number(2)));
    Value squares =
        graph.add(
            graph.add(graph.mul(graph.square(a), p), cross), graph.mul(graph.square(b), second));
    Value shift = graph.sum(linear, 1);
    Value variance = graph.sub(graph.sum(squares, 1), graph.square(shift));
    return new Law(
        graph.add(origin, shift),
        graph.max(variance, graph.number(0)),
        inverse.at(lower),
        inverse.at(upper));
  }

  /// The value of a function at the start of each segment minus its value at the end, given its
  /// values at the inner knots and at both infinities.
  private Value between(Value at, double below, double above) {
    Value edge = graph.mul(graph.widen(m, 1), 0); // rows × 1
    List<Value> starts = List.of(graph.add(edge, below), at);
    List<Value> ends = List.of(at, graph.add(edge, above));
    return graph.sub(graph.join(1, starts), graph.join(1, ends));
  }
}
