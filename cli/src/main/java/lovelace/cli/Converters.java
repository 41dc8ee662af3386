package lovelace.cli;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.TypeConversionException;

/// Reads the values of options: files, numbers, and words from a list.
///
/// Each failure is a [TypeConversionException] whose message continues the option's name: `must be
/// a whole number, got 'x'`. [Errors] puts the name in front of it.
final class Converters {

  private Converters() {}

  /// Registers these converters for all options of a command and its subcommands.
  static void register(CommandLine line) {
    line.registerConverter(Path.class, Converters::path);
    register(line, boolean.class, Boolean.class, Converters::flag);
    register(line, int.class, Integer.class, text -> whole(text, Integer.MAX_VALUE).intValue());
    register(line, long.class, Long.class, text -> whole(text, Long.MAX_VALUE).longValue());
    register(line, double.class, Double.class, Converters::number);
    Set<Class<?>> choices = new TreeSet<>((a, b) -> a.getName().compareTo(b.getName()));
    choices(line.getCommandSpec(), choices);
    for (Class<?> type : choices) choice(line, type);
  }

  private static <T> void register(
      CommandLine line, Class<T> primitive, Class<T> type, ITypeConverter<T> converter) {
    line.registerConverter(primitive, converter).registerConverter(type, converter);
  }

  /// Reads a flag, which is given or not. `--json=true` is the same as `--json`.
  private static Boolean flag(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new TypeConversionException(
              "takes no value, got '%s'; leave the value out".formatted(text));
    };
  }

  private static BigInteger whole(String text, long most) {
    BigInteger value;
    try {
      value = new BigInteger(text.strip());
    } catch (NumberFormatException e) {
      throw new TypeConversionException("must be a whole number, got '%s'".formatted(text));
    }
    if (value.abs().compareTo(BigInteger.valueOf(most)) > 0)
      throw new TypeConversionException(
          String.format(Locale.ROOT, "must be at most %,d, got '%s'", most, text));
    return value;
  }

  private static Double number(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("must be a number, got '%s'".formatted(text));
    }
  }

  /// Reads a path. An empty path is a mistake, for example from a variable that is not set.
  private static Path path(String text) {
    if (text.isBlank())
      throw new TypeConversionException("must name a file or folder, got an empty text");
    return Path.of(text);
  }

  private static void choices(CommandSpec spec, Set<Class<?>> found) {
    for (ArgSpec arg : spec.args())
      for (Class<?> type : arg.auxiliaryTypes()) if (type.isEnum()) found.add(type);
    spec.subcommands().values().forEach(sub -> choices(sub.getCommandSpec(), found));
  }

  private static <T> void choice(CommandLine line, Class<T> type) {
    List<T> all = Arrays.asList(type.getEnumConstants());
    line.registerConverter(
        type,
        text ->
            all.stream()
                .filter(one -> word(one).equals(word(text.strip())))
                .findFirst()
                .orElseThrow(() -> unknown(text, all.stream().map(Converters::word).toList())));
  }

  private static TypeConversionException unknown(String text, List<String> words) {
    String near = Nearest.of(word(text), words);
    return new TypeConversionException(
        "must be one of %s, got '%s'%s"
            .formatted(
                String.join(", ", words),
                text,
                near == null ? "" : "; did you mean " + near + "?"));
  }

  /// A value as help shows it, such as `as-is` for `AS_IS`.
  private static String word(Object value) {
    return value.toString().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
