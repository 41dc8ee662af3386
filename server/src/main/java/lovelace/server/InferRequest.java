package lovelace.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import lovelace.Model;
import lovelace.data.Column;
import lovelace.data.FeatureMap;
import lovelace.likelihood.Likelihood;
import lovelace.likelihood.Likelihood.Of;
import org.jspecify.annotations.Nullable;

/// An inference request of the Open Inference Protocol, read from its body in one pass.
final class InferRequest {

  /// A requested output, and whether it is wanted as bytes; null if the request's own setting
  /// applies.
  record Output(String name, @Nullable Boolean binary) {}

  /// Parameters that clients of the protocol send and that have no effect here.
  private static final Set<String> HARMLESS =
      Set.of(
          "content_type", "headers", "priority", "sequence_id", "sequence_start", "sequence_end");

  private static final int MOST_QUANTILES = 100;

  private static final List<String> FIELDS = List.of("inputs", "outputs", "id", "parameters");

  /// The most outputs that may be named, more than any model has.
  private static final int MOST_OUTPUTS = 100;

  /// About how many bytes an empty input takes.
  private static final int INPUT = 400;

  @Nullable String id;
  final List<Tensor> inputs = new ArrayList<>();
  @Nullable List<Output> outputs;
  double interval = 0.95;
  int draws = 0;
  long seed = 1;
  private boolean noise = false;
  private @Nullable String asked; // the quantity to predict
  double[] quantiles = new double[0];
  private final InputColumns columns = new InputColumns();
  long timeout = Long.MAX_VALUE; // nanoseconds for the answer
  private boolean binary = false; // for all outputs that do not say otherwise
  List<String> parameters = List.of(); // the names of those that were sent

  private final Room room;

  private InferRequest(Room room) {
    this.room = room;
  }

  /// Reads a body. Its first `length` bytes are JSON, the rest are bytes of tensors.
  static InferRequest read(byte[] body, int length, Room room) {
    InferRequest request = new InferRequest(room);
    try (JsonInput in = new JsonInput(body, length, room)) {
      request.read(in);
    } catch (JsonProcessingException e) {
      throw JsonInput.malformed(e);
    } catch (IOException e) {
      throw Refusal.wrong("the body is not JSON: %s", e.getMessage());
    }
    if (request.inputs.isEmpty())
      throw Refusal.wrong("the request has no 'inputs'; send one tensor or more");
    int at = length;
    for (Tensor tensor : request.inputs) at = tensor.complete(body, at, room);
    if (at != body.length)
      throw Refusal.wrong("%,d bytes follow the last tensor; remove them", body.length - at);
    // stored as columns, and again as rows of all columns
    for (Tensor tensor : request.inputs)
      room.take((tensor.hasAbsent() ? 32L : 16L) * tensor.size());
    return request;
  }

  private void read(JsonInput in) throws IOException {
    if (in.json.nextToken() != JsonToken.START_OBJECT)
      throw Refusal.wrong("the body must be a JSON object with 'inputs'");
    int seen = 0;
    while (in.json.nextToken() == JsonToken.FIELD_NAME) {
      String field = in.json.currentName();
      in.json.nextToken();
      seen = JsonInput.once(seen, FIELDS.indexOf(field), field);
      switch (field) {
        case "id" -> id = in.text("id");
        case "inputs" -> {
          in.requireArray(field);
          while (in.json.nextToken() != JsonToken.END_ARRAY) {
            room.requireInput(inputs.size());
            room.take(INPUT);
            inputs.add(tensor(in));
          }
        }
        case "outputs" -> {
          in.requireArray(field);
          List<Output> wanted = new ArrayList<>();
          while (in.json.nextToken() != JsonToken.END_ARRAY) {
            if (wanted.size() == MOST_OUTPUTS)
              throw Refusal.wrong("the request names more than %d outputs", MOST_OUTPUTS);
            wanted.add(output(in));
          }
          outputs = wanted;
        }
        case "parameters" -> parameters(in);
        default -> in.skip(); // such as model_name, which the address gives
      }
    }
    if (in.json.nextToken() != null) throw Refusal.wrong("text follows the JSON object; remove it");
  }

