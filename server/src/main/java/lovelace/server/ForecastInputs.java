package lovelace.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import lovelace.forecast.StoredSeries;
import org.jspecify.annotations.Nullable;

/// Takes ids, steps, times and values from the tensors of a request about forecasts.
final class ForecastInputs {

  private static final String ID = "id";

  private final ForecastContent content;
  private final Map<String, Tensor> tensors = new LinkedHashMap<>();

  /// @param names the inputs that the request may have
  /// @param most the most rows
  ForecastInputs(ForecastContent content, InferRequest request, List<String> names, int most) {
    this.content = content;
    for (Tensor tensor : request.inputs) {
      if (!names.contains(tensor.name))
        throw Refusal.wrong(
            "unknown input '%s'; there are %s", tensor.name, String.join(", ", names));
      if (tensors.put(tensor.name, tensor) != null)
        throw Refusal.wrong("input '%s' is sent twice; send it once", tensor.name);
      long[] shape = tensor.shape == null ? new long[0] : tensor.shape;
      if (!(shape.length == 1 || (shape.length == 2 && shape[1] == 1)))
        throw Refusal.wrong(
            "input '%s' has shape %s; it must be [rows]", tensor.name, Tensor.text(shape));
      if (tensor.hasAbsent())
        throw Refusal.wrong(
            "input '%s' has a null; leave such rows out, a step without a value is a gap",
            tensor.name);
      InputColumns.requireRows(shape[0], most);
    }
  }

  private static Refusal wrongType(Tensor tensor, String datatype) {
    return Refusal.wrong(
        "input '%s' has datatype '%s'; it must be %s", tensor.name, tensor.datatype, datatype);
  }

  /// The texts of an input; null if it was not sent.
  @Nullable List<String> texts(String name) {
    Tensor tensor = tensors.get(name);
    if (tensor == null) return null;
    if (!"BYTES".equals(tensor.datatype)) throw wrongType(tensor, "BYTES");
    return tensor.texts();
  }

  /// The numbers of an input; null if it was not sent.
  double @Nullable [] numbers(String name) {
    Tensor tensor = tensors.get(name);
    if (tensor == null) return null;
    if ("BYTES".equals(tensor.datatype)) throw wrongType(tensor, "a number");
    return java.util.Arrays.copyOf(tensor.values(), tensor.size());
  }

  /// The whole numbers of an input, from 1 to a greatest; null if it was not sent.
  int @Nullable [] counts(String name, int greatest) {
    double[] numbers = numbers(name);
    if (numbers == null) return null;
    int[] counts = new int[numbers.length];
    for (int i = 0; i < counts.length; i++) counts[i] = count(name, numbers[i], greatest);
    return counts;
  }

  /// A number of steps that the horizon of the file allows.
  static int count(String name, double value, int greatest) {
    if (!(value >= 1 && value <= greatest && value == Math.rint(value)))
      throw new Refusal(
          400,
          String.format(
              Locale.ROOT,
              "'%s' must be a whole number from 1 to %,d, the horizon of this file, got %s; for more steps make a file with a longer --horizon",
              name,
              greatest,
              value == Math.rint(value) && Math.abs(value) < 1e15
                  ? Long.toString((long) value)
                  : Double.toString(value)));
    return (int) value;
  }

  /// The series of the rows.
  List<StoredSeries> series() {
    List<StoredSeries> all = new ArrayList<>();
    for (String id : ids()) all.add(content.require(id));
    return all;
  }

  /// The ids of the rows. If the file has one series, the request need not name it.
  List<String> ids() {
    List<String> ids = texts(ID);
    if (ids != null) return ids;
    if (content.size() == 1) return content.ids();
    throw Refusal.wrong(
        "input 'id' is missing; name the series, one for each row, of %,d", content.size());
  }

  /// The rows of a journal that the request wants to add: ids, values, and times if there are any.
  List<byte[]> observations(Room room) {
    List<String> ids = texts(ID);
    double[] values = numbers("y");
    if (values == null) throw Refusal.wrong("input 'y' is missing; send the values");
    if (ids == null && content.size() == 1) ids = List.of();
    if (ids == null) ids = ids();
    boolean one = ids.isEmpty();
    List<String> times = texts("time");
    if ((!one && ids.size() != values.length) || (times != null && times.size() != values.length))
      throw Refusal.wrong(
          "the inputs must have one length: 'y' has %,d rows%s%s",
          values.length,
          one ? "" : String.format(Locale.ROOT, ", 'id' %,d", ids.size()),
          times == null ? "" : String.format(Locale.ROOT, ", 'time' %,d", times.size()));
    String only = one ? content.ids().getFirst() : "";
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      String id = one ? only : ids.get(i);
      if (times == null && content.series(id) == null && !content.isPlain())
        throw Refusal.wrong(
            "row %,d: there is no series '%s' yet; send 'time' to begin it, or correct the id",
            i + 1, id);
      room.take(64 + 3L * id.length());
      rows.add(ForecastContent.row(id, step(id, times, i), values[i]));
    }
    return rows;
  }

  private long step(String id, @Nullable List<String> times, int row) {
    if (times == null) return ForecastContent.NEXT;
    try {
      return content.step(id, content.table().form().parse(times.get(row)));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw Refusal.wrong("input 'time', row %,d: %s", row + 1, e.getMessage());
    }
  }
}
