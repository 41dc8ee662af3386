package lovelace.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageTest {

  private static final String TITLE = "</script><b>\"\\\u2028\u2029\n\u0001é";

  private static String panels() {
    Map<String, Object> panel =
        Page.ordered(
            TITLE,
            new double[] {1, 0.1, 1.0 / 3, Double.NaN, 1e20},
            "n",
            3,
            "on",
            true,
            "kind",
            TITLE);
    String page = Page.of("a < b & c", List.of(panel, Map.of()));
    assertTrue(page.contains("<title>a &lt; b &amp; c</title>"));
    String start = "const panels = ";
    int at = page.indexOf(start) + start.length();
    return page.substring(at, page.indexOf(";\n", at));
  }

  @Test
  void textCannotEndTheScriptItStandsIn() {
    String json = panels();
    for (String wrong : List.of("<", "\u2028", "\u2029", "\u0001"))
      assertEquals(-1, json.indexOf(wrong), json);
  }

  @Test
  void panelsReadBackAsTheyWere() throws IOException {
    try (JsonParser in = new JsonFactory().createParser(panels())) {
      assertEquals(JsonToken.START_ARRAY, in.nextToken());
      assertEquals(JsonToken.START_OBJECT, in.nextToken());
      assertEquals(TITLE, in.nextFieldName());
      assertEquals(JsonToken.START_ARRAY, in.nextToken());
      assertEquals("1", text(in));
      assertEquals("0.1", text(in));
      assertEquals("0.333333333", text(in));
      assertEquals(JsonToken.VALUE_NULL, in.nextToken());
      assertEquals("1.0E20", text(in));
      assertEquals(JsonToken.END_ARRAY, in.nextToken());
      assertEquals("n", in.nextFieldName());
      assertEquals("3", text(in));
      assertEquals("on", in.nextFieldName());
      assertEquals(JsonToken.VALUE_TRUE, in.nextToken());
      assertEquals("kind", in.nextFieldName());
      assertEquals(TITLE, in.nextTextValue());
      assertEquals(JsonToken.END_OBJECT, in.nextToken());
      assertEquals(JsonToken.START_OBJECT, in.nextToken());
    }
  }

  private static String text(JsonParser in) throws IOException {
    in.nextToken();
    return in.getText();
  }
}