  private static Tensor tensor(JsonInput in) throws IOException {
    in.requireObject("an element of 'inputs'");
    Tensor tensor = new Tensor();
    int seen = 0;
    while (in.json.nextToken() == JsonToken.FIELD_NAME) {
      String field = in.json.currentName();
      in.json.nextToken();
      seen = JsonInput.once(seen, Tensor.FIELDS.indexOf(field), field);
      switch (field) {
        case "name" -> tensor.name = in.text("name");
        case "datatype" -> tensor.datatype = in.text("datatype");
        case "shape" -> {
          in.requireArray("shape");
          tensor.shape = shape(in);
        }
        case "data" -> tensor.read(in);
        case "parameters" -> {
          in.requireObject("'parameters'");
          while (in.json.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.json.currentName();
            in.json.nextToken();
            if (name.equals("binary_data_size")) tensor.binary = in.whole(name, 0);
            else in.skip();
          }
        }
        default -> in.skip();
      }
    }
    return tensor;
  }

  private static long[] shape(JsonInput in) throws IOException {
    long[] shape = new long[8];
    int size = 0;
    while (in.json.nextToken() != JsonToken.END_ARRAY) {
      if (size == shape.length) throw Refusal.wrong("'shape' has more than 8 dimensions");
      shape[size++] = in.whole("shape", 0);
    }
    return Arrays.copyOf(shape, size);
  }

  private static Output output(JsonInput in) throws IOException {
    in.requireObject("an element of 'outputs'");
    String name = "";
    Boolean binary = null;
    while (in.json.nextToken() == JsonToken.FIELD_NAME) {
      String field = in.json.currentName();
      in.json.nextToken();
      if (field.equals("name")) {
        name = in.text("name");
      } else if (field.equals("parameters")) {
        in.requireObject("'parameters'");
        while (in.json.nextToken() == JsonToken.FIELD_NAME) {
          String parameter = in.json.currentName();
          in.json.nextToken();
          if (parameter.equals("binary_data")) binary = in.truth(parameter);
          else in.skip();
        }
      } else {
        in.skip();
      }
    }
    return new Output(name, binary);
  }

  private void parameters(JsonInput in) throws IOException {
    in.requireObject("'parameters'");
    parameters = new ArrayList<>();
    while (in.json.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.json.currentName();
      in.json.nextToken();
      if (parameters.size() < MOST_OUTPUTS) parameters.add(name);
      switch (name) {
        case "interval" -> {
          if (!in.json.currentToken().isNumeric())
            throw Refusal.wrong("parameter 'interval' must be a number, got %s", in.json.getText());
          interval = in.json.getDoubleValue();
          if (!(interval > 0 && interval < 1))
            throw Refusal.wrong(
                "parameter 'interval' must lie between 0 and 1, got %s; 0.95 is usual", interval);
        }
        case "draws" -> draws = (int) Math.min(in.whole(name, 1), Integer.MAX_VALUE);
        case "seed" -> seed = in.whole(name, Long.MIN_VALUE);
        case "noise" -> noise = in.truth(name);
        case "of" -> asked = in.text(name);
        case "quantiles" -> quantiles = probabilities(in, name);
        case "unseen" -> {
          String unseen = in.text(name);
          if (unseen.equals("error")) columns.refuseUnseen();
          else if (!unseen.equals("mean"))
            throw Refusal.wrong("parameter 'unseen' must be mean or error, got '%s'", unseen);
        }
        case "timeout" -> {
          long microseconds = in.whole(name, 0);
          if (microseconds > 0 && microseconds < Long.MAX_VALUE / 1000)
            timeout = 1000 * microseconds;
        }
        case "binary_data_output" -> binary = in.truth(name);
        default -> {
          if (!HARMLESS.contains(name))
            throw Refusal.wrong(
                "unknown parameter '%s'; there are interval, quantiles, draws, seed, of, noise,"
                    + " unseen, timeout and binary_data_output",
                name);
          in.skip();
        }
      }
    }
  }

