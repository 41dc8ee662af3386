package lovelace.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import lovelace.forecast.Bands;
import org.jspecify.annotations.Nullable;

/// The body of a request to the address `forecast`.
///
/// @param id of the series; null if the file has only one
/// @param horizon the number of steps; 0 for all
/// @param bands the intervals
record ForecastRequest(@Nullable String id, long horizon, Bands bands) {

  private static final List<String> FIELDS = List.of("id", "horizon", "levels");

  /// The most levels that a request may name.
  private static final int MOST = 50;

  /// Reads a body. An empty one asks for everything as usual.
  static ForecastRequest read(byte[] body, Room room) {
    if (body.length == 0) return new ForecastRequest(null, 0, Bands.DEFAULT);
    try (JsonInput in = new JsonInput(body, body.length, room)) {
      return read(in);
    } catch (JsonProcessingException e) {
      throw JsonInput.malformed(e);
    } catch (IOException e) {
      throw Refusal.wrong("the body is not JSON: %s", e.getMessage());
    }
  }

  private static ForecastRequest read(JsonInput in) throws IOException {
    if (in.json.nextToken() != JsonToken.START_OBJECT)
      throw Refusal.wrong("the body must be a JSON object with 'id', 'horizon' and 'levels'");
    String id = null;
    long horizon = 0;
    Bands bands = Bands.DEFAULT;
    int seen = 0;
    while (in.json.nextToken() == JsonToken.FIELD_NAME) {
      String field = in.json.currentName();
      in.json.nextToken();
      seen = JsonInput.once(seen, FIELDS.indexOf(field), field);
      switch (field) {
        case "id" -> id = in.text(field);
        case "horizon" -> horizon = in.whole(field, 1);
        case "levels" -> bands = levels(in);
        default ->
            throw Refusal.wrong(
                "unknown field '%s'; there are %s", field, String.join(", ", FIELDS));
      }
    }
    if (in.json.nextToken() != null) throw Refusal.wrong("text follows the JSON object; remove it");
    return new ForecastRequest(id, horizon, bands);
  }

  private static Bands levels(JsonInput in) throws IOException {
    in.requireArray("levels");
    double[] levels = new double[MOST];
    int size = 0;
    while (in.json.nextToken() != JsonToken.END_ARRAY) {
      if (!in.json.currentToken().isNumeric())
        throw Refusal.wrong("'levels' must hold percentages such as 80, got %s", in.json.getText());
      if (size == MOST) throw Refusal.wrong("'levels' may hold at most %d percentages", MOST);
      levels[size++] = in.json.getDoubleValue();
    }
    try {
      return Bands.of(Arrays.copyOf(levels, size));
    } catch (IllegalArgumentException e) {
      throw Refusal.wrong("'levels': %s", e.getMessage());
    }
  }
}
