package lovelace.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.spark.ml.param.ParamValidators;
import scala.Function1;

/// The rule that a param must satisfy. Spark's own validators only say that a value is invalid;
/// this one also says which values are valid.
///
/// @param name that of the param
/// @param rule the condition on its values, to follow "must"
/// @param holds tests the condition
record Rule<T>(String name, String rule, Function1<T, Object> holds)
    implements Function1<T, Object>, Serializable {

  /// A check that is serialised with its param.
  interface Check<T> extends Function1<T, Object>, Serializable {}

  /// Reads a text, and throws if it cannot.
  interface Parser extends Consumer<String>, Serializable {}

  @Override
  public Object apply(T value) {
    if (value != null && (boolean) holds.apply(value)) return true;
    throw new IllegalArgumentException("%s must %s, got %s".formatted(name, rule, shown(value)));
  }

  private static String shown(Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> "'" + text + "'";
      case String[] texts -> Arrays.toString(texts);
      case double[] numbers -> Arrays.toString(numbers);
      default -> value.toString();
    };
  }

  static Rule<Object> between(String name, double low, double high) {
    return new Rule<>(
        name,
        "lie between %s and %s".formatted(shown(low), shown(high)),
        ParamValidators.inRange(low, high, false, false));
  }

  static Rule<Object> atLeast(String name, int least) {
    return new Rule<>(name, "be at least " + least, ParamValidators.gtEq(least));
  }

  static Rule<String> oneOf(String name, String... values) {
    return new Rule<>(
        name, "be one of " + String.join(", ", values), ParamValidators.inArray(List.of(values)));
  }

  /// A rule for the name of a column.
  static Rule<String> column(String name) {
    return new Rule<>(name, "name a column", (Check<String>) text -> !text.isBlank());
  }

  /// A rule for names of columns, each given once.
  static Rule<String[]> columns(String name) {
    return new Rule<>(
        name,
        "name at least one column, each once",
        (Check<String[]>)
            texts ->
                texts.length > 0
                    && Stream.of(texts).noneMatch(String::isBlank)
                    && Stream.of(texts).distinct().count() == texts.length);
  }

  /// A rule for a text that `parser` reads. Its error says what is wrong.
  static Rule<String> text(String name, Parser parser) {
    return new Rule<>(
        name,
        "be a text that can be read",
        (Check<String>)
            text -> {
              parse(name, parser, text);
              return true;
            });
  }

  /// A rule for texts that `parser` reads.
  static Rule<String[]> texts(String name, Parser parser) {
    return new Rule<>(
        name,
        "be texts that can be read",
        (Check<String[]>)
            texts -> {
              for (String text : texts) parse(name, parser, text);
              return true;
            });
  }

  private static void parse(String name, Parser parser, String text) {
    try {
      parser.accept(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }
}
