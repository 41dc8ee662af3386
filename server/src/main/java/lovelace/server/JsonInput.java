package lovelace.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.Locale;

/// Reads the JSON of a request from left to right. The reader takes memory for its results from
/// [#room].
final class JsonInput implements AutoCloseable {

  /// Names of fields are not interned: a client that sends a million of them would fill a table of
  /// the whole process.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(32)
                  .maxStringLength(1 << 16)
                  .maxNumberLength(400)
                  .build())
          .build();

  /// About how many bytes the parser keeps of a name beside its characters.
  private static final int NAME = 200;

  final JsonParser json;
  final Room room;

  /// Reads the first `length` bytes of a body.
  JsonInput(byte[] body, int length, Room room) throws IOException {
    json = FACTORY.createParser(body, 0, length);
    this.room = room;
  }

  static Refusal malformed(JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    return Refusal.wrong(
        "the body is not JSON: %s%s",
        e.getOriginalMessage(),
        at == null
            ? ""
            : String.format(
                Locale.ROOT, " (line %d, column %d)", at.getLineNr(), at.getColumnNr()));
  }

  /// Notes that a field was read. Refuses a field that is given twice.
  static int once(int seen, int field, String name) {
    if (field < 0) return seen;
    if ((seen >> field & 1) != 0) throw Refusal.wrong("'%s' is given twice; give it once", name);
    return seen | 1 << field;
  }

  void requireArray(String field) {
    if (json.currentToken() != JsonToken.START_ARRAY)
      throw Refusal.wrong("'%s' must be an array", field);
  }

  void requireObject(String what) {
    if (json.currentToken() != JsonToken.START_OBJECT)
      throw Refusal.wrong("%s must be an object", what);
  }

  String text(String field) throws IOException {
    if (json.currentToken() != JsonToken.VALUE_STRING)
      throw Refusal.wrong("'%s' must be a text, got %s", field, json.getText());
    return json.getText();
  }

  long whole(String name, long least) throws IOException {
    if (json.currentToken() != JsonToken.VALUE_NUMBER_INT
        || json.getNumberType() == JsonParser.NumberType.BIG_INTEGER)
      throw Refusal.wrong("'%s' must be a whole number, got %s", name, json.getText());
    long value = json.getLongValue();
    if (value < least) throw Refusal.wrong("'%s' must be >= %d, got %d", name, least, value);
    return value;
  }

  boolean truth(String name) throws IOException {
    if (!json.currentToken().isBoolean())
      throw Refusal.wrong("parameter '%s' must be true or false, got %s", name, json.getText());
    return json.getBooleanValue();
  }

  /// Skips the value of a field that has no meaning here.
  void skip() throws IOException {
    takeName();
    int depth = json.currentToken().isStructStart() ? 1 : 0;
    while (depth > 0) {
      JsonToken token = json.nextToken();
      if (token.isStructStart()) depth++;
      else if (token.isStructEnd()) depth--;
      else if (token == JsonToken.FIELD_NAME) takeName();
    }
  }

  private void takeName() throws IOException {
    room.take(NAME + 2L * json.currentName().length());
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
