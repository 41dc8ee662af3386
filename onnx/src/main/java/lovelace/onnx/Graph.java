package lovelace.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/// An ONNX graph under construction: inputs, constants, and operators in the order of their
/// computation. Every method adds an operator and returns its result. Numbers that depend on the
/// rows have one type in the whole graph, float64 or float32.
///
/// It uses only operators that onnxruntime has for float64. For example, it has no `Erf`, `Atan` or
/// `Asin`.
final class Graph {

  /// The version of the operators: the newest that Debian 12's checker knows.
  static final int OPSET = 17;

  /// The domain of operators on words, and its version.
  static final String ML = "ai.onnx.ml";

  static final int ML_OPSET = 3;

  /// The result of an operator, an input or a constant.
  record Value(String name, Type type) {}

  /// An operator with its inputs and results. Settings are whole numbers, or lists of them.
  record Node(
      String operator,
      String domain,
      List<String> inputs,
      List<String> outputs,
      Map<String, Setting> settings) {}

  /// A setting of an operator.
  sealed interface Setting {

    /// A whole number.
    record Whole(long value) implements Setting {}

    /// A number.
    record Real(float value) implements Setting {}

    /// Numbers.
    record Reals(List<Float> values) implements Setting {}

    /// Texts.
    record Texts(List<String> values) implements Setting {}
  }

  /// An input or output, with the names or lengths of its axes.
  record Port(String name, Type type, List<String> axes, String description) {}

  private final Type real;
  private final List<Port> inputs = new ArrayList<>();
  private final List<Port> outputs = new ArrayList<>();
  private final Map<String, Tensor> constants = new LinkedHashMap<>();
  private final Map<String, Value> known = new LinkedHashMap<>(); // small constants, once each
  private final List<Node> nodes = new ArrayList<>();
  private int count;

  /// A graph whose numbers have this type, [Type#DOUBLE] or [Type#FLOAT].
  Graph(Type real) {
    this.real = real;
  }

  /// The type of its numbers.
  Type real() {
    return real;
  }

  List<Port> inputs() {
    return List.copyOf(inputs);
  }

  List<Port> outputs() {
    return List.copyOf(outputs);
  }

  Map<String, Tensor> constants() {
    return Map.copyOf(constants);
  }

  List<Node> nodes() {
    return List.copyOf(nodes);
  }

  // ---- inputs, outputs and constants ----

  /// An input with these axes: lengths, or names of lengths that vary.
  Value input(String name, Type type, String description, String... axes) {
    inputs.add(new Port(name, type, List.of(axes), description));
    return new Value(name, type);
  }

  /// Names a value with one number per row as an output.
  void output(String name, Value value, String description) {
    nodes.add(new Node("Identity", "", List.of(value.name), List.of(name), Map.of()));
    outputs.add(new Port(name, value.type, List.of("rows"), description));
  }

  /// One number.
  Value number(double value) {
    return known.computeIfAbsent(
        "number " + Double.doubleToLongBits(value),
        key -> constant("number", Tensor.of(real, place -> value)));
  }

  /// Numbers of a shape. They are not copied and must not change.
  Value numbers(String name, double[] values, long... shape) {
    return numbers(name, place -> values[(int) place], shape);
  }

  /// Numbers of a shape, by their position.
  Value numbers(String name, Tensor.Numbers values, long... shape) {
    return constant(name, Tensor.of(real, values, shape));
  }

  /// Constants of 32 bits for any type of the graph, as networks need them.
  Narrow narrow32() {
    return new Narrow();
  }

  /// See [#narrow32].
  final class Narrow {

    Value number(double value) {
      return known.computeIfAbsent(
          "float " + Double.doubleToLongBits(value),
          key -> constant("float", Tensor.of(Type.FLOAT, place -> value)));
    }

    Value numbers(Tensor.Numbers values, long... shape) {
      return constant("layer", Tensor.of(Type.FLOAT, values, shape));
    }
  }

  /// One whole number.
  Value whole(long value) {
    return known.computeIfAbsent(
        "whole " + value, key -> constant("whole", Tensor.wholes(place -> value)));
  }

  /// A list of whole numbers.
  Value wholes(IntToLongFunction values, int length) {
    long[] all = IntStream.range(0, length).mapToLong(values).toArray();
    return known.computeIfAbsent(
        "wholes " + Arrays.toString(all),
        key -> constant("wholes", Tensor.wholes(place -> all[(int) place], length)));
  }

