package lovelace.onnx;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import lovelace.linear.Gaussian;
import lovelace.onnx.Graph.Node;
import lovelace.onnx.Graph.Setting;

/// Evaluates a graph in plain Java and rounds each number to its type. This measures the error of
/// float32 without an ONNX runtime. It knows the operators that [Graph] makes, for a graph that
/// reads `x`.
final class GraphRun {

  /// Numbers of a shape. Booleans are 0 and 1.
  private static final class Array {
    final Type type;
    final int[] shape;
    final double[] data;

    Array(Type type, int[] shape, double[] data) {
      this.type = type;
      this.shape = shape;
      this.data = data;
      if (type == Type.FLOAT)
        for (int i = 0; i < data.length; i++) data[i] = rounded(type, data[i]);
    }

    int rank() {
      return shape.length;
    }
  }

  private final Map<String, Array> known = new HashMap<>();

  private GraphRun() {}

  /// The outputs by name for rows of d columns, row-major. `outside` is 0 or 1.
  static Map<String, double[]> of(Graph graph, double[] x, int d) {
    GraphRun run = new GraphRun();
    run.known.put("x", new Array(graph.real(), new int[] {x.length / d, d}, x.clone()));
    graph.constants().forEach((name, tensor) -> run.known.put(name, array(tensor)));
    for (Node node : graph.nodes()) run.compute(node);
    Map<String, double[]> outputs = new HashMap<>();
    graph.outputs().forEach(port -> outputs.put(port.name(), run.get(port.name()).data));
    return outputs;
  }

  private static Array array(Tensor tensor) {
    int[] shape = Arrays.stream(tensor.shape()).mapToInt(Math::toIntExact).toArray();
    double[] data = new double[Math.toIntExact(tensor.count())];
    for (int i = 0; i < data.length; i++) data[i] = tensor.at(i);
    return new Array(tensor.type(), shape, data);
  }

  private Array get(String name) {
    return Objects.requireNonNull(known.get(name), name);
  }

  private void compute(Node node) {
    List<Array> in = node.inputs().stream().map(this::get).toList();
    Array a = in.getFirst();
    if (node.operator().equals("Split")) {
      split(node, a);
      return;
    }
    Array out =
        switch (node.operator()) {
          case "Identity" -> a;
          case "Add" -> both(in, a.type, Double::sum);
          case "Sub" -> both(in, a.type, (p, q) -> p - q);
          case "Mul" -> both(in, a.type, (p, q) -> p * q);
          case "Div" -> both(in, a.type, (p, q) -> p / q);
          case "Min" -> both(in, a.type, Math::min);
          case "Max" -> both(in, a.type, Math::max);
          case "Less" -> both(in, Type.BOOL, (p, q) -> p < q ? 1 : 0);
          case "Greater" -> both(in, Type.BOOL, (p, q) -> p > q ? 1 : 0);
          case "LessOrEqual" -> both(in, Type.BOOL, (p, q) -> p <= q ? 1 : 0);
          case "GreaterOrEqual" -> both(in, Type.BOOL, (p, q) -> p >= q ? 1 : 0);
          case "Equal" -> both(in, Type.BOOL, (p, q) -> p == q ? 1 : 0);
          case "And" -> both(in, Type.BOOL, (p, q) -> p * q);
          case "Or" -> both(in, Type.BOOL, Math::max);
          case "Not" -> each(a, p -> 1 - p);
          case "Neg" -> each(a, p -> -p);
          case "Abs" -> each(a, Math::abs);
          case "Floor" -> each(a, Math::floor);
          case "Round" -> each(a, Math::rint);
          case "Sqrt" -> each(a, Math::sqrt);
          case "Exp" -> each(a, Math::exp);
          case "Log" -> each(a, Math::log);
          case "Sin" -> each(a, Math::sin);
          case "Tanh" -> each(a, Math::tanh);
          case "Sigmoid" -> each(a, p -> 1 / (1 + Math.exp(-p)));
          case "Relu" -> each(a, p -> Math.max(0, p));
          case "Erf" -> each(a, p -> 2 * Gaussian.cdf(p * Math.sqrt(2)) - 1);
          case "Where" -> where(in);
          case "Cast" -> cast(a, Math.toIntExact(whole(node, "to")));
          case "Gather" -> gather(a, in.get(1), Math.toIntExact(whole(node, "axis")));
          case "Unsqueeze" -> new Array(a.type, widened(a, in.get(1)), a.data.clone());
          case "Squeeze" -> new Array(a.type, narrowed(a, in.get(1)), a.data.clone());
          case "Reshape" -> new Array(a.type, reshaped(a, in.get(1)), a.data.clone());
          case "ReduceSum" -> sum(a, (int) in.get(1).data[0]);
          case "MatMul" -> product(a, in.get(1));
          case "Concat" -> join(in, Math.toIntExact(whole(node, "axis")));
          default -> throw new IllegalStateException("no operator " + node.operator());
        };
    known.put(node.outputs().getFirst(), out);
  }

