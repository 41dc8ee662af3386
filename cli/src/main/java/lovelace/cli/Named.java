package lovelace.cli;

import java.nio.file.Path;
import java.util.function.Supplier;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Messages that name the option they are about.
final class Named {

  private Named() {}

  /// A value made of what an option says; whatever is wrong with it is told with the option's name.
  static <T> T of(String option, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw of(option, e);
    }
  }

  /// A check of what an option says.
  static void check(String option, Runnable check) {
    try {
      check.run();
    } catch (IllegalArgumentException e) {
      throw of(option, e);
    }
  }

  private static IllegalArgumentException of(String option, IllegalArgumentException e) {
    return new IllegalArgumentException(option + ": " + e.getMessage(), e);
  }

  /// Reads the paths of all commands: an empty one, as of a variable that is not set, is a mistake.
  static final class PathConverter implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
      if (text.isBlank()) throw new TypeConversionException("it is empty; name a file or folder");
      return Path.of(text);
    }
  }
}