  private static double[] probabilities(JsonInput in, String name) throws IOException {
    in.requireArray(name);
    double[] all = new double[MOST_QUANTILES];
    int size = 0;
    while (in.json.nextToken() != JsonToken.END_ARRAY) {
      double p = in.json.currentToken().isNumeric() ? in.json.getDoubleValue() : Double.NaN;
      if (!(p > 0 && p < 1))
        throw Refusal.wrong(
            "parameter '%s' must hold numbers between 0 and 1, got %s; 0.5 is the median",
            name, in.json.getText());
      if (size == all.length)
        throw Refusal.wrong(
            "parameter '%s' may hold at most %d numbers; send the others in another request",
            name, all.length);
      all[size++] = p;
    }
    if (size == 0) throw Refusal.wrong("parameter '%s' is empty; name one or more", name);
    return Arrays.copyOf(all, size);
  }

  /// Whether an output is wanted as bytes.
  boolean binary(Output output) {
    return output.binary() == null ? binary : output.binary();
  }

  /// The quantity to predict. The likelihood must have it.
  Of of(Likelihood likelihood) {
    String text = asked;
    if (text == null) return noise ? Of.OBSERVATION : likelihood.usual();
    Of of =
        Arrays.stream(Of.values())
            .filter(each -> each.toString().equals(text) && likelihood.has(each))
            .findFirst()
            .orElseThrow(
                () ->
                    Refusal.wrong(
                        "parameter 'of' is '%s'; a model with likelihood %s can predict only %s; send one of these",
                        text, likelihood, String.join(", ", names(likelihood))));
    if (noise && of != Of.OBSERVATION)
      throw Refusal.wrong(
          "parameter 'noise' means 'of' observation, but 'of' is '%s'; send only one of them", of);
    return of;
  }

  /// The quantities that can be predicted under a likelihood.
  static List<String> names(Likelihood likelihood) {
    return Arrays.stream(Of.values()).filter(likelihood::has).map(Of::toString).toList();
  }

  /// Remarks on replaced values of the inputs, a line each.
  List<String> remarks() {
    return columns.remarks();
  }

  /// The inputs as rows of a model's columns. They come from one tensor `x`, or from one tensor per
  /// column.
  double[] points(Model model, int most) {
    List<Column> columns = model.columns();
    int d = columns.size();
    Tensor first = inputs.getFirst();
    if (inputs.size() == 1 && first.name.equals("x") && first.texts().isEmpty())
      return possible(model, this.columns.matrix(first, model, most));
    double[] @Nullable [] found = new double[d][];
    for (Tensor tensor : inputs) {
      if (leftOut(model, tensor)) continue;
      int j = 0;
      while (j < d && !columns.get(j).name().equals(tensor.name)) j++;
      if (j == d || found[j] != null)
        throw Refusal.wrong(
            "%s; send 'x' of shape [rows, %d], or each of %s once",
            (j == d ? "unknown input '%s'" : "input '%s' is sent twice").formatted(tensor.name),
            d,
            names(columns));
      found[j] = this.columns.column(tensor, columns.get(j), most);
    }
    int rows = -1;
    for (int j = 0; j < d; j++) {
      double[] column = found[j];
      if (column == null)
        throw Refusal.wrong(
            "input '%s' is missing; send %s", columns.get(j).name(), names(columns));
      if (rows >= 0 && column.length != rows)
        throw Refusal.wrong(
            "input '%s' has %,d rows, '%s' has %,d; send the same number of rows",
            columns.get(j).name(), column.length, columns.getFirst().name(), rows);
      rows = column.length;
    }
    double[] points = new double[rows * d];
    for (int j = 0; j < d; j++) {
      double[] column = found[j];
      if (column != null) for (int i = 0; i < rows; i++) points[i * d + j] = column[i];
    }
    return possible(model, points);
  }

  /// Refuses points outside the domain of a model's map, such as a latitude of 95.
  private static double[] possible(Model model, double[] points) {
    FeatureMap map = model.map().orElse(null);
    if (map == null) return points;
    int d = model.columns().size(); // columns of the map come first, then those of a drift
    for (int i = 0; i < points.length / d; i++) {
      String why = map.refusal(points, i * d).orElse(null);
      if (why != null) throw Refusal.wrong("row %,d: %s", i + 1, why);
    }
    return points;
  }