  private Value constant(String name, Tensor tensor) {
    String own = name + "_" + count++;
    constants.put(own, tensor);
    return new Value(own, tensor.type());
  }

  /// Words as their positions in a list, −1 for others.
  Value words(Value texts, List<String> words) {
    return several(
            "LabelEncoder",
            ML,
            Type.FLOAT,
            1,
            Map.of(
                "keys_strings", new Setting.Texts(words),
                "values_floats",
                    new Setting.Reals(
                        IntStream.range(0, words.size()).mapToObj(i -> (float) i).toList()),
                "default_float", new Setting.Real(-1)),
            texts)
        .getFirst();
  }

  // ---- operators ----

  private Value one(String operator, Type type, Map<String, Setting> settings, Value... of) {
    return several(operator, "", type, 1, settings, of).getFirst();
  }

  private List<Value> several(
      String operator,
      String domain,
      Type type,
      int yields,
      Map<String, Setting> settings,
      Value... of) {
    List<Value> values =
        IntStream.range(0, yields)
            .mapToObj(i -> new Value(operator.toLowerCase(Locale.ROOT) + "_" + count++, type))
            .toList();
    nodes.add(
        new Node(
            operator,
            domain,
            Arrays.stream(of).map(Value::name).toList(),
            values.stream().map(Value::name).toList(),
            settings));
    return values;
  }

  private Value same(String operator, Value... of) {
    return one(operator, of[0].type, Map.of(), of);
  }

  private Value test(String operator, Value... of) {
    return one(operator, Type.BOOL, Map.of(), of);
  }

  Value add(Value a, Value b) {
    return same("Add", a, b);
  }

  Value add(Value a, double b) {
    return add(a, number(b));
  }

  Value sub(Value a, Value b) {
    return same("Sub", a, b);
  }

  Value sub(Value a, double b) {
    return sub(a, number(b));
  }

  Value mul(Value a, Value b) {
    return same("Mul", a, b);
  }

  Value mul(Value a, double b) {
    return mul(a, number(b));
  }

  Value div(Value a, Value b) {
    return same("Div", a, b);
  }

  Value div(Value a, double b) {
    return div(a, number(b));
  }

  Value min(Value a, Value b) {
    return same("Min", a, b);
  }

  Value max(Value a, Value b) {
    return same("Max", a, b);
  }

  Value neg(Value a) {
    return same("Neg", a);
  }

  Value abs(Value a) {
    return same("Abs", a);
  }

  Value floor(Value a) {
    return same("Floor", a);
  }

  /// The nearest whole number; of two, the even one.
  Value round(Value a) {
    return same("Round", a);
  }

  Value sqrt(Value a) {
    return same("Sqrt", a);
  }

  Value exp(Value a) {
    return same("Exp", a);
  }

  Value log(Value a) {
    return same("Log", a);
  }

  Value sin(Value a) {
    return same("Sin", a);
  }

  /// `1 − 2 sin²(a/2)`, because onnxruntime has no `Cos` of float64.
  Value cos(Value a) {
    return sub(number(1), mul(square(sin(mul(a, 0.5))), 2));
  }

  Value tanh(Value a) {
    return same("Tanh", a);
  }

  Value relu(Value a) {
    return same("Relu", a);
  }

  Value sigmoid(Value a) {
    return same("Sigmoid", a);
  }

  /// The error function, for float32 only.
  Value erf(Value a) {
    return same("Erf", a);
  }

  Value square(Value a) {
    return mul(a, a);
  }

  Value less(Value a, double b) {
    return test("Less", a, number(b));
  }

  Value greater(Value a, double b) {
    return test("Greater", a, number(b));
  }

  Value atMost(Value a, double b) {
    return test("LessOrEqual", a, number(b));
  }

  Value atLeast(Value a, double b) {
    return atLeast(a, number(b));
  }

  Value atLeast(Value a, Value b) {
    return test("GreaterOrEqual", a, b);
  }

  Value equal(Value a, Value b) {
    return test("Equal", a, b);
  }

  Value and(Value a, Value b) {
    return test("And", a, b);
  }

  Value or(Value a, Value b) {
    return test("Or", a, b);
  }