  private static long whole(Node node, String name) {
    return switch (node.settings().get(name)) {
      case Setting.Whole(long value) -> value;
      case null, default -> throw new IllegalStateException(name + " of " + node.operator());
    };
  }

  private static Array each(Array a, DoubleUnaryOperator f) {
    return new Array(a.type, a.shape, Arrays.stream(a.data).map(f).toArray());
  }

  private static Array both(List<Array> in, Type type, DoubleBinaryOperator f) {
    Array a = in.get(0);
    Array b = in.get(1);
    int[] shape = broadcast(a.shape, b.shape);
    int[] left = places(a, shape);
    int[] right = places(b, shape);
    double[] data = new double[left.length];
    for (int i = 0; i < data.length; i++)
      data[i] = f.applyAsDouble(a.data[left[i]], b.data[right[i]]);
    return new Array(type, shape, data);
  }

  private static Array where(List<Array> in) {
    int[] shape = broadcast(in.get(0).shape, broadcast(in.get(1).shape, in.get(2).shape));
    int[] c = places(in.get(0), shape);
    int[] a = places(in.get(1), shape);
    int[] b = places(in.get(2), shape);
    double[] data = new double[c.length];
    for (int i = 0; i < data.length; i++)
      data[i] = in.get(0).data[c[i]] != 0 ? in.get(1).data[a[i]] : in.get(2).data[b[i]];
    return new Array(in.get(1).type, shape, data);
  }

  private static int[] broadcast(int[] a, int[] b) {
    int[] shape = new int[Math.max(a.length, b.length)];
    for (int k = 1; k <= shape.length; k++) {
      int p = k <= a.length ? a[a.length - k] : 1;
      int q = k <= b.length ? b[b.length - k] : 1;
      shape[shape.length - k] = Math.max(p, q);
    }
    return shape;
  }

  /// The positions in an array of the entries of a larger shape.
  private static int[] places(Array a, int[] shape) {
    int count = 1;
    for (int n : shape) count *= n;
    int[] all = new int[count];
    int[] strides = new int[shape.length];
    int stride = 1;
    for (int k = 1; k <= a.rank(); k++) {
      int n = a.shape[a.rank() - k];
      strides[shape.length - k] = n == 1 ? 0 : stride;
      stride *= n;
    }
    for (int i = 0; i < count; i++)
      for (int k = shape.length - 1, rest = i; k >= 0; rest /= shape[k], k--)
        all[i] += rest % shape[k] * strides[k];
    return all;
  }

  private static Array cast(Array a, int code) {
    Type type =
        Arrays.stream(Type.values()).filter(t -> t.code() == code).findFirst().orElseThrow();
    return type == Type.INT64
        ? new Array(type, a.shape, Arrays.stream(a.data).map(p -> (long) p).toArray())
        : new Array(type, a.shape, a.data.clone());
  }

  private static int size(int[] shape, int from, int to) {
    int size = 1;
    for (int k = from; k < to; k++) size *= shape[k];
    return size;
  }

