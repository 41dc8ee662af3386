package lovelace.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerResponse;
import java.util.LinkedHashMap;
import java.util.Map;

/// Answers in JSON.
public final class Answers {

  private static final ObjectMapper JSON = new ObjectMapper();

  private Answers() {}

  /// Names and values in turn, in that order.
  static Map<String, Object> map(Object... entries) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < entries.length; i += 2) map.put((String) entries[i], entries[i + 1]);
    return map;
  }

  static byte[] bytes(Object value) {
    try {
      return JSON.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Sends maps, lists, texts and numbers.
  static void json(ServerResponse response, int status, Object value) {
    response.status(status).header(Protocol.JSON_TYPE);
    response.send(bytes(value));
  }

  /// Sends an error; one that passes says when to try again.
  static void error(ServerResponse response, int status, String message) {
    if (status == 429 || status == 503) response.header(HeaderNames.RETRY_AFTER, "1");
    if (status == 401) response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
    json(response, status, Map.of("error", message));
  }
}
