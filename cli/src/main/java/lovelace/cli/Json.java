package lovelace.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Writes maps, lists, texts, numbers and booleans as JSON. A number that is not finite becomes
/// `null`.
///
/// It uses Jackson's generator. Jackson's data binding would add a tenth of a second to every
/// start.
final class Json {

  private static final JsonFactory FACTORY = new JsonFactory();

  private static final Separators SEPARATORS =
      Separators.createDefaultInstance()
          .withObjectFieldValueSpacing(Spacing.AFTER)
          .withObjectEmptySeparator("")
          .withArrayEmptySeparator("");

  private Json() {}

  static String of(@Nullable Object value) {
    StringWriter text = new StringWriter();
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter(SEPARATORS);
    printer.indentArraysWith(lines);
    printer.indentObjectsWith(lines);
    try (JsonGenerator out = FACTORY.createGenerator(text)) {
      out.setPrettyPrinter(printer);
      put(value, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // cannot happen while writing to a text
    }
    return text.toString();
  }

  private static void put(@Nullable Object value, JsonGenerator out) throws IOException {
    switch (value) {
      case null -> out.writeNull();
      case Double d when !Double.isFinite(d) -> out.writeNull();
      case Double d -> out.writeNumber(d);
      case Integer i -> out.writeNumber(i);
      case Long i -> out.writeNumber(i);
      case Number number -> out.writeNumber(number.toString());
      case Boolean b -> out.writeBoolean(b);
      case double[] numbers ->
          out.writeRawValue( // on one line
              Arrays.stream(numbers)
                  .mapToObj(x -> Double.isFinite(x) ? Double.toString(x) : "null")
                  .collect(Collectors.joining(", ", "[", "]")));
      case List<?> list -> {
        out.writeStartArray();
        for (Object each : list) put(each, out);
        out.writeEndArray();
      }
      case Map<?, ?> map -> {
        out.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.writeFieldName(String.valueOf(entry.getKey()));
          put(entry.getValue(), out);
        }
        out.writeEndObject();
      }
      default -> out.writeString(value.toString());
    }
  }
}