  /// Whether a tensor is a column that the model leaves out. Requests may include it or not.
  private static boolean leftOut(Model model, Tensor tensor) {
    return model.leftOut().stream().anyMatch(out -> out.column().name().equals(tensor.name));
  }

  /// The name of the tensor of sizes; empty if rows have no sizes.
  static String sizeName(Model model) {
    Likelihood.Size size = model.likelihood().size();
    return size == Likelihood.Size.NONE ? "" : size.toString();
  }

  /// Takes the sizes of the observations to predict from the inputs: a tensor `weight`, `exposure`,
  /// `trials` or `precision`, depending on the likelihood. Empty if there is none; each then has
  /// size one.
  double[] sizes(Model model, Of of, int most) {
    String name = sizeName(model);
    Tensor found = null;
    for (Tensor tensor : inputs)
      if (tensor.name.equals(name) && !isColumn(model, name)) found = tensor;
    if (found == null) {
      if (of == Of.OBSERVATION && model.likelihood().size() == Likelihood.Size.PRECISION)
        throw Refusal.wrong(
            "this model needs the noise of each row; send 1/variance as input '%s'", name);
      return new double[0];
    }
    if (of != Of.OBSERVATION)
      throw Refusal.wrong(
          "input '%s' applies to observations, but the request asks for the %s; set the parameter 'of' to observation, or leave the input out",
          name, of);
    inputs.remove(found);
    if (inputs.isEmpty()) throw Refusal.wrong("the inputs are missing; send 'x'");
    double[] sizes = columns.column(found, Column.of(name), most);
    for (int i = 0; i < sizes.length; i++) {
      try {
        model.likelihood().law(of, sizes[i]);
      } catch (IllegalArgumentException e) {
        throw Refusal.wrong("input '%s', row %,d: %s", name, i + 1, e.getMessage());
      }
    }
    return sizes;
  }

  private static boolean isColumn(Model model, String name) {
    return model.columns().stream().anyMatch(column -> column.name().equals(name));
  }

  /// Inputs and target, and sizes if there are any, as rows of `d + 2` numbers. The target is
  /// called by its name or `y`. For names of sizes see [#sizes].
  List<double[]> observations(Model model, int most) {
    Tensor target = null;
    Tensor weight = null;
    String size = sizeName(model);
    for (Tensor tensor : inputs) {
      boolean column = isColumn(model, tensor.name);
      if (tensor.name.equals(model.target().name()) || (tensor.name.equals("y") && !column))
        target = tensor;
      else if (tensor.name.equals(size) && !column) weight = tensor;
    }
    if (target == null)
      throw Refusal.wrong(
          "the target '%s' is missing; send it beside the inputs", model.target().name());
    inputs.remove(target);
    if (weight != null) inputs.remove(weight);
    if (inputs.isEmpty()) throw Refusal.wrong("the inputs are missing; send 'x'");
    double[] x = points(model, most);
    double[] y = columns.column(target, model.target(), most);
    double[] w = weight == null ? null : columns.column(weight, Column.of(size), most);
    int d = model.columns().size();
    int count = x.length / d;
    if (y.length != count || (w != null && w.length != count))
      throw Refusal.wrong(
          "%,d rows of inputs need as many targets%s, got %,d%s",
          count,
          size.isEmpty() ? "" : " and values of '" + size + "'",
          y.length,
          w == null ? "" : " and " + w.length);
    room.take(count * (8L * d + 48));
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double[] row = Arrays.copyOfRange(x, i * d, i * d + d + 2);
      row[d] = y[i];
      row[d + 1] = w == null ? 1 : w[i];
      String wrong = model.likelihood().refusal(row[d], row[d + 1]);
      if (wrong != null)
        throw Refusal.wrong(
            "row %,d: '%s' is %s%s; %s",
            i + 1,
            model.target().name(),
            y[i],
            w == null ? "" : " with " + size + " " + w[i],
            wrong);
      rows.add(row);
    }
    return rows;
  }

  private static String names(List<Column> columns) {
    List<String> names = columns.stream().map(column -> "'" + column.name() + "'").toList();
    return String.join(", ", names) + " of shape [rows]";
  }
}