  Value not(Value a) {
    return test("Not", a);
  }

  Value where(Value condition, Value a, Value b) {
    return one("Where", a.type, Map.of(), condition, a, b);
  }

  Value cast(Value a, Type type) {
    if (a.type == type) return a;
    return one("Cast", type, Map.of("to", new Setting.Whole(type.code())), a);
  }

  Value real(Value a) {
    return cast(a, real);
  }

  Value whole(Value a) {
    return cast(a, Type.INT64);
  }

  Value gather(Value a, Value index, int axis) {
    return one("Gather", a.type, Map.of("axis", new Setting.Whole(axis)), a, index);
  }

  /// Column j of a matrix, as a vector.
  Value column(Value a, int j) {
    return gather(a, whole(j), 1);
  }

  /// Cuts an axis into pieces of length 1. The axis stays.
  List<Value> split(Value a, int axis, int length) {
    return several("Split", "", a.type, length, Map.of("axis", new Setting.Whole(axis)), a);
  }

  /// Adds axes of length 1.
  Value widen(Value a, int... axes) {
    return one("Unsqueeze", a.type, Map.of(), a, wholes(i -> axes[i], axes.length));
  }

  /// Removes axes of length 1.
  Value narrow(Value a, int... axes) {
    return one("Squeeze", a.type, Map.of(), a, wholes(i -> axes[i], axes.length));
  }

  /// The same numbers in another shape. One length may be −1, which means the rest.
  Value reshape(Value a, int... lengths) {
    return one("Reshape", a.type, Map.of(), a, wholes(i -> lengths[i], lengths.length));
  }

  /// The sum along an axis. The axis is removed.
  Value sum(Value a, int axis) {
    return one(
        "ReduceSum", a.type, Map.of("keepdims", new Setting.Whole(0)), a, wholes(i -> axis, 1));
  }

  Value product(Value a, Value b) {
    return one("MatMul", a.type, Map.of(), a, b);
  }

  /// Puts values beside each other along an axis.
  Value join(int axis, List<Value> parts) {
    if (parts.size() == 1) return parts.getFirst();
    return one(
        "Concat",
        parts.getFirst().type,
        Map.of("axis", new Setting.Whole(axis)),
        parts.toArray(Value[]::new));
  }

  /// Vectors as the columns of a matrix.
  Value columns(List<Value> parts) {
    return join(1, parts.stream().map(part -> widen(part, 1)).toList());
  }

  // ---- the file ----

  /// The graph as an ONNX message.
  Message message(String name) {
    Message all = new Message();
    for (Node node : nodes) all.message(1, message(node));
    all.text(2, name);
    constants.forEach((key, tensor) -> all.message(5, tensor.message(key)));
    for (Port port : inputs) all.message(11, message(port));
    for (Port port : outputs) all.message(12, message(port));
    return all;
  }

  private static Message message(Node node) {
    Message all = new Message();
    node.inputs.forEach(input -> all.text(1, input));
    node.outputs.forEach(output -> all.text(2, output));
    all.text(3, node.outputs.getFirst()).text(4, node.operator);
    new TreeMap<>(node.settings)
        .forEach((name, setting) -> all.message(5, setting(new Message().text(1, name), setting)));
    if (!node.domain.isEmpty()) all.text(7, node.domain);
    return all;
  }

  private static Message setting(Message all, Setting setting) {
    switch (setting) {
      case Setting.Whole(long value) -> all.number(3, value).number(20, 2);
      case Setting.Real(float value) -> all.real(2, value).number(20, 1);
      case Setting.Reals(var values) -> {
        for (float value : values) all.real(7, value);
        all.number(20, 6);
      }
      case Setting.Texts(var values) -> {
        for (String value : values) all.text(9, value);
        all.number(20, 8);
      }
    }
    return all;
  }

  private static Message message(Port port) {
    Message shape = new Message();
    for (String axis : port.axes) {
      boolean fixed = axis.chars().allMatch(Character::isDigit);
      Message own = new Message();
      shape.message(1, fixed ? own.number(1, Long.parseLong(axis)) : own.text(2, axis));
    }
    Message tensor = new Message().number(1, port.type.code()).message(2, shape);
    return new Message()
        .text(1, port.name)
        .message(2, new Message().message(1, tensor))
        .text(3, port.description);
  }
}
