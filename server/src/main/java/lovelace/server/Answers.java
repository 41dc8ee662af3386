package lovelace.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerResponse;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Answers in JSON.
public final class Answers {

  private static final ObjectMapper JSON = new ObjectMapper();

  private Answers() {}

  /// A map of names and values, given in turn, in that order.
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

  /// The bytes of a refusal, head and body, for input that is not a request and so has no response
  /// object.
  static byte[] whole(Refusal refusal) {
    byte[] body = bytes(Map.of("error", String.valueOf(refusal.getMessage())));
    String head =
        String.format(
            Locale.ROOT,
            "HTTP/1.1 %s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n",
            Status.create(refusal.status()).text(),
            body.length);
    byte[] first = head.getBytes(US_ASCII);
    byte[] all = Arrays.copyOf(first, first.length + body.length);
    System.arraycopy(body, 0, all, first.length, body.length);
    return all;
  }

  /// Sends an error. If the condition is temporary, it says when to try again.
  static void error(ServerResponse response, int status, String message) {
    if (status == 429 || status == 503) response.header(HeaderNames.RETRY_AFTER, "1");
    if (status == 401) response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
    json(response, status, Map.of("error", message));
  }
}
