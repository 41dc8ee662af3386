package lovelace.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import lovelace.data.FeatureMap;
import lovelace.data.FeatureMap.Change;
import lovelace.data.LinearMap;
import lovelace.data.PlaceMap;
import lovelace.deep.NetworkLayers;
import lovelace.deep.NetworkMap;
import lovelace.onnx.Graph.Value;

/// The map from columns to features, in operators.
final class FeatureGraph {

  private static final double RADIANS = Math.toRadians(1);

  private final Graph graph;

  private FeatureGraph(Graph graph) {
    this.graph = graph;
  }

  /// The features of columns; both are vectors.
  static List<Value> of(Graph graph, FeatureMap map, List<Value> columns) {
    FeatureGraph own = new FeatureGraph(graph);
    if (map instanceof LinearMap linear) return own.linear(linear, columns);
    if (map instanceof PlaceMap place) return own.place(place, columns);
    if (!map.changes().isEmpty()) return own.changed(map, columns);
    // compared by name, because the class may be missing
    if (map.type().equals(NetworkMap.TYPE)) return own.network((NetworkMap) map, columns);
    throw new IllegalArgumentException(
        "a graph cannot express " + map + "; fit without it, or with a projection");
  }

  private List<Value> linear(LinearMap map, List<Value> columns) {
    int d = map.inputs();
    int k = map.outputs();
    Value centre = graph.numbers("centre", place -> map.centre((int) place), d);
    Value weights =
        graph.numbers("weights", place -> map.weight((int) (place % k), (int) (place / k)), d, k);
    Value z = graph.product(graph.sub(graph.columns(columns), centre), weights);
    List<Value> features = new ArrayList<>();
    for (int f = 0; f < k; f++) features.add(graph.column(z, f));
    return features;
  }

  // ---- columns one by one ----