  private static Array gather(Array a, Array index, int axis) {
    int outer = size(a.shape, 0, axis);
    int inner = size(a.shape, axis + 1, a.rank());
    int n = index.data.length;
    int[] shape = new int[a.rank() - 1 + index.rank()];
    System.arraycopy(a.shape, 0, shape, 0, axis);
    System.arraycopy(index.shape, 0, shape, axis, index.rank());
    System.arraycopy(a.shape, axis + 1, shape, axis + index.rank(), a.rank() - axis - 1);
    double[] data = new double[outer * n * inner];
    for (int o = 0; o < outer; o++)
      for (int i = 0; i < n; i++)
        System.arraycopy(
            a.data,
            (o * a.shape[axis] + (int) index.data[i]) * inner,
            data,
            (o * n + i) * inner,
            inner);
    return new Array(a.type, shape, data);
  }

  private void split(Node node, Array a) {
    int axis = Math.toIntExact(whole(node, "axis"));
    for (int i = 0; i < node.outputs().size(); i++) {
      Array one = gather(a, new Array(Type.INT64, new int[] {1}, new double[] {i}), axis);
      known.put(node.outputs().get(i), one);
    }
  }

  private static int[] widened(Array a, Array axes) {
    int[] shape = new int[a.rank() + axes.data.length];
    Arrays.fill(shape, -1);
    for (double axis : axes.data) shape[(int) axis] = 1;
    for (int k = 0, next = 0; k < shape.length; k++) if (shape[k] < 0) shape[k] = a.shape[next++];
    return shape;
  }

  private static int[] narrowed(Array a, Array axes) {
    int[] shape = new int[a.rank() - axes.data.length];
    for (int k = 0, to = 0; k < a.rank(); k++) {
      int axis = k;
      if (Arrays.stream(axes.data).noneMatch(gone -> gone == axis)) shape[to++] = a.shape[k];
    }
    return shape;
  }

  private static int[] reshaped(Array a, Array lengths) {
    int[] shape = Arrays.stream(lengths.data).mapToInt(n -> (int) n).toArray();
    int rest = a.data.length;
    for (int n : shape) if (n > 0) rest /= n;
    for (int k = 0; k < shape.length; k++) if (shape[k] < 0) shape[k] = rest;
    return shape;
  }

  private static double rounded(Type type, double value) {
    return type == Type.FLOAT ? (float) value : value;
  }

  private static Array sum(Array a, int axis) {
    int outer = size(a.shape, 0, axis);
    int inner = size(a.shape, axis + 1, a.rank());
    int n = a.shape[axis];
    double[] data = new double[outer * inner];
    for (int o = 0; o < outer; o++)
      for (int i = 0; i < inner; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
          sum = rounded(a.type, sum + a.data[(o * n + k) * inner + i]);
        }
        data[o * inner + i] = sum;
      }
    int[] shape = new int[a.rank() - 1];
    for (int k = 0; k < shape.length; k++) shape[k] = a.shape[k < axis ? k : k + 1];
    return new Array(a.type, shape, data);
  }

  private static Array product(Array a, Array b) {
    int rows = a.shape[0];
    int n = a.shape[1];
    int columns = b.shape[1];
    double[] data = new double[rows * columns];
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
          sum = rounded(a.type, sum + a.data[i * n + k] * b.data[k * columns + j]);
        }
        data[i * columns + j] = sum;
      }
    return new Array(a.type, new int[] {rows, columns}, data);
  }

  private static Array join(List<Array> in, int axis) {
    int[] shape = in.getFirst().shape.clone();
    shape[axis] = in.stream().mapToInt(a -> a.shape[axis]).sum();
    int outer = size(shape, 0, axis);
    double[] data = new double[size(shape, 0, shape.length)];
    int width = data.length / outer;
    int at = 0;
    for (Array a : in) {
      int own = a.data.length / outer;
      for (int o = 0; o < outer; o++) System.arraycopy(a.data, o * own, data, o * width + at, own);
      at += own;
    }
    return new Array(in.getFirst().type, shape, data);
  }
}
