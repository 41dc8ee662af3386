package lovelace.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// The answer to an inference request: JSON, then the bytes of those tensors that were asked for as
/// bytes.
///
/// @param body all of it
/// @param json the number of its bytes that are JSON
/// @param binary whether bytes follow the JSON
/// @param rows the number of rows that were predicted
@SuppressWarnings("ArrayRecordComponent") // handed over, not kept
record InferAnswer(byte[] body, int json, boolean binary, int rows) {

  /// A tensor of an answer, of numbers, truths (0 and 1) or texts.
  sealed interface Output {
    String name();

    int[] shape();

    boolean binary();
  }

  /// @param truths whether the numbers stand for true and false
  record Numbers(String name, int[] shape, double[] values, boolean truths, boolean binary)
      implements Output {}

  record Texts(String name, int[] shape, List<String> values, boolean binary) implements Output {}

  static InferAnswer of(
      Served.Version version, InferRequest request, List<? extends Output> outputs, int rows) {
    JsonBytes json = new JsonBytes(rows == 1 ? 1024 : 4096);
    json.raw("{\"model_name\":").text(version.name());
    json.raw(",\"model_version\":").text(version.number());
    if (request.id != null) json.raw(",\"id\":").text(request.id);
    if (!request.remarks().isEmpty())
      json.raw(",\"parameters\":{\"notes\":").text(String.join("; ", request.remarks())).raw('}');
    json.raw(",\"outputs\":[");
    long bytes = 0;
    for (int k = 0; k < outputs.size(); k++) {
      Output output = outputs.get(k);
      if (k > 0) json.raw(',');
      json.raw("{\"name\":\"").raw(output.name());
      json.raw("\",\"datatype\":\"").raw(datatype(output)).raw("\",\"shape\":[");
      for (int i = 0; i < output.shape().length; i++) {
        if (i > 0) json.raw(',');
        json.number(output.shape()[i]);
      }
      json.raw(']');
      if (output.binary()) {
        long size = size(output);
        bytes += size;
        json.raw(",\"parameters\":{\"binary_data_size\":").number(size).raw("}}");
      } else {
        json.raw(",\"data\":[");
        data(json, output);
        json.raw("]}");
      }
    }
    json.raw("]}");
    int head = json.size();
    byte[] body = json.toArray(bytes);
    ByteBuffer rest = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN).position(head);
    boolean any = false;
    for (Output output : outputs)
      if (output.binary()) {
        any = true;
        put(rest, output);
      }
    return new InferAnswer(body, head, any, rows);
  }

  private static String datatype(Output output) {
    return switch (output) {
      case Numbers numbers -> numbers.truths ? "BOOL" : "FP64";
      case Texts texts -> "BYTES";
    };
  }

  private static long size(Output output) {
    return switch (output) {
      case Numbers numbers -> numbers.values.length * (numbers.truths ? 1L : 8L);
      case Texts texts -> {
        long size = 0;
        for (String text : texts.values) size += 4 + text.getBytes(UTF_8).length;
        yield size;
      }
    };
  }

  private static void data(JsonBytes json, Output output) {
    switch (output) {
      case Numbers numbers -> {
        for (int i = 0; i < numbers.values.length; i++) {
          if (i > 0) json.raw(',');
          if (numbers.truths) json.raw(numbers.values[i] != 0 ? "true" : "false");
          else json.number(numbers.values[i]);
        }
      }
      case Texts texts -> {
        for (int i = 0; i < texts.values.size(); i++) {
          if (i > 0) json.raw(',');
          json.text(texts.values.get(i));
        }
      }
    }
  }

  /// Texts have their lengths before them, in four bytes.
  private static void put(ByteBuffer rest, Output output) {
    switch (output) {
      case Numbers numbers -> {
        if (numbers.truths) {
          for (double value : numbers.values) rest.put((byte) value);
        } else {
          rest.asDoubleBuffer().put(numbers.values);
          rest.position(rest.position() + 8 * numbers.values.length);
        }
      }
      case Texts texts -> {
        for (String text : texts.values) {
          byte[] utf = text.getBytes(UTF_8);
          rest.putInt(utf.length).put(utf);
        }
      }
    }
  }
}