  /// Reads the map from its bytes, whose layout is part of the model file.
  private List<Value> changed(FeatureMap map, List<Value> columns) {
    ByteBuffer bytes = ByteBuffer.wrap(map.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.getInt();
    List<Value> features = new ArrayList<>();
    for (int j = 0; j < columns.size(); j++) {
      bytes.get();
      Change change = map.changes().get(j);
      Value x = columns.get(j);
      switch (change) {
        case SAME -> features.add(x);
        case LOG -> features.add(log(x, bytes.getDouble(), bytes.getDouble()));
        case RANKS -> {
          int n = bytes.getInt();
          double[] at = new double[n];
          double[] z = new double[n];
          for (int i = 0; i < n; i++) {
            at[i] = bytes.getDouble();
            z[i] = bytes.getDouble();
          }
          features.add(new KnotGraph(graph, at, z).at(x));
        }
        case INDICATORS -> {
          int words = bytes.getInt();
          Value seen = graph.and(graph.atLeast(x, 0), graph.less(x, words));
          Value code = graph.floor(x);
          for (int w = 0; w < words; w++) {
            Value holds = graph.real(graph.equal(code, graph.number(w)));
            features.add(graph.where(seen, holds, graph.number(bytes.getDouble())));
          }
        }
      }
    }
    return features;
  }

  private Value log(Value x, double shift, double least) {
    Value bounded = graph.max(x, graph.number(least));
    Value above = graph.log(graph.sub(bounded, shift));
    Value below = graph.add(graph.div(graph.sub(x, least), least - shift), Math.log(least - shift));
    return graph.where(graph.atLeast(x, least), above, below);
  }

  // ---- coordinates ----

  /// Follows [PlaceMap#apply]. Coordinates that are not a place become NaN, and so lie outside.
  private List<Value> place(PlaceMap map, List<Value> columns) {
    Value u = columns.get(map.east());
    Value v = columns.get(map.north());
    Value east = u;
    Value north = v;
    if (map.projection() != PlaceMap.Projection.NONE) {
      Value there = graph.and(graph.atMost(graph.abs(u), 360), graph.atMost(graph.abs(v), 90));
      Value apart = graph.sub(u, map.longitude());
      Value degrees = graph.sub(apart, graph.mul(graph.round(graph.div(apart, 360)), 360));
      Projected both =
          map.projection() == PlaceMap.Projection.EQUIRECTANGULAR
              ? equirectangular(map, degrees, v)
              : equalArea(map, degrees, v);
      Value nowhere = graph.number(Double.NaN);
      east = graph.where(there, both.east, nowhere);
      north = graph.where(there, both.north, nowhere);
    }
    double turn = Math.toRadians(map.angle());
    double cos = map.angle() == 0 ? 1 : Math.cos(turn);
    double sin = map.angle() == 0 ? 0 : Math.sin(turn);
    List<Value> features = new ArrayList<>(columns);
    features.set(map.east(), graph.sub(graph.mul(east, cos), graph.mul(north, sin)));
    features.set(map.north(), graph.add(graph.mul(east, sin), graph.mul(north, cos)));
    return features;
  }

  private record Projected(Value east, Value north) {}

  private Projected equirectangular(PlaceMap map, Value degrees, Value latitude) {
    Value north = graph.mul(graph.sub(latitude, map.latitude()), map.northScale());
    return new Projected(graph.mul(degrees, map.eastScale()), north);
  }

  /// Snyder (1987) eqs. (24-17) to (24-20), (3-11), (3-12).
  private Projected equalArea(PlaceMap map, Value degrees, Value latitude) {
    PlaceMap.EqualArea form = map.equalArea();
    double e2 = map.ellipsoid().squaredEccentricity();
    Value lambda = graph.mul(degrees, RADIANS);
    Value sine = graph.sin(graph.mul(latitude, RADIANS));
    Value q = graph.div(authalic(sine, e2), form.qp());
    Value s = graph.max(graph.min(q, graph.number(1)), graph.number(-1));
    Value c = graph.sqrt(graph.mul(graph.sub(graph.number(1), s), graph.add(s, 1)));
    Value cosine = graph.mul(c, graph.cos(lambda));
    Value below =
        graph.add(graph.add(graph.mul(s, form.sin1()), 1), graph.mul(cosine, form.cos1()));
    Value b = graph.mul(graph.sqrt(graph.div(graph.number(2), below)), form.radius());
    Value east = graph.mul(graph.mul(graph.mul(b, form.stretch()), c), graph.sin(lambda));
    Value along = graph.sub(graph.mul(s, form.cos1()), graph.mul(cosine, form.sin1()));
    return new Projected(east, graph.mul(graph.div(b, form.stretch()), along));
  }

  /// `(1 − e²)(s/(1 − e²s²) + atanh(es)/e)` by the series of atanh, which needs no logarithm.
  private Value authalic(Value sine, double e2) {
    Value square = graph.mul(graph.square(sine), e2);
    int terms = 1;
    while (Math.pow(e2, terms) / (2 * terms + 1) > 1e-18) terms++;
    Value series = graph.number(1.0 / (2 * terms + 1));
    for (int k = terms - 1; k >= 0; k--)
      series = graph.add(graph.mul(series, square), 1.0 / (2 * k + 1));
    Value first = graph.div(sine, graph.sub(graph.number(1), square));
    return graph.mul(graph.add(first, graph.mul(sine, series)), 1 - e2);
  }

  // ---- networks ----

  /// Follows [NetworkLayers], in float32.
  private List<Value> network(NetworkMap map, List<Value> columns) {
    NetworkLayers network =
        map.layers()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the network of this model is code (TorchScript, or a class of your own), which a graph cannot express; fit with --deep and the sizes of layers"));
    int d = map.inputs();
    Value centre = graph.numbers("centre", j -> network.centre((int) j), d);
    Value scale = graph.numbers("scale", j -> network.scale((int) j), d);
    Value s = graph.div(graph.sub(graph.columns(columns), centre), scale);
    Value far = graph.sqrt(graph.add(graph.square(graph.div(s, 8)), 1));
    Graph.Narrow narrow = graph.narrow32();
    Value u = graph.cast(graph.div(s, far), Type.FLOAT);
    for (NetworkLayers.Layer layer : network.layers())
      u =
          switch (layer) {
            case NetworkLayers.Dense dense -> {
              int k = dense.outputs();
              Value weights =
                  narrow.numbers(
                      p -> dense.weight((int) (p % k), (int) (p / k)), dense.inputs(), k);
              Value bias = narrow.numbers(p -> dense.bias((int) p), k);
              yield graph.add(graph.product(u, weights), bias);
            }
            case NetworkLayers.Activation(String name) -> activation(name, u, narrow);
          };
    Value bound = graph.sqrt(graph.add(graph.square(u), narrow.number(1)));
    Value z = graph.real(graph.div(u, bound));
    List<Value> features = new ArrayList<>();
    for (int f = 0; f < map.outputs(); f++) features.add(graph.column(z, f));
    return features;
  }

  private Value activation(String name, Value u, Graph.Narrow narrow) {
    return switch (name) {
      case "ReLU" -> graph.relu(u);
      case "ReLU6" -> graph.min(graph.relu(u), narrow.number(6));
      case "Tanh" -> graph.tanh(u);
      case "sigmoid" -> graph.sigmoid(u);
      case "softPlus" -> softPlus(u, narrow);
      case "softSign" -> graph.div(u, graph.add(graph.abs(u), narrow.number(1)));
      case "SELU" -> {
        Value below = graph.min(u, narrow.number(0));
        Value curve =
            graph.mul(graph.sub(graph.exp(below), narrow.number(1)), narrow.number(1.6732632));
        yield graph.mul(graph.add(graph.relu(u), curve), narrow.number(1.0507010));
      }
      case "GELU" -> {
        Value erf = graph.erf(graph.mul(u, narrow.number(Math.sqrt(0.5))));
        yield graph.mul(graph.mul(u, narrow.number(0.5)), graph.add(erf, narrow.number(1)));
      }
      case "Mish" -> { // DJL takes the logarithm to base 2
        Value two = graph.mul(softPlus(u, narrow), narrow.number(1 / Math.log(2)));
        yield graph.mul(u, graph.tanh(two));
      }
      default ->
          throw new IllegalArgumentException(
              "a graph cannot express the activation %s; fit with ReLU or Tanh".formatted(name));
    };
  }

  /// `log(1 + exp u)`, also for large u.
  private Value softPlus(Value u, Graph.Narrow narrow) {
    Value tail = graph.log(graph.add(graph.exp(graph.neg(graph.abs(u))), narrow.number(1)));
    return graph.add(graph.relu(u), tail);
  }
}
