package lovelace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void everyKindOfValueIsWritten() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("whole", 3);
    all.put("long", 1L << 40);
    all.put("number", 0.1);
    all.put("not finite", Double.NaN);
    all.put("nothing", null);
    all.put("flag", true);
    all.put("text", "größe \"a\"\n\u0001");
    all.put("numbers", new double[] {1, Double.POSITIVE_INFINITY});
    all.put("list", List.of("a", Map.of()));
    all.put("empty", List.of());
    assertEquals(
        """
        {
          "whole": 3,
          "long": 1099511627776,
          "number": 0.1,
          "not finite": null,
          "nothing": null,
          "flag": true,
          "text": "größe \\"a\\"\\n\\u0001",
          "numbers": [1.0, null],
          "list": [
            "a",
            {}
          ],
          "empty": []
        }\
        """,
        Json.of(all));
  }

  @Test
  void whatIsWrittenIsReadBack() throws IOException {
    String text = "\u0000\t\\/ \ud83d\ude00 \u2028";
    assertEquals(text, new ObjectMapper().readTree(Json.of(text)).asText());
    assertEquals("[\n  1,\n  2\n]", Json.of(List.of(1, 2)));
  }
}
