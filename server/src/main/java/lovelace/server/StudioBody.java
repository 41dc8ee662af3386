package lovelace.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/// The body that a page sends: a short JSON object.
final class StudioBody {

  /// The most bytes.
  static final long MOST = 1 << 20;

  /// The most bytes of memory per byte of JSON: 28 for `{"":0},` and 27 for `{},`.
  private static final long TREE = 32;

  private static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder()
              .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
              .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(32).build())
              .build());

  private StudioBody() {}

  /// Reads the object and reserves memory for it. Without a body it is empty.
  static JsonNode object(byte[] bytes, Gate.Pass pass) {
    if (bytes.length == 0) return JSON.createObjectNode();
    pass.reserve(TREE * bytes.length);
    try {
      JsonNode node = JSON.readTree(bytes);
      if (node.isObject()) return node;
      throw Refusal.wrong("the body must be a JSON object");
    } catch (JsonProcessingException e) {
      throw Refusal.wrong("the body is not JSON: %s", e.getOriginalMessage());
    } catch (IOException e) {
      throw Refusal.wrong("the body is not JSON");
    }
  }

  /// Reads a list of finite numbers.
  static double[] numbers(String name, JsonNode node) {
    if (!node.isArray() || node.isEmpty() || node.size() > 1000)
      throw Refusal.wrong("'%s' must be a list of numbers", name);
    double[] values = new double[node.size()];
    for (int i = 0; i < values.length; i++) {
      JsonNode value = node.get(i);
      values[i] = value.asDouble();
      if (!value.isNumber() || !Double.isFinite(values[i]))
        throw Refusal.wrong("'%s' must be a list of finite numbers, got %s", name, value);
    }
    return values;
  }
}
